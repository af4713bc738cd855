/* A motion model whose state has a gap that nobody fills, and with WELL one that is filled; run through the contract. */
#include <touchline/testing.h>

typedef struct state {
    double x;
    bool seen;
    double y;
} state;

struct tl_instance { int unused; };
static struct tl_instance only;
static const tl_dimension FORWARD[] = {{"forward", "m/s", -1.0, 1.0, "forward"}};

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    return tl_describe(&output->text, TL_KIND_MOTION, "gaps", "1.0.0", "Has a gap in its state", NULL, 0);
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    tl_problems problems = tl_problems_begin(&output->text);
    tl_read_params(input, NULL, 0, NULL, &problems);
    if (problems.count != 0)
        return tl_problems_end(&problems);
    output->instance = &only;
    return tl_write_motion(&output->text, FORWARD, 1, NULL, 0, 0);
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    return TL_OK;
}

static int32_t initial_state(const tl_instance *self, const tl_nothing *input, tl_state_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    state first;
#ifdef WELL
    memset(&first, 0, sizeof first);
#endif
    first.x = 1.0;
    first.seen = false;
    first.y = 0.0;
    return tl_state_write(&output->state, &first, sizeof first);
}

static int32_t advance(const tl_instance *self, const tl_motion_advance *input, tl_motion_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    output->output = tl_steady((tl_twist){0.5, 0.0, 0.0});
    return TL_OK;
}

static const touchline_plugin PLUGIN = {
    .interface_version = TL_INTERFACE_VERSION,
    .kind = TL_KIND_MOTION,
    .size = sizeof PLUGIN,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .initial_state = initial_state,
    .advance_motion = advance,
};

int main(void) { return tl_test_plugin(&PLUGIN, "{}"); }
