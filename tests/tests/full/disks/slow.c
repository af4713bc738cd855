/* A slow disk, put before the system's own by LD_PRELOAD: while the file $SLOW_DISK/hold is there, writing to a recording
 * waits. That somebody waits is to be seen by the file $SLOW_DISK/waits. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_recording(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    return length > 5 && memcmp(path + length - 5, ".mcap", 5) == 0;
}

ssize_t write(int fd, const void *bytes, size_t count) {
    const char *folder = getenv("SLOW_DISK");
    if (folder != NULL && is_recording(fd)) {
        char hold[PATH_MAX], waits[PATH_MAX];
        snprintf(hold, sizeof hold, "%s/hold", folder);
        snprintf(waits, sizeof waits, "%s/waits", folder);
        while (access(hold, F_OK) == 0) {
            int shown = open(waits, O_CREAT | O_WRONLY, 0600);
            if (shown >= 0) {
                close(shown);
            }
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
    return syscall(SYS_write, fd, bytes, count);
}
