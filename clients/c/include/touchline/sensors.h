// The sensors at one step: features are found by what they are, and read as integers, in units, or typed.
//
// Written by cbindgen from the Rust sources: `cargo run -p touchline-client-c --example headers`.

#ifndef TOUCHLINE_SENSORS_H
#define TOUCHLINE_SENSORS_H

#include "base.h"

/// When the sensors were true.
typedef struct TouchlineStamp {
    /// The number of the step.
    uint64_t step;
    /// How many times the sensors were read so far; 0: never, and there is nothing in them.
    uint64_t updates;
    /// The simulated time of that step, seconds.
    double sim_s;
    /// When that step was made, on the client's clock (`touchline_now_s`), seconds.
    double stamp_s;
} TouchlineStamp;

/// A feature that was found: valid for all sensors of its client.
typedef struct TouchlineFeature {
    /// Which of the robot's sensors.
    uint32_t sensor;
    /// Which of that sensor's features.
    uint32_t feature;
} TouchlineFeature;

/// Something that a camera may have seen. All numbers are 0 if it has not.
typedef struct TouchlineSighting {
    /// Whether it is in view.
    bool seen;
    /// From the sensor, on the floor, metres.
    double distance_m;
    /// Against the sensor's x axis, radians, counter-clockwise.
    double bearing_rad;
    /// The same place from the robot's origin, also if the sensor is on a neck: forward, metres.
    double forward_m;
    /// To the left, metres.
    double left_m;
} TouchlineSighting;

/// A goal: feature `goals`.
typedef struct TouchlineGoal {
    /// The middle of the goal line.
    struct TouchlineSighting centre;
    /// Whether the left post is in view.
    bool left_seen;
    /// Whether the right post is in view.
    bool right_seen;
    /// The left post, against the sensor's x axis, radians.
    double left_bearing_rad;
    /// The right post, against the sensor's x axis, radians.
    double right_bearing_rad;
} TouchlineGoal;

/// Another robot: feature `robots`.
typedef struct TouchlineOtherRobot {
    /// The direction and the distance in which it is seen.
    struct TouchlineSighting place;
    /// The number of its team; -1: none, or not known.
    int32_t team_index;
} TouchlineOtherRobot;

/// A fan of distances: feature `180DegreeScan` and its like.
typedef struct TouchlineScan {
    /// The direction of beam 0 against the sensor's x axis, radians.
    double angle_min_rad;
    /// Beam i points to `angle_min_rad + i * angle_step_rad`.
    double angle_step_rad;
    /// How many beams there are.
    size_t beam_count;
} TouchlineScan;

/// What the robot believes of its own motion: feature `odometry`. Its motion data are read by `touchline_value`.
typedef struct TouchlineOdometry {
    /// Where it believes to be, seen from where it started, metres.
    double x_m;
    /// Metres.
    double y_m;
    /// Radians, counter-clockwise.
    double theta_rad;
    /// Its velocity forward, m/s.
    double forward_m_s;
    /// Its velocity to the left, m/s.
    double left_m_s;
    /// Its rotational velocity, rad/s.
    double turn_rad_s;
} TouchlineOdometry;

/// What is really so: feature `truth`.
typedef struct TouchlineTruth {
    /// The robot in the world, metres.
    double x_m;
    /// Metres.
    double y_m;
    /// Radians, counter-clockwise.
    double theta_rad;
    /// Its velocity forward, m/s.
    double forward_m_s;
    /// Its velocity to the left, m/s.
    double left_m_s;
    /// Its rotational velocity, rad/s.
    double turn_rad_s;
    /// Whether there is a ball; the four numbers after this are 0 if not.
    bool has_ball;
    /// The first ball in the world, metres.
    double ball_x_m;
    /// Metres.
    double ball_y_m;
    /// Its velocity in the world, m/s.
    double ball_velocity_x_m_s;
    /// m/s.
    double ball_velocity_y_m_s;
} TouchlineTruth;

/// A fan of scan lines over a picture that cross painted lines: feature `lines`.
typedef struct TouchlineLines {
    /// The direction of scan line 0 against the sensor's x axis, radians.
    double angle_min_rad;
    /// Scan line i points to `angle_min_rad + i * angle_step_rad`.
    double angle_step_rad;
    /// How many scan lines there are.
    size_t scan_line_count;
} TouchlineLines;

/// Where a scan line crosses a painted line.
typedef struct TouchlineCrossing {
    /// Which scan line.
    size_t scan_line;
    /// From the sensor, on the floor, metres.
    double distance_m;
} TouchlineCrossing;

