//! Relay, peers and their streams. What a refused message changes in them `tests/library/peer.rs` looks at;
//! here it is their state to the last bit.

use core::ffi::c_void;
use core::ptr;
use std::panic::resume_unwind;

use super::super::{MILLISECOND, SECOND};
use super::bench::Bench;
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::clock::client::config::NetclockConfig;
use crate::ffi::game::peer::handle::*;
use crate::ffi::game::peer::relay::*;
use crate::ffi::game::peer::stream::*;
use crate::ffi::tests::statuses::*;

pub(super) mod relay;

const ROOM: usize = NETCLOCK_MAX_MESSAGE_SIZE;
const UNHANDLED: Effect = Effect::Answered("does nothing");
/// A message that is whole, and that nobody without a slot may send.
const REQUEST: [u8; 92] = {
    let mut bytes = [0; 92];
    (bytes[1], bytes[3]) = (0x12, 92);
    bytes
};

/// Two peers who play at a relay, peer 1 as the primary, and a decoder.
struct Stage {
    relay: *mut NetclockRelay,
    peers: [*mut NetclockPeer; 2],
    frames: *mut NetclockStream,
}

impl Stage {
    fn new() -> Self {
        let mut stage =
            Stage { relay: ptr::null_mut(), peers: [ptr::null_mut(); 2], frames: ptr::null_mut() };
        let config = NetclockRelayConfig { games: 1, slots: 2, ..NetclockRelayConfig::zero() };
        // SAFETY: whole configurations, and room for handles.
        unsafe {
            let relay = netclock_relay_create(&raw const config, 1, 2, &raw mut stage.relay);
            assert_eq!(relay.0, NETCLOCK_OK);
            for (number, peer) in (0..).zip(&mut stage.peers) {
                assert_eq!(netclock_peer_create(ptr::null(), 7, 1, number, peer).0, NETCLOCK_OK);
            }
            assert_eq!(netclock_stream_create(&raw mut stage.frames).0, NETCLOCK_OK);
        }
        for at in (0..2 * SECOND).step_by(10 * MILLISECOND as usize) {
            stage.step(at);
        }
        stage
    }

    /// Delivers what is due, at once.
    fn step(&self, now: i64) {
        let (mut bytes, mut length, mut to) = ([0_u8; ROOM], 0, 0);
        let message: *mut c_void = bytes.as_mut_ptr().cast();
        let mut game = NetclockPeerGameMessage::zero();
        // SAFETY: live handles, and room for outputs.
        unsafe {
            for (number, &peer) in (0..).zip(&self.peers) {
                assert_eq!(netclock_peer_tick(peer, now).0, NETCLOCK_OK);
                while netclock_peer_next_message(peer, now, message, ROOM, &raw mut length).0 == NETCLOCK_OK {
                    netclock_relay_receive(self.relay, number, message, length, now);
                }
            }
            while netclock_relay_next_message(self.relay, now, &raw mut to, message, ROOM, &raw mut length).0
                == NETCLOCK_OK
            {
                let _may_be_bad =
                    netclock_peer_receive(self.peers[to as usize], message, length, now, &raw mut game);
            }
        }
    }

    fn poison(&self) {
        // SAFETY: live handles.
        unsafe {
            owned::change("a_test", self.relay, |_| resume_unwind(Box::new("poisoned")));
            owned::change("a_test", self.frames, |_| resume_unwind(Box::new("poisoned")));
            for peer in self.peers {
                owned::change("a_test", peer, |_| resume_unwind(Box::new("poisoned")));
            }
        }
    }

    fn state(&self) -> String {
        let mut state = String::new();
        // SAFETY: live handles.
        unsafe {
            owned::change("a_test", self.relay, |relay| {
                state += &format!("{relay:?}");
                Ok(())
            });
            for peer in self.peers {
                owned::change("a_test", peer, |peer| {
                    state += &format!("{peer:?}");
                    Ok(())
                });
            }
        }
        state
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: created by `new`, unless a test destroyed them, which is noticed.
        unsafe {
            netclock_relay_destroy(self.relay);
            netclock_stream_destroy(self.frames);
            for peer in self.peers {
                netclock_peer_destroy(peer);
            }
        }
    }
}

