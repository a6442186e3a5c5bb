/* Uses a 32-bit millisecond counter like GetTickCount as the local clock. Extending the counter to 64 bits
 * before each call keeps the client's time correct when the counter wraps. */
#include "check.h"

/* [extend] */
static uint64_t extended; /* of one counter; guard it with a lock */

static int64_t ticks_of(uint32_t milliseconds)
{
    extended += (uint32_t)(milliseconds - (uint32_t)extended);
    return (int64_t)extended * 10000;
}
/* [/extend] */

#define STEP (SECOND / 64)
#define AHEAD (7 * SECOND)

/* Signed and unsigned counters have the same bits, so this test covers both. */
static uint32_t counter(int64_t true_time)
{
    return (uint32_t)(true_time / STEP * STEP / MILLISECOND);
}

static void check_reading(netclock_client *client, int64_t true_time)
{
    netclock_reading reading = {0};
    int64_t error;

    reading.struct_size = sizeof(reading);
    CHECK(netclock_client_read(client, ticks_of(counter(true_time)), &reading) == NETCLOCK_OK);
    error = reading.server_time - (true_time + AHEAD);
    CHECK(reading.state == NETCLOCK_STATE_SYNCED);
    CHECK(-reading.error_bound <= error && error <= reading.error_bound);
    CHECK(-2 * STEP < error && error < 2 * STEP);
}

int main(void)
{
    /* Signed counters wrap at 2^31 ms (24.8 days), and unsigned counters at 2^32 ms (49.7 days). */
    const int64_t day = 86400 * SECOND, end = 52 * day;
    netclock_client *client;
    netclock_config config = {0}; /* Zero selects the default. */
    netclock_event event = {0};
    int64_t now, sent, arrived;

    config.struct_size = sizeof(config);
    config.client_resolution = 16 * MILLISECOND;
    config.steady_interval = 600 * SECOND;
    CHECK(netclock_client_create(&config, 1, 2, &client) == NETCLOCK_OK);
    for (now = 0; now < end; now += 600 * SECOND + 3 * MILLISECOND) {
        sent = ticks_of(counter(now));
        arrived = ticks_of(counter(now + 4 * MILLISECOND));
        CHECK(netclock_client_handle_exchange(client, sent, now + AHEAD + 2 * MILLISECOND,
                  now + AHEAD + 2 * MILLISECOND, arrived, 0, 0, 0) == NETCLOCK_OK);
        check_reading(client, now + 5 * MILLISECOND);
        check_reading(client, now + 599 * SECOND);
        event.struct_size = sizeof(event);
        while (netclock_client_next_event(client, &event) == NETCLOCK_OK) {
            /* After ten minutes without calls, the client reports a gap, but it must not mistake the wrap for
             * a step. */
            CHECK(event.cause != NETCLOCK_CAUSE_PROVEN_STEP);
        }
    }
    CHECK(extended > UINT64_C(4294967296));
    netclock_client_destroy(client);
    return 0;
}
