//! What the C headers do not say of the types in C++.

use anyhow::{Context, Result};

use crate::abi::Abi;

/// Structures that have behaviour in C++, or stay as they are in C.
pub(super) const WRITTEN_BY_HAND: [&str; 3] = ["order_stamp", "beat", "beat_steps"];

/// An enumeration: the constants from `first` to `last`, in the order of the header.
pub(super) struct Enumeration {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) first: &'static str,
    last: &'static str,
    /// What the names of constants begin with, the longest first.
    prefixes: Vec<&'static str>,
    /// C has no constant for zero.
    pub(super) with_none: bool,
}

impl Enumeration {
    pub(super) fn constants<'a>(&self, abi: &'a Abi) -> Result<&'a [(String, i64)]> {
        let place = |name: &str| {
            let found = abi.constants.iter().position(|(known, _)| known == name);
            found.with_context(|| format!("there is no NETCLOCK_{name}"))
        };
        Ok(&abi.constants[place(self.first)?..=place(self.last)?])
    }

    /// What fields begin with.
    pub(super) fn begin(&self) -> String {
        if self.with_none { "none".to_owned() } else { self.short(self.first) }
    }

    /// `LINK_STAMPS_KERNEL` as `kernel`, `LINK_NO_STAMPS` as `none`.
    pub(super) fn short(&self, constant: &str) -> String {
        let rest = self.prefixes.iter().find_map(|prefix| constant.strip_prefix(prefix)).unwrap_or(constant);
        let is_none = !self.with_none && self.first == constant && rest.starts_with("NO_");
        if is_none { "none".to_owned() } else { rest.to_lowercase() }
    }
}

/// The enumerations: the name, the first and the last constant, what the names of constants begin with (the
/// longest first), and what it is. With `?`, zero is none and has no constant in C.
const ENUMERATIONS: &str = "\
clock_state | STATE_UNSYNCED STATE_DOUBTFUL | STATE_ | How good a client's clock is.
event_kind | EVENT_SYNCED EVENT_LINK_NOT_POSSIBLE | EVENT_ | What happened to a client's clock.
discontinuity_cause? | CAUSE_SERVER_RESTART CAUSE_CORRECTION | CAUSE_ | Why a clock jumped.
degradation_cause? | DEGRADED_NO_REPLIES DEGRADED_SLEWED | DEGRADED_ | Why a clock is less good than it \
should be.
log_level | LOG_ERROR LOG_DEBUG | LOG_ | How important a message is; smaller is more important.
exchange_path | PATH_MESSAGES PATH_LINK | PATH_ | A way of exchanges.
direction | TO_SERVER TO_CLIENT | - | Which way a message went.
link_state | LINK_CHECKING LINK_SERVING | LINK_ | Whether a link works.
link_mark | LINK_NOT_MARKED LINK_MARK_DROPPED | LINK_ | Whether a link's datagrams are marked.
link_trouble | LINK_NO_TROUBLE LINK_NOT_SENT | LINK_ | What stands in the way of a link.
link_stamps | LINK_NO_STAMPS LINK_STAMPS_CALLER | LINK_STAMPS_ LINK_ | Where arrival stamps come from.
order | ORDER_TOO_CLOSE ORDER_AFTER | ORDER_ | Which of two events came first.
rewind_limit | LIMIT_NONE LIMIT_MAX_REWIND | LIMIT_ | What moved an instant.
hold_up | HOLD_UP_NONE HOLD_UP_TOO_SLOW | HOLD_UP_ | Why a participant is not ready.
stage | STAGE_WAITING STAGE_JOINED | STAGE_ | The stage of a participant.
peer_stage | PEER_JOINING PEER_ENDED | PEER_ | How far a peer is.
peer_role | ROLE_NONE ROLE_SECONDARY | ROLE_ | Whose clock the shared one is.
rejection | REJECTED_NONE REJECTED_LOGIN | REJECTED_ | Why a relay refused the last login.
rate_level | RATE_UNKNOWN RATE_PROVEN | RATE_ | How sure a rate watch is that a client's clock is not \
honest. In order, so that levels can be compared.
rate_finding | RATE_NOTHING RATE_REMOVED | RATE_ | What a client's clock did.";

/// All of them.
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

