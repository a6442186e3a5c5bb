// Prints the server's time. The tests build this program with CMake and make against the installed library.
#include <cstdio>

#include <netclock/netclock.hpp>

int main()
{
    using netclock::ticks;
    const netclock::local_time now{ticks{100}};
    auto client = netclock::client::create({1, 2});
    if (!client ||
        client->update_server_time(netclock::server_time{ticks{900}}, now, ticks{40}) !=
            netclock::status::ok) {
        return 1;
    }
    const auto shown = client->current_server_time(now).value_or({});
    std::printf("C++: server time %d\n", static_cast<int>(shown.time_since_epoch().count()));
    return shown == netclock::server_time{ticks{920}} ? 0 : 1;
}
