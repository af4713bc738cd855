/* States and orders: what motion models, players and referees give back.
 *
 *     tl_orders orders = tl_orders_begin(output);
 *     tl_order_say(&orders, "hello");
 *     return tl_orders_end(&orders, &state, sizeof state);
 *
 * A state is a struct of plain numbers, copied and compared as it is: initialise all of it, and what lies between its numbers, as
 * after a bool before a double (`memset(&state, 0, sizeof state)`); put no pointer into it. */
#ifndef TOUCHLINE_ORDERS_H
#define TOUCHLINE_ORDERS_H

#include <touchline/json.h>

/* Reads the state that the server hands in; false if it has another size. */
static inline bool tl_state_read(const tl_byte_buffer *buffer, void *state, size_t size) {
    if (buffer->len != size)
        return false;
    if (size != 0)
        memcpy(state, buffer->ptr, size);
    return true;
}

/* The same for a sensor's `generate`. */
static inline bool tl_state_view(tl_byte_slice slice, void *state, size_t size) {
    if (slice.len != size)
        return false;
    if (size != 0)
        memcpy(state, slice.ptr, size);
    return true;
}

/* Writes a state; the last thing that a function does: `return tl_state_write(&output->state, &state, sizeof state);` */
static inline int32_t tl_state_write(tl_byte_buffer *buffer, const void *state, size_t size) {
    buffer->needed = size;
    if (size > buffer->cap)
        return TL_BUFFER_TOO_SMALL;
    if (size != 0)
        memcpy(buffer->ptr, state, size);
    buffer->len = size;
    return TL_OK;
}

/* A list of orders in the making. */
typedef struct tl_orders {
    tl_orders_reply *reply;
} tl_orders;

static inline tl_orders tl_orders_begin(tl_orders_reply *reply) {
    tl_orders orders = {reply};
    reply->records.len = reply->records.needed = 0;
    tl_text_begin(&reply->text);
    return orders;
}

/* Hands out the orders and the state: all of it, or TL_BUFFER_TOO_SMALL and nothing. */
static inline int32_t tl_orders_end(tl_orders *orders, const void *state, size_t size) {
    tl_orders_reply *reply = orders->reply;
    reply->state.needed = size;
    if (reply->records.needed > reply->records.cap || reply->text.needed > reply->text.cap || size > reply->state.cap)
        return TL_BUFFER_TOO_SMALL;
    reply->records.len = reply->records.needed;
    reply->text.len = reply->text.needed;
    return tl_state_write(&reply->state, state, size);
}

static inline void tl_order_add(tl_orders *orders, tl_order order) {
    tl_order_buffer *buffer = &orders->reply->records;
    if (buffer->needed < buffer->cap)
        buffer->ptr[buffer->needed] = order;
    buffer->needed++;
}

static inline tl_order tl_order_of(uint32_t code, uint32_t target, uint32_t index, const double *values, size_t count) {
    tl_order order;
    memset(&order, 0, sizeof order);
    order.code = code;
    order.target = target;
    order.index = index;
    for (size_t i = 0; i < count && i < TL_MAX_DIMENSIONS; i++)
        order.values[i] = values[i];
    return order;
}

static inline void tl_order_text(tl_orders *orders, uint32_t code, const char *first, size_t first_len, const char *second) {
    tl_order order = tl_order_of(code, 0, 0, NULL, 0);
    order.text_start = (uint32_t)orders->reply->text.needed;
    order.text_len = (uint32_t)(first_len + strlen(second));
    order.text_split = (uint32_t)first_len;
    tl_text_bytes(&orders->reply->text, first, first_len);
    tl_text_add(&orders->reply->text, second);
    tl_order_add(orders, order);
}

/* Sets the whole command vector of the player's robot; what is beyond TL_MAX_DIMENSIONS numbers is dropped. */
static inline void tl_order_drive(tl_orders *orders, const double *command, size_t count) {
    if (count > TL_MAX_DIMENSIONS)
        count = TL_MAX_DIMENSIONS;
    tl_order_add(orders, tl_order_of(TL_ORDER_DRIVE, 0, (uint32_t)count, command, count));
}

