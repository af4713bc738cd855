/* The distance to the nearest thing within a cone, with Gaussian noise and an error that wanders: a sensor with rays and a state. */
#include <stdlib.h>
#include <touchline/helpers.h>

enum { BEAMS = 15 };

typedef struct {
    double opening_rad;
    double range_max_m;
    double sigma_m;
    double walk_m;
} params;

static const tl_param PARAMS[] = {
    TL_NUMBER(params, opening_rad, 0.01, 3.0, 0.26, "The whole opening angle of the cone, radians."),
    TL_NUMBER(params, range_max_m, 0.1, 50.0, 5.0, "Nothing is heard beyond, metres."),
    TL_NUMBER(params, sigma_m, 0.0, 1.0, 0.0, "The standard deviation of a distance, metres."),
    TL_NUMBER(params, walk_m, 0.0, 1.0, 0.0, "The standard deviation of the wandering error after one second, metres."),
};

static const tl_field RANGE[] = {{"range", "m", 0.001, false, {0}}};
static const tl_feature FEATURES[] = {{"echo", RANGE, TL_LEN(RANGE)}};

struct tl_instance {
    params params;
    tl_fan fan;
};

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    return tl_describe(&output->text, TL_KIND_SENSOR, "sonar-c", PLUGIN_VERSION, "The distance to the nearest thing within a cone",
                       PARAMS, TL_LEN(PARAMS));
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    params read = {0};
    tl_problems problems = tl_problems_begin(&output->text);
    tl_read_params(input, PARAMS, TL_LEN(PARAMS), &read, &problems);
    if (problems.count == 0 && read.sigma_m >= read.range_max_m)
        tl_problem(&problems, "sigma_m", "is %g; it must be below range_max_m, which is %g", read.sigma_m, read.range_max_m);
    if (problems.count != 0)
        return tl_problems_end(&problems);
    int32_t status = tl_write_sensor(&output->text, "ultrasonic", read.walk_m == 0.0, FEATURES, TL_LEN(FEATURES));
    if (status != TL_OK)
        return status;
    tl_instance *made = malloc(sizeof *made);
    if (made == NULL || !tl_fan_centred(&made->fan, read.opening_rad, BEAMS)) {
        free(made);
        return tl_fault(&output->message, "no memory");
    }
    made->params = read;
    output->instance = made;
    return TL_OK;
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    TL_CHECK(input, output);
    tl_instance *own = (tl_instance *)self;
    tl_fan_free(&own->fan);
    free(own);
    return TL_OK;
}

static int32_t initial_state(const tl_instance *self, const tl_nothing *input, tl_state_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    double error_m = 0.0;
    return tl_state_write(&output->state, &error_m, sizeof error_m);
}

/* A random walk: its variance grows with time, however long a step is. */
static int32_t advance(const tl_instance *self, const tl_sensor_advance *input, tl_state_reply *output) {
    TL_CHECK(input, output);
    double error_m;
    if (!tl_state_read(&output->state, &error_m, sizeof error_m))
        return tl_fault(&output->message, "the state has %zu bytes", output->state.len);
    tl_noise noise = tl_noise_stream(input->noise);
    error_m += tl_gaussian(&noise, self->params.walk_m * sqrt(input->dt_secs));
    return tl_state_write(&output->state, &error_m, sizeof error_m);
}

static int32_t generate(const tl_instance *self, const tl_generate *input, tl_quantised_reply *output) {
    TL_CHECK(input, output);
    double error_m, ranges_m[BEAMS], nearest_m = INFINITY;
    if (!tl_state_view(input->state, &error_m, sizeof error_m))
        return tl_fault(&output->message, "the state has %zu bytes", input->state.len);
    tl_cast_fan(&input->view, input->sensor_pose, &self->fan, self->params.range_max_m, input->sensor_z_m, input->robot_object,
                ranges_m);
    for (int i = 0; i < BEAMS; i++)
        if (ranges_m[i] < nearest_m)
            nearest_m = ranges_m[i];
    tl_noise noise = tl_noise_stream(input->noise);
    /* Nothing heard is +inf, which noise leaves as it is; the encoding holds what is below 0 at 0. */
    double heard_m = nearest_m + error_m + tl_gaussian(&noise, self->params.sigma_m);
    output->quantised.ptr[0] = tl_encode(heard_m, RANGE[0].scale, RANGE[0].is_signed);
    return TL_OK;
}

static const touchline_plugin PLUGIN = {
    .interface_version = TL_INTERFACE_VERSION,
    .kind = TL_KIND_SENSOR,
    .size = sizeof PLUGIN,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .initial_state = initial_state,
    .advance_sensor = advance,
    .generate = generate,
};

const touchline_plugin *touchline_plugin_v8(void) { return &PLUGIN; }
