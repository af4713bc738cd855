/* Questions about the view of the world that referees and benchmark players ask. */
#ifndef TOUCHLINE_VIEW_H
#define TOUCHLINE_VIEW_H

#include <touchline/geometry.h>

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
