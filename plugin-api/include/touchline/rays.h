/* Rays over the solid shapes of a view: one, or a whole fan at once. Metres and radians, world frame.
 *
 * The fan works in the sensor's frame, where the beams' directions are the same at every step; each shape is given the few
 * beams that can meet it. A shape that contains the origin is met at distance 0. */
#ifndef TOUCHLINE_RAYS_H
#define TOUCHLINE_RAYS_H

#include <stdlib.h>
#include <touchline/view.h>
#include <touchline/geometry.h>

/* The directions of a fan of beams, in the sensor's frame: made once, in `create`, and freed in `destroy`. */
typedef struct tl_fan {
    size_t beams;
    double start_rad;     /* The direction of beam 0, wrapped. */
    double beams_per_rad;
    bool is_wide;         /* Whether the beams span more than half a turn. */
    double *cos;          /* One for each beam, and behind them the sines. */
    double *sin;
} tl_fan;

/* Beam i points to angle_min_rad + i * angle_step_rad, counter-clockwise from the sensor's x axis. False unless there is a
 * beam, the step is above zero, the beams span no more than one turn, and there is memory. */
static inline bool tl_fan_init(tl_fan *fan, double angle_min_rad, double angle_step_rad, size_t beams) {
    memset(fan, 0, sizeof *fan);
    double span_rad = (double)(beams - 1) * angle_step_rad;
    if (beams == 0 || !isfinite(angle_min_rad) || !(angle_step_rad > 0.0) || span_rad > TL_TAU + 1e-9 ||
        beams > SIZE_MAX / 2 / sizeof *fan->cos)
        return false;
    fan->cos = (double *)malloc(2 * beams * sizeof *fan->cos);
    if (fan->cos == NULL)
        return false;
    fan->sin = fan->cos + beams;
    for (size_t i = 0; i < beams; i++)
        tl_sin_cos(angle_min_rad + (double)i * angle_step_rad, &fan->sin[i], &fan->cos[i]);
    fan->beams = beams;
    fan->start_rad = tl_wrap_angle(angle_min_rad);
    fan->beams_per_rad = 1.0 / angle_step_rad;
    fan->is_wide = span_rad > TL_PI;
    return true;
}

/* Beams spread evenly over a field of view that is centred on the sensor's x axis; the first and last lie on its edges. In a
 * full turn the last is a step short of the first; a single beam points ahead. */
static inline bool tl_fan_centred(tl_fan *fan, double field_of_view_rad, size_t beams) {
    if (beams == 1)
        return tl_fan_init(fan, 0.0, field_of_view_rad, 1);
    size_t gaps = field_of_view_rad >= TL_TAU - 1e-9 ? beams : beams - 1;
    return tl_fan_init(fan, -field_of_view_rad / 2.0, field_of_view_rad / (double)gaps, beams);
}

static inline void tl_fan_free(tl_fan *fan) {
    free(fan->cos);
    memset(fan, 0, sizeof *fan);
}

/* Whether a ray at this height meets the shape at all. */
static inline bool tl_is_solid_at(const tl_shape *shape, double z_m) {
    return shape->solid != 0 && shape->z_bottom_m <= z_m && z_m <= shape->z_top_m;
}

typedef struct tl_vec { double x, y; } tl_vec;

static inline double tl_cross(tl_vec a, tl_vec b) { return a.x * b.y - a.y * b.x; }
static inline double tl_dot(tl_vec a, tl_vec b) { return a.x * b.x + a.y * b.y; }
static inline tl_vec tl_vec_of(double x, double y) { tl_vec v = {x, y}; return v; }

/* ---- A fan ------------------------------------------------------------------------------------------------------- */

/* One scan in the making; all vectors are in the sensor's frame. */
typedef struct tl_scan {
    const tl_fan *fan;
    double x_m, y_m, cos, sin;
    double *ranges_m;
} tl_scan;

static inline tl_vec tl_scan_vector(const tl_scan *scan, double x, double y) {
    return tl_vec_of(scan->cos * x + scan->sin * y, scan->cos * y - scan->sin * x);
}

static inline tl_vec tl_scan_point(const tl_scan *scan, double x, double y) {
    return tl_scan_vector(scan, x - scan->x_m, y - scan->y_m);
}

static inline tl_vec tl_fan_direction(const tl_fan *fan, size_t beam) {
    return tl_vec_of(fan->cos[beam], fan->sin[beam]);
}

