/* Runs a plugin through the rules of its kind without a server, as the server would call it: for the tests of your library.
 *
 *     #include <touchline/testing.h>
 *     int main(void) { return tl_test_plugin(touchline_plugin_v8(), "{\"sigma_rad\": 0.1}"); }
 *
 * It checks the table, the description, that unknown parameters are refused, that all buffers are kept to, that too little room
 * is no fault, that the same input gives the same output, that a state survives, that output is finite, and that orders are of the
 * plugin's kind. The first broken rule ends the program with a line that names it. `touchline check --contract` asks more.
 *
 * Own tests of a sensor open it, read it, and look at the reading, in a world that can be changed (tl_test_world):
 *
 *     static tl_test_memory memory;
 *     tl_test_world world;
 *     tl_instance *sensor = tl_test_open(&memory, plugin, "{\"sigma_m\": 0.0}");
 *     tl_generate input = tl_test_generate(&world, 0);
 *     world.shapes[TL_TEST_WALL].x_m = 3.0;
 *     tl_test_read(plugin, &memory, sensor, input);
 *     TL_TEST(memory.quantised[0] == 2850);
 *     tl_test_destroy(plugin, &memory, sensor);
 *
 * In C++ touchline::TestSensor does the same. Own tests of a motion model open it, let it drive, and look where it stands:
 *
 *     tl_instance *motion = tl_test_open(&memory, plugin, "{\"max_speed_m_s\": 2.0}");
 *     double command[] = {1.0, 0.0};
 *     tl_pose pose = tl_test_drive(plugin, &memory, motion, command, 0.01, 100);
 *     TL_TEST(fabs(pose.x_m - 1.0) < 1e-9);
 *     tl_test_destroy(plugin, &memory, motion); */
#ifndef TOUCHLINE_TESTING_H
#define TOUCHLINE_TESTING_H

#include <touchline/helpers.h>

/* Ends the program unless the condition holds. */
#define TL_TEST(condition) TL_TEST_RULE(condition, #condition)
/* The same, with words for the rule. */
#define TL_TEST_RULE(condition, rule) tl_test_that((condition), rule, __FILE__, __LINE__)

static inline void tl_test_that(bool holds, const char *rule, const char *file, int line) {
    if (holds)
        return;
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, rule);
    exit(1);
}

/* Ends the program with a line that names a broken rule. */
static inline void tl_test_broken(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "broken: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

enum { TL_TEST_BYTES = 1 << 16, TL_TEST_GUARD = 64 };

/* Memory for the buffers of a call, with a guard behind each buffer. */
typedef struct tl_test_memory {
    char message[1024 + TL_TEST_GUARD];
    char text[TL_TEST_BYTES + TL_TEST_GUARD];
    uint8_t state[TL_TEST_BYTES + TL_TEST_GUARD];
    uint32_t quantised[TL_TEST_BYTES + TL_TEST_GUARD];
    tl_order orders[256 + TL_TEST_GUARD];
    size_t text_cap, state_cap, orders_cap, quantised_len, state_len;
    size_t text_len; /* How much of the text is what `create` wrote, until a call writes another. */
} tl_test_memory;

static inline tl_head tl_test_head(size_t size) {
    tl_head head = {(uint32_t)size, TL_INTERFACE_VERSION};
    return head;
}

static inline void tl_test_guard(void *end, size_t bytes) { memset(end, 0xa5, bytes); }

static inline void tl_test_watch(const void *end, size_t bytes, const char *buffer) {
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)end)[i] != 0xa5) {
            fprintf(stderr, "broken: nothing is written past the end of the room for %s\n", buffer);
            exit(1);
        }
}

/* Fresh buffers: everything but the state is forgotten. */
static inline void tl_test_begin(tl_test_memory *memory) {
    tl_test_guard(memory->message + 1024, TL_TEST_GUARD);
    tl_test_guard(memory->text + memory->text_cap, TL_TEST_GUARD);
    tl_test_guard(memory->state + memory->state_cap, TL_TEST_GUARD);
    memset(memory->quantised, 0, memory->quantised_len * sizeof *memory->quantised);
    tl_test_guard(memory->quantised + memory->quantised_len, TL_TEST_GUARD);
    tl_test_guard(memory->orders + memory->orders_cap, TL_TEST_GUARD);
}

