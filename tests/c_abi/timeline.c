/*
 * A world's clock through the C interface: a server whose world pauses, runs slowly and loses time, segments
 * that travel as datagrams over 40 ms, some of them lost, and every frame of the client judged against the
 * truth.
 */
#include <string.h>

#include "check.h"
#include "netclock/netclock_world.h"

#define FRAME (16 * MILLISECOND)
#define LATENCY (40 * MILLISECOND)
#define FRAMES 3000
#define EPOCH 77

/* How fast the server's world runs in a frame; 0 while it stands still. */
static double rate_at(int frame)
{
    if (frame / 200 % 5 == 2) {
        return 0.0;
    }
    return frame / 200 % 5 == 4 ? 0.25 : 1.0;
}

/* The engine cuts a long frame: the world loses time. */
static int64_t lost_in(int frame)
{
    return frame == 1500 ? 5 * FRAME : 0;
}

struct letter {
    int64_t arrives;
    unsigned char datagram[NETCLOCK_SEGMENT_SIZE];
};

static struct letter letters[FRAMES];
static int posted, delivered;

static void post(const netclock_world_segment *segment, int64_t now)
{
    CHECK(netclock_encode_segment(segment, letters[posted].datagram, NETCLOCK_SEGMENT_SIZE) == NETCLOCK_OK);
    letters[posted++].arrives = now + LATENCY;
}

static void deliver(netclock_timeline *timeline, int64_t now)
{
    for (; delivered < posted && letters[delivered].arrives <= now; delivered++) {
        netclock_world_segment segment;
        netclock_status status;
        segment.struct_size = sizeof segment;
        CHECK(netclock_decode_segment(letters[delivered].datagram, NETCLOCK_SEGMENT_SIZE, &segment) == NETCLOCK_OK);
        status = netclock_timeline_insert(timeline, &segment);
        CHECK(status == NETCLOCK_OK || status == NETCLOCK_ALREADY_KNOWN);
        CHECK(netclock_timeline_confirm(timeline, EPOCH, segment.instance, segment.version, segment.through) ==
              NETCLOCK_OK);
    }
}

static int64_t distance(int64_t one, int64_t other)
{
    return one > other ? one - other : other - one;
}

int main(void)
{
    netclock_publisher *publisher = NULL;
    netclock_timeline *timeline = NULL;
    netclock_world_segment segment;
    netclock_reading now;
    netclock_world_reading shown;
    netclock_world_age age;
    int64_t real = 1000 * SECOND, world = 5 * SECOND, last = 0, first, end;
    int frame, judged = 0;

    memset(&now, 0, sizeof now);
    memset(&shown, 0, sizeof shown);
    segment.struct_size = sizeof segment;
    now.struct_size = sizeof now;
    now.error_bound = 2 * MILLISECOND;
    now.server_epoch = EPOCH;
    now.epoch = 1;
    shown.struct_size = sizeof shown;
    CHECK(netclock_publisher_create(NULL, EPOCH, 1, &publisher) == NETCLOCK_OK);
    CHECK(netclock_timeline_create(NULL, &timeline) == NETCLOCK_OK);
    CHECK(netclock_publisher_newest(publisher, &segment) == NETCLOCK_NO_WORLD);
    CHECK(netclock_timeline_show(timeline, &now, &shown) == NETCLOCK_NOT_SYNCED);
    now.state = NETCLOCK_STATE_SYNCED;
    CHECK(netclock_timeline_show(timeline, &now, &shown) == NETCLOCK_NO_WORLD);

    for (frame = 0; frame < FRAMES; frame++) {
        double rate = rate_at(frame);
        netclock_status status = netclock_publisher_observe(publisher, real, world, rate, rate == 0.0, &segment);
        CHECK(status == NETCLOCK_OK || status == NETCLOCK_NOTHING_DUE);
        /* Every third is lost; the newest is sent again from time to time. */
        if (status == NETCLOCK_OK && segment.version % 3 != 0) {
            post(&segment, real);
        }
        if (frame % 30 == 0) {
            CHECK(netclock_publisher_newest(publisher, &segment) == NETCLOCK_OK);
            post(&segment, real);
        }
        deliver(timeline, real);
        now.server_time = real;
        status = netclock_timeline_show(timeline, &now, &shown);
        if (status == NETCLOCK_OK) {
            judged++;
            CHECK(shown.world_time >= last && shown.epoch == 1 && shown.instance == 1);
            CHECK(distance(shown.world_time, world) <= shown.error_bound);
            CHECK(shown.error_bound_if_unchanged <= shown.error_bound);
            last = shown.world_time;
        }
        real += FRAME + lost_in(frame);
        world += (int64_t)((double)FRAME * rate);
    }
    CHECK(judged > FRAMES - 10);
    CHECK(posted < FRAMES / 20);

    /* Ten seconds ago, in either time; and the inverse. */
    CHECK(netclock_timeline_age_of_real(timeline, &now, now.server_time - 10 * SECOND, &age) == NETCLOCK_OK);
    CHECK(age.real == 10 * SECOND && age.world > 0 && age.world < 10 * SECOND);
    CHECK(netclock_timeline_world_at(timeline, EPOCH, now.server_time, &shown) == NETCLOCK_OK);
    CHECK(netclock_timeline_age_of_world(timeline, &now, shown.world_time, &age) == NETCLOCK_OK);
    CHECK(age.world == 0 && distance(age.real, 0) <= 4);
    CHECK(netclock_timeline_real_at(timeline, EPOCH, shown.world_time, &first, &end) == NETCLOCK_OK);
    CHECK(first <= now.server_time && now.server_time <= end);

    /* Another map. */
    CHECK(netclock_publisher_begin_world(publisher) == NETCLOCK_OK);
    CHECK(netclock_publisher_observe(publisher, real, 0, 1.0, 0, &segment) == NETCLOCK_OK);
    CHECK(segment.instance == 2 && segment.version == 1);
    CHECK(netclock_timeline_insert(timeline, &segment) == NETCLOCK_OK);
    now.server_time = real + SECOND;
    CHECK(netclock_timeline_show(timeline, &now, &shown) == NETCLOCK_OK);
    CHECK(shown.epoch == 2 && shown.world_time == SECOND && !shown.paused);

    CHECK(netclock_publisher_destroy(publisher) == NETCLOCK_OK);
    CHECK(netclock_timeline_destroy(timeline) == NETCLOCK_OK);
    return 0;
}
