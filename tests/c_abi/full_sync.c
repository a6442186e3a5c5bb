/*
 * A complete session through the C interface: requests and replies travel as datagrams over a simulated link
 * of 25 ms each way with jitter, the server's clock runs 80 ppm fast, and every frame's reading is judged.
 */
#include <math.h>
#include <string.h>

#include "check.h"

#define FRAME (16 * MILLISECOND)

/* The server's clock: three hours ahead, 80 ppm fast. */
#define OFFSET (3 * 3600 * SECOND)

/* Beyond the frames that a reply takes at most. */
#define IN_FLIGHT 32

static int64_t server_clock(int64_t local)
{
    return OFFSET + local + (int64_t)floor((double)local * 80e-6);
}

static uint64_t random_state = 20261120;

/* A delay of 25 ms and up to 8 ms of jitter; a small xorshift generator serves here. */
static int64_t delay(void)
{
    return 25 * MILLISECOND + (int64_t)(next_random(&random_state) % (uint64_t)(8 * MILLISECOND));
}

struct letter {
    int used;
    int64_t arrives;
    unsigned char datagram[NETCLOCK_DATAGRAM_SIZE];
};

static void serve(const netclock_server *server, const netclock_request *asked, int64_t sent, struct letter *letter)
{
    unsigned char wire[NETCLOCK_DATAGRAM_SIZE];
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    int64_t received = sent + delay();
    int64_t answered = received + 3 * MILLISECOND;

    CHECK(netclock_encode_request(asked, wire, sizeof wire) == NETCLOCK_OK);
    CHECK(netclock_decode_request(wire, sizeof wire, &request) == NETCLOCK_OK);
    CHECK(netclock_server_respond(server, &request, server_clock(received), server_clock(answered), &reply) ==
          NETCLOCK_OK);
    CHECK(netclock_encode_reply(&reply, letter->datagram, sizeof letter->datagram) == NETCLOCK_OK);
    letter->arrives = answered + delay();
    letter->used = 1;
}

static void full_sync(void)
{
    struct letter letters[IN_FLIGHT];
    netclock_client *client = NULL;
    netclock_server *server = NULL;
    netclock_event event;
    netclock_reading reading;
    int64_t now, shown, last = 0, local, worst = 0;
    int i, requests = 0;

    memset(letters, 0, sizeof letters);
    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_server_create(77, &server) == NETCLOCK_OK);
    CHECK(netclock_client_is_time_synced(client) == 0);
    CHECK(netclock_client_current_server_time(client, 0, &shown) == NETCLOCK_NOT_SYNCED && shown == 0);

    for (now = 0; now < 120 * SECOND; now += FRAME) {
        netclock_request request = {.struct_size = sizeof request};
        netclock_status status;

        for (i = 0; i < IN_FLIGHT; i++) {
            netclock_reply reply = {.struct_size = sizeof reply};
            if (letters[i].used && letters[i].arrives <= now) {
                letters[i].used = 0;
                CHECK(netclock_decode_reply(letters[i].datagram, NETCLOCK_DATAGRAM_SIZE, &reply) == NETCLOCK_OK);
                CHECK(netclock_client_handle_reply(client, &reply, letters[i].arrives) == NETCLOCK_OK);
                /* The same reply once more counts for nothing. */
                CHECK(netclock_client_handle_reply(client, &reply, letters[i].arrives) == NETCLOCK_UNKNOWN_REQUEST);
            }
        }
        status = netclock_client_tick(client, now, &request);
        if (status == NETCLOCK_OK) {
            for (i = 0; i < IN_FLIGHT && letters[i].used; i++) {
            }
            CHECK(i < IN_FLIGHT);
            CHECK(request.reliable == (netclock_client_is_time_synced(client) ? 0 : 1));
            serve(server, &request, now, &letters[i]);
            requests++;
        } else {
            CHECK(status == NETCLOCK_NOTHING_DUE);
        }

        reading.struct_size = sizeof reading;
        if (netclock_client_read(client, now, &reading) == NETCLOCK_OK) {
            int64_t error = reading.server_time - server_clock(now);
            error = error < 0 ? -error : error;
            CHECK(error <= reading.error_bound);
            CHECK(reading.server_time > last);
            CHECK(reading.server_epoch == 77 && reading.epoch == 1 && reading.state != NETCLOCK_STATE_UNSYNCED);
            last = reading.server_time;
            if (now > 10 * SECOND && error > worst) {
                worst = error;
            }
        } else {
            CHECK(now < SECOND);
        }
    }
    CHECK(worst < MILLISECOND);
    CHECK(fabs(reading.frequency_ppm - 80.0) < 5.0);
    CHECK(reading.state == NETCLOCK_STATE_SYNCED);
    CHECK(reading.round_trip >= 50 * MILLISECOND && reading.round_trip < 66 * MILLISECOND);

    CHECK(netclock_client_current_server_time(client, now, &shown) == NETCLOCK_OK);
    CHECK(netclock_client_local_time_at(client, shown, &local) == NETCLOCK_OK);
    CHECK(llabs((long long)(local - now)) <= 1);

    event.struct_size = sizeof event;
    CHECK(netclock_client_next_event(client, &event) == NETCLOCK_OK && event.kind == NETCLOCK_EVENT_SYNCED);
    CHECK(netclock_client_next_event(client, &event) == NETCLOCK_NO_EVENT);

    printf("synced with %d requests; worst error after 10 s: %.3f ms; %.1f ppm\n", requests, (double)worst / 1e4,
           reading.frequency_ppm);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(server) == NETCLOCK_OK);
}

