/* Tests netclock_order.hpp with stamps, verdicts, rewinding and beats. */
#include <type_traits>

#include "check.hpp"
#include "netclock/netclock_order.hpp"

namespace {

/* A time must not convert to a stamp, because a stamp also needs an error bound. */
static_assert(!std::is_convertible_v<server_time, netclock::order_stamp>);

void arbitration()
{
    /* With 20 ms of delay each way, the error bound is 20 ms. */
    auto client = *netclock::client::create({1, 2});
    CHECK(client.update_server_time(server_time{901s - 20ms}, local_time{1s}, 40ms) == status::ok);
    const auto reading = client.read(local_time{1s});
    CHECK(reading);
    const netclock::order_stamp shot{*reading};
    CHECK(shot.time == reading->time && shot.error_bound == reading->error_bound);

    using netclock::clocks;
    const auto far =
        netclock::arbitrate(shot, netclock::order_stamp{shot.time + 30ms}, clocks::independent, 1.0);
    CHECK(far && far->order == netclock::order::before && far->proven && far->probability >= 1.0);
    const netclock::order_stamp blind{shot.time, std::nullopt, std::nullopt};
    CHECK(netclock::arbitrate(blind, blind, clocks::independent, 0.5)->order == netclock::order::too_close);
    const netclock::order_stamp later{shot.time + ticks{1}, std::nullopt, std::nullopt};
    CHECK(netclock::arbitrate(later, blind, clocks::same, 1.0)->order == netclock::order::after);
    CHECK(netclock::arbitrate(shot, shot, clocks::same, 0.4).code() == status::out_of_range);
}

void rewinding()
{
    netclock::rewind_path known;
    known.round_trip = 50ms;
    known.jitter = 10ms;
    known.interpolation = 100ms;
    const server_time arrived{1000s};
    const auto honest = netclock::rewind(arrived - 27ms, arrived, known);
    CHECK(honest && honest->target == arrived - 127ms && honest->moved == ticks{0});
    CHECK(honest->limit == netclock::rewind_limit::none && honest->error_bound == 33ms);
    known.max_rewind = 120ms;
    const auto cheat = netclock::rewind(arrived - 55ms, arrived, known);
    CHECK(
        cheat && cheat->target == arrived - 120ms && cheat->moved == 35ms && cheat->acted == arrived - 55ms);
    CHECK(cheat->limit == netclock::rewind_limit::max_rewind);
    CHECK(netclock::rewind(arrived + 1ms, arrived, known)->limit == netclock::rewind_limit::arrival);
}

void beating()
{
    const netclock::beat beats{server_time{10s}, 60, 1};
    const auto under_way = beats.at(server_time{10s} + 25ms);
    CHECK(under_way && under_way->number == 1 && under_way->alpha > 0.49 && under_way->alpha < 0.51);
    CHECK(*beats.time_of(60) == server_time{11s});
    CHECK(netclock::beat(server_time{}, 0, 1).at(server_time{}).code() == status::bad_config);
    auto stepped = beats;
    const auto steps = stepped.advance(server_time{10s});
    CHECK(steps && steps->first == 0 && steps->count == 1 && steps->skipped == 0);
    CHECK(stepped.advance(server_time{10s} + 51ms)->count == 3);
}

} // namespace

int main()
{
    arbitration();
    rewinding();
    beating();
    return 0;
}
