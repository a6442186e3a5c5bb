use serde::Serialize;

use crate::report::{Finding, Weight};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Clean,
    NeverSynced,
    /// Exchanges were rejected, and no other verdict explains why.
    Refused,
    LongRoundTrips,
    QueueUp,
    QueueDown,
    Jitter,
    Route,
    ServerFreeze,
    Outage,
    Pause,
    ServerRestart,
    Step,
    Slewed,
    Rate,
    SeveralServers,
    /// The bound exceeds its target because the path is long or because replies are rare.
    WideBound,
    NotSeen,
    Unordered,
    OtherSettings,
    OutsideBound,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    pub kind: Kind,
    /// Start and end in seconds since the start of the session, or `None` for the entire session.
    pub stretch: Option<(f64, f64)>,
    pub words: String,
}

impl Verdict {
    pub(crate) fn is_near(&self, at: f64, margin: f64) -> bool {
        self.stretch.is_some_and(|(from, to)| (from - margin..=to + margin).contains(&at))
    }

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
