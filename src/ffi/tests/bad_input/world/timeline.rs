//! The client's side of it.

use super::super::client::NO_INSTANTS;
use super::super::keyed::{sealed_by_server, with_channel};
use super::bench::*;
use crate::ffi::clock::keys::keyed::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};

/// The segment that the worlds know, sealed by the server.
fn sealed_segment() -> Vec<u8> {
    let mut datagram = [0_u8; NETCLOCK_SEGMENT_SIZE];
    // SAFETY: a segment, and room for its datagram.
    let encoded =
        unsafe { netclock_encode_segment(&segment(), datagram.as_mut_ptr().cast(), NETCLOCK_SEGMENT_SIZE) };
    assert_eq!(encoded.0, NETCLOCK_OK);
    sealed_by_server(&datagram)
}

pub(super) fn rows(table: &mut Table) {
    const CREATE: &str = "netclock_timeline_create";
    const INSERT: &str = "netclock_timeline_insert";
    const INSERT_SEALED: &str = "netclock_timeline_insert_sealed";
    const CONFIRM: &str = "netclock_timeline_confirm";
    let of = |world: &World| world.timeline;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        let zero = NetclockTimelineConfig::zero();
        let knobs: [(&str, &str, i32, NetclockTimelineConfig); 7] = [
            ("config->sealed", "2", NETCLOCK_BAD_CONFIG, NetclockTimelineConfig { sealed: 2, ..zero }),
            (
                "config->max_slew",
                "NaN",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_slew: f64::NAN, ..zero },
            ),
            (
                "config->max_slew",
                "1.1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_slew: 1.1, ..zero },
            ),
            (
                "config->step_threshold",
                "1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { step_threshold: 1, ..zero },
            ),
            (
                "config->step_threshold",
                "INT64_MAX",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { step_threshold: i64::MAX, ..zero },
            ),
            (
                "config->max_rate",
                "-1",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_rate: -1.0, ..zero },
            ),
            (
                "config->max_rate",
                "infinity",
                NETCLOCK_BAD_CONFIG,
                NetclockTimelineConfig { max_rate: f64::INFINITY, ..zero },
            ),
        ];
        for (argument, value, status, config) in knobs {
            refuses(table, [CREATE, argument, value], status, |b, _| {
                netclock_timeline_create(&config, b.out())
            });
        }
        life_rows(
            table,
            [CREATE, "netclock_timeline_destroy"],
            of,
            |config, out| netclock_timeline_create(config.cast(), out),
            netclock_timeline_destroy,
        );
        handle_rows(table, INSERT, of, |_, timeline| netclock_timeline_insert(timeline, &segment()));
        segment_rows(table, INSERT, |_, w, segment| netclock_timeline_insert(w.timeline, segment));
        let outdated: [(&str, i32, Change); 5] = [
            ("of an older world", NETCLOCK_SEGMENT_OUTDATED, |s| s.instance = 1),
            ("2^31 versions from the newest", NETCLOCK_SEGMENT_OUTDATED, |s| s.version = 5 + (1 << 31)),
            ("an older version that begins later", NETCLOCK_SEGMENT_OUTDATED, |s| s.version = 4),
            ("the same version with another rate", NETCLOCK_SEGMENT_CONFLICT, |s| s.rate = 0.5),
            ("once more", NETCLOCK_ALREADY_KNOWN, |_| {}),
        ];
        for (text, status, change) in outdated {
            let mut late = segment();
            change(&mut late);
            refuses(table, [INSERT, "segment", text], status, |_, w| {
                netclock_timeline_insert(w.timeline, &late)
            });
        }

        let sealed = sealed_segment();
        let insert = |timeline, length| {
            with_channel(NETCLOCK_TO_SERVER, |channel| {
                netclock_timeline_insert_sealed(timeline, channel, sealed.as_ptr().cast(), length)
            })
        };
        handle_rows(table, INSERT_SEALED, of, |_, timeline| insert(timeline, sealed.len()));
        refuses(table, [INSERT_SEALED, "channel", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            let (datagram, length) = (sealed.as_ptr().cast(), sealed.len());
            netclock_timeline_insert_sealed(w.timeline, ptr::null_mut(), datagram, length)
        });
        refuses(table, [INSERT_SEALED, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_, w| {
            with_channel(NETCLOCK_TO_SERVER, |channel| {
                netclock_timeline_insert_sealed(w.timeline, channel, ptr::null(), 104)
            })
        });
        refuses(
            table,
            [INSERT_SEALED, "datagram", "sealed in the other direction"],
            NETCLOCK_OTHER_DIRECTION,
            |_, w| {
                with_channel(NETCLOCK_TO_CLIENT, |channel| {
                    netclock_timeline_insert_sealed(w.timeline, channel, sealed.as_ptr().cast(), sealed.len())
                })
            },
        );
        refuses(table, [INSERT_SEALED, "length", "103"], NETCLOCK_WIRE_LENGTH, |_, w| {
            insert(w.timeline, 103)
        });
        refuses(table, [INSERT_SEALED, "datagram", "a known segment"], NETCLOCK_ALREADY_KNOWN, |_, w| {
            insert(w.timeline, sealed.len())
        });
        refuses(table, [INSERT, "timeline", "one that asks for seals"], NETCLOCK_NOT_SEALED, |_, _| {
            let config = NetclockTimelineConfig { sealed: 1, ..zero };
            let mut timeline = ptr::null_mut();
            assert_eq!(netclock_timeline_create(&config, &raw mut timeline).0, NETCLOCK_OK);
            let refused = netclock_timeline_insert(timeline, &segment());
            assert_eq!(insert(timeline, sealed.len()).0, NETCLOCK_OK);
            assert_eq!(netclock_timeline_destroy(timeline).0, NETCLOCK_OK);
            refused
        });

        handle_rows(table, CONFIRM, of, |_, timeline| netclock_timeline_confirm(timeline, 7, 2, 5, 0));
        refuses(table, [CONFIRM, "server_epoch", "of another run"], NETCLOCK_NO_WORLD, |_, w| {
            netclock_timeline_confirm(w.timeline, 8, 2, 5, 11 * SECOND)
        });
        refuses(table, [CONFIRM, "instance", "of an older world"], NETCLOCK_SEGMENT_OUTDATED, |_, w| {
            netclock_timeline_confirm(w.timeline, 7, 1, 5, 11 * SECOND)
        });
        for (text, instant) in NO_INSTANTS {
            refuses(table, [CONFIRM, "through", text], NETCLOCK_STAMP_OUT_OF_RANGE, |_, w| {
                netclock_timeline_confirm(w.timeline, 7, 2, 5, instant)
            });
        }
    }
}
