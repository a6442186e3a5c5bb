//! Those who take part in a start, and the beat from there on.

use super::*;

pub(crate) fn rows(table: &mut Table) {
    participants(table);
    beats(table);
}

fn participants(table: &mut Table) {
    const CREATE: &str = "netclock_participant_create";
    const DESTROY: &str = "netclock_participant_destroy";
    const RECEIVE: &str = "netclock_participant_receive";
    const TICK: &str = "netclock_participant_tick";
    const NEXT: &str = "netclock_participant_next_message";
    // SAFETY: pointers are null, or lead to live handles, to datagrams and to room for outputs; what is no
    // live handle is not looked at.
    unsafe {
        table.refuses([CREATE, "participant", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_participant_create(1, ptr::null_mut())
        });
        table.call([DESTROY, "participant", "null"], NETCLOCK_OK, UNHANDLED, |_| {
            netclock_participant_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "participant", "an organiser"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            netclock_participant_destroy(Stage::new().organiser.cast())
        });
        handle(table, RECEIVE, "participant", |_, s| {
            netclock_participant_receive(s.participant, [0_u8; 32].as_ptr().cast(), 32)
        });
        let receive = |bench: &mut Bench, change: fn(&mut [u8; 32])| {
            let stage = Stage::new();
            let mut datagram = stage.message(bench);
            datagram[3] = 4;
            datagram[16..].fill(0);
            datagram[31] = 7;
            change(&mut datagram);
            netclock_participant_receive(stage.participant, datagram.as_ptr().cast(), 32)
        };
        table.refuses([RECEIVE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_participant_receive(Stage::new().participant, ptr::null(), 32)
        });
        table.refuses([RECEIVE, "datagram", "a readiness message"], NETCLOCK_WIRE_KIND, |b| {
            receive(b, |bytes| bytes[3] = 3)
        });
        table.refuses([RECEIVE, "datagram", "a start at 2^62"], NETCLOCK_WIRE_STAMP, |b| {
            receive(b, |bytes| bytes[16] = 0x40)
        });
        table.refuses([RECEIVE, "datagram", "another key"], NETCLOCK_WRONG_KEY, |b| {
            receive(b, |bytes| bytes[15] ^= 1)
        });
        table.refuses([RECEIVE, "datagram", "another server epoch"], NETCLOCK_OTHER_SERVER_EPOCH, |b| {
            receive(b, |bytes| bytes[31] ^= 1)
        });
        table.refuses([RECEIVE, "datagram", "version 4, then 3"], NETCLOCK_STALE, |b| {
            let stage = Stage::new();
            let mut datagram = stage.message(b);
            (datagram[3], datagram[7]) = (4, 4);
            datagram[16..].fill(0);
            datagram[31] = 7;
            assert_eq!(
                netclock_participant_receive(stage.participant, datagram.as_ptr().cast(), 32).0,
                NETCLOCK_OK
            );
            datagram[7] = 3;
            netclock_participant_receive(stage.participant, datagram.as_ptr().cast(), 32)
        });
        for (text, length) in [("0", 0), ("31", 31), ("33", 33)] {
            table.refuses([RECEIVE, "length", text], NETCLOCK_WIRE_LENGTH, |_| {
                netclock_participant_receive(Stage::new().participant, [0_u8; 33].as_ptr().cast(), length)
            });
        }
        handle(table, TICK, "participant", |b, s| {
            netclock_participant_tick(s.participant, b.client, b.now, b.sized(48))
        });
        table.refuses([TICK, "client", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_participant_tick(Stage::new().participant, ptr::null(), b.now, b.sized(48))
        });
        table.refuses([TICK, "client", "a poisoned one"], NETCLOCK_POISONED, |b| {
            let client = poisoned_client();
            let status = netclock_participant_tick(Stage::new().participant, client, b.now, b.sized(48));
            crate::ffi::tests::destroy(client);
            status
        });
        for (text, now) in NO_INSTANTS {
            table.refuses([TICK, "now", text], NETCLOCK_TIME_OUT_OF_RANGE, |b| {
                netclock_participant_tick(Stage::new().participant, b.client, now, b.sized(48))
            });
        }
        table.refuses([TICK, "progress", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_participant_tick(Stage::new().participant, b.client, b.now, ptr::null_mut())
        });
        for (text, size) in SIZES {
            table.refuses([TICK, "progress->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_participant_tick(Stage::new().participant, b.client, b.now, b.sized(size))
            });
        }
        handle(table, NEXT, "participant", |b, s| {
            netclock_participant_next_message(s.participant, b.out(), 32)
        });
        table.refuses([NEXT, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_participant_next_message(Stage::new().participant, ptr::null_mut(), 32)
        });
        table.refuses([NEXT, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_participant_next_message(Stage::new().participant, b.out(), 31)
        });
    }
}

fn beats(table: &mut Table) {
    const AT: &str = "netclock_beat_at";
    const TIME: &str = "netclock_beat_time";
    const ADVANCE: &str = "netclock_beat_advance";
    let good = NetclockBeat { beats: 60, seconds: 1, ..NetclockBeat::default() };
    let bad = [
        ("beat->beats", "0", NetclockBeat { beats: 0, ..good }),
        ("beat->beats", "241 in a second", NetclockBeat { beats: 241, ..good }),
        ("beat->seconds", "0", NetclockBeat { seconds: 0, ..good }),
        ("beat->seconds", "10001", NetclockBeat { seconds: 10_001, ..good }),
        ("beat->origin", "INT64_MIN", NetclockBeat { origin: i64::MIN, ..good }),
    ];
    // SAFETY: pointers are null, or lead to whole structures and to room for outputs.
    unsafe {
        let (mut number, mut alpha) = (0, 0.0);
        for function in [AT, TIME, ADVANCE] {
            let call = |b: &mut Bench, beat: *const NetclockBeat| match function {
                AT => netclock_beat_at(beat, 0, b.out(), b.out::<f64>().add(1)),
                TIME => netclock_beat_time(beat, 0, b.out()),
                _ => netclock_beat_advance(beat.cast_mut(), 0, b.out()),
            };
            table.refuses([function, "beat", "null"], NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null()));
            for (argument, text, beat) in bad {
                let mut beat = beat;
                let before = beat;
                table.refuses([function, argument, text], NETCLOCK_BAD_CONFIG, |b| call(b, &raw mut beat));
                assert_eq!(beat, before);
            }
        }
        let mut beat = good;
        table.refuses([AT, "number", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_beat_at(&raw const beat, 0, ptr::null_mut(), &raw mut alpha)
        });
        table.refuses([AT, "alpha", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_beat_at(&raw const beat, 0, &raw mut number, ptr::null_mut())
        });
        table.refuses([TIME, "server_time", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_beat_time(&raw const beat, 0, ptr::null_mut())
        });
        table.refuses([ADVANCE, "steps", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_beat_advance(&raw mut beat, SECOND, ptr::null_mut())
        });
        assert_eq!((number, alpha, beat), (0, 0.0, good));
    }
}
