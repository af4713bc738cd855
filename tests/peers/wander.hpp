// The rule by which all robots of the swarms drive, in every simulator: on in gentle curves, and away from what is near.
//
// Step by step what `plugins/player-wanderer/src/steer.rs` does; but who is out of patience pushes.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace wander {

using Point = std::array<double, 2>;

struct Drive {
    double speed_m_s;
    double turn_rad_s;
    double radius_m;
    double clearance_m;
    // Who has turned away for so long drives on for so long, whatever is there.
    double patience_s;
};

struct Twist {
    double forward_m_s;
    double turn_rad_s;
};

// What a robot is about to do: `away` is 1 to the left, -1 to the right, and 0 if it drives on.
struct Course {
    double away = 0.0;
    double away_s = 0.0;
    double curve = 0.0;
    double curve_s = 0.0;
    double push_s = 0.0;
};

// The directions of a fan's beams in the robot's frame, from its first beam on.
inline std::vector<Point> directions(double first_rad, double step_rad, std::size_t beams) {
    std::vector<Point> all;
    for (std::size_t beam = 0; beam < beams; ++beam) {
        const double angle_rad = first_rad + static_cast<double>(beam) * step_rad;
        all.push_back({std::cos(angle_rad), std::sin(angle_rad)});
    }
    return all;
}

// The places that a scan has met, in the robot's frame.
class Obstacles {
public:
    void add(double range_m, const Point& direction) {
        if (count_ < points_.size()) {
            points_[count_++] = {range_m * direction[0], range_m * direction[1]};
        }
    }
    const Point* begin() const { return points_.data(); }
    const Point* end() const { return points_.data() + count_; }

private:
    std::array<Point, 180> points_;
    std::size_t count_ = 0;
};

inline double free_ahead(const Drive& drive, const Obstacles& obstacles) {
    double ahead_m = std::numeric_limits<double>::infinity();
    for (const auto& [x, y] : obstacles) {
        if (x > 0.0 && std::abs(y) < drive.radius_m + 0.05) {
            ahead_m = std::min(ahead_m, x - drive.radius_m);
        }
    }
    return ahead_m;
}

// `uniform(low, high)` draws a number.
template <class Uniform>
double freer_side(const Drive& drive, const Obstacles& obstacles, Uniform&& uniform) {
    double left = 25.0;
    double right = 25.0;
    for (const auto& [x, y] : obstacles) {
        if (x > -drive.radius_m && y != 0.0) {
            double& nearest = y > 0.0 ? left : right;
            nearest = std::min(nearest, x * x + y * y);
        }
    }
    if (std::abs(left - right) < 0.05 * (left + right)) {
        return uniform(0.0, 1.0) < 0.5 ? 1.0 : -1.0;
    }
    return left > right ? 1.0 : -1.0;
}

template <class Uniform>
Twist steer(const Drive& drive, Course& course, const Obstacles& obstacles, double elapsed_s, Uniform&& uniform) {
    if (course.push_s > 0.0) {
        course.push_s -= elapsed_s;
        return {drive.speed_m_s, 0.0};
    }
    const double ahead_m = free_ahead(drive, obstacles);
    if (course.away == 0.0 && ahead_m < drive.clearance_m) {
        course.away = freer_side(drive, obstacles, uniform);
        course.away_s = 0.0;
    } else if (course.away != 0.0 && ahead_m > 1.5 * drive.clearance_m) {
        course.away = 0.0;
    }
    if (course.away != 0.0) {
        course.away_s += elapsed_s;
        if (course.away_s > drive.patience_s) {
            course.away = 0.0;
            course.push_s = drive.patience_s;
            return {drive.speed_m_s, 0.0};
        }
        // In a corner both sides look alike: back out of it a little.
        const double back_m_s = course.away_s > 4.0 ? -0.3 * drive.speed_m_s : 0.0;
        return {back_m_s, course.away * drive.turn_rad_s};
    }
    course.curve_s -= elapsed_s;
    if (course.curve_s <= 0.0) {
        course.curve = uniform(-0.3, 0.3);
        course.curve_s = uniform(1.0, 4.0);
    }
    const double room = (ahead_m - 0.5 * drive.clearance_m) / (2.0 * drive.clearance_m);
    return {std::clamp(room, 0.2, 1.0) * drive.speed_m_s, course.curve * drive.turn_rad_s};
}

}  // namespace wander
