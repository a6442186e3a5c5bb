/*
 * A complete session through netclock.hpp, with datagrams over a simulated network. The server is three hours
 * ahead and 80 ppm fast. The reading in every frame is compared with the true time.
 */
#include <cmath>
#include <deque>

#include "check.hpp"
#include "netclock/netclock_saved.hpp"

namespace {

struct letter {
    local_time arrives;
    netclock::datagram content;
};

server_time server_clock_at(local_time now)
{
    const ticks since = now.time_since_epoch();
    const auto gained = static_cast<std::int64_t>(std::floor(static_cast<double>(since.count()) * 80e-6));
    return server_time{3h + since + ticks{gained}};
}

/* The answer, as a datagram, of a server that is one delay away and takes 3 ms to answer. */
letter answer(
    const netclock::server& server, const netclock::datagram& question, local_time sent, delays& link)
{
    const local_time received = sent + link.next();
    const local_time answered = received + 3ms;
    const auto request = netclock::decode_request(question);
    CHECK(request);
    const auto reply = server.respond(*request, server_clock_at(received), server_clock_at(answered));
    CHECK(reply);
    CHECK(reply->epoch == 77);
    const auto content = netclock::encode(*reply);
    CHECK(content);
    return {answered + link.next(), *content};
}

void deliver(netclock::client &client, std::deque<letter> &letters, local_time now)
{
    for (auto due = letters.begin(); due != letters.end();) {
        if (due->arrives > now) {
            ++due;
            continue;
        }
        const auto reply = netclock::decode_reply(due->content);
        CHECK(reply);
        CHECK(client.handle_reply(*reply, due->arrives) == status::ok);
        /* A duplicate of the reply is rejected. */
        CHECK(client.handle_reply(*reply, due->arrives) == status::unknown_request);
        due = letters.erase(due);
    }
}

} // namespace

/* Another session with the same server, which uses the states that the first session saved. */
void warm(netclock::client &before, const netclock::server &server, local_time now)
{
    const auto kept = netclock::save(before, 1'800'000'000);
    CHECK(kept);
    netclock::config settings;
    settings.saved_machine = kept->machine;
    settings.saved_server = kept->server;
    settings.saved_seconds = 1'800'003'600;
    settings.boot = netclock::boot_id();
    auto client = *netclock::client::create({3, 4}, settings);
    auto used = netclock::used_saved(client);
    CHECK(used && used->machine && used->server);
    CHECK(netclock::save(client, 0).code() == status::not_synced);
    CHECK(netclock::set_server_boot(client, 9) == status::ok);

    /* A damaged state is not used. */
    settings.saved_server[5] ^= std::byte{1};
    used = netclock::used_saved(*netclock::client::create({3, 4}, settings));
    CHECK(used && used->machine && !used->server);

    /* The first readings follow a hint. In this case, it says that the server is 30 ppm slower. */
    netclock::config hinted;
    hinted.client_rate = {12.0, 0.5};
    hinted.server_rate = {-18.0, 0.5};
    auto guided = *netclock::client::create({5, 6}, hinted);
    delays link;
    std::deque<letter> letters;
    const auto request = guided.tick(now);
    CHECK(request);
    const auto question = netclock::encode(*request);
    CHECK(question);
    letters.push_back(answer(server, *question, now, link));
    const local_time arrives = letters.front().arrives;
    deliver(guided, letters, arrives);
    const auto first = guided.read(arrives);
    CHECK(first && std::fabs(first->frequency_ppm + 30.0) < 10.0);

    const auto own = netclock::known_rate();
    CHECK(own.doubt_ppm >= 0.0 && std::fabs(own.ppm) < 1000.0);
}

int main()
{
    auto client = *netclock::client::create({1, 2});
    const auto server = *netclock::server::create(77);
    CHECK(client && server && !client.is_time_synced());

    delays link;
    std::deque<letter> letters;
    server_time last{};
    ticks worst{}, origin{};
    int requests = 0;
    local_time now{};
    for (; now < local_time{120s}; now += 16ms) {
        deliver(client, letters, now);
        const auto request = client.tick(now);
        CHECK(request || request.code() == status::nothing_due);
        if (request) {
            /* The client drew one random origin for all its request times. */
            origin = requests == 0 ? request->client_time - now : origin;
            CHECK(request->client_time - now == origin && origin != ticks{0});
            CHECK(request->reliable == !client.is_time_synced());
            const auto question = netclock::encode(*request);
            CHECK(question);
            letters.push_back(answer(server, *question, now, link));
            requests++;
        }

        const auto reading = client.read(now);
        if (!reading) {
            CHECK(reading.code() == status::not_synced && now < local_time{1s});
            continue;
        }
        const ticks error = reading->time - server_clock_at(now);
        CHECK(reading->error_bound && std::chrono::abs(error) <= *reading->error_bound);
        CHECK(reading->time > last);
        CHECK(reading->server_epoch == 77 && reading->epoch == 1 &&
            reading->state != netclock::clock_state::unsynced);
        last = reading->time;
        if (now > local_time{10s} && std::chrono::abs(error) > worst) {
            worst = std::chrono::abs(error);
        }
    }
    CHECK(worst < 2ms);

    const auto reading = client.read(now);
    CHECK(reading && reading->state == netclock::clock_state::synced);
    CHECK(std::fabs(reading->frequency_ppm - 80.0) < 5.0);
    CHECK(reading->round_trip >= 50ms && reading->round_trip < 66ms);
    CHECK(reading->expected_error && *reading->expected_error < *reading->error_bound);

    const auto shown = client.current_server_time(now);
    CHECK(shown && *shown == reading->time);
    const auto back = client.local_time_at(*shown);
    CHECK(back && std::chrono::abs(*back - now) <= ticks{1});

    const auto event = client.next_event();
    CHECK(event && event->kind == netclock::event_kind::synced);
    CHECK(client.next_event().code() == status::no_event);

    warm(client, server, now);

    /* The machine slept, and the local clock stopped meanwhile. */
    CHECK(client.may_have_missed_time(now, ticks{-1}) == status::out_of_range);
    CHECK(client.may_have_missed_time(now) == status::ok);
    const auto doubted = client.read(now);
    CHECK(doubted && doubted->state == netclock::clock_state::doubtful && !doubted->error_bound);
    CHECK(client.next_event()->discontinuity == netclock::discontinuity_cause::local_gap);
    CHECK(client.tick(now));

    std::printf("synced with %d requests; worst error after 10 s: %.3f ms; %.1f ppm\n", requests,
                static_cast<double>(worst.count()) / 1e4, reading->frequency_ppm);
    return 0;
}
