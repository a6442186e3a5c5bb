/* server PORT: answers requests for the time over UDP, and prints its port. Port 0 selects a free port. */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <netclock/netclock.h>

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    uint64_t epoch = 0; /* a random number identifies this run of the clock */
    netclock_server *server = NULL;
    FILE *random = fopen("/dev/urandom", "rb");
    int udp = socket(AF_INET, SOCK_DGRAM, 0);

    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 7777));
    if (netclock_abi_version() != NETCLOCK_ABI_VERSION ||
        random == NULL || fread(&epoch, sizeof epoch, 1, random) != 1 ||
        bind(udp, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(udp, (struct sockaddr *)&address, &length) != 0 ||
        netclock_server_create(epoch, &server) != NETCLOCK_OK) {
        fprintf(stderr, "cannot start: wrong library, no random numbers, or the port is taken\n");
        return 1;
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        unsigned char datagram[NETCLOCK_DATAGRAM_SIZE + 1]; /* longer ones are not NetClock's */
        netclock_request request = {.struct_size = sizeof request};
        netclock_reply reply = {.struct_size = sizeof reply};
        struct sockaddr_in peer;
        length = sizeof peer;
        ssize_t size = recvfrom(udp, datagram, sizeof datagram, 0, (struct sockaddr *)&peer, &length);
        int64_t received = netclock_monotonic_now();
        if (size >= 0 && netclock_decode_request(datagram, (size_t)size, &request) == NETCLOCK_OK &&
            netclock_server_respond(server, &request, received, netclock_monotonic_now(), &reply) ==
                NETCLOCK_OK &&
            netclock_encode_reply(&reply, datagram, sizeof datagram) == NETCLOCK_OK)
            sendto(udp, datagram, NETCLOCK_DATAGRAM_SIZE, 0, (struct sockaddr *)&peer, length);
    }
}
