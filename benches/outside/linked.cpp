// What a read costs a program that links the shared library and calls it through the PLT, as C and C++
// programs do by default. It is compared, in turns, with the plain clock of benches/original: linked into the
// program, and in a shared library of its own. docs/cost.md says how to build and run it.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "netclock/netclock.h"

// The plain clock.
extern "C" {
void *original_create();
bool original_update_server_time(
    void* clock, std::int64_t server_time, std::int64_t now, std::int64_t round_trip);
std::int64_t original_current_server_time(const void *clock, std::int64_t now);

// The same in a shared library: compiled with other names.
void *shared_create();
bool shared_update_server_time(
    void* clock, std::int64_t server_time, std::int64_t now, std::int64_t round_trip);
std::int64_t shared_current_server_time(const void *clock, std::int64_t now);
std::int64_t shared_nothing(const void *clock, std::int64_t now);
}

namespace {

// Short turns, so that most are not interrupted.
constexpr int Turns = 4000;
constexpr int Reads = 5000;
// A frame at 64 per second; 256 of them fill the 4 s between two exchanges.
constexpr std::int64_t Frame = 156250;
constexpr int Frames = 256;

volatile std::int64_t sink;

std::int64_t steady_ticks() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 100;
}

template <class Read>
double turn(Read read) {
    const auto begin = std::chrono::steady_clock::now();
    std::int64_t sum = 0;
    for (int i = 0; i < Reads; i++) {
        sum += read(i);
    }
    sink = sum;
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / Reads;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

struct Way {
    const char *name;
    double (*measure)();
    std::vector<double> ns;
};

void *plain, *shared;
netclock_client *client;
std::int64_t base;

std::int64_t ours(std::int64_t now) {
    std::int64_t shown = 0;
    netclock_client_current_server_time(client, now, &shown);
    return shown;
}

std::int64_t linked(std::int64_t now) { return original_current_server_time(plain, now); }
std::int64_t loaded(std::int64_t now) { return shared_current_server_time(shared, now); }
std::int64_t empty(std::int64_t now) { return shared_nothing(shared, now); }

std::int64_t frame(int i) { return base + i % Frames * Frame; }

// All take turns, so that a machine that is slower for a while slows all.
void compare(std::vector<Way> ways) {
    for (int i = 0; i < Turns; i++) {
        for (Way &way : ways) {
            way.ns.push_back(way.measure());
        }
    }
    const double first = median(ways.front().ns);
    for (const Way &way : ways) {
        std::printf("%-48s %5.2f ns, %.2f x\n", way.name, median(way.ns), median(way.ns) / first);
    }
}

}  // namespace

int main() {
    plain = original_create();
    shared = shared_create();
    if (netclock_client_create(nullptr, 1, 2, &client) != NETCLOCK_OK) {
        return 1;
    }
    base = steady_ticks();
    for (int i = 20; i >= 0; i--) {
        // Every 4 s, 25 ms each way and up to 4 ms more, from a server that is 20 ppm fast.
        const std::int64_t arrived = base - i * Frames * Frame, queued = i * 7919 % 40000;
        const std::int64_t sent = arrived - 500000 - queued;
        const std::int64_t server =
            arrived + 900000000 - 250000 - queued / 2 + (arrived - Frames * Frame) / 50000;
        original_update_server_time(plain, server, arrived, arrived - sent);
        shared_update_server_time(shared, server, arrived, arrived - sent);
        if (netclock_client_handle_exchange(client, sent, server, server, arrived, 1) != NETCLOCK_OK) {
            return 1;
        }
    }
    std::puts("times that the program has already");
    compare({{"plain clock, in the program", [] { return turn([](int i) { return linked(frame(i)); }); }, {}},
        {"plain clock, in a shared library", [] { return turn([](int i) { return loaded(frame(i)); }); }, {}},
        {"NetClock", [] { return turn([](int i) { return ours(frame(i)); }); }, {}},
        {"a call into a shared library that does nothing",
            [] { return turn([](int i) { return empty(frame(i)); }); }, {}}});
    std::puts("times of std::chrono::steady_clock");
    compare(
        {{"plain clock, in the program", [] { return turn([](int) { return linked(steady_ticks()); }); }, {}},
            {"plain clock, in a shared library",
                [] { return turn([](int) { return loaded(steady_ticks()); }); }, {}},
            {"NetClock", [] { return turn([](int) { return ours(steady_ticks()); }); }, {}}});
    return 0;
}
