// The C++ wrapper against the built server: one test for each name on the command line. [C8, C9, P5]

#include <touchline/client.hpp>
#include <touchline/localisation.hpp>

#include "server.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>
#include <type_traits>

namespace {

using touchline::Query;

touchline::Options options_for(const Server &server, const std::string &name) {
    touchline::Options options;
    options.address = server.address;
    options.name = name;
    options.team = "blue";
    options.robot_file = repository("clients/c/tests/tester.toml");
    options.role = TOUCHLINE_ROLE_OPERATOR;
    options.cycle = std::chrono::milliseconds(0);
    // The ball lies in the middle of the room.
    options.pose = touchline::Pose{0.0, 1.2, 0.0};
    return options;
}

// The error of this kind that a call throws; its absence is a failure.
template <typename E, typename F> E thrown(F call) {
    try {
        call();
    } catch (const E &error) {
        CHECK(std::strlen(error.what()) > 0);
        return error;
    }
    CHECK(!"it was thrown");
    std::abort();
}

bool near(double a, double b, double by) { return a == b || std::abs(a - b) <= by; }

// C8: everything once, through the wrapper.
void plays_a_little(Server &server) {
    const touchline::Client robot(options_for(server, "tester"));
    CHECK(robot.robot().name() == "tester" && robot.robot().team() == "blue" && robot.robot().team_index() == 0u);
    CHECK(robot.robot().number() == touchline_robot(robot.get())->number);
    CHECK(near(robot.robot().radius_m(), 0.22, 1e-6));
    CHECK(robot.robot().dimensions().size() == 2 && !robot.robot().motion_data().empty());
    std::size_t integers = 0;
    for (const auto &sensor : robot.robot().sensors())
        for (const auto &feature : touchline::features(sensor))
            for (const auto &field : touchline::fields(feature)) integers += field.integer_count;
    CHECK(integers > 380);
    for (const auto &part : robot.robot().manipulators()) CHECK(touchline::states(part).size() == 2);
    CHECK(robot.clock().delay_s >= 0.0 && robot.now_s() > 0.0);

    const auto ball_feature = robot.find(Query().feature("ball").type("camera"));
    const auto truth_feature = robot.find(Query().model("all-knowing"));
    CHECK(robot.find_all(Query().type("camera")).size() == 4 && robot.find_all(Query().type("sonar")).empty());
    robot.place_ball(0, {1.0, 0.0});
    robot.place_robot({0.0, 0.0, 0.0});
    const auto step = robot.step(2);
    const auto sensors = robot.read_sensors();
    CHECK(sensors.stamp().step == step);
    const auto ball = sensors.ball(ball_feature);
    CHECK(sensors.stamp_s(ball_feature) == sensors.stamp().stamp_s);
    CHECK(ball.has_value() && near(ball->forward_m, 1.0, 0.3));
    CHECK(near(sensors.value(ball_feature, "distance"), ball->distance_m, 0.0));
    CHECK(sensors.quantised(ball_feature).size() == 2 && sensors.quantised(ball_feature)[0] * 0.001 == ball->distance_m);
    // A real camera that has seen the same fills the same container.
    const auto described = touchline::Sensors::described("OK DESCRIBE robot=0 name=r radius_m=0.2 lines=4\n"
                                                         "SENSOR eye model=M type=camera plugin=camera x_m=0 y_m=0 z_m=0 theta_rad=0\n"
                                                         "FEATURE ball\n"
                                                         "FIELD distance unit=m scale=0.001 signed=0 shape=scalar\n"
                                                         "FIELD bearing unit=rad scale=0.0001 signed=1 shape=scalar\n");
    const auto seen = described.find(Query().feature("ball").type("camera"));
    const auto real = described.filled(seen, {ball->distance_m, sensors.value(ball_feature, "bearing")}, 3.5);
    CHECK(real.quantised(seen) == sensors.quantised(ball_feature) && real.stamp_s(seen) == 3.5);
    const auto scan_feature = robot.find(Query().feature("180DegreeScan"));
    const auto scan = sensors.scan(scan_feature);
    CHECK(scan.ranges_m.size() == 361 && scan.ranges_m == sensors.values(scan_feature, "ranges"));
    CHECK(near(scan.angle_rad(180), 0.0, 1e-4));
    CHECK(near(sensors.truth(truth_feature).ball_x_m, 1.0, 1e-4));
    CHECK(near(sensors.odometry(robot.find(Query().feature("odometry"))).x_m, 0.0, 0.05));
    CHECK(sensors.goals(robot.find(Query().feature("goals"))).size() == 2);
    CHECK(sensors.posts(robot.find(Query().feature("posts"))).empty());
    CHECK(sensors.other_robots(robot.find(Query().feature("robots"))).empty());
    robot.place_ball(0, {-1.0, 0.0});
    robot.step();
    CHECK(!robot.read_sensors().ball(ball_feature).has_value());

    robot.twist(0.2, 0.0, 0.0);
    robot.forward(0.3);
    robot.turn(0.1);
    robot.drive({0.3, 0.0});
    robot.place_ball(0, {0.37, 0.0});
    robot.manipulate("kicker", "kick");
    robot.step(5);
    CHECK(robot.read_sensors().truth(truth_feature).ball_velocity_x_m_s > 2.0);
    robot.annotate("plan", "{\"go\": [1, 2]}");
    robot.draw_point("a", {1.0, 2.0});
    robot.draw_line("b", {{0.0, 0.0}, {1.0, 1.0}}, {"#ff0000", TOUCHLINE_FRAME_WORLD});
    robot.draw_circle("c", {0.0, 0.0}, 0.5);
    robot.draw_polygon("d", {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}});
    robot.draw_text("e", {0.0, 0.0}, "hello");

