/* The C client against the built server, over a real socket: one test for each name on the command line.
 * [C2-C6, C8, C9, P4, P5] */

#include "tester.h"

/* C2, C7: the robot that the file makes, with all that its numbers mean. */
static void describes(Server *server) {
    TouchlineClient *client = join(server);
    const TouchlineRobot *robot = touchline_robot(client);
    char line[64];
    snprintf(line, sizeof line, "ROBOT %u tester team=blue", (unsigned)robot->number);
    TouchlineAnswer *answer;
    OK(touchline_ask(client, "LIST", &answer));
    CHECK(has(touchline_answer_line(answer, 0), line) && strcmp(robot->name, "tester") == 0);
    touchline_answer_free(answer);
    CHECK(strcmp(robot->team, "blue") == 0 && robot->team_index == 0);
    CHECK(near(robot->radius_m, 0.22, 1e-6));
    CHECK(robot->dimension_count == 2);
    CHECK(strcmp(robot->dimensions[0].unit, "m/s") == 0 && robot->dimensions[0].part == TOUCHLINE_PART_FORWARD);
    CHECK(strcmp(robot->dimensions[1].unit, "rad/s") == 0 && robot->dimensions[1].part == TOUCHLINE_PART_TURN);
    CHECK(robot->dimensions[0].min < 0.0 && robot->dimensions[0].max > 0.0);
    CHECK(robot->motion_data_count == 2 && strcmp(robot->motion_data[0].unit, "rad/s") == 0);
    CHECK(robot->sensor_count == 5);
    const TouchlineSensorInfo *laser = &robot->sensors[0];
    CHECK(strcmp(laser->id, "laser") == 0 && strcmp(laser->model, "LMS200") == 0);
    CHECK(strcmp(laser->sensor_type, "laser") == 0 && strcmp(laser->plugin, "laser") == 0);
    CHECK(near(laser->x_m, 0.017, 1e-9) && near(laser->z_m, 0.30, 1e-9));
    CHECK(laser->feature_count == 1 && laser->features[0].integer_count == 363);
    CHECK(strcmp(laser->features[0].name, "180DegreeScan") == 0);
    const TouchlineField *ranges = &laser->features[0].fields[2];
    CHECK(laser->features[0].field_count == 3 && strcmp(ranges->name, "ranges") == 0);
    CHECK(ranges->first == 2 && ranges->integer_count == 361 && !ranges->is_signed && near(ranges->scale, 0.001, 0.0));
    CHECK(ranges->shape_count == 1 && ranges->shape[0] == 361 && strcmp(ranges->unit, "m") == 0);
    CHECK(robot->manipulator_count == 1 && strcmp(robot->manipulators[0].name, "kicker") == 0);
    CHECK(robot->manipulators[0].state_count == 2 && strcmp(robot->manipulators[0].states[1], "kick") == 0);
    TouchlineClock clock;
    OK(touchline_clock(client, &clock));
    CHECK(clock.delay_s >= 0.0 && clock.delay_s < 300.0);
    touchline_close(client);
}

/* C4, C5, R3: velocities do what they say; a reading is of one step and has stamps on the own clock. */
static void drives_and_reads(Server *server) {
    TouchlineClient *client = join(server);
    TouchlineSensors *before = read_now(client);
    TouchlineStamp first, second;
    OK(touchline_sensors_stamp(before, &first));
    uint64_t step = 0;
    OK(touchline_place_ball(client, 0, -2.0, 1.0, 0.0, 0.0));
    OK(touchline_twist(client, 0.3, 0.0, 0.0));
    OK(touchline_step(client, 100, &step));
    TouchlineSensors *after = read_now(client);
    OK(touchline_sensors_stamp(after, &second));
    CHECK(second.step == step && step == first.step + 100 && second.updates > first.updates);
    CHECK(near(second.sim_s - first.sim_s, 1.0, 1e-9));
    CHECK(second.stamp_s <= touchline_now_s(client) + 0.1 && second.stamp_s > -60.0);
    TouchlineOdometry odometry;
    TouchlineTruth truth;
    OK(touchline_odometry(after, find(client, "odometry"), &odometry));
    OK(touchline_truth(after, find(client, "truth"), &truth));
    CHECK(truth.x_m > 0.05 && truth.x_m < 0.31 && near(truth.forward_m_s, 0.3, 0.02));
    CHECK(near(odometry.x_m, truth.x_m, 0.1) && near(odometry.forward_m_s, 0.3, 0.05));
    touchline_sensors_free(before);
    touchline_sensors_free(after);

    const double command[2] = {0.0, 0.5};
    OK(touchline_drive(client, command, 2));
    OK(touchline_step(client, 100, NULL));
    CHECK(near(truth_of(client).turn_rad_s, 0.5, 0.05) && near(truth_of(client).forward_m_s, 0.0, 0.05));
    OK(touchline_turn(client, -0.5));
    OK(touchline_forward(client, -0.2));
    OK(touchline_step(client, 200, NULL));
    CHECK(near(truth_of(client).turn_rad_s, -0.5, 0.05) && near(truth_of(client).forward_m_s, -0.2, 0.05));
    touchline_close(client);
}

