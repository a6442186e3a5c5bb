/* The parts of netclock.hpp other than reading the clock: ownership, errors, settings and datagrams. */
#include <cstring>
#include <type_traits>
#include <utility>

#include "check.hpp"

namespace {

static_assert(
    !std::is_copy_constructible_v<netclock::client> && !std::is_copy_assignable_v<netclock::client>);
static_assert(
    !std::is_copy_constructible_v<netclock::server> && !std::is_copy_assignable_v<netclock::server>);
static_assert(std::is_nothrow_move_constructible_v<netclock::client>);
static_assert(std::is_nothrow_move_assignable_v<netclock::server>);
static_assert(sizeof(netclock::client) == sizeof(void *) && sizeof(netclock::server) == sizeof(void *));
/* Local times and server times cannot be mixed. */
static_assert(
    !std::is_convertible_v<local_time, server_time> && !std::is_constructible_v<server_time, local_time>);
static_assert(std::is_convertible_v<std::chrono::milliseconds, ticks>);
static_assert(ticks{1ms} == ticks{10000});

/* The server is exactly 900 s ahead. Messages take 20 ms each way. */
void sync(netclock::client &client)
{
    CHECK(client.update_server_time(server_time{901s - 20ms}, local_time{1s}, 40ms) == status::ok);
}

void moving()
{
    auto first = *netclock::client::create({1, 2});
    netclock_client *handle = first.get();
    CHECK(first && handle != nullptr);
    sync(first);

    netclock::client second{std::move(first)};
    CHECK(second.get() == handle && second.is_time_synced());
    CHECK(second.current_server_time(local_time{1s}).value_or(server_time{}) == server_time{901s});

    auto third = *netclock::client::create({3, 4});
    third = std::move(second);
    CHECK(third.get() == handle && third.is_time_synced());

    /* Ownership can be released and taken back. */
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

    /* Explicit destruction works. Destruction by C is detected, and the destructor then has no effect. */
    CHECK(fourth.destroy() == status::ok && !fourth);
    CHECK(fourth.destroy() == status::ok);
    CHECK(netclock_server_destroy(other.get()) == NETCLOCK_OK);
    CHECK(other.destroy() == status::unknown_handle && other.get() == served);
}

void settings()
{
    /* Every field reaches the library, because each value out of range is rejected. */
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

    config gap;
    gap.local_gap = 100ms;
    auto client = *netclock::client::create({1, 2}, gap);
    sync(client);
    CHECK(client.tick(local_time{2s}));
    CHECK(client.next_event()->kind == netclock::event_kind::synced);
    const auto event = client.next_event();
    CHECK(event && event->kind == netclock::event_kind::discontinuity);
    CHECK(event->discontinuity == netclock::discontinuity_cause::local_gap);
    CHECK(event->degradation == netclock::degradation_cause::none && event->epoch >= 1);
    const auto reading = client.read(local_time{2s});
    CHECK(reading && reading->state == netclock::clock_state::doubtful && !reading->error_bound);
}

void refusals()
{
    auto client = *netclock::client::create({1, 2});
    CHECK(client.current_server_time(local_time{}).code() == status::not_synced);
    CHECK(client.local_time_at(server_time{}).code() == status::not_synced);
    const auto unsynced = client.read(local_time{});
    CHECK(unsynced.code() == status::not_synced && unsynced->state == netclock::clock_state::unsynced);
    CHECK(!unsynced->error_bound && !unsynced->expected_error && !unsynced->round_trip);

    CHECK(client.tick(local_time{ticks::max()}).code() == status::time_out_of_range);
    CHECK(client.make_request(local_time{1s}));
    CHECK(client.make_request(local_time{500ms}).code() == status::time_went_backwards);
    CHECK(client.handle_reply({}, local_time{2s}) == status::unknown_request);
    CHECK(client.update_server_time(server_time{9s}, local_time{1s}, -1ms) == status::arrived_before_sent);

    /* The server is 1 s ahead. The request takes 10 ms, the server 15 ms, and the reply 30 ms. */
    CHECK(
        client.handle_exchange(
            {local_time{1s}, server_time{2010ms}, server_time{2025ms}, local_time{1055ms}}, 7) == status::ok);
    const auto reading = client.read(local_time{1055ms});
    CHECK(reading && reading->server_epoch == 7 && reading->round_trip == 40ms);
    CHECK(reading->error_bound >= 20ms && reading->error_bound <= 21ms);
    CHECK(client.handle_exchange({local_time{2s}, server_time{3s}, server_time{2999ms}, local_time{2s}}, 7) ==
          status::sent_before_received);

    CHECK(netclock::is_error(status::too_slow) && !netclock::is_error(status::not_synced));
    CHECK(!netclock::is_error(status::ok));
    CHECK(std::strcmp(netclock::text(status::ok), "the call succeeded") == 0);
    CHECK(std::strcmp(netclock::text(status::abi_mismatch), netclock::text(status{12345})) != 0);
}

void datagrams()
{
    const netclock::reply reply{0, 1, 2, server_time{3s}, server_time{4s}};
    const auto written = netclock::encode(reply);
    CHECK(written);
    const auto read = netclock::decode_reply(*written);
    CHECK(read && read->id == 1 && read->epoch == 2 && read->received == reply.received &&
        read->sent == reply.sent);
    CHECK(netclock::decode_request(*written).code() == status::wire_kind);
    CHECK(netclock::decode_reply(written->data(), 31).code() == status::wire_length);
    CHECK(netclock::decode_reply(netclock::datagram{}).code() == status::wire_magic);
    CHECK(netclock::decode_request(nullptr, 32).code() == status::null_argument);

    // A client with a different version.
    auto newer = netclock::encode(netclock::request{});
    CHECK(newer);
    (*newer)[2] = std::byte{2};
    CHECK(netclock::decode_request(*newer).code() == status::wire_newer);
    (*newer)[2] = std::byte{0};
    CHECK(netclock::decode_request(*newer).code() == status::wire_older);

    unsigned char buffer[NETCLOCK_DATAGRAM_SIZE];
    const netclock::request request{5, local_time{6s}, true};
    CHECK(netclock::encode(request, buffer, sizeof buffer) == status::ok);
    const auto asked = netclock::decode_request(buffer, sizeof buffer);
    CHECK(asked && asked->id == 5 && asked->client_time == request.client_time && !asked->reliable);
    CHECK(netclock::encode(request, buffer, sizeof buffer - 1) == status::wire_length);
    CHECK(netclock::encode(reply, buffer, sizeof buffer - 1) == status::wire_length);
    CHECK(std::strlen(netclock::last_error()) > 0);
    CHECK(netclock::encode(request, nullptr, sizeof buffer) == status::null_argument);
    CHECK(
        netclock::encode(netclock::reply{0, 1, 2, server_time{ticks::max()}, {}}).code() ==
        status::wire_stamp);
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
    refusals();
    datagrams();
    return 0;
}
