/* A fleet of two servers, and a migrating host, through netclock_handover.hpp. */

#include "check.hpp"
#include "netclock/netclock_handover.hpp"

using netclock::authority;

static constexpr std::uint64_t fleet = 0x46EE7;
static constexpr ticks way{20ms};

/* Makes an exchange with the server of this epoch, whose clock is ahead by `ahead`. */
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

    /* Server 1 states the fleet's timescale. Then server 2 takes over, whose clock differs by 3 ms. */
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
    auto last = clock.read(now)->time;
    for (int turn = 0; turn < 20; ++turn, now += 100ms) {
        ask(clock, 2, 500s + 3ms, now);
        const auto shown = clock.read(now)->time;
        CHECK(shown >= last);
        last = shown;
    }
    const auto told = clock.next_event();
    CHECK(told && told->kind == netclock::event_kind::handed_over && !clock.next_event());

    /* This client becomes the host and adopts the fleet's timescale, based on its own reading. */
    netclock::adoption_config settings;
    settings.timescale = fleet;
    settings.liars = 40;
    CHECK(netclock::adoption::create({3, 4}, settings).code() == status::bad_config);
    settings.liars = netclock::no_liars;
    auto adoption = *netclock::adoption::create({3, 4}, settings);
    CHECK(adoption);
    CHECK(adoption && adoption.settle(now).code() == status::too_few);
    const auto question = adoption.request(5, now);
    CHECK(question && adoption.request(5, now).code() == status::nothing_due);
    const auto answer = netclock::respond_to_adoption(clock, question->data(), question->size(), now);
    CHECK(answer &&
        adoption.handle_reply(6, answer->data(), answer->size(), now) == status::unknown_participant);
    CHECK(adoption.handle_reply(5, answer->data(), answer->size(), now + 1ms) == status::ok);
    const auto reading = clock.read(now);
    CHECK(reading && reading->error_bound);
    CHECK(adoption.add_own_reading(reading->time, *reading->error_bound, now) == status::ok);
    CHECK(adoption.add_own_reading(reading->time + 1s, *reading->error_bound, now) == status::no_agreement);
    const auto adopted = adoption.settle(now);
    CHECK(adopted && adopted->timescale == fleet && adopted->answers == 2 && adopted->agreeing == 2);
    CHECK(adopted->dispersion > 10ms && adopted->dispersion < 40ms);
    CHECK(adopted->offset > 480s && adopted->offset < 520s);

    return 0;
}