    auto second = options_for(server, "second");
    second.pose = std::nullopt;
    const touchline::Client other(second);
    robot.say("mine");
    robot.step(2);
    const auto heard = other.hear();
    CHECK(heard.size() == 1 && heard[0].text == "mine" && heard[0].from_name == "tester");
    CHECK(other.hear().empty());

    robot.pause();
    robot.resume();
    robot.speed(0.0);
    robot.set_score("yellow", 2);
    const auto score = robot.ask("SCORE");
    CHECK(score.field("phase").has_value() && !score.field("none").has_value() && score.lines().size() == 2);
    robot.place_robot({-1.0, 0.5, 0.0});
    robot.place_robot("second", {1.0, 0.5, 0.0});
    robot.reset();
    CHECK(robot.latest_sensors().stamp().updates > 0);
}

// P4: every shipped sensor's data as what it is; the numbers are those of the fields.
void reads_every_sensor(Server &server) {
    auto options = options_for(server, "tester");
    options.robot_file = std::nullopt;
    options.robot_text =
        "include = [\"parts/odometry.toml\", \"parts/sonar-pioneer.toml\", \"parts/omnivision.toml\", "
        "\"parts/compass.toml\", \"parts/bumper-scout.toml\", \"parts/image-perspective.toml\"]\n"
        "model = \"everything\"\nmass_kg = 10.0\nmotion = { plugin = \"differential\" }\n"
        "body = [{ shape = \"circle\", radius_m = 0.22 }]\n"
        "[[sensor]]\nid = \"iconic\"\nmodel = \"LMS200\"\nplugin = \"laser\"\nmount = { z_m = 0.3 }\n"
        "[sensor.params]\nfeatures = [\"obstacles\", \"pose\"]\n";
    options.pose = touchline::Pose{1.0, 0.5, 0.7};
    const touchline::Client robot(options);
    robot.step();
    const auto sensors = robot.read_sensors();
    const auto feature = [&robot](const char *name) { return robot.find(Query().feature(name)); };

    const auto heading_rad = sensors.compass(feature("compass"));
    CHECK(heading_rad == sensors.value(feature("compass"), "heading") && near(heading_rad, 0.7, 0.4));
    const auto sonar = sensors.sonar(feature("sonar"));
    const auto ranges = sensors.values(feature("sonar"), "ranges");
    CHECK(sonar.echoes.size() == ranges.size() && ranges.size() == 8 && sonar.opening_angle_rad > 0.1);
    for (std::size_t i = 0; i < ranges.size(); ++i) CHECK(sonar.echoes[i].range_m == ranges[i]);
    CHECK(sonar.echoes[0].theta_rad < -1.0 && sonar.echoes[7].theta_rad > 1.0 && sonar.echoes[0].y_m < 0.0);
    const auto bumper = sensors.bumper(feature("bumper"));
    CHECK(!bumper.empty() && bumper.size() == sensors.values(feature("bumper"), "pressed").size());
    for (const auto &part : bumper) CHECK(!part.pressed);
    const auto lines = sensors.lines(feature("lines"));
    CHECK(lines.scan_line_count == 72);
    std::size_t finite = 0;
    for (const double distance_m : sensors.values(feature("lines"), "distances")) finite += std::isfinite(distance_m);
    CHECK(lines.crossings.size() == finite && finite > 20);
    for (const auto &crossing : lines.crossings) CHECK(crossing.scan_line < 72 && crossing.distance_m < 8.0);
    CHECK(lines.angle_rad({71, 1.0}) > lines.angle_min_rad);
    const auto image = sensors.image(feature("image"));
    CHECK(image.width > 10 && image.pixels.size() == image.width * image.height);
    CHECK(image.pixels == sensors.quantised(feature("image")));
    const auto obstacles = sensors.obstacles(feature("obstacles"));
    const auto widths = sensors.values(feature("obstacles"), "width");
    CHECK(!obstacles.empty() && obstacles[0].place.seen && obstacles[0].width_m == widths[0]);
    const auto pose = sensors.field_pose(feature("pose"));
    if (pose) CHECK(std::isfinite(pose->x_m) && std::abs(pose->theta_rad) < 3.2);
    thrown<touchline::Error>([&] { sensors.compass(feature("sonar")); });
}