static inline bool tl_fan_misses_disc(const tl_fan *fan, tl_vec centre, double radius_m) {
    bool right_of_first = tl_cross(centre, tl_fan_direction(fan, 0)) > radius_m;
    bool left_of_last = tl_cross(tl_fan_direction(fan, fan->beams - 1), centre) > radius_m;
    return fan->is_wide ? right_of_first && left_of_last : right_of_first || left_of_last;
}

/* The angle of a vector within 1e-4, to find candidates only. */
static inline double tl_rough_angle(tl_vec v) {
    double along = fabs(v.x), across = fabs(v.y);
    double small = along < across ? along : across, large = along < across ? across : along;
    double z = small / (large > 0.0 ? large : 1.0), s = z * z;
    double series = 0.19354346 + s * (-0.11643287 + s * (0.05265332 - s * 0.01172120));
    double octant = z * (0.99997726 + s * (-0.33262347 + s * series));
    double quadrant = along < across ? TL_PI / 2.0 - octant : octant;
    double half = v.x < 0.0 ? TL_PI - quadrant : quadrant;
    return v.y < 0.0 ? -half : half;
}

/* The beams between the directions a and b, counter-clockwise and less than half a turn apart: up to three ranges. */
typedef struct tl_beams {
    size_t low[3], high[3];
    int ranges;
} tl_beams;

static inline tl_beams tl_beams_between(const tl_fan *fan, tl_vec a, tl_vec b) {
    const double rough_error_rad = 1e-4;
    tl_beams found;
    found.ranges = 0;
    double from_rad = tl_rough_angle(a), span_rad = tl_rough_angle(b) - from_rad;
    if (span_rad < -1.0)
        span_rad += TL_TAU;
    double begin_rad = from_rad - fan->start_rad;
    if (begin_rad < 0.0)
        begin_rad += TL_TAU;
    double top = (double)(fan->beams - 1), turn = TL_TAU * fan->beams_per_rad;
    double first = (begin_rad - rough_error_rad) * fan->beams_per_rad;
    double last = (begin_rad + span_rad + rough_error_rad) * fan->beams_per_rad;
    const double shifts[3] = {0.0, -turn, turn};
    for (int i = 0; i < 3; i++) {
        double from = first + shifts[i], to = last + shifts[i] + 1.0;
        from = from > 0.0 ? from : 0.0;
        to = to < top ? to : top;
        if (from > to)
            continue;
        size_t low = (size_t)from, high = (size_t)to;
#define TL_OUTSIDE(beam) \
    (tl_cross(a, tl_fan_direction(fan, beam)) < 0.0 || tl_cross(tl_fan_direction(fan, beam), b) < 0.0)
        while (low <= high && TL_OUTSIDE(low))
            low++;
        while (high > low && TL_OUTSIDE(high))
            high--;
#undef TL_OUTSIDE
        if (low > high)
            continue;
        found.low[found.ranges] = low;
        found.high[found.ranges++] = high;
    }
    return found;
}

/* Puts `distance`, an expression of c and s (a beam's cosine and sine), on each beam between a and b. Without a branch, and on
 * memory that the compiler knows to be apart, so that it works on several beams at once. */
#define TL_EACH_BEAM(scan, a, b, distance)                                                                            \
    do {                                                                                                              \
        tl_beams beams_ = tl_beams_between((scan)->fan, a, b);                                                        \
        for (int k_ = 0; k_ < beams_.ranges; k_++) {                                                                  \
            const double *__restrict cos_ = (scan)->fan->cos + beams_.low[k_];                                        \
            const double *__restrict sin_ = (scan)->fan->sin + beams_.low[k_];                                        \
            double *__restrict ranges_ = (scan)->ranges_m + beams_.low[k_];                                           \
            size_t count_ = beams_.high[k_] - beams_.low[k_] + 1;                                                     \
            for (size_t i_ = 0; i_ < count_; i_++) {                                                                  \
                double c = cos_[i_], s = sin_[i_], d_ = (distance);                                                   \
                ranges_[i_] = d_ < ranges_[i_] ? d_ : ranges_[i_];                                                    \
            }                                                                                                         \
        }                                                                                                             \
    } while (0)

static inline void tl_scan_all_zero(const tl_scan *scan) {
    for (size_t i = 0; i < scan->fan->beams; i++)
        scan->ranges_m[i] = 0.0;
}

