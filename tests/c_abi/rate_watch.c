/* A server watches two players: one is honest, with a queue on the way; the other's clock runs 5 % fast for a
   while. */

#include "check.h"
#include "netclock/netclock_watch.h"

/* When the server receives what a player sent at `sent`, behind a queue of up to 200 ms. */
static int64_t arrival(int64_t sent)
{
    return sent + 20 * MILLISECOND + sent / 40 % (200 * MILLISECOND);
}

int main(void)
{
    netclock_rate_watch_config config = {sizeof config, 0, 0.0, 0};
    netclock_rate_verdict verdict = {0};
    netclock_rate_watch *honest = NULL, *fast = NULL;
    int64_t at, arrived, gained, last = 0;

    config.max_delay = 60 * SECOND + 1;
    EXPECT(netclock_rate_watch_create(&config, &honest) == NETCLOCK_BAD_CONFIG && honest == NULL);
    config.max_delay = 2 * SECOND;
    EXPECT(netclock_rate_watch_create(&config, &honest) == NETCLOCK_OK);
    EXPECT(netclock_rate_watch_create(NULL, &fast) == NETCLOCK_OK);

    verdict.struct_size = sizeof verdict;
    EXPECT(netclock_rate_watch_read(honest, &verdict) == NETCLOCK_OK);
    EXPECT(verdict.level == NETCLOCK_RATE_UNKNOWN && verdict.is_mean_known == 0);

    for (at = 0; at < 300 * SECOND; at += SECOND / 5) {
        arrived = arrival(at);
        if (arrived < last) {
            continue; /* overtaken by nobody: the queue has just emptied */
        }
        last = arrived;
        /* Nobody knows what the honest one has heard; the other one acknowledges what was sent 50 ms
           before. */
        EXPECT(netclock_rate_watch_report(honest, at + 7 * SECOND, arrived, NETCLOCK_UNKNOWN_TIME) == NETCLOCK_OK);
        gained = at > 200 * SECOND ? (at - 200 * SECOND) / 20 : 0;
        EXPECT(netclock_rate_watch_report(fast, at + gained, arrived, at - 50 * MILLISECOND) == NETCLOCK_OK);
        EXPECT(netclock_rate_watch_read(fast, &verdict) == NETCLOCK_OK);
        EXPECT(at > 200 * SECOND || verdict.worst <= NETCLOCK_RATE_PLAUSIBLE);
        /* 5 % of 7 s are more than the queue, the way and the age of a stamp together. */
        EXPECT(at < 207 * SECOND || verdict.worst == NETCLOCK_RATE_PROVEN);
    }
    EXPECT(verdict.level == NETCLOCK_RATE_PROVEN && verdict.finding == NETCLOCK_RATE_FAST && verdict.findings > 0);
    EXPECT(verdict.gained > 0 && verdict.explained == 0 && verdict.duration > 0);
    EXPECT(verdict.is_mean_known == 1 && verdict.mean_ppm > 10000.0);

    EXPECT(netclock_rate_watch_read(honest, &verdict) == NETCLOCK_OK);
    EXPECT(verdict.level == NETCLOCK_RATE_PLAUSIBLE && verdict.worst == NETCLOCK_RATE_PLAUSIBLE);
    EXPECT(verdict.finding == NETCLOCK_RATE_NOTHING && verdict.mean_ppm > -500.0 && verdict.mean_ppm < 500.0);

    /* The game pauses, and what was gained before is forgiven. */
    EXPECT(netclock_rate_watch_excuse(fast, last, last + 10 * SECOND) == NETCLOCK_OK);
    EXPECT(netclock_rate_watch_read(fast, &verdict) == NETCLOCK_OK);
    EXPECT(verdict.level == NETCLOCK_RATE_PLAUSIBLE && verdict.worst == NETCLOCK_RATE_PROVEN);

    EXPECT(netclock_rate_watch_report(fast, 0, last - 1, NETCLOCK_UNKNOWN_TIME) == NETCLOCK_TIME_WENT_BACKWARDS);
    EXPECT(netclock_rate_watch_destroy(honest) == NETCLOCK_OK);
    EXPECT(netclock_rate_watch_destroy(fast) == NETCLOCK_OK);
    return 0;
}
