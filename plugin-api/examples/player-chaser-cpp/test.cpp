// The contract; and a robot that sees no ball is refused.
#include <cstring>
#include <touchline/testing.h>

int main() {
    const touchline_plugin *plugin = touchline_plugin_v8();
    tl_test_plugin(plugin, R"({"speed_m_s": 1.0})");

    static tl_test_memory memory;
    tl_created chaser;
    memory.text_cap = memory.state_cap = TL_TEST_BYTES;
    const char *blind = R"({"robot":{"name":"r","sensors":[],"manipulators":[]},"teams":[],"period_secs":0.03})";
    TL_TEST(tl_test_create(plugin, &memory, "{}", blind, &chaser) == TL_SETUP);
    TL_TEST(std::strstr(memory.text, "no sensor with a feature") != nullptr);
    return 0;
}
