// The compass of the template for C++: what main.rs measures against the same in Rust.
#include <touchline/plugin.hpp>

namespace {

struct Params {
    double sigma_rad = 0.02;
};

class Compass : public touchline::Sensor<Params> {
public:
    static constexpr const char *name = "compass-cpp", *version = "1.0.0", *summary = "Measured", *type = "compass";
    static touchline::ParamTable<Params> params() {
        return {{"sigma_rad", &Params::sigma_rad, 0.0, 3.2, "The deviation, radians."}};
    }
    Compass(const Params &params, const touchline::Setup &, touchline::Problems &) : params_(params) {}
    touchline::Layout layout() const override { return {{"heading", {heading_}}}; }
    void generate(const touchline::Stateless &, const tl_generate &input, std::uint32_t *quantised) const override {
        touchline::Noise noise(input.noise);
        quantised[0] = heading_.encode(tl_wrap_angle(input.sensor_pose.theta_rad + noise.gaussian(params_.sigma_rad)));
    }

private:
    Params params_;
    touchline::Field heading_{"heading", "rad", 1e-4, true, {}};
};

} // namespace

TOUCHLINE_EXPORT_SENSOR(Compass)
