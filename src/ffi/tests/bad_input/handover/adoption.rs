//! A server that takes a timescale over from its participants.

use super::*;

pub(crate) fn rows(table: &mut Table) {
    creation_rows(table);
    trust_rows(table);
    question_rows(table);
    answer_rows(table);
    settle_rows(table);
}

/// An adoption that asked one participant.
struct Stage {
    adoption: *mut NetclockAdoption,
    question: Datagram,
}

impl Stage {
    fn new() -> Self {
        let config = NetclockAdoptionConfig { timescale: TIMESCALE, ..NetclockAdoptionConfig::zero() };
        let (mut adoption, mut question) = (ptr::null_mut(), [0; 32]);
        // SAFETY: a whole configuration, and room for what is made.
        unsafe {
            let made = netclock_adoption_create(&raw const config, 1, 2, &raw mut adoption);
            let asked = netclock_adoption_request(adoption, ASKED, 0, question.as_mut_ptr().cast(), 32);
            assert_eq!((made.0, asked.0), (NETCLOCK_OK, NETCLOCK_OK));
        }
        Stage { adoption, question }
    }

    fn poisoned() -> Self {
        let stage = Stage::new();
        // SAFETY: a live adoption.
        unsafe { owned::change("a_test", stage.adoption, |_| resume_unwind(Box::new("poisoned"))) };
        stage
    }

    /// A good answer.
    fn answer(&self) -> AdoptionReply {
        let question = AdoptionRequest::decode(&self.question).expect("it was just written");
        let (time, error_bound) = (ServerTime::from_ticks(AHEAD), Span::from_ticks(1000));
        AdoptionReply { id: question.id, timescale: TIMESCALE, time, error_bound }
    }

    fn hand_in(&self, bytes: &Datagram, arrived: i64) -> NetclockStatus {
        // SAFETY: a live adoption, and a whole datagram.
        unsafe { netclock_adoption_handle_reply(self.adoption, ASKED, bytes.as_ptr().cast(), 32, arrived) }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: created by `new`.
        unsafe { netclock_adoption_destroy(self.adoption) };
    }
}

/// An adoption that is none, and one that is of no use.
fn adoption_rows(
    table: &mut Table,
    function: &'static str,
    call: fn(&mut Bench, *mut NetclockAdoption) -> NetclockStatus,
) {
    let row = [function, "adoption", "null"];
    table.refuses(row, NETCLOCK_NULL_ARGUMENT, |b| call(b, ptr::null_mut()));
    table.refuses([function, "adoption", "a poisoned one"], NETCLOCK_POISONED, |b| {
        call(b, Stage::poisoned().adoption)
    });
}

fn creation_rows(table: &mut Table) {
    const CREATE: &str = "netclock_adoption_create";
    const DESTROY: &str = "netclock_adoption_destroy";
    type Change = fn(&mut NetclockAdoptionConfig);
    let changes: [(&str, &str, i32, Change); 9] = [
        ("config->struct_size", "0", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 0),
        ("config->struct_size", "31", NETCLOCK_UNKNOWN_STRUCT, |config| config.struct_size = 31),
        ("config->struct_size", "UINT32_MAX", NETCLOCK_UNKNOWN_STRUCT, |config| {
            config.struct_size = u32::MAX;
        }),
        ("config->liars", "32", NETCLOCK_BAD_CONFIG, |config| config.liars = 32),
        ("config->liars", "UINT32_MAX - 1", NETCLOCK_BAD_CONFIG, |config| config.liars = u32::MAX - 1),
        ("config->max_drift_ppm", "0.9", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = 0.9),
        ("config->max_drift_ppm", "NAN", NETCLOCK_BAD_CONFIG, |config| config.max_drift_ppm = f64::NAN),
        ("config->resolution", "-1", NETCLOCK_BAD_CONFIG, |config| config.resolution = -1),
        ("config->resolution", "INT64_MAX", NETCLOCK_BAD_CONFIG, |config| config.resolution = i64::MAX),
    ];
    // SAFETY: pointers are null, or lead to settings of the size they state, or one that is refused, and to
    // room; what is no live adoption is not looked at.
    unsafe {
        table.refuses([CREATE, "config", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_adoption_create(ptr::null(), 1, 2, b.out())
        });
        for (argument, value, status, change) in changes {
            let mut config = NetclockAdoptionConfig::zero();
            change(&mut config);
            table.refuses([CREATE, argument, value], status, |b| {
                netclock_adoption_create(&raw const config, 1, 2, b.out())
            });
        }
        let config = NetclockAdoptionConfig::zero();
        table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| {
            netclock_adoption_create(&raw const config, 0, 0, b.out())
        });
        table.refuses([CREATE, "adoption", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_create(&raw const config, 1, 2, ptr::null_mut())
        });
        table.call([DESTROY, "adoption", "null"], NETCLOCK_OK, Effect::Answered("does nothing"), |_| {
            netclock_adoption_destroy(ptr::null_mut())
        });
        table.refuses([DESTROY, "adoption", "one destroyed before"], NETCLOCK_UNKNOWN_HANDLE, |_| {
            let gone = Stage::new().adoption;
            netclock_adoption_destroy(gone)
        });
        table.refuses([DESTROY, "adoption", "a client"], NETCLOCK_UNKNOWN_HANDLE, |b| {
            netclock_adoption_destroy(b.client.cast())
        });
    }
}