static inline void tl_test_end(const tl_test_memory *memory) {
    tl_test_watch(memory->message + 1024, TL_TEST_GUARD, "the message");
    tl_test_watch(memory->text + memory->text_cap, TL_TEST_GUARD, "text");
    tl_test_watch(memory->state + memory->state_cap, TL_TEST_GUARD, "the state");
    tl_test_watch(memory->quantised + memory->quantised_len, TL_TEST_GUARD, "the reading");
    tl_test_watch(memory->orders + memory->orders_cap, TL_TEST_GUARD, "orders");
}

static inline tl_text_buffer tl_test_message(tl_test_memory *memory) {
    tl_text_buffer buffer = {memory->message, 0, 1024, 0};
    return buffer;
}

static inline tl_text_buffer tl_test_text(tl_test_memory *memory) {
    tl_text_buffer buffer = {memory->text, 0, memory->text_cap, 0};
    return buffer;
}

static inline tl_byte_buffer tl_test_state(tl_test_memory *memory) {
    tl_byte_buffer buffer = {memory->state, memory->state_len, memory->state_cap, 0};
    return buffer;
}

/* Prints the message of a call that failed, and ends the program. */
static inline void tl_test_ok(const char *function, int32_t status, const tl_text_buffer *message) {
    if (status == TL_OK)
        return;
    fprintf(stderr, "broken: %s returns TL_OK; it returned %d: %.*s\n", function, (int)status, (int)message->len,
            message->len == 0 ? "" : message->ptr);
    exit(1);
}

/* Index into the objects and shapes of the test's world. */
enum { TL_TEST_WALL = 0, TL_TEST_BALL = 1, TL_TEST_ROBOT = 2 };

/* A world for tests: a wall of 0.1 m by 4 m whose centre is 2 m ahead, so that its near side is x = 1.95 m; a ball of radius
 * 0.1 m at x = 1 m; and the robot, of radius 0.2 m, at the origin. The view points here: change what you like after it is
 * made, a ball's or robot's place in its object's pose and in its shape. */
typedef struct tl_test_world {
    tl_object objects[3];
    tl_shape shapes[3];
} tl_test_world;

static inline tl_view tl_test_view(tl_test_world *world) {
    static const double places[3] = {0.0, 1.0, 0.0}, radii[3] = {INFINITY, 0.1, 0.2};
    memset(world, 0, sizeof *world);
    for (uint32_t i = 0; i < 3; i++) {
        tl_object *object = &world->objects[i];
        tl_shape *shape = &world->shapes[i];
        object->pose.x_m = places[i];
        object->radius_m = radii[i];
        object->kind_code = i;
        object->number = i == 0 ? TL_NONE : 0;
        object->team = object->shirt = TL_NONE;
        object->first_shape = i;
        object->shape_count = 1;
        shape->x_m = i == 0 ? 2.0 : places[i];
        shape->cos = 1.0;
        shape->half_x_m = i == 0 ? 0.05 : radii[i];
        shape->half_y_m = i == 0 ? 2.0 : radii[i];
        shape->radius_m = i == 0 ? 2.1 : radii[i];
        shape->z_top_m = i == 1 ? 0.2 : 1.0;
        shape->kind_code = i == 0 ? TL_SHAPE_RECTANGLE : TL_SHAPE_ELLIPSE;
        shape->role_code = i == 0 ? TL_ROLE_WALL : TL_ROLE_NONE;
        shape->object = i;
        shape->team = TL_NONE;
        shape->solid = 1;
    }
    tl_view view = {7, 0.07, {world->objects, 3}, {world->shapes, 3}, {NULL, 0}, {NULL, 0}};
    return view;
}

