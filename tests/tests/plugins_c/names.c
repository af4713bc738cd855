/* Two plugins that ask for fixtures by name: a referee that tells what is touched (REFEREE), and a sensor that measures the distance to one. */
#include <stdlib.h>
#include <touchline/helpers.h>

enum { MOST = 64, NAME = 65 };

struct tl_instance {
    char names[MOST][NAME];
    uint32_t fixtures, landmark;
};

typedef struct {
    char landmark[TL_TEXT_CAP];
} params;

static const tl_param PARAMS[] = {TL_TEXT(params, landmark, "", "The fixture's name.")};
static const tl_field FIELDS[] = {{"distance", "m", 0.001, false, {0}}};
static const tl_feature FEATURES[] = {{"landmark", FIELDS, TL_LEN(FIELDS)}};

#ifdef REFEREE
enum { KIND = TL_KIND_REFEREE };
#else
enum { KIND = TL_KIND_SENSOR };
#endif

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    TL_CHECK(input, output);
    return tl_describe(&output->text, KIND, "names-c", "0.1.0", "Fixtures by name", PARAMS, TL_LEN(PARAMS));
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    TL_CHECK(input, output);
    params read;
    tl_problems problems = tl_problems_begin(&output->text);
    tl_read_params(input, PARAMS, TL_LEN(PARAMS), &read, &problems);
    uint32_t landmark = tl_fixture_named(input->setup, read.landmark);
    if (landmark == TL_NONE && KIND == TL_KIND_SENSOR)
        tl_problem(&problems, "landmark", "there is no fixture \"%s\"", read.landmark);
    if (problems.count != 0)
        return tl_problems_end(&problems);
    int32_t status = KIND == TL_KIND_REFEREE ? tl_write_nothing(&output->text)
                                             : tl_write_sensor(&output->text, "names", true, FEATURES, TL_LEN(FEATURES));
    if (status != TL_OK)
        return status;
    tl_instance *self = output->instance = calloc(1, sizeof *self);
    self->landmark = landmark;
    while (self->fixtures < MOST && tl_fixture_name(input->setup, self->fixtures, self->names[self->fixtures], NAME))
        self->fixtures++;
    return TL_OK;
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    TL_CHECK(input, output);
    free((void *)self);
    return TL_OK;
}

static int32_t generate(const tl_instance *self, const tl_generate *input, tl_quantised_reply *output) {
    TL_CHECK(input, output);
    const tl_shape *shape = &input->view.shapes.ptr[self->landmark];
    double distance_m = hypot(shape->x_m - input->sensor_pose.x_m, shape->y_m - input->sensor_pose.y_m);
    output->quantised.ptr[0] = tl_encode(distance_m, FIELDS[0].scale, FIELDS[0].is_signed);
    return TL_OK;
}

static int32_t judge(const tl_instance *self, const tl_judge *input, tl_orders_reply *output) {
    TL_CHECK(input, output);
    tl_orders orders = tl_orders_begin(output);
    for (size_t i = 0; i < input->contacts.len; i++) {
        const tl_contact *contact = &input->contacts.ptr[i];
        if (contact->began == 1 && contact->fixture != TL_NONE)
            tl_order_event(&orders, "touched", TL_NONE, contact->fixture < self->fixtures ? self->names[contact->fixture] : "?");
    }
    return tl_orders_end(&orders, NULL, 0);
}

static const touchline_plugin PLUGIN = {
    .interface_version = TL_INTERFACE_VERSION,
    .kind = KIND,
    .size = sizeof PLUGIN,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .generate = generate,
    .judge = judge,
};

const touchline_plugin *touchline_plugin_v8(void) { return &PLUGIN; }
