//! The structures are laid out as `tests/c_abi/pins.c` says, which a C compiler checks against the header.

use core::mem::offset_of;

use crate::ffi::base::status::{NetclockStatus, netclock_status_text};
use crate::ffi::client::authority::NetclockAuthority;
use crate::ffi::client::config::NetclockConfig;
use crate::ffi::client::event::NetclockEvent;
use crate::ffi::client::reading::NetclockReading;
use crate::ffi::client::tap::NetclockSample;
use crate::ffi::exchange::wire::{NetclockReply, NetclockRequest};
use crate::ffi::latency::handle::{
    NetclockLatencyChange, NetclockLatencyConfig, NetclockLatencyLevels, NetclockLatencySpeed,
};
use crate::ffi::order::arbitrate::{NetclockPath, NetclockRewound, NetclockStamp, NetclockVerdict};
use crate::ffi::order::lead::NetclockLeadConfig;
use crate::ffi::peer::handle::{NetclockGameMessage, NetclockPeerReading};
use crate::ffi::peer::relay::{NetclockRelayConfig, NetclockSession};
use crate::ffi::server::adoption::{NetclockAdopted, NetclockAdoptionConfig};
use crate::ffi::server::rate_watch::{NetclockRateVerdict, NetclockRateWatchConfig};
use crate::ffi::start::beat::{NetclockBeat, NetclockSteps};
use crate::ffi::start::participant::NetclockProgress;
use crate::ffi::start::proposal::{
    NetclockOrganiserConfig, NetclockOutcome, NetclockParticipation, NetclockProposal,
};
use crate::ffi::timeline::handle::{NetclockAge, NetclockTimelineConfig, NetclockWorldReading};
use crate::ffi::timeline::publisher::NetclockPublisherConfig;
use crate::ffi::timeline::segment::NetclockSegment;

const PINS: &str = include_str!("../../../tests/c_abi/pins.c");

