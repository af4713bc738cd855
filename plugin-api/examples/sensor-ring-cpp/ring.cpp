// A ring of range finders whose common error wanders: a sensor with rays, a state, and parameters that depend on each other.
#include <cmath>
#include <touchline/plugin.hpp>

namespace {

struct Params {
    std::int64_t beams = 8;
    double range_min_m = 0.1;
    double range_max_m = 0.0;
    double walk_m = 0.0;
};

// What is remembered: plain numbers, which the server copies.
struct State {
    double error_m = 0.0;
};

class Ring : public touchline::Sensor<Params, State> {
public:
    static constexpr const char *name = "ring-cpp", *version = PLUGIN_VERSION, *type = "ultrasonic";
    static constexpr const char *summary = "Distances all round, with an error that wanders";

    static touchline::ParamTable<Params> params() {
        return {
            {"beams", &Params::beams, 1.0, 1000.0, "How many, counter-clockwise from ahead."},
            {"range_min_m", &Params::range_min_m, 0.0, 10.0, "What is closer is too close, metres."},
            touchline::Param<Params>{"range_max_m", &Params::range_max_m, 0.1, 50.0, "Nothing is seen beyond, metres."}.required(),
            {"walk_m", &Params::walk_m, 0.0, 1.0, "The standard deviation of the error after one second, metres."},
        };
    }

    // The ranges hold here; what depends on two parameters is required, not thrown: the user sees all problems at once.
    Ring(const Params &params, const touchline::Setup &, touchline::Problems &problems)
        : params_(params), fan_(0.0, TL_TAU / static_cast<double>(params.beams), static_cast<std::size_t>(params.beams)) {
        problems.require(params.range_min_m < params.range_max_m, "range_min_m", "must be below range_max_m");
        ranges_.shape = {static_cast<std::uint32_t>(params.beams)};
    }

    touchline::Layout layout() const override { return {{"ring", {ranges_}}}; }

    // Called after every step.
    void advance(State &state, const tl_sensor_advance &input) const override {
        touchline::Noise noise(input.noise);
        state.error_m += noise.gaussian(params_.walk_m * std::sqrt(input.dt_secs));
    }

    // Called whenever somebody reads: it sees the state, and cannot change it.
    void generate(const State &state, const tl_generate &input, std::uint32_t *quantised) const override {
        std::vector<double> ranges_m;
        fan_.cast(input.view, input.sensor_pose, params_.range_max_m, input.sensor_z_m, input.robot_object, ranges_m);
        for (std::size_t i = 0; i < ranges_m.size(); i++)
            quantised[i] = ranges_.encode(ranges_m[i] < params_.range_min_m ? -INFINITY : ranges_m[i] + state.error_m);
    }

private:
    Params params_;
    touchline::Fan fan_;
    touchline::Field ranges_{"ranges", "m", 0.001, false, {}};
};

} // namespace

TOUCHLINE_EXPORT_SENSOR(Ring)
