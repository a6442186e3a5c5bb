/*
 * A start of three clients through the C interface. Two thirds of the messages are lost; one client never
 * says a word and is left out, one start is cancelled. Then a fixed-step simulation runs from the start for a
 * minute.
 */
#include <string.h>

#include "check.h"
#include "netclock/netclock_start.h"

#define FRAME (16 * MILLISECOND)
#define CLIENTS 3
#define EPOCH 77

/* The server's clock is an hour ahead of the clients'. */
#define AHEAD (3600 * SECOND)

static uint64_t random_state = 20261121;

static int arrives(void)
{
    return next_random(&random_state) % 3 == 0;
}

static netclock_client *clients[CLIENTS];
static netclock_participant *participants[CLIENTS];
static netclock_organiser *organiser;
static int fired[CLIENTS];
static int64_t now;

/* In sync at once: a few exchanges of 20 ms there and back. */
static void synchronise(int i)
{
    int64_t at;
    for (at = 0; at < SECOND; at += 20 * MILLISECOND) {
        CHECK(netclock_client_handle_exchange(clients[i], at, at + 10 * MILLISECOND + AHEAD, at + 10 * MILLISECOND + AHEAD,
                                              at + 20 * MILLISECOND, EPOCH) == NETCLOCK_OK);
    }
}

/* Client 0 is silent. */
static void frame(void)
{
    unsigned char datagram[NETCLOCK_DATAGRAM_SIZE];
    netclock_start_progress progress;
    netclock_status status;
    uint64_t to;
    int i;

    now += FRAME;
    while ((status = netclock_organiser_next_message(organiser, now + AHEAD, &to, datagram, sizeof datagram)) == NETCLOCK_OK) {
        CHECK(to > 0 && to < CLIENTS);
        if (arrives()) {
            CHECK(netclock_participant_receive(participants[to], datagram, sizeof datagram) == NETCLOCK_OK);
        }
    }
    CHECK(status == NETCLOCK_NOTHING_DUE);
    for (i = 0; i < CLIENTS; i++) {
        progress.struct_size = sizeof progress;
        CHECK(netclock_participant_tick(participants[i], clients[i], now, &progress) == NETCLOCK_OK);
        fired[i] += progress.fires;
        CHECK(!progress.fires || (progress.lateness >= 0 && progress.lateness < 2 * FRAME && progress.stage == NETCLOCK_STAGE_STARTED));
        while ((status = netclock_participant_next_message(participants[i], datagram, sizeof datagram)) == NETCLOCK_OK) {
            if (i > 0 && arrives()) {
                status = netclock_organiser_receive(organiser, (uint64_t)i, datagram, sizeof datagram, now + AHEAD);
                CHECK(status == NETCLOCK_OK || status == NETCLOCK_DUPLICATE || status == NETCLOCK_STALE);
            }
        }
        CHECK(status == NETCLOCK_NOTHING_DUE);
    }
}

static int64_t schedule(void)
{
    netclock_start_proposal proposal;
    netclock_status status;

    proposal.struct_size = sizeof proposal;
    while ((status = netclock_organiser_propose(organiser, now + AHEAD, 0.9999, &proposal)) == NETCLOCK_HELD_UP) {
        CHECK(proposal.hold_up == NETCLOCK_HOLD_UP_SILENT && proposal.not_ready > 0 && proposal.version == 0);
        if (proposal.participant == 0) {
            CHECK(netclock_organiser_remove(organiser, 0) == NETCLOCK_OK);
        }
        frame();
    }
    CHECK(status == NETCLOCK_OK && proposal.hold_up == NETCLOCK_HOLD_UP_NONE && proposal.not_ready == 0);
    CHECK(netclock_organiser_propose(organiser, now + AHEAD, 0.9999, &proposal) == NETCLOCK_START_PENDING);
    return proposal.at;
}

