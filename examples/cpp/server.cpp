// server PORT: answers requests for the time over UDP, and prints its port. Port 0 selects a free port.
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sys/socket.h>

#include <netclock/netclock.hpp>

int main(int argc, char **argv)
{
    std::random_device random; // a random number identifies this run of the clock
    const auto server = netclock::server::create(std::uint64_t{random()} << 32 | random());
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};
    socklen_t length = sizeof address;
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 7777));
    if (!server || bind(udp, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
        getsockname(udp, reinterpret_cast<sockaddr *>(&address), &length) != 0) {
        std::fprintf(
            stderr, "cannot start: %s\n", server ? "the port is taken" : netclock::text(server.code()));
        return 1;
    }
    std::printf("port %d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    for (;;) {
        std::byte datagram[NETCLOCK_DATAGRAM_SIZE + 1]; // longer ones are not NetClock's
        sockaddr_in peer{};
        auto *const from = reinterpret_cast<sockaddr *>(&peer);
        length = sizeof peer;
        const auto size = recvfrom(udp, datagram, sizeof datagram, 0, from, &length);
        const auto received = netclock::server_clock::now_on_server();
        const auto request =
            netclock::decode_request(datagram, size < 0 ? 0 : static_cast<std::size_t>(size));
        if (!request) {
            continue;
        }
        if (const auto reply = server->respond(*request, received, netclock::server_clock::now_on_server())) {
            const auto answer = netclock::encode(*reply);
            sendto(udp, answer->data(), answer->size(), 0, from, length);
        }
    }
}
