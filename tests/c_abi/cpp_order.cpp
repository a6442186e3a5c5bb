/* What netclock_order.hpp promises: stamps of readings, verdicts, rewinding, and a lead that owns its
   handle. */
#include <type_traits>

#include "check.hpp"
#include "netclock/netclock_order.hpp"

namespace {

static_assert(
    !std::is_copy_constructible_v<netclock::lead> && std::is_nothrow_move_constructible_v<netclock::lead>);
static_assert(sizeof(netclock::lead) == sizeof(void *));
/* A time becomes a stamp only where somebody says so: it would have no error. */
static_assert(!std::is_convertible_v<server_time, netclock::order_stamp>);

void arbitration()
{
    /* 20 ms each way: the bound is 20 ms. */
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
    const auto near =
        netclock::arbitrate(shot, netclock::order_stamp{shot.time - 15ms}, clocks::independent, 1.0);
    CHECK(near && near->order == netclock::order::too_close && !near->proven && near->probability < 0.5);
    const netclock::order_stamp blind{shot.time, std::nullopt, std::nullopt};
    CHECK(netclock::arbitrate(blind, blind, clocks::independent, 0.5)->order == netclock::order::too_close);
    const netclock::order_stamp later{shot.time + ticks{1}, std::nullopt, std::nullopt};
    CHECK(netclock::arbitrate(later, blind, clocks::same, 1.0)->order == netclock::order::after);
    CHECK(netclock::arbitrate(shot, shot, clocks::same, 0.4).code() == status::out_of_range);
    CHECK(netclock::arbitrate(netclock::order_stamp{server_time{ticks::max()}}, shot, clocks::same, 0.9)
              .code() == status::stamp_out_of_range);
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
    known.max_rewind = 250ms;
    CHECK(netclock::rewind(arrived - 1s, arrived, known)->limit == netclock::rewind_limit::path);
    known.jitter = 61s;
    CHECK(netclock::rewind(arrived, arrived, known).code() == status::out_of_range);
}

void leading()
{
    netclock::lead_config settings;
    settings.quantile = 0.9;
    settings.send_interval = 50ms;
    auto lead = *netclock::lead::create(settings);
    CHECK(lead);
    const local_time now{1s};
    netclock::reading reading;
    reading.epoch = 1;
    reading.time = server_time{2s};
    CHECK(lead.handled_by(now).code() == status::no_messages && *lead.handled_by(now) == server_time{});
    CHECK(lead.note_sent(7, now, reading) == status::ok);
    CHECK(lead.note_arrived(7, server_time{2s} + 30ms) == status::ok);
    CHECK(lead.note_arrived(7, server_time{2s} + 30ms) == status::outdated);
    CHECK(lead.note_received(server_time{2s}, now + 20ms, reading) == status::ok);
    CHECK(*lead.handled_by(now) == server_time{2s} + 30ms && *lead.showable(now) == server_time{2s} - 70ms);
    CHECK(lead.note_received(server_time{2s}, local_time{1h}, reading) == status::out_of_range);
    reading.epoch = 0;
    CHECK(lead.note_received(server_time{2s}, now, reading) == status::outdated);

    netclock_lead *handle = lead.release();
    CHECK(!lead && lead.showable(now).code() == status::null_argument);
    CHECK(netclock::lead{handle}.showable(now));

    const auto refused = [](auto field, auto value) {
        netclock::lead_config config;
        config.*field = value;
        return netclock::lead::create(config).code() == status::bad_config;
    };
    using netclock::lead_config;
    CHECK(refused(&lead_config::quantile, 1.0) && refused(&lead_config::server_frame, 2s));
    CHECK(refused(&lead_config::client_frame, 2s) && refused(&lead_config::send_interval, 11s));
}

} // namespace

int main()
{
    arbitration();
    rewinding();
    leading();
    return 0;
}
