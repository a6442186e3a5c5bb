/* Calls X for each handle type with an expression that creates a handle in `it`. */
#ifndef NETCLOCK_TESTS_HANDLES_H
#define NETCLOCK_TESTS_HANDLES_H

#include "check.h"
#include "netclock/netclock_link.h"
#include "netclock/netclock_saved.h"
#include "netclock/netclock_order.h"
#include "netclock/netclock_peer.h"
#include "netclock/netclock_session.h"

static netclock_relay_config two_games = {.struct_size = sizeof two_games, .games = 2, .slots = 3};

#define HANDLES(X)                                                \
    X(client, netclock_client_create(NULL, 1, 2, &it))            \
    X(server, netclock_server_create(1, &it))                     \
    X(relay, netclock_relay_create(&two_games, 1, 2, &it))        \
    X(peer, netclock_peer_create(NULL, 1, 2, 3, &it))             \
    X(host, netclock_host_create(NULL, 1, 2, 3, &it))             \
    X(guest, netclock_guest_create(NULL, NULL, 1, 2, &it))

#endif