static void four_stamps(void)
{
    netclock_client *client = NULL;
    netclock_reading reading;

    CHECK(netclock_client_create(NULL, 0, 1, &client) == NETCLOCK_OK);
    /* The server is a second ahead; 10 ms there, 15 ms held, 30 ms back. */
    CHECK(netclock_client_handle_exchange(client, SECOND, 2 * SECOND + 10 * MILLISECOND, 2 * SECOND + 25 * MILLISECOND,
                                          SECOND + 55 * MILLISECOND, 7) == NETCLOCK_OK);
    reading.struct_size = sizeof reading;
    CHECK(netclock_client_read(client, SECOND + 55 * MILLISECOND, &reading) == NETCLOCK_OK);
    CHECK(reading.server_epoch == 7 && reading.round_trip == 40 * MILLISECOND);
    /* True: 2 s + 55 ms. Shown: the middle, half of the difference between the ways too late. */
    CHECK(llabs((long long)(reading.server_time - (2 * SECOND + 45 * MILLISECOND))) <= MILLISECOND / 10);
    CHECK(reading.error_bound >= 20 * MILLISECOND && reading.error_bound <= 21 * MILLISECOND);
    CHECK(netclock_client_handle_exchange(client, 2 * SECOND, 3 * SECOND, 3 * SECOND - 1, 3 * SECOND, 7) ==
          NETCLOCK_SENT_BEFORE_RECEIVED);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
}

static void two_stamps(void)
{
    netclock_client *client = NULL;
    int64_t shown;
    int32_t accepted = -1;

    CHECK(netclock_client_create(NULL, 0, 1, &client) == NETCLOCK_OK);
    CHECK(netclock_client_update_server_time(client, 900 * SECOND, SECOND, -1, &accepted) ==
          NETCLOCK_ARRIVED_BEFORE_SENT);
    CHECK(accepted == 0);
    CHECK(netclock_client_update_server_time(client, 900 * SECOND, SECOND, 40 * MILLISECOND, &accepted) ==
          NETCLOCK_OK);
    CHECK(accepted == 1);
    CHECK(netclock_client_current_server_time(client, SECOND, &shown) == NETCLOCK_OK);
    CHECK(shown == 900 * SECOND + 20 * MILLISECOND);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
}

static void bad_arguments(void)
{
    netclock_client *client = NULL;
    netclock_request request = {.struct_size = sizeof request};
    netclock_config config;
    netclock_reading reading;
    union {
        netclock_config config;
        unsigned char bytes[sizeof(netclock_config) + 8];
    } longer;
    unsigned char bytes[NETCLOCK_DATAGRAM_SIZE] = {0};
    int64_t ticks;

    CHECK(netclock_client_create(NULL, 0, 1, NULL) == NETCLOCK_NULL_ARGUMENT);
    CHECK(netclock_client_tick(NULL, 0, &request) == NETCLOCK_NULL_ARGUMENT);
    CHECK(netclock_client_current_server_time(NULL, 0, &ticks) == NETCLOCK_NULL_ARGUMENT);
    CHECK(netclock_client_is_time_synced(NULL) == 0);
    CHECK(netclock_decode_reply(bytes, sizeof bytes, NULL) == NETCLOCK_NULL_ARGUMENT);
    CHECK(netclock_decode_request(bytes, sizeof bytes, &request) == NETCLOCK_WIRE_MAGIC);
    CHECK(netclock_decode_reply(NULL, 32, NULL) == NETCLOCK_NULL_ARGUMENT);
    CHECK(netclock_decode_request(bytes, 31, &request) == NETCLOCK_WIRE_LENGTH);
    CHECK(netclock_client_destroy(NULL) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(NULL) == NETCLOCK_OK);

    memset(&config, 0, sizeof config);
    CHECK(netclock_client_create(&config, 0, 1, &client) == NETCLOCK_UNKNOWN_STRUCT);
    config.struct_size = sizeof config;
    config.max_slew = 7.0;
    CHECK(netclock_client_create(&config, 0, 1, &client) == NETCLOCK_BAD_CONFIG && client == NULL);
    CHECK(netclock_config_default(&config) == NETCLOCK_OK && config.max_slew == 0.05);

    /* A newer caller's structure: an unknown tail is fine while it is zero. */
    memset(&longer, 0, sizeof longer);
    longer.config = config;
    longer.config.struct_size = sizeof longer;
    CHECK(netclock_client_create(&longer.config, 0, 1, &client) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    longer.bytes[sizeof config] = 1;
    CHECK(netclock_client_create(&longer.config, 0, 1, &client) == NETCLOCK_UNKNOWN_STRUCT);

    CHECK(netclock_client_create(&config, 0, 1, &client) == NETCLOCK_OK);
    CHECK(netclock_client_make_request(client, INT64_MAX, &request) == NETCLOCK_TIME_OUT_OF_RANGE);
    CHECK(netclock_client_make_request(client, SECOND, &request) == NETCLOCK_OK);
    CHECK(netclock_client_make_request(client, SECOND / 2, &request) == NETCLOCK_TIME_WENT_BACKWARDS);
    reading.struct_size = 4;
    CHECK(netclock_client_read(client, 0, &reading) == NETCLOCK_UNKNOWN_STRUCT);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
}

int main(void)
{
    CHECK(netclock_abi_version() == NETCLOCK_ABI_VERSION);
    CHECK(netclock_abi_revision() == NETCLOCK_ABI_REVISION);
    CHECK(strcmp(netclock_status_text(NETCLOCK_OK), "ok") == 0);
    CHECK(strcmp(netclock_status_text(12345), "unknown status") == 0);
    CHECK(netclock_monotonic_now() > 0);
    full_sync();
    four_stamps();
    two_stamps();
    bad_arguments();
    return 0;
}
