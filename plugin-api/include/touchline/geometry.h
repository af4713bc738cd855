/* Poses and twists in the plane: the server's own functions, with the same bits in every result.
 *
 * Use tl_sin_cos and tl_atan2 in place of those of math.h, which differ from machine to machine; fabs, floor, fmod and sqrt
 * do not. Compile with -ffp-contract=off (gcc), so that no product and sum are rounded as one. */
#ifndef TOUCHLINE_GEOMETRY_H
#define TOUCHLINE_GEOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <touchline/plugin.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define TL_PI 3.14159265358979323846
#define TL_TAU 6.28318530717958647692

static inline uint64_t tl_bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double tl_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The integer nearest to a value below 2^51 (of two equally near ones the even one), and its lowest bits. */
static inline double tl_nearest_integer(double value, uint64_t *low_bits) {
    /* 1.5 * 2^52: added to it, a number loses all that is below one. */
    const double ones = 6755399441055744.0;
    double shifted = value + ones;
    *low_bits = tl_bits_of(shifted);
    return shifted - ones;
}

/* Brings an angle into (-pi, pi]. */
static inline double tl_wrap_angle(double angle_rad) {
    if (angle_rad > -TL_PI && angle_rad <= TL_PI)
        return angle_rad;
    double wrapped = fmod(angle_rad, TL_TAU);
    if (wrapped > TL_PI)
        return wrapped - TL_TAU;
    return wrapped <= -TL_PI ? wrapped + TL_TAU : wrapped;
}

