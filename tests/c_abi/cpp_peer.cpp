/* netclock_peer.hpp: two peers share a clock through a relay, a third gets no slot, and one leaves. */

#include <vector>

#include "check.hpp"
#include "netclock/netclock_peer.hpp"

using netclock::peer_role;
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
    auto decoder = netclock::stream::create();
    CHECK(decoder && *decoder && decoder->get() != nullptr);

    netclock::peer_game_message heard;
    unsigned games = 0;
    ticks now{0};
    const auto play = [&](ticks until) {
        for (; now < until; now += ticks{5ms}) {
            for (std::size_t number = 0; number < peers.size(); ++number) {
                const local_time local{now + std::chrono::hours{number}};
                while (const auto message = peers[number].next_message(local)) {
                    /* This test sends the messages over a stream. */
                    CHECK(decoder->push(message->bytes.data(), message->size).value_or(0) == message->size);
                    const auto whole = decoder->next();
                    CHECK(whole && whole->size == message->size && whole->bytes == message->bytes);
                    CHECK(decoder->next().code() == status::incomplete);
                    const auto code =
                        relay.receive(number, whole->bytes.data(), whole->size, local_time{now});
                    CHECK(code == status::ok || (number == 2 && code == status::full));
                }
            }
            while (const auto message = relay.next_message(local_time{now})) {
                const auto number = static_cast<std::size_t>(message->connection);
                const auto code = peers[number].receive(message->bytes.data(), message->size,
                                                        local_time{now + std::chrono::hours{number}}, heard);
                games += code == status::game_message ? 1U : 0U;
                CHECK(code == status::ok || code == status::game_message || code == status::stale ||
                      (number == 2 && code == status::login_rejected));
            }
        }
    };
    play(5s);
    const auto first = peers[0].read(local_time{now});
    const auto second = peers[1].read(local_time{now + 1h});
    const auto third = peers[2].read(local_time{now + 2h});
    CHECK(first && first->stage == peer_stage::playing && first->role == peer_role::primary &&
        first->players == 2);
    CHECK(second && second->stage == peer_stage::playing && second->role == peer_role::secondary);
    CHECK(second->authority == first->authority && second->error_bound && second->round_trip);
    const auto apart = second->time - first->time;
    CHECK(apart <= *second->error_bound && apart >= -*second->error_bound &&
        first->time > netclock::server_time{4s});
    CHECK(third && third->stage == peer_stage::joining && third->rejection == netclock::rejection::full);

    CHECK(peers[1].stamp(local_time{now + 1h}, 1, "x", 1).code() == status::message_unknown);
    const auto shot = peers[1].stamp(local_time{now + 1h}, netclock::first_game_id, "x", 1);
    CHECK(shot && shot->size == netclock::game_header_size + 1);
    CHECK(relay.receive(1, shot->bytes.data(), shot->size, local_time{now}) == status::ok);
    play(5100ms);
    CHECK(games == 1 && heard.id == netclock::first_game_id && heard.slot == 1);
    CHECK(heard.time > netclock::server_time{4s} && heard.stamp > 4000);

    CHECK(relay.has_slot(1) == status::ok && relay.has_slot(2) == status::not_logged_in);
    CHECK(peers[0].leave() == status::ok);
    play(5200ms);
    const auto game = relay.game(9);
    CHECK(game && game->players == 1 && game->began && game->generation == 2 && game->primary == 1);
    CHECK(relay.disconnect(1, local_time{now}) == status::ok && relay.game(9).code() == status::no_game);
    return 0;
}
