/* Steps of a game without a server, for the tests of players and referees: what a player orders moves its robot, what a referee
 * orders happens. (Motion models: tl_test_drive; sensors: tl_test_read.)
 *
 *     #include <touchline/steps.h>
 *     static tl_test_memory memory;
 *     static tl_test_game game;
 *     tl_instance *player = tl_test_open(&memory, plugin, "{\"speed_m_s\": 0.5}");
 *     tl_test_begin_game(&game, 0.01);
 *     tl_test_play(plugin, &memory, player, &game, 100);
 *     TL_TEST(fabs(tl_test_robot(&game).x_m - 0.5) < 1e-9);
 *     tl_test_destroy(plugin, &memory, player);
 *
 * The world is that of testing.h: a robot at the origin, a ball 1 m ahead, a wall behind it. There is no friction, and nothing is
 * in anything's way: a robot and a ball go as their velocities say, so that the right answer can be worked out on paper. In C++
 * touchline::TestGame does the same. */
#ifndef TOUCHLINE_STEPS_H
#define TOUCHLINE_STEPS_H

#include <touchline/testing.h>

enum { TL_TEST_ORDERS = TL_ORDER_RULE + 1, TL_TEST_TEXT = 256 };

/* A game under test. Change its world between two steps as you like; tl_test_begin_game makes it. */
typedef struct tl_test_game {
    tl_test_world world; /* As it is now: a place by tl_test_put, a velocity in objects[...].twist, world frame. */
    tl_test_world start; /* What a referee's reset_objects goes back to. */
    double dt_secs, time_secs;
    uint64_t step;
    tl_twist told;               /* The velocities that the player ordered last, body frame; they stand. */
    tl_manipulator manipulator;  /* The robot's one, of the states "in" and "out". */
    tl_game_state state;         /* What the referee said last: score, phase, clock, values. */
    double reward;               /* The sum of what a referee paid. */
    bool has_ended;              /* The player ended, or the episode did: no more steps are made. */
    const char *commands;        /* What a referee is told in the next step, as operators do by REFEREE; then NULL. */
    tl_contact contacts[4];      /* The touches that it is told of in the next step; then none. */
    size_t contact_count;
    size_t orders[TL_TEST_ORDERS];                /* How many orders there were, by TL_ORDER_... */
    char texts[TL_TEST_ORDERS][TL_TEST_TEXT];     /* The last text of each: a message, an event's kind, an annotation's key, an outcome. */
} tl_test_game;

static inline tl_pose tl_test_robot(const tl_test_game *game) { return game->world.objects[TL_TEST_ROBOT].pose; }
static inline tl_pose tl_test_ball(const tl_test_game *game) { return game->world.objects[TL_TEST_BALL].pose; }

/* Puts TL_TEST_BALL, TL_TEST_ROBOT or TL_TEST_WALL somewhere, with its shape. */
static inline void tl_test_put(tl_test_game *game, uint32_t object, tl_pose pose) {
    tl_shape *shape = &game->world.shapes[object];
    shape->x_m = pose.x_m;
    shape->y_m = pose.y_m;
    tl_sin_cos(pose.theta_rad, &shape->sin, &shape->cos);
    if (object != TL_TEST_WALL)
        game->world.objects[object].pose = pose;
}

static inline void tl_test_begin_game(tl_test_game *game, double dt_secs) {
    memset(game, 0, sizeof *game);
    tl_test_view(&game->world);
    game->start = game->world;
    game->dt_secs = dt_secs;
    game->state.head.restart.kind = game->state.head.restart.team = TL_NONE;
    game->state.head.restart.deadline_secs = INFINITY;
    game->state.head.teams = 2;
    game->state.teams[0].may_move = game->state.teams[1].may_move = 1;
}

static inline tl_view tl_test_view_of(tl_test_game *game) {
    tl_view view = {game->step, game->time_secs, {game->world.objects, 3}, {game->world.shapes, 3}, {NULL, 0}, {NULL, 0}};
    return view;
}

static inline tl_game tl_test_game_of(const tl_test_game *game) {
    const tl_game_head *head = &game->state.head;
    tl_game state = {head->clock_secs, head->restart, head->phase, head->episode, {game->state.teams, head->teams},
                     {game->state.values, head->values}};
    return state;
}

/* A step's way of ball and robot. */
static inline void tl_test_move(tl_test_game *game) {
    tl_object *ball = &game->world.objects[TL_TEST_BALL], *robot = &game->world.objects[TL_TEST_ROBOT];
    tl_pose place = ball->pose, next = tl_compose(robot->pose, tl_displacement(game->told, game->dt_secs));
    place.x_m += ball->twist.x_m_s * game->dt_secs;
    place.y_m += ball->twist.y_m_s * game->dt_secs;
    tl_test_put(game, TL_TEST_BALL, place);
    tl_test_put(game, TL_TEST_ROBOT, next);
    tl_pose turned = {0.0, 0.0, next.theta_rad};
    tl_to_outer(turned, game->told.x_m_s, game->told.y_m_s, &robot->twist.x_m_s, &robot->twist.y_m_s);
    robot->twist.turn_rad_s = game->told.turn_rad_s;
    game->step++;
    game->time_secs = (double)game->step * game->dt_secs;
}

