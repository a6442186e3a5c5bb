/* A world's clock through netclock_world.hpp: what arrives is what was published, and every call gives
   something. */
#include "check.hpp"
#include "netclock/netclock_world.hpp"

using netclock::world_time;

namespace {

netclock::reading clock_at(server_time now)
{
    netclock::reading clock;
    clock.time = now;
    clock.error_bound = 1ms;
    clock.server_epoch = 9;
    clock.epoch = 1;
    clock.state = netclock::clock_state::synced;
    return clock;
}

} // namespace

int main()
{
    netclock::timeline empty;
    CHECK(!empty && empty.insert(netclock::world_segment{}) == status::null_argument);
    netclock::publisher_config refused;
    refused.max_per_second = 1;
    CHECK(netclock::publisher::create(9, 1, refused).code() == status::bad_config);
    netclock::timeline_config unusual;
    unusual.max_slew = 0.5;
    unusual.step_threshold = 1s;
    unusual.max_rate = 2.0;

    auto publisher = netclock::publisher::create(9, 1);
    auto timeline = netclock::timeline::create(unusual);
    CHECK(publisher && timeline && *publisher && *timeline);
    CHECK(publisher->newest().code() == status::no_world);
    const server_time start{100s};
    const world_time begin{5s};
    const auto first = publisher->observe(start, begin, 0.5);
    CHECK(first && first->rate == 0.5 && !first->paused && first->server_epoch == 9);
    CHECK(publisher->observe(start + 1s, begin + 500ms, 0.5).code() == status::nothing_due);
    CHECK(publisher->observe(start, begin, 0.5).code() == status::real_went_backwards);
    CHECK(publisher->observe(start + 2s, begin, 0.5).code() == status::world_went_backwards);
    CHECK(publisher->observe(start + 2s, begin + 1s, 0.0).code() == status::rate_out_of_range);
    const auto paused = publisher->observe_paused(start + 2s, begin + 1s);
    CHECK(paused && paused->paused && paused->through == start + 2s);

    const auto travelling = netclock::encode(*first);
    CHECK(travelling);
    const auto arrived = netclock::decode_segment(travelling->data(), travelling->size());
    CHECK(arrived && arrived->world == begin && arrived->real == start && arrived->since == first->since);
    CHECK(
        arrived->through == first->through && arrived->tolerance == first->tolerance && arrived->rate == 0.5);
    CHECK(timeline->insert(*arrived) == status::ok);
    CHECK(timeline->insert(*first) == status::already_known);
    CHECK(timeline->insert(*paused) == status::ok);
    CHECK(timeline->confirm(9, 1, 2, start + 3s) == status::ok);
    CHECK(timeline->confirm(8, 1, 2, start + 3s) == status::no_world);

    const auto shown = timeline->show(clock_at(start + 3s));
    CHECK(shown && shown->time == begin + 1s && shown->paused && shown->epoch == 1 && shown->version == 2);
    CHECK(shown->error_bound && shown->error_bound_if_unchanged && *shown->error_bound < 5ms);
    CHECK(shown->ahead == 0s && shown->jump == 0s && !shown->is_missing_news && shown->instance == 1);
    const auto late = timeline->show(clock_at(start));
    CHECK(late && late->time == shown->time && late->ahead == 1s && late->jump == 0s && late->epoch == 1);
    const auto then = timeline->world_at(9, start + 1s);
    CHECK(then && then->time == begin + 500ms && then->rate == 0.5);
    const auto during = timeline->real_at(9, begin + 1s);
    CHECK(during && during->first == start + 2s && during->last > start + 24h);
    CHECK(timeline->real_at(9, begin + 2s).code() == status::never);

    CHECK(publisher->begin_world() == status::ok);
    const auto other = publisher->observe(start + 4s, world_time{}, 1.0);
    CHECK(other && other->instance == 2 && timeline->insert(*other) == status::ok);
    CHECK(timeline->insert(*paused) == status::segment_outdated);

    CHECK(std::chrono::duration<double>(begin.time_since_epoch()).count() == 5.0);
    netclock::timeline moved = std::move(*timeline);
    CHECK(moved && timeline->get() == nullptr);
    return 0;
}
