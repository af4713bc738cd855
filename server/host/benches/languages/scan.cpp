// A 361-beam scan by the ray caster for C++: what main.rs measures against the same in Rust.
#include <touchline/plugin.hpp>

namespace {

struct Params {};

class Scan : public touchline::Sensor<Params> {
public:
    static constexpr const char *name = "scan-cpp", *version = "1.0.0", *summary = "Measured", *type = "laser";
    static touchline::ParamTable<Params> params() { return {}; }
    Scan(const Params &, const touchline::Setup &, touchline::Problems &) : fan_(TL_PI, 361) {}
    touchline::Layout layout() const override { return {{"scan", {ranges_}}}; }
    void generate(const touchline::Stateless &, const tl_generate &input, std::uint32_t *quantised) const override {
        thread_local std::vector<double> ranges_m;
        fan_.cast(input.view, input.sensor_pose, 8.0, 0.2, input.robot_object, ranges_m);
        for (std::size_t i = 0; i < ranges_m.size(); i++)
            quantised[i] = ranges_.encode(ranges_m[i]);
    }

private:
    touchline::Field ranges_{"ranges", "m", 1e-3, false, {361}};
    touchline::Fan fan_;
};

} // namespace

TOUCHLINE_EXPORT_SENSOR(Scan)