/* The state of a game that an order's bytes say. */
static inline void tl_test_take_game(tl_test_game *game, const char *bytes, size_t len) {
    tl_game_state said;
    memset(&said, 0, sizeof said);
    TL_TEST_RULE(len >= sizeof said.head, "TL_ORDER_GAME has a tl_game_head (tl_order_game writes it)");
    memcpy(&said.head, bytes, sizeof said.head);
    TL_TEST_RULE(said.head.teams == 2, "TL_ORDER_GAME has a tl_team for each of the two teams");
    TL_TEST_RULE(said.head.values <= TL_GAME_VALUES, "TL_ORDER_GAME has at most TL_GAME_VALUES values");
    size_t teams = (size_t)said.head.teams * sizeof *said.teams, values = (size_t)said.head.values * sizeof *said.values;
    TL_TEST_RULE(len == sizeof said.head + teams + values, "TL_ORDER_GAME is as long as its head says");
    memcpy(said.teams, bytes + sizeof said.head, teams);
    memcpy(said.values, bytes + sizeof said.head + teams, values);
    game->state = said;
}

/* Does what was ordered, and counts it. */
static inline void tl_test_obey(tl_test_game *game, const tl_order *order, tl_text_buffer text) {
    TL_TEST_RULE((uint64_t)order->text_start + order->text_len <= text.len, "an order's text lies in the reply's text");
    const char *bytes = order->text_len == 0 ? "" : text.ptr + order->text_start;
    const double *values = order->values;
    size_t len = order->text_split != 0 ? order->text_split : order->text_len;
    game->orders[order->code]++;
    if (order->code != TL_ORDER_GAME)
        snprintf(game->texts[order->code], TL_TEST_TEXT, "%.*s", (int)len, bytes);
    if (order->code == TL_ORDER_DRIVE_TWIST) {
        tl_twist told = {values[0], values[1], values[2]};
        game->told = told;
    } else if (order->code == TL_ORDER_MANIPULATE) {
        TL_TEST_RULE(order->target == 0 && order->index < 2, "the robot has one manipulator of two states");
        game->manipulator.state = order->index;
    } else if (order->code == TL_ORDER_PLACE_BALL && order->target == 0) {
        tl_pose pose = {values[0], values[1], 0.0};
        tl_twist twist = {values[2], values[3], 0.0};
        tl_test_put(game, TL_TEST_BALL, pose);
        game->world.objects[TL_TEST_BALL].twist = twist;
    } else if (order->code == TL_ORDER_PLACE_ROBOT && order->target == 0) {
        tl_pose pose = {values[0], values[1], values[2]};
        tl_twist twist = {values[3], values[4], values[5]};
        tl_test_put(game, TL_TEST_ROBOT, pose);
        game->told = twist;
    } else if (order->code == TL_ORDER_RESET_OBJECTS) {
        game->world = game->start;
        memset(&game->told, 0, sizeof game->told);
    } else if (order->code == TL_ORDER_GAME) {
        tl_test_take_game(game, bytes, order->text_len);
    } else if (order->code == TL_ORDER_REWARD) {
        game->reward += values[0];
    } else if (order->code == TL_ORDER_END || order->code == TL_ORDER_END_EPISODE) {
        game->has_ended = true;
    }
}

/* What came of a call: checked, counted, done. */
static inline void tl_test_ordered(const touchline_plugin *plugin, tl_test_memory *memory, tl_test_game *game, const char *function,
                                   int32_t status, const tl_orders_reply *reply) {
    tl_test_ok(function, status, &reply->message);
    tl_test_end(memory);
    TL_TEST(reply->records.len <= reply->records.cap && reply->text.len <= reply->text.cap);
    memory->state_len = reply->state.len;
    tl_test_orders(plugin, memory, reply->records.len);
    for (size_t i = 0; i < reply->records.len; i++)
        tl_test_obey(game, &memory->orders[i], reply->text);
}

static inline tl_orders_reply tl_test_orders_reply(tl_test_memory *memory) {
    tl_orders_reply reply = {tl_test_head(sizeof reply), tl_test_message(memory), tl_test_state(memory),
                             {memory->orders, 0, memory->orders_cap, 0}, tl_test_text(memory)};
    tl_test_begin(memory);
    return reply;
}

/* So many steps of a player: each time it sees the ball by its sensor "camera" (distance in mm, bearing in 0.1 mrad, all round), is
 * asked, and then moves as it ordered. */
