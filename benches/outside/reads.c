/*
 * What a read costs a program outside, which calls the shared library. Each library that is named is compared
 * with the plain clock of benches/original, linked into the program. docs/cost.md says how to build and run
 * it.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netclock/netclock.h"

/* The plain clock. */
void *original_create(void);
bool original_update_server_time(void *clock, int64_t server_time, int64_t current_time, int64_t round_trip);
int64_t original_current_server_time(const void *clock, int64_t now);
int64_t original_nothing(const void *clock, int64_t now);

#define MOST_LIBRARIES 4
/* All take turns, so that a machine that is slower for a while slows each of them. */
#define TURNS 600
#define READS_IN_TURN 100000

#define FIRST INT64_C(1000000000000)
/* A frame at 64 per second; 256 of them fill the 4 s between two exchanges. */
#define FRAME INT64_C(156250)
#define FRAMES 256
#define SETTLED (FIRST + INT64_C(5000000))

struct library {
    netclock_client *client;
    netclock_status (*read)(const netclock_client *, int64_t, int64_t *);
    netclock_status (*learn)(netclock_client *, int64_t, int64_t, int64_t, int64_t, uint64_t);
    double times[TURNS];
};

static struct library libraries[MOST_LIBRARIES];
static double plain_times[TURNS], empty_times[TURNS], ratios[TURNS];
static volatile int64_t sink;

static double nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *one, const void *other)
{
    double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof *values, compare);
    return values[TURNS / 2];
}

static double ratio(const double *times)
{
    int turn;
    for (turn = 0; turn < TURNS; turn++) {
        ratios[turn] = times[turn] / plain_times[turn];
    }
    return median(ratios);
}

/* POSIX gives functions as data pointers. */
#define LOAD(handle, function, name) (*(void **)&(function) = dlsym(handle, name))

static bool load(struct library *library, const char *path)
{
    netclock_status (*create)(const netclock_config *, uint64_t, uint64_t, netclock_client **);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return handle && LOAD(handle, create, "netclock_client_create") &&
           LOAD(handle, library->read, "netclock_client_current_server_time") &&
           LOAD(handle, library->learn, "netclock_client_handle_exchange") &&
           create(NULL, 1, 2, &library->client) == NETCLOCK_OK;
}

/* Times a turn of `read`, an expression with the instant `at`. */
#define TIME(result, at_i, read)                    \
    do {                                            \
        double begin = nanoseconds();               \
        int64_t sum = 0, i;                         \
        for (i = 0; i < READS_IN_TURN; i++) {       \
            int64_t at = at_i;                      \
            sum += (read);                          \
        }                                           \
        sink = sum;                                 \
        result = nanoseconds() - begin;             \
    } while (0)

#define COMPARE(name, at_i)                                                                                       \
    do {                                                                                                          \
        int turn, k;                                                                                              \
        for (turn = 0; turn < TURNS; turn++) {                                                                    \
            TIME(plain_times[turn], at_i, original_current_server_time(plain, at));                               \
            TIME(empty_times[turn], at_i, original_nothing(plain, at));                                           \
            for (k = 0; k < count; k++) {                                                                         \
                int64_t shown = 0;                                                                                \
                TIME(libraries[k].times[turn], at_i, (libraries[k].read(libraries[k].client, at, &shown), shown)); \
            }                                                                                                     \
        }                                                                                                         \
        for (k = 0; k < count; k++) {                                                                             \
            double times = ratio(libraries[k].times);                                                             \
            printf("%s, library %d: %.2f x the plain clock, %.2f ns\n", name, k + 1, times,                       \
                   median(libraries[k].times) / READS_IN_TURN);                                                   \
        }                                                                                                         \
        printf("%s, an empty call: %.2f x the plain clock\n", name, ratio(empty_times));                          \
    } while (0)

int main(int count, char **arguments)
{
    void *plain = original_create();
    int64_t i;
    int k;

    count = count - 1 < MOST_LIBRARIES ? count - 1 : MOST_LIBRARIES;
    for (k = 0; k < count; k++) {
        if (!load(&libraries[k], arguments[k + 1])) {
            fprintf(stderr, "%s: %s\n", arguments[k + 1], dlerror());
            return 1;
        }
    }
    for (i = 20; i >= 0; i--) {
        /* Every 4 s, 25 ms each way and up to 4 ms more, from a server that is 20 ppm fast. */
        int64_t arrived = FIRST - i * FRAMES * FRAME, queued = i * 7919 % 40000, sent = arrived - 500000 - queued;
        int64_t server = arrived + 900000000 - 250000 - queued / 2 + (arrived - FRAMES * FRAME) / 50000;
        original_update_server_time(plain, server, arrived, arrived - sent);
        for (k = 0; k < count; k++) {
            if (libraries[k].learn(libraries[k].client, sent, server, server, arrived, 1) != NETCLOCK_OK) {
                return 1;
            }
        }
    }
    COMPARE("settled", SETTLED + i);
    COMPARE("every frame", FIRST + i % FRAMES * FRAME);
    return 0;
}