/* Sets the standard velocities, body frame: forward and left m/s, turn rad/s. */
static inline void tl_order_twist(tl_orders *orders, double forward_m_s, double left_m_s, double turn_rad_s) {
    const double values[3] = {forward_m_s, left_m_s, turn_rad_s};
    tl_order_add(orders, tl_order_of(TL_ORDER_DRIVE_TWIST, 0, 0, values, 3));
}

/* Switches a manipulator to a state, with a strength in [0, 1]. */
static inline void tl_order_manipulate(tl_orders *orders, uint32_t manipulator, uint32_t state, double strength) {
    tl_order_add(orders, tl_order_of(TL_ORDER_MANIPULATE, manipulator, state, &strength, 1));
}

/* The same with a direction in the robot's frame and an elevation above the floor, radians, where the state's robot file leaves them to
 * the command; NULL is what the file says. */
static inline void tl_order_manipulate_aimed(tl_orders *orders, uint32_t manipulator, uint32_t state, double strength,
                                             const double *direction_rad, const double *elevation_rad) {
    const double values[4] = {strength, direction_rad ? *direction_rad : 0.0, elevation_rad ? *elevation_rad : 0.0,
                              (direction_rad ? 1.0 : 0.0) + (elevation_rad ? 2.0 : 0.0)};
    tl_order_add(orders, tl_order_of(TL_ORDER_MANIPULATE, manipulator, state, values, 4));
}

/* Says something on a channel of the radio: TL_CHANNEL_... */
static inline void tl_order_say_on(tl_orders *orders, uint32_t channel, const char *message) {
    tl_order order = tl_order_of(TL_ORDER_SAY, 0, channel, NULL, 0);
    order.text_start = (uint32_t)orders->reply->text.needed;
    order.text_len = order.text_split = (uint32_t)strlen(message);
    tl_text_bytes(&orders->reply->text, message, order.text_len);
    tl_order_add(orders, order);
}

/* Says something to all others. */
static inline void tl_order_say(tl_orders *orders, const char *message) {
    tl_order_say_on(orders, TL_CHANNEL_ALL, message);
}

/* Sets a number of a sensor of one's own robot that can be set: indices into its sensors and into the sensor's data. */
static inline void tl_order_set_sensor(tl_orders *orders, uint32_t sensor, uint32_t datum, double value) {
    tl_order_add(orders, tl_order_of(TL_ORDER_SET_SENSOR, sensor, datum, &value, 1));
}

/* Gives a robot of one's team another player (referees: any robot). `plugin` may be "": the one that it has, with other
 * parameters (JSON). 0 as period_secs: asked as often as the player before. */
static inline void tl_order_exchange_player(tl_orders *orders, uint32_t robot, const char *plugin, const char *params_json,
                                            double period_secs) {
    tl_order order = tl_order_of(TL_ORDER_EXCHANGE_PLAYER, robot, 0, &period_secs, 1);
    order.text_start = (uint32_t)orders->reply->text.needed;
    order.text_split = (uint32_t)strlen(plugin);
    order.text_len = order.text_split + (uint32_t)strlen(params_json);
    tl_text_bytes(&orders->reply->text, plugin, order.text_split);
    tl_text_bytes(&orders->reply->text, params_json, strlen(params_json));
    tl_order_add(orders, order);
}

/* Publishes a value about oneself, JSON, in place of the last one under this key; a referee's is the world's. */
static inline void tl_order_annotate(tl_orders *orders, const char *key, const char *json) {
    tl_order_text(orders, TL_ORDER_ANNOTATE, key, strlen(key), json);
}

/* Ends the player; its robot goes. */
static inline void tl_order_end(tl_orders *orders) {
    tl_order_add(orders, tl_order_of(TL_ORDER_END, 0, 0, NULL, 0));
}

