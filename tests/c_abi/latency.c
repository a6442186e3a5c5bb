/* The way to the server gets 40 ms longer, later shorter again: both are reported, and hidden by the speed to
   the tick. */

#include "check.h"
#include "netclock/netclock_latency.h"
#include "netclock/netclock_order.h"

#define AHEAD (5000 * SECOND)

/* Up to 2 ms, in no order. */
static int64_t jitter(int64_t number)
{
    return number * 7919 % 2000 * (MILLISECOND / 1000);
}

int main(void)
{
    netclock_latency_config config = {0};
    netclock_latency_change change = {0};
    netclock_latency_levels levels = {0};
    netclock_latency_speed speed = {0};
    netclock_reading reading = {0};
    netclock_latency *latency = NULL;
    netclock_client *client = NULL;
    int64_t number, now = 0, sent, received, done;
    int32_t changes = 0;
    netclock_status status;

    config.struct_size = sizeof config;
    config.hide = 7;
    EXPECT(netclock_latency_create(&config, &latency) == NETCLOCK_BAD_CONFIG && latency == NULL);
    config.hide = NETCLOCK_TO_SERVER;
    config.max_speed_change = 0.05;
    EXPECT(netclock_latency_create(&config, &latency) == NETCLOCK_OK);
    EXPECT(netclock_client_create(NULL, 1, 2, &client) == NETCLOCK_OK);
    change.struct_size = sizeof change;
    levels.struct_size = sizeof levels;
    speed.struct_size = sizeof speed;
    reading.struct_size = sizeof reading;

    EXPECT(netclock_latency_follow(latency, client) == NETCLOCK_NOTHING_NEW);
    EXPECT(netclock_latency_next_change(latency, &change) == NETCLOCK_NO_CHANGE);
    EXPECT(netclock_latency_read(latency, &levels) == NETCLOCK_NO_MESSAGES);
    EXPECT(netclock_latency_read_speed(latency, 0, &speed) == NETCLOCK_OK);
    EXPECT(speed.is_hiding == 0 && speed.scale == 1.0 && speed.done == 0 && speed.remaining == 0);

    for (number = 0; number < 1200; number++) {
        const int is_longer = number >= 400 && number < 800;
        sent = number * SECOND / 4;
        received = sent + 20 * MILLISECOND + jitter(number) + (is_longer ? 40 * MILLISECOND : 0);
        now = received + 30 * MILLISECOND + jitter(number + 500);
        EXPECT(netclock_client_handle_exchange(client, sent, received + AHEAD, received + AHEAD, now, 7) == NETCLOCK_OK);
        EXPECT(netclock_latency_follow(latency, client) == NETCLOCK_OK);
        EXPECT(netclock_latency_follow(latency, client) == NETCLOCK_NOTHING_NEW);
        while ((status = netclock_latency_next_change(latency, &change)) == NETCLOCK_OK) {
            const int64_t by = change.after - change.before;
            changes++;
            EXPECT(change.direction == NETCLOCK_TO_SERVER && change.confidence > 0.9 && change.confidence <= 1.0);
            EXPECT(changes == 1 ? number >= 400 && number < 412 : number >= 800 && number < 812);
            EXPECT((changes == 1 ? by : -by) > 37 * MILLISECOND && (changes == 1 ? by : -by) < 43 * MILLISECOND);
            EXPECT(change.found == now && change.since <= now && change.since >= now - 3 * SECOND);
        }
        EXPECT(status == NETCLOCK_NO_CHANGE);
        EXPECT(netclock_latency_read_speed(latency, now, &speed) == NETCLOCK_OK);
        EXPECT(speed.scale >= 0.95 - 1e-9 && speed.scale <= 1.05 + 1e-9);
        /* The distance to the copy on the server, once a change is hidden, is what it was. */
        if (number == 799) {
            done = speed.done;
            EXPECT(changes == 1 && speed.is_hiding == 0 && done < -38 * MILLISECOND && done > -42 * MILLISECOND);
        }
    }
    EXPECT(changes == 2 && speed.scale == 1.0 && speed.remaining == 0);
    EXPECT(speed.done > -2 * MILLISECOND && speed.done < 2 * MILLISECOND);
    EXPECT(netclock_latency_read(latency, &levels) == NETCLOCK_OK);
    EXPECT(levels.to_server - levels.least_to_server < 3 * MILLISECOND && levels.least_to_server > 10 * MILLISECOND);
    EXPECT(levels.to_server + levels.to_client > 50 * MILLISECOND);
    EXPECT(levels.to_server + levels.to_client < 54 * MILLISECOND && levels.least_to_client <= levels.to_client);

    /* The same by stamps; and what is refused. */
    EXPECT(netclock_client_read(client, now, &reading) == NETCLOCK_OK);
    sent = now + SECOND;
    received = sent + AHEAD + 20 * MILLISECOND;
    EXPECT(netclock_latency_learn(latency, sent, received, received, sent + 50 * MILLISECOND,
                                  received + 30 * MILLISECOND, reading.epoch) == NETCLOCK_OK);
    EXPECT(netclock_latency_learn(latency, sent, received, received, now, received, reading.epoch)
           == NETCLOCK_TIME_WENT_BACKWARDS);
    EXPECT(netclock_latency_learn(latency, sent, received, received, sent + 2 * SECOND, received - 100 * SECOND,
                                  reading.epoch) == NETCLOCK_OUT_OF_RANGE);
    EXPECT(netclock_latency_destroy(latency) == NETCLOCK_OK);
    EXPECT(netclock_client_destroy(client) == NETCLOCK_OK);
    return 0;
}
