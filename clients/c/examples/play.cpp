// A striker that plays alone: it finds the ball with its camera, gets behind it, and shoots beside the goalkeeper.
//
//     play [--addr 127.0.0.1:7050] [--robot omni3] [--team blue] [--name NAME] [--goals N] [--for SECONDS]
//          [--instead-of ROBOT] [--lockstep]
//
// It ends after so many goals, or so many simulated seconds. With --instead-of it takes the place of a robot that a
// built-in player drives; with --lockstep it makes the steps itself, and plays as fast as the computer can. Both need
// an operator, which anybody on the same machine may be. Its robot drives sideways and sees all round.
//
//     touchline serve worlds/keeper.toml
//     play --instead-of attacker

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
// How long a thing is where it was seen last.
constexpr double MEMORY_S = 1.0;

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
        bool sideways = false;
        for (const auto &dimension : client.robot().dimensions()) {
            if (dimension.part == TOUCHLINE_PART_FORWARD) speed_m_s_ = dimension.max;
            if (dimension.part == TOUCHLINE_PART_TURN) turn_rad_s_ = dimension.max;
            if (dimension.part == TOUCHLINE_PART_LEFT) sideways = true;
        }
        if (!sideways) throw std::runtime_error("it swings round the ball: --robot must be one that drives sideways");
        for (const auto &part : client.robot().manipulators())
            for (const auto *state : touchline::states(part))
                can_kick_ = can_kick_ || (part.name == std::string("kicker") && state == std::string("kick"));
        try {
            robots_feature_ = client.find(touchline::Query().feature("robots"));
        } catch (const touchline::NotFound &) {
            // Without eyes for the goalkeeper it shoots at the middle.
        }
    }

    void act(const touchline::Sensors &sensors) {
        const double now_s = sensors.stamp().sim_s;
        if (const auto ball = sensors.ball(ball_feature_)) {
            ball_ = {ball->forward_m, ball->left_m};
            ball_s_ = now_s;
        }
        const auto goals = sensors.goals(goals_feature_);
        const std::size_t theirs = team_ == 0 ? 1 : 0;
        if (theirs < goals.size() && goals[theirs].centre.seen) {
            goal_ = {goals[theirs].centre.forward_m, goals[theirs].centre.left_m};
            goal_s_ = now_s;
        }
        if (now_s - ball_s_ > MEMORY_S || now_s - goal_s_ > MEMORY_S) {
            // It turns to where it saw the ball last.
            client_.twist(0.0, 0.0, ball_.y < 0.0 ? -0.5 * turn_rad_s_ : 0.5 * turn_rad_s_);
            return;
        }
        const Vec aim = goal_ + aside(sensors);
        client_.draw_line("shot", {{ball_.x, ball_.y}, {aim.x, aim.y}}, {"#ff8000"});
        const bool has_ball = ball_.x > 0.0 && ball_.x < REACH_M && std::abs(ball_.y) < REACH_ASIDE_M;
        const bool on_target = std::abs(angle(aim)) < 0.12 && aim.x > 0.0;
        if (has_ball && on_target && can_kick_ && now_s - kick_s_ > RECHARGE_S) {
            client_.manipulate("kicker", "kick");
            kick_s_ = now_s;
        }
        go(behind_ball(aim), has_ball ? angle(aim) : angle(ball_));
    }

private:
    // From the goal's middle to the side that its keeper leaves free.
    Vec aside(const touchline::Sensors &sensors) const {
        if (!robots_feature_) return {0.0, 0.0};
        const Vec to_goal = goal_ - ball_;
        const Vec left = (1.0 / std::max(length(to_goal), 1e-3)) * Vec{-to_goal.y, to_goal.x};
        for (const auto &other : sensors.other_robots(*robots_feature_)) {
            const Vec from_goal = Vec{other.place.forward_m, other.place.left_m} - goal_;
            if (length(from_goal) < HALF_GOAL_M + 0.5) return (dot(from_goal, left) > 0.0 ? -0.6 : 0.6) * left;
        }
        return {0.0, 0.0};
    }

    // The direction that leads around the ball, then through it towards the target: beside the ball, on the side away
    // from the target, the more the further the robot is from being behind it.
    double behind_ball(Vec target) const {
        const double to_ball_rad = angle(ball_);
        const double distance_m = length(ball_);
        const double off_rad = wrap(angle(target - ball_) - to_ball_rad);
        const double tangent_rad = distance_m > circle_m_ ? std::asin(circle_m_ / distance_m)
                                                          : PI / 2.0 + 0.8 * (1.0 - distance_m / circle_m_);
        return wrap(to_ball_rad - std::clamp(1.4 * off_rad, -tangent_rad, tangent_rad));
    }

    void go(double direction_rad, double face_rad) const {
        const double speed_m_s = 0.8 * speed_m_s_;
        const double turn_rad_s = std::clamp(4.0 * face_rad, -turn_rad_s_, turn_rad_s_);
        client_.twist(speed_m_s * std::cos(direction_rad), speed_m_s * std::sin(direction_rad), turn_rad_s);
    }

    const touchline::Client &client_;
    touchline::Feature ball_feature_, goals_feature_;
    std::optional<touchline::Feature> robots_feature_;
    std::uint32_t team_ = 0;
    double circle_m_ = 0.5, speed_m_s_ = 0.0, turn_rad_s_ = 0.0;
    bool can_kick_ = false;
    Vec ball_{1.0, 0.0}, goal_{1.0, 0.0};
    double ball_s_ = -100.0, goal_s_ = -100.0, kick_s_ = -100.0;
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
    options.selection = "feature=ball feature=goals feature=robots";
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
