/* A client and a server with a session key, by netclock.hpp. */

#include <array>

#include "check.hpp"
#include "netclock/netclock_keys.hpp"

using netclock::direction;

int main()
{
    netclock::session_key key;
    key.id = 3;
    CHECK(netclock::sealed_channel::create(key, direction::to_server).code() == status::bad_config);
    key.secret = {11, 12};

    netclock::session_keys_config settings;
    settings.answers = 10001;
    CHECK(netclock::session_keys::create(settings).code() == status::bad_config);
    settings.answers = 2;
    settings.capacity = 1;
    auto keys = *netclock::session_keys::create(settings);
    CHECK(keys);
    CHECK(keys && keys.admit(key) == status::ok && keys.admit(key) == status::duplicate);
    netclock::session_key other = key;
    other.id = 4;
    CHECK(keys.admit(other) == status::full);

    auto client = *netclock::sealed_channel::create(key, direction::to_server);
    CHECK(client);
    const netclock::request asked{77, local_time{5s}, true};
    const auto datagram = netclock::encode(asked);
    CHECK(datagram);
    std::array<std::byte, netclock::sealed_most> up{};
    const auto length = client.seal(datagram->data(), datagram->size(), up.data(), up.size());
    CHECK(length && *length == datagram->size() + netclock::seal_overhead);

    const auto heard = keys.open(up.data(), *length);
    CHECK(heard && heard->id == 3 && heard->message.size == datagram->size());
    const auto read = netclock::decode_request(heard->message.data, heard->message.size);
    CHECK(read && read->id == 77);
    CHECK(keys.allow(heard->id, server_time{9s}) == status::ok);
    CHECK(keys.allow(heard->id, server_time{9s}) == status::ok);
    CHECK(keys.allow(heard->id, server_time{9s}) == status::enough_answers);
    CHECK(keys.open(up.data(), *length).code() == status::replayed);

    std::array<std::byte, netclock::sealed_most> down{};
    const auto answered = keys.seal(3, datagram->data(), datagram->size(), down.data(), down.size());
    CHECK(answered && *answered == *length);
    auto forged = down;
    forged[20] ^= std::byte{1};
    CHECK(client.open(forged.data(), *answered).code() == status::forged);
    const auto opened = client.open(down.data(), *answered);
    CHECK(opened && opened->size == datagram->size());
    CHECK(client.open(down.data(), *answered).code() == status::replayed);
    CHECK(client.open(up.data(), *length).code() == status::other_direction);
    CHECK(client.open(datagram->data(), datagram->size()).code() == status::not_sealed);
    auto stranger = netclock::sealed_channel::create(other, direction::to_server);
    CHECK(stranger && (*stranger).open(down.data(), *answered).code() == status::unknown_key);

    CHECK(keys.revoke(3) == status::ok && keys.open(up.data(), *length).code() == status::unknown_key);
    const auto counts = keys.counts();
    CHECK(counts && counts->opened == 1 && counts->unknown_key == 1 && counts->replayed == 1 &&
        counts->over_budget == 1);
    return 0;
}