/// What one sonar hears: feature `sonar`.
typedef struct TouchlineEcho {
    /// Where the sonar sits, from the robot's origin, metres.
    double x_m;
    /// Metres.
    double y_m;
    /// Where it points to, radians.
    double theta_rad;
    /// To the nearest obstacle in its cone, metres; `INFINITY`: no echo, `-INFINITY`: too close to measure.
    double range_m;
} TouchlineEcho;

/// One part of a bumper: feature `bumper`.
typedef struct TouchlineBumperPart {
    /// Where its middle is, against the sensor's x axis, radians.
    double direction_rad;
    /// Whether it touches anything.
    bool pressed;
} TouchlineBumperPart;

/// What a range finder's software takes for one thing: feature `obstacles`.
typedef struct TouchlineObstacle {
    /// The middle of what is seen of it.
    struct TouchlineSighting place;
    /// From one end of what is seen of it to the other, metres.
    double width_m;
} TouchlineObstacle;

/// Where a sensor's software believes the robot to be: feature `pose`. All numbers are 0 if it does not know.
typedef struct TouchlineFieldPose {
    /// Whether it knows.
    bool known;
    /// In the world, metres.
    double x_m;
    /// Metres.
    double y_m;
    /// Radians, counter-clockwise.
    double theta_rad;
} TouchlineFieldPose;

/// A picture: feature `image`.
typedef struct TouchlineImage {
    /// How many columns.
    size_t width;
    /// How many rows.
    size_t height;
} TouchlineImage;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Waits for sensors that are newer than the last ones that this or `touchline_read_sensors` gave, at most so long.
///
/// `*sensors` is then the caller's, and NULL if this fails.
TouchlineStatus touchline_next_sensors(const TouchlineClient *client,
                                       uint32_t timeout_ms,
                                       TouchlineSensors **sensors);

/// Asks for the sensors now and waits for the answer, which shows what all commands before it did: for lockstep.
TouchlineStatus touchline_read_sensors(const TouchlineClient *client,
                                       TouchlineSensors **sensors);

/// The newest sensors that have come, without waiting; empty before the first.
TouchlineStatus touchline_latest_sensors(const TouchlineClient *client, TouchlineSensors **sensors);

/// Ends sensors. NULL is nothing.
void touchline_sensors_free(TouchlineSensors *sensors);

/// When these sensors were true.
TouchlineStatus touchline_sensors_stamp(const TouchlineSensors *sensors, struct TouchlineStamp *stamp);

/// Finds the first feature of this model (`LMS200`), type (`laser`) and name (`180DegreeScan`), in the order of the
/// robot file; NULL fits everything. Sensors that give the same feature are interchangeable.
///
/// `TOUCHLINE_STATUS_NOT_FOUND` if there is none; the message lists what there is.
TouchlineStatus touchline_find(const TouchlineClient *client,
                               const char *model,
                               const char *sensor_type,
                               const char *feature,
                               struct TouchlineFeature *found);

/// Finds all of them. `*len` is how many; with `found` NULL and `capacity` 0 nothing else is written.
TouchlineStatus touchline_find_all(const TouchlineClient *client,
                                   const char *model,
                                   const char *sensor_type,
                                   const char *feature,
                                   struct TouchlineFeature *found,
                                   size_t capacity,
                                   size_t *len);

/// A feature's integers as they came. They live as long as the sensors.
TouchlineStatus touchline_quantised(const TouchlineSensors *sensors,
                                    struct TouchlineFeature feature,
                                    const uint32_t **quantised,
                                    size_t *len);

/// When a feature's reading was taken, on the client's clock (`touchline_now_s`), seconds: before the step of these sensors if its
/// sensor has a rate or a delay.
TouchlineStatus touchline_reading_stamp(const TouchlineSensors *sensors,
                                        struct TouchlineFeature feature,
                                        double *stamp_s);

/// A field's values in its unit; `INFINITY` is nothing there, `-INFINITY` too close.
///
/// `*len` is how many there are; with `values` NULL and `capacity` 0 nothing else is written.
TouchlineStatus touchline_values(const TouchlineSensors *sensors,
                                 struct TouchlineFeature feature,
                                 const char *field,
                                 double *values,
                                 size_t capacity,
                                 size_t *len);

/// The value of a field that has one, in its unit.
TouchlineStatus touchline_value(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                const char *field,
                                double *value);

/// The nearest ball in view: of the feature `ball`.
TouchlineStatus touchline_ball(const TouchlineSensors *sensors,
                               struct TouchlineFeature feature,
                               struct TouchlineSighting *ball);

/// The goals, one for each team, in the order of the world's teams: of the feature `goals`.
///
/// `*len` is how many there are; with `goals` NULL and `capacity` 0 nothing else is written.
TouchlineStatus touchline_goals(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                struct TouchlineGoal *goals,
                                size_t capacity,
                                size_t *len);

