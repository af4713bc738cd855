// Gives every order once, and writes the records and then the texts as they are.
#include <cstdio>
#include <touchline/plugin.hpp>

int main() {
    static tl_order records[64];
    static char text[4096];
    tl_orders_reply reply = {};
    reply.records.ptr = records;
    reply.records.cap = 64;
    reply.text.ptr = text;
    reply.text.cap = sizeof text;
    tl_orders list = tl_orders_begin(&reply);
    touchline::Orders orders(list);
    const double direction_rad = -0.2, elevation_rad = 0.7;
    orders.drive({1.0, -2.0});
    orders.twist(0.5, -0.25, 2.0);
    orders.manipulate(1, 2, 0.5);
    orders.manipulate_aimed(1, 2, 0.5, &direction_rad, nullptr);
    orders.manipulate_aimed(1, 2, 0.5, nullptr, &elevation_rad);
    orders.say("mine");
    orders.say("ours", TL_CHANNEL_TEAM);
    orders.set_sensor(2, 1, 0.5);
    orders.exchange_player(3, "wanderer", "{\"x\":1}", 0.25);
    orders.annotate("goal", "{\"x\":1}");
    orders.end();
    orders.place_robot(4, {1.0, 2.0, 3.0});
    orders.place_moving_robot(4, {1.0, 2.0, 3.0}, {0.1, 0.2, 0.3});
    orders.place_ball(0, 1.0, 2.0, 3.0, 4.0);
    orders.place_flying_ball(0, 1.0, 2.0, 3.0, 4.0, {0.5, -1.0});
    tl_team team = {};
    team.score = 3;
    team.may_move = 1;
    const double value = 7.0;
    tl_game now = {};
    now.clock_secs = 3.5;
    now.phase = 1;
    now.teams = {&team, 1};
    now.values = {&value, 1};
    orders.game(tl_game_read(&now));
    orders.event("goal", 1, "by nobody");
    orders.event("half");
    orders.measure("distance", 2.5, "m");
    orders.tell(4, "go");
    orders.remove_robot(5);
    orders.hold_robot(4, true);
    orders.set_datum(4, 1, 0.5);
    orders.announce("half time");
    orders.reset_objects();
    orders.refuse_kick(1);
    orders.reward(3, -0.5);
    orders.end_episode("goal");
    orders.rule("spawn-ball", "{\"position_m\":[1,2]}");
    if (tl_orders_end(&list, nullptr, 0) != TL_OK)
        return 1;
    std::fwrite(records, sizeof *records, reply.records.len, stdout);
    std::fwrite(text, 1, reply.text.len, stdout);
    return 0;
}
