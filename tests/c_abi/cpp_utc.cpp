/* The server's UTC through netclock_utc.hpp: asked for, shown with its bound, stepped, and not known. */
#include "check.hpp"
#include "netclock/netclock_utc.hpp"

using netclock::utc_time;

int main()
{
    netclock::server_utc empty;
    CHECK(!empty && empty.server_time_at(9, {}).code() == status::null_argument);
    CHECK(netclock::server_utc::create({0, 0}).code() == status::bad_config);
    netclock::utc_publisher_config settings;
    settings.tolerance = 1us;
    CHECK(netclock::utc_publisher::create(9, settings).code() == status::bad_config);
    settings.tolerance = 5ms;
    settings.refresh = 10s;
    settings.drift_ppm = 100;

    const auto before = netclock::local_clock::now();
    const auto sample = netclock::utc_now();
    CHECK(sample && sample->local >= before && sample->uncertainty > ticks{0});
    CHECK(sample->on_server().time_since_epoch() == sample->local.time_since_epoch());
    const auto apart = std::chrono::system_clock::now() - sample->utc;
    CHECK(apart < 1h && apart > -1h);

    auto publisher = netclock::utc_publisher::create(9, settings);
    auto view = netclock::server_utc::create({1, 2});
    CHECK(publisher && view && *publisher && *view);
    netclock::reading clock;
    clock.time = server_time{60s};
    clock.error_bound = 10ms;
    clock.server_epoch = 9;
    clock.state = netclock::clock_state::synced;
    CHECK(view->read(clock).code() == status::no_utc &&
        view->server_time_at(9, sample->utc).code() == status::no_utc);
    CHECK(publisher->newest().code() == status::no_utc);

    const utc_time zero = sample->utc;
    const auto claim = publisher->observe(server_time{60s}, zero + 60s, 2ms);
    CHECK(claim && claim->zero == zero && claim->bound == 7ms && claim->drift_ppm == 100 &&
        claim->version == 1);
    CHECK(publisher->observe(server_time{61s}, zero + 61s, 2ms).code() == status::nothing_due);
    CHECK(publisher->observe(server_time{62s}, zero + 62s, -1ms).code() == status::out_of_range);
    CHECK(publisher->observe(server_time{62s}, utc_time{-1s}, 1ms).code() == status::utc_out_of_range);

    const auto request = view->request(local_time{1s}, 9);
    CHECK(request && view->request(local_time{1s}, 9).code() == status::nothing_due);
    const auto reply = publisher->respond(request->data(), request->size());
    CHECK(reply && reply->size() == request->size());
    const auto adopted = view->handle_reply(reply->data(), reply->size(), local_time{1s});
    CHECK(adopted && *adopted == 0ms);
    CHECK(view->handle_reply(reply->data(), reply->size(), local_time{1s}).code() == status::unknown_request);
    CHECK(view->insert(*publisher->newest()).code() == status::same_utc);
    const auto shown = view->read(clock);
    CHECK(shown && shown->utc == zero + 60s && shown->error_bound == 17ms + 1us && shown->version == 1);
    const auto at = view->server_time_at(9, zero + 1h);
    CHECK(at && *at == server_time{1h});

    const auto stepped = publisher->observe(server_time{70s}, zero + 68s, std::nullopt);
    CHECK(stepped && !stepped->bound && stepped->version == 2);
    const auto jump = view->insert(*stepped);
    CHECK(jump && *jump == -2s && !view->read(clock)->error_bound);
    const auto zero_at = view->server_time_at(9, stepped->zero);
    CHECK(zero_at && *zero_at == server_time{});
    CHECK(view->insert(*claim).code() == status::utc_outdated);
    netclock::utc_claim forged = *stepped;
    forged.version = 500;
    CHECK(view->insert(forged).code() == status::utc_leap);
    forged.version = 2;
    forged.zero += 1s;
    CHECK(view->insert(forged).code() == status::utc_conflict);
    clock.state = netclock::clock_state::unsynced;
    CHECK(view->read(clock).code() == status::not_synced);
    return 0;
}
