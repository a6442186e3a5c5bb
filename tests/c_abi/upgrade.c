/*
 * Checks that programs compiled with the first headers, and their saved states, work with the current
 * library. This file has its own copy of the first headers. If this test fails, the library breaks installed
 * programs.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAVED_SIZE 60
#define SECOND INT64_C(10000000)

struct config {
    uint32_t struct_size;
    uint32_t burst_count;
    double drifts[2];
    double max_slew;
    int64_t spans[11];
    double rates[4];
    int64_t target_error;
    int64_t saved_seconds;
    uint64_t boot;
    uint8_t saved_machine[SAVED_SIZE];
    uint8_t saved_server[SAVED_SIZE];
};

struct request {
    uint32_t struct_size;
    int32_t reliable;
    uint64_t id;
    int64_t client_time;
};

struct reply {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t id;
    uint64_t epoch;
    int64_t received;
    int64_t sent;
};

struct reading {
    uint32_t struct_size;
    int32_t state;
    int64_t server_time;
    int64_t error_bound;
    int64_t expected_error;
    int64_t round_trip;
    double frequency_ppm;
    uint64_t server_epoch;
    uint32_t epoch;
    uint32_t reserved;
};

struct event {
    uint32_t struct_size;
    int32_t kind;
    int32_t cause;
    uint32_t epoch;
    int64_t jump;
};

struct netclock_client;
struct netclock_server;

int32_t netclock_client_create(
    const struct config *config, uint64_t seed_high, uint64_t seed_low, struct netclock_client **client);
int32_t netclock_client_destroy(struct netclock_client *client);
int32_t netclock_client_tick(struct netclock_client *client, int64_t now, struct request *request);
int32_t netclock_client_handle_reply(
    struct netclock_client *client, const struct reply *reply, int64_t arrived);
int32_t netclock_client_read(
    const struct netclock_client *client, int64_t now, struct reading *reading);
int32_t netclock_client_next_event(struct netclock_client *client, struct event *event);
int32_t netclock_client_used_saved(const struct netclock_client *client, int32_t *used);
int32_t netclock_client_save(
    struct netclock_client *client, int64_t seconds, void *machine, void *server, size_t capacity);
int32_t netclock_server_create(uint64_t epoch, struct netclock_server **server);
int32_t netclock_server_destroy(struct netclock_server *server);
int32_t netclock_server_respond(const struct netclock_server *server, const struct request *request,
    int64_t received, int64_t sent, struct reply *reply);

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
        {                                                                                                    \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                          \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define EPOCH 77
#define BOOT UINT64_C(0x0123456789ABCDEF)

/* The first version saved these states under the boot id above, after 200 s at a rate of 20 ppm. */
static const int64_t SAVED_AT = 1800000000;
static const uint8_t MACHINE[SAVED_SIZE] = {
    0x4E, 0x53, 0x03, 0x01, 0xFF, 0xFF, 0xB1, 0xE0, 0x00, 0x00, 0x37, 0x18, 0x00, 0x00, 0x00,
    0x00, 0x6B, 0x49, 0xD2, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x82, 0x31, 0x57, 0xC2, 0xA5, 0x19, 0xB5, 0x15,
};
static const uint8_t SERVER[SAVED_SIZE] = {
    0x4E, 0x53, 0x03, 0x02, 0x00, 0x00, 0x4E, 0x20, 0x00, 0x00, 0x01, 0x3F, 0x00, 0x00, 0x00,
    0x00, 0x6B, 0x49, 0xD2, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x4D, 0x49, 0x88, 0x26, 0x48, 0xDD, 0x02, 0x86, 0x3D,
};

static int64_t server_clock(int64_t local)
{
    return 900000000 + local + local / 50000;
}

static void run(struct netclock_client *client, int64_t seconds)
{
    struct netclock_server *server = NULL;
    struct request request = {.struct_size = sizeof request};
    struct reply reply = {.struct_size = sizeof reply};
    struct reading reading = {.struct_size = sizeof reading};
    int64_t now, first = -1;

    CHECK(netclock_server_create(EPOCH, &server) == 0);
    for (now = 0; now < seconds * SECOND; now += SECOND / 50) {
        if (netclock_client_tick(client, now, &request) == 0) {
            const int64_t received = server_clock(now + 250000 + now / 200000 * 37 % 97 * 400);

            CHECK(netclock_server_respond(server, &request, received, received, &reply) == 0);
            CHECK(reply.epoch == EPOCH && reply.id == request.id);
            CHECK(netclock_client_handle_reply(client, &reply, now + SECOND / 10) == 0);
        }
        if (netclock_client_read(client, now + SECOND / 10, &reading) == 0) {
            CHECK(llabs((long long)(reading.server_time - server_clock(now + SECOND / 10))) <=
                  reading.error_bound);
            CHECK(reading.expected_error <= reading.error_bound && reading.server_epoch == EPOCH);
            if (first < 0) {
                first = now;
                /* The saved states must improve the clock from the first reply. */
                CHECK(fabs(reading.frequency_ppm - 20.0) < 1.0);
            }
        }
    }
    CHECK(first >= 0 && first < SECOND);
    CHECK(request.struct_size == 24 && reply.struct_size == 40 && reading.struct_size == 64);
    CHECK(netclock_server_destroy(server) == 0);
}

int main(void)
{
    struct netclock_client *client = NULL;
    struct config config = {.struct_size = sizeof config};
    struct event event = {.struct_size = sizeof event};
    uint8_t machine[SAVED_SIZE], server[SAVED_SIZE];
    int32_t used = 0;

    CHECK(sizeof config == 296);
    config.saved_seconds = SAVED_AT + 86400;
    config.boot = BOOT;
    memcpy(config.saved_machine, MACHINE, SAVED_SIZE);
    memcpy(config.saved_server, SERVER, SAVED_SIZE);
    CHECK(netclock_client_create(&config, 1, 2, &client) == 0);
    CHECK(netclock_client_used_saved(client, &used) == 0 && used == 3);
    run(client, 60);
    CHECK(netclock_client_next_event(client, &event) == 0 && event.struct_size == 24);
    CHECK(netclock_client_save(client, SAVED_AT + 86460, machine, server, SAVED_SIZE) == 0);
    CHECK(netclock_client_destroy(client) == 0);

    /* The next run starts with the state that was just saved. */
    memcpy(config.saved_machine, machine, SAVED_SIZE);
    memcpy(config.saved_server, server, SAVED_SIZE);
    CHECK(netclock_client_create(&config, 1, 2, &client) == 0);
    CHECK(netclock_client_used_saved(client, &used) == 0 && used == 3);
    CHECK(netclock_client_destroy(client) == 0);
    return 0;
}
