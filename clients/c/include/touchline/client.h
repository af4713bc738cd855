// A robot's client: all of libtouchline_client but localisation.h.
//
// Written by cbindgen from the Rust sources: `cargo run -p touchline-client-c --example headers`.

#ifndef TOUCHLINE_CLIENT_H
#define TOUCHLINE_CLIENT_H

#include "base.h"
#include "robot.h"
#include "sensors.h"

/// What a client may do.
enum TouchlineRole
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /// Drives its own robot.
    TOUCHLINE_ROLE_PLAYER = 0,
    /// Also controls the world. Where the server asks for a key, that says what the client is.
    TOUCHLINE_ROLE_OPERATOR = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TouchlineRole TouchlineRole;
#else
typedef int32_t TouchlineRole;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// Where the numbers of a drawing are measured.
enum TouchlineFrame
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /// From the robot's origin, x forward: the drawing moves with the robot.
    TOUCHLINE_FRAME_ROBOT = 0,
    /// From the world's origin.
    TOUCHLINE_FRAME_WORLD = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TouchlineFrame TouchlineFrame;
#else
typedef int32_t TouchlineFrame;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// Who joins, with what. `touchline_options_init` fills in what is said in brackets.
typedef struct TouchlineOptions {
    /// The size of this struct in the program's header: set by `touchline_options_init`.
    size_t struct_size;
    /// `host:port` of the message board (127.0.0.1:7050).
    const char *address;
    /// The robot's name, unique in the world: 1 to 32 of `A-Z a-z 0-9 _ - .` (`robot`).
    const char *name;
    /// The robot's team (NULL: none).
    const char *team;
    /// Path of the robot file. One of these three must be given.
    const char *robot_file;
    /// The robot file's text.
    const char *robot_text;
    /// One of the server's own robot files, such as `pioneer`.
    const char *robot_named;
    /// A `TouchlineRole` (player).
    int32_t role;
    /// How many rounds of clock synchronisation are made (8).
    uint32_t clock_rounds;
    /// The key, where the server asks for one (NULL: `TOUCHLINE_KEY` of the environment).
    const char *key;
    /// Which sensors are read, with blanks between: `camera laser.180DegreeScan feature=ball type=laser` (NULL: all).
    const char *selection;
    /// How often the sensors are read, milliseconds (100). 0: only by `touchline_read_sensors`.
    uint32_t cycle_ms;
    /// How long connecting, or any answer, may take, milliseconds (5000); `touchline_step` has more for each step.
    uint32_t timeout_ms;
    /// Whether the server sends the sensors unasked, once in each cycle (false: the client asks).
    bool push;
    /// Whether the robot starts at the pose below (false: at a free place).
    bool has_pose;
    /// Metres, in the world.
    double x_m;
    /// Metres, in the world.
    double y_m;
    /// Radians, counter-clockwise, in the world.
    double theta_rad;
} TouchlineOptions;

/// How the clocks were synchronised while connecting.
typedef struct TouchlineClock {
    /// The client's clock minus the server's, seconds: already added to all stamps.
    double offset_s;
    /// The way there and back of the best round, seconds: the offset is wrong by half of it at most.
    double delay_s;
} TouchlineClock;

/// A radio message that the robot heard. Its texts live as long as the messages.
typedef struct TouchlineMessage {
    /// Counts up over the whole run.
    uint64_t number;
    /// The step in which it was heard.
    uint64_t step;
    /// The sender's number; `UINT32_MAX` if it was no robot.
    uint32_t from;
    /// 0 for the channel of all, 1 for that of the team.
    uint32_t channel;
    /// The direction in which the sender was, in the robot's frame, radians; infinite if the world's radio does not tell it.
    double bearing_rad;
    /// The sender's name.
    const char *from_name;
    /// What was said.
    const char *text;
} TouchlineMessage;

/// A place: metres, in the pen's frame.
typedef struct TouchlinePoint {
    /// Forward, or to the right on the field.
    double x_m;
    /// To the left, or up on the field.
    double y_m;
} TouchlinePoint;

/// How a drawing looks. NULL in its place: as the studio chooses, in the robot's frame.
typedef struct TouchlinePen {
    /// A `TouchlineFrame`.
    int32_t frame;
    /// Such as `#ff8000`; NULL: the studio chooses.
    const char *colour;
} TouchlinePen;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Fills in the options that are usual. Call it as `touchline_options_init(&options, sizeof options)`.
TouchlineStatus touchline_options_init(struct TouchlineOptions *options, size_t struct_size);

