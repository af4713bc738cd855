/* Questions about the view of the world that referees and benchmark players ask. */
#ifndef TOUCHLINE_VIEW_H
#define TOUCHLINE_VIEW_H

#include <touchline/geometry.h>
#include <touchline/json.h>

/* Which side of the line from a to b a point lies on: above zero is left. */
static inline double tl_side(const double a[2], const double b[2], double x_m, double y_m) {
    return (b[0] - a[0]) * (y_m - a[1]) - (b[1] - a[1]) * (x_m - a[0]);
}

/* Whether a point of the floor, world frame, lies in the shape; the edge is inside. */
static inline bool tl_shape_contains(const tl_shape *shape, double x_m, double y_m) {
    double dx = x_m - shape->x_m, dy = y_m - shape->y_m;
    double x = shape->cos * dx + shape->sin * dy, y = shape->cos * dy - shape->sin * dx;
    if (shape->kind_code == TL_SHAPE_RECTANGLE)
        return fabs(x) <= shape->half_x_m && fabs(y) <= shape->half_y_m;
    if (shape->kind_code == TL_SHAPE_ELLIPSE) {
        double u = x / shape->half_x_m, v = y / shape->half_y_m;
        return u * u + v * v <= 1.0;
    }
    const double first[2] = {shape->x_m, shape->y_m};
    double one = tl_side(first, shape->corner_b, x_m, y_m), two = tl_side(shape->corner_b, shape->corner_c, x_m, y_m);
    double three = tl_side(shape->corner_c, first, x_m, y_m);
    return (one >= 0.0 && two >= 0.0 && three >= 0.0) || (one <= 0.0 && two <= 0.0 && three <= 0.0);
}

/* The names of the fixtures in the setup of a sensor, player or referee: an array, in the order of their shapes in the view. */
static inline tl_json tl_fixture_names(tl_text_slice setup) {
    tl_json all = tl_json_of(setup), names = tl_json_member(all, "fixtures");
    return names.at != NULL ? names : tl_json_member(tl_json_member(all, "world"), "fixtures");
}

/* The fixture of this name: index into tl_view.shapes; TL_NONE if there is none. To be asked once, in `create`. */
static inline uint32_t tl_fixture_named(tl_text_slice setup, const char *name) {
    tl_json_items items = tl_json_items_of(tl_fixture_names(setup));
    tl_json key, value;
    for (uint32_t fixture = 0; tl_json_next(&items, &key, &value); fixture++)
        if (tl_json_is(value, name))
            return fixture;
    return TL_NONE;
}

/* Writes the name of a fixture, such as that of a contact; false if it has none, or if it is longer than `cap` with its zero. In `create`: a
 * setup is valid there only. */
static inline bool tl_fixture_name(tl_text_slice setup, uint32_t fixture, char *name, size_t cap) {
    return tl_json_text(tl_json_element(tl_fixture_names(setup), fixture), name, cap);
}

/* The next landmark of this role (TL_ROLE_...) behind `after`, or from the beginning if that is NULL; NULL if there is none. */
static inline const tl_shape *tl_next_landmark(const tl_view *view, uint32_t role, const tl_shape *after) {
    size_t index = after == NULL ? 0 : (size_t)(after - view->shapes.ptr) + 1;
    for (; index < view->shapes.len; index++) {
        const tl_shape *shape = &view->shapes.ptr[index];
        bool is_fixture = shape->object < view->objects.len &&
                          view->objects.ptr[shape->object].kind_code == TL_OBJECT_FIXTURES;
        if (is_fixture && shape->role_code == role)
            return shape;
    }
    return NULL;
}

#endif