/* P5: features are found by model, type and name; a wrong name lists what there is. */
static void reads_by_what_it_is(Server *server) {
    TouchlineClient *client = join(server);
    TouchlineFeature a, b, c, all[16];
    OK(touchline_find(client, "LMS200", NULL, NULL, &a));
    OK(touchline_find(client, NULL, "laser", NULL, &b));
    OK(touchline_find(client, NULL, NULL, "180DegreeScan", &c));
    CHECK(a.sensor == b.sensor && b.sensor == c.sensor && a.feature == c.feature);
    OK(touchline_find(client, "LMS200", "laser", "180DegreeScan", &a));
    CHECK(touchline_find(client, "LMS200", "camera", NULL, &a) == TOUCHLINE_STATUS_NOT_FOUND);
    CHECK(touchline_find(client, NULL, NULL, "puck", &a) == TOUCHLINE_STATUS_NOT_FOUND);
    CHECK(has(touchline_last_error(client), "feature=puck") && has(touchline_last_error(client), "camera.ball"));
    size_t count = 0;
    OK(touchline_find_all(client, NULL, "camera", NULL, NULL, 0, &count));
    CHECK(count == 4);
    CHECK(touchline_find_all(client, NULL, "camera", NULL, all, 3, &count) == TOUCHLINE_STATUS_TOO_SMALL);
    OK(touchline_find_all(client, NULL, "camera", NULL, all, 16, &count));
    CHECK(count == 4 && all[0].sensor == 1 && all[3].sensor == 2);

    TouchlineSensors *sensors = read_now(client);
    double values[361], one = 0.0;
    OK(touchline_values(sensors, c, "ranges", values, 361, &count));
    CHECK(count == 361 && values[180] > 0.5 && values[180] < 8.2);
    OK(touchline_value(sensors, c, "angle_min", &one));
    CHECK(near(one, -1.5707963, 1e-5));
    CHECK(touchline_value(sensors, c, "ranges", &one) == TOUCHLINE_STATUS_WRONG_FORMAT);
    CHECK(touchline_value(sensors, c, "range", &one) == TOUCHLINE_STATUS_NOT_FOUND);
    CHECK(has(touchline_last_error(client), "ranges"));
    TouchlineSighting ball;
    CHECK(touchline_ball(sensors, c, &ball) == TOUCHLINE_STATUS_WRONG_FORMAT);
    const TouchlineFeature nothing = {77, 0};
    CHECK(touchline_ball(sensors, nothing, &ball) == TOUCHLINE_STATUS_NOT_FOUND);
    touchline_close(client);
    /* Sensors outlive their client, and so does the reason. */
    CHECK(touchline_value(sensors, c, "range", &one) == TOUCHLINE_STATUS_NOT_FOUND);
    CHECK(has(touchline_sensors_last_error(sensors), "ranges"));
    touchline_sensors_free(sensors);
}

/* An integer in its field's unit, by the rules of docs/protocol.md. */
static double decoded(const TouchlineField *field, uint32_t count) {
    const uint32_t top = field->is_signed ? 0x7fffffffu : 0xffffffffu;
    const uint32_t bottom = field->is_signed ? 0x80000000u : 0xfffffffeu;
    if (count == top) return INFINITY;
    if (count == bottom) return -INFINITY;
    return (field->is_signed ? (double)(int32_t)count : (double)count) * field->scale;
}

