/* Two peers and a late one share a clock through a relay that holds every message for long; the primary is
   lost. One of
 * them reaches the relay by a stream, in pieces. */

#include <string.h>

#include "check.h"
#include "netclock/netclock_peer.h"

#define PEERS 3
#define WAITING 256

/* A message on its way to the relay, held by it (`received` is when it came), or on its way back. */
struct parcel {
    int64_t due, received;
    uint64_t peer;
    int to_relay;
    size_t length;
    unsigned char bytes[NETCLOCK_MAX_MESSAGE_SIZE];
};

static struct parcel parcels[WAITING];
static netclock_relay *relay;
static netclock_peer *peers[PEERS];
static netclock_stream *stream;
static int joined, lost = -1;
static unsigned heard;

static int64_t local(int peer, int64_t now)
{
    return now + (peer + 1) * 1000 * SECOND + now * (peer * 30 - 20) / 1000000;
}

static int post(int64_t due, uint64_t peer, int to_relay, const unsigned char *bytes, size_t length)
{
    int i;
    for (i = 0; i < WAITING; i++) {
        if (parcels[i].length == 0) {
            parcels[i].due = due;
            parcels[i].received = 0;
            parcels[i].peer = peer;
            parcels[i].to_relay = to_relay;
            parcels[i].length = length;
            memcpy(parcels[i].bytes, bytes, length);
            return 0;
        }
    }
    return 1;
}

static int deliver(struct parcel *parcel, int64_t now)
{
    netclock_peer_game_message game = {0};
    netclock_status status;
    size_t i, taken, length = 0;
    int peer = (int)parcel->peer;

    if (parcel->to_relay && parcel->received == 0) {
        parcel->received = now; /* held: up to 40 ms, longer on the way to the primary */
        parcel->due = now + (peer == 0 ? 5 : 40) * MILLISECOND;
        return 0;
    }
    length = parcel->length;
    parcel->length = 0;
    if (parcel->to_relay && peer == 1) { /* a stream */
        unsigned char whole[NETCLOCK_MAX_MESSAGE_SIZE];
        size_t size = 0;
        for (i = 0; i < length; i += taken) {
            EXPECT(netclock_stream_push(stream, parcel->bytes + i, length - i < 7 ? length - i : 7, &taken) ==
                   NETCLOCK_OK);
        }
        EXPECT(netclock_stream_next(stream, whole, sizeof whole, &size) == NETCLOCK_OK && size == length);
        EXPECT(netclock_stream_next(stream, whole, sizeof whole, &size) == NETCLOCK_INCOMPLETE);
        memcpy(parcel->bytes, whole, size);
    }
    if (parcel->to_relay) {
        status = netclock_relay_receive(relay, parcel->peer, parcel->bytes, length, parcel->received);
        EXPECT(status == NETCLOCK_OK || status == NETCLOCK_NOT_LOGGED_IN || status == NETCLOCK_STALE ||
               status == NETCLOCK_WRONG_ROLE || status == NETCLOCK_UNSOLICITED);
        return 0;
    }
    if (peer == lost) {
        return 0;
    }
    game.struct_size = sizeof game;
    status = netclock_peer_receive(peers[peer], parcel->bytes, length, local(peer, now), &game);
    if (status == NETCLOCK_GAME_MESSAGE) {
        EXPECT(game.id == NETCLOCK_FIRST_GAME_ID && game.time > 0 && length == NETCLOCK_GAME_HEADER_SIZE + 4);
        EXPECT(memcmp(parcel->bytes + NETCLOCK_GAME_HEADER_SIZE, "boom", 4) == 0);
        heard += 1;
    } else {
        EXPECT(status == NETCLOCK_OK || status == NETCLOCK_STALE);
    }
    return 0;
}

static int play(int64_t *now, int64_t until)
{
    unsigned char bytes[NETCLOCK_MAX_MESSAGE_SIZE];
    uint64_t to = 0;
    size_t length = 0;
    int i;
    for (; *now < until; *now += MILLISECOND) {
        for (i = 0; i < joined; i++) {
            if (i == lost) {
                continue;
            }
            EXPECT(netclock_peer_tick(peers[i], local(i, *now)) == NETCLOCK_OK);
            while (netclock_peer_next_message(peers[i], local(i, *now), bytes, sizeof bytes, &length) == NETCLOCK_OK) {
                EXPECT(post(*now + 20 * MILLISECOND, (uint64_t)i, 1, bytes, length) == 0);
            }
        }
        for (i = 0; i < WAITING; i++) {
            if (parcels[i].length > 0 && parcels[i].due <= *now) {
                EXPECT(deliver(&parcels[i], *now) == 0);
            }
        }
        while (netclock_relay_next_message(relay, *now, &to, bytes, sizeof bytes, &length) == NETCLOCK_OK) {
            EXPECT(post(*now + 20 * MILLISECOND, to, 0, bytes, length) == 0);
        }
    }
    return 0;
}

