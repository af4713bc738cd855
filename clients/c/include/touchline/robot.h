// What a robot is made of, and what its numbers mean: touchline_robot in client.h.
//
// Written by cbindgen from the Rust sources: `cargo run -p touchline-client-c --example headers`.

#ifndef TOUCHLINE_ROBOT_H
#define TOUCHLINE_ROBOT_H

#include "base.h"

/// Which of the standard commands sets a number of the command vector.
enum TouchlinePart
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /// The translational velocity, forward.
    TOUCHLINE_PART_FORWARD = 0,
    /// The translational velocity to the left.
    TOUCHLINE_PART_LEFT = 1,
    /// The rotational velocity.
    TOUCHLINE_PART_TURN = 2,
    /// None of them: set by `touchline_drive` alone.
    TOUCHLINE_PART_OTHER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum TouchlinePart TouchlinePart;
#else
typedef int32_t TouchlinePart;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// One number of the command vector of `touchline_drive`.
typedef struct TouchlineDimension {
    /// Such as `forward`.
    const char *name;
    /// Such as `m/s`.
    const char *unit;
    /// The lowest number that has an effect.
    double min;
    /// The highest number that has an effect.
    double max;
    /// Which standard command sets it.
    TouchlinePart part;
} TouchlineDimension;

/// One published number of the motion model's internal state.
typedef struct TouchlineDatum {
    /// Such as `wheel-left`: the field `motion/wheel-left` of the feature `odometry`.
    const char *name;
    /// Such as `rad/s`.
    const char *unit;
} TouchlineDatum;

/// One named quantity of a feature. An integer n stands for `n * scale` in its unit.
typedef struct TouchlineField {
    /// Such as `ranges`.
    const char *name;
    /// Such as `m`.
    const char *unit;
    /// Units for each count.
    double scale;
    /// Whether an integer is a two's complement number of 32 bits.
    bool is_signed;
    /// Where its integers begin among the feature's.
    size_t first;
    /// How many integers it has.
    size_t integer_count;
    /// Its shape, rows first; a scalar has none.
    const uint32_t *shape;
    /// How many numbers the shape has.
    size_t shape_count;
} TouchlineField;

/// A group of fields that is read by its name, whichever sensor gives it.
typedef struct TouchlineFeatureInfo {
    /// Such as `ball` or `180DegreeScan`.
    const char *name;
    /// How many integers it has.
    size_t integer_count;
    /// Its fields, in the order of the integers.
    const struct TouchlineField *fields;
    /// How many.
    size_t field_count;
} TouchlineFeatureInfo;

/// A sensor.
typedef struct TouchlineSensorInfo {
    /// Its name within the robot, such as `laser`.
    const char *id;
    /// The make, such as `LMS200`.
    const char *model;
    /// What it is, such as `laser`.
    const char *sensor_type;
    /// The server's plugin that generates it.
    const char *plugin;
    /// Where it sits, forward of the robot's centre, metres.
    double x_m;
    /// To the left of the robot's centre, metres.
    double y_m;
    /// Above the floor, metres.
    double z_m;
    /// Its x axis against the robot's, radians, counter-clockwise.
    double theta_rad;
    /// What it gives.
    const struct TouchlineFeatureInfo *features;
    /// How many.
    size_t feature_count;
} TouchlineSensorInfo;

/// A part of the robot that switches between states, such as a kicker.
typedef struct TouchlineManipulator {
    /// Such as `kicker`.
    const char *name;
    /// Its states' names; it starts in the first.
    const char *const *states;
    /// How many.
    size_t state_count;
} TouchlineManipulator;

/// A robot: all that is in here lives as long as the client.
typedef struct TouchlineRobot {
    /// Its number in the world.
    uint32_t number;
    /// The number of its team, in the order of the world's teams; -1: none.
    int32_t team_index;
    /// Its name.
    const char *name;
    /// Its team's name; NULL: none.
    const char *team;
    /// No point of it is farther from its origin, metres.
    double radius_m;
    /// The numbers of its command vector.
    const struct TouchlineDimension *dimensions;
    /// How many.
    size_t dimension_count;
    /// What its motion model publishes.
    const struct TouchlineDatum *motion_data;
    /// How many.
    size_t motion_data_count;
    /// Its sensors, in the order of the robot file.
    const struct TouchlineSensorInfo *sensors;
    /// How many.
    size_t sensor_count;
    /// Its manipulators.
    const struct TouchlineManipulator *manipulators;
    /// How many.
    size_t manipulator_count;
} TouchlineRobot;

#endif  /* TOUCHLINE_ROBOT_H */
