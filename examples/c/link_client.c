/* link_client [HOST [PORT]]: follows a server's clock over the link and prints its time. */
#include <stdio.h>
#include <stdlib.h>

#include <netclock/netclock_link.h>

int main(int argc, char **argv)
{
    const char *host = argc > 1 ? argv[1] : "127.0.0.1";
    uint16_t port = (uint16_t)(argc > 2 ? atoi(argv[2]) : 7117);
    uint64_t now = (uint64_t)netclock_monotonic_now(), end = now + 3 * NETCLOCK_TICKS_PER_SECOND;
    /* The key comes from the server, over the game's own connection. Its last number grows with every run. */
    const netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 1, (uint32_t)(now / 1000000)};
    netclock_reading reading = {.struct_size = sizeof reading};
    netclock_client *client = NULL;
    netclock_link_client *link = NULL;
    /* A game gets both numbers from a secure random source. */
    if (netclock_client_create(NULL, now, 1, &client) != NETCLOCK_OK ||
        netclock_link_client_create(NULL, client, host, port, &key, &link) != NETCLOCK_OK)
        return fprintf(stderr, "cannot start: %s\n", netclock_last_error()), 1;
    while (reading.state == NETCLOCK_STATE_UNSYNCED && now < end) { /* a game reads the time once a frame */
        now = (uint64_t)netclock_monotonic_now();
        if (netclock_client_read(client, (int64_t)now, &reading) == NETCLOCK_OK)
            printf("server time %.6f s, within %.4f ms\n", (double)reading.server_time / 1e7,
                   (double)reading.error_bound / 1e4);
    }
    if (reading.state == NETCLOCK_STATE_UNSYNCED)
        return fprintf(stderr, "no reply from %s:%d\n", host, port), 1;
    return netclock_link_client_destroy(link), netclock_client_destroy(client);
}