/* Puts a robot somewhere, at rest; world frame. */
static inline void tl_order_place_robot(tl_orders *orders, uint32_t robot, tl_pose pose) {
    const double values[3] = {pose.x_m, pose.y_m, pose.theta_rad};
    tl_order_add(orders, tl_order_of(TL_ORDER_PLACE_ROBOT, robot, 0, values, 3));
}

/* The same with a velocity in its own frame. */
static inline void tl_order_place_moving_robot(tl_orders *orders, uint32_t robot, tl_pose pose, tl_twist twist) {
    const double values[6] = {pose.x_m, pose.y_m, pose.theta_rad, twist.x_m_s, twist.y_m_s, twist.turn_rad_s};
    tl_order_add(orders, tl_order_of(TL_ORDER_PLACE_ROBOT, robot, 0, values, 6));
}

/* Puts a ball somewhere, with a velocity; world frame. */
static inline void tl_order_place_ball(tl_orders *orders, uint32_t ball, double x_m, double y_m, double x_m_s, double y_m_s) {
    const double values[4] = {x_m, y_m, x_m_s, y_m_s};
    tl_order_add(orders, tl_order_of(TL_ORDER_PLACE_BALL, ball, 0, values, 4));
}

/* The same at a height and with a speed upwards. */
static inline void tl_order_place_flying_ball(tl_orders *orders, uint32_t ball, double x_m, double y_m, double x_m_s, double y_m_s,
                                              tl_vertical vertical) {
    const double values[6] = {x_m, y_m, x_m_s, y_m_s, vertical.z_m, vertical.speed_m_s};
    tl_order_add(orders, tl_order_of(TL_ORDER_PLACE_BALL, ball, 0, values, 6));
}

/* The most teams and values that a tl_game_state has room for. */
#define TL_GAME_TEAMS 16
#define TL_GAME_VALUES 32

/* The state of the game, to be changed by a referee. */
typedef struct tl_game_state {
    tl_game_head head;
    tl_team teams[TL_GAME_TEAMS];
    double values[TL_GAME_VALUES];
} tl_game_state;

/* The game as it stands; what is beyond the buffer of a tl_game_state is left out, and the server refuses the order. */
static inline tl_game_state tl_game_read(const tl_game *game) {
    tl_game_state state;
    memset(&state, 0, sizeof state);
    state.head.clock_secs = game->clock_secs;
    state.head.restart = game->restart;
    state.head.phase = game->phase;
    state.head.episode = game->episode;
    for (; state.head.teams < game->teams.len && state.head.teams < TL_GAME_TEAMS; state.head.teams++)
        state.teams[state.head.teams] = game->teams.ptr[state.head.teams];
    for (; state.head.values < game->values.len && state.head.values < TL_GAME_VALUES; state.head.values++)
        state.values[state.head.values] = game->values.ptr[state.head.values];
    return state;
}

/* Referees: says in which state the game is. */
static inline void tl_order_game(tl_orders *orders, const tl_game_state *game) {
    tl_order order = tl_order_of(TL_ORDER_GAME, 0, 0, NULL, 0);
    size_t teams = (size_t)game->head.teams * sizeof *game->teams, values = (size_t)game->head.values * sizeof *game->values;
    order.text_start = (uint32_t)orders->reply->text.needed;
    order.text_len = (uint32_t)(sizeof game->head + teams + values);
    tl_text_bytes(&orders->reply->text, (const char *)&game->head, sizeof game->head);
    tl_text_bytes(&orders->reply->text, (const char *)game->teams, teams);
    tl_text_bytes(&orders->reply->text, (const char *)game->values, values);
    tl_order_add(orders, order);
}

/* Referees: tells that something happened, such as a "goal" of a team (or TL_NONE); the score itself is in the game's state. A kind that begins with "data-" is for programs: people are not shown it. */
static inline void tl_order_event(tl_orders *orders, const char *kind, uint32_t team, const char *text) {
    size_t before = orders->reply->records.needed;
    tl_order_text(orders, TL_ORDER_EVENT, kind, strlen(kind), text);
    if (before < orders->reply->records.cap)
        orders->reply->records.ptr[before].target = team;
}

