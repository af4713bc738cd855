// A robot's client in C++17: libtouchline_client with RAII, exceptions and containers. Header only; the functions
// behind it, and what each does, are in client.h.
//
//     touchline::Options options;
//     options.robot_named = "pioneer";
//     touchline::Client robot(options);
//     const auto ball_feature = robot.find(touchline::Query().feature("ball"));
//     for (;;) {
//         const auto sensors = robot.next_sensors();
//         if (const auto ball = sensors.ball(ball_feature)) robot.twist(0.4, 0.0, 2.0 * ball->bearing_rad);
//         else robot.twist(0.0, 0.0, 0.5);
//     }
//
// Threads: several may use one Client at the same time; nobody may after its end. To end a thread that waits, call
// disconnect(): it gets Closed.

#ifndef TOUCHLINE_CLIENT_HPP
#define TOUCHLINE_CLIENT_HPP

#include "client.h"
#include "localisation.h"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchline {

// --- Errors -----------------------------------------------------------------------------------------------------------

// Something went wrong: what() says what, for people.
class Error : public std::runtime_error {
public:
    Error(TouchlineStatus status, const std::string &message, std::string code = {})
        : std::runtime_error(message), status_(status), code_(std::move(code)) {}
    TouchlineStatus status() const noexcept { return status_; }
    // The code with which the server refused, such as sim/wrong-dimensions; else empty.
    const std::string &code() const noexcept { return code_; }

private:
    TouchlineStatus status_;
    std::string code_;
};

// No server answers at the address.
struct NoServer : Error { using Error::Error; };
// The server refused a command.
struct Refused : Error { using Error::Error; };
// The connection has ended.
struct Closed : Error { using Error::Error; };
// Nothing came in time.
struct Timeout : Error { using Error::Error; };
// The robot has no such sensor, feature or field.
struct NotFound : Error { using Error::Error; };
// The sensor was not read yet, was not selected, or has failed.
struct NoReading : Error { using Error::Error; };

namespace detail {

[[noreturn]] inline void fail(TouchlineStatus status, const char *message, const char *code = "") {
    switch (status) {
    case TOUCHLINE_STATUS_NO_SERVER: throw NoServer(status, message, code);
    case TOUCHLINE_STATUS_REFUSED: throw Refused(status, message, code);
    case TOUCHLINE_STATUS_CLOSED: throw Closed(status, message, code);
    case TOUCHLINE_STATUS_TIMEOUT: throw Timeout(status, message, code);
    case TOUCHLINE_STATUS_NOT_FOUND: throw NotFound(status, message, code);
    case TOUCHLINE_STATUS_NO_READING: throw NoReading(status, message, code);
    default: throw Error(status, message, code);
    }
}

inline const char *c_str(const std::optional<std::string> &text) { return text ? text->c_str() : nullptr; }

template <typename T, void (*end)(T *)> struct End {
    void operator()(T *handle) const noexcept { end(handle); }
};
template <typename T, void (*end)(T *)> using Handle = std::unique_ptr<T, End<T, end>>;

} // namespace detail

// --- What a robot is made of ------------------------------------------------------------------------------------------

using BumperPart = TouchlineBumperPart;
using Clock = TouchlineClock;
using Crossing = TouchlineCrossing;
using Datum = TouchlineDatum;
using Dimension = TouchlineDimension;
using Echo = TouchlineEcho;
using Estimate = TouchlineEstimate;
using Feature = TouchlineFeature;
using FeatureInfo = TouchlineFeatureInfo;
using Field = TouchlineField;
using Goal = TouchlineGoal;
using Manipulator = TouchlineManipulator;
using Obstacle = TouchlineObstacle;
using Odometry = TouchlineOdometry;
using OtherRobot = TouchlineOtherRobot;
using Point = TouchlinePoint;
using Pose = TouchlinePose;
using SensorInfo = TouchlineSensorInfo;
using Sighting = TouchlineSighting;
using Stamp = TouchlineStamp;
using Truth = TouchlineTruth;

