/*
 * A recording as a C program writes it, from the tap to a file; docs/recording.md describes the format. The session is
 * simulated and the same on every machine, so the file has to be tests/c_abi/recording.csv, byte for byte.
 */
#include <inttypes.h>
#include <string.h>

#include "check.h"

static void record(void *user_data, const netclock_sample *sample)
{
    FILE *file = user_data;
    fprintf(file,
            "%" PRId32 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId32 "\n",
            sample->status, sample->id, sample->epoch, sample->client_sent, sample->server_received,
            sample->server_sent, sample->client_received, sample->path);
}

static uint64_t random_state = 20261121;

/* 15 ms and up to 4 ms of queueing. */
static int64_t delay(void)
{
    return 15 * MILLISECOND + (int64_t)(next_random(&random_state) % (uint64_t)(4 * MILLISECOND));
}

/* An hour ahead and 30 ppm fast; started anew after 40 seconds. */
static int64_t server_clock(int64_t local)
{
    int64_t counted = local + local / 1000000 * 30;
    return local < 40 * SECOND ? 3600 * SECOND + counted : counted - 40 * SECOND;
}

/* Asks at `now` and answers; the reply as the client gets it, `*arrived` when it gets it. */
static netclock_reply ask(netclock_client *client, int64_t now, int64_t *arrived)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    int64_t received = now + delay();

    CHECK(netclock_client_make_request(client, now, &request) == NETCLOCK_OK);
    reply.id = request.id;
    reply.epoch = received < 40 * SECOND ? 7 : 8;
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
    /* Binary, so that lines end alike on every system. */
    FILE *file = fopen("recording.csv", "wb");

    CHECK(file != NULL);
    fputs("# netclock recording 2\n", file);
    fputs("status,id,epoch,client_sent,server_received,server_sent,client_received,path\n", file);
    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_client_set_tap(client, record, file) == NETCLOCK_OK);

    for (i = 0; i < 60; i++) {
        now = i * SECOND;
        reply = ask(client, now, &arrived);
        switch (i) {
        case 10: /* Forged. */
            reply.id ^= 1;
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_UNKNOWN_REQUEST);
            break;
        case 20: /* A stamp that is wrong by two seconds; the next exchange decides against it. */
            reply.received += 2 * SECOND;
            reply.sent += 2 * SECOND;
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_CONTRADICTION);
            break;
        case 25: /* Later than max_round_trip. */
            CHECK(netclock_client_handle_reply(client, &reply, now + 6 * SECOND) == NETCLOCK_TOO_SLOW);
            break;
        case 30: /* Without a request that the library made. */
            CHECK(netclock_client_handle_exchange(client, now, reply.received, reply.sent, arrived, 7) ==
                  NETCLOCK_OK);
            break;
        case 35:
            CHECK(netclock_client_update_server_time(client, reply.sent, arrived, arrived - now, NULL) ==
                  NETCLOCK_OK);
            break;
        default:
            CHECK(netclock_client_handle_reply(client, &reply, arrived) == NETCLOCK_OK);
        }
    }
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(fclose(file) == 0);
    return 0;
}
