/* The contract, then one distance that can be checked on paper. */
#include <touchline/testing.h>

int main(void) {
    const touchline_plugin *plugin = touchline_plugin_v1();
    tl_test_plugin(plugin, "{\"range_max_m\": 6.0, \"sigma_m\": 0.01}");
    tl_test_plugin(plugin, "{\"walk_m\": 0.01}");

    static tl_test_memory memory;
    tl_test_world world;
    tl_created sonar;
    memory.text_cap = memory.state_cap = TL_TEST_BYTES;
    memory.counts_len = 1;
    const char *setup = tl_test_setup(TL_KIND_SENSOR);
    TL_TEST(tl_test_create(plugin, &memory, "{}", setup, &sonar) == TL_OK);
    memory.state_len = sizeof(double);
    tl_test_read(plugin, &memory, sonar.instance, tl_test_generate(&world, 0));
    /* The wall's near side is at 1.95 m, the sensor at 0.1 m: above the ball, and its own robot does not count. */
    TL_TEST(memory.counts[0] == 1850);
    tl_test_destroy(plugin, &memory, sonar.instance);

    TL_TEST(tl_test_create(plugin, &memory, "{\"range_max_m\": 0.5, \"sigma_m\": 0.9}", setup, &sonar) == TL_SETUP);
    TL_TEST(tl_test_create(plugin, &memory, "{\"range_max_m\": -1}", setup, &sonar) == TL_SETUP);
    TL_TEST(strstr(memory.text, "allowed are 0.1 to 50") != NULL);
    return 0;
}