// L3: the robot is found from its own sensors; a bad table is an exception, and the localiser may outlive its client.
void localises(Server &server) {
    std::optional<touchline::Localiser> localiser;
    {
        const touchline::Client robot(options_for(server, "tester"));
        touchline::LocaliserOptions options;
        options.goals = {{-5.0, 0.0}, {5.0, 0.0}};
        options.posts = {{-5.0, -2.5}, {-5.0, 2.5}, {5.0, -2.5}, {5.0, 2.5},
                         {-5.0, -1.05}, {-5.0, 1.05}, {5.0, -1.05}, {5.0, 1.05}};
        localiser.emplace(robot, options);
        CHECK(localiser->samples().size() == 1000 && localiser->estimate().share < 0.2);
        const auto truth_feature = robot.find(Query().feature("truth"));
        int right = 0;
        for (int cycle = 0; cycle < 300 && right < 10; ++cycle) {
            robot.twist(0.15, 0.0, 0.8);
            robot.step(10);
            const auto sensors = robot.read_sensors();
            const auto pose = localiser->update(sensors).pose;
            const auto truth = sensors.truth(truth_feature);
            right = std::hypot(pose.x_m - truth.x_m, pose.y_m - truth.y_m) < 0.3 ? right + 1 : 0;
        }
        CHECK(right == 10);
        options.table_file = repository("worlds/empty.toml");
        thrown<touchline::Error>([&] { touchline::Localiser bad(robot, options); });
    }
    localiser->start_around({1.0, 1.0, 1.0}, 0.05, 0.05);
    CHECK(near(localiser->estimate().pose.x_m, 1.0, 0.1));
    localiser->start_anywhere();
    CHECK(localiser->estimate().share < 0.2);
    thrown<touchline::Error>([&] { localiser->start_around({NAN, 1.0, 1.0}, 0.05, 0.05); });
}

// Every failure is an exception of its kind, and a std::runtime_error.
void throws_what_went_wrong(Server &server) {
    static_assert(std::is_base_of_v<std::runtime_error, touchline::Refused>);
    auto options = options_for(server, "tester");
    options.robot_file = repository("clients/c/tests/wrong.toml");
    const auto wrong = thrown<touchline::Refused>([&] { touchline::Client client(options); });
    CHECK(wrong.code() == "config/bad-file" && wrong.status() == TOUCHLINE_STATUS_REFUSED);
    CHECK(std::strstr(wrong.what(), "PROBLEM line=3 column=1 code=config/unknown-key") != nullptr);
    options.robot_file = "no/such/file.toml";
    CHECK(thrown<touchline::Error>([&] { touchline::Client client(options); }).status() == TOUCHLINE_STATUS_ROBOT_FILE);

    const touchline::Client robot(options_for(server, "tester"));
    const auto missing = thrown<touchline::NotFound>([&] { robot.find(Query().feature("puck")); });
    CHECK(std::strstr(missing.what(), "camera.ball") != nullptr);
    CHECK(thrown<touchline::Refused>([&] { robot.drive({1.0}); }).code() == "sim/wrong-dimensions");
    CHECK(thrown<std::runtime_error>([&] { robot.twist(0.0, 1.0, 0.0); }).what() != nullptr);
    thrown<touchline::Timeout>([&] { robot.next_sensors(std::chrono::milliseconds(5)); });
    thrown<touchline::NoReading>([&] { robot.latest_sensors().ball(robot.find(Query().feature("ball"))); });
    const auto sensors = robot.read_sensors();
    thrown<touchline::Error>([&] { sensors.ball(robot.find(Query().type("laser"))); });
    server_stop(&server);
    thrown<touchline::Closed>([&] { robot.read_sensors(); });
    thrown<touchline::NoServer>([&] { touchline::Client client(options_for(server, "tester")); });
}

