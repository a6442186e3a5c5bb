/* session_client ADDRESS PORT KEY: a complete client of session_server, which prints the keys. The client
   prints the state of one frame, five seconds after the program started. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <netclock/netclock_session.h>

#define SECOND ((int64_t)NETCLOCK_TICKS_PER_SECOND)

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct timeval patience = {0, 5000}; /* recv times out after 5 ms, the frame period of the loop */
    uint64_t seed[2];
    netclock_session_key key = {.restarts = 0}; /* a client that connects again needs a new key */
    netclock_guest *guest = NULL;
    FILE *random = fopen("/dev/urandom", "rb");
    int udp = socket(AF_INET, SOCK_DGRAM, 0);

    address.sin_port = htons((uint16_t)(argc > 2 ? atoi(argv[2]) : 7777));
    if (netclock_abi_version() != NETCLOCK_ABI_VERSION ||
        random == NULL || fread(seed, sizeof seed, 1, random) != 1 ||
        inet_pton(AF_INET, argc > 1 ? argv[1] : "127.0.0.1", &address.sin_addr) != 1 ||
        connect(udp, (struct sockaddr *)&address, sizeof address) != 0 ||
        setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        argc < 4 ||
        sscanf(argv[3], "%" SCNu32 "-%" SCNx64 "-%" SCNx64,
               &key.id, &key.secret_high, &key.secret_low) != 3 ||
        netclock_guest_create(NULL, NULL, seed[0], seed[1], &guest) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: wrong library, no random numbers, or not an address or a key\n");
        return 1;
    }
    int64_t begin = netclock_monotonic_now(), started = 0;
    /* The key seals and opens whole datagrams. The guest itself distinguishes replies, segments, UTC and
       starts in them, so a game never has to look into a datagram. */
    if (netclock_guest_connect(guest, &key, begin, 0) != NETCLOCK_OK)
        return 1;
    for (int64_t now = begin; now < begin + 60 * SECOND;) { /* a game does this in every frame */
        /* [frame] */
        unsigned char datagram[NETCLOCK_SESSION_DATAGRAM_MOST + 1]; /* longer ones are not NetClock's */
        size_t length = 0;
        int32_t reliable = 0; /* UDP cannot */
        netclock_reading reading = {.struct_size = sizeof reading};
        netclock_world_reading world = {.struct_size = sizeof world};
        netclock_utc_reading date = {.struct_size = sizeof date};
        netclock_start_progress start = {.struct_size = sizeof start};

        ssize_t size = recv(udp, datagram, sizeof datagram, 0);
        now = netclock_monotonic_now();
        if (size > 0) {
            netclock_client_polled(netclock_guest_client(guest), now); /* timestamped on arrival */
            netclock_guest_receive(guest, datagram, (size_t)size, now);
        }
        netclock_status synced = netclock_guest_view(guest, now, &reading);
        if (netclock_guest_start(guest, &start) == NETCLOCK_OK && start.fires)
            started = now; /* start here */
        while (netclock_guest_next(guest, now, &reliable, datagram, sizeof datagram, &length) == NETCLOCK_OK)
            send(udp, datagram, length, 0);
        /* [/frame] */
        if (started != 0 && now > begin + 5 * SECOND && synced == NETCLOCK_OK &&
            netclock_guest_world(guest, 0, &world) == NETCLOCK_OK &&
            netclock_guest_utc(guest, &date) == NETCLOCK_OK) {
            printf("server minus local: %.4f ms, within %.4f ms\n",
                   (double)(reading.server_time - now) / 1e4, (double)reading.error_bound / 1e4);
            printf("world time %.3f s, within %.1f ms if it runs on\n", (double)world.world_time / 1e7,
                   (double)world.error_bound_if_unchanged / 1e4);
            printf("UTC %.3f s, within %.1f ms\n", (double)date.utc / 1e7,
                   (double)date.error_bound / 1e4);
            printf("started %.1f ms after the instant, within %.1f ms\n", (double)start.lateness / 1e4,
                   (double)start.error_bound / 1e4);
            netclock_guest_destroy(guest);
            return 0;
        }
    }
    fprintf(stderr, "no reply from the server, or incomplete state\n");
    netclock_guest_destroy(guest);
    return 1;
}
