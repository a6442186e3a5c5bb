/* Calls every function in netclock.hpp and netclock_saved.hpp. */
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "netclock/netclock_saved.hpp"

namespace {

static_assert(
    !std::is_copy_constructible_v<netclock::client> && !std::is_copy_assignable_v<netclock::client>);
static_assert(
    !std::is_copy_constructible_v<netclock::server> && !std::is_copy_assignable_v<netclock::server>);
static_assert(std::is_nothrow_move_constructible_v<netclock::client>);
static_assert(std::is_nothrow_move_assignable_v<netclock::server>);
static_assert(sizeof(netclock::client) == sizeof(void *) && sizeof(netclock::server) == sizeof(void *));
/* Local times and server times must not convert to each other. */
static_assert(
    !std::is_convertible_v<local_time, server_time> && !std::is_constructible_v<server_time, local_time>);
static_assert(std::is_convertible_v<std::chrono::milliseconds, ticks>);
static_assert(ticks{1ms} == ticks{10000});

/* The server's clock is three hours ahead and runs 80 ppm fast. */
server_time server_clock_at(local_time now)
{
    const ticks since = now.time_since_epoch();
    return server_time{3h + since + ticks{since.count() / 12500}};
}

/* Makes an exchange and returns the time at which its reply arrives. Each message takes 25 ms, and the server
 * takes 3 ms to reply. */
local_time exchange(netclock::client &client, const netclock::server &server, local_time now)
{
    const auto made = client.make_request(now);
    CHECK(made);
    const auto question = netclock::encode(*made);
    CHECK(question);
    const auto asked = netclock::decode_request(question->data(), question->size());
    CHECK(asked && asked->id == made->id && asked->client_time == made->client_time && !asked->reliable);
    const auto answered = server.respond(*asked, server_clock_at(now + 25ms), server_clock_at(now + 28ms));
    CHECK(answered && answered->epoch == 77);
    const auto answer = netclock::encode(*answered);
    CHECK(answer);
    const auto reply = netclock::decode_reply(answer->data(), answer->size());
    CHECK(reply && client.handle_reply(*reply, now + 53ms) == status::ok);
    CHECK(client.handle_reply(*reply, now + 53ms) == status::unknown_request);
    return now + 53ms;
}

local_time session(netclock::client &client, const netclock::server &server, local_time now, int exchanges)
{
    for (int turn = 0; turn < exchanges; ++turn) {
        now = exchange(client, server, now + 1s);
        const auto reading = client.read(now);
        CHECK(reading && reading->error_bound && reading->server_epoch == 77 && reading->epoch == 1);
        CHECK(std::chrono::abs(reading->time - server_clock_at(now)) <= *reading->error_bound);
    }
    return now;
}

void moving()
{
    auto first = *netclock::client::create({1, 2});
    netclock_client *handle = first.get();
    CHECK(first && handle != nullptr);
    CHECK(first.update_server_time(server_time{901s - 20ms}, local_time{1s}, 40ms) == status::ok);
    netclock::client second{std::move(first)};
    CHECK(second.get() == handle && second.is_time_synced());
    CHECK(second.current_server_time(local_time{1s}).value_or(server_time{}) == server_time{901s});
    auto third = *netclock::client::create({3, 4});
    third = std::move(second);
    CHECK(third.get() == handle && third.is_time_synced());

    /* Releasing the handle and wrapping it again must not destroy it. */
    CHECK(third.release() == handle && !third);
    netclock::client fourth{handle};
    CHECK(fourth.is_time_synced());
    auto one = *netclock::server::create(1);
    netclock_server *served = one.get();
    netclock::server other;
    CHECK(one && !other);
    std::swap(one, other);
    CHECK(!one && other.release() == served);
    other = netclock::server{served};
    CHECK(other.respond({}, server_time{1s}, server_time{1s})->epoch == 1);

    /* If C code has already destroyed the handle, the C++ destructor does nothing. */
    CHECK(fourth.destroy() == status::ok && !fourth);
    CHECK(fourth.destroy() == status::ok);
    CHECK(netclock_server_destroy(other.get()) == NETCLOCK_OK);
    CHECK(other.destroy() == status::unknown_handle && other.get() == served);
}

void settings()
{
    /* The library would not reject the invalid value if the field were outside the stated size. */
    const auto refused = [](auto field, auto value) {
        netclock::config config;
        config.*field = value;
        const auto client = netclock::client::create({1, 2}, config);
        return client.code() == status::bad_config && !*client;
    };
    using netclock::config;
    CHECK(refused(&config::burst_count, 65U));
    CHECK(refused(&config::client_drift_ppm, 1e6) && refused(&config::server_drift_ppm, 1e6));
    CHECK(refused(&config::max_slew, 0.9));
    CHECK(refused(&config::step_threshold, 2h) && refused(&config::max_round_trip, 61s));
    CHECK(refused(&config::burst_interval, 2s) && refused(&config::steady_interval, 11min));
    CHECK(refused(&config::local_gap, 25h) && refused(&config::holdover_after, 25h));
    CHECK(refused(&config::target_bound, 2h));
    CHECK(refused(&config::client_resolution, 101ms) && refused(&config::server_resolution, 101ms));
    CHECK(refused(&config::target_error, 2s));
    CHECK(refused(&config::client_rate, netclock::rate_hint{1e6, 1.0}));
    CHECK(refused(&config::server_rate, netclock::rate_hint{0.0, -1.0}));
    CHECK(refused(&config::client_frame, 2s) && refused(&config::server_frame, 2s));
}

void outcomes()
{
    auto client = *netclock::client::create({1, 2});
    CHECK(client.current_server_time(local_time{}).code() == status::not_synced);
    const auto unsynced = client.read(local_time{});
    CHECK(unsynced.code() == status::not_synced && unsynced->state == netclock::clock_state::unsynced);
    CHECK(!unsynced->error_bound && !unsynced->expected_error && !unsynced->round_trip);

    CHECK(client.tick(local_time{ticks::max()}).code() == status::time_out_of_range);
    CHECK(client.update_server_time(server_time{9s}, local_time{1s}, -1ms) == status::arrived_before_sent);
    CHECK(std::strlen(netclock::last_error()) > 0);
    /* The server's clock is 1 s ahead. The request takes 10 ms, the server 15 ms, and the reply 30 ms. */
    CHECK(
        client.handle_exchange(
            {local_time{1s}, server_time{2010ms}, server_time{2025ms}, local_time{1055ms}}, 7) == status::ok);
    const auto reading = client.read(local_time{1055ms});
    CHECK(reading && reading->server_epoch == 7 && reading->round_trip == 40ms);
    CHECK(reading->error_bound >= 20ms && reading->error_bound <= 21ms);

    CHECK(netclock::is_error(status::too_slow) && !netclock::is_error(status::not_synced));
    CHECK(!netclock::is_error(status::ok));
    CHECK(std::strcmp(netclock::text(status::ok), "the call succeeded") == 0);
}

void datagrams()
{
    const netclock::reply reply{0, 1, 2, server_time{3s}, server_time{4s}};
    const auto bytes = netclock::encode(reply);
    CHECK(bytes);
    const auto read = netclock::decode_reply(bytes->data(), bytes->size());
    CHECK(read && read->id == 1 && read->epoch == 2 && read->received == reply.received &&
        read->sent == reply.sent);
    CHECK(netclock::decode_request(bytes->data(), bytes->size()).code() == status::wire_kind);
    CHECK(netclock::decode_reply(bytes->data(), bytes->size() - 1).code() == status::wire_length);
    const netclock::datagram zeros{};
    CHECK(netclock::decode_reply(zeros.data(), zeros.size()).code() == status::wire_magic);
}

void callbacks()
{
    struct taps {
        netclock::client client = *netclock::client::create({1, 2});
        std::vector<netclock_sample> taken{};
    } tapped;
    const auto server = *netclock::server::create(5);
    const auto tap = [](void *user_data, const netclock_sample *sample) {
        auto &to = *static_cast<taps *>(user_data);
        to.taken.push_back(*sample);
        /* A callback may call its client but must not destroy it. */
        CHECK(to.client.is_time_synced() && to.client.read(local_time{ticks{sample->client_received}}));
        CHECK(to.client.destroy() == status::busy && to.client);
    };
    CHECK(netclock::on_sample(tapped.client, tap, &tapped) == status::ok);
    const auto request = tapped.client.tick(local_time{1s});
    CHECK(request && request->reliable && tapped.client.tick(local_time{1s}).code() == status::nothing_due);
    const auto reply = server.respond(*request, server_time{5s}, server_time{6s});
    CHECK(reply && tapped.client.handle_reply(*reply, local_time{2100ms}) == status::ok);
    CHECK(tapped.taken.size() == 1);
    const auto taken = netclock::detail::from_c(tapped.taken[0]);
    CHECK(taken.outcome == status::ok && taken.id == request->id && taken.epoch == 5);
    CHECK(taken.client_sent == local_time{1s} && taken.client_received == local_time{2100ms});
    CHECK(taken.server_received == server_time{5s} && taken.server_sent == server_time{6s});
    CHECK(tapped.client.handle_reply(*reply, local_time{2200ms}) == status::unknown_request);
    CHECK(tapped.taken.size() == 2);
    const auto refused = netclock::detail::from_c(tapped.taken[1]);
    CHECK(refused.outcome == status::unknown_request && !refused.client_sent);
    CHECK(netclock::on_sample(tapped.client, nullptr, nullptr) == status::ok);
    CHECK(tapped.client.handle_reply(*reply, local_time{2300ms}) == status::unknown_request);
    CHECK(tapped.taken.size() == 2);
}

/* The second session starts with the first session's saved state, and the third session with a rate hint. */
void sessions()
{
    const auto server = *netclock::server::create(77);
    auto client = *netclock::client::create({1, 2});
    const local_time now = session(client, server, local_time{10s}, 120);
    const auto reading = client.read(now);
    CHECK(reading && reading->state == netclock::clock_state::synced);
    CHECK(reading->round_trip > 49ms && reading->round_trip < 51ms);
    CHECK(std::fabs(reading->frequency_ppm - 80.0) < 5.0);
    CHECK(reading->expected_error && *reading->expected_error < *reading->error_bound);
    const auto shown = client.current_server_time(now);
    CHECK(shown && *shown == reading->time);
    const auto back = client.local_time_at(*shown);
    CHECK(back && std::chrono::abs(*back - now) <= ticks{1});
    const auto event = client.next_event();
    CHECK(event && event->kind == netclock::event_kind::synced);
    CHECK(client.next_event().code() == status::no_event);

    const auto kept = netclock::save(client, 1'800'000'000);
    CHECK(kept);
    netclock::config settings;
    settings.saved_machine = kept->machine;
    settings.saved_server = kept->server;
    settings.saved_seconds = 1'800'003'600;
    settings.boot = netclock::boot_id();
    auto warm = *netclock::client::create({3, 4}, settings);
    auto used = netclock::used_saved(warm);
    CHECK(used && used->machine && used->server);
    CHECK(netclock::save(warm, 0).code() == status::not_synced);
    CHECK(netclock::set_server_boot(warm, 9) == status::ok);
    /* The library ignores a damaged state. */
    settings.saved_server[5] ^= std::byte{1};
    used = netclock::used_saved(*netclock::client::create({3, 4}, settings));
    CHECK(used && used->machine && !used->server);
    /* The two hints state that the server's clock is 30 ppm slow. This affects even the first readings.
     * */
    netclock::config hinted;
    hinted.client_rate = {12.0, 0.5};
    hinted.server_rate = {-18.0, 0.5};
    auto guided = *netclock::client::create({5, 6}, hinted);
    const auto first = guided.read(exchange(guided, server, now));
    CHECK(first && std::fabs(first->frequency_ppm + 30.0) < 10.0);
    const auto own = netclock::known_rate();
    CHECK(own.doubt_ppm >= 0.0 && std::fabs(own.ppm) < 1000.0);

    /* The local clock does not count while the machine sleeps. */
    CHECK(client.may_have_missed_time(now, ticks{-1}) == status::out_of_range);
    CHECK(client.may_have_missed_time(now) == status::ok);
    const auto doubted = client.read(now);
    CHECK(doubted && doubted->state == netclock::clock_state::doubtful && !doubted->error_bound);
    const auto gap = client.next_event();
    CHECK(gap && gap->kind == netclock::event_kind::discontinuity && gap->epoch >= 1);
    CHECK(gap->discontinuity == netclock::discontinuity_cause::local_gap);
    CHECK(gap->degradation == netclock::degradation_cause::none);
    CHECK(client.tick(now));
}

} // namespace

int main()
{
    CHECK(netclock::abi_version() == NETCLOCK_ABI_VERSION);
    const local_time before = netclock::local_clock::now();
    CHECK(before > local_time{} && netclock::server_clock::now_on_server().time_since_epoch() >=
                                       before.time_since_epoch());
    moving();
    settings();
    outcomes();
    datagrams();
    callbacks();
    sessions();
    return 0;
}