/* The setup of each kind: a robot with one sensor that sees the ball, one manipulator; two teams. */
static inline const char *tl_test_setup(uint32_t kind) {
    static const char *const setups[] = {
        "{\"robot\":\"robot-0\",\"dt_secs\":0.01}",
        "{\"robot\":\"robot-0\",\"id\":\"it\",\"model\":\"\",\"mount\":{\"x_m\":0.1,\"y_m\":0.0,\"z_m\":0.3,\"theta_rad\":0.0},"
        "\"dt_secs\":0.01,\"motion\":{\"dimensions\":[],\"data\":[]},\"teams\":[\"blue\",\"yellow\"],"
        "\"fixtures\":[\"wall-1\"]}",
        "{\"robot\":{\"name\":\"robot-0\",\"team\":0,\"radius_m\":0.2,\"motion\":{\"dimensions\":[],\"data\":[]},"
        "\"sensors\":[{\"id\":\"camera\",\"model\":\"\",\"type\":\"camera\",\"plugin\":\"camera\",\"mount\":{\"x_m\":0.0,"
        "\"y_m\":0.0,\"z_m\":0.0,\"theta_rad\":0.0},\"layout\":{\"features\":[{\"name\":\"ball\",\"fields\":["
        "{\"name\":\"distance\",\"unit\":\"m\",\"scale\":0.001,\"signed\":false,\"shape\":[]},"
        "{\"name\":\"bearing\",\"unit\":\"rad\",\"scale\":0.0001,\"signed\":true,\"shape\":[]}]}]}}],"
        "\"manipulators\":[{\"name\":\"kicker\",\"states\":[\"in\",\"out\"]}]},\"teams\":[\"blue\",\"yellow\"],"
        "\"period_secs\":0.033,\"world\":{\"fixtures\":[\"wall-1\"]}}",
        "{\"teams\":[\"blue\",\"yellow\"],\"dt_secs\":0.01,\"world\":{\"fixtures\":[\"wall-1\"]}}",
    };
    return setups[kind & 3];
}

/* Makes an instance; gives the status. */
static inline int32_t tl_test_create(const touchline_plugin *plugin, tl_test_memory *memory, const char *params,
                                     const char *setup, tl_created *created) {
    tl_create input = {tl_test_head(sizeof input), {params, strlen(params)}, {setup, strlen(setup)}};
    tl_test_begin(memory);
    created->head = tl_test_head(sizeof *created);
    created->message = tl_test_message(memory);
    created->instance = NULL;
    created->text = tl_test_text(memory);
    int32_t status = plugin->create(NULL, &input, created);
    tl_test_end(memory);
    return status;
}

static inline void tl_test_destroy(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance) {
    tl_nothing input = {tl_test_head(sizeof input)};
    tl_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory)};
    tl_test_ok("destroy", plugin->destroy(instance, &input, &reply), &reply.message);
}

/* An input for `generate` in a fresh world: the robot at the origin, with the sensor 0.1 m ahead of its centre and 0.3 m above
 * the floor (the ball is lower). Change what you like: `input.sensor_pose.theta_rad = 0.5`. Each step has noise of its own. */
static inline tl_generate tl_test_generate(tl_test_world *world, uint64_t step) {
    tl_generate input;
    memset(&input, 0, sizeof input);
    input.head = tl_test_head(sizeof input);
    input.view = tl_test_view(world);
    input.robot_object = 2;
    input.sensor_pose.x_m = 0.1;
    input.sensor_z_m = 0.3;
    input.noise.owner = 42;
    input.noise.step = step;
    return input;
}

/* Reads a sensor once; the quantised reading is in the memory. */
static inline void tl_test_read(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                tl_generate input) {
    tl_quantised_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), {memory->quantised, memory->quantised_len,
                             memory->quantised_len, 0}};
    input.state.ptr = memory->state;
    input.state.len = memory->state_len;
    tl_test_begin(memory);
    int32_t status = plugin->generate(instance, &input, &reply);
    TL_TEST_RULE(status != TL_BUFFER_TOO_SMALL, "a sensor's reading never needs more room: generate does not return TL_BUFFER_TOO_SMALL");
    tl_test_ok("generate", status, &reply.message);
    tl_test_end(memory);
    TL_TEST_RULE(reply.quantised.len == memory->quantised_len, "generate leaves quantised.len as it came");
}

/* Leaves a byte all over the stack that the next call takes. */
static inline void tl_test_fill_stack(uint8_t byte) {
    volatile uint8_t bytes[1 << 14];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = byte;
}

/* The state before the first call, in the memory. What the plugin leaves of it as it was on the stack has this byte. */
static inline void tl_test_begin_state(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                       uint8_t stack) {
    tl_nothing input = {tl_test_head(sizeof input)};
    tl_state_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory)};
    /* By a pointer, so that it has a frame of its own where the plugin's function has. */
    void (*volatile fill)(uint8_t) = tl_test_fill_stack;
    tl_test_begin(memory);
    fill(stack);
    tl_test_ok("initial_state", plugin->initial_state(instance, &input, &reply), &reply.message);
    tl_test_end(memory);
    memory->state_len = reply.state.len;
}

