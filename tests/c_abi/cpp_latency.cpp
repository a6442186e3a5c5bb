/* The latency watch of netclock_latency.hpp: the way back gets 60 ms shorter, and the avatar catches up. */

#include "check.hpp"
#include "netclock/netclock_latency.hpp"

using netclock::direction;

int main()
{
    netclock::latency_config settings;
    settings.ramp = 1ms;
    CHECK(netclock::latency::create(settings).code() == status::bad_config);
    settings.ramp = 500ms;
    settings.hide = direction::to_client;
    settings.least_change = 20ms;
    auto latency = *netclock::latency::create(settings);
    CHECK(latency);
    CHECK(latency.next_change().code() == status::no_change);

    delays link;
    netclock::latency_change seen;
    int changes = 0;
    double fastest = 1.0;
    ticks now{};
    for (now = 1s; now < 120s; now += ticks{100ms}) {
        const ticks received = now + link.next();
        const ticks arrived = received + link.next() + ticks{now < 60s ? 60ms : 0ms};
        // A clock that is right: what it shows is the server's time, here the client's.
        const auto code = latency.learn(local_time{now}, server_time{received}, server_time{received},
                                        local_time{arrived}, server_time{arrived}, 1);
        CHECK(code == status::ok || code == status::nothing_new || code == status::time_went_backwards);
        while (const auto change = latency.next_change()) {
            seen = *change;
            ++changes;
        }
        const auto speed = latency.speed(local_time{arrived});
        CHECK(speed && speed->scale <= 1.1 + 1e-9 && speed->scale > 0.98);
        fastest = speed->scale > fastest ? speed->scale : fastest;
    }
    CHECK(changes == 1 && seen.went == direction::to_client && fastest > 1.05);
    CHECK(seen.before - seen.after > 55ms && seen.before - seen.after < 65ms && seen.confidence > 0.9);
    CHECK(seen.found > local_time{60s} && seen.found < local_time{64s} && seen.since <= seen.found);
    const auto speed = latency.speed(local_time{now});
    CHECK(!speed->is_hiding && speed->remaining == 0ms && speed->done > 55ms && speed->done < 65ms);

    auto client = netclock::client::create({1, 2});
    CHECK(client && latency.follow(*client) == status::nothing_new);
    return 0;
}
