// Where am I: Monte Carlo localisation from the client's own sensors.
//
// Written by cbindgen from the Rust sources: `cargo run -p touchline-client-c --example headers`.

#ifndef TOUCHLINE_LOCALISATION_H
#define TOUCHLINE_LOCALISATION_H

#include "client.h"

/// What is known of the world: a table that was learned, or landmarks. `touchline_localiser_options_init` fills in what is
/// said in brackets.
typedef struct TouchlineLocaliserOptions {
    /// The size of this struct in the program's header: set by `touchline_localiser_options_init`.
    size_t struct_size;
    /// How many samples (1000).
    size_t sample_count;
    /// The same seed and the same readings give the same samples (1).
    uint64_t seed;
    /// The file that `touchline train perception` wrote (NULL). With a table, all below is left out.
    const char *table_file;
    /// Where the robot may be, in the world: the corner with the smaller coordinates, metres (-6, -3).
    TouchlinePoint low;
    /// The corner with the greater ones, metres (6, 3).
    TouchlinePoint high;
    /// The middle of each team's goal line, in the order of the teams (NULL).
    const TouchlinePoint *goals;
    /// How many (0).
    size_t goal_count;
    /// All posts (NULL).
    const TouchlinePoint *posts;
    /// How many (0).
    size_t post_count;
    /// What bearings are wrong by, radians (0.03).
    double sigma_bearing_rad;
    /// What distances are wrong by, as a part of them (0.08).
    double sigma_distance_relative;
    /// What is added to that at any distance, metres (0.05).
    double sigma_distance_m;
} TouchlineLocaliserOptions;

/// A pose in the world.
typedef struct TouchlinePose {
    /// Metres.
    double x_m;
    /// Metres.
    double y_m;
    /// Radians, counter-clockwise.
    double theta_rad;
} TouchlinePose;

/// What the samples come to.
typedef struct TouchlineEstimate {
    /// The middle of the densest heap of samples.
    struct TouchlinePose pose;
    /// How far they are from it: the root of the mean square, metres.
    double spread_m;
    /// The part of all samples that is there: near 1 when it is sure.
    double share;
} TouchlineEstimate;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Fills in the options that are usual. Call it as `touchline_localiser_options_init(&options, sizeof options)`.
TouchlineStatus touchline_localiser_options_init(struct TouchlineLocaliserOptions *options,
                                                 size_t struct_size);

/// Makes a localiser for the client's robot, which knows nothing yet of where it is.
///
/// `*localiser` is then the caller's, and NULL if this fails: the robot has not the table's features (or none that sees
/// the landmarks), or no odometry, or the file is no table.
TouchlineStatus touchline_localiser_new(const TouchlineClient *client,
                                        const struct TouchlineLocaliserOptions *options,
                                        TouchlineLocaliser **localiser);

/// Moves the samples by what odometry says since the last update, and weighs them by what the sensors see.
///
/// `estimate` may be NULL. The sensors must hold `odometry` and should hold what the table or the map knows; what they do
/// not hold says nothing.
TouchlineStatus touchline_localiser_update(const TouchlineLocaliser *localiser,
                                           const TouchlineSensors *sensors,
                                           struct TouchlineEstimate *estimate);

/// What the samples come to.
TouchlineStatus touchline_localiser_estimate(const TouchlineLocaliser *localiser,
                                             struct TouchlineEstimate *estimate);

/// All samples.
///
/// `*len` is how many there are; with `samples` NULL and `capacity` 0 nothing else is written.
TouchlineStatus touchline_localiser_samples(const TouchlineLocaliser *localiser,
                                            struct TouchlinePose *samples,
                                            size_t capacity,
                                            size_t *len);

/// Forgets where the robot was: it may be anywhere.
TouchlineStatus touchline_localiser_start_anywhere(const TouchlineLocaliser *localiser);

/// Starts at a known pose, give or take these standard deviations in metres and radians.
TouchlineStatus touchline_localiser_start_around(const TouchlineLocaliser *localiser,
                                                 struct TouchlinePose pose,
                                                 double sigma_m,
                                                 double sigma_rad);

/// `touchline_last_error` of the client for which the localiser was made, though it may be closed. It is kept as long as
/// that of `touchline_sensors_last_error`.
const char *touchline_localiser_last_error(const TouchlineLocaliser *localiser);

/// Ends a localiser. NULL is nothing.
void touchline_localiser_free(TouchlineLocaliser *localiser);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHLINE_LOCALISATION_H */