/// The posts in view, nearest first: of the feature `posts`.
TouchlineStatus touchline_posts(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                struct TouchlineSighting *posts,
                                size_t capacity,
                                size_t *len);

/// The other robots in view, nearest first: of the feature `robots`.
TouchlineStatus touchline_other_robots(const TouchlineSensors *sensors,
                                       struct TouchlineFeature feature,
                                       struct TouchlineOtherRobot *robots,
                                       size_t capacity,
                                       size_t *len);

/// A scan, and its distances in metres; `INFINITY`: nothing in range, `-INFINITY`: too close to measure.
///
/// `*len` is the number of beams; with `ranges_m` NULL and `capacity` 0 only that and `scan` are written.
TouchlineStatus touchline_scan(const TouchlineSensors *sensors,
                               struct TouchlineFeature feature,
                               struct TouchlineScan *scan,
                               double *ranges_m,
                               size_t capacity,
                               size_t *len);

/// Pose and velocity by the robot's own reckoning: of the feature `odometry`.
TouchlineStatus touchline_odometry(const TouchlineSensors *sensors,
                                   struct TouchlineFeature feature,
                                   struct TouchlineOdometry *odometry);

/// The robot's true pose and velocity, and the first ball's: of the feature `truth`.
TouchlineStatus touchline_truth(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                struct TouchlineTruth *truth);

/// All crossings, by scan line, and from the sensor outwards: of the feature `lines`.
///
/// `*len` is how many there are; with `crossings` NULL and `capacity` 0 only that and `lines` are written.
TouchlineStatus touchline_lines(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                struct TouchlineLines *lines,
                                struct TouchlineCrossing *crossings,
                                size_t capacity,
                                size_t *len);

/// What all sonars of a ring hear, and the whole angle of their cones, radians: of the feature `sonar`.
///
/// `*len` is how many there are; with `echoes` NULL and `capacity` 0 only that and the angle are written.
TouchlineStatus touchline_sonar(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                double *opening_angle_rad,
                                struct TouchlineEcho *echoes,
                                size_t capacity,
                                size_t *len);

/// All parts of a bumper: of the feature `bumper`.
TouchlineStatus touchline_bumper(const TouchlineSensors *sensors,
                                 struct TouchlineFeature feature,
                                 struct TouchlineBumperPart *parts,
                                 size_t capacity,
                                 size_t *len);

/// Where the sensor's x axis points in the world, radians, counter-clockwise: of the feature `compass`.
TouchlineStatus touchline_compass(const TouchlineSensors *sensors,
                                  struct TouchlineFeature feature,
                                  double *heading_rad);

/// Obstacles, nearest first: of the feature `obstacles`.
TouchlineStatus touchline_obstacles(const TouchlineSensors *sensors,
                                    struct TouchlineFeature feature,
                                    struct TouchlineObstacle *obstacles,
                                    size_t capacity,
                                    size_t *len);

/// Where a sensor's software believes the robot to be: of the feature `pose`.
TouchlineStatus touchline_field_pose(const TouchlineSensors *sensors,
                                     struct TouchlineFeature feature,
                                     struct TouchlineFieldPose *pose);

/// A picture, and its pixels as `0xRRGGBB`, row by row from the top left: of the feature `image`.
///
/// `*len` is how many there are; with `pixels` NULL and `capacity` 0 only that and `image` are written.
TouchlineStatus touchline_image(const TouchlineSensors *sensors,
                                struct TouchlineFeature feature,
                                struct TouchlineImage *image,
                                uint32_t *pixels,
                                size_t capacity,
                                size_t *len);

/// The sensors of a robot of which nothing was read yet, from a description that was kept: what the server answers to DESCRIBE, and
/// `touchline describe ROBOT` prints. No server is needed.
///
/// `*sensors` is then the caller's, and NULL if this fails.
TouchlineStatus touchline_sensors_described(const char *description,
                                            TouchlineSensors **sensors);

/// `touchline_find` in sensors, for those that have no client.
TouchlineStatus touchline_sensors_find(const TouchlineSensors *sensors,
                                       const char *model,
                                       const char *sensor_type,
                                       const char *feature,
                                       struct TouchlineFeature *found);

/// The same sensors, with what a real one has read at `stamp_s` in place of this feature's reading before; all others stay, with
/// their own stamps. All numbers of the feature in their units, one field after the other, rows first; `INFINITY` is nothing there,
/// `-INFINITY` too close.
///
/// `*filled` is then the caller's, as `sensors` still are, and NULL if this fails.
TouchlineStatus touchline_sensors_filled(const TouchlineSensors *sensors,
                                         struct TouchlineFeature feature,
                                         const double *values,
                                         size_t len,
                                         double stamp_s,
                                         TouchlineSensors **filled);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHLINE_SENSORS_H */
