/* Localisation from the client's own sensors, on the field of worlds/localisation.toml: one test for each name on the
 * command line. [L3] */

#include "tester.h"

#include <touchline/localisation.h>

static const TouchlinePoint GOALS[] = {{-5.0, 0.0}, {5.0, 0.0}};
static const TouchlinePoint POSTS[] = {{-5.0, -2.5}, {-5.0, 2.5}, {5.0, -2.5}, {5.0, 2.5},
                                       {-5.0, -1.05}, {-5.0, 1.05}, {5.0, -1.05}, {5.0, 1.05}};

static TouchlineLocaliserOptions by_landmarks(void) {
    TouchlineLocaliserOptions options;
    CHECK(touchline_localiser_options_init(&options, sizeof options) == TOUCHLINE_STATUS_OK);
    CHECK(options.sample_count == 1000 && options.table_file == NULL);
    options.goals = GOALS;
    options.goal_count = 2;
    options.posts = POSTS;
    options.post_count = 8;
    return options;
}

/* Drives round until the estimate has been right for a second; at most 30 s. */
static bool finds_itself(const TouchlineClient *client, const TouchlineLocaliser *localiser) {
    const TouchlineFeature truth_feature = find(client, "truth");
    int right = 0;
    for (int cycle = 0; cycle < 300 && right < 10; ++cycle) {
        OK(touchline_twist(client, 0.15, 0.0, 0.8));
        OK(touchline_step(client, 10, NULL));
        TouchlineSensors *sensors = read_now(client);
        TouchlineEstimate estimate;
        TouchlineTruth truth;
        OK(touchline_localiser_update(localiser, sensors, &estimate));
        OK(touchline_truth(sensors, truth_feature, &truth));
        touchline_sensors_free(sensors);
        const double off_m = hypot(estimate.pose.x_m - truth.x_m, estimate.pose.y_m - truth.y_m);
        const double off_rad = fabs(remainder(estimate.pose.theta_rad - truth.theta_rad, 2.0 * acos(-1.0)));
        right = off_m < 0.3 && off_rad < 0.3 ? right + 1 : 0;
    }
    return right == 10;
}

/* L3: it finds the robot, and finds it again after it was carried. */
static void by_a_map(Server *server) {
    TouchlineClient *client = join_at(server, "tester", 1.0);
    const TouchlineLocaliserOptions options = by_landmarks();
    TouchlineLocaliser *localiser;
    OK(touchline_localiser_new(client, &options, &localiser));
    CHECK(finds_itself(client, localiser));
    OK(touchline_place_robot(client, NULL, -3.0, -1.0, -2.0));
    CHECK(finds_itself(client, localiser));
    TouchlineEstimate estimate;
    OK(touchline_localiser_estimate(localiser, &estimate));
    CHECK(estimate.share > 0.3 && estimate.spread_m < 0.6);

    static TouchlinePose samples[1000];
    size_t len = 0;
    OK(touchline_localiser_samples(localiser, NULL, 0, &len));
    CHECK(len == 1000 && touchline_localiser_samples(localiser, samples, 999, &len) == TOUCHLINE_STATUS_TOO_SMALL);
    OK(touchline_localiser_samples(localiser, samples, 1000, &len));
    for (size_t i = 0; i < len; ++i) {
        CHECK(fabs(samples[i].x_m) <= 6.001 && fabs(samples[i].y_m) <= 3.001 && fabs(samples[i].theta_rad) < 3.1416);
    }
    const TouchlinePose start = {2.0, -1.0, 0.5};
    OK(touchline_localiser_start_around(localiser, start, 0.05, 0.05));
    OK(touchline_localiser_estimate(localiser, &estimate));
    CHECK(near(estimate.pose.x_m, 2.0, 0.1) && near(estimate.pose.theta_rad, 0.5, 0.1));
    OK(touchline_localiser_start_anywhere(localiser));
    OK(touchline_localiser_estimate(localiser, &estimate));
    CHECK(estimate.share < 0.2);
    touchline_close(client);
    talker = NULL;
    /* It may outlive its client. */
    OK(touchline_localiser_estimate(localiser, &estimate));
    touchline_localiser_free(localiser);
}

/* L1-L3: with what was learned of a robot with the same sensors. */
static void by_a_table(Server *server) {
    char table[] = "seeker.table";
    char *const learn[] = {getenv("TOUCHLINE_PROGRAM"), "train", "perception",
                           (char *)repository("worlds/localisation.toml"), "--robot", "seeker", "--features",
                           "goals,posts,180DegreeScan", "--cell", "0.25", "--headings", "24", "--out", table, NULL};
    CHECK(learn[0] != NULL && run_program(learn) == 0);
    TouchlineClient *client = join_at(server, "tester", 1.0);
    TouchlineLocaliserOptions options;
    OK(touchline_localiser_options_init(&options, sizeof options));
    options.table_file = table;
    TouchlineLocaliser *localiser;
    OK(touchline_localiser_new(client, &options, &localiser));
    CHECK(finds_itself(client, localiser));
    touchline_localiser_free(localiser);
    touchline_close(client);
    remove(table);
}

/* What is wrong is said, and crashes nothing. */
static void refuses_what_is_wrong(Server *server) {
    TouchlineClient *client = join_at(server, "tester", 1.0);
    TouchlineLocaliser *localiser;
    TouchlineLocaliserOptions options = by_landmarks();
    options.goal_count = options.post_count = 0;
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT && localiser == NULL);
    CHECK(has(touchline_last_error(client), "landmark"));
    options = by_landmarks();
    options.goals = NULL;
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_NULL_ARGUMENT);
    options = by_landmarks();
    options.high = options.low;
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options = by_landmarks();
    options.sigma_bearing_rad = -1.0;
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options = by_landmarks();
    options.table_file = "no/such.table";
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    options.table_file = repository("worlds/empty.toml");
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(has(touchline_last_error(client), "no perception table"));
    options = by_landmarks();
    options.struct_size = 1;
    CHECK(touchline_localiser_new(client, &options, &localiser) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(touchline_localiser_new(NULL, &options, &localiser) == TOUCHLINE_STATUS_NULL_ARGUMENT);

    options = by_landmarks();
    options.sample_count = 0;
    OK(touchline_localiser_new(client, &options, &localiser));
    CHECK(touchline_localiser_update(localiser, NULL, NULL) == TOUCHLINE_STATUS_NULL_ARGUMENT);
    TouchlineSensors *empty;
    OK(touchline_latest_sensors(client, &empty));
    TouchlineStamp stamp;
    OK(touchline_sensors_stamp(empty, &stamp));
    if (stamp.updates == 0) {
        CHECK(touchline_localiser_update(localiser, empty, NULL) == TOUCHLINE_STATUS_NO_READING);
        CHECK(has(touchline_localiser_last_error(localiser), "odometry"));
    }
    touchline_sensors_free(empty);
    const TouchlinePose nowhere = {NAN, 0.0, 0.0};
    CHECK(touchline_localiser_start_around(localiser, nowhere, 0.1, 0.1) == TOUCHLINE_STATUS_BAD_ARGUMENT);
    CHECK(touchline_localiser_estimate(NULL, NULL) == TOUCHLINE_STATUS_NULL_ARGUMENT);
    touchline_localiser_free(localiser);
    touchline_localiser_free(NULL);
    touchline_close(client);
}

int main(int argc, char **argv) {
    const Test tests[] = {TEST(by_a_map), TEST(by_a_table), TEST(refuses_what_is_wrong)};
    return run_test_in("worlds/localisation.toml", tests, sizeof tests / sizeof *tests, argc, argv);
}
