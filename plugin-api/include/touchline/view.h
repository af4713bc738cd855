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

/* How far tl_near_next has come. */
typedef struct tl_near {
    const tl_view *view;
    size_t plain, plain_end;             /* Those that are in no cell. */
    size_t row, row_end, column, column_end; /* The cells to come. */
    size_t place, place_end;             /* What is left of a row's lists. */
} tl_near;

/* The cell of a place along an axis that is given in cells: never below 0 or above `count`. */
static inline size_t tl_cell(double along, uint32_t count) {
    return !(along > 0.0) ? 0 : along >= (double)count ? count : (size_t)along;
}

/* Objects that a disc around a point may touch, and some others, each once: the fixtures first, the others in no order that means
 * anything. In a large world, whose view has a grid, these are few of all; without a grid they are all.
 *
 *     tl_near search = tl_near_begin(view, x_m, y_m, reach_m);
 *     for (size_t index; tl_near_next(&search, &index);)
 *         ... view->objects.ptr[index] ... */
static inline tl_near tl_near_begin(const tl_view *view, double x_m, double y_m, double reach_m) {
    tl_near search = {view, 0, (size_t)view->objects.len, 0, 0, 0, 0, 0, 0};
    if (view->grid.len == 0)
        return search;
    const tl_grid *grid = view->grid.ptr;
    double far_m = reach_m + grid->radius_m;
    far_m += 1e-9 * (far_m + fabs(x_m) + fabs(y_m)); /* Far more than rounding makes of a distance. */
    search.plain_end = grid->first;
    search.column = tl_cell((x_m - far_m - grid->x_m) / grid->cell_m, grid->columns);
    search.column_end = tl_cell((x_m + far_m - grid->x_m) / grid->cell_m + 1.0, grid->columns);
    search.row = tl_cell((y_m - far_m - grid->y_m) / grid->cell_m, grid->rows);
    search.row_end = search.column < search.column_end ? tl_cell((y_m + far_m - grid->y_m) / grid->cell_m + 1.0, grid->rows) : 0;
    return search;
}

/* The next of them: index into view->objects; false after the last. */
static inline bool tl_near_next(tl_near *search, size_t *index) {
    const tl_view *view = search->view;
    if (search->plain < search->plain_end) {
        *index = search->plain++;
        return true;
    }
    while (search->place == search->place_end) {
        if (search->row >= search->row_end)
            return false;
        const tl_grid *grid = view->grid.ptr;
        size_t cells = (size_t)grid->columns * grid->rows, row = search->row++ * grid->columns;
        size_t first = row + search->column;
        search->place = cells + (first == 0 ? 0 : view->cells.ptr[first - 1]);
        search->place_end = cells + view->cells.ptr[row + search->column_end - 1];
    }
    *index = view->cells.ptr[search->place++];
    return true;
}

#endif
