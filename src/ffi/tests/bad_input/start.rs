//! Scheduled starts and beats. What a refusal changes in an organiser or a participant, beside outputs,
//! `tests/library/start.rs` looks at.

use core::ptr;
use std::panic::resume_unwind;

use super::super::SECOND;
use super::bench::{Bench, poisoned_client};
use super::client::NO_INSTANTS;
use super::table::{Effect, Table};
use crate::ffi::base::growable::Growable;
use crate::ffi::base::owned;
use crate::ffi::game::start::beat::*;
use crate::ffi::game::start::organiser::*;
use crate::ffi::game::start::participant::*;
use crate::ffi::game::start::proposal::{
    NetclockOrganiserConfig, NetclockStartParticipation, NetclockStartProposal, NetclockStartResult,
};
use crate::ffi::tests::statuses::*;

pub(super) mod participant;

/// What no structure of at least 32 bytes says of its size.
const SIZES: [(&str, u32); 4] = [("0", 0), ("31", 31), ("5000", 5000), ("UINT32_MAX", u32::MAX)];
/// Who was admitted.
const ADMITTED: u64 = 5;
const UNHANDLED: Effect = Effect::Answered("does nothing");

/// An organiser with room for two, of whom one was admitted, and a participant.
struct Stage {
    organiser: *mut NetclockOrganiser,
    participant: *mut NetclockParticipant,
}

impl Stage {
    fn new() -> Self {
        let mut stage = Stage { organiser: ptr::null_mut(), participant: ptr::null_mut() };
        let config = NetclockOrganiserConfig { capacity: 2, ..NetclockOrganiserConfig::zero() };
        // SAFETY: a whole configuration, and room for handles.
        unsafe {
            assert_eq!(
                netclock_organiser_create(&raw const config, 7, &raw mut stage.organiser).0,
                NETCLOCK_OK
            );
            assert_eq!(netclock_organiser_admit(stage.organiser, ADMITTED).0, NETCLOCK_OK);
            assert_eq!(netclock_participant_create(9, &raw mut stage.participant).0, NETCLOCK_OK);
        }
        stage
    }

    fn poisoned() -> Self {
        let stage = Self::new();
        // SAFETY: live handles.
        unsafe {
            owned::change("a_test", stage.organiser, |_| resume_unwind(Box::new("poisoned")));
            owned::change("a_test", stage.participant, |_| resume_unwind(Box::new("poisoned")));
        }
        stage
    }

    /// A readiness message of the participant.
    fn message(&self, bench: &Bench) -> [u8; 32] {
        let (mut progress, mut datagram) = (NetclockStartProgress::zero(), [0; 32]);
        // SAFETY: live handles, and room for outputs.
        unsafe {
            let ticked =
                netclock_participant_tick(self.participant, bench.client, bench.now, &raw mut progress);
            assert_eq!(ticked.0, NETCLOCK_OK);
            let made = netclock_participant_next_message(self.participant, datagram.as_mut_ptr().cast(), 32);
            assert_eq!(made.0, NETCLOCK_OK);
        }
        datagram
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: created by `new`, unless a test destroyed them, which is noticed.
        unsafe {
            netclock_organiser_destroy(self.organiser);
            netclock_participant_destroy(self.participant);
        }
    }
}

pub(super) fn rows(table: &mut Table) {
    creation(table);
    admission(table);
    proposals(table);
    messages(table);
    answers(table);
}

/// A handle that is null, and one that is of no use.
fn handle(
    table: &mut Table,
    function: &'static str,
    argument: &'static str,
    call: fn(&mut Bench, &Stage) -> NetclockStatus,
) {
    let none = || Stage { organiser: ptr::null_mut(), participant: ptr::null_mut() };
    table.refuses([function, argument, "null"], NETCLOCK_NULL_ARGUMENT, |b| call(b, &none()));
    table.refuses([function, argument, "a poisoned one"], NETCLOCK_POISONED, |b| call(b, &Stage::poisoned()));
}