/* One call of the kind's own function, of a sensor's `advance_sensor`, of a referee's `judge` or, in odd steps, `prepare`. */
static inline int32_t tl_test_step(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                   tl_test_world *world, uint64_t step, double *output, size_t dimensions, bool is_stateless) {
    static const double command[TL_MAX_DIMENSIONS] = {0.5, 0.1, 0.2}, data[TL_MAX_MOTION_DATA] = {0.0};
    static const tl_reading_span span = {0, 2, 0.05};
    static const uint32_t quantised[2] = {1000, 2000};
    static const tl_manipulator manipulator = {0, 0, 0.0};
    tl_noise_key noise = {42, step};
    static const tl_team teams[2] = {{0, 1, 0}, {0, 1, 0}};
    static const double values[TL_GAME_VALUES] = {0.0};
    tl_game game = {0.0, {{0.0, 0.0}, INFINITY, TL_NONE, TL_NONE}, 0, 0, {teams, 2}, {values, TL_GAME_VALUES}};
    int32_t status = TL_OK;
    tl_test_begin(memory);
    if (plugin->kind == TL_KIND_MOTION) {
        tl_motion_advance input = {tl_test_head(sizeof input), 0.01, {command, dimensions}, {data, TL_MAX_MOTION_DATA}, {0, 0, 0}, {0, 0, 0}, noise};
        tl_motion_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory), {{0, 0, 0}, {0, 0, 0}, {0}}};
        status = plugin->advance_motion(instance, &input, &reply);
        memory->state_len = status == TL_OK ? reply.state.len : memory->state_len;
        memcpy(output, &reply.output, sizeof reply.output);
        if (status != TL_BUFFER_TOO_SMALL)
            tl_test_ok("advance_motion", status, &reply.message);
    } else if (plugin->kind == TL_KIND_SENSOR && !is_stateless) {
        tl_sensor_advance input = {tl_test_head(sizeof input), 0.01, {0.01, 0, 0}, {1, 0, 0}, {0, 0, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, noise};
        tl_state_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory)};
        status = plugin->advance_sensor(instance, &input, &reply);
        memory->state_len = status == TL_OK ? reply.state.len : memory->state_len;
        if (status != TL_BUFFER_TOO_SMALL)
            tl_test_ok("advance_sensor", status, &reply.message);
    } else if (plugin->kind == TL_KIND_PLAYER || plugin->kind == TL_KIND_REFEREE) {
        const char *function = plugin->kind == TL_KIND_PLAYER ? "act" : "judge";
        tl_orders_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory),
                                 {memory->orders, 0, memory->orders_cap, 0}, tl_test_text(memory)};
        if (plugin->kind == TL_KIND_PLAYER) {
            tl_act input = {tl_test_head(sizeof input), 0, 0, 0.033, 0.07, {&span, 1}, {quantised, 2}, {&manipulator, 1},
                            {NULL, 0}, {NULL, 0}, {NULL, 0}, game, tl_test_view(world), noise};
            status = plugin->act(instance, &input, &reply);
        } else if (plugin->prepare != NULL && step % 2 == 1) {
            tl_kick kick = {0, 0, 1, 0, 1.0, 0.1, 0.5};
            tl_command told = {0, 2, {0.5, 0.1}};
            tl_prepare input = {tl_test_head(sizeof input), 0.01, tl_test_view(world), {&told, 1}, {&kick, 1}, {NULL, 0}, game, noise};
            function = "prepare";
            status = plugin->prepare(instance, &input, &reply);
        } else {
            tl_judge input = {tl_test_head(sizeof input), 0.01, tl_test_view(world), {NULL, 0}, {NULL, 0}, {NULL, 0}, game, {NULL, 0}, noise};
            status = plugin->judge(instance, &input, &reply);
        }
        if (status != TL_BUFFER_TOO_SMALL)
            tl_test_ok(function, status, &reply.message);
        TL_TEST(status != TL_OK || (reply.records.len <= reply.records.cap && reply.text.len <= reply.text.cap));
        output[0] = (double)reply.records.len;
        output[1] = (double)reply.text.len;
        memory->state_len = status == TL_OK ? reply.state.len : memory->state_len;
    }
    tl_test_end(memory);
    return status;
}