/// Connects, agrees on the version, synchronises the clocks, makes the robot, and begins to read its sensors.
///
/// `*client` is then the caller's, who ends it by `touchline_close`. If this fails it is NULL, and
/// `touchline_last_error(NULL)` says why; a robot file that is wrong is told with all its problems.
TouchlineStatus touchline_connect(const struct TouchlineOptions *options, TouchlineClient **client);

/// Ends the connection, and the robot goes. The client, its description and its texts are gone with it; sensors that
/// were read live on. NULL is nothing.
///
/// No other thread may be within a call with this client: wake it by `touchline_disconnect` and join it first.
void touchline_close(TouchlineClient *client);

/// Ends the connection, but not the client: calls of other threads that wait return at once with
/// `TOUCHLINE_STATUS_CLOSED`, and so does every call after this.
TouchlineStatus touchline_disconnect(const TouchlineClient *client);

/// The robot's number, and what its motion commands, sensors and manipulators mean. NULL if the client is NULL.
///
/// It does not change, and lives as long as the client.
const TouchlineRobot *touchline_robot(const TouchlineClient *client);

/// The client's clock, seconds: all stamps are on it. 0 if the client is NULL.
double touchline_now_s(const TouchlineClient *client);

/// How the clocks were synchronised.
TouchlineStatus touchline_clock(const TouchlineClient *client, struct TouchlineClock *clock);

/// Sets all standard velocities: m/s forward, m/s to the left, rad/s counter-clockwise.
///
/// Refused if the robot has no such velocity and it is not 0, or a number is not finite.
TouchlineStatus touchline_twist(const TouchlineClient *client,
                                double forward_m_s,
                                double left_m_s,
                                double turn_rad_s);

/// Sets the translational velocity, m/s; the rotational one stays.
TouchlineStatus touchline_forward(const TouchlineClient *client, double forward_m_s);

/// Sets the rotational velocity, rad/s counter-clockwise; the translational one stays.
TouchlineStatus touchline_turn(const TouchlineClient *client, double turn_rad_s);

/// Sets the whole command vector: as many numbers as the robot has dimensions, each in its dimension's unit.
TouchlineStatus touchline_drive(const TouchlineClient *client, const double *command, size_t count);

/// Switches a manipulator to a state, such as `kicker` to `kick`, with a part of its full power in `[0, 1]`.
TouchlineStatus touchline_manipulate(const TouchlineClient *client,
                                     const char *manipulator,
                                     const char *state,
                                     double strength);

/// The same with a direction in the robot's frame and an elevation above the floor, radians, where the state's robot file leaves them to
/// the command; NULL is what the file says.
TouchlineStatus touchline_manipulate_aimed(const TouchlineClient *client,
                                           const char *manipulator,
                                           const char *state,
                                           double strength,
                                           const double *direction_rad,
                                           const double *elevation_rad);

/// Sets a number of a sensor that can be set, such as `camera`'s `view-width`, within its range.
TouchlineStatus touchline_set_sensor(const TouchlineClient *client,
                                     const char *sensor,
                                     const char *name,
                                     double value);

/// Broadcasts to all other robots, as far as the world's radio carries; heard at the end of the step.
TouchlineStatus touchline_say(const TouchlineClient *client, const char *message);

/// Says something on the channel of the robot's team: nobody else hears it.
TouchlineStatus touchline_say_to_team(const TouchlineClient *client, const char *message);

/// The messages that came since this was called last, oldest first. `*messages` is then the caller's.
TouchlineStatus touchline_hear(const TouchlineClient *client, TouchlineMessages **messages);

/// How many messages there are; 0 for NULL.
size_t touchline_messages_count(const TouchlineMessages *messages);

/// One message; NULL if there are not so many.
const struct TouchlineMessage *touchline_messages_at(const TouchlineMessages *messages, size_t index);

/// Ends the messages and their texts. NULL is nothing.
void touchline_messages_free(TouchlineMessages *messages);

/// Publishes a drawing or a value about the robot, as JSON in one line, in place of the last one under this key.
TouchlineStatus touchline_annotate(const TouchlineClient *client,
                                   const char *key,
                                   const char *json);