/* Sine and cosine, within 2e-16 for an angle below 1e5 rad. A larger angle is wrapped first, which loses digits. */
static inline void tl_sin_cos(double angle_rad, double *sin_out, double *cos_out) {
    static const double S[7] = {-1.0 / 6.0,        1.0 / 120.0,        -1.0 / 5040.0,           1.0 / 362880.0,
                                -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
    static const double C[7] = {1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,           -1.0 / 3628800.0,
                                1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    uint64_t bits;
    if (fabs(angle_rad) > 1e5)
        angle_rad = tl_wrap_angle(angle_rad);
    double quarters = tl_nearest_integer(angle_rad * 0.636619772367581343075535, &bits);
    double x = (angle_rad - quarters * 1.5707963267341256) - quarters * 6.077100506506192e-11;
    double t = x * x, t2 = t * t;
    double s = (S[0] + S[1] * t) + t2 * ((S[2] + S[3] * t) + t2 * ((S[4] + S[5] * t) + t2 * S[6]));
    double c = (C[0] + C[1] * t) + t2 * ((C[2] + C[3] * t) + t2 * ((C[4] + C[5] * t) + t2 * C[6]));
    double sine = x + x * (t * s);
    double cosine = 1.0 - (0.5 * t - t2 * c);
    double a = (bits & 1) == 0 ? sine : cosine;
    double b = (bits & 1) == 0 ? cosine : sine;
    *sin_out = tl_from_bits(tl_bits_of(a) ^ ((bits >> 1 & 1) << 63));
    *cos_out = tl_from_bits(tl_bits_of(b) ^ (((bits >> 1 ^ bits) & 1) << 63));
}

/* The direction of the vector (x, y), radians in [-pi, pi], within 1e-12; 0 for no vector. */
static inline double tl_atan2(double y, double x) {
    static const double A[8] = {0.9999999999992447,  -0.33333333276922456, 0.1999999305355202,  -0.14285386553605597,
                                0.11103456906275322, -0.08992552881325808, 0.0697419757295828, -0.03765510398052599};
    double x_abs = fabs(x), y_abs = fabs(y);
    double small = y_abs <= x_abs ? y_abs : x_abs, large = y_abs <= x_abs ? x_abs : y_abs;
    bool diagonal = small > 0.414213562373095 * large;
    double part = diagonal ? small - large : small, of = diagonal ? small + large : large;
    double base = diagonal ? 0.785398163397448309616 : 0.0;
    double t = of > 0.0 ? part / of : 0.0;
    double s = t * t, s2 = s * s;
    double series = (A[0] + A[1] * s) + s2 * ((A[2] + A[3] * s) + s2 * ((A[4] + A[5] * s) + s2 * (A[6] + A[7] * s)));
    double angle = base + t * series;
    angle = y_abs <= x_abs ? angle : 1.57079632679489661923 - angle;
    angle = x < 0.0 ? TL_PI - angle : angle;
    return copysign(angle, y);
}

/* Takes a point given in the pose's own frame to the frame in which the pose is given. */
static inline void tl_to_outer(tl_pose pose, double x_m, double y_m, double *outer_x_m, double *outer_y_m) {
    double sine, cosine;
    tl_sin_cos(pose.theta_rad, &sine, &cosine);
    *outer_x_m = pose.x_m + cosine * x_m - sine * y_m;
    *outer_y_m = pose.y_m + sine * x_m + cosine * y_m;
}

/* Takes a point to the pose's own frame. */
static inline void tl_to_inner(tl_pose pose, double x_m, double y_m, double *inner_x_m, double *inner_y_m) {
    double sine, cosine, dx = x_m - pose.x_m, dy = y_m - pose.y_m;
    tl_sin_cos(pose.theta_rad, &sine, &cosine);
    *inner_x_m = cosine * dx + sine * dy;
    *inner_y_m = cosine * dy - sine * dx;
}

/* The pose in the outer frame of `inner`, which is given in the frame of `outer`. */
static inline tl_pose tl_compose(tl_pose outer, tl_pose inner) {
    tl_pose pose;
    tl_to_outer(outer, inner.x_m, inner.y_m, &pose.x_m, &pose.y_m);
    pose.theta_rad = tl_wrap_angle(outer.theta_rad + inner.theta_rad);
    return pose;
}

/* `other` as seen from `pose`; both are given in the same frame. */
static inline tl_pose tl_relative(tl_pose pose, tl_pose other) {
    tl_pose seen;
    tl_to_inner(pose, other.x_m, other.y_m, &seen.x_m, &seen.y_m);
    seen.theta_rad = tl_wrap_angle(other.theta_rad - pose.theta_rad);
    return seen;
}

/* The direction to a point, radians in (-pi, pi], from the pose's x axis. */
static inline double tl_bearing(tl_pose pose, double x_m, double y_m) {
    return tl_wrap_angle(tl_atan2(y_m - pose.y_m, x_m - pose.x_m) - pose.theta_rad);
}

/* The way of a body that keeps this velocity, in its frame at the beginning: an arc, or a straight line. */
static inline tl_pose tl_displacement(tl_twist twist, double dt_secs) {
    double turn = twist.turn_rad_s * dt_secs, sinc, cosc;
    if (fabs(turn) < 0.1) {
        double t = turn * turn;
        sinc = 1.0 - t * ((1.0 / 6.0 - t * (1.0 / 120.0)) + t * t * (1.0 / 5040.0 - t * (1.0 / 362880.0)));
        cosc = turn * (0.5 - t * ((1.0 / 24.0 - t * (1.0 / 720.0)) + t * t * (1.0 / 40320.0 - t * (1.0 / 3628800.0))));
    } else {
        double sine, cosine;
        tl_sin_cos(turn, &sine, &cosine);
        sinc = sine / turn;
        cosc = (1.0 - cosine) / turn;
    }
    double dx = twist.x_m_s * dt_secs, dy = twist.y_m_s * dt_secs;
    tl_pose way = {sinc * dx - cosc * dy, cosc * dx + sinc * dy, tl_wrap_angle(turn)};
    return way;
}

/* A number held between two others. */
static inline double tl_clamp(double value, double min, double max) {
    return value < min ? min : value > max ? max : value;
}

#endif