// C4: a slow cycle is waited for; a time that is given counts.
void waits_for_its_cycle(Server &server) {
    auto options = options_for(server, "tester");
    // Longer than the usual patience of 5 s.
    options.cycle = std::chrono::milliseconds(5500);
    const touchline::Client robot(options);
    const auto first = robot.next_sensors();
    thrown<touchline::Timeout>([&] { robot.next_sensors(std::chrono::milliseconds(5)); });
    CHECK(robot.next_sensors().stamp().updates > first.stamp().updates);
}

// RAII: the robot goes with its client, moves included, and sensors outlive both.
void ends_what_it_began(Server &server) {
    const touchline::Client watcher(options_for(server, "watcher"));
    const auto robots = [&] { return watcher.ask("LIST").lines().size(); };
    static_assert(!std::is_copy_constructible_v<touchline::Client> && std::is_move_constructible_v<touchline::Client>);
    std::optional<touchline::Sensors> kept;
    touchline::Feature truth_feature{};
    {
        auto options = options_for(server, "guest");
        options.pose = touchline::Pose{1.0, 1.0, 0.5};
        touchline::Client guest(options);
        touchline::Client moved(std::move(guest));
        CHECK(robots() == 2);
        truth_feature = moved.find(Query().feature("truth"));
        moved.step();
        kept.emplace(moved.read_sensors());
    }
    // The server sees the end of the connection when it sees it.
    while (robots() != 1) std::this_thread::yield();
    CHECK(near(kept->truth(truth_feature).theta_rad, 0.5, 1e-3));
    CHECK(std::strlen(thrown<touchline::NotFound>([&] { kept->value(truth_feature, "none"); }).what()) > 10);
}

// A thread that waits is woken; two clients live side by side.
void threads(Server &server) {
    const touchline::Client robot(options_for(server, "tester"));
    std::thread waiting([&robot] { thrown<touchline::Closed>([&] { robot.next_sensors(std::chrono::minutes(5)); }); });
    std::atomic<int> done{0};
    std::vector<std::thread> clients;
    for (const char *name : {"one", "two"}) {
        clients.emplace_back([&server, &done, name] {
            auto options = options_for(server, name);
            options.pose = std::nullopt;
            const touchline::Client client(options);
            const auto truth_feature = client.find(Query().feature("truth"));
            for (int i = 0; i < 50; ++i) {
                client.twist(0.0, 0.0, i % 2 ? 0.5 : -0.5);
                CHECK(client.read_sensors().truth(truth_feature).has_ball);
            }
            ++done;
        });
    }
    for (auto &client : clients) client.join();
    CHECK(done == 2);
    robot.disconnect();
    waiting.join();
}

} // namespace

int main(int argc, char **argv) {
    const char *const room = "worlds/empty.toml";
    struct {
        const char *name;
        void (*run)(Server &);
        const char *world;
    } const tests[] = {{"plays_a_little", plays_a_little, room},
                       {"reads_every_sensor", reads_every_sensor, "worlds/localisation.toml"},
                       {"localises", localises, "worlds/localisation.toml"},
                       {"throws_what_went_wrong", throws_what_went_wrong, room},
                       {"waits_for_its_cycle", waits_for_its_cycle, room},
                       {"ends_what_it_began", ends_what_it_began, room},
                       {"threads", threads, room}};
    for (const auto &test : tests) {
        if (argc == 2 && std::strcmp(argv[1], test.name) == 0) {
            Server server = server_start(test.world, "lockstep");
            try {
                test.run(server);
            } catch (const std::exception &error) {
                std::fprintf(stderr, "%s\n", error.what());
                return 1;
            }
            server_stop(&server);
            return 0;
        }
    }
    std::fprintf(stderr, "no such test\n");
    return 2;
}
