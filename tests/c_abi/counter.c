/* A 32-bit counter as the local clock: its wraps are extended before any call. */
#include "check.h"

/* [extend] */
static uint64_t extended; /* of one counter; guard it with a lock */

static int64_t ticks_of(uint32_t milliseconds)
{
    extended += (uint32_t)(milliseconds - (uint32_t)extended);
    return (int64_t)extended * 10000;
}
/* [/extend] */

int main(void)
{
    netclock_client *client;
    const int64_t sent = ticks_of(UINT32_MAX - 19), arrived = ticks_of(20);
    const int64_t there = 7 * SECOND + 20 * MILLISECOND;

    CHECK(arrived - sent == 40 * MILLISECOND); /* The counter wrapped in between. */
    CHECK(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    CHECK(netclock_client_handle_exchange(client, sent, there, there, arrived, 0, 0, 0) == NETCLOCK_OK);
    CHECK(ticks_of(60) - arrived == 40 * MILLISECOND);
    netclock_client_destroy(client);
    return 0;
}
