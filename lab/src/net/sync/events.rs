use netclock::link::Mark;
use netclock::{Cause, Degradation, Event, Span, State};
use serde::Serialize;

use crate::report::page::Weight;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Described {
    pub(crate) event: String,
    pub(crate) jump_ms: Option<f64>,
    pub(crate) meaning: String,
    pub(crate) discontinuity: bool,
}

impl Described {
    pub(super) fn news(event: &str, meaning: String) -> Self {
        Described { event: event.to_owned(), jump_ms: None, meaning, discontinuity: false }
    }
}

pub(crate) fn describe(event: &Event) -> Described {
    let (name, meaning) = words(event);
    let jump_ms = match event {
        Event::Discontinuity { jump, .. } if jump.ticks() != 0 => Some(jump.as_millis_f64()),
        _ => None,
    };
    let meaning = match jump_ms {
        Some(jump) => format!("{meaning} (shown time {jump:+.1} ms)"),
        None => meaning.to_owned(),
    };
    let discontinuity = matches!(event, Event::Synced | Event::Discontinuity { .. });
    Described { event: name.to_owned(), jump_ms, meaning, discontinuity }
}

pub(crate) fn describe_pause(length: Span) -> Described {
    Described::news("pause", format!("this program did not run for {:.1} s", length.as_secs_f64()))
}

pub(super) fn mark_dropped() -> Described {
    Described::news("mark_dropped", format!("{}; they are no longer marked", Mark::Dropped.words()))
}

pub(super) fn key_in_use() -> Described {
    let words = "another client uses this key, and both are served; give each its own (`lab keys N`)";
    Described::news("key_in_use", words.to_owned())
}

fn words(event: &Event) -> (&'static str, &'static str) {
    match event {
        Event::Synced => ("synced", "the first reply arrived; there is a server time to show"),
        Event::HandedOver => ("handed_over", "another server adopted the timescale; the clock continues"),
        Event::Recovered => ("recovered", "the clock is no longer degraded"),
        Event::Linked => ("linked", "the server answers over the link"),
        Event::LinkBlocked => ("link_blocked", "no reply over the link for two seconds"),
        Event::LinkNotPossible => ("link_not_possible", "the link's datagrams cannot be sent"),
        Event::Discontinuity { cause, .. } => match cause {
            Cause::ServerRestart => ("server_restart", "the server's clock restarted"),
            Cause::ProvenStep => ("proven_step", "two replies prove that a clock was stepped"),
            Cause::LocalGap => ("local_gap", "this program did not run for a while; asking again"),
            Cause::LocalStep => ("local_step", "this machine's clock was set back; asking again"),
            Cause::Correction => ("correction", "a correction too large to be slewed"),
            Cause::Requested => ("requested", "the application stepped the clock"),
        },
        Event::Degraded(why) => match why {
            Degradation::NoReplies => ("no_replies", "no replies: running on the estimated rate"),
            Degradation::BoundAboveTarget => ("bound_above_target", "the error bound exceeds its target"),
            Degradation::SeveralServers => (
                "several_servers",
                "several servers with different clocks answer at this address (a load balancer?): following \
                 one",
            ),
            Degradation::Contradiction => ("contradiction", "a reply contradicts the clock; asking again"),
            Degradation::Slewed => ("slewed", "a clock is slewed by more than allowed; the bound is wider"),
        },
    }
}

pub(crate) fn weight(described: &Described) -> Weight {
    match described.event.as_str() {
        "synced" | "recovered" | "linked" | "handed_over" | "started" => Weight::Fine,
        "no_replies" | "bound_above_target" | "several_servers" | "contradiction" | "slewed"
        | "link_blocked" | "link_not_possible" | "proven_step" => Weight::Warning,
        _ => Weight::Note,
    }
}

pub(crate) fn state_name(state: State) -> &'static str {
    match state {
        State::Unsynced => "unsynced",
        State::Synced => "synced",
        State::Holdover => "holdover",
        State::Doubtful => "doubtful",
    }
}
