/* Prints what the helpers for C work out, so that a test can compare it with the Rust side, bit for bit.
 * Stdin: two uint64_t, how many objects and shapes, then these. */
#include <inttypes.h>
#include <touchline/helpers.h>

static void put(double value) { printf("%016" PRIx64 "\n", tl_bits_of(value)); }

static uint64_t hash = UINT64_C(0xcbf29ce484222325);

static void mix(double value) { hash = (hash ^ tl_bits_of(value)) * UINT64_C(0x100000001b3); }

static void put_hash(void) { printf("hash %016" PRIx64 "\n", hash); }

int main(void) {
    /* Noise: every kind of draw under many keys; among 200,000 normal numbers 10,000 lie in the tails. */
    for (uint64_t k = 0; k < 100000; k++) {
        tl_noise_key key = {k * UINT64_C(0x9e3779b97f4a7c15), k % 1000};
        tl_noise noise = tl_noise_stream(k % 3 == 0 ? tl_noise_split(key, k) : key);
        double sigmas[2] = {2.0, k % 5 == 0 ? 0.0 : 0.5}, errors[2];
        mix(tl_gaussian(&noise, 1.5));
        mix(tl_uniform(&noise, -3.0, 7.0));
        tl_gaussian_pair(&noise, sigmas, errors);
        mix(errors[0]);
        mix(errors[1]);
        mix(tl_gaussian(&noise, 1e-3));
        if (k % 1000 == 0)
            put_hash();
    }
    /* Geometry. */
    tl_noise_key geometry = {1, 2};
    tl_noise noise = tl_noise_stream(geometry);
    for (int k = 0; k < 100000; k++) {
        double angle = tl_uniform(&noise, -1e4, 1e4), x = tl_uniform(&noise, -9.0, 9.0), y = tl_uniform(&noise, -9.0, 9.0), s, c;
        tl_sin_cos(k % 2 == 0 ? angle : angle * 1e-4, &s, &c);
        mix(s);
        mix(c);
        mix(tl_atan2(y, x));
        mix(tl_wrap_angle(angle));
        tl_pose a = {x, y, tl_wrap_angle(angle)}, b = {y, x * 0.5, tl_wrap_angle(angle * 0.3)};
        tl_twist twist = {x, y, k % 3 == 0 ? 1.0 : angle * 1e-3};
        tl_pose poses[3] = {tl_compose(a, b), tl_relative(a, b), tl_displacement(twist, 0.02)};
        for (int i = 0; i < 3; i++) {
            mix(poses[i].x_m);
            mix(poses[i].y_m);
            mix(poses[i].theta_rad);
        }
        mix(tl_bearing(a, y, x));
        mix((double)tl_encode(angle, 1e-3, k % 2 == 0));
        mix(tl_decode((uint32_t)k * 65537u, 0.01, k % 2 == 0));
        if (k % 1000 == 0)
            put_hash();
    }
    /* Quantised values at the ends of the range. */
    const double ends[] = {INFINITY, -INFINITY, NAN, 1e300, -1e300, 0.5, 1.5, -0.5};
    for (size_t i = 0; i < TL_LEN(ends); i++)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            put((double)tl_encode(ends[i], 1.0, is_signed));
            put(tl_decode(tl_encode(ends[i], 1.0, is_signed), 1.0, is_signed));
        }
    /* Rays. */
    uint64_t counts[3];
    static tl_object objects[256];
    static tl_shape shapes[1024];
    static tl_grid grid;
    static uint32_t cells[1024];
    if (fread(counts, sizeof counts, 1, stdin) != 1 || counts[0] > 256 || counts[1] > 1024 || counts[2] > 1024 ||
        fread(objects, sizeof *objects, counts[0], stdin) != counts[0] ||
        fread(shapes, sizeof *shapes, counts[1], stdin) != counts[1] || fread(&grid, sizeof grid, 1, stdin) != 1 ||
        fread(cells, sizeof *cells, counts[2], stdin) != counts[2])
        return 1;
    tl_view without = {0, 0.0, {objects, counts[0]}, {shapes, counts[1]}, {NULL, 0}, {NULL, 0}}, view = without;
    const struct { double field_of_view_rad; size_t beams; } fans[] = {{TL_PI, 361}, {TL_TAU, 360}, {0.26, 15}, {4.7, 1081}, {1.0, 1}};
    for (size_t f = 0; f < TL_LEN(fans); f++) {
        tl_fan fan;
        double ranges_m[1081];
        if (!tl_fan_centred(&fan, fans[f].field_of_view_rad, fans[f].beams))
            return 2;
        for (int k = 0; k < 40; k++) {
            double x = tl_uniform(&noise, -6.0, 6.0), y = tl_uniform(&noise, -6.0, 6.0), t = tl_uniform(&noise, -3.1, 3.1);
            tl_pose sensor = {x, y, t};
            view = without;
            if (k % 2 != 0) {
                view.grid.ptr = &grid;
                view.grid.len = 1;
                view.cells.ptr = cells;
                view.cells.len = counts[2];
            }
            /* Who is near, in its order. */
            tl_near near = tl_near_begin(&view, x, y, 0.1 * k);
            for (size_t index; tl_near_next(&near, &index);)
                mix((double)index);
            tl_cast_fan(&view, sensor, &fan, 8.0, 0.2, k % 4 == 0 ? TL_NONE : 1, ranges_m);
            for (size_t i = 0; i < fan.beams; i++)
                mix(ranges_m[i]);
            put_hash();
            put(tl_cast_ray(&view, sensor.x_m, sensor.y_m, sensor.theta_rad, 8.0, 0.2, TL_NONE));
            for (size_t i = 0; i < counts[1]; i++)
                mix(tl_shape_contains(&shapes[i], sensor.x_m, sensor.y_m) ? 1.0 : 0.0);
        }
        tl_fan_free(&fan);
    }
    put_hash();
    return 0;
}
