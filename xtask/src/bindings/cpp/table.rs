//! Lists facts about C++ types that the generator cannot derive from the C headers.

use anyhow::{Context, Result};

use crate::{Abi, Item};

/// These structures have member functions in C++, or C++ uses the C structure itself.
pub(super) const WRITTEN_BY_HAND: [&str; 3] = ["order_stamp", "beat", "beat_steps"];

/// An enumeration contains all constants from `first` to `last` in the order of the header.
pub(super) struct Enumeration {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) first: &'static str,
    last: &'static str,
    /// The prefixes that are stripped from the constants' names, longest first.
    prefixes: Vec<&'static str>,
    /// Zero means "none", although C has no constant for it.
    pub(super) with_none: bool,
}

impl Enumeration {
    pub(super) fn constants<'a>(&self, abi: &'a Abi) -> Result<Vec<&'a Item>> {
        let all: Vec<&Item> = abi.constants().map(|(item, _)| item).collect();
        let place = |name: &str| {
            let found = all.iter().position(|item| item.name.strip_prefix("NETCLOCK_") == Some(name));
            found.with_context(|| format!("there is no NETCLOCK_{name}"))
        };
        Ok(all[place(self.first)?..=place(self.last)?].to_vec())
    }

    pub(super) fn begin(&self) -> String {
        if self.with_none { "none".to_owned() } else { self.short(self.first) }
    }

    pub(super) fn short(&self, constant: &str) -> String {
        let rest = self.prefixes.iter().find_map(|prefix| constant.strip_prefix(prefix)).unwrap_or(constant);
        let is_none = !self.with_none && self.first == constant && rest.starts_with("NO_");
        if is_none { "none".to_owned() } else { rest.to_lowercase() }
    }
}

/// Each line lists the name, the first and last constant, the constants' prefixes (longest first), and the
/// description. `?` marks enumerations in which zero means "none" although C has no such constant.
const ENUMERATIONS: &str = "\
clock_state | STATE_UNSYNCED STATE_DOUBTFUL | STATE_ | The state of a client's clock.
event_kind | EVENT_SYNCED EVENT_LINK_NOT_POSSIBLE | EVENT_ | The kind of an event of a client's clock.
discontinuity_cause? | CAUSE_SERVER_RESTART CAUSE_REQUESTED | CAUSE_ | The cause of a jump.
degradation_cause? | DEGRADED_NO_REPLIES DEGRADED_SLEWED | DEGRADED_ | The cause of a degradation.
exchange_path | PATH_MESSAGES PATH_LINK | PATH_ | The path of an exchange.
direction | TO_SERVER TO_CLIENT | - | The direction of a message.
link_state | LINK_CHECKING LINK_SERVING | LINK_ | The state of a link.
link_mark | LINK_NOT_MARKED LINK_MARK_DROPPED | LINK_ | The mark of a link's datagrams.
link_trouble | LINK_NO_TROUBLE LINK_KEY_IN_USE | LINK_ | The problem of a link.
link_stamps | LINK_NO_STAMPS LINK_STAMPS_CALLER | LINK_STAMPS_ LINK_ | The source of arrival timestamps.
order | ORDER_TOO_CLOSE ORDER_AFTER | ORDER_ | The order of two events.
rewind_limit | LIMIT_NONE LIMIT_MAX_REWIND | LIMIT_ | The limit that moved an instant.
hold_up | HOLD_UP_NONE HOLD_UP_TOO_SLOW | HOLD_UP_ | Why a participant is not ready.
stage | STAGE_WAITING STAGE_JOINED | STAGE_ | The stage of a participant.
peer_stage | PEER_JOINING PEER_ENDED | PEER_ | The stage of a peer.
rejection | REJECTED_NONE REJECTED_LOGIN | REJECTED_ | Why a relay rejected the last login.
rate_level | RATE_UNKNOWN RATE_PROVEN | RATE_ | How certain a rate watch is that a client's clock \
is not honest. The levels are ordered.
rate_finding | RATE_NOTHING RATE_REMOVED | RATE_ | The deviation of a client's clock.";

pub(super) fn enumerations() -> impl Iterator<Item = Enumeration> {
    ENUMERATIONS.lines().map(|line| {
        let [name, ends, prefixes, about] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("`{line}` has four cells")
        };
        let (first, last) = ends.split_once(' ').expect("a first and a last constant");
        let with_none = name.ends_with('?');
        let (name, prefixes) = (name.trim_end_matches('?'), prefixes.split(' ').collect());
        Enumeration { name, about, first, last, prefixes, with_none }
    })
}

