//! The client's side of it.

use super::super::client::NO_INSTANTS;
use super::bench::*;

pub(super) fn rows(table: &mut Table) {
    const CREATE: &str = "netclock_timeline_create";
    const INSERT: &str = "netclock_timeline_insert";
    const CONFIRM: &str = "netclock_timeline_confirm";
    let of = |world: &World| world.timeline;
    // SAFETY: pointers are null, or lead to live handles, whole structures and room for outputs.
    unsafe {
        let zero = NetclockTimelineConfig::zero();
        let knobs: [(&str, &str, i32, NetclockTimelineConfig); 7] = [
            (
                "config->reserved",
                "1",
                NETCLOCK_UNKNOWN_STRUCT,
                NetclockTimelineConfig { reserved: 1, ..zero },
            ),
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
