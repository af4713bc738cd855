// What players and referees order, for C++17; plugin.hpp includes it.
#ifndef TOUCHLINE_ORDERS_HPP
#define TOUCHLINE_ORDERS_HPP

#include <cstdint>
#include <string>
#include <touchline/helpers.h>
#include <vector>

namespace touchline {

// What a player or referee wants done; tl_order_... are the functions behind it.
class Orders {
public:
    explicit Orders(tl_orders &orders) : orders_(orders) {}
    void drive(const std::vector<double> &command) { tl_order_drive(&orders_, command.data(), command.size()); }
    void twist(double forward_m_s, double left_m_s, double turn_rad_s) {
        tl_order_twist(&orders_, forward_m_s, left_m_s, turn_rad_s);
    }
    void manipulate(std::uint32_t manipulator, std::uint32_t state, double strength) {
        tl_order_manipulate(&orders_, manipulator, state, strength);
    }
    void manipulate_aimed(std::uint32_t manipulator, std::uint32_t state, double strength, const double *direction_rad,
                          const double *elevation_rad) {
        tl_order_manipulate_aimed(&orders_, manipulator, state, strength, direction_rad, elevation_rad);
    }
    void say(const std::string &message, std::uint32_t channel = TL_CHANNEL_ALL) {
        tl_order_say_on(&orders_, channel, message.c_str());
    }
    void set_sensor(std::uint32_t sensor, std::uint32_t datum, double value) {
        tl_order_set_sensor(&orders_, sensor, datum, value);
    }
    void exchange_player(std::uint32_t robot, const std::string &plugin, const std::string &params_json = "{}",
                         double period_secs = 0.0) {
        tl_order_exchange_player(&orders_, robot, plugin.c_str(), params_json.c_str(), period_secs);
    }
    void annotate(const std::string &key, const std::string &json) {
        tl_order_annotate(&orders_, key.c_str(), json.c_str());
    }
    void end() { tl_order_end(&orders_); }
    void place_robot(std::uint32_t robot, tl_pose pose) { tl_order_place_robot(&orders_, robot, pose); }
    void place_moving_robot(std::uint32_t robot, tl_pose pose, tl_twist twist) {
        tl_order_place_moving_robot(&orders_, robot, pose, twist);
    }
    void place_ball(std::uint32_t ball, double x_m, double y_m, double x_m_s, double y_m_s) {
        tl_order_place_ball(&orders_, ball, x_m, y_m, x_m_s, y_m_s);
    }
    void place_flying_ball(std::uint32_t ball, double x_m, double y_m, double x_m_s, double y_m_s, tl_vertical vertical) {
        tl_order_place_flying_ball(&orders_, ball, x_m, y_m, x_m_s, y_m_s, vertical);
    }
    void game(const tl_game_state &game) { tl_order_game(&orders_, &game); }
    void refuse_kick(std::uint32_t kick) { tl_order_refuse_kick(&orders_, kick); }
    void event(const std::string &kind, std::uint32_t team = TL_NONE, const std::string &text = "") {
        tl_order_event(&orders_, kind.c_str(), team, text.c_str());
    }
    void measure(const std::string &name, double value, const std::string &unit) {
        tl_order_measure(&orders_, name.c_str(), value, unit.c_str());
    }
    void tell(std::uint32_t robot, const std::string &text) { tl_order_tell(&orders_, robot, text.c_str()); }
    void remove_robot(std::uint32_t robot) { tl_order_remove_robot(&orders_, robot); }
    void hold_robot(std::uint32_t robot, bool held) { tl_order_hold_robot(&orders_, robot, held); }
    void set_datum(std::uint32_t robot, std::uint32_t datum, double value) {
        tl_order_set_datum(&orders_, robot, datum, value);
    }
    void announce(const std::string &text) { tl_order_announce(&orders_, text.c_str()); }
    void reset_objects() { tl_order_reset_objects(&orders_); }
    void reward(std::uint32_t robot, double value) { tl_order_reward(&orders_, robot, value); }
    void end_episode(const std::string &outcome) { tl_order_end_episode(&orders_, outcome.c_str()); }
    void rule(const std::string &word, const std::string &json) { tl_order_rule(&orders_, word.c_str(), json.c_str()); }

private:
    tl_orders &orders_;
};

} // namespace touchline

#endif