/* P4: the typed data objects are the integers, decoded; for every field of every sensor, and for every struct. */
static void typed_is_raw_decoded(Server *server) {
    TouchlineClient *client = join(server);
    TouchlineClient *other = join_at(server, "other", 2.0);
    talker = client;
    OK(touchline_place_robot(client, "other", 2.0, 0.0, 0.0));
    OK(touchline_place_ball(client, 0, 1.0, 0.1, 0.0, 0.0));
    OK(touchline_step(client, 1, NULL));
    TouchlineSensors *sensors = read_now(client);
    const TouchlineRobot *robot = touchline_robot(client);
    unsigned compared = 0;
    for (uint32_t s = 0; s < robot->sensor_count; ++s) {
        for (uint32_t f = 0; f < robot->sensors[s].feature_count; ++f) {
            const TouchlineFeatureInfo *feature = &robot->sensors[s].features[f];
            const TouchlineFeature which = {s, f};
            const uint32_t *quantised;
            size_t len, value_count;
            OK(touchline_quantised(sensors, which, &quantised, &len));
            CHECK(len == feature->integer_count);
            for (size_t i = 0; i < feature->field_count; ++i) {
                const TouchlineField *field = &feature->fields[i];
                double values[512];
                OK(touchline_values(sensors, which, field->name, values, 512, &value_count));
                CHECK(value_count == field->integer_count);
                for (size_t n = 0; n < value_count; ++n, ++compared) {
                    CHECK(values[n] == decoded(field, quantised[field->first + n]));
                }
            }
        }
    }
    CHECK(compared > 380);

    const uint32_t *quantised;
    size_t len;
    TouchlineSighting ball;
    const TouchlineFeature ball_feature = find(client, "ball");
    OK(touchline_quantised(sensors, ball_feature, &quantised, &len));
    OK(touchline_ball(sensors, ball_feature, &ball));
    CHECK(ball.seen && len == 2 && ball.distance_m == quantised[0] * 0.001 && ball.bearing_rad == (int32_t)quantised[1] * 1e-4);
    /* The camera sits 0.1 m in front of the robot's centre. */
    CHECK(near(ball.forward_m, 0.1 + ball.distance_m * cos(ball.bearing_rad), 1e-9));
    CHECK(near(ball.left_m, ball.distance_m * sin(ball.bearing_rad), 1e-9) && near(ball.forward_m, 1.0, 0.3));

    TouchlineOtherRobot robots[8];
    OK(touchline_other_robots(sensors, find(client, "robots"), robots, 8, &len));
    CHECK(len == 1 && robots[0].place.seen && near(robots[0].place.forward_m, 2.0, 0.6) && robots[0].team_index == 0);
    TouchlineGoal goals[2];
    OK(touchline_goals(sensors, find(client, "goals"), goals, 2, &len));
    CHECK(len == 2 && !goals[0].centre.seen && !goals[1].left_seen);
    TouchlineSighting posts[16];
    OK(touchline_posts(sensors, find(client, "posts"), posts, 16, &len));
    CHECK(len == 0);

    TouchlineScan scan;
    double ranges_m[361];
    const TouchlineFeature scan_feature = find(client, "180DegreeScan");
    OK(touchline_quantised(sensors, scan_feature, &quantised, &len));
    OK(touchline_scan(sensors, scan_feature, &scan, ranges_m, 361, &len));
    CHECK(scan.beam_count == 361 && len == 361 && scan.angle_min_rad == (int32_t)quantised[0] * 1e-6);
    for (size_t i = 0; i < len; ++i) {
        CHECK(ranges_m[i] == (quantised[i + 2] == 0xffffffffu ? INFINITY : quantised[i + 2] * 0.001));
    }

    OK(touchline_place_robot(client, NULL, -1.0, 0.5, 1.25));
    OK(touchline_step(client, 1, NULL));
    const TouchlineTruth truth = truth_of(client);
    CHECK(near(truth.x_m, -1.0, 1e-4) && near(truth.y_m, 0.5, 1e-4) && near(truth.theta_rad, 1.25, 1e-4));
    CHECK(truth.has_ball && near(truth.ball_x_m, 1.0, 1e-4) && near(truth.ball_y_m, 0.1, 1e-4));
    touchline_sensors_free(sensors);
    touchline_close(other);
    touchline_close(client);
}

