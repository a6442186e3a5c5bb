// client ADDRESS PORT: requests the time until it has five replies, for at most ten seconds, and prints it.
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <netclock/netclock.hpp>

// Returns a socket connected to the server, or -1. After a network change (Wi-Fi to LTE, a VPN), only a new
// socket receives datagrams.
static int connect_to(const sockaddr_in &server)
{
    const timeval patience{0, 5000}; // recv times out after 5 ms, the frame period of the loop
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (udp >= 0 && (connect(udp, reinterpret_cast<const sockaddr *>(&server), sizeof server) != 0 ||
                     setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0)) {
        close(udp);
        return -1;
    }
    return udp;
}

int main(int argc, char **argv)
{
    using milliseconds = std::chrono::duration<double, std::milli>;
    std::random_device random; // random numbers make the requests unpredictable
    const auto bits = [&random] { return std::uint64_t{random()} << 32 | random(); };
    auto client = netclock::client::create({bits(), bits()});
    int udp = -1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(argc > 2 ? std::atoi(argv[2]) : 7777));
    if (!client || inet_pton(AF_INET, argc > 1 ? argv[1] : "127.0.0.1", &address.sin_addr) != 1 ||
        (udp = connect_to(address)) < 0) {
        std::fprintf(stderr, "cannot start: %s\n", client ? "not an address" : netclock::text(client.code()));
        return 1;
    }
    auto now = netclock::local_clock::now();
    const auto end = now + std::chrono::seconds{10};
    auto heard = now;
    // A game does this in every frame.
    for (int replies = 0; replies < 5 && now < end; now = netclock::local_clock::now()) {
        if (const auto request = client->tick(now)) {
            const auto datagram = netclock::encode(*request);
            send(udp, datagram->data(), datagram->size(), 0);
        }
        std::byte datagram[NETCLOCK_DATAGRAM_SIZE + 1]; // longer ones are not NetClock's
        const auto size = recv(udp, datagram, sizeof datagram, 0);
        const auto arrived = netclock::local_clock::now();
        if (const auto reply =
                netclock::decode_reply(datagram, size < 0 ? 0 : static_cast<std::size_t>(size))) {
            replies += client->handle_reply(*reply, arrived) == netclock::status::ok;
            heard = now;
        }
        // A settled client sends a request every 4 s, so count 2 s from its oldest unanswered request.
        if (now - heard > std::chrono::seconds{2}) {
            heard = now;
            if (const int fresh = connect_to(address); fresh >= 0) { // else the next iteration tries again
                close(udp);
                udp = fresh;
            }
        }
    }
    const auto reading = client->read(now);
    if (!reading || !reading->error_bound) {
        std::fprintf(stderr, "no server time: %s\n", netclock::text(reading.code()));
        return 1;
    }
    const milliseconds offset = reading->time.time_since_epoch() - now.time_since_epoch();
    std::printf("server minus local: %.4f ms, within %.4f ms\n", offset.count(),
                milliseconds{*reading->error_bound}.count());
    return 0;
}
