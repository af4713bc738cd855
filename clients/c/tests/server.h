/* A server for one test, and what tests share. */

#ifndef TOUCHLINE_TEST_SERVER_H
#define TOUCHLINE_TEST_SERVER_H

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Server {
    int process;
    char address[64];
} Server;

/* Starts a server with a world of the repository, and waits until it listens. The speed is as on the command line. */
Server server_start(const char *world, const char *speed);
/* Ends it, and waits for its end. */
void server_stop(Server *server);
/* A file of the repository. */
const char *repository(const char *path);
/* Runs a program to its end; its exit code. */
int run_program(char *const *arguments);

#ifdef __cplusplus
}
#endif

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

#endif
