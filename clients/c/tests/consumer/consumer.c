#include <touchline/client.h>

#include <stdio.h>
#include <string.h>

/* Nobody listens on port 1: the library is there, and says so. */
int main(void) {
    TouchlineOptions options;
    TouchlineClient *client;
    touchline_options_init(&options, sizeof options);
    options.address = "127.0.0.1:1";
    options.robot_named = "pioneer";
    if (touchline_connect(&options, &client) != TOUCHLINE_STATUS_NO_SERVER) return 1;
    puts(touchline_last_error(NULL));
    return strstr(touchline_last_error(NULL), "127.0.0.1:1") == NULL;
}
