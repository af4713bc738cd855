/* Parameters: one table says name, meaning, range and default of each. From it come the description of the plugin (checked
 * against files, shown to people) and the reading of the author's own struct, with every problem at once.
 *
 *     typedef struct { double sigma_rad; bool inverted; } params;
 *     static const tl_param PARAMS[] = {
 *         TL_NUMBER(params, sigma_rad, 0.0, 3.2, 0.02, "The standard deviation of the heading, radians."),
 *         TL_BOOL(params, inverted, false, "Whether it counts clockwise."),
 *     };
 *
 * TL_REQUIRED in place of a default makes a number one that has to be set. */
#ifndef TOUCHLINE_PARAMS_H
#define TOUCHLINE_PARAMS_H

#include <touchline/json.h>

/* The room for a text parameter, bytes, with the zero at its end. */
#define TL_TEXT_CAP 64
/* In place of a number's default. */
#define TL_REQUIRED NAN

enum { TL_TYPE_NUMBER, TL_TYPE_INTEGER, TL_TYPE_BOOL, TL_TYPE_TEXT };

/* One parameter. */
typedef struct tl_param {
    const char *name;    /* With the unit: `range_max_m`. */
    const char *meaning; /* One sentence, with the unit. */
    int type;
    double min, max;     /* Numbers and integers. */
    double fallback;     /* Numbers and integers; 0 or 1 of a bool. */
    const char *text;    /* The default of a text. */
    size_t offset;       /* Into the author's struct. */
} tl_param;

