/* What a sensor says of its integers, and what a player reads from them.
 *
 * A sensor's content is one array of unsigned integers: features, each of fields, each a scalar or an array. A quantised value q stands for
 * `q * scale` in the field's unit. +inf means nothing there or out of range, -inf closer than can be measured. */
#ifndef TOUCHLINE_SENSOR_H
#define TOUCHLINE_SENSOR_H

#include <touchline/geometry.h>
#include <touchline/json.h>

/* One field of a feature. */
typedef struct tl_field {
    const char *name;  /* Such as `range`. */
    const char *unit;  /* SI: `m`, `rad`, `m/s`, `1`. */
    double scale;      /* Units per step of the integer, above zero. */
    bool is_signed;    /* Whether an integer is a two's complement number: GET shows -1 as 4294967295. */
    uint32_t shape[3]; /* {0} a scalar, {361} a scan, {8, 2} eight rows of two. */
} tl_field;

/* A named group of fields, by which algorithms find it. */
typedef struct tl_feature {
    const char *name;
    const tl_field *fields;
    size_t count;
} tl_feature;

/* A value quantised: rounded to the nearest, held at the ends of the range. NaN becomes what stands for +inf. */
static inline uint32_t tl_encode(double value, double scale, bool is_signed) {
    const double top = 2147483647.0;
    uint64_t low_bits;
    if (!isfinite(value)) {
        bool is_low = value < 0.0;
        return is_signed ? (is_low ? UINT32_C(0x80000000) : UINT32_C(0x7fffffff)) : (is_low ? UINT32_MAX - 1 : UINT32_MAX);
    }
    tl_nearest_integer(tl_clamp(value / scale, is_signed ? 1.0 - top : 0.0, is_signed ? top - 1.0 : 4294967293.0), &low_bits);
    return (uint32_t)low_bits;
}

/* The value of a quantised one. */
static inline double tl_decode(uint32_t quantised, double scale, bool is_signed) {
    if (quantised == (is_signed ? UINT32_C(0x7fffffff) : UINT32_MAX))
        return INFINITY;
    if (quantised == (is_signed ? UINT32_C(0x80000000) : UINT32_MAX - 1))
        return -INFINITY;
    return (is_signed ? (double)(int32_t)quantised : (double)quantised) * scale;
}

/* How many integers a field takes. */
static inline size_t tl_field_len(const tl_field *field) {
    size_t len = 1;
    for (size_t i = 0; i < 3 && field->shape[i] != 0; i++)
        len *= field->shape[i];
    return len;
}

/* A number of a sensor that its robot's player or client can set. */
typedef struct tl_sensor_datum {
    const char *name; /* Such as "view-width". */
    const char *unit; /* Such as "rad". */
    double initial;   /* Within its range. */
    double min;
    double max;
} tl_sensor_datum;

/* As tl_write_settable_sensor; one that serves all does not look at its robot's name, and robots that have it alike may share it; to one that is
 * deaf what its robot hears by radio is nothing. */
static inline int32_t tl_write_shared_sensor(tl_text_buffer *buffer, const char *type, bool is_stateless, bool serves_all,
                                             bool is_deaf, const tl_feature *features, size_t count, const tl_sensor_datum *data,
                                             size_t data_count) {
    tl_text_begin(buffer);
    tl_text_add(buffer, "{\"type\":");
    tl_text_quoted(buffer, type);
    tl_text_add(buffer, is_stateless ? ",\"stateless\":true" : ",\"stateless\":false");
    tl_text_add(buffer, serves_all ? ",\"serves_all\":true" : "");
    tl_text_add(buffer, is_deaf ? ",\"deaf\":true" : "");
    tl_text_add(buffer, ",\"layout\":{\"features\":[");
    for (size_t i = 0; i < count; i++) {
        tl_text_add(buffer, i == 0 ? "{\"name\":" : ",{\"name\":");
        tl_text_quoted(buffer, features[i].name);
        tl_text_add(buffer, ",\"fields\":[");
        for (size_t k = 0; k < features[i].count; k++) {
            const tl_field *field = &features[i].fields[k];
            tl_text_add(buffer, k == 0 ? "{\"name\":" : ",{\"name\":");
            tl_text_quoted(buffer, field->name);
            tl_text_add(buffer, ",\"unit\":");
            tl_text_quoted(buffer, field->unit);
            tl_text_add(buffer, ",\"scale\":");
            tl_text_number(buffer, field->scale);
            tl_text_add(buffer, field->is_signed ? ",\"signed\":true,\"shape\":[" : ",\"signed\":false,\"shape\":[");
            /* What is not an extent is written as well, for the server to refuse: {0, 3} is no shape. */
            size_t extents = field->shape[2] != 0 ? 3 : field->shape[1] != 0 ? 2 : field->shape[0] != 0 ? 1 : 0;
            for (size_t d = 0; d < extents; d++) {
                tl_text_add(buffer, d == 0 ? "" : ",");
                tl_text_number(buffer, field->shape[d]);
            }
            tl_text_add(buffer, "]}");
        }
        tl_text_add(buffer, "]}");
    }
    tl_text_add(buffer, "]},\"data\":[");
    for (size_t i = 0; i < data_count; i++) {
        tl_text_add(buffer, i == 0 ? "{\"name\":" : ",{\"name\":");
        tl_text_quoted(buffer, data[i].name);
        tl_text_add(buffer, ",\"unit\":");
        tl_text_quoted(buffer, data[i].unit);
        tl_text_add(buffer, ",\"initial\":");
        tl_text_number(buffer, data[i].initial);
        tl_text_add(buffer, ",\"min\":");
        tl_text_number(buffer, data[i].min);
        tl_text_add(buffer, ",\"max\":");
        tl_text_number(buffer, data[i].max);
        tl_text_add(buffer, "}");
    }
    tl_text_add(buffer, "]}");
    return tl_text_end(buffer);
}

