/* Tests netclock_peer.hpp. Two peers share a clock through a relay until one of them leaves. The relay is
 * full, so it rejects a third peer. */

#include <vector>

#include "check.hpp"
#include "netclock/netclock_peer.hpp"

using netclock::peer_stage;

int main()
{
    netclock::relay_config settings;
    settings.slots = 1;
    CHECK(netclock::relay::create({1, 2}, settings).code() == status::bad_config);
    settings.slots = 2;
    settings.games = 1;
    auto relay = *netclock::relay::create({1, 2}, settings);
    CHECK(relay);

    std::vector<netclock::peer> peers;
    for (std::uint64_t number = 0; number < 3; ++number) {
        auto made = netclock::peer::create(9, {4, number});
        CHECK(made && *made);
        peers.push_back(std::move(*made));
    }
    ticks now{0};
    const auto play = [&](ticks until) {
        for (; now < until; now += ticks{5ms}) {
            for (std::size_t number = 0; number < peers.size(); ++number) {
                const local_time local{now + std::chrono::hours{number}};
                while (const auto message = peers[number].next_message(local)) {
                    const auto code =
                        relay.receive(number, message->data(), message->size(), local_time{now});
                    CHECK(code == status::ok || (number == 2 && code == status::full));
                }
            }
            while (const auto message = relay.next_message(local_time{now})) {
                const auto number = static_cast<std::size_t>(message->connection);
                const auto code = peers[number].receive(message->bytes.data(), message->bytes.size(),
                                                        local_time{now + std::chrono::hours{number}});
                CHECK(code == status::ok || code == status::stale ||
                      (number == 2 && code == status::login_rejected));
            }
        }
    };
    play(5s);
    const auto first = peers[0].read(local_time{now});
    const auto second = peers[1].read(local_time{now + 1h});
    const auto third = peers[2].read(local_time{now + 2h});
    CHECK(first && first->stage == peer_stage::playing && first->leads && first->players == 2);
    CHECK(second && second->stage == peer_stage::playing && !second->leads);
    CHECK(second->authority == first->authority && second->error_bound && second->round_trip);
    const auto apart = second->time - first->time;
    CHECK(apart <= *second->error_bound && apart >= -*second->error_bound &&
        first->time > netclock::server_time{4s});
    CHECK(third && third->stage == peer_stage::joining && third->rejection == netclock::rejection::full);

    CHECK(relay.has_slot(1) == status::ok && relay.has_slot(2) == status::not_logged_in);
    CHECK(peers[0].leave() == status::ok);
    play(5200ms);
    const auto game = relay.game(9);
    CHECK(game && game->players == 1 && game->began && game->generation == 2 && game->primary == 1);
    CHECK(relay.disconnect(1, local_time{now}) == status::ok && relay.game(9).code() == status::no_game);
    return 0;
}
