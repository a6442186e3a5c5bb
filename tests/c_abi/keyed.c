/* A client and a server with a session key, and somebody between them who has none. */

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "netclock/netclock.h"

#define SIZE (NETCLOCK_DATAGRAM_SIZE + NETCLOCK_SEAL_OVERHEAD)

int main(void)
{
    /* Both sides got it from the game's login server. */
    netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 7, 0};
    netclock_session_keys_config config = {0};
    netclock_session_keys *keys = NULL;
    netclock_sealed_channel *channel = NULL, *again = NULL;
    netclock_session_key_counts counts = {0};
    netclock_client *client = NULL;
    netclock_server *server = NULL;
    netclock_request request = {0}, asked = {0};
    netclock_reply reply = {0};
    unsigned char datagram[NETCLOCK_DATAGRAM_SIZE], up[SIZE], down[SIZE], forged[SIZE];
    const void *message = NULL;
    int64_t now = 50 * SECOND, there;
    int32_t round;
    uint32_t id = 0;

    request.struct_size = asked.struct_size = sizeof request;
    reply.struct_size = sizeof reply;
    config.struct_size = sizeof config;
    counts.struct_size = sizeof counts;
    EXPECT(netclock_session_keys_create(&config, &keys) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_admit(keys, &key) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_admit(keys, &key) == NETCLOCK_DUPLICATE);
    EXPECT(netclock_sealed_channel_create(&key, NETCLOCK_TO_SERVER, &channel) == NETCLOCK_OK);
    EXPECT(netclock_client_create(NULL, 3, 4, &client) == NETCLOCK_OK);
    EXPECT(netclock_server_create(99, &server) == NETCLOCK_OK);

    for (round = 0; round < 5; round++) {
        now += 100 * MILLISECOND;
        there = now + 10 * MILLISECOND + 1000 * SECOND;
        EXPECT(netclock_client_make_request(client, now, &request) == NETCLOCK_OK);
        EXPECT(netclock_encode_request(&request, datagram, sizeof datagram) == NETCLOCK_OK);
        EXPECT(
            netclock_sealed_channel_seal(channel, datagram, sizeof datagram, up, sizeof up) == NETCLOCK_OK);

        /* The server: whose it is, whether it may be answered, and the answer. */
        EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_OK && id == 7);
        EXPECT(netclock_decode_request(message, sizeof up - NETCLOCK_SEAL_OVERHEAD, &asked) == NETCLOCK_OK);
        EXPECT(netclock_session_keys_allow(keys, id, there) == NETCLOCK_OK);
        EXPECT(netclock_server_respond(server, &asked, there, there, &reply) == NETCLOCK_OK);
        EXPECT(netclock_encode_reply(&reply, datagram, sizeof datagram) == NETCLOCK_OK);
        EXPECT(netclock_session_keys_seal(keys, id, datagram, sizeof datagram, down, sizeof down) ==
            NETCLOCK_OK);

        /* What comes without a seal, from the other direction, or changed, is refused. */
        EXPECT(netclock_sealed_channel_open(channel, datagram, sizeof datagram, &message) ==
            NETCLOCK_NOT_SEALED);
        EXPECT(netclock_sealed_channel_open(channel, up, sizeof up, &message) == NETCLOCK_OTHER_DIRECTION);
        memcpy(forged, down, sizeof forged);
        forged[30] ^= 1;
        EXPECT(netclock_sealed_channel_open(channel, forged, sizeof forged, &message) == NETCLOCK_FORGED);

        now += 20 * MILLISECOND;
        EXPECT(netclock_sealed_channel_open(channel, down, sizeof down, &message) == NETCLOCK_OK);
        EXPECT(netclock_decode_reply(message, sizeof down - NETCLOCK_SEAL_OVERHEAD, &reply) == NETCLOCK_OK);
        EXPECT(netclock_client_handle_reply(client, &reply, now) == NETCLOCK_OK);
        EXPECT(netclock_client_handle_reply(client, &reply, now) == NETCLOCK_UNKNOWN_REQUEST);
    }

    /* A message is opened once, at either end. */
    for (round = 0; round < 1000; round++) {
        EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_REPLAYED);
        EXPECT(netclock_sealed_channel_open(channel, down, sizeof down, &message) == NETCLOCK_REPLAYED);
    }
    for (round = 0; netclock_session_keys_allow(keys, id, there) == NETCLOCK_OK; round++) {
        EXPECT(round < 100);
    }
    EXPECT(netclock_session_keys_allow(keys, id, there) == NETCLOCK_ENOUGH_ANSWERS);

    /* A client that starts again under its key is heard once it says so. */
    EXPECT(netclock_sealed_channel_create(&key, NETCLOCK_TO_SERVER, &again) == NETCLOCK_OK);
    EXPECT(netclock_sealed_channel_seal(again, datagram, sizeof datagram, up, sizeof up) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_REPLAYED);
    EXPECT(netclock_sealed_channel_destroy(again) == NETCLOCK_OK);
    key.restarts = 1;
    EXPECT(netclock_sealed_channel_create(&key, NETCLOCK_TO_SERVER, &again) == NETCLOCK_OK);
    EXPECT(netclock_sealed_channel_seal(again, datagram, sizeof datagram, up, sizeof up) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_OK);
    EXPECT(netclock_sealed_channel_destroy(again) == NETCLOCK_OK);

    EXPECT(netclock_session_keys_revoke(keys, 7) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_UNKNOWN_KEY);
    EXPECT(netclock_session_keys_counts(keys, &counts) == NETCLOCK_OK);
    EXPECT(counts.opened == 6 && counts.replayed == 1001 && counts.unknown_key == 1 && counts.forged == 0);

    EXPECT(netclock_sealed_channel_destroy(channel) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_destroy(keys) == NETCLOCK_OK);
    EXPECT(netclock_server_destroy(server) == NETCLOCK_OK);
    EXPECT(netclock_client_destroy(client) == NETCLOCK_OK);
    return 0;
}