/// The C++ types of fields that are not plain numbers or that have a different number type. `?` marks types
/// in which zero means "none".
const TYPES: &[(&str, &str)] = &[
    (
        "bool",
        "request.reliable order_verdict.proven relay_game.began peer_reading.leads start_result.cancelled",
    ),
    ("bool", "start_progress.fires world_reading.paused"),
    ("bool", "player_report.is_up_to_date player_report.counted player_report.acknowledged"),
    ("bool", "connection_report.is_hiding player_report.is_mean_known"),
    ("std::int64_t", "config.saved_seconds"),
    ("clock_state", "reading.state peer_reading.state"),
    ("event_kind", "event.kind"),
    ("exchange_path", "sample.path"),
    ("direction", "latency_change.direction"),
    ("link_state", "link_report.state"),
    ("link_mark", "link_report.mark"),
    ("link_trouble", "link_report.trouble"),
    ("link_stamps", "link_report.stamps"),
    ("order", "order_verdict.order"),
    ("rewind_limit", "rewind_result.limit"),
    ("hold_up", "start_proposal.hold_up player_report.hold_up"),
    ("stage", "start_progress.stage"),
    ("peer_stage", "peer_reading.stage"),
    ("rejection", "peer_reading.rejection"),
    ("rate_level", "player_report.rate_level player_report.rate_worst"),
    ("rate_finding", "player_report.rate_finding"),
];

/// Fields that are optional in C++, each with the C value that represents a missing value.
const OPTIONAL: &[(&str, &str)] = &[
    ("NETCLOCK_UNBOUNDED", "reading.error_bound reading.expected_error reading.round_trip"),
    ("NETCLOCK_UNBOUNDED", "peer_reading.error_bound peer_reading.expected_error peer_reading.round_trip"),
    ("NETCLOCK_UNBOUNDED", "world_reading.error_bound world_reading.error_bound_if_unchanged"),
    ("NETCLOCK_UNBOUNDED", "utc_reading.error_bound start_result.error_bound start_progress.error_bound"),
    ("NETCLOCK_UNBOUNDED", "start_progress.expected_error player_report.lead player_report.error_bound"),
    ("NETCLOCK_UNBOUNDED", "player_report.expected_error player_report.round_trip player_report.lateness"),
    ("NETCLOCK_UNBOUNDED", "player_report.lateness_bound"),
    ("NETCLOCK_UNKNOWN_TIME", "sample.client_sent connection_report.handled_by"),
    ("NETCLOCK_UNKNOWN_TIME", "connection_report.showable"),
];

fn row(table: &[(&'static str, &str)], path: &str) -> Option<&'static str> {
    table.iter().find(|(_, paths)| paths.split(' ').any(|it| it == path)).map(|it| it.0)
}

pub(super) fn type_of(path: &str) -> Option<&'static str> {
    row(TYPES, path)
}

pub(super) fn none_of(path: &str) -> Option<&'static str> {
    row(OPTIONAL, path)
}

#[cfg(test)]
pub(super) fn fields() -> impl Iterator<Item = &'static str> {
    TYPES.iter().chain(OPTIONAL).flat_map(|(_, paths)| paths.split(' '))
}

pub(super) const NAMES: &[(&str, &str)] = &[
    ("latency_change.direction", "went"),
    ("reading.server_time", "time"),
    ("sample.status", "outcome"),
    ("player_report.hold_up", "reason"),
    ("player_report.rate_finding", "finding"),
    ("player_report.rate_findings", "findings"),
    ("player_report.rate_level", "level"),
    ("player_report.rate_worst", "worst"),
    ("start_proposal.hold_up", "reason"),
    ("world_reading.world_time", "time"),
];

/// Fields that contain flags, with the constants' common prefix and the rest of each constant's name.
pub(super) const BITS: &[(&str, &str, &[&str])] = &[
    ("link_server_config.flags", "LINK_", &["POLLED", "THREAD_STAMPS", "CARRIED", "NO_MARK"]),
    ("link_client_config.flags", "LINK_", &["POLLED", "THREAD_STAMPS", "CARRIED", "NO_MARK"]),
];

/// These pairs of fields become one structure in C++. Each row lists the outer structure, the two fields, the
/// type and name of the new structure, and its fields' names.
const PAIRS: [&str; 3] = [
    "config client_rate_ppm client_rate_doubt_ppm rate_hint client_rate ppm doubt_ppm",
    "config server_rate_ppm server_rate_doubt_ppm rate_hint server_rate ppm doubt_ppm",
    "session_key secret_high secret_low seed secret high low",
];

pub(super) fn pairs() -> impl Iterator<Item = [&'static str; 7]> {
    PAIRS.iter().map(|row| row.split(' ').collect::<Vec<_>>().try_into().expect("seven words"))
}

/// Fields whose enumeration depends on the kind of event. Each row lists the field, the name, the enumeration
/// and the kind.
pub(super) const PICKED: &[(&str, &str, &str, &str)] = &[
    ("event.cause", "discontinuity", "discontinuity_cause", "DISCONTINUITY"),
    ("event.cause", "degradation", "degradation_cause", "DEGRADED"),
];

/// These functions have a different name or class in C++.
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("netclock_client_authority", "authority_of"),
    ("netclock_encode_reply", "encode"),
    ("netclock_encode_request", "encode"),
    ("netclock_client_set_tap", "on_sample"),
    ("netclock_monotonic_now", "local_clock::now"),
    ("netclock_relay_read_game", "game"),
];
