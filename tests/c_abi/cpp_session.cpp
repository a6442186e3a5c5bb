/* Runs a session with the C++ API. Checks that all kinds of messages arrive, and that bad input has no
 * effect. */
#include "check.hpp"

#include <netclock/netclock_session.hpp>

using namespace netclock;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t player = 7;

/* Datagrams arrive immediately. */
struct game {
    host server;
    guest client;
    local_time now{};
    ticks world{};

    server_time there() const { return server_time{now.time_since_epoch() + ticks{3s}}; }

    void frame()
    {
        now += ticks{16ms};
        world += ticks{16ms};
        CHECK(server.observe(0, there(), world_time{world}, 1.0) == status::ok);
        while (auto due = client.next(now)) {
            CHECK(server.receive(player, due->bytes.data(), due->size, there()) == status::ok);
        }
        while (auto due = server.next(there())) {
            CHECK(due->player == player);
            CHECK(client.receive(due->bytes.data(), due->size, now) == status::ok);
        }
    }
};

} // namespace

int main()
{
    auto made = host::create(42, {1, 2});
    auto joined = guest::create({3, 4});
    CHECK(made && joined);
    game all{std::move(*made), std::move(*joined)};
    const session_key key{{6, 7}, 5};
    CHECK(all.server.admit(player, key) == status::ok);
    CHECK(all.server.admit(player) == status::duplicate);
    CHECK(all.client.connect(key, all.now) == status::ok);
    CHECK(all.client.world(0).code() == status::not_synced);
    CHECK(all.client.world(4).code() == status::unknown_world);
    CHECK(all.server.observe_utc(all.there(), utc_time{ticks{1700000000s}}, ticks{1s}) == status::ok);
    CHECK(all.server.state_authority({42, 77, ticks{3ms}}) == status::ok);
    CHECK(all.server.offer_link(player, 7778, {{10, 11}, 9}) == status::ok);

    bool fired = false;
    bool scheduled = false;
    for (int frame = 0; frame < 600 && !fired; frame++) {
        all.frame();
        static_cast<void>(all.client.view(all.now));
        static_cast<void>(all.server.round_trip(player, all.there()));
        scheduled = scheduled || all.server.propose_start(all.there(), {}, 0.99).code() == status::ok;
        fired = all.client.start()->fires;
    }
    CHECK(scheduled && fired);
    all.frame();
    const auto shown = all.client.view(all.now);
    CHECK(shown && shown->time == all.there());
    const auto world = all.client.world(0);
    CHECK(world && world->time == world_time{all.world});
    CHECK(all.client.world(1).code() == status::no_world);
    CHECK(all.client.world_at(0, all.there() - ticks{160ms})->time == world_time{all.world - ticks{160ms}});
    CHECK(all.client.real_at(0, world_time{all.world})->first == all.there());
    CHECK(all.client.utc()->error_bound >= ticks{1s});
    const auto offer = all.client.link_offer();
    CHECK(offer && offer->port == 7778 && offer->key.id == 9 && offer->key.secret.low == 11);
    const auto known = all.client.report();
    CHECK(known && known->handled_by && *known->handled_by >= all.there() - ticks{1ms});
    CHECK(known->showable && known->speed_scale == 1.0 && !known->is_hiding && known->host_epoch == 42);
    CHECK(all.client.next_latency_change().code() == status::no_change);
    CHECK(all.server.start_result()->fired == 1);
    const auto seen = all.server.player(player, all.there());
    CHECK(seen && seen->is_up_to_date && seen->counted && seen->acknowledged);
    CHECK(seen->reason == hold_up::none && seen->level == rate_level::unknown && !seen->is_mean_known);
    CHECK(*all.server.round_trip(player, all.there()) <= ticks{32ms});
    CHECK(all.server.prepare_start() == status::ok);
    const auto blob = all.server.blob();
    CHECK(blob && all.client.segment(0) && all.client.segment(1).code() == status::no_world);
    auto replay = guest::create({5, 6});
    CHECK(replay && replay->world_at(0, all.there()).code() == status::not_synced);
    CHECK(replay->read_blob(blob->bytes.data(), blob->size) == status::ok);
    CHECK(replay->world_at(0, all.there())->time == world_time{all.world});
    CHECK(replay->take_part(false) == status::ok);
    CHECK(all.server.excuse(player, all.there(), all.there()) == status::ok);
    {
        const auto clock = all.client.clock();
        CHECK(clock.read(all.now)->time == all.there());
        CHECK(clock.is_time_synced());
        CHECK(authority_of(clock, all.now)->timescale == 77);
    }

    CHECK(all.server.silent(all.there() + ticks{60s}, ticks{30s}).code() == status::ok);
    CHECK(all.server.dismiss(player) == status::ok);
    CHECK(all.server.silent(all.there() + ticks{60s}, ticks{30s}).code() == status::nothing_due);
    CHECK(all.client.follow() == status::ok && all.client.view(all.now)->error_bound);
    CHECK(all.client.connect(all.now) == status::ok);
    const auto again = all.client.view(all.now);
    CHECK(again && again->state == clock_state::doubtful && !again->error_bound);
    return 0;
}