static inline void tl_scan_edge(const tl_scan *scan, tl_vec a, tl_vec b) {
    tl_vec edge = tl_vec_of(b.x - a.x, b.y - a.y);
    double area = tl_cross(a, b);
    if (area <= 1e-14 * (fabs(a.x) + fabs(a.y)) * (fabs(b.x) + fabs(b.y)))
        return;
    TL_EACH_BEAM(scan, a, b, area / (c * edge.y - s * edge.x));
}

static inline void tl_scan_rectangle(const tl_scan *scan, const tl_shape *shape, tl_vec centre) {
    tl_vec x_axis = tl_scan_vector(scan, shape->cos, shape->sin), y_axis = tl_vec_of(-x_axis.y, x_axis.x);
    double half_x = shape->half_x_m, half_y = shape->half_y_m;
    double x = -tl_dot(centre, x_axis), y = -tl_dot(centre, y_axis);
    if (fabs(x) <= half_x && fabs(y) <= half_y) {
        tl_scan_all_zero(scan);
        return;
    }
#define TL_CORNER(u, v)                                                                                              \
    tl_vec_of(centre.x + (u) * half_x * x_axis.x + (v) * half_y * y_axis.x,                                          \
              centre.y + (u) * half_x * x_axis.y + (v) * half_y * y_axis.y)
    if (fabs(x) > half_x) {
        double side = copysign(1.0, x);
        tl_scan_edge(scan, TL_CORNER(side, side), TL_CORNER(side, -side));
    }
    if (fabs(y) > half_y) {
        double side = copysign(1.0, y);
        tl_scan_edge(scan, TL_CORNER(-side, side), TL_CORNER(side, side));
    }
#undef TL_CORNER
}

static inline void tl_scan_triangle(const tl_scan *scan, tl_vec a, tl_vec b, tl_vec c) {
    bool is_clockwise = tl_cross(tl_vec_of(b.x - a.x, b.y - a.y), tl_vec_of(c.x - a.x, c.y - a.y)) < 0.0;
    tl_vec corners[3] = {a, is_clockwise ? c : b, is_clockwise ? b : c};
    bool is_inside = true;
    for (int i = 0; i < 3; i++) {
        tl_vec from = corners[i], to = corners[(i + 1) % 3];
        if (tl_cross(from, to) < 0.0) {
            is_inside = false;
            tl_scan_edge(scan, to, from);
        }
    }
    if (is_inside)
        tl_scan_all_zero(scan);
}

/* The directions in which a circle is touched from the origin. */
static inline void tl_tangents(tl_vec v, double tangent, double radius, tl_vec *right, tl_vec *left) {
    *right = tl_vec_of(v.x * tangent + v.y * radius, v.y * tangent - v.x * radius);
    *left = tl_vec_of(v.x * tangent - v.y * radius, v.y * tangent + v.x * radius);
}

static inline double tl_root(double discriminant) { return sqrt(discriminant > 0.0 ? discriminant : 0.0); }

static inline void tl_scan_circle(const tl_scan *scan, tl_vec centre, double radius_m) {
    double tangent_squared = tl_dot(centre, centre) - radius_m * radius_m;
    if (tangent_squared <= 0.0) {
        tl_scan_all_zero(scan);
        return;
    }
    tl_vec right, left;
    tl_tangents(centre, sqrt(tangent_squared), radius_m, &right, &left);
#define TL_ALONG (centre.x * c + centre.y * s)
    TL_EACH_BEAM(scan, right, left, TL_ALONG - tl_root(TL_ALONG * TL_ALONG - tangent_squared));
#undef TL_ALONG
}

static inline double tl_ellipse_distance(double u, double v, tl_vec scaled, double tangent_squared) {
    double squared = u * u + v * v, along = u * scaled.x + v * scaled.y;
    return (along - tl_root(along * along - squared * tangent_squared)) / squared;
}

