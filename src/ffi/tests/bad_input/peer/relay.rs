//! The relay between peers.

use super::*;

pub(crate) fn rows(table: &mut Table) {
    relay_create_rows(table);
    relay_rows(table);
}

fn relay_create_rows(table: &mut Table) {
    const CREATE: &str = "netclock_relay_create";
    type Change = fn(&mut NetclockRelayConfig);
    let changes: [(&str, &str, i32, Change); 16] = [
        ("config->struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 0),
        ("config->struct_size", "39", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 39),
        ("config->struct_size", "UINT32_MAX", NETCLOCK_UNKNOWN_STRUCT, |config| {
            config.struct_size = u32::MAX
        }),
        ("config->games", "257", NETCLOCK_BAD_CONFIG, |config| config.games = 257),
        ("config->games", "UINT32_MAX", NETCLOCK_BAD_CONFIG, |config| config.games = u32::MAX),
        ("config->slots", "1", NETCLOCK_BAD_CONFIG, |config| config.slots = 1),
        ("config->slots", "65", NETCLOCK_BAD_CONFIG, |config| config.slots = 65),
        ("config->players", "9 of 8 slots", NETCLOCK_BAD_CONFIG, |config| config.players = 9),
        ("config->silence", "999 ms", NETCLOCK_BAD_CONFIG, |config| config.silence = 999 * MILLISECOND),
        ("config->silence", "61 s", NETCLOCK_BAD_CONFIG, |config| config.silence = 61 * SECOND),
        ("config->patience", "-1", NETCLOCK_BAD_CONFIG, |config| config.patience = -1),
        ("config->patience", "601 s", NETCLOCK_BAD_CONFIG, |config| config.patience = 601 * SECOND),
        ("config->budget", "999", NETCLOCK_BAD_CONFIG, |config| config.budget = 999),
        ("config->budget", "10^7 + 1", NETCLOCK_BAD_CONFIG, |config| config.budget = 10_000_001),
        ("config->queue", "2063", NETCLOCK_BAD_CONFIG, |config| config.queue = 2063),
        ("config->queue", "2^16 + 1", NETCLOCK_BAD_CONFIG, |config| config.queue = (1 << 16) + 1),
    ];
    // SAFETY: pointers are null, or lead to settings of the size they state, or one that is refused, and to
    // room.
    unsafe {
        for (argument, value, status, change) in changes {
            let mut config = NetclockRelayConfig::zero();
            change(&mut config);
            table.refuses([CREATE, argument, value], status, |b| {
                netclock_relay_create(&raw const config, 1, 2, b.out())
            });
        }
        table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_relay_create(ptr::null(), 0, 0, b.out())
        });
        table.refuses([CREATE, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_relay_create(ptr::null(), 1, 2, ptr::null_mut())
        });
    }
}