/* W6: two clients talk over the radio. */
static void talks(Server *server) {
    TouchlineClient *a = join_at(server, "alpha", -1.0);
    TouchlineClient *b = join_at(server, "beta", 1.0);
    TouchlineMessages *messages;
    OK(touchline_say(a, "the \"ball\" is mine \xe2\x80\x93 all of it"));
    OK(touchline_step(a, 2, NULL));
    talker = b;
    OK(touchline_hear(b, &messages));
    CHECK(touchline_messages_count(messages) == 1 && touchline_messages_at(messages, 1) == NULL);
    const TouchlineMessage *message = touchline_messages_at(messages, 0);
    CHECK(strcmp(message->text, "the \"ball\" is mine \xe2\x80\x93 all of it") == 0);
    CHECK(strcmp(message->from_name, "alpha") == 0 && message->from == touchline_robot(a)->number);
    touchline_messages_free(messages);
    OK(touchline_hear(b, &messages));
    CHECK(touchline_messages_count(messages) == 0);
    touchline_messages_free(messages);
    CHECK(touchline_say(a, "\xff") == TOUCHLINE_STATUS_BAD_ARGUMENT);
    touchline_close(a);
    touchline_close(b);
}

/* C9: what the server takes as an annotation, and what it does not. */
static void annotates(Server *server) {
    TouchlineClient *client = join(server);
    const TouchlinePen pen = {TOUCHLINE_FRAME_WORLD, "#ff8000"};
    const TouchlinePoint points[3] = {{0.0, 0.0}, {1.0, 0.5}, {0.5, 1e-9}};
    OK(touchline_annotate(client, "belief", "{\"x_m\": 1.5, \"of\": [\"me\", null]}"));
    OK(touchline_draw_point(client, "point", points[1], NULL));
    OK(touchline_draw_line(client, "line", points, 2, &pen));
    OK(touchline_draw_circle(client, "circle", points[1], 0.25, &pen));
    OK(touchline_draw_polygon(client, "polygon", points, 3, &pen));
    OK(touchline_draw_text(client, "text", points[0], "a \"quote\",\n a \\ and an \xc3\xa9", &pen));
    CHECK(touchline_annotate(client, "bad", "{\"open\":") == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(client), "board/bad-json") == 0);
    CHECK(touchline_annotate(client, "bad", "{\n}") == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(strcmp(touchline_last_error_code(client), "") == 0);
    CHECK(touchline_draw_line(client, "line", points, 1, &pen) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(touchline_draw_circle(client, "circle", points[0], NAN, &pen) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    const TouchlinePen foreign = {7, NULL};
    CHECK(touchline_draw_point(client, "point", points[0], &foreign) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    touchline_close(client);
}

/* R5: the kicker accelerates the ball. */
static void kicks(Server *server) {
    TouchlineClient *client = join(server);
    OK(touchline_place_ball(client, 0, 0.37, 0.0, 0.0, 0.0));
    OK(touchline_manipulate(client, "kicker", "kick", 0.5));
    OK(touchline_step(client, 5, NULL));
    const TouchlineTruth truth = truth_of(client);
    CHECK(truth.has_ball && truth.ball_velocity_x_m_s > 1.0 && near(truth.ball_velocity_y_m_s, 0.0, 0.1));
    CHECK(touchline_manipulate(client, "kicker", "sing", 1.0) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(client), "sim/no-such-state") == 0);
    touchline_close(client);
}

/* C6: what an operator may do; and that a player may not. */
static void controls_the_world(Server *server) {
    TouchlineClient *client = join(server);
    uint64_t step = 0;
    OK(touchline_set_score(client, "yellow", 3));
    TouchlineAnswer *answer;
    OK(touchline_ask(client, "SCORE", &answer));
    CHECK(touchline_answer_line_count(answer) == 2 && has(touchline_answer_line(answer, 1), "goals=3"));
    touchline_answer_free(answer);
    OK(touchline_speed(client, 2.0));
    OK(touchline_pause(client));
    OK(touchline_ask(client, "STATUS", &answer));
    CHECK(strcmp(touchline_answer_field(answer, "paused"), "1") == 0);
    CHECK(touchline_answer_field(answer, "nothing") == NULL && touchline_answer_line(answer, 0) == NULL);
    touchline_answer_free(answer);
    OK(touchline_resume(client));
    OK(touchline_speed(client, INFINITY));
    OK(touchline_speed(client, 0.0));
    CHECK(touchline_speed(client, -1.0) == TOUCHLINE_STATUS_REFUSED);
    OK(touchline_step(client, 3, &step));
    CHECK(step >= 3);
    OK(touchline_reset(client));
    OK(touchline_step(client, 1, &step));
    CHECK(step == 1);
    CHECK(touchline_referee(client, "KICKOFF blue") == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(client), "sim/no-referee") == 0);
    CHECK(touchline_place_robot(client, "nobody", 0.0, 0.0, 0.0) == TOUCHLINE_STATUS_REFUSED);

    TouchlineOptions options = options_for(server, "player");
    options.x_m = -2.0;
    options.role = TOUCHLINE_ROLE_PLAYER;
    TouchlineClient *player;
    OK(touchline_connect(&options, &player));
    CHECK(touchline_pause(player) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(player), "board/role") == 0);
    touchline_close(player);
    touchline_close(client);
}

