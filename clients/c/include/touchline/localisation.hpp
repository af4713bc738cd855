// Where a robot is, in C++: a thin wrapper of localisation.h.
//
// Errors are exceptions, as in client.hpp.

#ifndef TOUCHLINE_LOCALISATION_HPP
#define TOUCHLINE_LOCALISATION_HPP

#include "client.hpp"

namespace touchline {

// What is known of the world: a table that was learned, or landmarks.
struct LocaliserOptions {
    std::size_t sample_count = 1000;
    std::uint64_t seed = 1;
    std::optional<std::string> table_file; // of touchline train perception; with it the rest is left out
    Point low{-6.0, -3.0}, high{6.0, 3.0}; // where the robot may be
    std::vector<Point> goals;              // the middle of each team's goal line, in the order of the teams
    std::vector<Point> posts;
    double sigma_bearing_rad = 0.03, sigma_distance_relative = 0.08, sigma_distance_m = 0.05;
};

// Follows a robot from its own sensors; localisation.h has the details. It may outlive its client.
class Localiser {
public:
    Localiser(const Client &client, const LocaliserOptions &options) {
        TouchlineLocaliserOptions c;
        touchline_localiser_options_init(&c, sizeof c);
        c.sample_count = options.sample_count;
        c.seed = options.seed;
        c.table_file = detail::c_str(options.table_file);
        c.low = options.low;
        c.high = options.high;
        c.goals = options.goals.data();
        c.goal_count = options.goals.size();
        c.posts = options.posts.data();
        c.post_count = options.posts.size();
        c.sigma_bearing_rad = options.sigma_bearing_rad;
        c.sigma_distance_relative = options.sigma_distance_relative;
        c.sigma_distance_m = options.sigma_distance_m;
        TouchlineLocaliser *localiser = nullptr;
        const TouchlineStatus status = touchline_localiser_new(client.get(), &c, &localiser);
        if (status != TOUCHLINE_STATUS_OK) detail::fail(status, touchline_last_error(client.get()));
        handle_.reset(localiser);
    }

    TouchlineLocaliser *get() const noexcept { return handle_.get(); }
    // Follows odometry since the last update, and weighs what is seen.
    Estimate update(const Sensors &sensors) const {
        Estimate estimate{};
        check(touchline_localiser_update(get(), sensors.get(), &estimate));
        return estimate;
    }
    Estimate estimate() const {
        Estimate estimate{};
        check(touchline_localiser_estimate(get(), &estimate));
        return estimate;
    }
    std::vector<Pose> samples() const {
        std::size_t len = 0;
        check(touchline_localiser_samples(get(), nullptr, 0, &len));
        std::vector<Pose> samples(len);
        check(touchline_localiser_samples(get(), samples.data(), len, &len));
        return samples;
    }
    // Forgets where the robot was.
    void start_anywhere() const { check(touchline_localiser_start_anywhere(get())); }
    void start_around(Pose pose, double sigma_m, double sigma_rad) const {
        check(touchline_localiser_start_around(get(), pose, sigma_m, sigma_rad));
    }

private:
    void check(TouchlineStatus status) const {
        if (status != TOUCHLINE_STATUS_OK) detail::fail(status, touchline_localiser_last_error(get()));
    }
    detail::Handle<TouchlineLocaliser, touchline_localiser_free> handle_;
};

} // namespace touchline

#endif // TOUCHLINE_LOCALISATION_HPP
