/* A server judges a shot: what did the shooter see, and who shot first? */
#include <stdio.h>

#include <netclock/netclock_order.h>

#define MS INT64_C(10000)

int main(void)
{
    int64_t arrived = netclock_monotonic_now(); /* when the server received the message */
    /* The shooter's network path, as measured by the server, and the game's limits. */
    netclock_rewind_path path = {.struct_size = sizeof path, .round_trip = 50 * MS, .jitter = 10 * MS,
                          .interpolation = 100 * MS, .max_rewind = 250 * MS};
    netclock_rewind_result shot = {.struct_size = sizeof shot};
    netclock_order_verdict verdict = {.struct_size = sizeof verdict};

    /* The shooter claims to have pulled the trigger 300 ms ago. */
    if (netclock_rewind(arrived - 300 * MS, arrived, &path, &shot) != NETCLOCK_OK)
        return 1;
    printf("hit boxes of %.1f ms ago%s\n", (double)(arrived - shot.target) / 1e4,
           shot.limit == NETCLOCK_LIMIT_NONE ? "" : ", his claim was moved");

    /* The victim also shot, 40 ms ago according to its own clock. */
    netclock_order_stamp one = {shot.acted, shot.error_bound, NETCLOCK_UNBOUNDED};
    netclock_order_stamp other = {arrived - 40 * MS, 30 * MS, MS / 2};
    if (netclock_arbitrate(&one, &other, 0, 0.95, &verdict) != NETCLOCK_OK)
        return 1;
    printf("%s (%.0f %% for the first)\n",
        verdict.order == NETCLOCK_ORDER_TOO_CLOSE ? "both hit" : "one was first",
        verdict.probability * 100.0);
    return 0;
}
