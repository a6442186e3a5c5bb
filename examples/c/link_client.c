/* link_client HOST PORT: follows a server's clock over the link for ten seconds at most, and says the
   time. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <netclock/netclock_link.h>

int main(int argc, char **argv)
{
    const netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 1, 0}; /* from the server */
    const struct timespec frame = {0, 16666667};
    netclock_reading reading = {.struct_size = sizeof reading};
    netclock_client *client = NULL;
    netclock_link_client *link = NULL;
    uint64_t seed[2] = {0, 0}; /* random numbers make the requests unguessable */
    FILE *random = fopen("/dev/urandom", "rb");
    int frames;

    if (random == NULL || fread(seed, sizeof seed, 1, random) != 1 ||
        netclock_client_create(NULL, seed[0], seed[1], &client) != NETCLOCK_OK ||
        netclock_link_client_create(NULL, client, argc > 1 ? argv[1] : "127.0.0.1",
            (uint16_t)(argc > 2 ? atoi(argv[2]) : 7777), &key, &link) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: %s\n", netclock_last_error());
        return 1;
    }
    for (frames = 0; frames < 600 && reading.state == NETCLOCK_STATE_UNSYNCED; frames++) {
        nanosleep(&frame, NULL); /* the game's loop only reads the clock */
        /* Above 0: not synced yet. */
        if (netclock_client_read(client, netclock_monotonic_now(), &reading) < 0)
            return 1;
    }
    int64_t now = netclock_monotonic_now();
    if (netclock_client_read(client, now, &reading) == NETCLOCK_OK)
        printf("server minus local: %.4f ms, within %.4f ms\n", (double)(reading.server_time - now) / 1e4,
               (double)reading.error_bound / 1e4);
    netclock_link_client_destroy(link);
    netclock_client_destroy(client);
    return reading.state == NETCLOCK_STATE_UNSYNCED ? 1 : 0;
}
