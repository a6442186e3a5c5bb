/* start: a server and four clients in one process agree on an instant and start at it. Prints how far
   apart. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <time.h>

#include <netclock/netclock_start.h>

#define CLIENTS 4
#define EPOCH 42          /* of the server's clock; as netclock_server_create was told */
#define FRAME 5000000     /* ns: 200 frames a second */
#define AHEAD 12345678901 /* ticks: the server's clock is so far ahead of the clients' */

int main(void)
{
    netclock_client *clients[CLIENTS];
    netclock_participant *players[CLIENTS];
    netclock_organiser *organiser = NULL;
    netclock_start_result result = {.struct_size = sizeof result};
    netclock_start_proposal proposal = {.struct_size = sizeof proposal};
    netclock_organiser_config config = {.struct_size = sizeof config, .max_expected_error = 100000};
    unsigned char datagram[NETCLOCK_DATAGRAM_SIZE];

    if (netclock_organiser_create(&config, EPOCH, &organiser) != NETCLOCK_OK)
        return 1;
    for (uint64_t i = 0; i < CLIENTS; i++) {
        /* A game draws seeds and keys from the system. */
        uint64_t seed = (uint64_t)netclock_monotonic_now() + i;
        if (netclock_client_create(NULL, seed, i, &clients[i]) != NETCLOCK_OK ||
            netclock_participant_create(seed, &players[i]) != NETCLOCK_OK ||
            netclock_organiser_admit(organiser, i) != NETCLOCK_OK)
            return 1;
    }
    int64_t end = netclock_monotonic_now() + 10 * NETCLOCK_TICKS_PER_SECOND;
    while (result.fired < CLIENTS && netclock_monotonic_now() < end) {
        /* The server's frame: is everybody ready? What has to be sent? */
        int64_t server = netclock_monotonic_now() + AHEAD;
        uint64_t to;
        if (proposal.version == 0 &&
            netclock_organiser_propose(organiser, server, 0.999, &proposal) == NETCLOCK_OK)
            printf("starting in %.0f ms\n", (double)(proposal.at - server) / 1e4);
        while (netclock_organiser_next_message(organiser, server, &to, datagram, sizeof datagram) ==
               NETCLOCK_OK)
            netclock_participant_receive(players[to], datagram, sizeof datagram);
        /* The clients' frames. Here time is asked by a call and the messages arrive at once. */
        for (uint64_t i = 0; i < CLIENTS; i++) {
            netclock_start_progress progress = {.struct_size = sizeof progress};
            netclock_request request = {.struct_size = sizeof request};
            int64_t now = netclock_monotonic_now(), there = now + AHEAD;
            if (netclock_client_tick(clients[i], now, &request) == NETCLOCK_OK)
                netclock_client_handle_exchange(
                    clients[i], now, there, there, netclock_monotonic_now(), 1, 1, EPOCH);
            if (netclock_participant_tick(players[i], clients[i], now, &progress) == NETCLOCK_OK &&
                progress.fires)
                printf("client %d starts in its next frame, %.3f ms after the instant\n", (int)i,
                       (double)progress.lateness / 1e4);
            while (netclock_participant_next_message(players[i], datagram, sizeof datagram) == NETCLOCK_OK)
                netclock_organiser_receive(
                    organiser, i, datagram, sizeof datagram, netclock_monotonic_now() + AHEAD);
        }
        if (netclock_organiser_result(organiser, &result) < 0) /* above 0: there was no start yet */
            return 1;
        nanosleep(&(struct timespec){.tv_nsec = FRAME}, NULL);
    }
    printf("%u of %d started, %.3f ms apart; a frame is 5 ms\n", result.fired, CLIENTS,
        (double)(result.latest - result.earliest) / 1e4);
    for (int i = 0; i < CLIENTS; i++) {
        netclock_participant_destroy(players[i]);
        netclock_client_destroy(clients[i]);
    }
    netclock_organiser_destroy(organiser);
    return result.fired == CLIENTS ? 0 : 1;
}
