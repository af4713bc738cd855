/* What goes wrong, and threads: the C client against the built server. [C2, C8, R1] */

#define _POSIX_C_SOURCE 200809L

#include "tester.h"

#include <pthread.h>

/* C2: connecting fails with a reason, and leaves nothing behind. */
static void refuses_what_is_wrong(Server *server) {
    TouchlineClient *client = NULL;
    TouchlineOptions options = options_for(server, "bad name");
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_REFUSED && client == NULL);
    options = options_for(server, "tester");
    options.robot_text = NULL;
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(has(touchline_last_error(NULL), "robot_file"));
    options.robot_file = "no/such/robot.toml";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_ROBOT_FILE);
    CHECK(has(touchline_last_error(NULL), "no/such/robot.toml"));
    options.robot_named = "pioneer";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options.robot_file = NULL;
    options.robot_named = "pioner";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(NULL), "board/no-such-file") == 0);
    options = options_for(server, "tester");
    options.selection = "sonar";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_REFUSED);
    CHECK(has(touchline_last_error(NULL), "camera.ball"));
    options.selection = "colour=red";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options = options_for(server, "tester");
    options.role = 9;
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options = options_for(server, "tester");
    options.y_m = NAN;
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options = options_for(server, "tester");
    options.team = "green";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_REFUSED);
    options = options_for(server, "tester");
    options.struct_size = 0;
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(has(touchline_last_error(NULL), "touchline_options_init"));

    TouchlineClient *there = join(server);
    CHECK(touchline_twist(there, 0.0, 0.5, 0.0) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(there), "sim/no-such-velocity") == 0);
    CHECK(touchline_twist(there, NAN, 0.0, 0.0) == TOUCHLINE_STATUS_REFUSED);
    const double command[3] = {0.0, 0.0, 0.0};
    CHECK(touchline_drive(there, command, 3) == TOUCHLINE_STATUS_REFUSED);
    CHECK(strcmp(touchline_last_error_code(there), "sim/wrong-dimensions") == 0);
    CHECK(touchline_drive(there, NULL, 0) == TOUCHLINE_STATUS_REFUSED);
    OK(touchline_twist(there, 0.1, 0.0, 0.0));
    touchline_close(there);

    server_stop(server);
    options = options_for(server, "tester");
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_NO_SERVER && client == NULL);
    CHECK(has(touchline_last_error(NULL), server->address));
    options.address = "no address";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_NO_SERVER);
}

/* R1: everything that is wrong with a robot file, each with its place. */
static void tells_all_problems_of_a_robot_file(Server *server) {
    TouchlineClient *client = NULL;
    TouchlineOptions options = options_for(server, "tester");
    options.robot_text = "model = \"x\"\nmas_kg = 10.0\nbody = [{ shape = \"circle\", radius_m = 0.2 }]\n"
                         "[motion]\nplugin = \"diferential\"\n";
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_REFUSED && client == NULL);
    const char *why = touchline_last_error(NULL);
    CHECK(strcmp(touchline_last_error_code(NULL), "config/bad-file") == 0);
    CHECK(has(why, "PROBLEM line=2 column=1 code=config/unknown-key") && has(why, "mass_kg"));
    CHECK(has(why, "PROBLEM line=5 column=10 code=plugin/not-found") && has(why, "differential"));
}

static void *wait_for_sensors(void *client) {
    TouchlineSensors *sensors = NULL;
    const TouchlineStatus status = touchline_next_sensors(client, 60000, &sensors);
    CHECK(sensors == NULL);
    /* The reason belongs to this thread. */
    if (status == TOUCHLINE_STATUS_CLOSED) CHECK(strlen(touchline_last_error(client)) > 0);
    return status == TOUCHLINE_STATUS_CLOSED ? client : NULL;
}

/* A server that goes wakes those who wait, and every later call says so. */
static void server_goes_while_waiting(Server *server) {
    TouchlineClient *client = join(server);
    pthread_t thread;
    void *result = NULL;
    CHECK(pthread_create(&thread, NULL, wait_for_sensors, client) == 0);
    server_stop(server);
    CHECK(pthread_join(thread, &result) == 0 && result == client);
    CHECK(touchline_last_error(client)[0] == '\0');
    CHECK(touchline_twist(client, 0.0, 0.0, 0.0) == TOUCHLINE_STATUS_CLOSED);
    TouchlineSensors *sensors = NULL;
    CHECK(touchline_read_sensors(client, &sensors) == TOUCHLINE_STATUS_CLOSED && sensors == NULL);
    touchline_close(client);
}

static void disconnect_wakes(Server *server) {
    TouchlineClient *client = join(server);
    pthread_t thread;
    void *result = NULL;
    CHECK(pthread_create(&thread, NULL, wait_for_sensors, client) == 0);
    OK(touchline_disconnect(client));
    CHECK(pthread_join(thread, &result) == 0 && result == client);
    CHECK(touchline_say(client, "hello") == TOUCHLINE_STATUS_CLOSED);
    OK(touchline_disconnect(client));
    touchline_close(client);
}

