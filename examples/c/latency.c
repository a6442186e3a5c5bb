/* A player's way to the server gets 60 ms longer in the middle of a game; the game notices and hides it. */
#include <stdio.h>

#include <netclock/netclock_latency.h>

#define MS INT64_C(10000)
#define SECOND (1000 * MS)
#define AHEAD (123 * SECOND) /* of the server's clock */

int main(void)
{
    netclock_client *client = NULL;
    netclock_latency *latency = NULL;
    netclock_latency_change change = {.struct_size = sizeof change};
    netclock_latency_speed speed = {.struct_size = sizeof speed};
    double slowest = 1.0;

    if (netclock_client_create(NULL, 1, 2, &client) != NETCLOCK_OK || /* random bits, in a game */
        netclock_latency_create(NULL, &latency) != NETCLOCK_OK)
        return 1;
    for (int64_t i = 0; i < 1200; i++) { /* ten exchanges a second, 25 ms and jitter each way */
        int64_t sent = i * SECOND / 10;
        int64_t received = sent + (i < 600 ? 25 : 85) * MS + i * 7919 % 40 * MS / 10;
        int64_t arrived = received + 25 * MS + i * 104729 % 40 * MS / 10;
        /* A game that speaks NetClock's datagrams calls netclock_client_handle_reply() here. */
        netclock_client_handle_exchange(client, sent, received + AHEAD, received + AHEAD, arrived, 1, 1, 1);
        netclock_latency_follow(latency, client);
        while (netclock_latency_next_change(latency, &change) == NETCLOCK_OK)
            printf("after %.1f s: %s %.0f ms, was %.0f ms\n", (double)change.found / 1e7,
                   change.direction == NETCLOCK_TO_SERVER ? "to the server" : "to the client",
                   (double)change.after / 1e4, (double)change.before / 1e4);
        for (int frame = 0; frame < 6; frame++) { /* what the local avatar is moved with */
            if (netclock_latency_read_speed(latency, arrived + frame * SECOND / 60, &speed) == NETCLOCK_OK &&
                speed.scale < slowest)
                slowest = speed.scale;
        }
    }
    printf("played at %.2f, %.0f ms behind, now at %.2f\n", slowest, -(double)speed.done / 1e4, speed.scale);
    netclock_latency_destroy(latency);
    netclock_client_destroy(client);
    return 0;
}