fn relay_rows(table: &mut Table) {
    const DESTROY: &str = "netclock_relay_destroy";
    const RECEIVE: &str = "netclock_relay_receive";
    const DISCONNECT: &str = "netclock_relay_disconnect";
    const NEXT: &str = "netclock_relay_next_message";
    const HAS_SLOT: &str = "netclock_relay_has_slot";
    const GAME_STATE: &str = "netclock_relay_read_game";
    let given: *const c_void = REQUEST.as_ptr().cast();
    let poisoned = |stage: &Stage| {
        stage.poison();
        stage.relay
    };
    // SAFETY: null, live handles, and room for as much as is stated, or a size that is refused.
    unsafe {
        table.call([DESTROY, "relay", "null"], NETCLOCK_OK, UNHANDLED, |_| {
            netclock_relay_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "relay", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_relay_destroy(b.client.cast())
        });
        refuses(table, [RECEIVE, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_relay_receive(ptr::null_mut(), 9, given, 36, 0)
        });
        refuses(table, [RECEIVE, "relay", "a poisoned one"], NETCLOCK_POISONED, |_, s| {
            netclock_relay_receive(poisoned(s), 9, given, 92, 0)
        });
        refuses(table, [RECEIVE, "connection", "one without a slot"], NETCLOCK_NOT_LOGGED_IN, |_, s| {
            netclock_relay_receive(s.relay, 9, given, 92, 0)
        });
        refuses(table, [RECEIVE, "message", "null"], NETCLOCK_NULL_ARGUMENT, |_, s| {
            netclock_relay_receive(s.relay, 9, ptr::null(), 92, 0)
        });
        for (text, length) in [("0", 0), ("3", 3), ("35", 35), ("1025", 1025), ("SIZE_MAX", usize::MAX)] {
            refuses(table, [RECEIVE, "length", text], NETCLOCK_MESSAGE_SIZE, |_, s| {
                netclock_relay_receive(s.relay, 9, given, length, 0)
            });
        }
        for (text, bad) in NO_INSTANTS {
            refuses(table, [RECEIVE, "received", text], NETCLOCK_TIME_OUT_OF_RANGE, |_, s| {
                netclock_relay_receive(s.relay, 9, given, 92, bad)
            });
        }
        refuses(table, [DISCONNECT, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_relay_disconnect(ptr::null_mut(), 0, 0)
        });
        refuses(table, [DISCONNECT, "relay", "a poisoned one"], NETCLOCK_POISONED, |_, s| {
            netclock_relay_disconnect(poisoned(s), 0, 0)
        });
        refuses(table, [DISCONNECT, "connection", "one without a slot"], NETCLOCK_NOT_LOGGED_IN, |_, s| {
            netclock_relay_disconnect(s.relay, 9, 0)
        });
        for (text, bad) in NO_INSTANTS {
            refuses(table, [DISCONNECT, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |_, s| {
                netclock_relay_disconnect(s.relay, 0, bad)
            });
        }
        refuses(table, [HAS_SLOT, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_relay_has_slot(ptr::null_mut(), 0)
        });
        refuses(table, [HAS_SLOT, "relay", "a poisoned one"], NETCLOCK_POISONED, |_, s| {
            netclock_relay_has_slot(poisoned(s), 0)
        });
        refuses(table, [HAS_SLOT, "connection", "one without a slot"], NETCLOCK_NOT_LOGGED_IN, |_, s| {
            assert_eq!(netclock_relay_has_slot(s.relay, 0).0, NETCLOCK_OK);
            netclock_relay_has_slot(s.relay, 9)
        });
        refuses(table, [NEXT, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_relay_next_message(ptr::null_mut(), 0, b.out(), b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "relay", "a poisoned one"], NETCLOCK_POISONED, |b, s| {
            netclock_relay_next_message(poisoned(s), 0, b.out(), b.out(), ROOM, b.out())
        });
        for (text, bad) in NO_INSTANTS {
            refuses(table, [NEXT, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b, s| {
                netclock_relay_next_message(s.relay, bad, b.out(), b.out(), ROOM, b.out())
            });
        }
        refuses(table, [NEXT, "connection", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_relay_next_message(s.relay, 0, ptr::null_mut(), b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_relay_next_message(s.relay, 0, b.out(), ptr::null_mut(), ROOM, b.out())
        });
        refuses(table, [NEXT, "capacity", "1023"], NETCLOCK_WIRE_LENGTH, |b, s| {
            netclock_relay_next_message(s.relay, 0, b.out(), b.out(), ROOM - 1, b.out())
        });
        refuses(table, [NEXT, "length", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_relay_next_message(s.relay, 0, b.out(), b.out(), ROOM, ptr::null_mut())
        });
        refuses(table, [GAME_STATE, "relay", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_relay_read_game(ptr::null_mut(), 7, b.sized(40))
        });
        refuses(table, [GAME_STATE, "relay", "a poisoned one"], NETCLOCK_POISONED, |b, s| {
            netclock_relay_read_game(poisoned(s), 7, b.sized(40))
        });
        refuses(table, [GAME_STATE, "game", "one that nobody plays"], NETCLOCK_NO_GAME, |b, s| {
            netclock_relay_read_game(s.relay, 8, b.sized(40))
        });
        refuses(table, [GAME_STATE, "state", "null"], NETCLOCK_NULL_ARGUMENT, |_, s| {
            netclock_relay_read_game(s.relay, 7, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("39", 39), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            refuses(table, [GAME_STATE, "state->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, s| {
                netclock_relay_read_game(s.relay, 7, b.sized(size))
            });
        }
    }
}
