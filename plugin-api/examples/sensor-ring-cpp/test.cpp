// The contract; distances that can be checked on paper; an error that wanders.
#include <cstring>
#include <touchline/plugin.hpp>
#include <touchline/testing.h>

int main() {
    const touchline_plugin *plugin = touchline_plugin_v8();
    tl_test_plugin(plugin, R"({"range_max_m": 6.0, "walk_m": 0.1})");

    touchline::TestSensor exact(R"({"range_max_m": 6.0, "beams": 4})");
    // Beam 0 looks ahead: the wall's near side is at 1.95 m, the sensor at 0.1 m. Elsewhere there is nothing.
    TL_TEST((exact.read() == std::vector<std::uint32_t>{1850, UINT32_MAX, UINT32_MAX, UINT32_MAX}));
    // Turned to the right by a quarter, beam 1 sees the wall; and it is too close at 0.05 m.
    tl_generate input = exact.input();
    input.sensor_pose = {1.9, 0.0, -TL_PI / 2.0};
    TL_TEST(exact.read(input)[1] == UINT32_MAX - 1);
    exact.world.shapes[TL_TEST_WALL].x_m += 1.0;
    TL_TEST(exact.read(input)[1] == 1050);

    touchline::TestSensor wanders(R"({"range_max_m": 6.0, "beams": 1, "walk_m": 0.1})");
    TL_TEST(wanders.read()[0] == 1850);
    wanders.advance({0.0, 0.0, 0.0}, 1.0, 1);
    TL_TEST(wanders.read(1)[0] != 1850);

    static tl_test_memory memory;
    tl_created refused;
    memory.text_cap = memory.state_cap = TL_TEST_BYTES;
    const char *setup = tl_test_setup(TL_KIND_SENSOR);
    TL_TEST(tl_test_create(plugin, &memory, R"({"range_max_m": 0.5, "range_min_m": 0.9})", setup, &refused) == TL_SETUP);
    TL_TEST(std::strstr(memory.text, "must be below range_max_m") != nullptr);
    TL_TEST(tl_test_create(plugin, &memory, "{}", setup, &refused) == TL_SETUP);
    TL_TEST(std::strstr(memory.text, "it has no default") != nullptr);

    bool is_refused = false;
    try {
        touchline::Field{"range", "m", 0.001, false, {}}.encode(NAN);
    } catch (const touchline::Fault &fault) {
        is_refused = std::strcmp(fault.what(), "NaN in field range") == 0;
    }
    TL_TEST(is_refused);
    return 0;
}