// A list of the description, for a range-based for; it lives as long as the client.
template <typename T> class List {
public:
    List(const T *items, std::size_t count) : items_(items), count_(count) {}
    const T *begin() const noexcept { return items_; }
    const T *end() const noexcept { return items_ + count_; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    const T &operator[](std::size_t index) const noexcept { return items_[index]; }

private:
    const T *items_;
    std::size_t count_;
};

inline List<Field> fields(const FeatureInfo &feature) { return {feature.fields, feature.field_count}; }
inline List<FeatureInfo> features(const SensorInfo &sensor) { return {sensor.features, sensor.feature_count}; }
inline List<const char *> states(const Manipulator &part) { return {part.states, part.state_count}; }

// The robot; a view that lives as long as the client.
class Robot {
public:
    explicit Robot(const TouchlineRobot &robot) : robot_(&robot) {}
    std::uint32_t number() const noexcept { return robot_->number; }
    std::string_view name() const noexcept { return robot_->name; }
    std::optional<std::string_view> team() const {
        return robot_->team ? std::optional<std::string_view>(robot_->team) : std::nullopt;
    }
    std::optional<std::uint32_t> team_index() const {
        return robot_->team_index < 0 ? std::nullopt : std::optional<std::uint32_t>(robot_->team_index);
    }
    double radius_m() const noexcept { return robot_->radius_m; }
    List<Dimension> dimensions() const noexcept { return {robot_->dimensions, robot_->dimension_count}; }
    List<Datum> motion_data() const noexcept { return {robot_->motion_data, robot_->motion_data_count}; }
    List<SensorInfo> sensors() const noexcept { return {robot_->sensors, robot_->sensor_count}; }
    List<Manipulator> manipulators() const noexcept { return {robot_->manipulators, robot_->manipulator_count}; }

private:
    const TouchlineRobot *robot_;
};

// Which feature: what is not said fits everything.
class Query {
public:
    Query &feature(std::string_view name) { return feature_ = name, *this; }
    Query &type(std::string_view name) { return type_ = name, *this; }
    Query &model(std::string_view name) { return model_ = name, *this; }

private:
    friend class Client;
    friend class Sensors;
    std::optional<std::string> feature_, type_, model_;
};

// --- Sensors ----------------------------------------------------------------------------------------------------------

// A fan of distances: INFINITY is nothing in range, -INFINITY too close.
struct Scan {
    double angle_min_rad;
    double angle_step_rad;
    std::vector<double> ranges_m;
    double angle_rad(std::size_t beam) const { return angle_min_rad + static_cast<double>(beam) * angle_step_rad; }
};

// Where scan lines over a picture cross painted lines, by scan line and from the sensor outwards.
struct Lines {
    double angle_min_rad;
    double angle_step_rad;
    std::size_t scan_line_count;
    std::vector<Crossing> crossings;
    double angle_rad(const Crossing &crossing) const {
        return angle_min_rad + static_cast<double>(crossing.scan_line) * angle_step_rad;
    }
};

// What a ring of sonars hears: one echo for each.
struct Sonar {
    double opening_angle_rad;
    std::vector<Echo> echoes;
};

// A picture: 0xRRGGBB, row by row from the top left.
struct Image {
    std::size_t width, height;
    std::vector<std::uint32_t> pixels;
};

// All sensors at one and the same step. It never changes, and may outlive its client.
class Sensors {
public:
    explicit Sensors(TouchlineSensors *handle) : handle_(handle) {}
    TouchlineSensors *get() const noexcept { return handle_.get(); }

    // The sensors of a robot of which nothing was read yet, from what `touchline describe ROBOT` prints: no server is needed.
    static Sensors described(std::string_view description) {
        TouchlineSensors *sensors = nullptr;
        const auto status = touchline_sensors_described(std::string(description).c_str(), &sensors);
        if (status != TOUCHLINE_STATUS_OK) detail::fail(status, touchline_last_error(nullptr));
        return Sensors(sensors);
    }
    // These sensors, with what a real one has read at stamp_s in place of this feature's reading before: all its numbers in their units.
    Sensors filled(Feature feature, const std::vector<double> &values, double stamp_s) const {
        TouchlineSensors *filled = nullptr;
        check(touchline_sensors_filled(get(), feature, values.data(), values.size(), stamp_s, &filled));
        return Sensors(filled);
    }
    // Finds a feature, for sensors that have no client.
    Feature find(const Query &query) const {
        Feature found{};
        check(touchline_sensors_find(get(), detail::c_str(query.model_), detail::c_str(query.type_),
                                     detail::c_str(query.feature_), &found));
        return found;
    }

    Stamp stamp() const { return one<Stamp>(touchline_sensors_stamp); }
    // When a feature's reading was taken, on the client's clock, seconds.
    double stamp_s(Feature feature) const { return of<double>(feature, touchline_reading_stamp); }

    // The nearest ball; nothing if none is in view.
    std::optional<Sighting> ball(Feature feature) const {
        const auto ball = of<Sighting>(feature, touchline_ball);
        return ball.seen ? std::optional<Sighting>(ball) : std::nullopt;
    }
    // One for each team, in the order of the world's teams.
    std::vector<Goal> goals(Feature feature) const { return list<Goal>(feature, touchline_goals); }
    std::vector<Sighting> posts(Feature feature) const { return list<Sighting>(feature, touchline_posts); }
    std::vector<OtherRobot> other_robots(Feature feature) const {
        return list<OtherRobot>(feature, touchline_other_robots);
    }
    Odometry odometry(Feature feature) const { return of<Odometry>(feature, touchline_odometry); }
    Truth truth(Feature feature) const { return of<Truth>(feature, touchline_truth); }
    Scan scan(Feature feature) const {
        TouchlineScan head{};
        auto ranges = list<double>(feature, touchline_scan, head);
        return {head.angle_min_rad, head.angle_step_rad, std::move(ranges)};
    }
    Lines lines(Feature feature) const {
        TouchlineLines head{};
        auto crossings = list<Crossing>(feature, touchline_lines, head);
        return {head.angle_min_rad, head.angle_step_rad, head.scan_line_count, std::move(crossings)};
    }
    Sonar sonar(Feature feature) const {
        double opening_angle_rad = 0.0;
        auto echoes = list<Echo>(feature, touchline_sonar, opening_angle_rad);
        return {opening_angle_rad, std::move(echoes)};
    }
    std::vector<BumperPart> bumper(Feature feature) const { return list<BumperPart>(feature, touchline_bumper); }
    double compass(Feature feature) const { return of<double>(feature, touchline_compass); }
    std::vector<Obstacle> obstacles(Feature feature) const { return list<Obstacle>(feature, touchline_obstacles); }
    // Where a sensor's software believes the robot to be; nothing if it does not know.
    std::optional<Pose> field_pose(Feature feature) const {
        const auto pose = of<TouchlineFieldPose>(feature, touchline_field_pose);
        return pose.known ? std::optional<Pose>(Pose{pose.x_m, pose.y_m, pose.theta_rad}) : std::nullopt;
    }
    Image image(Feature feature) const {
        TouchlineImage head{};
        auto pixels = list<std::uint32_t>(feature, touchline_image, head);
        return {head.width, head.height, std::move(pixels)};
    }

    // A field's values in its unit.
    std::vector<double> values(Feature feature, std::string_view field) const {
        const std::string name(field);
        return list<double>(feature, [&name](auto *sensors, auto which, auto *to, auto capacity, auto *len) {
            return touchline_values(sensors, which, name.c_str(), to, capacity, len);
        });
    }
    double value(Feature feature, std::string_view field) const {
        double value = 0.0;
        check(touchline_value(get(), feature, std::string(field).c_str(), &value));
        return value;
    }
    // The integers as they came.
    std::vector<std::uint32_t> quantised(Feature feature) const {
        const std::uint32_t *quantised = nullptr;
        std::size_t len = 0;
        check(touchline_quantised(get(), feature, &quantised, &len));
        return std::vector<std::uint32_t>(quantised, quantised + len);
    }

private:
    void check(TouchlineStatus status) const {
        if (status != TOUCHLINE_STATUS_OK) detail::fail(status, touchline_sensors_last_error(get()));
    }
    template <typename T, typename F> T one(F call) const {
        T value{};
        check(call(get(), &value));
        return value;
    }
    template <typename T, typename F> T of(Feature feature, F call) const {
        T value{};
        check(call(get(), feature, &value));
        return value;
    }
    template <typename T, typename F> std::vector<T> list(Feature feature, F call) const {
        std::size_t len = 0;
        check(call(get(), feature, static_cast<T *>(nullptr), std::size_t{0}, &len));
        std::vector<T> items(len);
        if (len > 0) check(call(get(), feature, items.data(), len, &len));
        return items;
    }

    // A list that has a head.
    template <typename T, typename F, typename H> std::vector<T> list(Feature feature, F call, H &head) const {
        return list<T>(feature, [call, &head](auto *sensors, auto which, auto *to, auto capacity, auto *len) {
            return call(sensors, which, &head, to, capacity, len);
        });
    }

    detail::Handle<TouchlineSensors, touchline_sensors_free> handle_;
};

// --- The client -------------------------------------------------------------------------------------------------------

// Who joins, with what. One of the three robots must be given.
struct Options {
    std::string address = "127.0.0.1:7050";
    std::string name = "robot";
    std::optional<std::string> team;
    std::optional<std::string> robot_file;  // a path
    std::optional<std::string> robot_text;  // the file's text
    std::optional<std::string> robot_named; // one of the server's own files
    TouchlineRole role = TOUCHLINE_ROLE_PLAYER;
    std::optional<std::string> key;       // where the server asks for one; TOUCHLINE_KEY of the environment if not given
    std::optional<std::string> selection; // such as "camera feature=odometry"; all if not given
    std::chrono::milliseconds cycle{100}; // 0: only read_sensors() reads
    std::chrono::milliseconds timeout{5000};
    std::uint32_t clock_rounds = 8;
    bool push = false;
    std::optional<Pose> pose; // a free place if not given
};

// A radio message that was heard.
struct Message {
    std::uint64_t number, step;
    std::uint32_t from;
    std::string from_name, text;
    bool to_team;       // On the channel of the team.
    double bearing_rad; // Where the sender was, robot's frame; infinite if the radio does not tell it.
};

// How a drawing looks, and in which frame its numbers are.
struct Pen {
    std::optional<std::string> colour;
    TouchlineFrame frame = TOUCHLINE_FRAME_ROBOT;
};

// The server's answer to ask().
class Answer {
public:
    explicit Answer(TouchlineAnswer *handle) : handle_(handle) {}
    // A field of its head, such as step.
    std::optional<std::string_view> field(std::string_view key) const {
        const char *value = touchline_answer_field(handle_.get(), std::string(key).c_str());
        return value ? std::optional<std::string_view>(value) : std::nullopt;
    }
    // The lines after its head; they live as long as the answer.
    std::vector<std::string_view> lines() const {
        std::vector<std::string_view> lines;
        for (std::size_t i = 0; i < touchline_answer_line_count(handle_.get()); ++i)
            lines.emplace_back(touchline_answer_line(handle_.get(), i));
        return lines;
    }

private:
    detail::Handle<TouchlineAnswer, touchline_answer_free> handle_;
};

// A robot of one's own in a running world; it goes when the client ends. All functions throw an Error.
class Client {
public:
    explicit Client(const Options &options)
        : patience_(options.cycle > options.timeout / 2 ? 2 * options.cycle : options.timeout) {
        TouchlineOptions c;
        touchline_options_init(&c, sizeof c);
        c.address = options.address.c_str();
        c.name = options.name.c_str();
        c.team = detail::c_str(options.team);
        c.robot_file = detail::c_str(options.robot_file);
        c.robot_text = detail::c_str(options.robot_text);
        c.robot_named = detail::c_str(options.robot_named);
        c.role = options.role;
        c.key = detail::c_str(options.key);
        c.selection = detail::c_str(options.selection);
        c.cycle_ms = milliseconds(options.cycle);
        c.timeout_ms = milliseconds(options.timeout);
        c.clock_rounds = options.clock_rounds;
        c.push = options.push;
        c.has_pose = options.pose.has_value();
        if (options.pose) c.x_m = options.pose->x_m, c.y_m = options.pose->y_m, c.theta_rad = options.pose->theta_rad;
        TouchlineClient *client = nullptr;
        const TouchlineStatus status = touchline_connect(&c, &client);
        if (status != TOUCHLINE_STATUS_OK)
            detail::fail(status, touchline_last_error(nullptr), touchline_last_error_code(nullptr));
        handle_.reset(client);
    }

    TouchlineClient *get() const noexcept { return handle_.get(); }
    // Ends the connection: threads that wait get Closed.
    void disconnect() const { check(touchline_disconnect(get())); }
    Robot robot() const { return Robot(*touchline_robot(get())); }
    // The clock of all stamps.
    double now_s() const { return touchline_now_s(get()); }
    Clock clock() const {
        Clock clock{};
        check(touchline_clock(get(), &clock));
        return clock;
    }

    // Motion and manipulators.
    void twist(double forward_m_s, double left_m_s, double turn_rad_s) const {
        check(touchline_twist(get(), forward_m_s, left_m_s, turn_rad_s));
    }
    void forward(double forward_m_s) const { check(touchline_forward(get(), forward_m_s)); }
    void turn(double turn_rad_s) const { check(touchline_turn(get(), turn_rad_s)); }
    void drive(const std::vector<double> &command) const {
        check(touchline_drive(get(), command.data(), command.size()));
    }
    void manipulate(std::string_view manipulator, std::string_view state, double strength = 1.0) const {
        check(touchline_manipulate(get(), Text(manipulator), Text(state), strength));
    }
    // Direction and elevation, radians, where the robot file leaves them to the command.
    void manipulate_aimed(std::string_view manipulator, std::string_view state, double strength,
                          const double *direction_rad, const double *elevation_rad) const {
        check(touchline_manipulate_aimed(get(), Text(manipulator), Text(state), strength, direction_rad, elevation_rad));
    }
    void set_sensor(std::string_view sensor, std::string_view name, double value) const {
        check(touchline_set_sensor(get(), Text(sensor), Text(name), value));
    }

    // Radio.
    void say(std::string_view message) const { check(touchline_say(get(), Text(message))); }
    void say_to_team(std::string_view message) const { check(touchline_say_to_team(get(), Text(message))); }
    std::vector<Message> hear() const {
        TouchlineMessages *handle = nullptr;
        check(touchline_hear(get(), &handle));
        const detail::Handle<TouchlineMessages, touchline_messages_free> messages(handle);
        std::vector<Message> heard;
        for (std::size_t i = 0; i < touchline_messages_count(handle); ++i) {
            const TouchlineMessage &one = *touchline_messages_at(handle, i);
            heard.push_back({one.number, one.step, one.from, one.from_name, one.text, one.channel == 1, one.bearing_rad});
        }
        return heard;
    }

    // Sensors.
    Feature find(const Query &query) const {
        Feature found{};
        check(touchline_find(get(), detail::c_str(query.model_), detail::c_str(query.type_),
                             detail::c_str(query.feature_), &found));
        return found;
    }
    std::vector<Feature> find_all(const Query &query) const {
        const auto call = [&](Feature *to, std::size_t capacity, std::size_t *len) {
            check(touchline_find_all(get(), detail::c_str(query.model_), detail::c_str(query.type_),
                                     detail::c_str(query.feature_), to, capacity, len));
        };
        std::size_t len = 0;
        call(nullptr, 0, &len);
        std::vector<Feature> found(len);
        if (len > 0) call(found.data(), len, &len);
        return found;
    }
    // Waits for sensors that are newer than the last ones: as long as an answer may take, and at least two cycles.
    Sensors next_sensors() const { return next_sensors(patience_); }
    Sensors next_sensors(std::chrono::milliseconds timeout) const {
        TouchlineSensors *sensors = nullptr;
        check(touchline_next_sensors(get(), milliseconds(timeout), &sensors));
        return Sensors(sensors);
    }
    // Asks now, and waits for the answer.
    Sensors read_sensors() const {
        TouchlineSensors *sensors = nullptr;
        check(touchline_read_sensors(get(), &sensors));
        return Sensors(sensors);
    }
    // The newest ones, without waiting.
    Sensors latest_sensors() const {
        TouchlineSensors *sensors = nullptr;
        check(touchline_latest_sensors(get(), &sensors));
        return Sensors(sensors);
    }

    // Drawings and values in the studio and in the log.
    void annotate(std::string_view key, std::string_view json) const {
        check(touchline_annotate(get(), Text(key), Text(json)));
    }
    void draw_point(std::string_view key, Point at, const Pen &pen = {}) const {
        const TouchlinePen c = c_pen(pen);
        check(touchline_draw_point(get(), Text(key), at, &c));
    }
    void draw_line(std::string_view key, const std::vector<Point> &points, const Pen &pen = {}) const {
        const TouchlinePen c = c_pen(pen);
        check(touchline_draw_line(get(), Text(key), points.data(), points.size(), &c));
    }
    void draw_circle(std::string_view key, Point centre, double radius_m, const Pen &pen = {}) const {
        const TouchlinePen c = c_pen(pen);
        check(touchline_draw_circle(get(), Text(key), centre, radius_m, &c));
    }
    void draw_polygon(std::string_view key, const std::vector<Point> &points, const Pen &pen = {}) const {
        const TouchlinePen c = c_pen(pen);
        check(touchline_draw_polygon(get(), Text(key), points.data(), points.size(), &c));
    }
    void draw_text(std::string_view key, Point at, std::string_view words, const Pen &pen = {}) const {
        const TouchlinePen c = c_pen(pen);
        check(touchline_draw_text(get(), Text(key), at, Text(words), &c));
    }

    // For an operator.
    void pause() const { check(touchline_pause(get())); }
    void resume() const { check(touchline_resume(get())); }
    void reset() const { check(touchline_reset(get())); }
    // Makes steps at once; the number of the last one. That may take the options' timeout, and 10 ms more for each step.
    std::uint64_t step(std::uint32_t steps = 1) const {
        std::uint64_t step = 0;
        check(touchline_step(get(), steps, &step));
        return step;
    }
    // A factor of real time; INFINITY: as fast as possible; 0: lockstep.
    void speed(double factor) const { check(touchline_speed(get(), factor)); }
    void place_robot(const Pose &at) const {
        check(touchline_place_robot(get(), nullptr, at.x_m, at.y_m, at.theta_rad));
    }
    void place_robot(std::string_view robot, const Pose &at) const {
        check(touchline_place_robot(get(), Text(robot), at.x_m, at.y_m, at.theta_rad));
    }
    void place_ball(std::uint32_t ball, Point at, double velocity_x_m_s = 0.0, double velocity_y_m_s = 0.0) const {
        check(touchline_place_ball(get(), ball, at.x_m, at.y_m, velocity_x_m_s, velocity_y_m_s));
    }
    void place_flying_ball(std::uint32_t ball, Point at, double z_m, double velocity_x_m_s, double velocity_y_m_s,
                           double velocity_z_m_s) const {
        check(touchline_place_flying_ball(get(), ball, at.x_m, at.y_m, z_m, velocity_x_m_s, velocity_y_m_s,
                                          velocity_z_m_s));
    }
    void set_score(std::string_view team, std::uint32_t goals) const {
        check(touchline_set_score(get(), Text(team), goals));
    }
    void referee(std::string_view line) const { check(touchline_referee(get(), Text(line))); }

    // Any line of the protocol.
    Answer ask(std::string_view line) const {
        TouchlineAnswer *answer = nullptr;
        check(touchline_ask(get(), Text(line), &answer));
        return Answer(answer);
    }

private:
    // A view has no NUL at its end.
    class Text {
    public:
        explicit Text(std::string_view view) : copy_(view) {}
        operator const char *() const noexcept { return copy_.c_str(); }

    private:
        std::string copy_;
    };
    static TouchlinePen c_pen(const Pen &pen) {
        TouchlinePen c;
        c.frame = pen.frame;
        c.colour = detail::c_str(pen.colour);
        return c;
    }
    static std::uint32_t milliseconds(std::chrono::milliseconds time) {
        const auto count = time.count();
        return count <= 0 ? 0 : count >= UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(count);
    }
    void check(TouchlineStatus status) const {
        if (status != TOUCHLINE_STATUS_OK)
            detail::fail(status, touchline_last_error(get()), touchline_last_error_code(get()));
    }

    std::chrono::milliseconds patience_;
    detail::Handle<TouchlineClient, touchline_close> handle_;
};

} // namespace touchline

#endif // TOUCHLINE_CLIENT_HPP