/* Referees: tells what was measured, such as a "kick-distance" of 2.5 "m". */
static inline void tl_order_measure(tl_orders *orders, const char *name, double value, const char *unit) {
    size_t before = orders->reply->records.needed;
    tl_order_text(orders, TL_ORDER_MEASURE, name, strlen(name), unit);
    if (before < orders->reply->records.cap)
        orders->reply->records.ptr[before].values[0] = value;
}

/* Referees: tells something to a robot's player, as its radio does. */
static inline void tl_order_tell(tl_orders *orders, uint32_t robot, const char *text) {
    size_t before = orders->reply->records.needed;
    tl_order_text(orders, TL_ORDER_TELL, text, strlen(text), "");
    if (before < orders->reply->records.cap)
        orders->reply->records.ptr[before].target = robot;
}

/* Referees: takes a robot out of the world for good. */
static inline void tl_order_remove_robot(tl_orders *orders, uint32_t robot) {
    tl_order_add(orders, tl_order_of(TL_ORDER_REMOVE_ROBOT, robot, 0, NULL, 0));
}

/* Referees: holds a robot's drive, or lets go of it. */
static inline void tl_order_hold_robot(tl_orders *orders, uint32_t robot, bool held) {
    tl_order_add(orders, tl_order_of(TL_ORDER_HOLD_ROBOT, robot, held ? 1 : 0, NULL, 0));
}

/* Referees: sets one of a robot's motion data that can be set; `datum` is its place among the names given to tl_write_game. */
static inline void tl_order_set_datum(tl_orders *orders, uint32_t robot, uint32_t datum, double value) {
    tl_order_add(orders, tl_order_of(TL_ORDER_SET_DATUM, robot, datum, &value, 1));
}

/* Referees: tells something to all who watch. */
static inline void tl_order_announce(tl_orders *orders, const char *text) {
    tl_order_text(orders, TL_ORDER_ANNOUNCE, text, strlen(text), "");
}

/* Referees: brings everything to its starting place. */
static inline void tl_order_reset_objects(tl_orders *orders) {
    tl_order_add(orders, tl_order_of(TL_ORDER_RESET_OBJECTS, 0, 0, NULL, 0));
}

/* Refuses a kick (referees, in `prepare`): its place in tl_prepare.kicks. */
static inline void tl_order_refuse_kick(tl_orders *orders, uint32_t kick) {
    tl_order_add(orders, tl_order_of(TL_ORDER_REFUSE_KICK, kick, 0, NULL, 0));
}

/* Pays a robot for what it did in this step (referees). */
static inline void tl_order_reward(tl_orders *orders, uint32_t robot, double value) {
    tl_order_add(orders, tl_order_of(TL_ORDER_REWARD, robot, 0, &value, 1));
}

/* Ends the episode (referees); the outcome says how, such as "goal". */
static inline void tl_order_end_episode(tl_orders *orders, const char *outcome) {
    tl_order_text(orders, TL_ORDER_END_EPISODE, outcome, strlen(outcome), "");
}

/* Makes a ruling (referees): what is to be done by its word, such as "spawn-ball", and with what, JSON. */
static inline void tl_order_rule(tl_orders *orders, const char *word, const char *json) {
    tl_order_text(orders, TL_ORDER_RULE, word, strlen(word), json);
}

/* ---- A motion model's description -------------------------------------------------------------------------------- */

/* One number of a motion command; `part` is the standard command that sets it: forward, left, turn or other. */
typedef struct tl_dimension {
    const char *name;
    const char *unit;
    double min, max;
    const char *part;
} tl_dimension;

/* One published number of internal state, such as `wheel-left` in `rad/s`. */
typedef struct tl_datum {
    const char *name;
    const char *unit;
    double initial; /* What it is before the first step. */
    int settable;   /* 1 if a referee may set it between two steps. */
} tl_datum;

