/* A start, a late joiner and a simulation through netclock_start.hpp. */
#include "netclock/netclock_start.hpp"

#include "check.hpp"

namespace {

server_time server_clock_at(local_time now) { return server_time{1h + now.time_since_epoch()}; }

netclock::client synchronised(local_time now)
{
    auto client = *netclock::client::create({1, 2});
    for (local_time at = now - 1s; at < now; at += 20ms) {
        const server_time there = server_clock_at(at + 10ms);
        CHECK(client.handle_exchange({at, there, there, at + 20ms}, 77) == status::ok);
    }
    return client;
}

/* A frame of one client; how often it fired. */
int frame(netclock::organiser& organiser, std::uint64_t id, netclock::participant& player,
    const netclock::client& clock, local_time now)
{
    const auto progress = player.tick(clock, now);
    CHECK(progress);
    while (const auto message = player.next_message()) {
        CHECK(organiser.receive(id, message->data(), message->size(), server_clock_at(now)) == status::ok);
    }
    return progress->fires ? 1 : 0;
}

void simulate(server_time start)
{
    netclock::beat beat{start, 60, 1, 4, 30};
    std::int64_t next = 0;
    for (server_time now = start; now < start + 10s; now += 10ms) {
        const auto steps = beat.advance(now);
        CHECK(steps && steps->first == next && steps->skipped == 0);
        next += steps->count;
    }
    CHECK(next == 600);
    /* After a hitch of two seconds thirty are left, and the rest is declared. */
    const auto steps = beat.advance(start + 12s);
    CHECK(steps && steps->skipped == 91 && steps->count == 4 && steps->behind == 26 && steps->first == 691);
    CHECK(*beat.time_of(60) == start + 1s);
    const auto position = beat.at(start + 1008ms);
    CHECK(position && position->number == 60 && position->alpha > 0.47 && position->alpha < 0.49);
    /* Who joins late begins with the beat under way, unless it asks to catch up. */
    const auto joins = netclock::beat(start, 60, 1).advance(start + 72h);
    CHECK(joins && joins->first == 15'552'000 && joins->count == 1 && joins->behind == 0);
    const auto catches_up = netclock::beat(start, 60, 1, 5, 0, true).advance(start + 72h);
    CHECK(catches_up && catches_up->first == 0 && catches_up->behind == 15'551'996);
    CHECK(netclock::beat(start, 241, 1).at(start).code() == status::bad_config);
}

} // namespace

int main()
{
    local_time now{5s};
    const auto clock = synchronised(now);
    netclock::organiser_config settings;
    settings.max_expected_error = 10ms;
    auto organiser = *netclock::organiser::create(77, settings);
    auto first = *netclock::participant::create(1);
    auto late = *netclock::participant::create(2);
    CHECK(organiser && first && late && !netclock::organiser{});
    CHECK(organiser.admit(1) == status::ok && organiser.admit(1) == status::duplicate);
    CHECK(organiser.start_result().code() == status::no_start &&
        organiser.cancel(server_clock_at(now)) == status::no_start);
    CHECK(organiser.remove(9) == status::unknown_participant);

    const auto early = organiser.propose(server_clock_at(now), 0.999);
    CHECK(early.code() == status::held_up && early->reason == netclock::hold_up::silent &&
        early->participant == 1);
    CHECK(frame(organiser, 1, first, clock, now) == 0);
    const auto made = organiser.propose(server_clock_at(now), 0.999);
    CHECK(made && made->version == 1 && made->not_ready == 0);

    int fired = 0, joined = 0;
    for (; server_clock_at(now) < made->at + 2s; now += 16ms) {
        while (const auto message = organiser.next_message(server_clock_at(now))) {
            auto &to = message->participant == 1 ? first : late;
            CHECK(to.receive(message->content.data(), message->content.size()) == status::ok);
        }
        fired += frame(organiser, 1, first, clock, now);
        if (server_clock_at(now) >= made->at + 1s) {
            if (organiser.admit(2) == status::duplicate) {
                joined += frame(organiser, 2, late, clock, now);
            }
        }
    }
    CHECK(fired == 1 && joined == 1);
    const auto progress = late.tick(clock, now);
    CHECK(progress && progress->stage == netclock::stage::joined && progress->at == made->at &&
        progress->lateness > 1s);
    const auto result = organiser.start_result();
    CHECK(result && result->counted == 1 && result->fired == 1 && result->latest < ticks{16ms} &&
        result->error_bound);
    const auto known = organiser.participation(2, server_clock_at(now));
    CHECK(known && !known->counted && known->acknowledged && known->lateness && *known->lateness > 1s);
    simulate(made->at);
    return 0;
}
