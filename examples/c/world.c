/* world: a server's world that pauses, and the server's UTC, both shown on a client in the same process. */
#include <stdio.h>

#include <netclock/netclock_utc.h>
#include <netclock/netclock_world.h>

#define EPOCH 42                                       /* names this run of the server's clock */
#define AHEAD (5 * (int64_t)NETCLOCK_TICKS_PER_SECOND) /* of the server's clock */
#define FRAME ((int64_t)NETCLOCK_TICKS_PER_SECOND / 60)

static netclock_client *client;
static netclock_publisher *publisher;
static netclock_timeline *timeline;
static netclock_utc_publisher *utc_publisher;
static netclock_server_utc *server_utc;

/* The server's frame. `real` is the clock that answers requests, `rate` how fast the world runs. Here
   messages arrive at once. */
static void serve(int64_t real, int64_t world, double rate, int paused, int64_t stated)
{
    /* [server's world] */
    /* Every frame, after the world's clock was set. */
    netclock_world_segment segment = {.struct_size = sizeof segment};
    if (netclock_publisher_observe(publisher, real, world, rate, paused, &segment) == NETCLOCK_OK)
        netclock_timeline_insert(timeline, &segment); /* a change, or lost time: send it to all clients */
    /* [/server's world] */

    /* [server's utc] */
    /* About once a second. `stated` is the error that the machine's source of time states. */
    int64_t local = 0, utc = 0, uncertainty = 0, jump = 0;
    netclock_utc_claim claim = {.struct_size = sizeof claim};
    if (netclock_utc_now(&local, &utc, &uncertainty) == NETCLOCK_OK &&
        netclock_utc_publisher_observe(
            utc_publisher, local + AHEAD, utc, stated + uncertainty, &claim) == NETCLOCK_OK &&
        netclock_server_utc_insert(server_utc, &claim, &jump) == NETCLOCK_OK) /* send it to all clients */
        printf("a claim moves the shown UTC by %.3f ms\n", (double)jump / 1e4);
    /* [/server's utc] */
}

/* The client's frame. */
static void show(int64_t now, int print)
{
    netclock_reading reading = {.struct_size = sizeof reading};
    netclock_world_reading shown = {.struct_size = sizeof shown};
    netclock_utc_reading date = {.struct_size = sizeof date};
    /* [client's world] */
    if (netclock_client_read(client, now, &reading) == NETCLOCK_OK &&
        netclock_timeline_show(timeline, &reading, &shown) == NETCLOCK_OK && print)
        printf("world time %.3f s\n", (double)shown.world_time / 1e7); /* never back within shown.epoch */
    /* [/client's world] */
    /* [client's utc] */
    if (netclock_server_utc_read(server_utc, &reading, &date) == NETCLOCK_OK && print)
        printf("UTC %.0f s since 1970, within %.1f ms\n", (double)date.utc / 1e7,
            (double)date.error_bound / 1e4);
    /* [/client's utc] */
}

int main(void)
{
    int64_t now = netclock_monotonic_now(), world = 0;
    if (netclock_client_create(NULL, (uint64_t)now, 1, &client) != NETCLOCK_OK ||
        netclock_publisher_create(NULL, EPOCH, 0, &publisher) != NETCLOCK_OK ||
        netclock_timeline_create(NULL, &timeline) != NETCLOCK_OK ||
        netclock_utc_publisher_create(NULL, EPOCH, &utc_publisher) != NETCLOCK_OK ||
        netclock_server_utc_create((uint64_t)now, 2, &server_utc) != NETCLOCK_OK)
        return fprintf(stderr, "cannot start: %s\n", netclock_last_error()), 1;
    /* The world runs for a second, pauses for one, and runs on. Time passes faster than on a wall clock. */
    for (int frame = 0; frame < 180; frame++, now += FRAME) {
        int paused = frame >= 60 && frame < 120;
        netclock_request request = {.struct_size = sizeof request};
        world += paused ? 0 : FRAME;
        serve(now + AHEAD, world, 1.0, paused, 10000);
        if (netclock_client_tick(client, now, &request) == NETCLOCK_OK &&
            netclock_client_handle_exchange(client, now, now + AHEAD, now + AHEAD, now, 1, 1, EPOCH) < 0)
            return 1;
        show(now, frame % 60 == 59);
    }
    netclock_server_utc_destroy(server_utc);
    netclock_utc_publisher_destroy(utc_publisher);
    netclock_timeline_destroy(timeline);
    netclock_publisher_destroy(publisher);
    netclock_client_destroy(client);
    return 0;
}