/* As tl_write_sensor, for a sensor of which something can be set; at most TL_MAX_SENSOR_DATA. */
static inline int32_t tl_write_settable_sensor(tl_text_buffer *buffer, const char *type, bool is_stateless,
                                               const tl_feature *features, size_t count, const tl_sensor_datum *data,
                                               size_t data_count) {
    return tl_write_shared_sensor(buffer, type, is_stateless, false, false, features, count, data, data_count);
}

/* Writes what a sensor's `create` gives. The type is what it is, such as `laser`; a stateless sensor is never advanced. */
static inline int32_t tl_write_sensor(tl_text_buffer *buffer, const char *type, bool is_stateless, const tl_feature *features,
                                      size_t count) {
    return tl_write_settable_sensor(buffer, type, is_stateless, features, count, NULL, 0);
}

/* ---- For players ------------------------------------------------------------------------------------------------- */

/* One field of one of the robot's sensors. */
typedef struct tl_field_handle {
    size_t sensor;  /* Index into tl_act.spans; tl_write_wanted takes it. */
    size_t start;   /* Index into the sensor's integers. */
    size_t len;
    double scale;
    bool is_signed;
} tl_field_handle;

static inline size_t tl_json_field_len(tl_json field) {
    tl_json shape = tl_json_member(field, "shape");
    size_t len = 1;
    for (size_t i = 0; i < tl_json_len(shape); i++) {
        double extent = 0.0;
        tl_json_number(tl_json_element(shape, i), &extent);
        len *= (size_t)extent;
    }
    return len;
}

/* Finds a field of the first sensor, in the order of the robot file, that has this feature; make (model) and type may be NULL:
 * any. For a player's `create`, with the setup. */
static inline bool tl_find_field(tl_text_slice setup, const char *model, const char *type, const char *feature,
                                 const char *field, tl_field_handle *handle) {
    tl_json_items sensors = tl_json_items_of(tl_json_member(tl_json_member(tl_json_of(setup), "robot"), "sensors"));
    tl_json key, sensor, item, part;
    for (handle->sensor = 0; tl_json_next(&sensors, &key, &sensor); handle->sensor++) {
        if ((model != NULL && !tl_json_is(tl_json_member(sensor, "model"), model)) ||
            (type != NULL && !tl_json_is(tl_json_member(sensor, "type"), type)))
            continue;
        handle->start = 0;
        tl_json_items features = tl_json_items_of(tl_json_member(tl_json_member(sensor, "layout"), "features"));
        while (tl_json_next(&features, &key, &item)) {
            bool is_wanted = tl_json_is(tl_json_member(item, "name"), feature);
            tl_json_items fields = tl_json_items_of(tl_json_member(item, "fields"));
            while (tl_json_next(&fields, &key, &part)) {
                handle->len = tl_json_field_len(part);
                if (is_wanted && tl_json_is(tl_json_member(part, "name"), field))
                    return tl_json_number(tl_json_member(part, "scale"), &handle->scale) &&
                           tl_json_bool(tl_json_member(part, "signed"), &handle->is_signed);
                handle->start += handle->len;
            }
        }
    }
    return false;
}

/* Reads one number of a field; false if there is no reading: it was not wanted, has failed, or has nothing to be read yet. */
static inline bool tl_read_field(const tl_act *input, const tl_field_handle *field, size_t index, double *value) {
    if (field->sensor >= input->spans.len || index >= field->len)
        return false;
    tl_reading_span span = input->spans.ptr[field->sensor];
    size_t at = (size_t)span.start + field->start + index;
    if (span.start == TL_NONE || field->start + index >= span.len || at >= input->quantised.len)
        return false;
    *value = tl_decode(input->quantised.ptr[at], field->scale, field->is_signed);
    return true;
}

/* Writes what a player's `create` gives: the sensors that it reads, in the robot's order, each once, however the fields stand. */
static inline int32_t tl_write_wanted(tl_text_buffer *buffer, const tl_field_handle *const *fields, size_t count) {
    const tl_field_handle *last = NULL;
    tl_text_begin(buffer);
    tl_text_add(buffer, "[");
    for (;;) {
        const tl_field_handle *next = NULL;
        for (size_t i = 0; i < count; i++)
            if ((last == NULL || fields[i]->sensor > last->sensor) && (next == NULL || fields[i]->sensor < next->sensor))
                next = fields[i];
        if (next == NULL)
            break;
        tl_text_add(buffer, last == NULL ? "" : ",");
        tl_text_number(buffer, (double)next->sensor);
        last = next;
    }
    tl_text_add(buffer, "]");
    return tl_text_end(buffer);
}

/* Finds a manipulator and one of its states by their names, for a player's `create`. */
static inline bool tl_find_manipulator(tl_text_slice setup, const char *name, const char *state, uint32_t *manipulator,
                                       uint32_t *state_index) {
    tl_json all = tl_json_member(tl_json_member(tl_json_of(setup), "robot"), "manipulators");
    tl_json_items items = tl_json_items_of(all);
    tl_json key, item, word;
    for (*manipulator = 0; tl_json_next(&items, &key, &item); ++*manipulator) {
        if (!tl_json_is(tl_json_member(item, "name"), name))
            continue;
        tl_json_items states = tl_json_items_of(tl_json_member(item, "states"));
        for (*state_index = 0; tl_json_next(&states, &key, &word); ++*state_index)
            if (tl_json_is(word, state))
                return true;
    }
    return false;
}

#endif
