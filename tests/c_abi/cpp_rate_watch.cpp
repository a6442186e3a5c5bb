/* The watch of netclock_watch.hpp over a player who adds two seconds, after a pause that is excused. */

#include <algorithm>

#include "check.hpp"
#include "netclock/netclock_watch.hpp"

using netclock::rate_finding;
using netclock::rate_level;

int main()
{
    netclock::rate_watch_config settings;
    settings.max_delay = 10ms;
    CHECK(netclock::rate_watch::create(settings).code() == status::bad_config);
    settings.max_delay = 3s;
    settings.max_drift_ppm = 300.0;
    auto watch = *netclock::rate_watch::create(settings);
    CHECK(watch);
    CHECK(watch && watch.read() && watch.read()->level == rate_level::unknown && !watch.read()->mean_ppm);

    delays link;
    server_time newest{};
    ticks gained{};
    const auto play = [&](ticks from, ticks to) {
        for (ticks now = from; now < to; now += ticks{100ms}) {
            const server_time arrived = std::max(newest, server_time{now + link.next()});
            newest = arrived;
            const auto code = watch.report(local_time{now + gained}, arrived, server_time{now - link.next()});
            CHECK(code == status::ok);
        }
    };
    play(1s, 60s);
    CHECK(watch.read()->level == rate_level::plausible && watch.read()->mean_ppm);

    CHECK(watch.excuse(server_time{60s}, server_time{81s}) == status::ok);
    gained = -20s;
    play(80s, 140s);
    CHECK(watch.read()->worst == rate_level::plausible && watch.read()->findings == 0);

    gained = -18s;
    play(140s, 145s);
    const auto verdict = watch.read();
    CHECK(verdict && verdict->level == rate_level::proven && verdict->worst == rate_level::proven);
    CHECK(verdict->finding == rate_finding::added && verdict->findings == 1);
    CHECK(verdict->gained > 1800ms && verdict->gained < 2s && verdict->explained == 0ms &&
        verdict->duration > 0s);

    CHECK(watch.report(local_time{}, server_time{1s}) == status::time_went_backwards);
    CHECK(watch.report(local_time{}, newest, newest + ticks{1}) == status::arrived_before_sent);
    return 0;
}
