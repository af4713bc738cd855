// A sensor under test, for C++17; testing.h includes it.
#ifndef TOUCHLINE_TESTING_HPP
#define TOUCHLINE_TESTING_HPP

#include <cstdint>
#include <touchline/testing.h>
#include <vector>

namespace touchline {

// A sensor under test: `touchline::TestSensor sensor(R"({"sigma_m": 0.0})");`, then `sensor.read()`.
class TestSensor {
public:
    // The world that it sees; a reading without an input of your own makes it anew.
    tl_test_world world;

    explicit TestSensor(const char *params = "{}", const touchline_plugin *plugin = touchline_plugin_v8())
        : plugin_(plugin), memory_(1), instance_(tl_test_open(&memory_[0], plugin, params)) {}
    TestSensor(const TestSensor &) = delete;
    TestSensor &operator=(const TestSensor &) = delete;
    ~TestSensor() { tl_test_destroy(plugin_, &memory_[0], instance_); }

    // A fresh world with the robot at the origin; see tl_test_generate.
    tl_generate input(std::uint64_t step = 0) { return tl_test_generate(&world, step); }
    // All integers of one reading.
    std::vector<std::uint32_t> read(const tl_generate &input) {
        tl_test_read(plugin_, &memory_[0], instance_, input);
        return {memory_[0].quantised, memory_[0].quantised + memory_[0].quantised_len};
    }
    std::vector<std::uint32_t> read(std::uint64_t step = 0) { return read(input(step)); }
    // Integrates one step; see tl_test_advance.
    void advance(tl_pose displacement, double dt_secs, std::uint64_t step) {
        tl_test_advance(plugin_, &memory_[0], instance_, displacement, dt_secs, step);
    }

private:
    const touchline_plugin *plugin_;
    std::vector<tl_test_memory> memory_;
    tl_instance *instance_;
};

} // namespace touchline

#endif
