// A motion model that throws after 20 steps, or while it is made: what, its parameter says.
#include <touchline/plugin.hpp>

namespace {

struct Params {
    std::string how = "not";
};

struct State {
    std::uint64_t steps = 0;
};

class Thrower : public touchline::Motion<Params, State> {
public:
    static constexpr const char *name = "bad", *version = "1.0.0", *summary = "Throws";

    static touchline::ParamTable<Params> params() { return {{"how", &Params::how, "What it throws."}}; }

    Thrower(const Params &params, const touchline::Setup &, touchline::Problems &problems) : how_(params.how) {
        problems.require(how_ != "never", "how", "must not be \"never\"");
        problems.require(how_ != "never-at-once", "how", "must not be this");
        if (how_ == "at-once" || how_ == "never-at-once")
            throw std::runtime_error("cannot begin");
    }

    touchline::MotionDescription description() const override {
        return {{{"forward", "m/s", -1.0, 1.0, "forward"}}, {}};
    }

    tl_motion_output advance(State &state, const tl_motion_advance &input) const override {
        if (++state.steps > 20 && how_ == "exception")
            throw std::out_of_range("no wheel 5");
        if (state.steps > 20 && how_ == "number")
            throw 5;
        if (state.steps > 20 && how_ == "fault")
            throw touchline::Fault("the motor is hot");
        return tl_steady(tl_twist{0.5, 0.0, 0.0});
    }

private:
    std::string how_;
};

} // namespace

TOUCHLINE_EXPORT_MOTION(Thrower)
