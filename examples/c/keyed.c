/* keyed: replies, UTC and world segments under a session key. Server and client are in one process; each
   datagram is handed over where a program would send it. */
#include <stdio.h>

#include <netclock/netclock_keys.h>
#include <netclock/netclock_utc.h>
#include <netclock/netclock_world.h>

#define EPOCH 42 /* names this run of the server's clock */
#define KEY_ID 3
#define SEALED (NETCLOCK_UTC_DATAGRAM_SIZE + NETCLOCK_SEGMENT_SIZE + NETCLOCK_SEAL_OVERHEAD)

static netclock_client *client;
static netclock_timeline *timeline;
static netclock_server_utc *server_utc;
static netclock_sealed_channel *channel;
static netclock_server *server;
static netclock_utc_publisher *utc_publisher;
static netclock_session_keys *keys;

/* [tell apart] */
/* What the datagram was. A message opens once: the timeline opens segments, and leaves the rest as it is. */
static const char *hear(const unsigned char *sealed, size_t length, int64_t now)
{
    const void *message;
    size_t size = length - NETCLOCK_SEAL_OVERHEAD; /* used only if the datagram is opened */
    netclock_reply reply = {.struct_size = sizeof reply};
    int64_t jump = 0;
    if (netclock_timeline_insert_sealed(timeline, channel, sealed, length) >= NETCLOCK_OK)
        return "a segment";
    netclock_status status = netclock_sealed_channel_open(channel, sealed, length, &message);
    if (status != NETCLOCK_OK)
        return netclock_status_text(status); /* forged, a replay, not sealed: ignore it */
    /* Each kind of message has bytes of its own, so that another kind is refused. */
    if (netclock_decode_reply(message, size, &reply) == NETCLOCK_OK)
        return netclock_client_handle_reply(client, &reply, now) == NETCLOCK_OK ? "a reply" : "a late reply";
    if (netclock_server_utc_handle_reply(server_utc, message, size, now, &jump) >= NETCLOCK_OK)
        return "UTC";
    return "something else";
}
/* [/tell apart] */

/* The server answers a sealed request, or not. Returns the length of the sealed answer. */
static size_t answer(const unsigned char *sealed, size_t length, int64_t now, unsigned char *down)
{
    unsigned char plain[NETCLOCK_UTC_DATAGRAM_SIZE];
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    const void *message;
    uint32_t id;
    size_t size = length - NETCLOCK_SEAL_OVERHEAD, most = sizeof plain;
    if (netclock_session_keys_open(keys, sealed, length, &id, &message) != NETCLOCK_OK ||
        netclock_session_keys_allow(keys, id, now) != NETCLOCK_OK)
        return 0;
    if (netclock_decode_request(message, size, &request) == NETCLOCK_OK) {
        if (netclock_server_respond(server, &request, now, now, &reply) != NETCLOCK_OK ||
            netclock_encode_reply(&reply, plain, sizeof plain) != NETCLOCK_OK)
            return 0;
        most = NETCLOCK_DATAGRAM_SIZE;
    } else if (netclock_utc_publisher_respond(utc_publisher, message, size, plain, most) != NETCLOCK_OK) {
        return 0;
    }
    return netclock_session_keys_seal(keys, id, plain, most, down, SEALED) == NETCLOCK_OK
        ? most + NETCLOCK_SEAL_OVERHEAD : 0;
}

/* Seals the client's request and says what the answer was. */
static void ask(const unsigned char *plain, size_t size, int64_t now)
{
    unsigned char up[SEALED], down[SEALED];
    if (netclock_sealed_channel_seal(channel, plain, size, up, sizeof up) == NETCLOCK_OK) {
        size_t length = answer(up, size + NETCLOCK_SEAL_OVERHEAD, now, down);
        printf("%s, ", hear(down, length, now));
        printf("again: %s\n", hear(down, length, now)); /* a copy, from somebody on the path */
    }
}

int main(void)
{
    int64_t now = netclock_monotonic_now();
    /* Draw the secret from the system, and hand it to the client over a channel that nobody can read. */
    netclock_session_key key = {.id = KEY_ID, .secret_high = 11, .secret_low = 12};
    netclock_timeline_config sealed_only = {.struct_size = sizeof sealed_only, .sealed = 1};
    netclock_request request = {.struct_size = sizeof request};
    netclock_world_segment segment = {.struct_size = sizeof segment};
    netclock_utc_claim claim = {.struct_size = sizeof claim};
    netclock_publisher *publisher;
    size_t length = NETCLOCK_SEGMENT_SIZE;
    unsigned char plain[NETCLOCK_SEGMENT_SIZE + NETCLOCK_UTC_DATAGRAM_SIZE], down[SEALED];
    if (netclock_client_create(NULL, (uint64_t)now, 1, &client) != NETCLOCK_OK ||
        netclock_timeline_create(&sealed_only, &timeline) != NETCLOCK_OK ||
        netclock_server_utc_create((uint64_t)now, 2, &server_utc) != NETCLOCK_OK ||
        netclock_sealed_channel_create(&key, NETCLOCK_TO_SERVER, &channel) != NETCLOCK_OK ||
        netclock_server_create(EPOCH, &server) != NETCLOCK_OK ||
        netclock_utc_publisher_create(NULL, EPOCH, &utc_publisher) != NETCLOCK_OK ||
        netclock_publisher_create(NULL, EPOCH, 0, &publisher) != NETCLOCK_OK ||
        netclock_session_keys_create(NULL, &keys) != NETCLOCK_OK ||
        netclock_session_keys_admit(keys, &key) != NETCLOCK_OK)
        return fprintf(stderr, "cannot start: %s\n", netclock_last_error()), 1;

    if (netclock_client_tick(client, now, &request) == NETCLOCK_OK &&
        netclock_encode_request(&request, plain, sizeof plain) == NETCLOCK_OK)
        ask(plain, NETCLOCK_DATAGRAM_SIZE, now);
    if (netclock_utc_publisher_observe(utc_publisher, now, 0, 10000, &claim) == NETCLOCK_OK &&
        netclock_server_utc_request(server_utc, now, EPOCH, plain, sizeof plain) == NETCLOCK_OK)
        ask(plain, NETCLOCK_UTC_DATAGRAM_SIZE, now);
    if (netclock_publisher_observe(publisher, now, 0, 1.0, 0, &segment) == NETCLOCK_OK &&
        netclock_encode_segment(&segment, plain, sizeof plain) == NETCLOCK_OK &&
        netclock_session_keys_seal(keys, KEY_ID, plain, length, down, sizeof down) == NETCLOCK_OK) {
        length += NETCLOCK_SEAL_OVERHEAD;
        printf("%s, ", hear(down, length, now));
        down[NETCLOCK_SEAL_OVERHEAD] ^= 1;
        printf("changed: %s\n", hear(down, length, now));
    }
    netclock_session_keys_destroy(keys);
    netclock_publisher_destroy(publisher);
    netclock_utc_publisher_destroy(utc_publisher);
    netclock_server_destroy(server);
    netclock_sealed_channel_destroy(channel);
    netclock_server_utc_destroy(server_utc);
    netclock_timeline_destroy(timeline);
    netclock_client_destroy(client);
    return 0;
}
