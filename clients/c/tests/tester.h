/* A client under test, and what the test programs share. */

#ifndef TOUCHLINE_TESTER_H
#define TOUCHLINE_TESTER_H

#include <touchline/client.h>

#include "server.h"

#include <math.h>
#include <string.h>

/* A robot with every kind of sensor of these tests; the parts are the server's. */
static const char ROBOT[] =
    "include = [\"parts/lms200.toml\", \"parts/camera.toml\", \"parts/odometry.toml\", \"parts/kicker.toml\"]\n"
    "model = \"tester\"\n"
    "mass_kg = 10.0\n"
    "motion = { plugin = \"differential\" }\n"
    "body = [{ shape = \"circle\", radius_m = 0.22 }]\n"
    "[[sensor]]\n"
    "id = \"truth\"\n"
    "model = \"all-knowing\"\n"
    "plugin = \"truth\"\n";

/* Whose errors are shown. */
static const TouchlineClient *talker;

#define OK(call)                                                                                        \
    do {                                                                                                \
        const TouchlineStatus ok_status = (call);                                                       \
        if (ok_status != TOUCHLINE_STATUS_OK) {                                                         \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, touchline_status_text(ok_status), \
                    touchline_last_error(talker));                                                      \
            exit(1);                                                                                    \
        }                                                                                               \
    } while (0)

static inline bool has(const char *text, const char *part) {
    if (strstr(text, part) != NULL) return true;
    fprintf(stderr, "\"%s\" is not in \"%s\"\n", part, text);
    return false;
}

static inline bool near(double a, double b, double by) {
    if (a == b || fabs(a - b) <= by) return true;
    fprintf(stderr, "%.12g is not %.12g\n", a, b);
    return false;
}

static inline TouchlineOptions options_for(const Server *server, const char *name) {
    TouchlineOptions options;
    CHECK(touchline_options_init(&options, sizeof options) == TOUCHLINE_STATUS_OK);
    options.address = server->address;
    options.name = name;
    options.team = "blue";
    options.robot_text = ROBOT;
    options.role = TOUCHLINE_ROLE_OPERATOR;
    options.cycle_ms = 0;
    options.has_pose = true;
    /* The ball lies in the middle of the room. */
    options.y_m = 1.2;
    return options;
}

static inline TouchlineClient *join_at(const Server *server, const char *name, double x_m) {
    TouchlineOptions options = options_for(server, name);
    options.x_m = x_m;
    TouchlineClient *client;
    talker = NULL;
    OK(touchline_connect(&options, &client));
    talker = client;
    return client;
}

/* One robot in the middle of the empty room, in lockstep; the ball is 1 m ahead of it. */
static inline TouchlineClient *join(const Server *server) {
    TouchlineClient *client = join_at(server, "tester", 0.0);
    OK(touchline_place_ball(client, 0, 1.0, 0.0, 0.0, 0.0));
    OK(touchline_place_robot(client, NULL, 0.0, 0.0, 0.0));
    return client;
}

static inline TouchlineSensors *read_now(const TouchlineClient *client) {
    TouchlineSensors *sensors;
    OK(touchline_read_sensors(client, &sensors));
    return sensors;
}

static inline TouchlineFeature find(const TouchlineClient *client, const char *feature) {
    TouchlineFeature found;
    OK(touchline_find(client, NULL, NULL, feature, &found));
    return found;
}

static inline TouchlineTruth truth_of(const TouchlineClient *client) {
    TouchlineSensors *sensors = read_now(client);
    TouchlineTruth truth;
    OK(touchline_truth(sensors, find(client, "truth"), &truth));
    touchline_sensors_free(sensors);
    return truth;
}

typedef struct Test {
    const char *name;
    void (*run)(Server *);
} Test;

#define TEST(name) {#name, name}

/* Runs the test that the command line names, with a server of its own. */
static inline int run_test_in(const char *world, const Test *tests, size_t count, int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < count; ++i) {
        if (strcmp(tests[i].name, argv[1]) == 0) {
            Server server = server_start(world, "lockstep");
            tests[i].run(&server);
            server_stop(&server);
            return 0;
        }
    }
    fprintf(stderr, "no such test\n");
    return 2;
}

static inline int run_test(const Test *tests, size_t count, int argc, char **argv) {
    return run_test_in("worlds/empty.toml", tests, count, argc, argv);
}

#endif
