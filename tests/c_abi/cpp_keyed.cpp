/* A client and a server with a session key, by netclock.hpp. */

#include <array>
#include <utility>

#include "check.hpp"
#include "netclock/netclock.hpp"

using namespace std::chrono_literals;
using netclock::direction;
using netclock::local_time;
using netclock::server_time;
using netclock::status;

int main()
{
    netclock::session_key key;
    key.id = 3;
    CHECK(netclock::seal(key, direction::to_server, "x", 1, nullptr, 0).code() == status::bad_config);
    key.secret = {11, 12};

    netclock::session_keys_config settings;
    settings.replays = 10001;
    CHECK(netclock::session_keys::create(settings).code() == status::bad_config);
    settings.replays = 2;
    settings.capacity = 1;
    auto created = netclock::session_keys::create(settings);
    CHECK(created);
    auto keys = std::move(*created);
    CHECK(keys && keys.admit(key) == status::ok && keys.admit(key) == status::duplicate);
    netclock::session_key other = key;
    other.id = 4;
    CHECK(keys.admit(other) == status::full);

    const netclock::request asked{77, local_time{5s}, true};
    const auto datagram = netclock::encode(asked);
    CHECK(datagram);
    std::array<std::byte, netclock::sealed_most> up{};
	const auto length =
		netclock::seal(key, direction::to_server, datagram->data(), datagram->size(), up.data(), up.size());
	CHECK(length && *length == datagram->size() + netclock::seal_overhead);

    const auto heard = keys.open(up.data(), *length);
    CHECK(heard && heard->id == 3 && heard->message.size == datagram->size());
    const auto read = netclock::decode_request(heard->message.data, heard->message.size);
    CHECK(read && read->id == 77);
	CHECK(keys.allow(heard->id, *read, server_time{9s}) &&
		*keys.allow(heard->id, *read, server_time{9s}) == false);
	CHECK(keys.allow(heard->id, std::nullopt, server_time{9s}));
    CHECK(keys.allow(heard->id, *read, server_time{9s}).code() == status::enough_answers);

    std::array<std::byte, netclock::sealed_most> down{};
    const auto answered = keys.seal(3, datagram->data(), datagram->size(), down.data(), down.size());
    CHECK(answered && *answered == *length);
    const auto opened = netclock::open(key, direction::to_client, down.data(), *answered);
    CHECK(opened && opened->size == datagram->size());
	CHECK(
		netclock::open(key, direction::to_server, down.data(), *answered).code() == status::other_direction);
	CHECK(netclock::open(other, direction::to_client, down.data(), *answered).code() == status::unknown_key);
	CHECK(netclock::open(key, direction::to_client, datagram->data(), datagram->size()).code() ==
		status::not_sealed);
	down[20] ^= std::byte{1};
    CHECK(netclock::open(key, direction::to_client, down.data(), *answered).code() == status::forged);

    CHECK(keys.revoke(3) == status::ok && keys.open(up.data(), *length).code() == status::unknown_key);
    const auto counts = keys.counts();
	CHECK(counts && counts->opened == 1 && counts->unknown_key == 1 && counts->replayed == 2 &&
		counts->over_budget == 1);
	netclock::session_keys taken{keys.release()};
    CHECK(!keys && taken.get() != nullptr && keys.revoke(3) == status::null_argument);
    return 0;
}