static void simulate(int64_t start)
{
    netclock_beat beat, saved;
    netclock_beat_steps steps, again;
    int64_t at, ran = 0, number, begins;
    double alpha;

    memset(&beat, 0, sizeof beat);
    beat.origin = start;
    beat.beats = 60000;
    beat.seconds = 1001;
    for (at = start; at < start + 60 * SECOND; at += 7 * MILLISECOND) {
        saved = beat;
        CHECK(netclock_beat_advance(&beat, at, &steps) == NETCLOCK_OK);
        CHECK(steps.first == ran && steps.skipped == 0 && steps.behind == 0);
        ran += steps.count;
        CHECK(netclock_beat_at(&beat, at, &number, &alpha) == NETCLOCK_OK);
        CHECK(number == ran - 1 && alpha == steps.alpha && alpha >= 0.0 && alpha < 1.0);
        /* A copy that was kept goes through the same again. */
        CHECK(netclock_beat_advance(&saved, at, &again) == NETCLOCK_OK);
        CHECK(memcmp(&saved, &beat, sizeof beat) == 0 && again.first == steps.first && again.count == steps.count);
    }
    CHECK(ran == 3597);
    CHECK(netclock_beat_time(&beat, 60000, &begins) == NETCLOCK_OK && begins == start + 1001 * SECOND);
}

int main(void)
{
    netclock_organiser_config config;
    netclock_start_participation known;
    netclock_start_result result;
    int64_t start;
    int i;

    memset(&config, 0, sizeof config);
    config.struct_size = sizeof config;
    config.capacity = CLIENTS;
    config.max_expected_error = 10 * MILLISECOND;
    CHECK(netclock_organiser_create(&config, EPOCH, &organiser) == NETCLOCK_OK);
    now = SECOND;
    for (i = 0; i < CLIENTS; i++) {
        CHECK(netclock_client_create(NULL, 1, (uint64_t)i, &clients[i]) == NETCLOCK_OK);
        CHECK(netclock_participant_create(100 + (uint64_t)i, &participants[i]) == NETCLOCK_OK);
        CHECK(netclock_organiser_admit(organiser, (uint64_t)i) == NETCLOCK_OK);
        synchronise(i);
    }
    CHECK(netclock_organiser_admit(organiser, 9) == NETCLOCK_FULL);
    result.struct_size = sizeof result;
    CHECK(netclock_organiser_result(organiser, &result) == NETCLOCK_NO_START);

    start = schedule();
    while (now + AHEAD < start - 30 * FRAME) {
        frame();
    }
    CHECK(netclock_organiser_cancel(organiser, now + AHEAD) == NETCLOCK_OK);
    CHECK(netclock_organiser_cancel(organiser, now + AHEAD) == NETCLOCK_NO_START);
    while (now + AHEAD < start + FRAME) {
        frame();
    }
    CHECK(fired[1] + fired[2] == 0);

    start = schedule();
    while (now + AHEAD < start + 10 * SECOND) {
        frame();
    }
    CHECK(fired[0] == 0 && fired[1] == 1 && fired[2] == 1);
    CHECK(netclock_organiser_result(organiser, &result) == NETCLOCK_OK);
    CHECK(result.at == start && result.version == 3 && result.cancelled == 0);
    CHECK(result.counted == 2 && result.acknowledged == 2 && result.fired == 2);
    CHECK(result.latest - result.earliest < FRAME);
    known.struct_size = sizeof known;
    CHECK(netclock_organiser_participation(organiser, 1, now + AHEAD, &known) == NETCLOCK_OK);
    CHECK(known.counted == 1 && known.lateness >= 0 && known.loss > 0.3);
    printf("two started %.3f ms apart\n", (double)(result.latest - result.earliest) / 1e4);

    simulate(start);
    for (i = 0; i < CLIENTS; i++) {
        CHECK(netclock_participant_destroy(participants[i]) == NETCLOCK_OK);
        CHECK(netclock_client_destroy(clients[i]) == NETCLOCK_OK);
    }
    CHECK(netclock_organiser_destroy(organiser) == NETCLOCK_OK);
    return 0;
}
