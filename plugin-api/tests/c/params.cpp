// Prints the description of a plugin with parameters of every type, then what its constructor got or what is wrong with them, for
// each line of the input.
#include <cstdio>
#include <iostream>
#include <touchline/plugin.hpp>

namespace {

struct Params {
    double opening_rad = 0.26;
    double range_m = 0.0;
    std::int64_t beams = 15;
    bool inverted = false;
    std::string label = "say \"ah\"\n";
};

class Everything : public touchline::Referee<Params> {
public:
    static constexpr const char *name = "everything", *version = "1.2.3", *summary = "Has \\ \"all\" types: ü";
    static touchline::ParamTable<Params> params() {
        return {
            {"opening_rad", &Params::opening_rad, 0.01, 3.0, "An angle, radians."},
            touchline::Param<Params>{"range_m", &Params::range_m, 0.1, INFINITY, "A distance, metres."}.required(),
            {"beams", &Params::beams, 1.0, 1000.0, "How many."},
            {"inverted", &Params::inverted, "Whether it is the other way round."},
            {"label", &Params::label, "A text."},
        };
    }
    Everything(const Params &got, const touchline::Setup &, touchline::Problems &problems) {
        problems.require(got.beams != 13, "beams", "must not be 13");
        std::printf("%.17g|%.17g|%lld|%d|%s\n", got.opening_rad, got.range_m, static_cast<long long>(got.beams), got.inverted,
                    got.label.c_str());
    }
    void judge(touchline::Stateless &, const tl_judge &, touchline::Orders &) const override {}
};

} // namespace

TOUCHLINE_EXPORT_REFEREE(Everything)

int main() {
    char text[8192], message[1024];
    tl_nothing nothing = {{sizeof nothing, TL_INTERFACE_VERSION}};
    tl_text_reply described = {{sizeof described, TL_INTERFACE_VERSION}, {message, 0, sizeof message, 0}, {text, 0, sizeof text, 0}};
    if (touchline_plugin_v8()->describe(nullptr, &nothing, &described) != TL_OK)
        return 1;
    std::printf("%.*s\n", static_cast<int>(described.text.len), text);
    for (std::string line; std::getline(std::cin, line);) {
        tl_create input = {{sizeof input, TL_INTERFACE_VERSION}, {line.data(), line.size()}, {"{}", 2}};
        tl_created made = {{sizeof made, TL_INTERFACE_VERSION}, {message, 0, sizeof message, 0}, nullptr, {text, 0, sizeof text, 0}};
        if (touchline_plugin_v8()->create(nullptr, &input, &made) == TL_SETUP)
            std::printf("%.*s\n", static_cast<int>(made.text.len), text);
        tl_reply reply = {{sizeof reply, TL_INTERFACE_VERSION}, {message, 0, sizeof message, 0}};
        touchline_plugin_v8()->destroy(made.instance, &nothing, &reply);
    }
    return 0;
}
