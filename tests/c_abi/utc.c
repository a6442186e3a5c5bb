/* The server's UTC: a claim by hand and by datagrams, a step of UTC, a restart, and what is unknown. */

#include <string.h>

#include "check.h"
#include "netclock/netclock_utc.h"

#define EPOCH 7
/* Some day, in ticks since 1970. */
#define DAY INT64_C(17000000000000000)

int main(void)
{
    netclock_utc_publisher_config config = {0};
    netclock_utc_claim claim = {0};
    netclock_utc_reading shown = {0};
    netclock_reading now = {0};
    netclock_utc_publisher *publisher = NULL;
    netclock_server_utc *view = NULL;
    unsigned char request[NETCLOCK_UTC_DATAGRAM_SIZE], reply[NETCLOCK_UTC_DATAGRAM_SIZE];
    int64_t local = 0, utc = 0, uncertainty = 0, jump = -1, at = 0;

    claim.struct_size = sizeof claim;
    config.struct_size = sizeof config;
    shown.struct_size = sizeof shown;
    now.struct_size = sizeof now;
    now.error_bound = 20 * MILLISECOND;
    now.server_epoch = EPOCH;
    now.state = NETCLOCK_STATE_SYNCED;

    /* This machine's clocks: a local time between two others, and a UTC after 2020. */
    at = netclock_monotonic_now();
    EXPECT(netclock_utc_now(&local, &utc, &uncertainty) == NETCLOCK_OK);
    EXPECT(local >= at && local <= netclock_monotonic_now() && uncertainty > 0);
    EXPECT(utc > INT64_C(1577836800) * SECOND && utc < INT64_C(253402300800) * SECOND);

    config.refresh = SECOND / 2;
    EXPECT(netclock_utc_publisher_create(&config, EPOCH, &publisher) == NETCLOCK_BAD_CONFIG && publisher == NULL);
    EXPECT(netclock_utc_publisher_create(NULL, EPOCH, &publisher) == NETCLOCK_OK);
    EXPECT(netclock_server_utc_create(0, 0, &view) == NETCLOCK_BAD_CONFIG && view == NULL);
    EXPECT(netclock_server_utc_create(1, 2, &view) == NETCLOCK_OK);

    /* The client asks; a server that knows no UTC is silent, and nothing is shown. */
    EXPECT(netclock_server_utc_request(view, SECOND, EPOCH, request, sizeof request) == NETCLOCK_OK);
    EXPECT(netclock_server_utc_request(view, SECOND, EPOCH, reply, sizeof reply) == NETCLOCK_NOTHING_DUE);
    EXPECT(netclock_utc_publisher_respond(publisher, request, sizeof request, reply, sizeof reply) == NETCLOCK_NO_UTC);
    EXPECT(netclock_utc_publisher_newest(publisher, &claim) == NETCLOCK_NO_UTC);
    EXPECT(netclock_server_utc_read(view, &now, &shown) == NETCLOCK_NO_UTC && shown.utc == 0);
    EXPECT(netclock_server_utc_server_time_at(view, EPOCH, DAY, &at) == NETCLOCK_NO_UTC);

    /* It learns its UTC, within 2 ms, and answers. The tolerance of 1 ms is added. */
    EXPECT(netclock_utc_publisher_observe(publisher, 100 * SECOND, DAY + 100 * SECOND, 2 * MILLISECOND, &claim) == NETCLOCK_OK);
    EXPECT(claim.version == 1 && claim.zero == DAY && claim.read == 100 * SECOND && claim.server_epoch == EPOCH);
    EXPECT(claim.bound == 3 * MILLISECOND && claim.drift_ppm == 50);
    EXPECT(netclock_utc_publisher_respond(publisher, request, sizeof request, reply, sizeof reply) == NETCLOCK_OK);
    reply[8] ^= 1;
    EXPECT(netclock_server_utc_handle_reply(view, reply, sizeof reply, SECOND, &jump) == NETCLOCK_UNKNOWN_REQUEST);
    reply[8] ^= 1;
    EXPECT(netclock_server_utc_handle_reply(view, reply, sizeof reply, SECOND, &jump) == NETCLOCK_OK && jump == 0);
    EXPECT(netclock_server_utc_handle_reply(view, reply, sizeof reply, SECOND, &jump) == NETCLOCK_UNKNOWN_REQUEST);
    EXPECT(netclock_server_utc_insert(view, &claim, &jump) == NETCLOCK_SAME_UTC);

    now.server_time = 200 * SECOND;
    EXPECT(netclock_server_utc_read(view, &now, &shown) == NETCLOCK_OK);
    EXPECT(shown.utc == DAY + 200 * SECOND && shown.version == 1);
    /* 20 ms of the clock, 3 ms of the claim, and 50 ppm of 100.02 s. */
    EXPECT(shown.error_bound == 28 * MILLISECOND + 10);
    EXPECT(netclock_server_utc_server_time_at(view, EPOCH, shown.utc + 3600 * SECOND, &at) == NETCLOCK_OK);
    EXPECT(at == 3800 * SECOND);

    /* An hour later somebody sets the server's clock back by an hour, and nobody states a bound any more. */
    EXPECT(netclock_utc_publisher_observe(publisher, 100 * SECOND + 1, DAY, 0, &claim) == NETCLOCK_NOTHING_DUE);
    EXPECT(netclock_utc_publisher_observe(publisher, 3700 * SECOND, DAY + 100 * SECOND, NETCLOCK_UNBOUNDED, &claim) == NETCLOCK_OK);
    EXPECT(claim.version == 2 && claim.bound == NETCLOCK_UNBOUNDED);
    EXPECT(netclock_server_utc_insert(view, &claim, &jump) == NETCLOCK_OK && jump == -3600 * SECOND);
    now.server_time = 3701 * SECOND;
    EXPECT(netclock_server_utc_read(view, &now, &shown) == NETCLOCK_OK);
    EXPECT(shown.utc == DAY + 101 * SECOND && shown.error_bound == NETCLOCK_UNBOUNDED && shown.version == 2);
    EXPECT(netclock_server_utc_server_time_at(view, EPOCH, claim.zero, &at) == NETCLOCK_OK && at == 0);

    /* What is refused. */
    claim.version = 1;
    EXPECT(netclock_server_utc_insert(view, &claim, &jump) == NETCLOCK_UTC_OUTDATED);
    claim.version = 2 + 1000;
    EXPECT(netclock_server_utc_insert(view, &claim, &jump) == NETCLOCK_UTC_LEAP);
    claim.version = 2;
    claim.zero++;
    EXPECT(netclock_server_utc_insert(view, &claim, &jump) == NETCLOCK_UTC_CONFLICT && jump == -3600 * SECOND);

    /* Another run of the server's clock has another UTC. */
    now.server_epoch = EPOCH + 1;
    EXPECT(netclock_server_utc_read(view, &now, &shown) == NETCLOCK_NO_UTC);
    EXPECT(netclock_server_utc_request(view, 2 * SECOND, EPOCH + 1, request, sizeof request) == NETCLOCK_OK);
    now.state = NETCLOCK_STATE_UNSYNCED;
    EXPECT(netclock_server_utc_read(view, &now, &shown) == NETCLOCK_NOT_SYNCED);

    EXPECT(netclock_utc_publisher_destroy(publisher) == NETCLOCK_OK);
    EXPECT(netclock_server_utc_destroy(view) == NETCLOCK_OK);
    return 0;
}