enum { TL_TEST_TWISTS = 6 }; /* The numbers of a step before its data. */

static inline void tl_test_finite(const double *numbers, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            tl_test_broken("all output is finite; number %zu of %s is %g", i, what, numbers[i]);
}

/* Who may give an order: 1 players, 2 referees, 3 both; 0 is no order. */
static inline void tl_test_orders(const touchline_plugin *plugin, const tl_test_memory *memory, size_t orders) {
    static const uint8_t whose[] = {0, 1, 1, 1, 1, 3, 3, 3, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2};
    uint8_t own = plugin->kind == TL_KIND_PLAYER ? 1 : 2;
    for (const tl_order *order = memory->orders; order < memory->orders + orders; order++) {
        int i = (int)(order - memory->orders);
        if (order->code >= sizeof whose || whose[order->code] == 0)
            tl_test_broken("each order has a TL_ORDER_...; order %d has the code %u", i, (unsigned)order->code);
        if ((whose[order->code] & own) == 0)
            tl_test_broken("each order is one of the plugin's kind; order %d (code %u) is for %s", i, (unsigned)order->code,
                           own == 1 ? "referees, or players of a team" : "players");
        tl_test_finite(order->values, TL_MAX_DIMENSIONS, "an order");
    }
}

static inline void tl_test_outputs(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                   size_t dimensions, size_t published, bool is_stateless) {
    static tl_test_memory before, first;
    tl_test_world world;
    double outputs[2][sizeof(tl_motion_output) / sizeof(double)] = {{0.0}, {0.0}};
    /* The server reads no more of them. */
    size_t numbers = plugin->kind == TL_KIND_MOTION ? TL_TEST_TWISTS + published : 2;
    if (plugin->initial_state != NULL) {
        first = *memory;
        tl_test_begin_state(plugin, &first, instance, 0x3c);
        TL_TEST_RULE(first.state_len == memory->state_len && memcmp(first.state, memory->state, first.state_len) == 0,
                     "initial_state always gives the same bytes (a struct with gaps, or not all of it initialised?)");
    }
    for (uint64_t step = 0; step < 50; step++) {
        /* The same call twice, from the same state. */
        before = first = *memory;
        tl_test_step(plugin, &first, instance, &world, step, outputs[0], dimensions, is_stateless);
        tl_test_step(plugin, memory, instance, &world, step, outputs[1], dimensions, is_stateless);
        size_t orders = plugin->kind >= TL_KIND_PLAYER ? (size_t)outputs[0][0] : 0;
        if (plugin->kind == TL_KIND_MOTION)
            tl_test_finite(outputs[0], numbers, "a step");
        tl_test_orders(plugin, &first, orders);
        TL_TEST_RULE(memcmp(outputs[0], outputs[1], numbers * sizeof *outputs[0]) == 0 &&
                         memcmp(first.orders, memory->orders, orders * sizeof *first.orders) == 0,
                     "the same input gives the same output (rand, clock, a global?)");
        TL_TEST_RULE(first.state_len == memory->state_len && memcmp(first.state, memory->state, first.state_len) == 0,
                     "the same input gives the same state (rand, clock, a global, a struct that is not initialised?)");
        if (plugin->kind == TL_KIND_SENSOR) {
            tl_generate input = tl_test_generate(&world, step);
            tl_test_read(plugin, &first, instance, input);
            tl_test_read(plugin, memory, instance, input);
            TL_TEST_RULE(memcmp(first.quantised, memory->quantised, memory->quantised_len * sizeof *first.quantised) == 0,
                         "the same input gives the same reading (rand, clock, a global?)");
            /* As in a world of many objects: the robot and the ball each in a cell. */
            static const tl_grid grid = {0.0, 0.0, 1.0, 0.2, 2, 1, 1, 0};
            static const uint32_t cells[] = {1, 2, TL_TEST_ROBOT, TL_TEST_BALL};
            input.view.grid.ptr = &grid;
            input.view.grid.len = 1;
            input.view.cells.ptr = cells;
            input.view.cells.len = TL_LEN(cells);
            tl_test_read(plugin, &first, instance, input);
            TL_TEST_RULE(memcmp(first.quantised, memory->quantised, memory->quantised_len * sizeof *first.quantised) == 0,
                         "a reading is the same without the view's grid (too small a reach for tl_near_begin?)");
        }
        if (orders != 0) {
            /* What gave orders has no room for any: it says so, and nothing is touched. */
            first = before;
            first.orders_cap = 0;
            int32_t status = tl_test_step(plugin, &first, instance, &world, step, outputs[0], dimensions, is_stateless);
            TL_TEST_RULE(status == TL_BUFFER_TOO_SMALL, "orders that do not fit are TL_BUFFER_TOO_SMALL");
            TL_TEST_RULE(memcmp(first.state, before.state, before.state_len) == 0,
                         "TL_BUFFER_TOO_SMALL leaves the state as it was");
        }
    }
}

