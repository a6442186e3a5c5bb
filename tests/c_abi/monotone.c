/*
 * Readings never go back in a game loop with hitches: a frame reads, handles replies that were stamped on
 * arrival meanwhile, and reads again. The world that is shown from these readings refuses none, in whatever
 * order they come.
 */
#include <string.h>

#include "check.h"
#include "netclock/netclock_world.h"

#define RUNS 20
#define FRAME (SECOND / 60)
#define FRAMES 3600
#define HITCH (300 * MILLISECOND)
#define BETWEEN_HITCHES (1600 * MILLISECOND)
#define EPOCH 5
#define LETTERS 64

/* A link of 20 ms and more each way with 5 % loss, and a server whose clock is fast or slow by up to 80
   ppm. */
struct letter {
    int64_t arrives;
    netclock_reply reply;
};

struct net {
    uint64_t dice;
    int64_t ppm;
    struct letter letters[LETTERS];
    int count;
};

static int64_t below(struct net *net, int64_t most)
{
    return (int64_t)(next_random(&net->dice) % (uint64_t)most);
}

static int64_t server_at(const struct net *net, int64_t local)
{
    return local + 900 * SECOND + local / 1000000 * net->ppm;
}

static int64_t delay(struct net *net)
{
    return 20 * MILLISECOND + below(net, 15 * MILLISECOND) * (below(net, 4) == 0 ? 4 : 1);
}

static void send_request(struct net *net, const netclock_request *request, int64_t now)
{
    struct letter *letter = &net->letters[net->count];
    int64_t there = now + delay(net);
    if (net->count == LETTERS || below(net, 20) == 0) {
        return;
    }
    memset(letter, 0, sizeof *letter);
    letter->arrives = there + delay(net);
    letter->reply.struct_size = sizeof letter->reply;
    letter->reply.id = request->id;
    letter->reply.epoch = EPOCH;
    letter->reply.received = letter->reply.sent = server_at(net, there);
    net->count++;
}

/* What was shown last. */
struct seen {
    int64_t server_time, world_time;
    uint32_t epoch, world_epoch;
    long reads;
};

static void show(netclock_timeline *timeline, const netclock_reading *reading, struct seen *seen)
{
    netclock_world_reading world;
    memset(&world, 0, sizeof world);
    world.struct_size = sizeof world;
    CHECK(netclock_timeline_show(timeline, reading, &world) == NETCLOCK_OK);
    CHECK(world.epoch != seen->world_epoch || world.world_time >= seen->world_time);
    seen->world_epoch = world.epoch;
    seen->world_time = world.world_time;
}

/* Reads at `now`, which is not earlier than any `now` before. */
static int read_clock(netclock_client *client, int64_t now, netclock_reading *reading, struct seen *seen)
{
    int64_t quick;
    memset(reading, 0, sizeof *reading);
    reading->struct_size = sizeof *reading;
    if (netclock_client_read(client, now, reading) == NETCLOCK_NOT_SYNCED) {
        return 0;
    }
    CHECK(netclock_client_current_server_time(client, now, &quick) == NETCLOCK_OK &&
        quick == reading->server_time);
    CHECK(reading->epoch != seen->epoch || reading->server_time >= seen->server_time);
    seen->epoch = reading->epoch;
    seen->server_time = reading->server_time;
    seen->reads++;
    return 1;
}

static void handle_replies(netclock_client *client, struct net *net, int64_t now)
{
    int i, first;
    for (;;) {
        for (first = -1, i = 0; i < net->count; i++) {
            if (net->letters[i].arrives <= now &&
                (first < 0 || net->letters[i].arrives < net->letters[first].arrives))
            {
                first = i;
            }
        }
        if (first < 0) {
            return;
        }
        CHECK(netclock_client_handle_reply(client, &net->letters[first].reply, net->letters[first].arrives) ==
              NETCLOCK_OK);
        net->letters[first] = net->letters[--net->count];
    }
}

static long run(uint64_t seed)
{
    netclock_client *client = NULL;
    netclock_timeline *timeline = NULL;
    netclock_world_segment segment;
    netclock_request request;
    netclock_reading before, after;
    struct net net;
    struct seen seen;
    int64_t now = SECOND, hitch = SECOND;
    int frame;

    memset(&net, 0, sizeof net);
    memset(&seen, 0, sizeof seen);
    memset(&segment, 0, sizeof segment);
    net.dice = seed * UINT64_C(0x9E3779B97F4A7C15);
    net.ppm = below(&net, 161) - 80;
    segment.struct_size = sizeof segment;
    segment.instance = segment.version = 1;
    segment.server_epoch = EPOCH;
    segment.since = segment.real = segment.through = server_at(&net, 0);
    segment.rate = 1.0;
    CHECK(netclock_client_create(NULL, seed, 1, &client) == NETCLOCK_OK);
    CHECK(netclock_timeline_create(NULL, &timeline) == NETCLOCK_OK);
    CHECK(netclock_timeline_insert(timeline, &segment) == NETCLOCK_OK);

    for (frame = 0; frame < FRAMES; frame++) {
        int was_read;
        now += FRAME;
        if (now >= hitch) {
            now += HITCH;
            hitch += BETWEEN_HITCHES;
        }
        was_read = read_clock(client, now, &before, &seen);
        handle_replies(client, &net, now);
        if (read_clock(client, now, &after, &seen)) {
            show(timeline, &after, &seen);
        }
        if (was_read) {
            /* As if another thread had been preempted between reading and showing. */
            show(timeline, &before, &seen);
        }
        request.struct_size = sizeof request;
        if (netclock_client_tick(client, now, &request) == NETCLOCK_OK) {
            send_request(&net, &request, now);
        }
    }
    CHECK(netclock_timeline_destroy(timeline) == NETCLOCK_OK);
    CHECK(netclock_client_destroy(client) == NETCLOCK_OK);
    return seen.reads;
}

int main(void)
{
    long reads = 0;
    uint64_t seed;
    for (seed = 1; seed <= RUNS; seed++) {
        reads += run(seed);
    }
    CHECK(reads > RUNS * FRAMES);
    return 0;
}