fn creation(table: &mut Table) {
    const CREATE: &str = "netclock_organiser_create";
    const DESTROY: &str = "netclock_organiser_destroy";
    type Change = fn(&mut NetclockOrganiserConfig);
    let changes: [(&str, &str, Change); 13] = [
        ("config->capacity", "1025", |c| c.capacity = 1025),
        ("config->capacity", "UINT32_MAX", |c| c.capacity = u32::MAX),
        ("config->patience", "INT64_MIN", |c| c.patience = i64::MIN),
        ("config->patience", "a tick too small", |c| c.patience = SECOND / 10 - 1),
        ("config->patience", "INT64_MAX", |c| c.patience = i64::MAX),
        ("config->max_expected_error", "-1", |c| c.max_expected_error = -1),
        ("config->max_expected_error", "a tick too large", |c| c.max_expected_error = SECOND + 1),
        ("config->interval", "a tick too small", |c| c.interval = SECOND / 200 - 1),
        ("config->interval", "a tick too large", |c| c.interval = SECOND + 1),
        ("config->frame", "-1", |c| c.frame = -1),
        ("config->frame", "a tick too large", |c| c.frame = SECOND + 1),
        ("config->loss", "NaN", |c| c.loss = f64::NAN),
        ("config->loss", "0.91", |c| c.loss = 0.91),
    ];
    // SAFETY: pointers are null, or lead to structures of the size they state and to room for handles; what
    // is no live handle is not looked at.
    unsafe {
        for (text, struct_size) in SIZES {
            let config = NetclockOrganiserConfig { struct_size, ..NetclockOrganiserConfig::zero() };
            table.refuses([CREATE, "config->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_organiser_create(&raw const config, 7, b.out())
            });
        }
        for (argument, text, change) in changes {
            let mut config = NetclockOrganiserConfig::zero();
            change(&mut config);
            table.refuses([CREATE, argument, text], NETCLOCK_BAD_CONFIG, |b| {
                netclock_organiser_create(&raw const config, 7, b.out())
            });
        }
        table.refuses([CREATE, "organiser", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_organiser_create(ptr::null(), 7, ptr::null_mut())
        });
        table.call([DESTROY, "organiser", "null"], NETCLOCK_OK, UNHANDLED, |_| {
            netclock_organiser_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "organiser", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let stage = Stage::new();
            assert_eq!(netclock_organiser_destroy(stage.organiser).0, NETCLOCK_OK);
            netclock_organiser_destroy(stage.organiser)
        });
        table.refuses([DESTROY, "organiser", "a participant"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            netclock_organiser_destroy(Stage::new().participant.cast())
        });
    }
}

fn admission(table: &mut Table) {
    const ADMIT: &str = "netclock_organiser_admit";
    const LEAVE_OUT: &str = "netclock_organiser_remove";
    // SAFETY: handles are null or alive.
    unsafe {
        handle(table, ADMIT, "organiser", |_, s| netclock_organiser_admit(s.organiser, 6));
        table.refuses([ADMIT, "participant", "one admitted before"], NETCLOCK_DUPLICATE, |_| {
            netclock_organiser_admit(Stage::new().organiser, ADMITTED)
        });
        table.refuses([ADMIT, "participant", "one too many"], NETCLOCK_FULL, |_| {
            let stage = Stage::new();
            assert_eq!(netclock_organiser_admit(stage.organiser, 6).0, NETCLOCK_OK);
            netclock_organiser_admit(stage.organiser, 7)
        });
        handle(table, LEAVE_OUT, "organiser", |_, s| netclock_organiser_remove(s.organiser, ADMITTED));
        table.refuses([LEAVE_OUT, "participant", "one not admitted"], NETCLOCK_UNKNOWN_PARTICIPANT, |_| {
            netclock_organiser_remove(Stage::new().organiser, 6)
        });
    }
}

fn proposals(table: &mut Table) {
    const PROPOSE: &str = "netclock_organiser_propose";
    const CANCEL: &str = "netclock_organiser_cancel";
    let confidences: [(&str, f64); 6] = [
        ("NaN", f64::NAN),
        ("-INFINITY", f64::NEG_INFINITY),
        ("0", 0.0),
        ("0.5", 0.5),
        ("1", 1.0),
        ("INFINITY", f64::INFINITY),
    ];
    // SAFETY: pointers are null, or lead to live handles and to room of the size it states.
    unsafe {
        handle(table, PROPOSE, "organiser", |b, s| {
            netclock_organiser_propose(s.organiser, 0, 0.9, b.sized::<NetclockStartProposal>(32))
        });
        for (text, now) in NO_INSTANTS {
            table.refuses([PROPOSE, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_organiser_propose(Stage::new().organiser, now, 0.9, b.sized(32))
            });
        }
        for (text, confidence) in confidences {
            table.refuses([PROPOSE, "confidence", text], NETCLOCK_BAD_CONFIG, |b| {
                netclock_organiser_propose(Stage::new().organiser, 0, confidence, b.sized(32))
            });
        }
        table.refuses([PROPOSE, "proposal", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_organiser_propose(Stage::new().organiser, 0, 0.9, ptr::null_mut())
        });
        for (text, size) in SIZES {
            table.refuses([PROPOSE, "proposal->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_organiser_propose(Stage::new().organiser, 0, 0.9, b.sized(size))
            });
        }
        handle(table, CANCEL, "organiser", |_, s| netclock_organiser_cancel(s.organiser, 0));
        for (text, now) in NO_INSTANTS {
            table.refuses([CANCEL, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_organiser_cancel(Stage::new().organiser, now)
            });
        }
    }
}

