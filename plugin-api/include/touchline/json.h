/* Text into the server's buffers, and the little JSON that a plugin has to write and read.
 *
 * Writing: tl_text_begin, any number of tl_text_..., then `return tl_text_end(buffer)`, which is TL_OK or TL_BUFFER_TOO_SMALL.
 * Reading: a tl_json is a piece of a text; what is not there has `at` NULL, and everything can be asked of it. */
#ifndef TOUCHLINE_JSON_H
#define TOUCHLINE_JSON_H

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <touchline/plugin.h>

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static inline void tl_text_begin(tl_text_buffer *buffer) { buffer->len = buffer->needed = 0; }

/* Appends bytes; `needed` counts them even if there is no room. */
static inline void tl_text_bytes(tl_text_buffer *buffer, const char *text, size_t len) {
    if (len != 0 && buffer->needed <= buffer->cap && len <= buffer->cap - buffer->needed)
        memcpy(buffer->ptr + buffer->needed, text, len);
    buffer->needed += len;
}

static inline void tl_text_add(tl_text_buffer *buffer, const char *text) { tl_text_bytes(buffer, text, strlen(text)); }

static inline int32_t tl_text_end(tl_text_buffer *buffer) {
    if (buffer->needed > buffer->cap)
        return TL_BUFFER_TOO_SMALL;
    buffer->len = buffer->needed;
    return TL_OK;
}

/* Appends a JSON string, in quotes. */
static inline void tl_text_quoted(tl_text_buffer *buffer, const char *text) {
    tl_text_add(buffer, "\"");
    for (; *text != '\0'; text++) {
        char escaped[8];
        if (*text == '"' || *text == '\\') {
            tl_text_add(buffer, "\\");
            tl_text_bytes(buffer, text, 1);
        } else if ((unsigned char)*text < 0x20) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*text);
            tl_text_add(buffer, escaped);
        } else {
            tl_text_bytes(buffer, text, 1);
        }
    }
    tl_text_add(buffer, "\"");
}

