/* The examples against the real server: the striker scores, and the chaser sees the ball. [C8] */

#include "server.h"

#include <string.h>

int main(int argc, char **argv) {
    CHECK(argc == 2);
    char *example = argv[1];
    if (strstr(example, "play") != NULL) {
        /* Bounded by simulated time: five minutes against the built-in goalkeeper, as fast as the computer can; with a robot
           that drives sideways and sees all round, and with one that does neither. */
        char *robots[] = {"omni3", "pioneer"};
        for (int i = 0; i < 2; ++i) {
            Server server = server_start("worlds/keeper.toml", "lockstep");
            char *arguments[] = {example,   "--addr", server.address, "--instead-of", "attacker", "--lockstep", "--robot",
                                 robots[i], "--goals", "1",           "--for",        "300",      NULL};
            CHECK(run_program(arguments) == 0);
            server_stop(&server);
        }
    } else {
        Server server = server_start("worlds/keeper.toml", "1");
        char *arguments[] = {example, "--addr", server.address, "--for", "1", NULL};
        CHECK(run_program(arguments) == 0);
        char *unknown[] = {example, "--addr", server.address, "--what", "1", NULL};
        CHECK(run_program(unknown) == 2);
        server_stop(&server);
        CHECK(run_program(arguments) == 1);
    }
    return 0;
}
