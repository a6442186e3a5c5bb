/* Tests netclock_handover.hpp with a server that hands its timescale over to another server of its fleet. */

#include "check.hpp"
#include "netclock/netclock_handover.hpp"

using netclock::authority;

static constexpr std::uint64_t fleet = 0x46EE7;
static constexpr ticks way{20ms};

/* Synchronizes with the server of this epoch, whose clock is `ahead` of the local clock. */
static void ask(netclock::client &clock, std::uint64_t epoch, ticks ahead, local_time now)
{
    const auto request = clock.make_request(now);
    CHECK(request);
    const server_time met{now.time_since_epoch() + way + ahead};
    CHECK(clock.handle_reply({1, request->id, epoch, met, met}, now + 2 * way) == status::ok);
}

int main()
{
    auto clock = *netclock::client::create({1, 2});
    CHECK(clock);
    CHECK(netclock::authority_of(clock, local_time{}).code() == status::not_synced);
    local_time now{100s};
    for (int turn = 0; turn < 20; ++turn, now += 100ms) {
        ask(clock, 1, 500s, now);
    }

    /* Server 1 announces the fleet's timescale. Server 2 takes it over with a clock that differs by 3 ms. */
    const authority first{1, fleet, 2ms}, second{2, fleet, 4ms};
    CHECK(netclock::set_authority(clock, {1, fleet, -1ms}, now) == status::out_of_range);
    CHECK(netclock::set_authority(clock, first, now) == status::ok);
    const auto known = netclock::authority_of(clock, now);
    CHECK(known && known->epoch == 1 && known->timescale == fleet && known->dispersion == 2ms);
    CHECK(netclock::set_authority(clock, {2, 1, 4ms}, now) == status::other_timescale);

    CHECK(clock.begin_burst() == status::ok);
    CHECK(clock.make_step(now - 1ms, 0ms).code() == status::time_went_backwards);
    CHECK(clock.make_step(now, 0ms) && clock.make_step(now, 0ms)->count() == 0);
    CHECK(netclock::set_authority(clock, second, now) == status::ok);
    while (clock.next_event()) {
    }
    for (int turn = 0; turn < 20; ++turn, now += 100ms) {
        ask(clock, 2, 500s + 3ms, now);
    }
    const auto told = clock.next_event();
    CHECK(told && told->kind == netclock::event_kind::handed_over && !clock.next_event());

    return 0;
}