static inline void tl_test_play(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *player, tl_test_game *game,
                                uint64_t steps) {
    tl_test_there(plugin->act != NULL, "act");
    for (uint64_t i = 0; i < steps && !game->has_ended; i++) {
        tl_pose robot = tl_test_robot(game), ball = tl_test_ball(game);
        double distance_m = hypot(ball.x_m - robot.x_m, ball.y_m - robot.y_m);
        uint32_t quantised[2] = {tl_encode(distance_m, 0.001, false), tl_encode(tl_bearing(robot, ball.x_m, ball.y_m), 1e-4, true)};
        tl_reading_span span = {0, 2, game->time_secs};
        game->manipulator.has_ball = distance_m <= game->world.objects[TL_TEST_ROBOT].radius_m + game->world.objects[TL_TEST_BALL].radius_m;
        tl_noise_key noise = {42, game->step};
        tl_act input = {tl_test_head(sizeof input), 0, 0, game->step == 0 ? 0.0 : game->dt_secs, game->time_secs, {&span, 1}, {quantised, 2},
                        {&game->manipulator, 1}, {NULL, 0}, {NULL, 0}, {NULL, 0}, tl_test_game_of(game), tl_test_view_of(game), noise};
        tl_orders_reply reply = tl_test_orders_reply(memory);
        tl_test_ordered(plugin, memory, game, "act", plugin->act(player, &input, &reply), &reply);
        tl_test_move(game);
    }
}

/* So many steps of a referee: `prepare` if it has one, the movement of ball and robot, `judge`. */
static inline void tl_test_judge(const touchline_plugin *plugin, tl_test_memory *memory, const tl_instance *referee, tl_test_game *game,
                                 uint64_t steps) {
    tl_test_there(plugin->judge != NULL, "judge");
    for (uint64_t i = 0; i < steps && !game->has_ended; i++) {
        tl_noise_key noise = {42, game->step};
        if (plugin->prepare != NULL) {
            tl_command told = {0, 3, {game->told.x_m_s, game->told.y_m_s, game->told.turn_rad_s}};
            tl_prepare input = {tl_test_head(sizeof input), game->dt_secs, tl_test_view_of(game), {&told, 1}, {NULL, 0}, {NULL, 0},
                                tl_test_game_of(game), noise};
            tl_orders_reply reply = tl_test_orders_reply(memory);
            tl_test_ordered(plugin, memory, game, "prepare", plugin->prepare(referee, &input, &reply), &reply);
        }
        tl_test_move(game);
        tl_text_slice commands = {game->commands, game->commands == NULL ? 0 : strlen(game->commands)};
        tl_judge input = {tl_test_head(sizeof input), game->dt_secs, tl_test_view_of(game), {game->contacts, game->contact_count}, {NULL, 0},
                          {NULL, 0}, tl_test_game_of(game), commands, noise};
        tl_orders_reply reply = tl_test_orders_reply(memory);
        int32_t status = plugin->judge(referee, &input, &reply);
        game->commands = NULL;
        game->contact_count = 0;
        tl_test_ordered(plugin, memory, game, "judge", status, &reply);
    }
}

#ifdef __cplusplus
#include <initializer_list>

namespace touchline {

// A player or referee under test, and its game: `touchline::TestGame game(R"({"speed_m_s": 0.5})"); game.run(100);`
class TestGame : public tl_test_game {
public:
    explicit TestGame(const char *params = "{}", double dt_secs = 0.01, const touchline_plugin *plugin = touchline_plugin_v8())
        : tl_test_game(), plugin_(plugin), memory_(1), instance_(tl_test_open(&memory_[0], plugin, params)) {
        tl_test_begin_game(this, dt_secs);
    }
    TestGame(const TestGame &) = delete;
    TestGame &operator=(const TestGame &) = delete;
    ~TestGame() { tl_test_destroy(plugin_, &memory_[0], instance_); }

    // So many steps; see tl_test_play and tl_test_judge.
    void run(std::uint64_t steps) {
        if (plugin_->kind == TL_KIND_PLAYER)
            tl_test_play(plugin_, &memory_[0], instance_, this, steps);
        else
            tl_test_judge(plugin_, &memory_[0], instance_, this, steps);
    }
    tl_pose robot() const { return tl_test_robot(this); }
    tl_pose ball() const { return tl_test_ball(this); }

private:
    const touchline_plugin *plugin_;
    std::vector<tl_test_memory> memory_;
    tl_instance *instance_;
};

// Where a robot stands after so many steps of a motion model from rest with one command; see tl_test_drive.
inline tl_pose drive(const char *params, std::initializer_list<double> command, double dt_secs, std::uint64_t steps,
                     const touchline_plugin *plugin = touchline_plugin_v8()) {
    std::vector<tl_test_memory> memory(1);
    tl_instance *motion = tl_test_open(&memory[0], plugin, params);
    tl_pose pose = tl_test_drive(plugin, &memory[0], motion, command.begin(), dt_secs, steps);
    tl_test_destroy(plugin, &memory[0], motion);
    return pose;
}

} // namespace touchline
#endif

#endif