/// A structure, its size and alignment, and of each field the offset and the size.
struct Layout {
    name: &'static str,
    size: usize,
    alignment: usize,
    fields: Vec<(&'static str, usize, usize)>,
}

macro_rules! layout {
    ($name:literal, $type:ident { $($field:ident),* $(,)? }) => {{
        // Does not compile if a field is missing.
        let _all = |it: $type| { let $type { $($field: _),* } = it; };
        Layout {
            name: $name,
            size: size_of::<$type>(),
            alignment: align_of::<$type>(),
            fields: vec![$((stringify!($field), offset_of!($type, $field), size_of_field(|it: &$type| &it.$field))),*],
        }
    }};
}

fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

fn layouts() -> Vec<Layout> {
    vec![
        layout!(
            "netclock_config",
            NetclockConfig {
                struct_size,
                burst_count,
                max_drift_ppm,
                max_slew,
                step_threshold,
                max_round_trip,
                burst_interval,
                steady_interval,
                local_gap,
                holdover_after,
                target_bound,
                client_resolution,
                server_resolution,
                client_frame,
                server_frame,
            }
        ),
        layout!("netclock_event", NetclockEvent { struct_size, kind, cause, epoch, jump }),
        layout!(
            "netclock_sample",
            NetclockSample {
                struct_size,
                status,
                id,
                epoch,
                client_sent,
                server_received,
                server_sent,
                client_received,
            }
        ),
        layout!(
            "netclock_reading",
            NetclockReading {
                struct_size,
                state,
                server_time,
                error_bound,
                expected_error,
                round_trip,
                frequency_ppm,
                server_epoch,
                epoch,
                is_synced,
            }
        ),
        layout!(
            "netclock_rate_watch_config",
            NetclockRateWatchConfig { struct_size, reserved, max_drift_ppm, max_delay }
        ),
        layout!(
            "netclock_rate_verdict",
            NetclockRateVerdict {
                struct_size,
                level,
                worst,
                finding,
                findings,
                is_mean_known,
                gained,
                explained,
                duration,
                mean_ppm,
                mean_error_ppm,
            }
        ),
        layout!("netclock_request", NetclockRequest { id, client_time, reliable, reserved }),
        layout!("netclock_stamp", NetclockStamp { time, error_bound, expected_error }),
        layout!("netclock_verdict", NetclockVerdict { struct_size, order, probability, proven, reserved }),
        layout!(
            "netclock_path",
            NetclockPath { struct_size, reserved, round_trip, jitter, interpolation, max_rewind }
        ),
        layout!(
            "netclock_rewound",
            NetclockRewound { struct_size, limit, target, moved, acted, error_bound }
        ),
        layout!(
            "netclock_lead_config",
            NetclockLeadConfig { struct_size, reserved, quantile, server_frame, client_frame, send_interval }
        ),
        layout!("netclock_reply", NetclockReply { id, epoch, received, sent }),
        layout!(
            "netclock_segment",
            NetclockSegment {
                struct_size,
                instance,
                version,
                paused,
                server_epoch,
                since,
                real,
                world,
                rate,
                tolerance,
                through
            }
        ),
        layout!(
            "netclock_publisher_config",
            NetclockPublisherConfig { struct_size, max_per_second, tolerance, read_lag, resolution }
        ),
        layout!(
            "netclock_timeline_config",
            NetclockTimelineConfig { struct_size, reserved, max_slew, step_threshold, max_rate }
        ),
        layout!(
            "netclock_world_reading",
            NetclockWorldReading {
                struct_size,
                epoch,
                world_time,
                error_bound,
                error_bound_if_unchanged,
                ahead,
                jump,
                rate,
                instance,
                version,
                paused,
                is_missing_news
            }
        ),
        layout!("netclock_age", NetclockAge { real, world }),
        layout!(
            "netclock_organiser_config",
            NetclockOrganiserConfig {
                struct_size,
                capacity,
                patience,
                max_expected_error,
                interval,
                frame,
                loss
            }
        ),
        layout!(
            "netclock_proposal",
            NetclockProposal { struct_size, hold_up, at, participant, not_ready, version }
        ),
        layout!(
            "netclock_participation",
            NetclockParticipation {
                struct_size,
                hold_up,
                lead,
                error_bound,
                expected_error,
                round_trip,
                loss,
                lateness,
                lateness_bound,
                counted,
                acknowledged
            }
        ),
        layout!(
            "netclock_outcome",
            NetclockOutcome {
                struct_size,
                version,
                at,
                earliest,
                latest,
                error_bound,
                counted,
                acknowledged,
                fired,
                cancelled
            }
        ),
        layout!(
            "netclock_progress",
            NetclockProgress {
                struct_size,
                stage,
                fires,
                version,
                at,
                lateness,
                error_bound,
                expected_error
            }
        ),
        layout!("netclock_beat", NetclockBeat { origin, next, beats, seconds, most_steps, most_behind }),
        layout!("netclock_steps", NetclockSteps { first, count, skipped, behind, alpha }),
        layout!(
            "netclock_authority",
            NetclockAuthority { struct_size, reserved, epoch, timescale, dispersion }
        ),
        layout!(
            "netclock_adoption_config",
            NetclockAdoptionConfig { struct_size, liars, timescale, max_drift_ppm, resolution }
        ),
        layout!(
            "netclock_adopted",
            NetclockAdopted { struct_size, answers, agreeing, reserved, timescale, offset, dispersion }
        ),
        layout!(
            "netclock_relay_config",
            NetclockRelayConfig { struct_size, games, seats, players, silence, patience, budget, queue }
        ),
        layout!(
            "netclock_session",
            NetclockSession {
                struct_size,
                players,
                generation,
                began,
                has_primary,
                reserved,
                primary,
                dropped
            }
        ),
        layout!(
            "netclock_peer_reading",
            NetclockPeerReading {
                struct_size,
                stage,
                role,
                state,
                seat,
                players,
                epoch,
                rejection,
                time,
                error_bound,
                expected_error,
                inherited,
                round_trip,
                authority
            }
        ),
        layout!("netclock_game_message", NetclockGameMessage { struct_size, id, seat, stamp, time }),
        layout!(
            "netclock_latency_config",
            NetclockLatencyConfig {
                struct_size,
                hide,
                least_change,
                max_speed_change,
                ramp,
                hours_per_false_alarm
            }
        ),
        layout!(
            "netclock_latency_change",
            NetclockLatencyChange { struct_size, direction, before, after, since, found, confidence }
        ),
        layout!(
            "netclock_latency_levels",
            NetclockLatencyLevels {
                struct_size,
                reserved,
                to_server,
                least_to_server,
                to_client,
                least_to_client
            }
        ),
        layout!(
            "netclock_latency_speed",
            NetclockLatencySpeed { struct_size, is_hiding, scale, done, remaining }
        ),
    ]
}

/// The arguments of every line `macro_name(..);` of the pins.
pub(super) fn pinned<const N: usize>(macro_name: &str) -> Vec<[&'static str; N]> {
    let lines =
        PINS.lines().filter_map(|line| line.strip_prefix(macro_name)?.strip_prefix('(')?.strip_suffix(");"));
    lines
        .map(|line| {
            let arguments: Vec<&str> = line.split(", ").collect();
            arguments.try_into().unwrap_or_else(|_| panic!("{macro_name}({line}): wrong number of arguments"))
        })
        .collect()
}

pub(super) fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|error| panic!("{text} among the pins: {error}"))
}

#[test]
fn structures_are_laid_out_as_pinned() {
    let numbers = |a: usize, b: usize| (a as i64, b as i64);
    let mut structs: Vec<_> =
        pinned::<3>("STRUCT").iter().map(|[name, a, b]| (*name, (number(a), number(b)))).collect();
    let mut actual: Vec<_> = layouts().iter().map(|it| (it.name, numbers(it.size, it.alignment))).collect();
    structs.sort();
    actual.sort();
    assert_eq!(actual, structs);
    for layout in layouts() {
        let fields: Vec<_> = pinned::<4>("FIELD")
            .into_iter()
            .filter(|[name, ..]| *name == layout.name)
            .map(|[_, field, a, b]| (field, (number(a), number(b))))
            .collect();
        let actual: Vec<_> = layout.fields.iter().map(|&(field, a, b)| (field, numbers(a, b))).collect();
        assert_eq!(actual, fields, "{}", layout.name);
    }
}

#[test]
fn no_structure_has_padding() {
    for layout in layouts() {
        let mut end = 0;
        for (field, offset, size) in layout.fields {
            assert_eq!(offset, end, "padding before {}.{field}", layout.name);
            end = offset + size;
        }
        assert_eq!(layout.size, end, "padding at the end of {}", layout.name);
    }
}

#[test]
fn every_status_has_a_text_of_its_own() {
    let statuses = pinned::<2>("STATUS");
    let text = |status: i64| {
        // SAFETY: the texts are static.
        unsafe { super::text(netclock_status_text(NetclockStatus(status as i32))) }
    };
    let mut texts: Vec<String> = statuses.iter().map(|[_, value]| text(number(value))).collect();
    assert!(texts.iter().all(|text| !text.is_empty() && *text != "unknown status"), "{texts:?}");
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), statuses.len());
    assert_eq!(text(12345), "unknown status");
}
