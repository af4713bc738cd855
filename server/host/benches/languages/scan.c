/* A 361-beam scan by the ray caster for C: what main.rs measures against the same in Rust. */
#include <stdlib.h>
#include <touchline/helpers.h>

enum { BEAMS = 361 };
static const tl_field RANGES[] = {{"ranges", "m", 1e-3, false, {BEAMS}}};
static const tl_feature FEATURES[] = {{"scan", RANGES, TL_LEN(RANGES)}};
struct tl_instance { tl_fan fan; };

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    return tl_describe(&output->text, TL_KIND_SENSOR, "scan-c", "1.0.0", "Measured", NULL, 0);
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    int32_t status = tl_write_sensor(&output->text, "laser", true, FEATURES, TL_LEN(FEATURES));
    if (status != TL_OK)
        return status;
    tl_instance *made = (tl_instance *)malloc(sizeof *made);
    if (made == NULL || !tl_fan_centred(&made->fan, TL_PI, BEAMS))
        return tl_fault(&output->message, "no memory");
    output->instance = made;
    return TL_OK;
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    TL_CHECK(input, output);
    tl_fan_free(&((tl_instance *)self)->fan);
    free((void *)self);
    return TL_OK;
}

static int32_t generate(const tl_instance *self, const tl_generate *input, tl_quantised_reply *output) {
    TL_CHECK(input, output);
    double ranges_m[BEAMS];
    tl_cast_fan(&input->view, input->sensor_pose, &self->fan, 8.0, 0.2, input->robot_object, ranges_m);
    for (size_t i = 0; i < BEAMS; i++)
        output->quantised.ptr[i] = tl_encode(ranges_m[i], 1e-3, false);
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
