//! The kinds of verdicts.

use serde::Serialize;

use crate::report::page::{Finding, Weight};

/// The kinds of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Nothing below happened.
    Clean,
    /// No exchange synchronised the clock.
    NeverSynced,
    /// Exchanges were refused, although nothing else explains it.
    Refused,
    /// Round trips were long at times, in a direction that nothing tells.
    LongRoundTrips,
    /// Messages waited in a queue on the way to the server.
    QueueUp,
    /// Messages waited in a queue on the way to the client.
    QueueDown,
    /// Delays of both directions vary much.
    Jitter,
    /// The way of one direction became longer or shorter for good.
    Route,
    /// The server's program stood still at times.
    ServerFreeze,
    /// No replies came for a while.
    Outage,
    /// The program or its machine stood still.
    Pause,
    /// The server's clock started again.
    ServerRestart,
    /// A clock was set.
    Step,
    /// A clock is slewed by more than the settings allow.
    Slewed,
    /// The two clocks' rates differ by more than the bound allows for.
    Rate,
    /// Several servers answer at one address.
    SeveralServers,
    /// Replies came that answer no known request.
    Copies,
    /// The path is so long that the bound exceeds its target.
    WideBound,
    /// A limitation of the recording.
    NotSeen,
    /// The lines were not in the order of arrival.
    Unordered,
    /// The clock does not end exchanges as the recording says.
    OtherSettings,
    /// A promise was broken: the truth was outside the bound.
    OutsideBound,
}

impl Kind {
    /// Several of those that have a time.
    pub(super) fn plural(self) -> &'static str {
        match self {
            Kind::QueueUp | Kind::QueueDown => "queues",
            Kind::Jitter => "spells of jitter",
            Kind::Slewed => "spells of a slewed clock",
            Kind::WideBound => "spells of a wide bound",
            Kind::Route => "changes of the route",
            Kind::Outage => "outages",
            Kind::Pause => "pauses",
            Kind::ServerRestart => "restarts of the server's clock",
            Kind::Step => "steps of a clock",
            _ => "times",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What happened.
    pub kind: Kind,
    /// When (s since the start), if it did not happen all the time.
    pub stretch: Option<(f64, f64)>,
    /// What happened, in words.
    pub words: String,
}

impl Verdict {
    /// True if it happened at a time (s), or within `margin` of it.
    pub(crate) fn is_near(&self, at: f64, margin: f64) -> bool {
        self.stretch.is_some_and(|(from, to)| (from - margin..=to + margin).contains(&at))
    }

    /// The verdict for a page.
    pub(crate) fn finding(&self) -> Finding {
        let weight = match self.kind {
            Kind::Clean => Weight::Fine,
            Kind::OutsideBound | Kind::NeverSynced => Weight::Fault,
            Kind::Step
            | Kind::Slewed
            | Kind::Rate
            | Kind::SeveralServers
            | Kind::ServerFreeze
            | Kind::OtherSettings => Weight::Warning,
            _ => Weight::Note,
        };
        Finding::new(weight, self.words.clone(), self.stretch)
    }
}
