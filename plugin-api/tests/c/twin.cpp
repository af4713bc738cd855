// A player whose class is called as that of every other library made of this file, in no namespace; NAME is the plugin's name.
#include <touchline/plugin.hpp>

struct Params {};

class Twin : public touchline::Player<Params> {
public:
    static constexpr const char *name = NAME, *version = "1.0.0", *summary = "One of two";
    static touchline::ParamTable<Params> params() { return {}; }
    Twin(const Params &, const touchline::Setup &, touchline::Problems &) {}
    void act(touchline::Stateless &, const tl_act &, touchline::Orders &) const override {}
};

TOUCHLINE_EXPORT_PLAYER(Twin)
