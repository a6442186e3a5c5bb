/*
 * Many readers and two colliding writers share one client through the C++ API.
 *
 * The writers advance a simulated time as fast as they can. Within an epoch, the clock must never go
 * backwards for any reader. The fields of a reading must be consistent, and its bound must contain the true
 * time. The server sometimes restarts with a different offset, so a reading that mixes two epochs would be
 * far off.
 *
 * The first argument is the number of frames that the first writer runs.
 */
#include <atomic>
#include <cinttypes>
#include <thread>
#include <vector>

#include "../c_abi/check.hpp"
#include "netclock/netclock_saved.hpp"

namespace {

constexpr ticks frame = 1ms;
/* The clock is only guaranteed to be monotonic for this long after the client's last call. */
constexpr ticks near = 20ms;
constexpr ticks one_way = 5ms;
constexpr int reader_threads = 4;
constexpr std::int64_t frames_of_a_run = 4000;

/* In run number `epoch`, the server's clock is `epoch` hours ahead and 40 ppm fast. */
server_time truth(std::uint64_t epoch, local_time local)
{
    const ticks since = local.time_since_epoch();
    return server_time{static_cast<std::int64_t>(epoch) * ticks{1h} + since + since / 25000};
}

struct shared {
    std::atomic<std::uint64_t> samples{0};
    netclock::client client = *netclock::client::create({1, 2});
    netclock::server server = *netclock::server::create(1);
    std::atomic<local_time> now{local_time{1s}};
    std::atomic<std::uint64_t> epoch{1};
    std::atomic<int> running{0};
    std::atomic<bool> done{false};
};

void check_fields(const netclock::reading &reading, local_time local)
{
    CHECK(reading.state >= netclock::clock_state::synced && reading.state <= netclock::clock_state::doubtful);
    CHECK(reading.epoch >= 1 && reading.server_epoch >= 1);
    CHECK(!reading.error_bound || *reading.error_bound >= ticks{});
    CHECK(!reading.expected_error || *reading.expected_error >= ticks{});
    CHECK(reading.round_trip >= 2 * one_way - ticks{1} && reading.round_trip <= 2 * one_way + 1ms);
    CHECK(reading.frequency_ppm > -300.0 && reading.frequency_ppm < 300.0);
    if (reading.error_bound) {
        CHECK(std::chrono::abs(reading.time - truth(reading.server_epoch, local)) <= *reading.error_bound);
    }
}

/* Reads the clock until the writers are done. Adds the number of readings compared with earlier ones to
 * `compared`. */
void read_all_the_time(shared &world, std::uint64_t &compared)
{
    world.running.fetch_add(1);
    std::uint32_t epoch = 0;
    local_time last_local = local_time::min();
    server_time last_shown = server_time::min();
    while (!world.done.load(std::memory_order_acquire) || compared == 0) {
        const local_time local = world.now.load(std::memory_order_acquire);
        const auto reading = world.client.read(local);
        if (reading.code() == status::not_synced) {
            CHECK(reading->state == netclock::clock_state::unsynced && reading->time == server_time{});
            continue;
        }
        CHECK(reading);
        check_fields(*reading, local);
        CHECK(reading->epoch >= epoch);
        if (reading->epoch > epoch) {
            epoch = reading->epoch;
            last_local = local_time::min();
            last_shown = server_time::min();
        }
        /* If a reader is preempted for longer than this, the guarantee no longer applies. */
        if (world.now.load(std::memory_order_acquire) - local <= near && local >= last_local) {
            CHECK(reading->time >= last_shown);
            last_local = local;
            last_shown = reading->time;
            compared++;
        }
        const auto shown = world.client.current_server_time(local);
        CHECK(shown && *shown != server_time{} && world.client.is_time_synced());
    }
}

void exchange(shared &world, local_time now)
{
    const std::uint64_t epoch = world.epoch.load();
    const server_time there = truth(epoch, now - one_way);
    CHECK(world.client.handle_exchange({now - 2 * one_way, there, there, now}, epoch) == status::ok);
}

void write_frames(shared &world, std::int64_t frames)
{
    for (std::int64_t i = 1; i <= frames; i++) {
        const local_time now = world.now.load() + frame;
        const auto request = world.client.tick(now);
        CHECK(request || request.code() == status::nothing_due);
        world.now.store(now, std::memory_order_release);
        if (request) {
            /* The client may reject this reply if the second writer has just discovered a restart.
               */
            const auto reply = world.server.respond(*request, truth(1, now), truth(1, now));
            CHECK(reply && reply->id == request->id && reply->epoch == 1);
        }
        if (i % 7 == 0) {
            exchange(world, now);
        }
        if (i % frames_of_a_run == 0) {
            world.epoch.fetch_add(1);
        }
        auto event = world.client.next_event();
        for (; event; event = world.client.next_event()) {
            CHECK(event->kind >= netclock::event_kind::synced);
            CHECK(event->kind <= netclock::event_kind::recovered);
        }
        CHECK(event.code() == status::no_event);
    }
}

void count(void *samples, const netclock_sample *)
{
    static_cast<std::atomic<std::uint64_t> *>(samples)->fetch_add(1, std::memory_order_relaxed);
}

/* A second writer is pointless but must be safe. The client uses the first writer's times or rejects the
 * call. */
std::uint64_t collide(shared &world)
{
    std::uint64_t calls = 0;
    world.running.fetch_add(1);
    while (!world.done.load(std::memory_order_acquire)) {
        const local_time now = world.now.load(std::memory_order_acquire);
        const auto made = world.client.make_request(now);
        CHECK(made || made.code() == status::time_went_backwards);
        CHECK(made || netclock::last_error()[0] != '\0');
        CHECK(world.client.handle_reply({0xBAD, 9, {}, {}}, now) == status::unknown_request);
        const auto tap = calls % 2 == 0 ? &count : nullptr;
        CHECK(netclock::on_sample(world.client, tap, &world.samples) == status::ok);
        /* Meanwhile, create and destroy other handles. */
        auto other = netclock::client::create({calls, 1});
        CHECK(other && other->destroy() == status::ok);
        calls++;
    }
    return calls;
}

} // namespace

int main(int argc, char **argv)
{
    const std::int64_t frames = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 200000;
    CHECK(frames > 0);
    shared world;
    CHECK(world.client && world.server);

    std::vector<std::uint64_t> compared(reader_threads);
    std::vector<std::thread> readers;
    for (std::uint64_t &counted : compared) {
        readers.emplace_back([&world, &counted] { read_all_the_time(world, counted); });
    }
    std::uint64_t collisions = 0;
    std::thread collider([&world, &collisions] { collisions = collide(world); });
    while (world.running.load() < reader_threads + 1) {
        std::this_thread::yield();
    }
    write_frames(world, frames);
    world.done.store(true, std::memory_order_release);
    collider.join();
    for (std::thread &reader : readers) {
        reader.join();
    }

    CHECK(collisions > 0 && world.samples.load() > 0);
    std::printf("%" PRId64 " frames, %" PRIu64 " collisions\n", frames, collisions);
    CHECK(world.client.destroy() == status::ok && world.server.destroy() == status::ok);
    return 0;
}
