/* A host dies; the client that becomes the new host adopts the clock from itself and three others, one of
   whom lies. */

#include "check.h"
#include "netclock/netclock_handover.h"

#define CLIENTS 4
#define NEW_EPOCH 2

/* All machines read one clock, the old host shows it an hour later, and each way takes 20 ms. */
#define OLD_HOST_AHEAD (3600 * SECOND)
#define WAY (20 * MILLISECOND)

/* Client `clock` asks a server whose clock is `ahead`, at `now`. */
static int ask(netclock_client *clock, uint64_t epoch, int64_t ahead, int64_t now)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    EXPECT(netclock_client_make_request(clock, now, &request) == NETCLOCK_OK);
    reply.id = request.id;
    reply.epoch = epoch;
    reply.received = reply.sent = now + WAY + ahead;
    EXPECT(netclock_client_handle_reply(clock, &reply, now + 2 * WAY) == NETCLOCK_OK);
    return 0;
}

int main(void)
{
    netclock_client *clients[CLIENTS] = {NULL};
    netclock_adoption_config config = {sizeof config, 1, 1, 0.0, 0};
    netclock_adoption *adoption = NULL;
    netclock_adoption_result adopted = {0};
    netclock_authority authority = {0}, known = {0};
    netclock_reading before = {0}, after = {0};
    netclock_event event = {0};
    unsigned char question[NETCLOCK_DATAGRAM_SIZE], answer[NETCLOCK_DATAGRAM_SIZE], statement[NETCLOCK_DATAGRAM_SIZE];
    int64_t now = 0, error, last, shown;
    int i, turn;

    authority.struct_size = known.struct_size = sizeof authority;
    adopted.struct_size = sizeof adopted;
    before.struct_size = after.struct_size = sizeof before;
    event.struct_size = sizeof event;

    for (i = 0; i < CLIENTS; i++) {
        EXPECT(netclock_client_create(NULL, 1, (uint64_t)i, &clients[i]) == NETCLOCK_OK);
        EXPECT(netclock_client_authority(clients[i], 0, &known) == NETCLOCK_NOT_SYNCED);
    }
    for (turn = 0; turn < 20; turn++) {
        for (i = 0; i < CLIENTS; i++) {
            if (ask(clients[i], 1, OLD_HOST_AHEAD, now) != 0) {
                return 1;
            }
        }
        now += 100 * MILLISECOND;
    }
    EXPECT(netclock_client_authority(clients[0], now, &known) == NETCLOCK_OK);
    EXPECT(known.epoch == 1 && known.timescale == 1 && known.dispersion == 0);

    /* The old host is gone. Client 0 takes over: what it knows itself, then what the others say. */
    config.liars = 32;
    EXPECT(netclock_adoption_create(&config, 3, 4, &adoption) == NETCLOCK_BAD_CONFIG && adoption == NULL);
    config.liars = 0; /* the default: one may lie */
    EXPECT(netclock_adoption_create(&config, 3, 4, &adoption) == NETCLOCK_OK);
    EXPECT(netclock_adoption_settle(adoption, now, &adopted) == NETCLOCK_TOO_FEW);
    EXPECT(netclock_client_read(clients[0], now, &before) == NETCLOCK_OK);
    EXPECT(netclock_adoption_add_own_reading(adoption, before.server_time, before.error_bound, now) == NETCLOCK_OK);
    for (i = 1; i < CLIENTS; i++) {
        EXPECT(netclock_adoption_request(adoption, (uint64_t)i, now, question, sizeof question) == NETCLOCK_OK);
        EXPECT(netclock_adoption_request(adoption, (uint64_t)i, now, question, sizeof question) ==
               NETCLOCK_NOTHING_DUE);
        EXPECT(netclock_client_respond_to_adoption(clients[i], question, sizeof question, now + WAY, answer, sizeof answer) ==
               NETCLOCK_OK);
        if (i == CLIENTS - 1) {
            answer[20] ^= 0x7F; /* the last one says something else */
        }
        EXPECT(netclock_adoption_handle_reply(adoption, (uint64_t)i, answer, sizeof answer, now + 2 * WAY) == NETCLOCK_OK);
        EXPECT(netclock_adoption_handle_reply(adoption, (uint64_t)i, answer, sizeof answer, now + 2 * WAY) ==
               NETCLOCK_UNKNOWN_REQUEST);
    }
    now += 100 * MILLISECOND;
    EXPECT(netclock_adoption_settle(adoption, now, &adopted) == NETCLOCK_OK);
    EXPECT(adopted.answers == CLIENTS && adopted.agreeing == CLIENTS - 1 && adopted.timescale == 1);
    error = adopted.offset - OLD_HOST_AHEAD;
    EXPECT(error <= adopted.dispersion && -error <= adopted.dispersion && adopted.dispersion <= 21 * MILLISECOND);

    /* It says so when a client inquires, and the client goes on. */
    authority.epoch = NEW_EPOCH;
    authority.timescale = adopted.timescale;
    authority.dispersion = adopted.dispersion;
    EXPECT(netclock_client_begin_burst(clients[1]) == NETCLOCK_OK);
    EXPECT(netclock_client_request_authority(clients[1], now, question, sizeof question) == NETCLOCK_OK);
    EXPECT(netclock_client_request_authority(clients[1], now, question, sizeof question) == NETCLOCK_NOTHING_DUE);
    EXPECT(netclock_authority_respond(&authority, question, sizeof question, statement, sizeof statement) == NETCLOCK_OK);
    statement[15] ^= 1;
    EXPECT(netclock_client_handle_authority_reply(clients[1], statement, sizeof statement, now) == NETCLOCK_UNKNOWN_REQUEST);
    statement[15] ^= 1;
    EXPECT(netclock_client_handle_authority_reply(clients[1], statement, sizeof statement, now) == NETCLOCK_OK);
    /* Another one hears it over a connection that is trusted. */
    EXPECT(netclock_client_set_authority(clients[2], &authority, now) == NETCLOCK_OK);
    authority.timescale = 9;
    EXPECT(netclock_client_set_authority(clients[2], &authority, now) == NETCLOCK_OTHER_TIMESCALE);

    for (i = 1; i < 3; i++) {
        while (netclock_client_next_event(clients[i], &event) == NETCLOCK_OK) {
        }
        EXPECT(netclock_client_read(clients[i], now, &before) == NETCLOCK_OK);
    }
    last = before.server_time;
    for (turn = 0; turn < 20; turn++) {
        for (i = 1; i < 3; i++) {
            if (ask(clients[i], NEW_EPOCH, adopted.offset, now) != 0) {
                return 1;
            }
        }
        now += 100 * MILLISECOND;
        EXPECT(netclock_client_current_server_time(clients[2], now, &shown) == NETCLOCK_OK && shown >= last);
        last = shown;
    }
    for (i = 1; i < 3; i++) {
        EXPECT(netclock_client_next_event(clients[i], &event) == NETCLOCK_OK);
        EXPECT(event.kind == NETCLOCK_EVENT_HANDED_OVER && event.jump == 0);
        EXPECT(netclock_client_next_event(clients[i], &event) == NETCLOCK_NO_EVENT);
        EXPECT(netclock_client_read(clients[i], now, &after) == NETCLOCK_OK);
        EXPECT(after.server_epoch == NEW_EPOCH && after.epoch == before.epoch);
        EXPECT(netclock_client_authority(clients[i], now, &known) == NETCLOCK_OK);
        EXPECT(known.epoch == NEW_EPOCH && known.timescale == 1 && known.dispersion >= adopted.dispersion);
    }

    EXPECT(netclock_adoption_destroy(adoption) == NETCLOCK_OK);
    EXPECT(netclock_adoption_destroy(adoption) == NETCLOCK_UNKNOWN_HANDLE);
    for (i = 0; i < CLIENTS; i++) {
        EXPECT(netclock_client_destroy(clients[i]) == NETCLOCK_OK);
    }
    return 0;
}
