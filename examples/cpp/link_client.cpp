// link_client [HOST [PORT]]: follows a server's clock over the link and prints its time.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <netclock/netclock_link.hpp>

int main(int argc, char **argv)
{
    const auto run = static_cast<std::uint32_t>(netclock_monotonic_now() / 1000000);
    // The key comes from the server, over the game's own connection. Its last number grows with every run.
    const netclock::session_key key{{0x0123456789ABCDEF, 0xFEDCBA9876543210}, 1, run};
    const auto port = static_cast<std::uint16_t>(argc > 2 ? std::atoi(argv[2]) : 7117);
    std::random_device random; // random numbers make the requests unpredictable
    auto client = netclock::client::create({random(), random()});
    if (!client)
        return std::fprintf(stderr, "cannot start: %s\n", netclock::text(client.code())), 1;
    const auto link = netclock::link_client::create(*client, argc > 1 ? argv[1] : "127.0.0.1", port, key);
    if (!link)
        return std::fprintf(stderr, "cannot start: %s\n", netclock::text(link.code())), 1;
    const auto end = netclock::local_clock::now() + std::chrono::seconds{3};
    while (netclock::local_clock::now() < end) { // a game reads the time once a frame
        const auto reading = client->read(netclock::local_clock::now());
        if (reading && reading->error_bound) {
            const std::chrono::duration<double> time = reading->time.time_since_epoch();
            const std::chrono::duration<double, std::milli> bound = *reading->error_bound;
            return std::printf("server time %.6f s, within %.4f ms\n", time.count(), bound.count()), 0;
        }
    }
    return std::fprintf(stderr, "no reply from the server\n"), 1;
}
