/*
 * Many readers, a writer and a second one that collides with it, on one client through the C interface.
 *
 * Simulated time runs as fast as the writers push it. What must hold whatever the order of threads: within an
 * epoch no reader sees the clock go backwards, the fields of a reading belong together, and the truth is
 * within the bound. The server is restarted now and then with another offset, so that a mixture of two runs
 * would be far off.
 *
 * The first argument is how many frames the writer takes; without one, as many as an ordinary test has time
 * for.
 */
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "../c_abi/check.hpp"

namespace {

constexpr int64_t millisecond = 10000;
constexpr int64_t second = 1000 * millisecond;
constexpr int64_t frame = millisecond;
/* Within this of the client's last call readers are promised a clock that never goes backwards. */
constexpr int64_t near = 20 * millisecond;
constexpr int64_t one_way = 5 * millisecond;
constexpr int reader_threads = 4;
constexpr int64_t frames_of_a_run = 4000;

/* The server's run `epoch`: as many hours ahead, and 40 ppm fast. */
int64_t truth(uint64_t epoch, int64_t local)
{
    return static_cast<int64_t>(epoch) * 3600 * second + local + local / 25000;
}

struct shared {
    netclock_client *client = nullptr;
    netclock_server *server = nullptr;
    std::atomic<int64_t> now{second};
    std::atomic<uint64_t> epoch{1};
    std::atomic<int> running{0};
    std::atomic<bool> done{false};
    std::atomic<uint64_t> samples{0};
};

void on_sample(void *user_data, const netclock_sample *sample)
{
    CHECK(sample->struct_size >= sizeof(netclock_sample));
    static_cast<shared *>(user_data)->samples.fetch_add(1, std::memory_order_relaxed);
}

void on_message(void *user_data, int32_t level, const char *message)
{
    CHECK(user_data != nullptr && level >= NETCLOCK_LOG_ERROR && message[0] != '\0');
}

/* What one thread of readers counted. */
struct count {
    uint64_t reads = 0;
    uint64_t compared = 0;
    uint32_t epochs = 0;
};

void check_fields(const netclock_reading &reading, int64_t local)
{
    CHECK(reading.struct_size == sizeof reading);
    CHECK(reading.state >= NETCLOCK_STATE_SYNCED && reading.state <= NETCLOCK_STATE_DOUBTFUL);
    CHECK(reading.epoch >= 1 && reading.server_epoch >= 1);
    CHECK(reading.error_bound >= 0 && reading.expected_error >= 0);
    CHECK(reading.round_trip >= 2 * one_way - 1 && reading.round_trip <= 2 * one_way + millisecond);
    CHECK(reading.frequency_ppm > -300.0 && reading.frequency_ppm < 300.0);
    if (reading.error_bound != NETCLOCK_UNBOUNDED) {
        const int64_t error = reading.server_time - truth(reading.server_epoch, local);
        CHECK((error < 0 ? -error : error) <= reading.error_bound);
    }
}

void read_all_the_time(shared &world, count &counted)
{
    world.running.fetch_add(1);
    uint32_t epoch = 0;
    int64_t last_local = INT64_MIN;
    int64_t last_shown = INT64_MIN;
    while (!world.done.load(std::memory_order_acquire) || counted.compared == 0) {
        const int64_t local = world.now.load(std::memory_order_acquire);
        netclock_reading reading;
        reading.struct_size = sizeof reading;
        const netclock_status status = netclock_client_read(world.client, local, &reading);
        if (status == NETCLOCK_NOT_SYNCED) {
            CHECK(reading.state == NETCLOCK_STATE_UNSYNCED && reading.server_time == 0);
            continue;
        }
        CHECK(status == NETCLOCK_OK);
        counted.reads++;
        check_fields(reading, local);
        CHECK(reading.epoch >= epoch);
        if (reading.epoch > epoch) {
            epoch = reading.epoch;
            counted.epochs++;
            last_local = INT64_MIN;
            last_shown = INT64_MIN;
        }
        /* A thread that was preempted for longer reads a time that nothing is promised of. */
        if (world.now.load(std::memory_order_acquire) - local <= near && local >= last_local) {
            CHECK(reading.server_time >= last_shown);
            last_local = local;
            last_shown = reading.server_time;
            counted.compared++;
        }
        int64_t shown = 0;
        CHECK(netclock_client_current_server_time(world.client, local, &shown) == NETCLOCK_OK && shown != 0);
        CHECK(netclock_client_is_time_synced(world.client) == 1);
    }
}

/* One exchange with the server that runs now, answered on the spot. */
void exchange(shared &world, int64_t now)
{
    const uint64_t epoch = world.epoch.load();
    CHECK(netclock_client_handle_exchange(world.client, now - 2 * one_way, truth(epoch, now - one_way),
                                          truth(epoch, now - one_way), now, epoch) == NETCLOCK_OK);
}

void write_frames(shared &world, int64_t frames)
{
    for (int64_t i = 1; i <= frames; i++) {
        const int64_t now = world.now.load() + frame;
        netclock_request request{};
        request.struct_size = sizeof request;
        netclock_status status = netclock_client_tick(world.client, now, &request);
        CHECK(status == NETCLOCK_OK || status == NETCLOCK_NOTHING_DUE);
        world.now.store(now, std::memory_order_release);
        if (status == NETCLOCK_OK) {
            netclock_reply reply{};
            reply.struct_size = sizeof reply;
            /* A reply to the first writer's request may be forgotten when the second finds a restart. */
            CHECK(netclock_server_respond(world.server, &request, truth(1, now), truth(1, now), &reply) ==
                  NETCLOCK_OK);
            CHECK(reply.id == request.id && reply.epoch == 1);
        }
        if (i % 7 == 0) {
            exchange(world, now);
        }
        if (i % frames_of_a_run == 0) {
            world.epoch.fetch_add(1);
        }
        netclock_event event;
        event.struct_size = sizeof event;
        while ((status = netclock_client_next_event(world.client, &event)) == NETCLOCK_OK) {
            CHECK(event.kind >= NETCLOCK_EVENT_SYNCED && event.kind <= NETCLOCK_EVENT_RECOVERED);
        }
        CHECK(status == NETCLOCK_NO_EVENT);
    }
}

/* A second thread that changes the same client: pointless, and safe. Its times are those of the first, or
   refused. */
uint64_t collide(shared &world)
{
    uint64_t calls = 0;
    world.running.fetch_add(1);
    while (!world.done.load(std::memory_order_acquire)) {
        const int64_t now = world.now.load(std::memory_order_acquire);
        netclock_request request{};
        request.struct_size = sizeof request;
        const netclock_status made = netclock_client_make_request(world.client, now, &request);
        CHECK(made == NETCLOCK_OK || made == NETCLOCK_TIME_WENT_BACKWARDS);
        CHECK(made == NETCLOCK_OK || netclock_last_error()[0] != '\0');
        netclock_reply forged{};
        forged.struct_size = sizeof forged;
        forged.id = 0xBAD;
        forged.epoch = 9;
        CHECK(netclock_client_handle_reply(world.client, &forged, now) == NETCLOCK_UNKNOWN_REQUEST);
        CHECK(netclock_client_set_log(world.client, NETCLOCK_LOG_DEBUG, on_message, &world) == NETCLOCK_OK);
        CHECK(netclock_client_set_tap(world.client, calls % 2 == 0 ? on_sample : nullptr, &world) ==
            NETCLOCK_OK);
        /* Other handles come and go meanwhile. */
        netclock_client *other = nullptr;
        CHECK(netclock_client_create(nullptr, calls, static_cast<uint64_t>(now), &other) == NETCLOCK_OK &&
            other != nullptr);
        CHECK(netclock_client_destroy(other) == NETCLOCK_OK);
        calls++;
    }
    return calls;
}

} // namespace