/* What makes a sensor's layout one that the server takes. */
static inline void tl_test_name(const char *what, tl_json name) {
    char text[100] = "";
    bool is_name = tl_json_text(name, text, sizeof text) && text[0] != '\0' && strlen(text) <= 64;
    for (const char *at = text; *at != '\0'; at++)
        is_name &= *at > ' ' && *at < 127 && *at != '"' && *at != '\\';
    if (!is_name)
        tl_test_broken("the name of a %s is 1 to 64 ASCII characters but space, \" and \\; it is \"%s\"", what, text);
}

static inline void tl_test_single(const char *what, tl_json list, tl_json name) {
    char text[100] = "";
    tl_json key, item;
    size_t found = 0;
    tl_json_text(name, text, sizeof text);
    for (tl_json_items items = tl_json_items_of(list); tl_json_next(&items, &key, &item);)
        found += tl_json_is(tl_json_member(item, "name"), text);
    if (found != 1)
        tl_test_broken("each %s has a name of its own; there are %zu with the name \"%s\"", what, found, text);
}

/* Gives how many integers a sensor has. */
static inline size_t tl_test_layout(tl_json features) {
    size_t quantised = 0;
    tl_json key, feature, field;
    TL_TEST_RULE(tl_json_len(features) != 0, "a sensor has at least one feature");
    for (tl_json_items all = tl_json_items_of(features); tl_json_next(&all, &key, &feature);) {
        char feature_name[100] = "", field_name[100] = "";
        tl_json fields = tl_json_member(feature, "fields");
        tl_test_name("feature", tl_json_member(feature, "name"));
        tl_test_single("feature", features, tl_json_member(feature, "name"));
        tl_json_text(tl_json_member(feature, "name"), feature_name, sizeof feature_name);
        if (tl_json_len(fields) == 0)
            tl_test_broken("a feature has at least one field; %s has none", feature_name);
        for (tl_json_items each = tl_json_items_of(fields); tl_json_next(&each, &key, &field);) {
            double scale = 0.0, extent = 0.0;
            tl_json shape = tl_json_member(field, "shape");
            tl_test_name("field", tl_json_member(field, "name"));
            tl_test_single("field", fields, tl_json_member(field, "name"));
            tl_json_text(tl_json_member(field, "name"), field_name, sizeof field_name);
            if (!tl_json_number(tl_json_member(field, "scale"), &scale))
                tl_test_broken("the scale of %s.%s is not a finite number", feature_name, field_name);
            if (!(scale > 0.0))
                tl_test_broken("the scale of %s.%s is %g; it must be above 0", feature_name, field_name, scale);
            for (size_t i = 0; i < tl_json_len(shape); i++)
                if (!tl_json_number(tl_json_element(shape, i), &extent) || extent < 1.0)
                    tl_test_broken("an extent of the shape of %s.%s is %g; it must be above 0 (a scalar has none)", feature_name,
                                   field_name, extent);
            quantised += tl_json_field_len(field);
        }
    }
    TL_TEST_RULE(quantised <= TL_TEST_BYTES, "a sensor under test has at most 65536 integers");
    return quantised;
}

static inline void tl_test_there(bool is_there, const char *function) {
    if (!is_there)
        tl_test_broken("the table has the function `%s`; it is NULL", function);
}

