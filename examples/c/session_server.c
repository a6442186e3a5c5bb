/* session_server PORT: a complete server over UDP for a game of two players, with the clock, a world that
   pauses, UTC and a start. Port 0 selects a free port. The program prints the port and a key for each player.
   A game sends each key only to its player over a private connection, for example when the player logs in. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <netclock/netclock_session.h>

#define SECOND ((int64_t)NETCLOCK_TICKS_PER_SECOND)
#define PLAYERS 2

/* The address of each player's last datagram. A player's number is the id of its key, starting at 1. */
static struct sockaddr_in addresses[PLAYERS + 1];

/* Returns the id of the key that sealed a datagram. The host checks the seal. */
static uint32_t key_id(const unsigned char *datagram, ssize_t size)
{
    uint32_t id = 0;
    if (size > 8)
        memcpy(&id, datagram + 4, sizeof id);
    return ntohl(id);
}

/* Handles the datagrams that arrive until the end of the frame and then sends those that are due. */
static void exchange(netclock_host *host, int udp, int64_t frame_ends)
{
    unsigned char datagram[NETCLOCK_SESSION_DATAGRAM_MOST + 1]; /* longer ones are not NetClock's */
    uint64_t player = 0;
    size_t length = 0;
    while (netclock_monotonic_now() < frame_ends) {
        struct sockaddr_in from;
        socklen_t of = sizeof from;
        ssize_t size = recvfrom(udp, datagram, sizeof datagram, 0, (struct sockaddr *)&from, &of);
        int64_t arrived = netclock_monotonic_now(); /* recvfrom waited, so it just arrived */
        if (size <= 0)
            continue;
        player = key_id(datagram, size);
        netclock_host_polled(host, arrived);
        if (netclock_host_receive(host, player, datagram, (size_t)size, arrived) == NETCLOCK_OK)
            addresses[player] = from;
    }
    while (netclock_host_next(host, netclock_monotonic_now(), &player, datagram, sizeof datagram, &length) ==
           NETCLOCK_OK) {
        struct sockaddr *to = (struct sockaddr *)&addresses[player];
        sendto(udp, datagram, length, 0, to, sizeof addresses[player]);
    }
    while (netclock_host_silent(host, netclock_monotonic_now(), 30 * SECOND, &player) == NETCLOCK_OK)
        netclock_host_dismiss(host, player);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct timeval patience = {0, 2000}; /* timeout of recvfrom: 2 ms */
    socklen_t length = sizeof address;
    uint64_t random[3], secret[2];
    netclock_host *host = NULL;
    FILE *source = fopen("/dev/urandom", "rb");
    int udp = socket(AF_INET, SOCK_DGRAM, 0), is_scheduled = 0;

    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 7777));
    if (netclock_abi_version() != NETCLOCK_ABI_VERSION ||
        source == NULL || fread(random, sizeof random, 1, source) != 1 ||
        setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        bind(udp, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(udp, (struct sockaddr *)&address, &length) != 0 ||
        netclock_host_create(NULL, random[0], random[1], random[2], &host) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: wrong library, no random numbers, or the port is taken\n");
        return 1;
    }
    printf("port %d", ntohs(address.sin_port));
    for (uint32_t id = 1; id <= PLAYERS; id++) { /* each connection needs a new key */
        if (fread(secret, sizeof secret, 1, source) != 1)
            return 1;
        netclock_session_key key = {.secret_high = secret[0], .secret_low = secret[1], .id = id};
        netclock_host_admit(host, id, &key, 0);
        printf(" %" PRIu32 "-%" PRIx64 "-%" PRIx64, id, key.secret_high, key.secret_low);
    }
    printf("\n");
    fflush(stdout);

    int64_t now = netclock_monotonic_now(), world = 0, next_utc = now;
    for (int64_t frame = 0;; frame++) {
        int64_t ends = netclock_monotonic_now() + SECOND / 60;
        exchange(host, udp, ends);
        /* This code runs in every frame. The world pauses for one second in every five. */
        int64_t before = now;
        uint32_t paused = frame % 300 >= 240 ? NETCLOCK_WORLD_PAUSED : 0;
        now = netclock_monotonic_now();
        world += paused ? 0 : now - before;
        netclock_host_observe(host, 0, now, world, 1.0, paused);

        int64_t local = 0, utc = 0, uncertainty = 0;
        if (now >= next_utc && netclock_utc_now(&local, &utc, &uncertainty) == NETCLOCK_OK) {
            netclock_host_observe_utc(host, local, utc, SECOND + uncertainty); /* right to a second */
            next_utc = now + SECOND;
        }

        /* The proposal is repeated until all players are ready. Players who join later also receive the
         * start. */
        netclock_start_proposal proposal = {.struct_size = sizeof proposal};
        if (!is_scheduled && netclock_host_propose_start(host, now, now, 0.999, &proposal) == NETCLOCK_OK)
            is_scheduled = 1;
    }
}