/* C1: any line; and none that would leave the connection out of step. */
static void asks_anything(Server *server) {
    TouchlineClient *client = join(server);
    const char *const bad[] = {"", "  ", "#tag", "A\nB", "ROBOT x lines=.", "robot x lines=1 file=pioneer"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK(touchline_ask(client, bad[i], NULL) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    }
    CHECK(touchline_ask(client, "FLY", NULL) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(client), "board/unknown-command") == 0);
    OK(touchline_ask(client, "#1 ROBOT second x=-2 y=0 file=pioneer", NULL));
    TouchlineAnswer *answer;
    OK(touchline_ask(client, "LIST", &answer));
    CHECK(touchline_answer_line_count(answer) == 2);
    touchline_answer_free(answer);
    touchline_close(client);
}

/* C4: the container is kept fresh by itself, pulled or pushed; a selection chooses. */
static void pushes(Server *server) {
    for (int push = 0; push < 2; ++push) {
        TouchlineOptions options = options_for(server, "pushed");
        options.push = push == 1;
        options.cycle_ms = 2;
        options.selection = " feature=ball  truth ";
        TouchlineClient *client;
        OK(touchline_connect(&options, &client));
        talker = client;
        OK(touchline_speed(client, INFINITY));
        TouchlineStamp first, second;
        TouchlineSensors *sensors;
        OK(touchline_next_sensors(client, 5000, &sensors));
        OK(touchline_sensors_stamp(sensors, &first));
        touchline_sensors_free(sensors);
        OK(touchline_next_sensors(client, 5000, &sensors));
        OK(touchline_sensors_stamp(sensors, &second));
        CHECK(second.updates > first.updates && second.step >= first.step);
        TouchlineSighting ball;
        TouchlineOdometry odometry;
        OK(touchline_ball(sensors, find(client, "ball"), &ball));
        CHECK(touchline_odometry(sensors, find(client, "odometry"), &odometry) == TOUCHLINE_STATUS_NO_READING);
        CHECK(has(touchline_last_error(client), "odometry.odometry"));
        touchline_sensors_free(sensors);
        OK(touchline_latest_sensors(client, &sensors));
        touchline_sensors_free(sensors);
        OK(touchline_speed(client, 0.0));
        touchline_close(client);
    }
    /* Nobody reads: nothing comes, and the wait ends. */
    TouchlineClient *client = join(server);
    TouchlineSensors *sensors = NULL;
    CHECK(touchline_next_sensors(client, 10, &sensors) == TOUCHLINE_STATUS_TIMEOUT && sensors == NULL);
    OK(touchline_latest_sensors(client, &sensors));
    TouchlineStamp stamp;
    OK(touchline_sensors_stamp(sensors, &stamp));
    CHECK(stamp.updates == 0);
    touchline_sensors_free(sensors);
    touchline_close(client);
}

int main(int argc, char **argv) {
    static const Test tests[] = {
        TEST(describes), TEST(drives_and_reads), TEST(reads_by_what_it_is), TEST(typed_is_raw_decoded),
        TEST(talks), TEST(annotates), TEST(kicks), TEST(controls_the_world), TEST(asks_anything),
        TEST(pushes),
    };
    return run_test(tests, sizeof tests / sizeof *tests, argc, argv);
}
