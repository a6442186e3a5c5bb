/* handover: the host of a game fails, and a player becomes the new host. Its clock continues the old one,
   based on the knowledge of all players, although one of them lies. A game would send the messages. */
#include <stdio.h>

#include <netclock/netclock_handover.h>

#define MS INT64_C(10000)
#define PLAYERS 4
#define WAY (15 * MS)            /* one-way delay between any two machines */
#define OLD_HOST (7200000 * MS)  /* the old host's clock minus the common local time */

static netclock_client *players[PLAYERS];

/* One exchange of a player with the host of this epoch, whose clock is ahead by this much. */
static void ask(int player, uint64_t epoch, int64_t ahead, int64_t now)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    if (netclock_client_make_request(players[player], now, &request) != NETCLOCK_OK) {
        return;
    }
    reply.id = request.id;
    reply.epoch = epoch;
    reply.received = reply.sent = now + WAY + ahead;
    netclock_client_handle_reply(players[player], &reply, now + 2 * WAY);
}

int main(void)
{
    /* One player may lie. The timescale is that of the old epoch. */
    netclock_adoption_config config = {sizeof config, 1, 1, 0.0, 0};
    netclock_adoption *adoption = NULL;
    netclock_adoption_result adopted = {sizeof adopted, 0, 0, 0, 0, 0, 0};
    netclock_reading own = {0};
    netclock_authority authority = {sizeof authority, 0, 2, 1, 0}; /* draw the epoch at random */
    netclock_event event = {sizeof event, 0, 0, 0, 0};
    unsigned char request[NETCLOCK_DATAGRAM_SIZE], reply[NETCLOCK_DATAGRAM_SIZE];
    int64_t now = 0, shown = 0, last = 0;
    int i, turn;

    for (i = 0; i < PLAYERS; i++) {
        /* A game draws the seeds at random. */
        if (netclock_client_create(NULL, 1, (uint64_t)i, &players[i]) != NETCLOCK_OK) {
            return 1;
        }
    }
    for (turn = 0; turn < 50; turn++, now += 100 * MS) {
        for (i = 0; i < PLAYERS; i++) {
            ask(i, 1, OLD_HOST, now);
        }
    }

    /* The host failed. Player 0 takes over: it uses its own reading, and asks the others. */
    own.struct_size = sizeof own;
    if (netclock_client_read(players[0], now, &own) != NETCLOCK_OK ||
        netclock_adoption_create(&config, 3, 4, &adoption) != NETCLOCK_OK) {
        return 1;
    }
    netclock_adoption_add_own_reading(adoption, own.server_time, own.error_bound, now);
    for (i = 1; i < PLAYERS; i++) {
        if (netclock_adoption_request(adoption, (uint64_t)i, now, request, sizeof request) != NETCLOCK_OK ||
            netclock_client_respond_to_adoption(
                players[i], request, sizeof request, now + WAY, reply, sizeof reply) != NETCLOCK_OK) {
            continue; /* it has nothing to contribute */
        }
        reply[20] ^= i == 1 ? 0x40 : 0; /* player 1 lies */
        netclock_adoption_handle_reply(adoption, (uint64_t)i, reply, sizeof reply, now + 2 * WAY);
    }
    now += 2 * WAY;
    if (netclock_adoption_settle(adoption, now, &adopted) != NETCLOCK_OK) {
        fprintf(stderr, "%s\n", netclock_last_error());
        return 1;
    }
    printf("%u of %u agree: the old clock is within %.1f ms\n", adopted.agreeing, adopted.answers,
           (double)adopted.dispersion / (double)MS);

    /* It now timestamps replies with its own clock plus the offset, and states its authority. */
    authority.dispersion = adopted.dispersion;
    for (i = 0; i < PLAYERS; i++) {
        netclock_client_set_authority(players[i], &authority, now);
    }
    if (netclock_client_current_server_time(players[2], now, &last) != NETCLOCK_OK) {
        return 1;
    }
    for (turn = 0; turn < 50; turn++, now += 100 * MS) {
        for (i = 1; i < PLAYERS; i++) {
            ask(i, 2, adopted.offset, now);
        }
        if (netclock_client_current_server_time(players[2], now + 2 * WAY, &shown) != NETCLOCK_OK ||
            shown < last) {
            return 1;
        }
        last = shown;
    }
    while (netclock_client_next_event(players[2], &event) == NETCLOCK_OK) {
        if (event.kind == NETCLOCK_EVENT_HANDED_OVER) {
            printf("player 2 goes on: no jump, the same epoch\n");
        }
    }
    netclock_adoption_destroy(adoption);
    for (i = 0; i < PLAYERS; i++) {
        netclock_client_destroy(players[i]);
    }
    return 0;
}