/* Appends a number that reads back as the same: in as few digits as that takes. Not finite is null. */
static inline void tl_text_number(tl_text_buffer *buffer, double value) {
    char digits[40];
    if (!isfinite(value)) {
        tl_text_add(buffer, "null");
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    for (char *at = digits; *at != '\0'; at++)
        if (*at == ',')
            *at = '.'; /* Somebody in this process has set a locale. */
    tl_text_add(buffer, digits);
}

/* Appends `"name":`, after a comma unless it is the first of its object. */
static inline void tl_text_key(tl_text_buffer *buffer, bool is_first, const char *name) {
    if (!is_first)
        tl_text_add(buffer, ",");
    tl_text_quoted(buffer, name);
    tl_text_add(buffer, ":");
}

/* Says why a call failed: `return tl_fault(&output->message, "...", ...)`. */
static inline int32_t tl_fault(tl_text_buffer *message, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t wanted = len < 0 ? 0 : (size_t)len < sizeof text ? (size_t)len : sizeof text - 1;
    message->len = wanted < message->cap ? wanted : message->cap;
    if (message->len != 0)
        memcpy(message->ptr, text, message->len);
    return TL_FAULT;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* One value of a JSON text. */
typedef struct tl_json {
    const char *at;
    const char *end;
} tl_json;

/* The members of an object or the elements of an array, one after the other. */
typedef struct tl_json_items {
    const char *at;
    const char *end;
    bool is_object;
} tl_json_items;

static inline const char *tl_json_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* Where the value that begins here ends. */
static inline const char *tl_json_skip(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        char c = *at;
        if (c == '"') {
            for (at++; at < end && *at != '"'; at++)
                if (*at == '\\')
                    at++;
            at = at < end ? at + 1 : end;
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            return at;
        } else if (depth == 0) {
            while (at < end && strchr(",]} \t\r\n", *at) == NULL)
                at++;
            return at;
        } else {
            at++;
        }
        if (depth == 0)
            return at;
    }
    return at;
}

/* The whole of a text. */
static inline tl_json tl_json_of(tl_text_slice text) {
    tl_json json = {NULL, NULL};
    if (text.len != 0) {
        json.end = text.ptr + text.len;
        json.at = tl_json_space(text.ptr, json.end);
    }
    return json;
}

static inline tl_json_items tl_json_items_of(tl_json json) {
    tl_json_items items = {NULL, NULL, false};
    if (json.at != NULL && json.at < json.end && (*json.at == '{' || *json.at == '[')) {
        items.at = json.at + 1;
        items.end = json.end;
        items.is_object = *json.at == '{';
    }
    return items;
}

/* Takes the next item; false if there is none. `key` (a string with its quotes) is set for objects. */
static inline bool tl_json_next(tl_json_items *items, tl_json *key, tl_json *value) {
    const char *end = items->end, *at = items->at;
    key->at = key->end = value->at = value->end = NULL;
    if (at == NULL)
        return false;
    at = tl_json_space(at, end);
    if (at < end && *at == ',')
        at = tl_json_space(at + 1, end);
    if (at >= end || *at == '}' || *at == ']')
        return false;
    if (items->is_object) {
        const char *key_end = tl_json_skip(at, end);
        key->at = at;
        key->end = key_end;
        at = tl_json_space(key_end, end);
        if (at >= end || *at != ':')
            return false;
        at = tl_json_space(at + 1, end);
    }
    value->at = at;
    value->end = tl_json_skip(at, end);
    items->at = value->end;
    return true;
}

/* Whether a value is this string (of characters that need no escape). */
static inline bool tl_json_is(tl_json json, const char *text) {
    size_t len = strlen(text);
    return json.at != NULL && (size_t)(json.end - json.at) == len + 2 && *json.at == '"' &&
           memcmp(json.at + 1, text, len) == 0;
}

/* An object's member; `at` is NULL if there is none. */
static inline tl_json tl_json_member(tl_json object, const char *name) {
    tl_json_items items = tl_json_items_of(object);
    tl_json key = {NULL, NULL}, value = {NULL, NULL}, none = {NULL, NULL};
    while (tl_json_next(&items, &key, &value))
        if (items.is_object && tl_json_is(key, name))
            return value;
    return none;
}

/* How many items an array or object has. */
static inline size_t tl_json_len(tl_json json) {
    tl_json_items items = tl_json_items_of(json);
    tl_json key, value;
    size_t len = 0;
    while (tl_json_next(&items, &key, &value))
        len++;
    return len;
}

/* An array's element; `at` is NULL if there is none. */
static inline tl_json tl_json_element(tl_json array, size_t index) {
    tl_json_items items = tl_json_items_of(array);
    tl_json key, value, none = {NULL, NULL};
    while (tl_json_next(&items, &key, &value))
        if (index-- == 0)
            return value;
    return none;
}

/* False, and nothing changed, if the value is no number. */
static inline bool tl_json_number(tl_json json, double *number) {
    /* Room for the locale's point, which may have several bytes, in place of JSON's. */
    char digits[64], local[64 + 16], *end;
    size_t len = json.at == NULL ? 0 : (size_t)(json.end - json.at);
    if (len == 0 || len >= sizeof digits || strchr("-0123456789", *json.at) == NULL)
        return false;
    memcpy(digits, json.at, len);
    digits[len] = '\0';
    double value = strtod(digits, &end);
    if (*end == '.') {
        /* Somebody in this process has set a locale whose numbers have another point: see tl_text_number. */
        const char *point = localeconv()->decimal_point;
        size_t before = (size_t)(end - digits), point_len = strlen(point);
        if (point_len > sizeof local - sizeof digits)
            return false;
        memcpy(local, digits, before);
        memcpy(local + before, point, point_len);
        memcpy(local + before + point_len, digits + before + 1, len - before);
        value = strtod(local, &end);
        if (end != local + len - 1 + point_len)
            return false;
    } else if (end != digits + len) {
        return false;
    }
    *number = value;
    return true;
}

static inline bool tl_json_bool(tl_json json, bool *value) {
    size_t len = json.at == NULL ? 0 : (size_t)(json.end - json.at);
    if (len == 4 && memcmp(json.at, "true", 4) == 0)
        *value = true;
    else if (len == 5 && memcmp(json.at, "false", 5) == 0)
        *value = false;
    else
        return false;
    return true;
}

/* Copies a string, without its quotes and escapes, closed by a zero; false if it is none or does not fit. What is none changes
 * nothing; of what does not fit the text is empty, as a part of it could end within a character. */
static inline bool tl_json_text(tl_json json, char *text, size_t cap) {
    if (json.at == NULL || json.end - json.at < 2 || *json.at != '"' || cap == 0)
        return false;
    size_t len = 0;
    for (const char *at = json.at + 1; at < json.end - 1; at++) {
        unsigned long code = (unsigned char)*at;
        char bytes[4], hex[5];
        size_t count = 1;
        bytes[0] = *at;
        if (*at == '\\') {
            static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
            const char *letter = strchr(letters, *++at);
            bytes[0] = letter != NULL && *letter != '\0' ? meanings[letter - letters] : *at;
            if (*at == 'u' && json.end - 1 - at > 4) {
                memcpy(hex, at + 1, 4);
                hex[4] = '\0';
                code = strtoul(hex, NULL, 16);
                at += 4;
                /* serde writes only control characters in this way. */
                bytes[0] = (char)(code < 0x80 ? code : '?');
            }
        }
        if (len + count >= cap) {
            text[0] = '\0';
            return false;
        }
        memcpy(text + len, bytes, count);
        len += count;
    }
    text[len] = '\0';
    return true;
}

#endif