/// Draws a point.
TouchlineStatus touchline_draw_point(const TouchlineClient *client,
                                     const char *key,
                                     struct TouchlinePoint at,
                                     const struct TouchlinePen *pen);

/// Draws a line through points, two or more.
TouchlineStatus touchline_draw_line(const TouchlineClient *client,
                                    const char *key,
                                    const struct TouchlinePoint *points,
                                    size_t count,
                                    const struct TouchlinePen *pen);

/// Draws a circle.
TouchlineStatus touchline_draw_circle(const TouchlineClient *client,
                                      const char *key,
                                      struct TouchlinePoint centre,
                                      double radius_m,
                                      const struct TouchlinePen *pen);

/// Draws a closed polygon of three or more points.
TouchlineStatus touchline_draw_polygon(const TouchlineClient *client,
                                       const char *key,
                                       const struct TouchlinePoint *points,
                                       size_t count,
                                       const struct TouchlinePen *pen);

/// Writes a text at a place.
TouchlineStatus touchline_draw_text(const TouchlineClient *client,
                                    const char *key,
                                    struct TouchlinePoint at,
                                    const char *words,
                                    const struct TouchlinePen *pen);

/// Stops simulated time.
TouchlineStatus touchline_pause(const TouchlineClient *client);

/// Lets simulated time go on.
TouchlineStatus touchline_resume(const TouchlineClient *client);

/// Brings the world back to its first step; robots of clients stay.
TouchlineStatus touchline_reset(const TouchlineClient *client);

/// Makes 1 to 1,000,000 steps at once and returns when they are made; then simulated time stands. That may take
/// `timeout_ms` of the options, and 10 ms more for each step.
///
/// The number of the last step is written to `step`, which may be NULL.
TouchlineStatus touchline_step(const TouchlineClient *client,
                               uint32_t steps,
                               uint64_t *step);

/// Simulated seconds in a second, 0.001 to 1000; infinity: as fast as possible; 0: lockstep, a step only when told.
TouchlineStatus touchline_speed(const TouchlineClient *client,
                                double factor);

/// Puts a robot somewhere in the world, at rest: metres, metres, radians. NULL is one's own robot.
TouchlineStatus touchline_place_robot(const TouchlineClient *client,
                                      const char *robot,
                                      double x_m,
                                      double y_m,
                                      double theta_rad);

/// Puts a ball, counted from 0, somewhere in the world with a velocity: metres, m/s.
TouchlineStatus touchline_place_ball(const TouchlineClient *client,
                                     uint32_t ball,
                                     double x_m,
                                     double y_m,
                                     double velocity_x_m_s,
                                     double velocity_y_m_s);

/// The same at a height of its lowest point above the floor, and with a speed upwards: metres, m/s.
TouchlineStatus touchline_place_flying_ball(const TouchlineClient *client,
                                            uint32_t ball,
                                            double x_m,
                                            double y_m,
                                            double z_m,
                                            double velocity_x_m_s,
                                            double velocity_y_m_s,
                                            double velocity_z_m_s);

/// Sets a team's goals.
TouchlineStatus touchline_set_score(const TouchlineClient *client, const char *team, uint32_t goals);

/// Says something to the referee, which knows what to make of it, such as `KICKOFF blue`.
TouchlineStatus touchline_referee(const TouchlineClient *client, const char *line);

/// Sends one line of the protocol and waits for its answer: for all that has no function of its own, such as
/// `STATUS`, `WORLD` or `EVENTS since=7`. An `ERR` is `TOUCHLINE_STATUS_REFUSED`.
///
/// `answer` may be NULL, for one that is not of interest; else `*answer` is the caller's.
TouchlineStatus touchline_ask(const TouchlineClient *client, const char *line, TouchlineAnswer **answer);

/// The value of a field in the answer's head, such as `step`; NULL if there is none.
const char *touchline_answer_field(const TouchlineAnswer *answer, const char *key);

/// How many lines belong to the answer, its head not counted; 0 for NULL.
size_t touchline_answer_line_count(const TouchlineAnswer *answer);

/// One of these lines, such as `BALL 0 x=1.5 y=-0.25 vx=0.8 vy=0 z=0 vz=0`; NULL if there are not so many.
const char *touchline_answer_line(const TouchlineAnswer *answer, size_t index);

/// Ends the answer and its texts. NULL is nothing.
void touchline_answer_free(TouchlineAnswer *answer);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHLINE_CLIENT_H */