/// As [`Table::refuses`], on relay and peers, of which nothing may change.
fn refuses(
    table: &mut Table,
    row: [&'static str; 3],
    expected: i32,
    call: impl FnOnce(&mut Bench, &Stage) -> NetclockStatus,
) {
    table.refuses(row, expected, |bench| {
        let stage = Stage::new();
        let before = stage.state();
        let status = call(bench, &stage);
        if expected != NETCLOCK_POISONED {
            assert!(stage.state() == before, "{row:?} changed the relay or a peer");
        }
        status
    });
}

pub(super) fn rows(table: &mut Table) {
    frames_rows(table);
    peer_create_rows(table);
    peer_rows(table);
    peer_message_rows(table);
}

fn frames_rows(table: &mut Table) {
    const CREATE: &str = "netclock_stream_create";
    const DESTROY: &str = "netclock_stream_destroy";
    const PUSH: &str = "netclock_stream_push";
    const NEXT: &str = "netclock_stream_next";
    let bytes = [0_u8; 8];
    let given: *const c_void = bytes.as_ptr().cast();
    let poisoned = |stage: &Stage| {
        stage.poison();
        stage.frames
    };
    // SAFETY: null, live handles, and room for as much as is stated.
    unsafe {
        table.refuses([CREATE, "stream", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_stream_create(ptr::null_mut())
        });
        table.call([DESTROY, "stream", "null"], NETCLOCK_OK, UNHANDLED, |_| {
            netclock_stream_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "stream", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_stream_destroy(b.client.cast())
        });
        refuses(table, [PUSH, "stream", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_stream_push(ptr::null_mut(), given, 8, b.out())
        });
        refuses(table, [PUSH, "stream", "a poisoned one"], NETCLOCK_POISONED, |b, s| {
            netclock_stream_push(poisoned(s), given, 8, b.out())
        });
        refuses(table, [PUSH, "stream", "after an impossible size"], NETCLOCK_STREAM_BROKEN, |b, s| {
            break_stream(s, given);
            netclock_stream_push(s.frames, given, 8, b.out())
        });
        refuses(table, [PUSH, "bytes", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_stream_push(s.frames, ptr::null(), 8, b.out())
        });
        refuses(table, [PUSH, "taken", "null"], NETCLOCK_NULL_ARGUMENT, |_, s| {
            netclock_stream_push(s.frames, given, 8, ptr::null_mut())
        });
        refuses(table, [NEXT, "stream", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_stream_next(ptr::null_mut(), b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "stream", "a poisoned one"], NETCLOCK_POISONED, |b, s| {
            netclock_stream_next(poisoned(s), b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "stream", "an impossible size came"], NETCLOCK_MESSAGE_SIZE, |b, s| {
            let mut taken = 0;
            assert_eq!(netclock_stream_push(s.frames, given, 8, &raw mut taken).0, NETCLOCK_OK);
            netclock_stream_next(s.frames, b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "stream", "after that"], NETCLOCK_STREAM_BROKEN, |b, s| {
            break_stream(s, given);
            netclock_stream_next(s.frames, b.out(), ROOM, b.out())
        });
        refuses(table, [NEXT, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_stream_next(s.frames, ptr::null_mut(), ROOM, b.out())
        });
        refuses(table, [NEXT, "capacity", "1023"], NETCLOCK_WIRE_LENGTH, |b, s| {
            netclock_stream_next(s.frames, b.out(), ROOM - 1, b.out())
        });
        refuses(table, [NEXT, "length", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_stream_next(s.frames, b.out(), ROOM, ptr::null_mut())
        });
    }
}

/// Eight zero bytes say that a message is none long.
fn break_stream(stage: &Stage, zeros: *const c_void) {
    let (mut bytes, mut length) = ([0_u8; ROOM], 0);
    // SAFETY: a live decoder, eight bytes, and room for outputs.
    unsafe {
        assert_eq!(netclock_stream_push(stage.frames, zeros, 8, &raw mut length).0, NETCLOCK_OK);
        let status = netclock_stream_next(stage.frames, bytes.as_mut_ptr().cast(), ROOM, &raw mut length);
        assert_eq!(status.0, NETCLOCK_MESSAGE_SIZE);
    }
}

fn peer_create_rows(table: &mut Table) {
    const CREATE: &str = "netclock_peer_create";
    let mut config = NetclockConfig::zero();
    // SAFETY: pointers are null, or lead to settings of the size they state, or one that is refused, and to
    // room.
    unsafe {
        config.struct_size = 0;
        table.refuses([CREATE, "config->struct_size", "0"], NETCLOCK_UNKNOWN_STRUCT, |b| {
            netclock_peer_create(&raw const config, 7, 1, 2, b.out())
        });
        config = NetclockConfig { max_slew: 0.6, ..NetclockConfig::zero() };
        table.refuses([CREATE, "config->max_slew", "0.6"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_peer_create(&raw const config, 7, 1, 2, b.out())
        });
        table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_peer_create(ptr::null(), 7, 0, 0, b.out())
        });
        table.refuses([CREATE, "peer", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_peer_create(ptr::null(), 7, 1, 2, ptr::null_mut())
        });
    }
}

/// A call on a peer that is none, and on one that is of no use.
fn peer_is_checked(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockPeer) -> NetclockStatus,
) {
    refuses(table, [function, "peer", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| call(b, ptr::null_mut()));
    refuses(table, [function, "peer", "a poisoned one"], NETCLOCK_POISONED, |b, s| {
        s.poison();
        call(b, s.peers[1])
    });
}

fn peer_rows(table: &mut Table) {
    const DESTROY: &str = "netclock_peer_destroy";
    const TICK: &str = "netclock_peer_tick";
    const READ: &str = "netclock_peer_read";
    // SAFETY: null, live handles, and room for as much as is stated, or a size that is refused.
    unsafe {
        table.call([DESTROY, "peer", "null"], NETCLOCK_OK, UNHANDLED, |_| {
            netclock_peer_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "peer", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_peer_destroy(b.client.cast())
        });
        peer_is_checked(table, "netclock_peer_leave", |_, peer| netclock_peer_leave(peer));
        peer_is_checked(table, TICK, |_, peer| netclock_peer_tick(peer, 2 * SECOND));
        for (text, bad) in NO_INSTANTS {
            refuses(table, [TICK, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |_, s| {
                netclock_peer_tick(s.peers[1], bad)
            });
        }
        let row = [TICK, "now", "a tick before the last"];
        refuses(table, row, NETCLOCK_TIME_WENT_BACKWARDS, |_, s| {
            netclock_peer_tick(s.peers[1], 2 * SECOND - 10 * MILLISECOND - 1)
        });
        peer_is_checked(table, READ, |b, peer| netclock_peer_read(peer, 0, b.sized(80)));
        for (text, bad) in NO_INSTANTS {
            refuses(table, [READ, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b, s| {
                netclock_peer_read(s.peers[1], bad, b.sized(80))
            });
        }
        refuses(table, [READ, "reading", "null"], NETCLOCK_NULL_ARGUMENT, |_, s| {
            netclock_peer_read(s.peers[1], 0, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("79", 79), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            refuses(table, [READ, "reading->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, s| {
                netclock_peer_read(s.peers[1], 0, b.sized(size))
            });
        }
    }
}

fn peer_message_rows(table: &mut Table) {
    const RECEIVE: &str = "netclock_peer_receive";
    const NEXT: &str = "netclock_peer_next_message";
    const STAMP: &str = "netclock_peer_stamp";
    let given: *const c_void = REQUEST.as_ptr().cast();
    // SAFETY: null, live handles, and room for as much as is stated, or a size that is refused.
    unsafe {
        peer_is_checked(table, RECEIVE, |b, peer| {
            netclock_peer_receive(peer, REQUEST.as_ptr().cast(), 92, 0, b.sized(24))
        });
        refuses(table, [RECEIVE, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_receive(s.peers[1], ptr::null(), 92, 0, b.sized(24))
        });
        refuses(table, [RECEIVE, "message", "without the peer's key"], NETCLOCK_WRONG_KEY, |b, s| {
            netclock_peer_receive(s.peers[1], given, 92, 0, b.sized(24))
        });
        for (text, length) in [("0", 0), ("3", 3), ("35", 35), ("1025", 1025), ("SIZE_MAX", usize::MAX)] {
            refuses(table, [RECEIVE, "length", text], NETCLOCK_MESSAGE_SIZE, |b, s| {
                netclock_peer_receive(s.peers[1], given, length, 0, b.sized(24))
            });
        }
        for (text, bad) in NO_INSTANTS {
            refuses(table, [RECEIVE, "arrived", text], NETCLOCK_TIME_OUT_OF_RANGE, |b, s| {
                netclock_peer_receive(s.peers[1], given, 92, bad, b.sized(24))
            });
        }
        refuses(table, [RECEIVE, "message", "the game's, before a login"], NETCLOCK_NOT_LOGGED_IN, |b, _| {
            let mut peer = ptr::null_mut();
            assert_eq!(netclock_peer_create(ptr::null(), 7, 1, 9, &raw mut peer).0, NETCLOCK_OK);
            let game: [u8; 20] = core::array::from_fn(|at| [1, 0, 0, 20].get(at).copied().unwrap_or(0));
            let status = netclock_peer_receive(peer, game.as_ptr().cast(), 20, 0, b.sized(24));
            assert_eq!(netclock_peer_destroy(peer).0, NETCLOCK_OK);
            status
        });
        refuses(table, [RECEIVE, "game", "null"], NETCLOCK_NULL_ARGUMENT, |_, s| {
            netclock_peer_receive(s.peers[1], given, 92, 0, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("23", 23), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            refuses(table, [RECEIVE, "game->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, s| {
                netclock_peer_receive(s.peers[1], given, 92, 0, b.sized(size))
            });
        }
        peer_is_checked(table, NEXT, |b, peer| netclock_peer_next_message(peer, 0, b.out(), ROOM, b.out()));
        refuses(table, [NEXT, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_next_message(s.peers[1], 0, ptr::null_mut(), ROOM, b.out())
        });
        refuses(table, [NEXT, "capacity", "1023"], NETCLOCK_WIRE_LENGTH, |b, s| {
            netclock_peer_next_message(s.peers[1], 0, b.out(), ROOM - 1, b.out())
        });
        refuses(table, [NEXT, "length", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_next_message(s.peers[1], 0, b.out(), ROOM, ptr::null_mut())
        });
        peer_is_checked(table, STAMP, |b, peer| {
            netclock_peer_stamp(peer, 0, 256, ptr::null(), 0, b.out(), ROOM, b.out())
        });
        for (text, id) in [("0", 0), ("255", 255)] {
            refuses(table, [STAMP, "id", text], NETCLOCK_MESSAGE_UNKNOWN, |b, s| {
                netclock_peer_stamp(s.peers[1], 0, id, given, 36, b.out(), ROOM, b.out())
            });
        }
        refuses(table, [STAMP, "data", "null, but not empty"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_stamp(s.peers[1], 0, 256, ptr::null(), 1, b.out(), ROOM, b.out())
        });
        for (text, length) in [("1025", 1025), ("SIZE_MAX", usize::MAX)] {
            refuses(table, [STAMP, "length", text], NETCLOCK_MESSAGE_SIZE, |b, s| {
                netclock_peer_stamp(s.peers[1], 0, 256, given, length, b.out(), ROOM, b.out())
            });
        }
        refuses(table, [STAMP, "message", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_stamp(s.peers[1], 0, 256, given, 36, ptr::null_mut(), ROOM, b.out())
        });
        refuses(table, [STAMP, "capacity", "1023"], NETCLOCK_WIRE_LENGTH, |b, s| {
            netclock_peer_stamp(s.peers[1], 0, 256, given, 36, b.out(), ROOM - 1, b.out())
        });
        refuses(table, [STAMP, "written", "null"], NETCLOCK_NULL_ARGUMENT, |b, s| {
            netclock_peer_stamp(s.peers[1], 0, 256, given, 36, b.out(), ROOM, ptr::null_mut())
        });
    }
}
