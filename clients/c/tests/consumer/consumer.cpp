#include <touchline/client.hpp>

#include <iostream>

int main() {
    touchline::Options options;
    options.address = "127.0.0.1:1";
    options.robot_named = "pioneer";
    try {
        touchline::Client client(options);
    } catch (const touchline::NoServer &error) {
        std::cout << error.what() << '\n';
        return 0;
    }
    return 1;
}