fn messages(table: &mut Table) {
    const RECEIVE: &str = "netclock_organiser_receive";
    const NEXT: &str = "netclock_organiser_next_message";
    type Change = fn(&mut [u8; 32]);
    let changes: [(&str, i32, Change); 6] = [
        ("32 zeros", NETCLOCK_WIRE_MAGIC, |bytes| bytes.fill(0)),
        ("version 2", NETCLOCK_WIRE_NEWER, |bytes| bytes[2] = 2),
        ("a request", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 1),
        ("an announcement", NETCLOCK_WIRE_KIND, |bytes| bytes[3] = 4),
        ("an acknowledgement with more in it", NETCLOCK_WIRE_RESERVED, |bytes| bytes[3] = 6),
        ("a result of nobody heard of", NETCLOCK_WRONG_KEY, |bytes| (bytes[3], bytes[16]) = (7, 0)),
    ];
    // SAFETY: pointers are null, or lead to live handles, to datagrams and to room for outputs; lengths are
    // true, or refused before anything is read.
    unsafe {
        handle(table, RECEIVE, "organiser", |_, s| {
            netclock_organiser_receive(s.organiser, ADMITTED, [0_u8; 32].as_ptr().cast(), 32, 0)
        });
        table.refuses([RECEIVE, "participant", "one not admitted"], NETCLOCK_UNKNOWN_PARTICIPANT, |b| {
            let stage = Stage::new();
            let datagram = stage.message(b);
            netclock_organiser_receive(stage.organiser, 6, datagram.as_ptr().cast(), 32, 0)
        });
        table.refuses([RECEIVE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_organiser_receive(Stage::new().organiser, ADMITTED, ptr::null(), 32, 0)
        });
        for (text, status, change) in changes {
            table.refuses([RECEIVE, "datagram", text], status, |b| {
                let stage = Stage::new();
                let mut datagram = stage.message(b);
                change(&mut datagram);
                netclock_organiser_receive(stage.organiser, ADMITTED, datagram.as_ptr().cast(), 32, 0)
            });
        }
        table.refuses([RECEIVE, "datagram", "one handled before"], NETCLOCK_DUPLICATE, |b| {
            let stage = Stage::new();
            let datagram = stage.message(b);
            let receive =
                || netclock_organiser_receive(stage.organiser, ADMITTED, datagram.as_ptr().cast(), 32, 0);
            assert_eq!(receive().0, NETCLOCK_OK);
            receive()
        });
        for (text, length) in [("0", 0), ("31", 31), ("33", 33), ("SIZE_MAX", usize::MAX)] {
            table.refuses([RECEIVE, "length", text], NETCLOCK_WIRE_LENGTH, |_| {
                let datagram = [0_u8; 32];
                netclock_organiser_receive(
                    Stage::new().organiser,
                    ADMITTED,
                    datagram.as_ptr().cast(),
                    length,
                    0,
                )
            });
        }
        for (text, now) in NO_INSTANTS {
            table.refuses([RECEIVE, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                let stage = Stage::new();
                let datagram = stage.message(b);
                netclock_organiser_receive(stage.organiser, ADMITTED, datagram.as_ptr().cast(), 32, now)
            });
        }
        handle(table, NEXT, "organiser", |b, s| {
            let mut participant = 0;
            netclock_organiser_next_message(s.organiser, 0, &raw mut participant, b.out(), 32)
        });
        table.refuses([NEXT, "participant", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_organiser_next_message(Stage::new().organiser, 0, ptr::null_mut(), b.out(), 32)
        });
        table.refuses([NEXT, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_organiser_next_message(Stage::new().organiser, 0, b.out(), ptr::null_mut(), 32)
        });
        table.refuses([NEXT, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            let mut participant = 0;
            netclock_organiser_next_message(Stage::new().organiser, 0, &raw mut participant, b.out(), 31)
        });
    }
}

fn answers(table: &mut Table) {
    const PARTICIPATION: &str = "netclock_organiser_participation";
    const OUTCOME: &str = "netclock_organiser_result";
    // SAFETY: pointers are null, or lead to live handles and to room of the size it states.
    unsafe {
        handle(table, PARTICIPATION, "organiser", |b, s| {
            netclock_organiser_participation(
                s.organiser,
                ADMITTED,
                0,
                b.sized::<NetclockStartParticipation>(72),
            )
        });
        let row = [PARTICIPATION, "participant", "one not admitted"];
        table.refuses(row, NETCLOCK_UNKNOWN_PARTICIPANT, |b| {
            netclock_organiser_participation(Stage::new().organiser, 6, 0, b.sized(72))
        });
        table.refuses([PARTICIPATION, "participation", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_organiser_participation(Stage::new().organiser, ADMITTED, 0, ptr::null_mut())
        });
        handle(table, OUTCOME, "organiser", |b, s| {
            netclock_organiser_result(s.organiser, b.sized::<NetclockStartResult>(56))
        });
        table.refuses([OUTCOME, "outcome", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_organiser_result(Stage::new().organiser, ptr::null_mut())
        });
        for (text, size) in SIZES {
            table.refuses(
                [PARTICIPATION, "participation->struct_size", text],
                NETCLOCK_UNKNOWN_STRUCT,
                |b| netclock_organiser_participation(Stage::new().organiser, ADMITTED, 0, b.sized(size)),
            );
            table.refuses([OUTCOME, "outcome->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_organiser_result(Stage::new().organiser, b.sized(size))
            });
        }
    }
}
