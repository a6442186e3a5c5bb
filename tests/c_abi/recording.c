/*
 * Writes a recording in the format of docs/recording.md. The tap reports the exchanges, and the program adds
 * a handover, a timeline segment and a start. The simulated session is deterministic, so the file must be
 * identical to tests/c_abi/recording.csv.
 */
#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "netclock/netclock_saved.h"
#include "netclock/netclock_session.h"

static void record(void *user_data, const netclock_sample *sample)
{
    FILE *file = user_data;
    fprintf(file,
        "%" PRId32 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId32
        ",%" PRIu32 ",%" PRIu32 "\n",
        sample->status, sample->id, sample->epoch, sample->client_sent, sample->server_received,
        sample->server_sent, sample->client_received, sample->path, sample->server_wait,
        sample->client_wait);
}

static void record_authority(FILE *file, netclock_client *client, int64_t now, uint64_t epoch)
{
    netclock_authority authority = {
        .struct_size = sizeof authority, .epoch = epoch, .timescale = 8, .dispersion = MILLISECOND};

    CHECK(netclock_client_set_authority(client, &authority, now) == NETCLOCK_OK);
    fprintf(file, "authority,%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 "\n", now, authority.epoch,
            authority.timescale, authority.dispersion);
}

/* Records a world that starts at the server time `real` and runs at half speed. */
static void record_segment(FILE *file, int64_t now, int64_t real)
{
    /* The segment has version 1, instance 1, server epoch 9, and a tolerance of 7,501 ticks. */
    fprintf(file, "segment,%" PRId64 ",4e4b01080000000100000001000000000000000000000009", now);
    fprintf(file, "00002000000000000000000000001d4d%016" PRIx64, (uint64_t)real);
    fprintf(file, "00000000000000000000000000000000%016" PRIx64 "\n", (uint64_t)real);
}

static uint64_t random_state = 20261121;

/* Each message takes 15 ms plus up to 4 ms of queueing. */
static int64_t delay(void)
{
    return 15 * MILLISECOND + (int64_t)(next_random(&random_state) % (uint64_t)(4 * MILLISECOND));
}

/* The server's clock is an hour ahead and 30 ppm fast. The server restarts after 40 s and hands over its
 * timescale after 50 s. */
static int64_t server_clock(int64_t local)
{
    int64_t counted = local + local / 1000000 * 30;
    return local < 40 * SECOND ? 3600 * SECOND + counted : counted - 40 * SECOND;
}

/* Returns the reply that the client receives at `*arrived`. */
static netclock_reply ask(netclock_client *client, int64_t now, int64_t *arrived)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    int64_t received = now + delay();

    CHECK(netclock_client_make_request(client, now, &request) == NETCLOCK_OK);
    reply.id = request.id;
    reply.epoch = received < 40 * SECOND ? 7 : received < 50 * SECOND ? 8 : 9;
    reply.received = server_clock(received);
    reply.sent = reply.received + MILLISECOND;
    *arrived = received + MILLISECOND + delay();
    return reply;
}

int main(void)
{
    netclock_client *client = NULL;
    netclock_reply reply = {.struct_size = sizeof reply};
    int64_t now, arrived;
    int i;
    /* Binary mode avoids different line endings on Windows. */
    FILE *file = fopen("recording.csv", "wb");

    CHECK(file != NULL);
    fputs("# netclock recording 4\n", file);
    fputs("status,id,epoch,client_sent,server_received,server_sent,client_received,path,"
          "server_wait,client_wait\n", file);
    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_client_set_tap(client, record, file) == NETCLOCK_OK);

    for (i = 0; i < 60; i++) {
        now = i * SECOND;
        reply = ask(client, now, &arrived);
        if (i == 45) {
            record_authority(file, client, now, 8);
        }
        if (i == 50) {
            record_authority(file, client, now, 9);
            record_segment(file, now, server_clock(now));
        }
        switch (i) {
        case 10: /* Forged. */
            reply.id ^= 1;
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_UNKNOWN_REQUEST);
            break;
        case 20: /* The timestamps are wrong by two seconds; the next exchange refutes them. */
            reply.received += 2 * SECOND;
            reply.sent += 2 * SECOND;
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_CONTRADICTION);
            break;
        case 25: /* The round trip is longer than max_round_trip. */
            CHECK(netclock_client_handle_reply(client, &reply, now + 6 * SECOND) == NETCLOCK_TOO_SLOW);
            break;
        case 30: /* The library did not make the request. */
            CHECK(netclock_client_handle_exchange(
                      client, now, reply.received, reply.sent, arrived, 0, 0, 7) == NETCLOCK_OK);
            break;
        case 35:
            CHECK(netclock_client_handle_exchange(
                      client, now, reply.sent, reply.sent, arrived, 0, 0, 0) == NETCLOCK_OK);
            break;
        default:
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_OK);
        }
        if (i == 54) /* Announces a start at about 14.5 s on the server's clock. */
            fprintf(file, "start,%" PRId64 ",1,9,%" PRId64 "\n", arrived, INT64_C(144873795));
    }
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(fclose(file) == 0);
    return 0;
}