fn trust_rows(table: &mut Table) {
    const TRUST: &str = "netclock_adoption_add_own_reading";
    // SAFETY: null, or live adoptions.
    unsafe {
        adoption_rows(table, TRUST, |_, adoption| netclock_adoption_add_own_reading(adoption, 0, 1, 0));
        for (text, bad) in NO_INSTANTS {
            table.refuses([TRUST, "server_time", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, bad, 1, 0)
            });
        }
        for (text, bad) in [("-1", -1), ("2^32", 1 << 32), ("INT64_MAX", i64::MAX)] {
            table.refuses([TRUST, "error_bound", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, 0, bad, 0)
            });
        }
        for (text, bad) in NO_INSTANTS {
            table.refuses([TRUST, "raw", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_| {
                netclock_adoption_add_own_reading(Stage::new().adoption, 0, 1, bad)
            });
        }
        let row = [TRUST, "server_time", "out of the bounds of an earlier one"];
        table.refuses(row, NETCLOCK_NO_AGREEMENT, |_| {
            let stage = Stage::new();
            assert_eq!(netclock_adoption_add_own_reading(stage.adoption, AHEAD, 10, 0).0, NETCLOCK_OK);
            netclock_adoption_add_own_reading(stage.adoption, AHEAD + 1000, 10, 0)
        });
    }
}

fn question_rows(table: &mut Table) {
    const QUESTION: &str = "netclock_adoption_request";
    // SAFETY: null, or live adoptions, and room for a datagram.
    unsafe {
        adoption_rows(table, QUESTION, |b, adoption| netclock_adoption_request(adoption, 2, 0, b.out(), 32));
        table.refuses([QUESTION, "participant", "a 65th"], NETCLOCK_FULL, |b| {
            let stage = Stage::new();
            for other in 2..=64 {
                let mut room = [0_u8; 32];
                let asked = netclock_adoption_request(stage.adoption, other, 0, room.as_mut_ptr().cast(), 32);
                assert_eq!(asked.0, NETCLOCK_OK);
            }
            netclock_adoption_request(stage.adoption, 65, 0, b.out(), 32)
        });
        for (text, bad) in NO_INSTANTS {
            table.refuses([QUESTION, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_adoption_request(Stage::new().adoption, 2, bad, b.out(), 32)
            });
        }
        table.refuses([QUESTION, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_request(Stage::new().adoption, 2, 0, ptr::null_mut(), 32)
        });
        table.refuses([QUESTION, "capacity", "31"], NETCLOCK_WIRE_LENGTH, |b| {
            netclock_adoption_request(Stage::new().adoption, 2, 0, b.out(), 31)
        });
    }
}