/* As the circle, in a frame in which the ellipse is the unit circle. */
static inline void tl_scan_ellipse(const tl_scan *scan, const tl_shape *shape, tl_vec centre) {
    double half_x = shape->half_x_m, half_y = shape->half_y_m;
    tl_vec x_axis = tl_scan_vector(scan, shape->cos, shape->sin), y_axis = tl_vec_of(-x_axis.y, x_axis.x);
    tl_vec scaled = tl_vec_of(tl_dot(centre, x_axis) / half_x, tl_dot(centre, y_axis) / half_y), right, left;
    double tangent_squared = tl_dot(scaled, scaled) - 1.0;
    if (!(tangent_squared > 0.0)) {
        tl_scan_all_zero(scan);
        return;
    }
    tl_tangents(scaled, sqrt(tangent_squared), 1.0, &right, &left);
#define TL_BACK(w)                                                                                                   \
    tl_vec_of((w).x * half_x * x_axis.x + (w).y * half_y * y_axis.x, (w).x * half_x * x_axis.y + (w).y * half_y * y_axis.y)
    tl_vec u = tl_vec_of(x_axis.x / half_x, x_axis.y / half_x), v = tl_vec_of(y_axis.x / half_y, y_axis.y / half_y);
    TL_EACH_BEAM(scan, TL_BACK(right), TL_BACK(left),
                 tl_ellipse_distance(c * u.x + s * u.y, c * v.x + s * v.y, scaled, tangent_squared));
#undef TL_BACK
}

/* Measures along all beams: ranges_m[i] is the distance to the first solid shape that beam i meets at the height z_m, or
 * INFINITY if there is none up to range_max_m. Shapes of the object exclude_object (an index into view->objects, usually the
 * robot that carries the sensor; TL_NONE for nobody) are not met. */
static inline void tl_cast_fan(const tl_view *view, tl_pose sensor, const tl_fan *fan, double range_max_m, double z_m,
                               uint32_t exclude_object, double *ranges_m) {
    tl_scan scan = {fan, sensor.x_m, sensor.y_m, 1.0, 0.0, ranges_m};
    tl_sin_cos(sensor.theta_rad, &scan.sin, &scan.cos);
    for (size_t i = 0; i < fan->beams; i++)
        ranges_m[i] = INFINITY;
#define TL_OUT_OF_REACH(centre, radius_m)                                                                            \
    (tl_dot(centre, centre) > (range_max_m + (radius_m)) * (range_max_m + (radius_m)) ||                             \
     tl_fan_misses_disc(fan, centre, radius_m))
    tl_near search = tl_near_begin(view, sensor.x_m, sensor.y_m, range_max_m);
    for (size_t i; tl_near_next(&search, &i);) {
        const tl_object *object = &view->objects.ptr[i];
        tl_vec place = tl_scan_point(&scan, object->pose.x_m, object->pose.y_m);
        if (i == exclude_object || TL_OUT_OF_REACH(place, object->radius_m))
            continue;
        for (size_t k = 0; k < object->shape_count && object->first_shape + k < view->shapes.len; k++) {
            const tl_shape *shape = &view->shapes.ptr[object->first_shape + k];
            if (!tl_is_solid_at(shape, z_m))
                continue;
            tl_vec centre = tl_scan_point(&scan, shape->x_m, shape->y_m);
            if (TL_OUT_OF_REACH(centre, shape->radius_m))
                continue;
            if (shape->kind_code == TL_SHAPE_RECTANGLE)
                tl_scan_rectangle(&scan, shape, centre);
            else if (shape->kind_code == TL_SHAPE_ELLIPSE && shape->half_x_m == shape->half_y_m)
                tl_scan_circle(&scan, centre, shape->half_x_m);
            else if (shape->kind_code == TL_SHAPE_ELLIPSE)
                tl_scan_ellipse(&scan, shape, centre);
            else
                tl_scan_triangle(&scan, centre, tl_scan_point(&scan, shape->corner_b[0], shape->corner_b[1]),
                                 tl_scan_point(&scan, shape->corner_c[0], shape->corner_c[1]));
        }
    }
#undef TL_OUT_OF_REACH
    for (size_t i = 0; i < fan->beams; i++)
        ranges_m[i] = ranges_m[i] <= range_max_m ? ranges_m[i] : INFINITY;
}

/* The distance along one ray, from a point in a direction of the world frame; INFINITY if nothing is met. */
static inline double tl_cast_ray(const tl_view *view, double x_m, double y_m, double angle_rad, double range_max_m,
                                 double z_m, uint32_t exclude_object) {
    double one = 1.0, none = 0.0, range_m = INFINITY;
    tl_fan fan = {1, 0.0, 1.0, false, &one, &none};
    tl_pose origin = {x_m, y_m, angle_rad};
    tl_cast_fan(view, origin, &fan, range_max_m, z_m, exclude_object, &range_m);
    return range_m;
}

#endif