/// Fields that are no plain numbers, spans of ticks or truths: the type, `?` if zero means none, and the name
/// if C++ has another.
pub(super) const FIELDS: &[(&str, &str, Option<&str>)] = &[
    ("request.client_time", "local_time", None),
    ("reply.received", "server_time", None),
    ("reply.sent", "server_time", None),
    ("reading.state", "clock_state", None),
    ("reading.server_time", "server_time", Some("time")),
    ("config.saved_seconds", "std::int64_t", None),
    ("event.kind", "event_kind", None),
    ("sample.status", "status", Some("outcome")),
    ("sample.client_sent", "local_time", None),
    ("sample.server_received", "server_time", None),
    ("sample.server_sent", "server_time", None),
    ("sample.client_received", "local_time", None),
    ("sample.path", "exchange_path", None),
    ("latency_config.hide", "direction?", None),
    ("latency_change.direction", "direction", Some("went")),
    ("latency_change.since", "local_time", None),
    ("latency_change.found", "local_time", None),
    ("link_report.state", "link_state", None),
    ("link_report.trouble", "link_trouble", None),
    ("link_report.stamps", "link_stamps", None),
    ("link_report.mark", "link_mark", None),
    ("order_verdict.order", "order", None),
    ("rewind_result.limit", "rewind_limit", None),
    ("rewind_result.target", "server_time", None),
    ("rewind_result.acted", "server_time", None),
    ("peer_reading.stage", "peer_stage", None),
    ("peer_reading.role", "peer_role", None),
    ("peer_reading.state", "clock_state", None),
    ("peer_reading.rejection", "rejection", None),
    ("peer_reading.time", "server_time", None),
    ("peer_game_message.time", "server_time", None),
    ("start_proposal.hold_up", "hold_up", Some("reason")),
    ("start_proposal.at", "server_time", None),
    ("start_participation.hold_up", "hold_up", Some("reason")),
    ("start_result.at", "server_time", None),
    ("start_progress.stage", "stage", None),
    ("start_progress.at", "server_time", None),
    ("utc_claim.zero", "utc_time", None),
    ("utc_claim.read", "server_time", None),
    ("utc_reading.utc", "utc_time", None),
    ("rate_verdict.level", "rate_level", None),
    ("rate_verdict.worst", "rate_level", None),
    ("rate_verdict.finding", "rate_finding", None),
    ("world_segment.since", "server_time", None),
    ("world_segment.real", "server_time", None),
    ("world_segment.world", "world_time", None),
    ("world_segment.through", "server_time", None),
    ("world_reading.world_time", "world_time", Some("time")),
];

/// Numbers whose bits are truths: what the constants' names begin with, and how they go on.
pub(super) const BITS: &[(&str, &str, &[&str])] = &[
    ("link_server_config.flags", "LINK_", &["POLLED", "THREAD_STAMPS", "CARRIED", "NO_MARK"]),
    ("link_client_config.flags", "LINK_", &["POLLED", "THREAD_STAMPS", "AUTHORITY", "CARRIED", "NO_MARK"]),
];

/// Two fields that are one structure: both, its type, its name, and each field with its name there.
pub(super) type Pair = (&'static str, &'static str, &'static str, &'static str, [[&'static str; 2]; 2]);
pub(super) const PAIRS: &[Pair] = &[
    (
        "config.client_rate_ppm",
        "config.client_rate_doubt_ppm",
        "rate_hint",
        "client_rate",
        [["client_rate_ppm", "ppm"], ["client_rate_doubt_ppm", "doubt_ppm"]],
    ),
    (
        "config.server_rate_ppm",
        "config.server_rate_doubt_ppm",
        "rate_hint",
        "server_rate",
        [["server_rate_ppm", "ppm"], ["server_rate_doubt_ppm", "doubt_ppm"]],
    ),
    (
        "session_key.secret_high",
        "session_key.secret_low",
        "seed",
        "secret",
        [["secret_high", "high"], ["secret_low", "low"]],
    ),
];

/// Numbers that mean another enumeration with each kind of event: the field, its name, the enumeration, the
/// kind.
pub(super) const PICKED: &[(&str, &str, &str, &str)] = &[
    ("event.cause", "discontinuity", "discontinuity_cause", "DISCONTINUITY"),
    ("event.cause", "degradation", "degradation_cause", "DEGRADED"),
];

/// Numbers of which another field says whether they are there.
pub(super) const FLAGS: &[(&str, &str)] =
    &[("relay_game.primary", "has_primary"), ("rate_verdict.mean_ppm", "is_mean_known")];

/// Words of the C headers and those for C++; `^` at the beginning of a comment.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("^1 if ", "True if "),
    ("^1 while ", "True while "),
    ("^1 in ", "True in "),
    (", else 0", ""),
    ("; else 0", "; else false"),
    (". `NETCLOCK_UNBOUNDED`", ". Empty"),
    ("`NETCLOCK_UNBOUNDED`", "empty"),
    (". `NETCLOCK_UNKNOWN_TIME`", ". Empty"),
    ("`NETCLOCK_UNKNOWN_TIME`", "empty"),
    ("within `server_time`", "within `time`"),
    (", in ticks of the client's clock", ""),
    (", in ticks of the server's clock", ""),
    (", in ticks", ""),
    (" in ticks", ""),
    ("(ticks, 1 to 100 ms, default 1)", "(100 ns to 100 ms, default 100 ns)"),
    ("1 tick to ", "100 ns to "),
    ("(ticks, 1 to ", "(100 ns to "),
    ("(ticks, ", "("),
    ("(ticks of the local clock)", ""),
    (" (ticks)", ""),
];
