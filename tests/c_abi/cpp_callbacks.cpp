/* The log and the tap of netclock_saved.hpp: callables by reference, functions with user data, and the calls
   that they may make. */
#include <cstring>
#include <utility>

#include "netclock/netclock_saved.hpp"

#include "check.hpp"

using netclock::log_level;
using netclock::sample;

namespace {

struct counter {
    int calls = 0;
    log_level last = log_level::error;
    bool text = true;

    void operator()(log_level level, const char *message)
    {
        calls++;
        last = level;
        text = text && std::strlen(message) > 0;
    }
};

void logs()
{
    auto client = *netclock::client::create({1, 2});
    counter heard;
    CHECK(netclock::on_log(client, log_level::debug, heard) == status::ok);
    CHECK(client.update_server_time(server_time{9s}, local_time{1s}, -1ms) == status::arrived_before_sent);
    CHECK(heard.calls == 1 && heard.last == log_level::debug && heard.text);
    CHECK(client.update_server_time(server_time{9s}, local_time{1s}, 10ms) == status::ok);
    CHECK(heard.calls == 2 && heard.last == log_level::info);

    /* The client may move, but the callable must stay in place. */
    auto moved = std::move(client);
    CHECK(moved.update_server_time(server_time{9s}, local_time{2s}, -1ms) == status::arrived_before_sent);
    CHECK(heard.calls == 3);

    /* With a lower level, fewer messages arrive. Without a callback, none do. */
    CHECK(netclock::on_log(moved, log_level::info, heard) == status::ok);
    CHECK(moved.update_server_time(server_time{9s}, local_time{2s}, -1ms) == status::arrived_before_sent);
    CHECK(heard.calls == 3);
    CHECK(netclock::on_log(moved, nullptr) == status::ok);
    CHECK(moved.tick(local_time{60s}));
    CHECK(heard.calls == 3);

    int called = 0;
    const auto plain = [](void *user_data, std::int32_t, const char *) { ++*static_cast<int *>(user_data); };
    CHECK(netclock::on_log(moved, log_level::debug, plain, &called) == status::ok);
    CHECK(moved.handle_reply({}, local_time{60s}) == status::unknown_request);
    CHECK(called == 1);
}

void taps()
{
    auto client = *netclock::client::create({1, 2});
    const auto server = *netclock::server::create(5);
    int calls = 0;
    sample last;
    const auto tap = [&](const sample &taken) {
        calls++;
        last = taken;
        /* Calls on the same client are allowed, but it cannot be destroyed. */
        CHECK(client.is_time_synced() && client.read(taken.client_received));
        CHECK(client.destroy() == status::busy && client);
    };
    CHECK(netclock::on_sample(client, tap) == status::ok);

    const auto request = client.tick(local_time{1s});
    CHECK(request);
    const auto reply = server.respond(*request, server_time{5s}, server_time{6s});
    CHECK(reply);
    CHECK(client.handle_reply(*reply, local_time{2100ms}) == status::ok);
    CHECK(calls == 1 && last.outcome == status::ok && last.id == request->id && last.epoch == 5);
    CHECK(last.client_sent == local_time{1s} && last.client_received == local_time{2100ms});
    CHECK(last.server_received == server_time{5s} && last.server_sent == server_time{6s});

    CHECK(client.handle_reply(*reply, local_time{2200ms}) == status::unknown_request);
    CHECK(calls == 2 && last.outcome == status::unknown_request && !last.client_sent);

    CHECK(netclock::on_sample(client, nullptr) == status::ok);
    CHECK(client.handle_reply(*reply, local_time{2300ms}) == status::unknown_request);
    CHECK(calls == 2);

    int counted = 0;
    const auto plain = [](void *user_data, const netclock_sample *) { ++*static_cast<int *>(user_data); };
    CHECK(netclock::on_sample(client, plain, &counted) == status::ok);
    CHECK(client.handle_reply(*reply, local_time{2400ms}) == status::unknown_request);
    CHECK(counted == 1);
}

} // namespace

int main()
{
    logs();
    taps();
    return 0;
}
