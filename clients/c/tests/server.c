#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static int running;

static void end_server(void) {
    if (running > 0) kill(running, SIGKILL);
}

const char *repository(const char *path) {
    static char whole[4][4096];
    static int turn;
    char *place = whole[turn++ % 4];
    const char *root = getenv("TOUCHLINE_ROOT");
    CHECK(root != NULL);
    snprintf(place, sizeof whole[0], "%s/%s", root, path);
    return place;
}

Server server_start(const char *world, const char *speed) {
    const char *program = getenv("TOUCHLINE_PROGRAM");
    CHECK(program != NULL);
    int ends[2];
    CHECK(pipe(ends) == 0);
    Server server = {fork(), ""};
    CHECK(server.process >= 0);
    if (server.process == 0) {
#ifdef __linux__
        /* Whatever becomes of the test, no server is left behind. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, program, "serve", repository(world), "--board", "127.0.0.1:0", "--studio", "off", "--speed",
              speed, "--seed", "1", "--ready-json", (char *)NULL);
        _exit(127);
    }
    running = server.process;
    atexit(end_server);
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    char line[1024] = "";
    CHECK(output != NULL && fgets(line, sizeof line, output) != NULL);
    fclose(output);
    const char *board = strstr(line, "\"board\":\"");
    CHECK(board != NULL);
    board += strlen("\"board\":\"");
    const size_t len = strcspn(board, "\"");
    CHECK(len < sizeof server.address);
    memcpy(server.address, board, len);
    return server;
}

void server_stop(Server *server) {
    if (server->process <= 0) return;
    running = 0;
    kill(server->process, SIGKILL);
    waitpid(server->process, NULL, 0);
    server->process = 0;
}

int run_program(char *const *arguments) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execv(arguments[0], arguments);
        _exit(127);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
