/* A robot joins the running match, chases the ball, and leaves when the program ends.
 *
 *     chase_ball [--addr 127.0.0.1:7050] [--for SECONDS] [--robot FILE] [--name NAME]
 *
 * Without --robot it is the server's own "pioneer". */

#include <touchline/client.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const TouchlineClient *client) {
    fprintf(stderr, "chase_ball: %s\n", touchline_last_error(client));
    return 1;
}

static int chase(TouchlineClient *robot, double end_s) {
    TouchlineFeature ball_feature;
    if (touchline_find(robot, NULL, NULL, "ball", &ball_feature) != TOUCHLINE_STATUS_OK) return failed(robot);
    unsigned sightings = 0;
    double side = 1.0;
    while (touchline_now_s(robot) < end_s) {
        TouchlineSensors *sensors;
        TouchlineSighting ball;
        if (touchline_next_sensors(robot, 5000, &sensors) != TOUCHLINE_STATUS_OK) return failed(robot);
        TouchlineStatus status = touchline_ball(sensors, ball_feature, &ball);
        touchline_sensors_free(sensors);
        if (status == TOUCHLINE_STATUS_NO_READING) continue;
        if (status != TOUCHLINE_STATUS_OK) return failed(robot);
        if (!ball.seen) {
            /* Turn to where the ball was last. */
            status = touchline_twist(robot, 0.0, 0.0, 2.0 * side);
        } else {
            ++sightings;
            const double direction_rad = atan2(ball.left_m, ball.forward_m);
            side = direction_rad < 0.0 ? -1.0 : 1.0;
            /* The less it looks at the ball, the slower it drives. */
            status = touchline_twist(robot, 0.8 * fmax(0.0, cos(direction_rad)), 0.0, 2.0 * direction_rad);
            if (status == TOUCHLINE_STATUS_OK) {
                const TouchlinePen orange = {.frame = TOUCHLINE_FRAME_ROBOT, .colour = "#ff8000"};
                const TouchlinePoint target = {ball.forward_m, ball.left_m};
                status = touchline_draw_point(robot, "target", target, &orange);
            }
        }
        if (status != TOUCHLINE_STATUS_OK) return failed(robot);
    }
    printf("saw the ball %u times; leaving\n", sightings);
    return 0;
}

int main(int argc, char **argv) {
    TouchlineOptions options;
    touchline_options_init(&options, sizeof options);
    options.name = "chaser";
    options.robot_named = "pioneer";
    double seconds = INFINITY;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--addr") == 0) {
            options.address = argv[i + 1];
        } else if (strcmp(argv[i], "--for") == 0) {
            seconds = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--robot") == 0) {
            options.robot_file = argv[i + 1];
            options.robot_named = NULL;
        } else if (strcmp(argv[i], "--name") == 0) {
            options.name = argv[i + 1];
        } else {
            argc = 0;
        }
    }
    if (argc % 2 == 0) {
        fprintf(stderr, "usage: chase_ball [--addr HOST:PORT] [--for SECONDS] [--robot FILE] [--name NAME]\n");
        return 2;
    }
    TouchlineClient *client;
    if (touchline_connect(&options, &client) != TOUCHLINE_STATUS_OK) return failed(NULL);
    const TouchlineRobot *robot = touchline_robot(client);
    printf("%s is robot %u; it takes %zu numbers and has %zu sensors\n", robot->name, (unsigned)robot->number,
           robot->dimension_count, robot->sensor_count);
    const int code = chase(client, touchline_now_s(client) + seconds);
    touchline_close(client);
    return code;
}
