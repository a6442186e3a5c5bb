// peer: a relay and two players in one program, which communicate over UDP on the loopback interface. The
// relay holds every message for up to 40 ms and reports the hold times, so the players' clocks still agree.
// After 2 s, the primary leaves.
#include <arpa/inet.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <poll.h>
#include <random>
#include <sys/socket.h>

#include <netclock/netclock_peer.hpp>

using namespace std::chrono_literals;
using netclock::local_clock;

struct endpoint { // a socket on 127.0.0.1; players connect theirs to the relay's
    int udp = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};

    explicit endpoint(const endpoint *relay = nullptr) {
        socklen_t length = sizeof address;
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto *const any = reinterpret_cast<const sockaddr *>(&address);
        if (bind(udp, any, length) != 0 ||
            getsockname(udp, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
            (relay && connect(udp, reinterpret_cast<const sockaddr*>(&relay->address), length) != 0)) {
            std::perror("socket");
            std::exit(1);
        }
    }
};

struct held { // a message that the relay holds, and its arrival time
    std::uint64_t from = 0; // the port identifies the connection
    std::size_t size = 0;
    netclock::local_time received, due;
    std::byte bytes[NETCLOCK_PEER_DATAGRAM_SIZE + 1]; // longer ones are not NetClock's
};

int main()
{
    std::random_device random; // each seed is 128 bits from the operating system
    const auto seed = [&]
    { return netclock::seed{std::uint64_t{random()} << 32 | random(), std::uint64_t{random()}}; };
    const endpoint server;
    const endpoint clients[] = {endpoint{&server}, endpoint{&server}};
    auto relay = netclock::relay::create(seed());
    netclock::result<netclock::peer> peers[] = {
        netclock::peer::create(1, seed()), netclock::peer::create(1, seed())};
    std::deque<held> waiting;
    const auto start = local_clock::now();
    double worst = 0.0;
    bool left = false;
    for (auto now = start; now < start + 4s; now = local_clock::now()) {
        pollfd readable[] = {
            {server.udp, POLLIN, 0}, {clients[0].udp, POLLIN, 0}, {clients[1].udp, POLLIN, 0}};
        poll(readable, 3, 1);
        if ((readable[0].revents & POLLIN) != 0) {
            held message;
            sockaddr_in peer{};
            socklen_t length = sizeof peer;
            const auto size = recvfrom(server.udp, message.bytes, sizeof message.bytes, 0,
                                       reinterpret_cast<sockaddr *>(&peer), &length);
            message.received = local_clock::now();
            message.due = message.received + std::chrono::milliseconds{random() % 40};
            message.from = peer.sin_port;
            message.size = size < 0 ? 0 : static_cast<std::size_t>(size);
            waiting.push_back(message);
        }
        while (!waiting.empty() && waiting.front().due <= now) { // the relay acts like a busy server
            const auto &message = waiting.front();
            static_cast<void>(relay->receive(message.from, message.bytes, message.size, message.received));
            waiting.pop_front();
        }
        while (const auto message = relay->next_message(local_clock::now())) {
            auto to = server.address;
            to.sin_port = static_cast<in_port_t>(message->connection);
            sendto(server.udp, message->bytes.data(), message->bytes.size(), 0,
                reinterpret_cast<const sockaddr*>(&to), sizeof to);
        }
        for (int i = 0; i < 2; ++i) {
            if ((readable[i + 1].revents & POLLIN) != 0) {
                std::byte bytes[NETCLOCK_PEER_DATAGRAM_SIZE + 1];
                const auto size = recv(clients[i].udp, bytes, sizeof bytes, 0);
                const auto arrived = local_clock::now();
                static_cast<void>(
                    peers[i]->receive(bytes, size < 0 ? 0 : static_cast<std::size_t>(size), arrived));
            }
            while (const auto message = peers[i]->next_message(local_clock::now())) {
                send(clients[i].udp, message->data(), message->size(), 0);
            }
        }
        const auto one = peers[0]->read(now), other = peers[1]->read(now);
        using netclock::peer_stage;
        if (one->stage == peer_stage::playing && other->stage == peer_stage::playing && now > start + 1s) {
            const auto apart = std::chrono::duration<double, std::milli>{one->time - other->time};
            worst = std::max(worst, std::abs(apart.count()));
        }
        if (!left && now > start + 2s) {
            left = true;
            static_cast<void>(peers[one->leads ? 0 : 1]->leave());
        }
    }
    const auto game = relay->game(1);
    const auto one = peers[0]->read(local_clock::now()), other = peers[1]->read(local_clock::now());
    const auto &last = one->stage == netclock::peer_stage::ended ? *other : *one;
    std::printf("apart by %.3f ms at most; primaries: %u; shared time %.3f s, in epoch %u\n", worst,
        game->generation, std::chrono::duration<double>{last.time.time_since_epoch()}.count(), last.epoch);
    return worst > 0.0 && worst < 20.0 && game->generation == 2 && last.epoch == 1 ? 0 : 1;
}
