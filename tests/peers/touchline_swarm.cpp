// A player of Touchline that wanders by the same lines of code as the robots of the peers.

#include "wander.hpp"

#include <optional>
#include <touchline/plugin.hpp>

namespace {

struct Params {
    std::string feature;
    double first_rad = 0.0;
    double step_rad = 0.0;
    double speed_m_s = 0.0;
    double turn_rad_s = 0.0;
    double radius_m = 0.0;
    double clearance_m = 0.0;
    double patience_s = 1e9;
};

class Swarm : public touchline::Player<Params, wander::Course> {
public:
    static constexpr const char* name = "swarm";
    static constexpr const char* version = "0.1.0";
    static constexpr const char* summary = "Wanders as the robots of the peers do";

    static touchline::ParamTable<Params> params() {
        return {
            {"feature", &Params::feature, "The scan that it reads."},
            {"first_rad", &Params::first_rad, -7.0, 7.0, "The direction of its first beam in the robot's frame, radians."},
            {"step_rad", &Params::step_rad, 0.0, 7.0, "From one beam to the next, radians."},
            {"speed_m_s", &Params::speed_m_s, 0.0, 10.0, "Its speed, m/s."},
            {"turn_rad_s", &Params::turn_rad_s, 0.0, 10.0, "How fast it turns, rad/s."},
            {"radius_m", &Params::radius_m, 0.0, 10.0, "The robot's radius, metres."},
            {"clearance_m", &Params::clearance_m, 0.0, 10.0, "It turns away from what is nearer before its front, metres."},
            {"patience_s", &Params::patience_s, 0.0, 1e9, "Who has turned away for so long pushes for so long, seconds."},
        };
    }

    Swarm(const Params& params, const touchline::Setup& setup, touchline::Problems& problems)
        : drive_{params.speed_m_s, params.turn_rad_s, params.radius_m, params.clearance_m, params.patience_s} {
        problems.require(setup.find(params.feature.c_str(), "ranges", ranges_), "feature", "no sensor has it");
        directions_ = wander::directions(params.first_rad, params.step_rad, ranges_.len);
    }

    std::vector<tl_field_handle> wants() const override { return {ranges_}; }

    void act(wander::Course& course, const tl_act& input, touchline::Orders& orders) const override {
        wander::Obstacles obstacles;
        for (std::size_t beam = 0; beam < directions_.size(); ++beam) {
            double range_m = INFINITY;
            if (tl_read_field(&input, &ranges_, beam, &range_m) && range_m < INFINITY) {
                obstacles.add(range_m, directions_[beam]);
            }
        }
        std::optional<touchline::Noise> noise;
        const auto uniform = [&noise, &input](double low, double high) {
            if (!noise) {
                noise.emplace(input.noise);
            }
            return noise->uniform(low, high);
        };
        const wander::Twist twist = wander::steer(drive_, course, obstacles, input.elapsed_secs, uniform);
        orders.twist(twist.forward_m_s, 0.0, twist.turn_rad_s);
    }

private:
    wander::Drive drive_;
    tl_field_handle ranges_{};
    std::vector<wander::Point> directions_;
};

}  // namespace

TOUCHLINE_EXPORT_PLAYER(Swarm)
