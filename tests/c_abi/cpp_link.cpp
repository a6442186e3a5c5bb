/* Tests netclock_link.hpp with both ends of a link. */

#include <thread>
#include <utility>

#include "check.hpp"
#include "netclock/netclock_link.hpp"

using netclock::link_state;

/* The game's messages carry the link's datagrams, with 20 ms of delay each way. The server's clock is 100 s
 * ahead. */
static void carried(const netclock::session_key &key)
{
    netclock::link_server_config there;
    netclock::link_client_config settings;
    there.carried = settings.carried = true;
    settings.steady_interval = 1s;
    settings.message_interval = 9s;
    auto served = netclock::link_server::create(0, 9, there);
    auto made = netclock::client::create({1, 2});
    CHECK(served && made);
    netclock::link_server server = std::move(*served);
    netclock::client client = std::move(*made);
    auto connected = netclock::link_client::create(client, nullptr, 0, key, settings);
    CHECK(connected && server.admit(key) == status::ok);
    netclock::link_client end = std::move(*connected);
    CHECK(end.due(netclock::local_time{}).code() == status::ok && server.report()->port == 0);
    netclock::local_time now{1s}, next{};
    while (now.time_since_epoch() < 5s) {
        const auto sent = end.due(now, &next);
        if (!sent) {
            CHECK(sent.code() == status::nothing_due && next > now);
            now = next;
            continue;
        }
        const netclock::server_time at{now.time_since_epoch() + 100s + 20ms};
        const auto answered = server.answer(sent->data(), sent->size(), at, at);
        now += 40ms;
        CHECK(answered && end.handle(answered->data(), answered->size(), now) == status::ok);
    }
    CHECK(end.report()->state == link_state::linked && end.report()->stamps == netclock::link_stamps::caller);
    const auto off = client.read(now)->time.time_since_epoch() - now.time_since_epoch() - 100s;
    CHECK(server.report()->requests >= 10 && off < 1ms && off > -1ms);
    CHECK(end.poll() == status::ok && server.poll() == status::ok);
}

int main()
{
    netclock::session_key key;
    key.id = 3;
    key.secret = {11, 12};

    netclock::link_server_config settings;
    carried(key);

    settings.capacity = 65537;
    CHECK(netclock::link_server::create(0, 9, settings).code() == status::bad_config);
    CHECK(netclock::link_server::create(0, 9, {}, "nowhere").code() == status::bad_address);
    settings.capacity = 1;
    settings.answers = 1000;
    settings.polled = true;
    settings.thread_stamps = true;
    settings.clock_offset = 100s;
    auto server = *netclock::link_server::create(0, 9, settings, "127.0.0.1");
    CHECK(server);
    CHECK(server && server.get() != nullptr && server.admit(key) == status::ok &&
        server.revoke(4) == status::unknown_key);
    const auto port = static_cast<std::uint16_t>(server.report()->port);
    CHECK(port != 0);

    auto client = *netclock::client::create({1, 2});
    CHECK(client);
    CHECK(netclock::link_client::create(client, "127.0.0.1", 0, key).code() == status::bad_config);
    auto end = *netclock::link_client::create(client, "127.0.0.1", port, key);
    CHECK(end);
    CHECK(end.due({}).code() == status::not_carried &&
        server.answer(nullptr, 0, {}, {}).code() == status::not_carried);
    while (end.report()->replies < 5) {
        CHECK(server.poll() == status::ok);
        std::this_thread::sleep_for(1ms);
    }
    const auto report = end.report();
    CHECK(report && report->state == link_state::linked && report->trouble == netclock::link_trouble::none);
    const auto there = server.report();
    CHECK(there && there->state == link_state::serving && there->stamps == netclock::link_stamps::thread);

    const auto now = netclock::monotonic_now();
    const auto reading = client.read(now);
    CHECK(reading && reading->time.time_since_epoch() > now.time_since_epoch() + 99s);
    return 0;
}