/* NULL is an error with a name, or nothing at all; never a crash. */
static void null_is_an_error(Server *server) {
    TouchlineClient *client = join(server);
    TouchlineSensors *sensors = read_now(client);
    const TouchlineFeature ball_feature = find(client, "ball");
    const TouchlineStatus null = TOUCHLINE_STATUS_NULL_ARGUMENT;
    TouchlineSighting ball;
    double value;
    size_t len;
    CHECK(touchline_options_init(NULL, 8) == null);
    TouchlineClient *none = client;
    CHECK(touchline_connect(NULL, &none) == null && none == NULL);
    TouchlineOptions options = options_for(server, "third");
    CHECK(touchline_connect(&options, NULL) == null);
    options.address = NULL;
    CHECK(touchline_connect(&options, &none) == null && none == NULL);
    CHECK(has(touchline_last_error(NULL), "options.address is NULL"));
    CHECK(touchline_twist(NULL, 0, 0, 0) == null && touchline_forward(NULL, 0) == null && touchline_turn(NULL, 0) == null);
    CHECK(touchline_drive(NULL, NULL, 0) == null && touchline_drive(client, NULL, 2) == null);
    CHECK(touchline_manipulate(NULL, "a", "b", 1) == null && touchline_manipulate(client, NULL, "b", 1) == null);
    CHECK(touchline_say(NULL, "a") == null && touchline_say(client, NULL) == null && touchline_hear(client, NULL) == null);
    CHECK(touchline_annotate(client, NULL, "1") == null && touchline_annotate(client, "k", NULL) == null);
    CHECK(touchline_draw_line(client, "k", NULL, 2, NULL) == null);
    CHECK(touchline_next_sensors(NULL, 1, &sensors) == null && touchline_next_sensors(client, 1, NULL) == null);
    CHECK(touchline_find(client, NULL, NULL, NULL, NULL) == null);
    CHECK(touchline_find_all(client, NULL, NULL, NULL, NULL, 2, &len) == null);
    CHECK(touchline_ball(NULL, ball_feature, &ball) == null && touchline_ball(sensors, ball_feature, NULL) == null);
    CHECK(has(touchline_last_error(NULL), "sensors is NULL"));
    CHECK(touchline_value(sensors, ball_feature, NULL, &value) == null);
    CHECK(touchline_values(sensors, ball_feature, "distance", &value, 1, NULL) == null);
    CHECK(touchline_quantised(sensors, ball_feature, NULL, &len) == null);
    CHECK(touchline_sensors_stamp(sensors, NULL) == null && touchline_clock(client, NULL) == null);
    CHECK(touchline_ask(NULL, "STATUS", NULL) == null && touchline_ask(client, NULL, NULL) == null);
    CHECK(touchline_pause(NULL) == null && touchline_step(NULL, 1, NULL) == null && touchline_disconnect(NULL) == null);
    CHECK(touchline_set_score(client, NULL, 1) == null && touchline_referee(client, NULL) == null);
    CHECK(touchline_robot(NULL) == NULL && touchline_now_s(NULL) == 0.0);
    CHECK(touchline_messages_count(NULL) == 0 && touchline_messages_at(NULL, 0) == NULL);
    CHECK(touchline_answer_line_count(NULL) == 0 && touchline_answer_field(NULL, "k") == NULL);
    CHECK(has(touchline_status_text(99), "unknown") && has(touchline_status_text(null), "NULL"));
    touchline_sensors_free(NULL);
    touchline_messages_free(NULL);
    touchline_answer_free(NULL);
    touchline_close(NULL);
    touchline_sensors_free(sensors);
    touchline_close(client);
}

static void *drive_to_and_fro(void *client) {
    for (int i = 0; i < 100; ++i) {
        CHECK(touchline_twist(client, i % 2 ? 0.1 : -0.1, 0.0, 0.0) == TOUCHLINE_STATUS_OK);
        TouchlineSensors *sensors;
        CHECK(touchline_read_sensors(client, &sensors) == TOUCHLINE_STATUS_OK);
        touchline_sensors_free(sensors);
        CHECK(touchline_manipulate(client, "kicker", "sing", 1.0) == TOUCHLINE_STATUS_REFUSED);
        CHECK(strcmp(touchline_last_error_code(client), "sim/no-such-state") == 0);
    }
    return client;
}

static void *ask_and_fail(void *client) {
    for (int i = 0; i < 100; ++i) {
        CHECK(touchline_ask(client, "STATUS", NULL) == TOUCHLINE_STATUS_OK);
        CHECK(touchline_ask(client, "FLY", NULL) == TOUCHLINE_STATUS_REFUSED);
        CHECK(strcmp(touchline_last_error_code(client), "board/unknown-command") == 0);
    }
    return client;
}

/* Two threads share a client: every answer and every reason finds its thread. */
static void two_threads_one_client(Server *server) {
    TouchlineClient *client = join(server);
    pthread_t a, b;
    CHECK(pthread_create(&a, NULL, drive_to_and_fro, client) == 0);
    CHECK(pthread_create(&b, NULL, ask_and_fail, client) == 0);
    CHECK(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0);
    touchline_close(client);
}

/* C8: two clients at once, each in a thread of its own, from beginning to end. */
static const Server *shared_server;

static void *live(void *name) {
    TouchlineOptions options = options_for(shared_server, name);
    options.has_pose = false;
    TouchlineClient *client;
    CHECK(touchline_connect(&options, &client) == TOUCHLINE_STATUS_OK);
    drive_to_and_fro(client);
    touchline_close(client);
    return name;
}

static void two_clients_two_threads(Server *server) {
    shared_server = server;
    pthread_t a, b;
    char one[] = "one", two[] = "two";
    CHECK(pthread_create(&a, NULL, live, one) == 0 && pthread_create(&b, NULL, live, two) == 0);
    CHECK(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0);
}

int main(int argc, char **argv) {
    static const Test tests[] = {
        TEST(refuses_what_is_wrong), TEST(tells_all_problems_of_a_robot_file),
        TEST(server_goes_while_waiting), TEST(disconnect_wakes), TEST(null_is_an_error),
        TEST(two_threads_one_client), TEST(two_clients_two_threads),
    };
    return run_test(tests, sizeof tests / sizeof *tests, argc, argv);
}
