// A striker that plays alone: it finds the ball with its camera, gets behind it, and shoots beside the goalkeeper.
//
//     play [--addr 127.0.0.1:7050] [--robot omni3] [--team blue] [--name NAME] [--goals N] [--for SECONDS]
//          [--instead-of ROBOT] [--lockstep]
//
// It ends after so many goals, or so many simulated seconds. With --instead-of it takes the place of a robot that a
// built-in player drives; with --lockstep it makes the steps itself, and plays as fast as the computer can. Both need
// an operator, which anybody on the same machine may be. A robot that drives sideways swings round the ball while it
// faces it; any other (pioneer, scout) drives to a place behind the ball, turns, and takes a run. It sees the ball
// with a camera, and knows where it was while it looks elsewhere by its odometry.
//
//     touchline serve worlds/keeper.toml
//     play --instead-of attacker
//     play --instead-of attacker --robot pioneer

#include <touchline/client.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

namespace {

constexpr double PI = 3.14159265358979323846;
// The field is the league's of 2003: worlds/keeper.toml, worlds/f2000.toml.
constexpr double HALF_GOAL_M = 1.0;
constexpr double BALL_RADIUS_M = 0.11;
// The kicker's zone (robots/parts/kicker.toml), a little smaller: sensors have noise.
constexpr double REACH_M = 0.45;
constexpr double REACH_ASIDE_M = 0.12;
constexpr double RECHARGE_S = 1.0;
// How long a ball is where it was seen last; a goal stays where it is, but odometry drifts.
constexpr double BALL_MEMORY_S = 4.0;
constexpr double GOAL_MEMORY_S = 60.0;
// A ball that should be in view and is not has gone after this time.
constexpr double BALL_MISSED_S = 0.5;
// What a camera in front sees for certain.
constexpr double IN_VIEW_RAD = 0.3;
constexpr double IN_VIEW_M = 5.0;
// Who stays in one place for so long is stuck, and has so long to get out.
constexpr double STUCK_S = 2.0;
constexpr double ESCAPE_S = 0.7;
// After that it goes straight for a ball that is so near, for so long.
constexpr double KNOCK_S = 3.0;
constexpr double KNOCK_M = 1.5;
// Who has looked all round in vain goes on for so long.
constexpr double GO_ON_S = 1.5;
// The way to take a run.
constexpr double RUN_M = 0.5;

// A place in the robot's frame: x forward, y left, metres.
struct Vec {
    double x, y;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
Vec operator*(double f, Vec a) { return {f * a.x, f * a.y}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
double length(Vec a) { return std::hypot(a.x, a.y); }
double angle(Vec a) { return std::atan2(a.y, a.x); }
double wrap(double rad) { return std::remainder(rad, 2.0 * PI); }

// Where the robot believes to be.
struct Pose {
    Vec at{0.0, 0.0};
    double theta_rad = 0.0;
    Vec to_outer(Vec a) const { return at + turned(a, theta_rad); }
    Vec to_inner(Vec a) const { return turned(a - at, -theta_rad); }

private:
    static Vec turned(Vec a, double rad) {
        const double c = std::cos(rad), s = std::sin(rad);
        return {c * a.x - s * a.y, s * a.x + c * a.y};
    }
};

struct Settings {
    touchline::Options options;
    std::optional<std::string> instead_of;
    bool lockstep = false;
    unsigned goals = std::numeric_limits<unsigned>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

class Striker {
public:
    explicit Striker(const touchline::Client &client)
        : client_(client),
          ball_feature_(client.find(touchline::Query().feature("ball"))),
          goals_feature_(client.find(touchline::Query().feature("goals"))) {
        const auto team = client.robot().team_index();
        if (!team) throw std::runtime_error("a striker needs a team, to know its goal: --team");
        team_ = *team;
        circle_m_ = client.robot().radius_m() + BALL_RADIUS_M + 0.05;
        for (const auto &dimension : client.robot().dimensions()) {
            if (dimension.part == TOUCHLINE_PART_FORWARD) speed_m_s_ = dimension.max;
            if (dimension.part == TOUCHLINE_PART_TURN) turn_rad_s_ = dimension.max;
            if (dimension.part == TOUCHLINE_PART_LEFT) sideways_ = true;
        }
        if (speed_m_s_ <= 0.0 || turn_rad_s_ <= 0.0) throw std::runtime_error("it needs a robot that drives and turns");
        for (const auto &part : client.robot().manipulators())
            for (const auto *state : touchline::states(part))
                can_kick_ = can_kick_ || (part.name == std::string("kicker") && state == std::string("kick"));
        try {
            robots_feature_ = client.find(touchline::Query().feature("robots"));
        } catch (const touchline::NotFound &) {
            // Without eyes for the goalkeeper it shoots at the middle.
        }
        try {
            odometry_feature_ = client.find(touchline::Query().feature("odometry"));
        } catch (const touchline::NotFound &) {
            if (!sideways_) throw std::runtime_error("to take a run it has to know its way: the robot needs odometry");
        }
    }

    void act(const touchline::Sensors &sensors) {
        look(sensors);
        if (escapes()) return;
        if (now_s_ - ball_s_ > BALL_MEMORY_S || now_s_ - goal_s_ > GOAL_MEMORY_S) {
            search();
            return;
        }
        search_ = 0.0;
        const Vec ball = pose_.to_inner(last_ball_), goal = pose_.to_inner(last_goal_);
        const Vec aim = goal + aside(sensors, ball, goal);
        client_.draw_line("shot", {{ball.x, ball.y}, {aim.x, aim.y}}, {"#ff8000"});
        const bool has_ball = in_reach(ball);
        // The nearer the goal, the less it has to aim.
        const bool on_target = aim.x > 0.0 && std::abs(angle(aim)) < std::max(0.12, std::atan2(0.3, length(aim)));
        // There is no way behind a ball at a wall: it is knocked away from there.
        const bool knocks = now_s_ < knock_s_ && length(ball) < KNOCK_M;
        if (has_ball && (on_target || knocks) && can_kick_ && now_s_ - kick_s_ > RECHARGE_S) {
            client_.manipulate("kicker", "kick");
            kick_s_ = now_s_;
        }
        if (knocks && sideways_)
            swing(angle(ball), angle(ball));
        else if (knocks)
            drive(angle(ball), 1.0);
        else if (sideways_)
            swing(behind_ball(ball, aim), has_ball ? angle(aim) : angle(ball));
        else
            run_up(ball, aim, has_ball);
    }

private:
    // Takes down where ball and goal are, in the frame of the odometry: there they stay while the robot turns.
    void look(const touchline::Sensors &sensors) {
        now_s_ = sensors.stamp().sim_s;
        if (odometry_feature_) {
            const auto odometry = sensors.odometry(*odometry_feature_);
            pose_ = {{odometry.x_m, odometry.y_m}, odometry.theta_rad};
            turning_rad_s_ = odometry.turn_rad_s;
        }
        if (const auto ball = sensors.ball(ball_feature_)) {
            last_ball_ = pose_.to_outer({ball->forward_m, ball->left_m});
            ball_s_ = now_s_;
        } else {
            const Vec last = pose_.to_inner(last_ball_);
            const bool in_view = std::abs(angle(last)) < IN_VIEW_RAD && length(last) < IN_VIEW_M;
            if (in_view && now_s_ - ball_s_ > BALL_MISSED_S) ball_s_ = -100.0;
        }
        const auto goals = sensors.goals(goals_feature_);
        const std::size_t theirs = team_ == 0 ? 1 : 0;
        if (theirs < goals.size() && goals[theirs].centre.seen) {
            last_goal_ = pose_.to_outer({goals[theirs].centre.forward_m, goals[theirs].centre.left_m});
            goal_s_ = now_s_;
        }
    }

    // It turns to where it saw the ball last, and on all round; then it goes and looks from somewhere else.
    void search() {
        if (search_ == 0.0) {
            search_ = pose_.to_inner(last_ball_).y < 0.0 ? -0.5 : 0.5;
            search_s_ = now_s_;
        }
        running_ = false;
        const double round_s = 2.0 * PI / (0.5 * turn_rad_s_) + 0.5;
        if (std::fmod(now_s_ - search_s_, round_s + GO_ON_S) < round_s)
            client_.twist(0.0, 0.0, search_ * turn_rad_s_);
        else
            client_.twist(0.5 * speed_m_s_, 0.0, 0.0);
    }

    static bool in_reach(Vec ball) { return ball.x > 0.0 && ball.x < REACH_M && std::abs(ball.y) < REACH_ASIDE_M; }

    // Whether it gets itself out of where it has not moved for a while: it backs out, or the next time drives ahead.
    bool escapes() {
        const double turned_rad = std::abs(wrap(pose_.theta_rad - stood_.theta_rad));
        const bool moves = length(pose_.at - stood_.at) > 0.25 || turned_rad > 0.3;
        if (!odometry_feature_ || moves || now_s_ < escape_s_) {
            stood_ = pose_;
            stood_s_ = now_s_;
        } else if (now_s_ - stood_s_ > STUCK_S) {
            escape_s_ = now_s_ + ESCAPE_S;
            way_out_ = -way_out_;
            knock_s_ = escape_s_ + KNOCK_S;
        }
        if (now_s_ < escape_s_) client_.twist(0.6 * way_out_ * speed_m_s_, 0.0, 0.0);
        return now_s_ < escape_s_;
    }

    // From the goal's middle to the side that its keeper leaves free.
    Vec aside(const touchline::Sensors &sensors, Vec ball, Vec goal) const {
        if (!robots_feature_) return {0.0, 0.0};
        const Vec to_goal = goal - ball;
        const Vec left = (1.0 / std::max(length(to_goal), 1e-3)) * Vec{-to_goal.y, to_goal.x};
        for (const auto &other : sensors.other_robots(*robots_feature_)) {
            const Vec from_goal = Vec{other.place.forward_m, other.place.left_m} - goal;
            if (length(from_goal) < HALF_GOAL_M + 0.5) return (dot(from_goal, left) > 0.0 ? -0.6 : 0.6) * left;
        }
        return {0.0, 0.0};
    }

    // The direction that leads around the ball, then through it towards the target: beside the ball, on the side away
    // from the target, the more the further the robot is from being behind it.
    double behind_ball(Vec ball, Vec target) const {
        const double to_ball_rad = angle(ball);
        const double distance_m = length(ball);
        const double off_rad = wrap(angle(target - ball) - to_ball_rad);
        const double tangent_rad = distance_m > circle_m_ ? std::asin(circle_m_ / distance_m)
                                                          : PI / 2.0 + 0.8 * (1.0 - distance_m / circle_m_);
        return wrap(to_ball_rad - std::clamp(1.4 * off_rad, -tangent_rad, tangent_rad));
    }

    void swing(double direction_rad, double face_rad) const {
        const double speed_m_s = 0.8 * speed_m_s_;
        const double turn_rad_s = std::clamp(4.0 * face_rad, -turn_rad_s_, turn_rad_s_);
        client_.twist(speed_m_s * std::cos(direction_rad), speed_m_s * std::sin(direction_rad), turn_rad_s);
    }

    // To a place behind the ball, and from there through it. A run begins only from a good place, and is given up only
    // if the ball is missed.
    void run_up(Vec ball, Vec aim, bool has_ball) {
        const double off_rad = std::abs(wrap(angle(aim - ball) - angle(ball)));
        const double ball_rad = angle(ball);
        const double beside_m = length(ball) - circle_m_;
        const bool placed = running_ ? off_rad < 0.9 && std::abs(ball_rad) < 1.2
                                     : off_rad < 0.5 && std::abs(ball_rad) < 0.25 && std::abs(turning_rad_s_) < 1.0;
        running_ = placed;
        if (running_ && has_ball) {
            // The front keeps the ball: where it goes, the ball goes.
            drive(std::clamp(angle(aim), -0.5, 0.5), 1.0);
        } else if (running_) {
            drive(ball_rad + std::clamp(0.5 * wrap(behind_ball(ball, aim) - ball_rad), -0.3, 0.3), 0.8);
        } else if (beside_m < RUN_M + 0.3 && off_rad < 0.5 && (beside_m > -0.1 || std::abs(ball_rad) > 1.0)) {
            client_.twist(0.0, 0.0, turn_to(ball_rad));
        } else if (beside_m < 0.0 && std::abs(ball_rad) < 1.3) {
            client_.twist(-0.6 * speed_m_s_, 0.0, turn_to(ball_rad));
        } else {
            const Vec ahead = aim - ball;
            const Vec place = ball - ((circle_m_ + RUN_M) / std::max(length(ahead), 1e-3)) * ahead;
            drive(around(angle(place), length(place), ball), std::min(0.15 + 0.7 * length(place), 1.0));
        }
    }

    // Bends a direction around the ball, if that is in the way.
    double around(double direction_rad, double way_m, Vec ball) const {
        if (length(ball) > way_m) return direction_rad;
        const double half_rad = std::asin(std::min((circle_m_ + 0.05) / std::max(length(ball), 1e-3), 1.0));
        const double off_rad = wrap(direction_rad - angle(ball));
        if (std::abs(off_rad) >= half_rad) return direction_rad;
        return wrap(angle(ball) + (off_rad < 0.0 ? -half_rad : half_rad));
    }

    // Slower the more it has to turn; on the spot from about 70 degrees on.
    void drive(double direction_rad, double part) const {
        const double straight = std::max((std::cos(std::clamp(direction_rad, -1.22, 1.22)) - 0.35) / 0.65, 0.0);
        client_.twist(part * straight * speed_m_s_, 0.0, turn_to(direction_rad));
    }

    // It needs some time to stop turning, and would swing past.
    double turn_to(double direction_rad) const {
        return std::clamp(5.0 * (direction_rad - 0.12 * turning_rad_s_), -turn_rad_s_, turn_rad_s_);
    }

    const touchline::Client &client_;
    touchline::Feature ball_feature_, goals_feature_;
    std::optional<touchline::Feature> robots_feature_, odometry_feature_;
    std::uint32_t team_ = 0;
    double circle_m_ = 0.5, speed_m_s_ = 0.0, turn_rad_s_ = 0.0;
    bool can_kick_ = false, sideways_ = false, running_ = false;
    Pose pose_, stood_;
    double stood_s_ = 0.0, escape_s_ = 0.0, knock_s_ = 0.0, way_out_ = 1.0, search_ = 0.0, search_s_ = 0.0;
    double turning_rad_s_ = 0.0;
    Vec last_ball_{1.0, 0.0}, last_goal_{1.0, 0.0};
    double now_s_ = 0.0, ball_s_ = -100.0, goal_s_ = -100.0, kick_s_ = -100.0;
};

// The goals of the own team.
unsigned goals_of(const touchline::Client &client) {
    const std::string team = " " + std::string(*client.robot().team()) + " goals=";
    const auto score = client.ask("SCORE");
    for (const auto line : score.lines()) {
        const auto at = line.find(team);
        if (at == std::string_view::npos) continue;
        return static_cast<unsigned>(std::stoul(std::string(line.substr(at + team.size()))));
    }
    return 0;
}

int play(Settings settings) {
    auto &options = settings.options;
    if (settings.lockstep || settings.instead_of) options.role = TOUCHLINE_ROLE_OPERATOR;
    if (settings.lockstep) options.cycle = std::chrono::milliseconds(0);
    options.selection = "feature=ball feature=goals feature=robots feature=odometry";
    const touchline::Client client(options);
    if (settings.instead_of) client.ask("STOP " + *settings.instead_of);
    Striker striker(client);
    const unsigned before = goals_of(client);
    std::optional<double> begin_s;
    for (unsigned goals = 0;;) {
        if (settings.lockstep) client.step(3);
        const auto sensors = settings.lockstep ? client.read_sensors() : client.next_sensors();
        const double now_s = sensors.stamp().sim_s;
        if (!begin_s) begin_s = now_s;
        const unsigned scored = goals_of(client) - before;
        if (scored > goals) {
            goals = scored;
            std::cout << "goal " << goals << " after " << now_s - *begin_s << " s" << std::endl;
        }
        if (goals >= settings.goals) return 0;
        if (now_s - *begin_s >= settings.seconds) {
            std::cout << goals << " goals in " << settings.seconds << " s" << std::endl;
            return settings.goals == std::numeric_limits<unsigned>::max() ? 0 : 1;
        }
        striker.act(sensors);
    }
}

std::optional<Settings> settings(int argc, char **argv) {
    Settings settings;
    settings.options.name = "striker";
    settings.options.team = "blue";
    settings.options.robot_named = "omni3";
    settings.options.cycle = std::chrono::milliseconds(33);
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--lockstep") {
            settings.lockstep = true;
            continue;
        }
        if (i + 1 == argc) return std::nullopt;
        const std::string value = argv[++i];
        if (word == "--addr") settings.options.address = value;
        else if (word == "--robot") settings.options.robot_named = value;
        else if (word == "--team") settings.options.team = value;
        else if (word == "--name") settings.options.name = value;
        else if (word == "--instead-of") settings.instead_of = value;
        else if (word == "--goals") settings.goals = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        else if (word == "--for") settings.seconds = std::strtod(value.c_str(), nullptr);
        else return std::nullopt;
    }
    return settings;
}

} // namespace

int main(int argc, char **argv) {
    const auto chosen = settings(argc, argv);
    if (!chosen) {
        std::cerr << "usage: play [--addr HOST:PORT] [--robot NAME] [--team TEAM] [--name NAME] [--goals N]\n"
                     "            [--for SECONDS] [--instead-of ROBOT] [--lockstep]\n";
        return 2;
    }
    try {
        return play(*chosen);
    } catch (const std::exception &error) {
        std::cerr << "play: " << error.what() << '\n';
        return 1;
    }
}
