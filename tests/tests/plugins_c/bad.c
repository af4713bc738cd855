/* A plugin that does one thing wrong: which, BAD says. With MOTION it is a motion model, with PLAYER or REFEREE one of these, else a
 * sensor. With CONTRACT it is a program that runs it through the contract. */
#include <touchline/testing.h>
#include <signal.h>

enum {
    WELL, STATUS, PAST_COUNTS, FAR_PAST_COUNTS, COUNTS_LEN, LOST_ROOM, NEEDS_ALL, FOREIGN_MESSAGE, OTHER_VERSION, OTHER_SYMBOL,
    SHORT_TABLE, NO_TABLE, NO_FUNCTION, NO_KIND, NO_JSON, NO_INSTANCE, PAST_TEXT, PAST_STATE, STATE_LEN, WAITS,
    OTHER_KIND, NO_CREATE, CHANCE, NO_FEATURE, NO_FIELD, SAME_FIELD, SAME_FEATURE, NO_EXTENT, NAN_SCALE, NO_SCALE, BAD_FEATURE,
    BAD_FIELD, NO_ADVANCE, BAD_PLUGIN, FOREIGN_MEMORY, ABORTS, DIVIDES, EXITS, HANGS, NOT_FINITE, NOT_OWN_ORDER, NO_ORDER, HIDDEN,
    ACCEPTS_ALL, PREPARES, NEAR_SIGHTED
};

#ifdef UNRESOLVED
/* No library has it. */
extern int function_of_nobody(void);
#endif

static const tl_field FIELDS[] = {{BAD == BAD_FIELD ? "" : "steps", "1",
                                   BAD == NAN_SCALE  ? NAN
                                   : BAD == NO_SCALE ? 0.0
                                                     : 1.0,
                                   false, {BAD == NO_EXTENT ? 0 : 3, BAD == NO_EXTENT ? 3 : 0}},
                                  {"steps", "1", 1.0, false, {0}}};
static const tl_feature FEATURES[] = {{BAD == BAD_FEATURE ? "my test" : "test", FIELDS,
                                       BAD == NO_FIELD     ? 0
                                       : BAD == SAME_FIELD ? 2
                                                           : 1},
                                      {"test", FIELDS, 1}};
static const tl_dimension FORWARD[] = {{"forward", "m/s", -1.0, 1.0, "forward"}};

struct tl_instance { int unused; };
static struct tl_instance only;

static int32_t describe(const tl_instance *none, const tl_nothing *input, tl_text_reply *output) {
    (void)none;
    TL_CHECK(input, output);
    if (BAD == NO_JSON) {
        tl_text_begin(&output->text);
        tl_text_add(&output->text, "no JSON");
        return tl_text_end(&output->text);
    }
    if (BAD == PAST_TEXT)
        memset(output->text.ptr, 'x', output->text.cap + 10);
#ifdef MOTION
    return tl_describe(&output->text, TL_KIND_MOTION, "bad", "1.0.0", "Does one thing wrong", NULL, 0);
#elif defined(PLAYER)
    return tl_describe(&output->text, TL_KIND_PLAYER, "bad", "1.0.0", "Does one thing wrong", NULL, 0);
#elif defined(REFEREE)
    return tl_describe(&output->text, TL_KIND_REFEREE, "bad", "1.0.0", "Does one thing wrong", NULL, 0);
#else
    return tl_describe(&output->text, BAD == OTHER_KIND ? TL_KIND_PLAYER : TL_KIND_SENSOR, BAD == BAD_PLUGIN ? "Bad one" : "bad",
                       "1.0.0", "Does one thing wrong", NULL, 0);
#endif
}

static int32_t create(const tl_instance *none, const tl_create *input, tl_created *output) {
    (void)none;
    TL_CHECK(input, output);
    tl_problems problems = tl_problems_begin(&output->text);
    if (BAD != ACCEPTS_ALL)
        tl_read_params(input, NULL, 0, NULL, &problems);
    if (problems.count != 0)
        return tl_problems_end(&problems);
    if (BAD != NO_INSTANCE)
        output->instance = &only;
#ifdef MOTION
    return tl_write_motion(&output->text, FORWARD, 1, NULL, 0, 0);
#elif defined(PLAYER)
    return tl_write_wanted(&output->text, NULL, 0);
#elif defined(REFEREE)
    return BAD == PREPARES ? tl_write_game(&output->text, NULL, 0, NULL, 0, NULL, 0, NULL, 0, true) : tl_write_nothing(&output->text);
#else
    (void)FORWARD;
    return tl_write_sensor(&output->text, "test", BAD != NO_ADVANCE, FEATURES,
                           BAD == NO_FEATURE     ? 0
                           : BAD == SAME_FEATURE ? 2
                                                 : 1);
#endif
}

static int32_t destroy(const tl_instance *self, const tl_nothing *input, tl_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    return TL_OK;
}

#if defined(MOTION) || defined(PLAYER) || defined(REFEREE)
static int32_t initial_state(const tl_instance *self, const tl_nothing *input, tl_state_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    uint64_t steps = 0;
    return tl_state_write(&output->state, &steps, sizeof steps);
}
#endif

