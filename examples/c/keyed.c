/* keyed: the clock and a game's own messages under a session key. Server and client are in one process; each
   datagram is handed over where a program would send it. */
#include <stdio.h>

#include <netclock/netclock_keys.h>

#define EPOCH 42 /* names this run of the server's clock */
#define KEY_ID 3
#define SEALED (NETCLOCK_DATAGRAM_SIZE + NETCLOCK_SEAL_OVERHEAD)

static netclock_client *client;
static netclock_sealed_channel *channel;
static netclock_server *server;
static netclock_session_keys *keys;

/* [tell apart] */
/* What the client received. A datagram opens once. */
static const char *hear(const unsigned char *sealed, size_t length, int64_t now)
{
    const void *message;
    size_t size = length - NETCLOCK_SEAL_OVERHEAD; /* used only if the datagram is opened */
    netclock_reply reply = {.struct_size = sizeof reply};
    netclock_status status = netclock_sealed_channel_open(channel, sealed, length, &message);
    if (status != NETCLOCK_OK)
        return netclock_status_text(status); /* forged, a replay, not sealed: ignore it */
    /* The bytes say what a message is, so that another kind is refused. */
    if (netclock_decode_reply(message, size, &reply) == NETCLOCK_OK)
        return netclock_client_handle_reply(client, &reply, now) == NETCLOCK_OK ? "a reply" : "a late reply";
    return "a message of the game";
}
/* [/tell apart] */

/* The server answers a sealed request, or not. Returns the length of the sealed answer. */
static size_t answer(const unsigned char *sealed, size_t length, int64_t now, unsigned char *down)
{
    unsigned char plain[NETCLOCK_DATAGRAM_SIZE];
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    const void *message;
    uint32_t id;
    return netclock_session_keys_open(keys, sealed, length, &id, &message) == NETCLOCK_OK &&
            netclock_session_keys_allow(keys, id, now) == NETCLOCK_OK &&
            netclock_decode_request(message, length - NETCLOCK_SEAL_OVERHEAD, &request) == NETCLOCK_OK &&
            netclock_server_respond(server, &request, now, now, &reply) == NETCLOCK_OK &&
            netclock_encode_reply(&reply, plain, sizeof plain) == NETCLOCK_OK &&
            netclock_session_keys_seal(keys, id, plain, sizeof plain, down, SEALED) == NETCLOCK_OK
        ? SEALED : 0;
}

int main(void)
{
    int64_t now = netclock_monotonic_now();
    /* Draw the secret from the system, and hand it to the client over a channel that nobody can read. */
    netclock_session_key key = {.id = KEY_ID, .secret_high = 11, .secret_low = 12};
    netclock_request request = {.struct_size = sizeof request};
    unsigned char plain[NETCLOCK_DATAGRAM_SIZE], up[SEALED], down[SEALED];
    static const char hello[] = "hello";
    if (netclock_client_create(NULL, (uint64_t)now, 1, &client) != NETCLOCK_OK ||
        netclock_sealed_channel_create(&key, NETCLOCK_TO_SERVER, &channel) != NETCLOCK_OK ||
        netclock_server_create(EPOCH, &server) != NETCLOCK_OK ||
        netclock_session_keys_create(NULL, &keys) != NETCLOCK_OK ||
        netclock_session_keys_admit(keys, &key) != NETCLOCK_OK)
        return fprintf(stderr, "cannot start: %s\n", netclock_last_error()), 1;

    if (netclock_client_tick(client, now, &request) == NETCLOCK_OK &&
        netclock_encode_request(&request, plain, sizeof plain) == NETCLOCK_OK &&
        netclock_sealed_channel_seal(channel, plain, sizeof plain, up, sizeof up) == NETCLOCK_OK) {
        size_t length = answer(up, sizeof up, now, down);
        printf("%s, ", hear(down, length, now));
        printf("again: %s\n", hear(down, length, now)); /* a copy, from somebody on the path */
    }
    if (netclock_session_keys_seal(keys, KEY_ID, hello, sizeof hello, down, sizeof down) == NETCLOCK_OK) {
        size_t length = sizeof hello + NETCLOCK_SEAL_OVERHEAD;
        printf("%s, ", hear(down, length, now));
        down[NETCLOCK_SEAL_OVERHEAD] ^= 1;
        printf("changed: %s\n", hear(down, length, now));
    }
    netclock_session_keys_destroy(keys);
    netclock_server_destroy(server);
    netclock_sealed_channel_destroy(channel);
    netclock_client_destroy(client);
    return 0;
}
