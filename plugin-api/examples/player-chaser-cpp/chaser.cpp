// Turns to the ball and drives. It looks its feature up once, by what it is and not by who gives it; so it plays on any robot
// that sees a ball.
#include <cmath>
#include <touchline/plugin.hpp>

namespace {

struct Params {
    double speed_m_s = 0.8;
};

// Where the ball was last seen, radians: there it turns when the ball is out of sight.
struct State {
    double last_rad = 1.0;
};

class Chaser : public touchline::Player<Params, State> {
public:
    static constexpr const char *name = "chaser-cpp", *version = PLUGIN_VERSION, *summary = "Turns to the ball and drives";

    static touchline::ParamTable<Params> params() {
        return {{"speed_m_s", &Params::speed_m_s, 0.0, 10.0, "How fast it drives, m/s."}};
    }

    Chaser(const Params &params, const touchline::Setup &setup, touchline::Problems &problems) : params_(params) {
        if (!setup.find("ball", "bearing", bearing_))
            problems.add("the robot has no sensor with a feature \"ball\" and its \"bearing\"");
    }

    std::vector<tl_field_handle> wants() const override { return {bearing_}; }

    void act(State &state, const tl_act &input, touchline::Orders &orders) const override {
        double bearing_rad = INFINITY;
        const bool is_seen = tl_read_field(&input, &bearing_, 0, &bearing_rad) && std::isfinite(bearing_rad);
        if (is_seen)
            state.last_rad = bearing_rad;
        orders.twist(is_seen ? params_.speed_m_s * tl_clamp(1.0 - std::abs(bearing_rad), 0.0, 1.0) : 0.0, 0.0,
                     is_seen ? 3.0 * bearing_rad : std::copysign(2.0, state.last_rad));
    }

private:
    Params params_;
    tl_field_handle bearing_{};
};

} // namespace

TOUCHLINE_EXPORT_PLAYER(Chaser)
