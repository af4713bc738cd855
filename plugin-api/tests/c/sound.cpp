// A sound plugin, run through the contract: a referee with REFEREE, else a player. Neither orders at every call, and their state has gaps.
#include <touchline/plugin.hpp>
#include <touchline/testing.h>

namespace {

struct Params {};

struct State {
    double x = 1.0;
    bool seen = false;
    double y = 0.0;
};

// Says something at every seventh call.
class Seldom : public touchline::Player<Params, State> {
public:
    static constexpr const char *name = "seldom", *version = "1.0.0", *summary = "Says something now and then";
    static touchline::ParamTable<Params> params() { return {}; }
    Seldom(const Params &, const touchline::Setup &, touchline::Problems &) {}
    void act(State &state, const tl_act &input, touchline::Orders &orders) const override {
        // Made anew, as its gaps are.
        state = State{state.x + 1.0, input.quantised.len != 0, state.x};
        if (std::fmod(state.y, 7.0) == 1.0)
            orders.say("here");
    }
};

// Refuses kicks before the physics, and has nothing to say after it.
class Refuses : public touchline::Referee<Params, State> {
public:
    static constexpr const char *name = "refuses", *version = "1.0.0", *summary = "Refuses all kicks";
    static touchline::ParamTable<Params> params() { return {}; }
    Refuses(const Params &, const touchline::Setup &, touchline::Problems &) {}
    touchline::GameDescription description() const override {
        touchline::GameDescription game;
        game.prepares = true;
        return game;
    }
    void prepare(State &, const tl_prepare &input, touchline::Orders &orders) const override {
        for (std::uint32_t kick = 0; kick < input.kicks.len; kick++)
            orders.refuse_kick(kick);
    }
    void judge(State &state, const tl_judge &, touchline::Orders &) const override { state.y += 1.0; }
};

} // namespace

#ifdef REFEREE
TOUCHLINE_EXPORT_REFEREE(Refuses)
#else
TOUCHLINE_EXPORT_PLAYER(Seldom)
#endif

int main() { return tl_test_plugin(touchline_plugin_v8(), "{}"); }