/* The table, before any of its functions is called. */
static inline void tl_test_table(const touchline_plugin *plugin) {
    TL_TEST_RULE(plugin != NULL, "touchline_plugin_v8 gives a table");
    TL_TEST_RULE(plugin->interface_version == TL_INTERFACE_VERSION, "interface_version is TL_INTERFACE_VERSION");
    TL_TEST_RULE(plugin->size == sizeof *plugin, "size is sizeof(touchline_plugin)");
    TL_TEST_RULE(plugin->kind <= TL_KIND_REFEREE, "kind is a TL_KIND_...");
    tl_test_there(plugin->describe != NULL, "describe");
    tl_test_there(plugin->create != NULL, "create");
    tl_test_there(plugin->destroy != NULL, "destroy");
    tl_test_there(plugin->kind != TL_KIND_MOTION || plugin->advance_motion != NULL, "advance_motion");
    tl_test_there(plugin->kind != TL_KIND_SENSOR || plugin->generate != NULL, "generate");
    tl_test_there(plugin->kind != TL_KIND_PLAYER || plugin->act != NULL, "act");
    tl_test_there(plugin->kind != TL_KIND_REFEREE || plugin->judge != NULL, "judge");
}

/* Makes an instance as its robot or world would, with its first state, and room for all that it gives; the memory may be as it
 * is. Ends the program if the plugin does not take the parameters. The end of it is tl_test_destroy. */
static inline tl_instance *tl_test_open(tl_test_memory *memory, const touchline_plugin *plugin, const char *params) {
    tl_created created;
    tl_test_table(plugin);
    memory->text_cap = memory->state_cap = TL_TEST_BYTES;
    memory->orders_cap = 256;
    memory->quantised_len = memory->state_len = 0;
    int32_t status = tl_test_create(plugin, memory, params, tl_test_setup(plugin->kind), &created);
    if (status == TL_SETUP)
        tl_test_broken("create takes the parameters %s; it says %.*s", params, (int)created.text.len, created.text.ptr);
    tl_test_ok("create", status, &created.message);
    TL_TEST_RULE(created.instance != NULL, "create gives an instance with TL_OK");
    tl_text_slice made = {created.text.ptr, created.text.len};
    memory->text_len = created.text.len;
    if (plugin->kind == TL_KIND_SENSOR) {
        tl_test_name("sensor's type", tl_json_member(tl_json_of(made), "type"));
        memory->quantised_len = tl_test_layout(tl_json_member(tl_json_member(tl_json_of(made), "layout"), "features"));
    }
    if (plugin->initial_state != NULL)
        tl_test_begin_state(plugin, memory, created.instance, 0);
    return created.instance;
}

/* Integrates one step of a sensor with a state: the robot has moved by the displacement, in its own frame. */
static inline void tl_test_advance(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                   tl_pose displacement, double dt_secs, uint64_t step) {
    tl_sensor_advance input;
    memset(&input, 0, sizeof input);
    input.head = tl_test_head(sizeof input);
    input.dt_secs = dt_secs;
    input.displacement = displacement;
    input.twist.x_m_s = displacement.x_m / dt_secs;
    input.twist.y_m_s = displacement.y_m / dt_secs;
    input.twist.turn_rad_s = displacement.theta_rad / dt_secs;
    input.noise.owner = 42;
    input.noise.step = step;
    tl_state_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory)};
    tl_test_there(plugin->advance_sensor != NULL, "advance_sensor");
    tl_test_begin(memory);
    tl_test_ok("advance_sensor", plugin->advance_sensor(instance, &input, &reply), &reply.message);
    tl_test_end(memory);
    memory->state_len = reply.state.len;
}