/* All read the same clock, each within its bound. */
static int agree(int64_t now, int primary)
{
    netclock_peer_reading first = {0}, other = {0};
    int64_t error;
    int i;
    first.struct_size = other.struct_size = sizeof first;
    EXPECT(netclock_peer_read(peers[primary], local(primary, now), &first) == NETCLOCK_OK);
    EXPECT(first.stage == NETCLOCK_PEER_PLAYING && first.role == NETCLOCK_ROLE_PRIMARY && first.epoch == 1);
    EXPECT(first.rejection == NETCLOCK_REJECTED_NONE && first.state == NETCLOCK_STATE_SYNCED);
    for (i = 0; i < joined; i++) {
        if (i == lost || i == primary) {
            continue;
        }
        EXPECT(netclock_peer_read(peers[i], local(i, now), &other) == NETCLOCK_OK);
        error = other.time > first.time ? other.time - first.time : first.time - other.time;
        EXPECT(other.stage == NETCLOCK_PEER_PLAYING && other.role == NETCLOCK_ROLE_SECONDARY);
        EXPECT(other.authority == first.authority && other.epoch == 1);
        EXPECT(error < MILLISECOND && error <= other.error_bound + first.error_bound);
        EXPECT(other.round_trip > 79 * MILLISECOND && other.round_trip < 83 * MILLISECOND);
    }
    return 0;
}

int main(void)
{
    netclock_relay_config config = {0};
    netclock_peer_reading reading = {0};
    netclock_relay_game game = {0};
    unsigned char bytes[NETCLOCK_MAX_MESSAGE_SIZE];
    size_t length = 0;
    int64_t now = 0;
    int i;

    config.struct_size = sizeof config;
    config.games = 1;
    config.players = 9;
    EXPECT(netclock_relay_create(&config, 1, 2, &relay) == NETCLOCK_BAD_CONFIG && relay == NULL);
    config.players = 2;
    EXPECT(netclock_relay_create(&config, 1, 2, &relay) == NETCLOCK_OK);
    EXPECT(netclock_stream_create(&stream) == NETCLOCK_OK);
    for (i = 0; i < PEERS; i++) {
        EXPECT(netclock_peer_create(NULL, 7, 3, (uint64_t)i, &peers[i]) == NETCLOCK_OK);
    }

    reading.struct_size = sizeof reading;
    joined = 1;
    EXPECT(play(&now, SECOND) == 0);
    EXPECT(netclock_peer_read(peers[0], local(0, now), &reading) == NETCLOCK_OK);
    EXPECT(reading.stage == NETCLOCK_PEER_SYNCED && reading.players == 1 && reading.time == 0);
    EXPECT(netclock_peer_stamp(peers[0], local(0, now), 256, "boom", 4, bytes, sizeof bytes, &length) ==
           NETCLOCK_NOT_BEGUN);
    joined = 2;
    EXPECT(play(&now, 10 * SECOND) == 0 && agree(now, 0) == 0);
    joined = 3;
    EXPECT(play(&now, 20 * SECOND) == 0 && agree(now, 0) == 0);

    game.struct_size = sizeof game;
    EXPECT(netclock_relay_read_game(relay, 8, &game) == NETCLOCK_NO_GAME);
    EXPECT(netclock_relay_read_game(relay, 7, &game) == NETCLOCK_OK && game.players == 3 && game.began == 1);
    EXPECT(game.has_primary == 1 && game.primary == 0 && game.generation == 1 && game.dropped == 0);

    EXPECT(netclock_peer_stamp(peers[1], local(1, now), 256, "boom", 4, bytes, sizeof bytes, &length) == NETCLOCK_OK);
    EXPECT(post(now, 1, 1, bytes, length) == 0);
    EXPECT(play(&now, 21 * SECOND) == 0 && heard == 2);

    /* The primary is gone; nobody steps. */
    lost = 0;
    EXPECT(netclock_relay_disconnect(relay, 0, now) == NETCLOCK_OK);
    EXPECT(netclock_relay_disconnect(relay, 0, now) == NETCLOCK_NOT_LOGGED_IN);
    EXPECT(play(&now, 30 * SECOND) == 0 && agree(now, 1) == 0);
    EXPECT(netclock_peer_read(peers[2], local(2, now), &reading) == NETCLOCK_OK && reading.inherited > 0);
    EXPECT(netclock_peer_leave(peers[2]) == NETCLOCK_OK);
    EXPECT(play(&now, 31 * SECOND) == 0);
    EXPECT(netclock_peer_read(peers[2], local(2, now), &reading) == NETCLOCK_OK);
    EXPECT(reading.stage == NETCLOCK_PEER_ENDED && reading.role == NETCLOCK_ROLE_NONE);
    EXPECT(netclock_relay_read_game(relay, 7, &game) == NETCLOCK_OK && game.players == 1);

    for (i = 0; i < PEERS; i++) {
        EXPECT(netclock_peer_destroy(peers[i]) == NETCLOCK_OK);
    }
    EXPECT(netclock_stream_destroy(stream) == NETCLOCK_OK);
    EXPECT(netclock_relay_destroy(relay) == NETCLOCK_OK);
    return 0;
}
