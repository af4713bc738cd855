/* What the headers read of JSON, in a process where somebody has set a locale with a decimal comma. Such a locale is installed on few
 * machines: the two functions that depend on it are replaced here. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char point[8];

/* The library's, as it is while the locale's point is `point`. */
static double local_strtod(const char *text, char **end) {
    char plain[128];
    size_t before = strcspn(text, ".,\xd9"), point_len = strlen(point);
    int has_point = strncmp(text + before, point, point_len) == 0;
    snprintf(plain, sizeof plain, "%.*s%s%s", (int)before, text, has_point ? "." : "", has_point ? text + before + point_len : "");
    char *stop;
    double value = strtod(plain, &stop);
    size_t taken = (size_t)(stop - plain);
    if (end != NULL)
        *end = (char *)text + (taken > before ? taken - 1 + point_len : taken);
    return value;
}

static struct lconv *local_localeconv(void) {
    static struct lconv conventions;
    conventions.decimal_point = point;
    return &conventions;
}

#define strtod local_strtod
#define localeconv local_localeconv
#include <touchline/json.h>

static tl_json json(const char *text) {
    tl_text_slice slice = {text, strlen(text)};
    return tl_json_of(slice);
}

static int failed;

#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            printf("%s: line %d: %s\n", point, __LINE__, #condition); \
            failed = 1;                                               \
        }                                                             \
    } while (0)

static void reads_numbers(void) {
    static const struct {
        const char *text;
        double value;
    } numbers[] = {{"2.5", 2.5}, {"-0.125e-2", -0.00125}, {"7", 7.0}, {"-3e5", -3e5}, {"0.26000000000000001", 0.26}};
    static const char *const none[] = {"1.2.3", "1.5x", "\"2.5\"", "true", "."};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double number = 99.0;
        CHECK(tl_json_number(json(numbers[i].text), &number) && number == numbers[i].value);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double number = 99.0;
        tl_json whole = {none[i], none[i] + strlen(none[i])};
        CHECK(!tl_json_number(whole, &number) && number == 99.0);
    }
}

/* The buffer is what it was before: nothing in it may be read on behind what was written. */
static void closes_what_does_not_fit(void) {
    char text[8];
    memset(text, 'x', sizeof text);
    CHECK(tl_json_text(json("\"1234567\""), text, sizeof text) && strcmp(text, "1234567") == 0);
    memset(text, 'x', sizeof text);
    CHECK(!tl_json_text(json("\"12345678\""), text, sizeof text) && text[0] == '\0');
    memset(text, 'x', sizeof text);
    CHECK(!tl_json_text(json("5"), text, sizeof text) && text[0] == 'x');
}

int main(void) {
    static const char *const points[] = {".", ",", "\xd9\xab"};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        strcpy(point, points[i]);
        reads_numbers();
    }
    closes_what_does_not_fit();
    return failed;
}