/* Where a robot stands after so many steps from rest with one command, a number for each dimension. Once after tl_test_open. */
static inline tl_pose tl_test_drive(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *instance,
                                    const double *command, double dt_secs, uint64_t steps) {
    tl_text_slice made = {memory->text, memory->text_len};
    tl_json key, datum, data = tl_json_member(tl_json_of(made), "data");
    size_t published = 0;
    tl_pose pose = {0.0, 0.0, 0.0};
    tl_motion_advance input = {tl_test_head(sizeof input), dt_secs, {NULL, 0}, {NULL, 0}, {0, 0, 0}, {0, 0, 0}, {42, 0}};
    tl_motion_reply reply;
    memset(&reply, 0, sizeof reply);
    input.command.ptr = command;
    input.command.len = tl_json_len(tl_json_member(tl_json_of(made), "dimensions"));
    tl_test_there(plugin->advance_motion != NULL, "advance_motion");
    for (tl_json_items each = tl_json_items_of(data); published < TL_MAX_MOTION_DATA && tl_json_next(&each, &key, &datum);)
        tl_json_number(tl_json_member(datum, "initial"), &reply.output.data[published++]);
    for (uint64_t step = 0; step < steps; step++) {
        double before[TL_MAX_MOTION_DATA];
        memcpy(before, reply.output.data, sizeof before);
        input.data.ptr = before;
        input.data.len = published;
        input.achieved = reply.output.twist;
        input.twist = reply.output.end_twist;
        input.noise.step = step;
        memset(&reply, 0, sizeof reply);
        reply.head = tl_test_head(sizeof reply);
        reply.message = tl_test_message(memory);
        reply.state = tl_test_state(memory);
        tl_test_begin(memory);
        tl_test_ok("advance_motion", plugin->advance_motion(instance, &input, &reply), &reply.message);
        tl_test_end(memory);
        tl_test_finite(&reply.output.twist.x_m_s, TL_TEST_TWISTS + published, "a step");
        memory->state_len = reply.state.len;
        pose = tl_compose(pose, tl_displacement(reply.output.twist, dt_secs));
    }
    return pose;
}

/* All rules, with parameters that the plugin shall take. Gives 0, or ends the program. */
static inline int tl_test_plugin(const touchline_plugin *plugin, const char *params) {
    static const char *const kinds[] = {"motion", "sensor", "player", "referee"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    static tl_test_memory memory;
    tl_nothing nothing = {tl_test_head(sizeof nothing)};
    char name[100] = "";
    tl_test_table(plugin);
    memory.text_cap = memory.state_cap = TL_TEST_BYTES;
    memory.orders_cap = 256;
    tl_text_reply described = {tl_test_head(sizeof described), tl_test_message(&memory), tl_test_text(&memory)};
    tl_test_begin(&memory);
    tl_test_ok("describe", plugin->describe(NULL, &nothing, &described), &described.message);
    tl_test_end(&memory);
    tl_text_slice text = {described.text.ptr, described.text.len};
    tl_json said = tl_json_of(text);
    TL_TEST_RULE(tl_json_member(said, "params_schema").at != NULL, "describe writes the JSON of tl_describe");
    TL_TEST_RULE(tl_json_is(tl_json_member(said, "kind"), kinds[plugin->kind]), "describe says the table's kind");
    tl_json_text(tl_json_member(said, "name"), name, sizeof name);
    if (name[0] == '\0' || strlen(name) > 64 || name[strspn(name, letters)] != '\0')
        tl_test_broken("a plugin's name is 1 to 64 of a-z, 0-9 and -; it is \"%s\"", name);

    /* Too little room is no fault: what is needed is said. */
    const char *setup = tl_test_setup(plugin->kind);
    tl_created created;
    memory.text_cap = 2;
    int32_t status = tl_test_create(plugin, &memory, "{\"no_such_parameter\": 1}", setup, &created);
    TL_TEST_RULE(status == TL_BUFFER_TOO_SMALL, "create returns TL_BUFFER_TOO_SMALL if its text does not fit");
    memory.text_cap = TL_TEST_BYTES;
    status = tl_test_create(plugin, &memory, "{\"no_such_parameter\": 1}", setup, &created);
    TL_TEST_RULE(status == TL_SETUP && created.instance == NULL, "create refuses a parameter that there is not with TL_SETUP");

    tl_instance *instance = tl_test_open(&memory, plugin, params);
    text.ptr = memory.text;
    text.len = memory.text_len;
    said = tl_json_of(text);
    bool is_stateless = false;
    tl_json_bool(tl_json_member(said, "stateless"), &is_stateless);
    tl_test_there(plugin->kind != TL_KIND_SENSOR || is_stateless || plugin->advance_sensor != NULL, "advance_sensor");
    tl_test_outputs(plugin, &memory, instance, tl_json_len(tl_json_member(said, "dimensions")),
                    tl_json_len(tl_json_member(said, "data")), is_stateless);
    tl_test_destroy(plugin, &memory, instance);
    return 0;
}

#ifdef __cplusplus
#include <touchline/testing.hpp>
#endif

#endif
