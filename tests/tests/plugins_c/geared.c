/* A motion model whose gear is chosen when it is compiled: -DGEAR=2 drives twice as fast as it is told. */
#include <stdlib.h>
#include <touchline/helpers.h>

struct tl_instance {
    int unused;
};

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    return tl_describe(&output->text, TL_KIND_MOTION, "geared", "1.0.0", "Forward, by a gear", NULL, 0);
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    const tl_dimension forward = {"forward", "m/s", -1.0, 1.0, "forward"};
    int32_t status = tl_write_motion(&output->text, &forward, 1, NULL, 0, 0);
    if (status != TL_OK)
        return status;
    output->instance = malloc(sizeof *output->instance);
    return output->instance == NULL ? tl_fault(&output->message, "no memory") : TL_OK;
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    TL_CHECK(input, output);
    free((void *)self);
    return TL_OK;
}

static int32_t advance(const tl_instance *self, const tl_motion_advance *input, tl_motion_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    output->output = tl_steady((tl_twist){GEAR * input->command.ptr[0], 0.0, 0.0});
    return TL_OK;
}

static const touchline_plugin PLUGIN = {
    .interface_version = TL_INTERFACE_VERSION,
    .kind = TL_KIND_MOTION,
    .size = sizeof PLUGIN,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .advance_motion = advance,
};

const touchline_plugin *touchline_plugin_v8(void) { return &PLUGIN; }
