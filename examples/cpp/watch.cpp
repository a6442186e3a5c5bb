// watch: judges the clocks of players from a log of their messages. Each line of its input is one of them, in
// the order of arrival: player, stamp of the player, arrival, and when the server sent the newest thing that
// the player had heard (- if nobody knows), all in ticks. A server calls report() where the message arrives,
// and needs no log.
#include <cstdio>
#include <cstdlib>
#include <map>

#include <netclock/netclock_watch.hpp>

int main()
{
    using seconds = std::chrono::duration<double>;
    const char *const findings[] = {"", "ran fast", "ran slow", "jumped ahead", "fell back"};
    std::map<unsigned long, netclock::rate_watch> players;
    std::map<unsigned long, netclock::rate_level> told;
    char line[256], heard[32];
    while (std::fgets(line, sizeof line, stdin) != nullptr) {
        unsigned long player = 0;
        long long stamped = 0, arrived = 0;
        if (std::sscanf(line, "%lu %lld %lld %31s", &player, &stamped, &arrived, heard) != 4) {
            std::fprintf(stderr, "not a message: %s", line);
            return 1;
        }
        // [watch]
        auto &watch = players[player];
        if (!watch) {
            watch = std::move(*netclock::rate_watch::create());
        }
        // [/watch]
        using netclock::ticks;
        std::optional<netclock::server_time> sent;
        if (heard[0] != '-' || heard[1] != '\0') {
            sent = netclock::server_time{ticks{std::atoll(heard)}};
        }
        // [watch]
        const auto code =
            watch.report(netclock::local_time{ticks{stamped}}, netclock::server_time{ticks{arrived}}, sent);
        if (code != netclock::status::ok) { // it changed nothing
            std::fprintf(stderr, "player %lu: %s\n", player, netclock::last_error());
            continue;
        }
        const auto verdict = watch.read();
        // [/watch]
        if (verdict->level >= netclock::rate_level::likely && verdict->level > told[player]) {
            std::printf("player %lu: %s, the clock %s\n", player,
                        verdict->level == netclock::rate_level::proven ? "proven" : "likely",
                        findings[static_cast<int>(verdict->finding)]);
        }
        told[player] = verdict->level;
    }
    for (const auto &player : players) {
        const auto verdict = player.second.read();
        std::printf(
            "player %lu: %u findings, the newest %+.1f s in %.0f s; mean rate %+.1f ppm, within %.1f\n",
            player.first, verdict->findings, seconds{verdict->gained}.count(),
            seconds{verdict->duration}.count(), verdict->mean_ppm.value_or(0.0),
            verdict->mean_ppm ? verdict->mean_error_ppm : 1e6);
    }
    return 0;
}