fn answer_rows(table: &mut Table) {
    const ANSWER: &str = "netclock_adoption_handle_reply";
    // SAFETY: pointers are null, or lead to live adoptions and to datagrams; lengths are true, or too short.
    unsafe {
        adoption_rows(table, ANSWER, |_, adoption| {
            let bytes = Stage::new().answer().encode().expect("it fits");
            netclock_adoption_handle_reply(adoption, ASKED, bytes.as_ptr().cast(), 32, 0)
        });
        table.refuses([ANSWER, "participant", "one who was not asked"], NETCLOCK_UNKNOWN_PARTICIPANT, |_| {
            let stage = Stage::new();
            let bytes = stage.answer().encode().expect("it fits");
            netclock_adoption_handle_reply(stage.adoption, 2, bytes.as_ptr().cast(), 32, 0)
        });
        table.refuses([ANSWER, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_handle_reply(Stage::new().adoption, ASKED, ptr::null(), 32, 0)
        });
        let others: [Spoilt; 4] = [
            ("a time of 2^62", NETCLOCK_WIRE_STAMP, |bytes| bytes[16] = 0x40),
            ("a time that leaves no room for its bound", NETCLOCK_STAMP_OUT_OF_RANGE, |bytes| {
                bytes[16] = 0x3F;
                bytes[17..24].fill(0xFF);
            }),
            ("an id that was not asked", NETCLOCK_UNKNOWN_REQUEST, |bytes| bytes[15] ^= 1),
            ("about another timescale", NETCLOCK_OTHER_TIMESCALE, |bytes| bytes[31] ^= 1),
        ];
        for (text, status, spoil) in SPOILT.into_iter().chain(others) {
            table.refuses([ANSWER, "datagram", text], status, |_| {
                let stage = Stage::new();
                let mut bytes = stage.answer().encode().expect("it fits");
                spoil(&mut bytes);
                stage.hand_in(&bytes, 0)
            });
        }
        table.refuses([ANSWER, "datagram", "one handled before"], NETCLOCK_UNKNOWN_REQUEST, |_| {
            let stage = Stage::new();
            let bytes = stage.answer().encode().expect("it fits");
            assert_eq!(stage.hand_in(&bytes, 0).0, NETCLOCK_OK);
            stage.hand_in(&bytes, 0)
        });
        let told = Effect::Changed("none of his answers counts any more");
        table.call([ANSWER, "datagram", "one that contradicts an earlier one"], NETCLOCK_LIAR, told, |_| {
            let mut stage = Stage::new();
            let first = stage.answer().encode().expect("it fits");
            assert_eq!(stage.hand_in(&first, 0).0, NETCLOCK_OK);
            let room = stage.question.as_mut_ptr().cast();
            assert_eq!(netclock_adoption_request(stage.adoption, ASKED, SECOND, room, 32).0, NETCLOCK_OK);
            let moved = AdoptionReply { time: ServerTime::from_ticks(AHEAD + 5 * SECOND), ..stage.answer() };
            stage.hand_in(&moved.encode().expect("it fits"), SECOND)
        });
        for (text, length) in LENGTHS {
            table.refuses([ANSWER, "length", text], NETCLOCK_WIRE_LENGTH, |_| {
                let bytes = [0_u8; 33];
                netclock_adoption_handle_reply(Stage::new().adoption, ASKED, bytes.as_ptr().cast(), length, 0)
            });
        }
        let late = [
            ("a tick before it was asked", NETCLOCK_ARRIVED_BEFORE_SENT, -1),
            ("5 s and a tick after", NETCLOCK_TOO_SLOW, 5 * SECOND + 1),
        ];
        let no_instants = NO_INSTANTS.map(|(text, ticks)| (text, NETCLOCK_STAMP_OUT_OF_RANGE, ticks));
        for (text, status, arrived) in no_instants.into_iter().chain(late) {
            table.refuses([ANSWER, "arrived", text], status, |_| {
                let stage = Stage::new();
                stage.hand_in(&stage.answer().encode().expect("it fits"), arrived)
            });
        }
    }
}

fn settle_rows(table: &mut Table) {
    const SETTLE: &str = "netclock_adoption_settle";
    // SAFETY: null, or live adoptions, and room of the size it states, or one that is refused.
    unsafe {
        adoption_rows(table, SETTLE, |b, adoption| netclock_adoption_settle(adoption, 0, b.sized(40)));
        table.refuses([SETTLE, "adoption", "one that nobody answered"], NETCLOCK_TOO_FEW, |b| {
            netclock_adoption_settle(Stage::new().adoption, 0, b.sized(40))
        });
        for (text, bad) in NO_INSTANTS {
            table.refuses([SETTLE, "now", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                netclock_adoption_settle(Stage::new().adoption, bad, b.sized(40))
            });
        }
        table.refuses([SETTLE, "adopted", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_adoption_settle(Stage::new().adoption, 0, ptr::null_mut())
        });
        for (text, size) in [("0", 0), ("39", 39), ("5000", 5000), ("UINT32_MAX", u32::MAX)] {
            table.refuses([SETTLE, "adopted->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b| {
                netclock_adoption_settle(Stage::new().adoption, 0, b.sized(size))
            });
        }
    }
}
