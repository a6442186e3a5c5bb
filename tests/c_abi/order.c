/*
 * A duel as a server sees it: two clients shoot, the server asks which shot came first and what each shooter
 * saw, and a cheat claims an old stamp. Then a lead learns from messages how far ahead to predict.
 */
#include "check.h"
#include "netclock/netclock_order.h"

#define NOON (INT64_C(1) << 50)

static netclock_order_verdict judge(netclock_order_stamp first, netclock_order_stamp second, int32_t same_clock,
                                    double confidence)
{
    netclock_order_verdict verdict = {0};
    verdict.struct_size = sizeof verdict;
    CHECK(netclock_arbitrate(&first, &second, same_clock, confidence, &verdict) == NETCLOCK_OK);
    CHECK(verdict.reserved == 0);
    return verdict;
}

static void shots(void)
{
    netclock_order_stamp first = {NOON, 25 * MILLISECOND, 3 * MILLISECOND / 10};
    netclock_order_stamp second = {NOON + 2 * MILLISECOND, 40 * MILLISECOND, 4 * MILLISECOND / 10};
    netclock_order_stamp wall = {NOON + 26 * MILLISECOND, 0, 0};
    netclock_order_stamp lost = {NOON, NETCLOCK_UNBOUNDED, NETCLOCK_UNBOUNDED};
    netclock_order_verdict verdict = judge(first, second, 0, 0.99);

    /* 2 ms at an expected error of 0.5 ms: nearly certain, and not proven. */
    CHECK(verdict.order == NETCLOCK_ORDER_BEFORE && !verdict.proven);
    CHECK(verdict.probability > 0.99 && verdict.probability < 1.0);
    CHECK(judge(second, first, 0, 0.99).order == NETCLOCK_ORDER_AFTER);
    CHECK(judge(first, second, 0, 1.0).order == NETCLOCK_ORDER_TOO_CLOSE);
    /* The server's own event, further off than the bound. */
    verdict = judge(first, wall, 0, 1.0);
    CHECK(verdict.order == NETCLOCK_ORDER_BEFORE && verdict.proven == 1);
    /* A clock without a bound says nothing, except about itself. */
    CHECK(judge(lost, wall, 0, 0.5).order == NETCLOCK_ORDER_TOO_CLOSE);
    CHECK(judge(lost, wall, 1, 1.0).order == NETCLOCK_ORDER_BEFORE);
}

static netclock_rewind_result look_back(int64_t claimed)
{
    netclock_rewind_path path = {0};
    netclock_rewind_result rewound = {0};
    path.struct_size = sizeof path;
    path.round_trip = 50 * MILLISECOND;
    path.jitter = 10 * MILLISECOND;
    path.interpolation = 100 * MILLISECOND;
    rewound.struct_size = sizeof rewound;
    CHECK(netclock_rewind(claimed, NOON, &path, &rewound) == NETCLOCK_OK);
    return rewound;
}

static void lag_compensation(void)
{
    netclock_rewind_result honest = look_back(NOON - 27 * MILLISECOND);
    netclock_rewind_result cheat = look_back(NOON - 400 * MILLISECOND);
    netclock_rewind_result prophet = look_back(NOON + MILLISECOND);

    CHECK(honest.limit == NETCLOCK_LIMIT_NONE && honest.moved == 0);
    CHECK(honest.target == NOON - 127 * MILLISECOND && honest.acted == NOON - 27 * MILLISECOND);
    CHECK(honest.error_bound == 33 * MILLISECOND);
    /* Half a second back in all, of which the path explains 160 ms; the default limit of 250 ms is
       further. */
    CHECK(cheat.limit == NETCLOCK_LIMIT_PATH);
    CHECK(cheat.target == NOON - 160 * MILLISECOND && cheat.moved == 340 * MILLISECOND);
    CHECK(prophet.limit == NETCLOCK_LIMIT_ARRIVAL && prophet.acted == NOON);
}

static void prediction(void)
{
    netclock_lead_config config = {0};
    netclock_lead *lead = NULL;
    int64_t ahead = 0, behind = 0, sent = NOON;
    uint32_t random = 20261121;
    int i, judged = 0, in_time = 0;

    config.struct_size = sizeof config;
    config.quantile = 0.9;
    config.send_interval = 50 * MILLISECOND;
    CHECK(netclock_lead_create(&config, &lead) == NETCLOCK_OK);
    CHECK(netclock_lead_suggest(lead, &ahead, &behind) == NETCLOCK_NO_MESSAGES && ahead == NETCLOCK_UNBOUNDED);
    for (i = 0; i < 4000; i++, sent += 33 * MILLISECOND) {
        int64_t delay;
        random = random * 1664525u + 1013904223u;
        delay = 25 * MILLISECOND + (int64_t)(random >> 8) % (20 * MILLISECOND);
        if (i >= 1000) {
            CHECK(netclock_lead_suggest(lead, &ahead, NULL) == NETCLOCK_OK);
            judged++;
            in_time += delay <= ahead;
        }
        CHECK(netclock_lead_learn(lead, NETCLOCK_TO_SERVER, 1, sent, sent + delay) == NETCLOCK_OK);
    }
    printf("%d of %d messages in time, 2700 asked for; ahead %.1f ms\n", in_time, judged, (double)ahead / 1e4);
    CHECK(in_time > 2640 && in_time < 2820);
    /* The way back is not known yet; one message makes it so. The clock was set anew: that begins at
       nothing. */
    CHECK(netclock_lead_suggest(lead, NULL, &behind) == NETCLOCK_NO_MESSAGES);
    CHECK(netclock_lead_learn(lead, NETCLOCK_TO_CLIENT, 2, NOON, NOON + 30 * MILLISECOND) == NETCLOCK_OK);
    CHECK(netclock_lead_suggest(lead, NULL, &behind) == NETCLOCK_OK && behind == 80 * MILLISECOND);
    CHECK(netclock_lead_suggest(lead, &ahead, NULL) == NETCLOCK_NO_MESSAGES);
    CHECK(netclock_lead_learn(lead, NETCLOCK_TO_SERVER, 1, NOON, NOON) == NETCLOCK_OUTDATED);
    CHECK(netclock_lead_destroy(lead) == NETCLOCK_OK);
    CHECK(netclock_lead_destroy(lead) == NETCLOCK_UNKNOWN_HANDLE);
}

int main(void)
{
    shots();
    lag_compensation();
    prediction();
    return 0;
}
