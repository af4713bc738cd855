/* The compass of the template for C: what main.rs measures against the same in Rust. */
#include <touchline/helpers.h>

struct tl_instance { double sigma_rad; };
static const tl_param PARAMS[] = {TL_NUMBER(struct tl_instance, sigma_rad, 0.0, 3.2, 0.02, "The deviation, radians.")};
static const tl_field HEADING[] = {{"heading", "rad", 1e-4, true, {0}}};
static const tl_feature FEATURES[] = {{"heading", HEADING, TL_LEN(HEADING)}};

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    return tl_describe(&output->text, TL_KIND_SENSOR, "compass-c", "1.0.0", "Measured", PARAMS, TL_LEN(PARAMS));
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    static tl_instance made;
    tl_problems problems = tl_problems_begin(&output->text);
    tl_read_params(input, PARAMS, TL_LEN(PARAMS), &made, &problems);
    if (problems.count != 0)
        return tl_problems_end(&problems);
    output->instance = &made;
    return tl_write_sensor(&output->text, "compass", true, FEATURES, TL_LEN(FEATURES));
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    return TL_OK;
}

static int32_t generate(const tl_instance *self, const tl_generate *input, tl_quantised_reply *output) {
    TL_CHECK(input, output);
    tl_noise noise = tl_noise_stream(input->noise);
    double heading_rad = input->sensor_pose.theta_rad + tl_gaussian(&noise, self->sigma_rad);
    output->quantised.ptr[0] = tl_encode(tl_wrap_angle(heading_rad), HEADING[0].scale, HEADING[0].is_signed);
    return TL_OK;
}

static const touchline_plugin PLUGIN = {
    .interface_version = TL_INTERFACE_VERSION,
    .kind = TL_KIND_SENSOR,
    .size = sizeof PLUGIN,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .generate = generate,
};

const touchline_plugin *touchline_plugin_v8(void) { return &PLUGIN; }
