/* The contract, then one distance that can be checked on paper. */
#include <touchline/testing.h>

static tl_test_memory memory;

int main(void) {
    const touchline_plugin *plugin = touchline_plugin_v8();
    tl_test_plugin(plugin, "{\"range_max_m\": 6.0, \"sigma_m\": 0.01}");
    tl_test_plugin(plugin, "{\"walk_m\": 0.01}");

    tl_test_world world;
    tl_instance *sonar = tl_test_open(&memory, plugin, "{}");
    tl_generate input = tl_test_generate(&world, 0);
    tl_test_read(plugin, &memory, sonar, input);
    /* The wall's near side is at 1.95 m, the sensor at 0.1 m: above the ball, and its own robot does not count. */
    TL_TEST(memory.quantised[0] == 1850);
    world.shapes[TL_TEST_WALL].x_m = 3.0;
    tl_test_read(plugin, &memory, sonar, input);
    TL_TEST(memory.quantised[0] == 2850);
    /* Turned round it hears nothing. */
    input.sensor_pose.theta_rad = TL_PI;
    tl_test_read(plugin, &memory, sonar, input);
    TL_TEST(memory.quantised[0] == UINT32_MAX);
    tl_test_destroy(plugin, &memory, sonar);

    /* The error wanders: it is another after a step, and the same for whoever asks. */
    sonar = tl_test_open(&memory, plugin, "{\"walk_m\": 0.1}");
    tl_pose still = {0.0, 0.0, 0.0};
    tl_test_read(plugin, &memory, sonar, tl_test_generate(&world, 0));
    TL_TEST(memory.quantised[0] == 1850);
    tl_test_advance(plugin, &memory, sonar, still, 1.0, 1);
    tl_test_read(plugin, &memory, sonar, tl_test_generate(&world, 1));
    TL_TEST(memory.quantised[0] != 1850);
    tl_test_destroy(plugin, &memory, sonar);

    tl_created refused;
    const char *setup = tl_test_setup(TL_KIND_SENSOR);
    TL_TEST(tl_test_create(plugin, &memory, "{\"range_max_m\": 0.5, \"sigma_m\": 0.9}", setup, &refused) == TL_SETUP);
    TL_TEST(tl_test_create(plugin, &memory, "{\"range_max_m\": -1}", setup, &refused) == TL_SETUP);
    TL_TEST(strstr(memory.text, "allowed are 0.1 to 50") != NULL);
    return 0;
}