/* A double. */
#define TL_NUMBER(type, field, min, max, fallback, meaning) \
    { #field, meaning, TL_TYPE_NUMBER, min, max, fallback, NULL, offsetof(type, field) }
/* An int64_t. */
#define TL_INTEGER(type, field, min, max, fallback, meaning) \
    { #field, meaning, TL_TYPE_INTEGER, min, max, fallback, NULL, offsetof(type, field) }
/* A bool. */
#define TL_BOOL(type, field, fallback, meaning) \
    { #field, meaning, TL_TYPE_BOOL, 0, 1, (fallback) ? 1.0 : 0.0, NULL, offsetof(type, field) }
/* A char[TL_TEXT_CAP]. */
#define TL_TEXT(type, field, fallback, meaning) \
    { #field, meaning, TL_TYPE_TEXT, 0, 0, 0, fallback, offsetof(type, field) }

/* The number of elements of an array. */
#define TL_LEN(array) (sizeof(array) / sizeof *(array))

/* All that is wrong with the parameters. */
typedef struct tl_problems {
    tl_text_buffer *buffer;
    size_t count;
} tl_problems;

static inline tl_problems tl_problems_begin(tl_text_buffer *buffer) {
    tl_problems problems = {buffer, 0};
    tl_text_begin(buffer);
    return problems;
}

/* Adds a problem with a parameter, or with the whole if the name is NULL; lower case, no full stop. */
static inline void tl_problem(tl_problems *problems, const char *name, const char *format, ...) {
    char text[512], pointer[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(pointer, sizeof pointer, name == NULL ? "" : "/%s", name == NULL ? "" : name);
    tl_text_add(problems->buffer, problems->count++ == 0 ? "{\"problems\":[" : ",");
    tl_text_add(problems->buffer, "{\"pointer\":");
    tl_text_quoted(problems->buffer, pointer);
    tl_text_add(problems->buffer, ",\"message\":");
    tl_text_quoted(problems->buffer, text);
    tl_text_add(problems->buffer, "}");
}

/* `if (problems.count != 0) return tl_problems_end(&problems);` */
static inline int32_t tl_problems_end(tl_problems *problems) {
    tl_text_add(problems->buffer, "]}");
    int32_t status = tl_text_end(problems->buffer);
    return status == TL_OK ? TL_SETUP : status;
}

/* Reads one parameter, or its default, to `target`. */
static inline void tl_read_param(tl_json all, const tl_param *param, void *target, tl_problems *problems) {
    tl_json value = tl_json_member(all, param->name);
    bool is_set = value.at != NULL;
    double number = param->fallback;
    if (param->type == TL_TYPE_TEXT) {
        char *text = (char *)target;
        snprintf(text, TL_TEXT_CAP, "%s", param->text);
        if (is_set && !tl_json_text(value, text, TL_TEXT_CAP))
            tl_problem(problems, param->name, "must be a text of at most %d bytes", TL_TEXT_CAP - 1);
        return;
    }
    if (param->type == TL_TYPE_BOOL) {
        bool flag = number != 0.0;
        if (is_set && !tl_json_bool(value, &flag))
            tl_problem(problems, param->name, "must be true or false");
        *(bool *)target = flag;
        return;
    }
    bool is_integer = param->type == TL_TYPE_INTEGER;
    if (is_set && !tl_json_number(value, &number))
        tl_problem(problems, param->name, "must be a number, got %.*s", (int)(value.end - value.at), value.at);
    else if (!is_set && isnan(number))
        tl_problem(problems, param->name, "is missing; it has no default");
    else if (!(number >= param->min && number <= param->max))
        tl_problem(problems, param->name, "is %.10g; allowed are %.10g to %.10g", number, param->min, param->max);
    else if (is_integer && (floor(number) != number || fabs(number) > 9e15))
        tl_problem(problems, param->name, "is %.10g; it must be a whole number", number);
    else if (is_integer)
        *(int64_t *)target = (int64_t)number;
    else
        *(double *)target = number;
}

/* Whether a name is in the table. */
static inline bool tl_is_param(tl_json name, const tl_param *params, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (tl_json_is(name, params[i].name))
            return true;
    return false;
}

/* Adds a problem for each name that is not in the table. */
static inline void tl_check_names(tl_json all, const tl_param *params, size_t count, tl_problems *problems) {
    tl_json_items items = tl_json_items_of(all);
    tl_json key, value;
    while (tl_json_next(&items, &key, &value)) {
        char name[100];
        if (!tl_json_text(key, name, sizeof name))
            strcpy(name, "?"); /* Longer than any name. */
        if (!tl_is_param(key, params, count))
            tl_problem(problems, name, "there is no such parameter");
    }
}

/* Reads all parameters into the author's struct. */
static inline void tl_read_params(const tl_create *input, const tl_param *params, size_t count, void *target,
                                  tl_problems *problems) {
    tl_json all = tl_json_of(input->params);
    for (size_t i = 0; i < count; i++)
        tl_read_param(all, &params[i], (char *)target + params[i].offset, problems);
    tl_check_names(all, params, count, problems);
}

/* Writes what `describe` gives; `kind` is TL_KIND_..., `name` is the word by which files choose the plugin. */
static inline int32_t tl_describe(tl_text_buffer *buffer, uint32_t kind, const char *name, const char *version,
                                  const char *summary, const tl_param *params, size_t count) {
    static const char *const kinds[] = {"motion", "sensor", "player", "referee"};
    static const char *const types[] = {"number", "integer", "boolean", "string"};
    bool is_first = true;
    tl_text_begin(buffer);
    tl_text_add(buffer, "{\"name\":");
    tl_text_quoted(buffer, name);
    tl_text_add(buffer, ",\"kind\":");
    tl_text_quoted(buffer, kind < 4 ? kinds[kind] : "?");
    tl_text_add(buffer, ",\"version\":");
    tl_text_quoted(buffer, version);
    tl_text_add(buffer, ",\"summary\":");
    tl_text_quoted(buffer, summary);
    tl_text_add(buffer, ",\"params_schema\":{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
                      "\"additionalProperties\":false,\"properties\":{");
    for (size_t i = 0; i < count; i++) {
        const tl_param *param = &params[i];
        tl_text_key(buffer, i == 0, param->name);
        tl_text_add(buffer, "{\"description\":");
        tl_text_quoted(buffer, param->meaning);
        tl_text_add(buffer, ",\"type\":");
        tl_text_quoted(buffer, types[param->type]);
        if (param->type == TL_TYPE_NUMBER || param->type == TL_TYPE_INTEGER) {
            if (isfinite(param->min)) {
                tl_text_add(buffer, ",\"minimum\":");
                tl_text_number(buffer, param->min);
            }
            if (isfinite(param->max)) {
                tl_text_add(buffer, ",\"maximum\":");
                tl_text_number(buffer, param->max);
            }
        }
        if (!isnan(param->fallback)) {
            tl_text_add(buffer, ",\"default\":");
            if (param->type == TL_TYPE_TEXT)
                tl_text_quoted(buffer, param->text);
            else if (param->type == TL_TYPE_BOOL)
                tl_text_add(buffer, param->fallback != 0.0 ? "true" : "false");
            else
                tl_text_number(buffer, param->fallback);
        }
        tl_text_add(buffer, "}");
    }
    tl_text_add(buffer, "},\"required\":[");
    for (size_t i = 0; i < count; i++)
        if (isnan(params[i].fallback)) {
            tl_text_add(buffer, is_first ? "" : ",");
            tl_text_quoted(buffer, params[i].name);
            is_first = false;
        }
    tl_text_add(buffer, "]}}");
    return tl_text_end(buffer);
}

#endif