int main(int argc, char **argv)
{
    const int64_t frames = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 200000;
    CHECK(frames > 0);
    shared world;
    CHECK(netclock_client_create(nullptr, 1, 2, &world.client) == NETCLOCK_OK);
    CHECK(netclock_server_create(1, &world.server) == NETCLOCK_OK);

    std::vector<count> counts(reader_threads);
    std::vector<std::thread> readers;
    for (count &counted : counts) {
        readers.emplace_back([&world, &counted] { read_all_the_time(world, counted); });
    }
    uint64_t collisions = 0;
    std::thread collider([&world, &collisions] { collisions = collide(world); });
    while (world.running.load() < reader_threads + 1) {
        std::this_thread::yield();
    }
    write_frames(world, frames);
    world.done.store(true, std::memory_order_release);
    collider.join();

    count total;
    for (int i = 0; i < reader_threads; i++) {
        readers[static_cast<size_t>(i)].join();
        total.reads += counts[static_cast<size_t>(i)].reads;
        total.compared += counts[static_cast<size_t>(i)].compared;
        total.epochs += counts[static_cast<size_t>(i)].epochs;
    }
    CHECK(collisions > 0 && world.samples.load() > 0);
    std::printf("%" PRIu64 " reads, %" PRIu64 " compared, %" PRIu32 " epochs seen; %" PRId64
                " frames, %" PRIu64 " collisions\n",
        total.reads, total.compared, total.epochs, frames, collisions);
    CHECK(netclock_client_destroy(world.client) == NETCLOCK_OK);
    CHECK(netclock_server_destroy(world.server) == NETCLOCK_OK);
    return 0;
}