#if defined(PLAYER) || defined(REFEREE)
#ifdef PLAYER
static int32_t decide(const tl_instance *self, const tl_act *input, tl_orders_reply *output) {
#else
static int32_t decide(const tl_instance *self, const tl_judge *input, tl_orders_reply *output) {
#endif
    static uint64_t hidden = 0;
    (void)self;
    TL_CHECK(input, output);
    uint64_t steps;
    if (!tl_state_read(&output->state, &steps, sizeof steps))
        return tl_fault(&output->message, "the state has %zu bytes", (size_t)output->state.len);
    steps++;
    if (BAD == HIDDEN)
        steps = ++hidden;
    if (steps > 20 && BAD == STATUS)
        return 77;
    if (steps > 20 && BAD == ABORTS)
        abort();
    volatile bool hangs = BAD == HANGS && steps > 20;
    while (hangs) {
    }
    tl_orders orders = tl_orders_begin(output);
    double values[TL_MAX_DIMENSIONS] = {0.1, BAD == NOT_FINITE ? NAN : 0.0};
    bool drives = BAD == NOT_OWN_ORDER;
#ifdef PLAYER
    drives = !drives;
#endif
    if (drives)
        tl_order_drive(&orders, values, 2);
    else
        tl_order_add(&orders, tl_order_of(TL_ORDER_RESET_OBJECTS, 0, 0, values, 2));
    if (BAD == NO_ORDER)
        tl_order_add(&orders, tl_order_of(99, 0, 0, values, 2));
    return tl_orders_end(&orders, &steps, sizeof steps);
}
#elif defined(MOTION)
static int32_t advance(const tl_instance *self, const tl_motion_advance *input, tl_motion_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    uint64_t steps;
    if (!tl_state_read(&output->state, &steps, sizeof steps))
        return tl_fault(&output->message, "the state has %zu bytes", output->state.len);
    steps++;
    static uint64_t hidden = 0;
    if (BAD == HIDDEN)
        steps = ++hidden;
    output->output = tl_steady((tl_twist){BAD == NOT_FINITE && steps > 20 ? NAN : 0.5, 0.0, 0.0});
    /* It is sound for 20 steps. */
    if (steps > 20) {
        if (BAD == STATUS)
            return 77;
        if (BAD == PAST_STATE)
            memset(output->state.ptr, 'x', output->state.cap + 16);
        if (BAD == STATE_LEN) {
            output->state.len = output->state.cap + 1;
            return TL_OK;
        }
        if (BAD == NEEDS_ALL) {
            output->state.needed = SIZE_MAX;
            return TL_BUFFER_TOO_SMALL;
        }
        if (BAD == WAITS)
            return TL_BUFFER_TOO_SMALL;
        if (BAD == FOREIGN_MEMORY)
            *(volatile int *)8 = 1;
        if (BAD == ABORTS)
            abort();
        if (BAD == DIVIDES)
            raise(SIGFPE);
        if (BAD == EXITS)
            _Exit(0);
        volatile bool hangs = BAD == HANGS;
        while (hangs) {
        }
    }
    return tl_state_write(&output->state, &steps, sizeof steps);
}
#else
static int32_t generate(const tl_instance *self, const tl_generate *input, tl_quantised_reply *output) {
    (void)self;
    TL_CHECK(input, output);
    uint32_t near_by = 0;
    tl_near search = tl_near_begin(&input->view, 0.0, 0.0, 0.0);
    for (size_t index; tl_near_next(&search, &index);)
        near_by++;
    size_t past = BAD == PAST_COUNTS ? 1 : BAD == FAR_PAST_COUNTS ? 10000 : 0;
    for (size_t i = 0; i < output->quantised.len + past; i++)
        output->quantised.ptr[i] = BAD == CHANCE ? (uint32_t)rand() : BAD == NEAR_SIGHTED ? near_by : 7;
    if (BAD == STATUS)
        return 77;
#ifdef UNRESOLVED
    (void)function_of_nobody();
#endif
    if (BAD == COUNTS_LEN)
        output->quantised.len = 2;
    if (BAD == LOST_ROOM)
        output->quantised.ptr = NULL;
    if (BAD == NEEDS_ALL) {
        output->quantised.needed = SIZE_MAX;
        return TL_BUFFER_TOO_SMALL;
    }
    if (BAD == FOREIGN_MESSAGE) {
        tl_fault(&output->message, "the plugin's own words");
        output->message.ptr = (char *)8;
        return TL_FAULT;
    }
    return TL_OK;
}
#endif

#ifdef REFEREE
static int32_t prepare(const tl_instance *self, const tl_prepare *input, tl_orders_reply *output) {
    TL_CHECK(input, output);
    return input->kicks.len == 0 ? TL_OK : 77;
}
#endif

static const touchline_plugin PLUGIN = {
    .interface_version = BAD == OTHER_VERSION ? TL_INTERFACE_VERSION + 1 : TL_INTERFACE_VERSION,
    .size = BAD == SHORT_TABLE ? 16 : sizeof PLUGIN,
    .describe = describe,
    .create = BAD == NO_CREATE ? NULL : create,
    .destroy = destroy,
#ifdef MOTION
    .kind = TL_KIND_MOTION,
    .initial_state = initial_state,
    .advance_motion = advance,
#elif defined(PLAYER)
    .kind = TL_KIND_PLAYER,
    .initial_state = initial_state,
    .act = decide,
#elif defined(REFEREE)
    .kind = TL_KIND_REFEREE,
    .initial_state = initial_state,
    .judge = decide,
    .prepare = BAD == PREPARES ? prepare : NULL,
#else
    .kind = BAD == NO_KIND ? 9 : TL_KIND_SENSOR,
    .generate = BAD == NO_FUNCTION ? NULL : generate,
#endif
};

#ifdef CONTRACT
int main(void) { return tl_test_plugin(BAD == NO_TABLE ? NULL : &PLUGIN, "{}"); }
#elif defined(SYMBOL)
TL_EXPORT const touchline_plugin *SYMBOL(void);
const touchline_plugin *SYMBOL(void) { return &PLUGIN; }
#else
const touchline_plugin *touchline_plugin_v8(void) { return BAD == NO_TABLE ? NULL : &PLUGIN; }
#endif
