//! The kinds of verdicts.

use serde::Serialize;

use crate::report::page::{Finding, Weight};

/// The kinds of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// None of the following happened.
    Clean,
    /// No exchange synchronised the clock.
    NeverSynced,
    /// Exchanges were refused, and no other verdict explains it.
    Refused,
    /// Round trips were long at times, but nothing shows in which direction.
    LongRoundTrips,
    /// Messages waited in a queue on the way to the server.
    QueueUp,
    /// Messages waited in a queue on the way to the client.
    QueueDown,
    /// The delays in both directions vary much.
    Jitter,
    /// The route in one direction became permanently longer or shorter.
    Route,
    /// The server's program stood still at times.
    ServerFreeze,
    /// No replies arrived for a while.
    Outage,
    /// The program or its machine stood still.
    Pause,
    /// The server's clock started again.
    ServerRestart,
    /// A clock was set.
    Step,
    /// A clock is slewed faster than the settings allow.
    Slewed,
    /// The rates of the two clocks differ by more than the bound allows for.
    Rate,
    /// Several servers answer at one address.
    SeveralServers,
    /// Some replies do not answer any known request.
    Copies,
    /// The path is so long that the bound exceeds its target.
    WideBound,
    /// A limitation of the recording.
    NotSeen,
    /// The lines were not in order of arrival.
    Unordered,
    /// The clock's results differ from the recorded ones.
    OtherSettings,
    /// A promise was broken: the truth was outside the bound.
    OutsideBound,
}

impl Kind {
    /// Names several verdicts of this kind that have a time.
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
    /// When it happened (s since the start); `None`: all the time.
    pub stretch: Option<(f64, f64)>,
    /// What happened, in words.
    pub words: String,
}

impl Verdict {
    /// True if it happened at this time (s), or within `margin` of it.
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
