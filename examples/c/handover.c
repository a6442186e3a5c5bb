/* handover: the host of a game fails, and a player becomes the new host. All clocks continue the old host's
   time. A game would send the messages. */
#include <stdio.h>

#include <netclock/netclock_handover.h>

#define MS INT64_C(10000)
#define WAY (15 * MS)            /* one-way delay between any two machines */
#define OLD_HOST (7200000 * MS)  /* the old host's clock minus the common local time */

/* Makes an exchange between a player and the host of this epoch, whose clock is ahead by this much. */
static void ask(netclock_client *player, uint64_t epoch, int64_t ahead, int64_t now)
{
    netclock_request request = {.struct_size = sizeof request};
    netclock_reply reply = {.struct_size = sizeof reply};
    if (netclock_client_make_request(player, now, &request) != NETCLOCK_OK) {
        return;
    }
    reply.id = request.id;
    reply.epoch = epoch;
    reply.received = reply.sent = now + WAY + ahead;
    netclock_client_handle_reply(player, &reply, now + 2 * WAY);
}

int main(void)
{
    netclock_client *new_host = NULL, *player = NULL;
    netclock_reading own = {.struct_size = sizeof own};
    netclock_authority authority = {.struct_size = sizeof authority};
    netclock_event event = {.struct_size = sizeof event};
    int64_t now = 0, offset = 0, shown = 0, last = 0;
    int turn;

    /* A game generates random seeds. */
    if (netclock_client_create(NULL, 1, 2, &new_host) != NETCLOCK_OK ||
        netclock_client_create(NULL, 3, 4, &player) != NETCLOCK_OK) {
        return 1;
    }
    for (turn = 0; turn < 50; turn++, now += 100 * MS) {
        ask(new_host, 1, OLD_HOST, now);
        ask(player, 1, OLD_HOST, now);
    }

    /* The old host has failed. The new host timestamps replies with its own clock plus this offset. The
       offset may be wrong by the bound of the reading, so the new host adds that bound to the dispersion. */
    if (netclock_client_read(new_host, now, &own) != NETCLOCK_OK ||
        netclock_client_authority(new_host, now, &authority) != NETCLOCK_OK) {
        return 1;
    }
    offset = own.server_time - now;
    authority.epoch = 2; /* draw it at random, also for netclock_server_create */
    authority.dispersion += own.error_bound;
    printf("the old clock is within %.1f ms\n", (double)authority.dispersion / (double)MS);

    if (netclock_client_set_authority(player, &authority, now) != NETCLOCK_OK ||
        netclock_client_current_server_time(player, now, &last) != NETCLOCK_OK) {
        return 1;
    }
    for (turn = 0; turn < 50; turn++, now += 100 * MS) {
        ask(player, 2, offset, now);
        if (netclock_client_current_server_time(player, now + 2 * WAY, &shown) != NETCLOCK_OK ||
            shown < last) {
            return 1;
        }
        last = shown;
    }
    while (netclock_client_next_event(player, &event) == NETCLOCK_OK) {
        if (event.kind == NETCLOCK_EVENT_HANDED_OVER) {
            printf("the player goes on: no jump, the same epoch\n");
        }
    }
    netclock_client_destroy(new_host);
    netclock_client_destroy(player);
    return 0;
}
