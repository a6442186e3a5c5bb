/* A client and a server with a session key, and somebody between them who has none. */

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "netclock/netclock.h"

#define SIZE (NETCLOCK_DATAGRAM_SIZE + NETCLOCK_SEAL_OVERHEAD)

int main(void)
{
    /* Both sides got it from the game's login server. */
    const netclock_session_key key = {0x0123456789ABCDEFu, 0xFEDCBA9876543210u, 7, 0};
    netclock_session_keys_config config = {0};
    netclock_session_keys *keys = NULL;
    netclock_session_key_counts counts = {0};
    netclock_client *client = NULL;
    netclock_server *server = NULL;
    netclock_request request = {0}, asked = {0};
    netclock_reply reply = {0};
    unsigned char datagram[NETCLOCK_DATAGRAM_SIZE], up[SIZE], down[SIZE], forged[SIZE];
    const void *message = NULL;
    int64_t now = 50 * SECOND, there;
    int32_t is_newer = -1, answered = 0, round;
    uint32_t id = 0;

    request.struct_size = asked.struct_size = sizeof request;
    reply.struct_size = sizeof reply;
    config.struct_size = sizeof config;
    counts.struct_size = sizeof counts;
    EXPECT(netclock_session_keys_create(&config, &keys) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_admit(keys, &key) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_admit(keys, &key) == NETCLOCK_DUPLICATE);
    EXPECT(netclock_client_create(NULL, 3, 4, &client) == NETCLOCK_OK);
    EXPECT(netclock_server_create(99, &server) == NETCLOCK_OK);

    for (round = 0; round < 5; round++) {
        now += 100 * MILLISECOND;
        there = now + 10 * MILLISECOND + 1000 * SECOND;
        EXPECT(netclock_client_make_request(client, now, &request) == NETCLOCK_OK);
        EXPECT(netclock_encode_request(&request, datagram, sizeof datagram) == NETCLOCK_OK);
		EXPECT(netclock_seal_message(&key, NETCLOCK_TO_SERVER, datagram, sizeof datagram, up, sizeof up) ==
			NETCLOCK_OK);

		/* The server: whose it is, whether it may be answered, and the answer. */
        EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_OK && id == 7);
        EXPECT(netclock_decode_request(message, sizeof up - NETCLOCK_SEAL_OVERHEAD, &asked) == NETCLOCK_OK);
		EXPECT(
			netclock_session_keys_allow(keys, id, &asked, there, &is_newer) == NETCLOCK_OK && is_newer == 1);
		EXPECT(netclock_server_respond(server, &asked, there, there, &reply) == NETCLOCK_OK);
        EXPECT(netclock_encode_reply(&reply, datagram, sizeof datagram) == NETCLOCK_OK);
		EXPECT(netclock_session_keys_seal(keys, id, datagram, sizeof datagram, down, sizeof down) ==
			NETCLOCK_OK);

		/* What comes without a seal, from the other direction, or changed, is refused. */
		EXPECT(netclock_open_message(&key, NETCLOCK_TO_CLIENT, datagram, sizeof datagram, &message) ==
			NETCLOCK_NOT_SEALED);
		EXPECT(netclock_open_message(&key, NETCLOCK_TO_CLIENT, up, sizeof up, &message) ==
			NETCLOCK_OTHER_DIRECTION);
		memcpy(forged, down, sizeof forged);
        forged[30] ^= 1;
		EXPECT(netclock_open_message(&key, NETCLOCK_TO_CLIENT, forged, sizeof forged, &message) ==
			NETCLOCK_FORGED);

		now += 20 * MILLISECOND;
        EXPECT(netclock_open_message(&key, NETCLOCK_TO_CLIENT, down, sizeof down, &message) == NETCLOCK_OK);
        EXPECT(netclock_decode_reply(message, sizeof down - NETCLOCK_SEAL_OVERHEAD, &reply) == NETCLOCK_OK);
        EXPECT(netclock_client_handle_reply(client, &reply, now) == NETCLOCK_OK);
        EXPECT(netclock_client_handle_reply(client, &reply, now) == NETCLOCK_UNKNOWN_REQUEST);
    }

    /* Replays are opened, and answered within a budget of their own. */
    for (round = 0; round < 1000; round++) {
        EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_OK);
        EXPECT(netclock_decode_request(message, NETCLOCK_DATAGRAM_SIZE, &asked) == NETCLOCK_OK);
        if (netclock_session_keys_allow(keys, id, &asked, there, &is_newer) == NETCLOCK_OK) {
            EXPECT(is_newer == 0);
            answered++;
        }
    }
    EXPECT(answered == 20);
    EXPECT(netclock_session_keys_allow(keys, id, NULL, there, NULL) == NETCLOCK_ENOUGH_ANSWERS);

    EXPECT(netclock_session_keys_revoke(keys, 7) == NETCLOCK_OK);
    EXPECT(netclock_session_keys_open(keys, up, sizeof up, &id, &message) == NETCLOCK_UNKNOWN_KEY);
    EXPECT(netclock_session_keys_counts(keys, &counts) == NETCLOCK_OK);
    EXPECT(counts.opened == 1005 && counts.replayed == 1000 && counts.unknown_key == 1 && counts.forged == 0);

    EXPECT(netclock_session_keys_destroy(keys) == NETCLOCK_OK);
    EXPECT(netclock_server_destroy(server) == NETCLOCK_OK);
    EXPECT(netclock_client_destroy(client) == NETCLOCK_OK);
    return 0;
}