/* Writes what a motion model's `create` gives. A command counts until another one comes, or, with `one_step`, for one step. */
static inline int32_t tl_write_motion(tl_text_buffer *buffer, const tl_dimension *dimensions, size_t dimension_count,
                                      const tl_datum *data, size_t data_count, int one_step) {
    tl_text_begin(buffer);
    tl_text_add(buffer, "{\"dimensions\":[");
    for (size_t i = 0; i < dimension_count; i++) {
        tl_text_add(buffer, i == 0 ? "{\"name\":" : ",{\"name\":");
        tl_text_quoted(buffer, dimensions[i].name);
        tl_text_add(buffer, ",\"unit\":");
        tl_text_quoted(buffer, dimensions[i].unit);
        tl_text_add(buffer, ",\"min\":");
        tl_text_number(buffer, dimensions[i].min);
        tl_text_add(buffer, ",\"max\":");
        tl_text_number(buffer, dimensions[i].max);
        tl_text_add(buffer, ",\"part\":");
        tl_text_quoted(buffer, dimensions[i].part);
        tl_text_add(buffer, "}");
    }
    tl_text_add(buffer, "],\"data\":[");
    for (size_t i = 0; i < data_count; i++) {
        tl_text_add(buffer, i == 0 ? "{\"name\":" : ",{\"name\":");
        tl_text_quoted(buffer, data[i].name);
        tl_text_add(buffer, ",\"unit\":");
        tl_text_quoted(buffer, data[i].unit);
        tl_text_add(buffer, ",\"initial\":");
        tl_text_number(buffer, data[i].initial);
        tl_text_add(buffer, data[i].settable ? ",\"settable\":true}" : "}");
    }
    tl_text_add(buffer, one_step ? "],\"command_life\":\"one-step\"}" : "]}");
    return tl_text_end(buffer);
}

/* A motion model's output: one velocity over the whole step and at its end. */
static inline tl_motion_output tl_steady(tl_twist twist) {
    tl_motion_output output;
    memset(&output, 0, sizeof output);
    output.twist = twist;
    output.end_twist = twist;
    return output;
}

static inline void tl_write_names(tl_text_buffer *buffer, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        tl_text_add(buffer, i == 0 ? "" : ",");
        tl_text_quoted(buffer, names[i]);
    }
}

/* Writes what a referee's `create` gives: its words of the game, the names of the motion data that it reads and sets, and whether
 * `prepare` is called. The game begins in the first phase. */
static inline int32_t tl_write_game(tl_text_buffer *buffer, const char *const *phases, size_t phase_count,
                                    const char *const *restarts, size_t restart_count, const tl_datum *values,
                                    size_t value_count, const char *const *motion_data, size_t datum_count, int prepares) {
    tl_text_begin(buffer);
    tl_text_add(buffer, "{\"phases\":[");
    tl_write_names(buffer, phases, phase_count);
    tl_text_add(buffer, "],\"restarts\":[");
    tl_write_names(buffer, restarts, restart_count);
    tl_text_add(buffer, "],\"values\":[");
    for (size_t i = 0; i < value_count; i++) {
        tl_text_add(buffer, i == 0 ? "{\"name\":" : ",{\"name\":");
        tl_text_quoted(buffer, values[i].name);
        tl_text_add(buffer, ",\"unit\":");
        tl_text_quoted(buffer, values[i].unit);
        tl_text_add(buffer, ",\"initial\":");
        tl_text_number(buffer, values[i].initial);
        tl_text_add(buffer, "}");
    }
    tl_text_add(buffer, "],\"motion_data\":[");
    tl_write_names(buffer, motion_data, datum_count);
    tl_text_add(buffer, prepares ? "],\"prepares\":true}" : "]}");
    return tl_text_end(buffer);
}

/* Writes what a referee's `create` gives that has one phase, "play". */
static inline int32_t tl_write_nothing(tl_text_buffer *buffer) {
    tl_text_begin(buffer);
    tl_text_add(buffer, "null");
    return tl_text_end(buffer);
}

#endif
