/* client ADDRESS PORT: requests the time until five replies have been accepted, for at most ten seconds, and
   prints it. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <netclock/netclock.h>

/* Returns a socket connected to the server, or -1. After a network change (Wi-Fi to LTE, a VPN), only a new
   socket receives datagrams. */
static int connect_to(const struct sockaddr_in *server)
{
    struct timeval patience = {0, 5000}; /* recv times out after 5 ms, the frame period of the loop */
    int udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (udp >= 0 && (connect(udp, (const struct sockaddr *)server, sizeof *server) != 0 ||
                     setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0)) {
        close(udp);
        return -1;
    }
    return udp;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    uint64_t seed[2]; /* random numbers make the requests unpredictable */
    netclock_client *client = NULL;
    FILE *random = fopen("/dev/urandom", "rb");
    int replies = 0, udp = -1;

    address.sin_port = htons((uint16_t)(argc > 2 ? atoi(argv[2]) : 7777));
    if (netclock_abi_version() != NETCLOCK_ABI_VERSION ||
        random == NULL || fread(seed, sizeof seed, 1, random) != 1 ||
        inet_pton(AF_INET, argc > 1 ? argv[1] : "127.0.0.1", &address.sin_addr) != 1 ||
        (udp = connect_to(&address)) < 0 ||
        netclock_client_create(NULL, seed[0], seed[1], &client) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: wrong library, no random numbers, or not an address\n");
        return 1;
    }
    int64_t now = netclock_monotonic_now(), end = now + 10 * NETCLOCK_TICKS_PER_SECOND, heard = now;
    for (; replies < 5 && now < end; now = netclock_monotonic_now()) { /* a game does this in every frame */
        unsigned char datagram[NETCLOCK_DATAGRAM_SIZE + 1]; /* longer ones are not NetClock's */
        netclock_request request = {.struct_size = sizeof request};
        netclock_reply reply = {.struct_size = sizeof reply};
        if (netclock_client_tick(client, now, &request) == NETCLOCK_OK &&
            netclock_encode_request(&request, datagram, sizeof datagram) == NETCLOCK_OK)
            send(udp, datagram, NETCLOCK_DATAGRAM_SIZE, 0);
        ssize_t size = recv(udp, datagram, sizeof datagram, 0);
        int64_t arrived = netclock_monotonic_now();
        if (size >= 0 && netclock_decode_reply(datagram, (size_t)size, &reply) == NETCLOCK_OK &&
            netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_OK) {
            replies++;
            heard = now;
        }
        /* A settled client sends a request every 4 s, so count 2 s from its oldest unanswered request. */
        if (now - heard > 2 * NETCLOCK_TICKS_PER_SECOND) {
            int fresh = connect_to(&address); /* if there is no network, the next iteration tries again */
            heard = now;
            if (fresh >= 0) {
                close(udp);
                udp = fresh;
            }
        }
    }
    netclock_reading reading = {.struct_size = sizeof reading};
    netclock_status status = netclock_client_read(client, now, &reading);
    if (status == NETCLOCK_OK)
        printf("server minus local: %.4f ms, within %.4f ms\n", (double)(reading.server_time - now) / 1e4,
               (double)reading.error_bound / 1e4);
    else
        fprintf(stderr, "no server time: %s\n", netclock_status_text(status));
    netclock_client_destroy(client);
    return status == NETCLOCK_OK ? 0 : 1;
}
