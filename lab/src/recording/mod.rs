//! Recordings of sessions: a client's exchanges, their results, and the server's announcements.
//!
//! `docs/recording.md` describes the format. C programs can write this format in a tap callback.

mod reader;
mod writer;

use netclock::authority::Authority;
use netclock::timeline::Segment;
use netclock::{LocalTime, Refusal, Sample, ServerTime, Span};

pub use reader::{Recording, Stretch};
pub use writer::Recorder;

pub(crate) const VERSION: &str = "# netclock recording 4";
const COLUMNS: &str =
    "status,id,epoch,client_sent,server_received,server_sent,client_received,path,server_wait,client_wait";
/// The header of the previous version, which lacks this many columns (the waits).
const OLDER: (&str, usize) = ("# netclock recording 3", 2);
/// Equals `NETCLOCK_UNKNOWN_TIME`.
const UNKNOWN_TIME: i64 = i64::MIN;
const UNKNOWN_STATUS: &str = "unknown";

const STATUSES: [(i32, &str, Result<(), Refusal>); 9] = [
    (0, "NETCLOCK_OK", Ok(())),
    (-101, "NETCLOCK_UNKNOWN_REQUEST", Err(Refusal::UnknownRequest)),
    (-6, "NETCLOCK_STAMP_OUT_OF_RANGE", Err(Refusal::StampOutOfRange)),
    (-102, "NETCLOCK_ARRIVED_BEFORE_SENT", Err(Refusal::ArrivedBeforeSent)),
    (-103, "NETCLOCK_SENT_BEFORE_RECEIVED", Err(Refusal::SentBeforeReceived)),
    (-104, "NETCLOCK_HELD_TOO_LONG", Err(Refusal::HeldTooLong)),
    (-105, "NETCLOCK_TOO_SLOW", Err(Refusal::TooSlow)),
    (-106, "NETCLOCK_CONTRADICTION", Err(Refusal::Contradiction)),
    (-107, "NETCLOCK_SEVERAL_SERVERS", Err(Refusal::SeveralServers)),
];

pub fn name(outcome: Result<(), Refusal>) -> &'static str {
    STATUSES.iter().find(|status| status.2 == outcome).map_or("an unknown status", |status| status.1)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub line: usize,
    pub sample: Sample,
    /// False for imported exchanges, whose results are unknown.
    pub has_status: bool,
}

impl Recorded {
    pub(crate) fn foreign(line: usize, stamps: [i64; 4]) -> Self {
        let [client_sent, server_received, server_sent, client_received] = stamps;
        let sample = Sample {
            id: None,
            server_epoch: None,
            client_sent: Some(LocalTime::from_ticks(client_sent)),
            server_received: ServerTime::from_ticks(server_received),
            server_sent: ServerTime::from_ticks(server_sent),
            client_received: LocalTime::from_ticks(client_received),
            server_wait: None,
            client_wait: None,
            by_link: false,
            outcome: Ok(()),
        };
        Recorded { line, sample, has_status: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrueOffset {
    pub at: LocalTime,
    pub offset: Span,
    pub uncertainty: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// A new authority with the same timescale indicates a handover.
    Authority(Authority),
    Segment(Segment),
    Start {
        version: u32,
        server_epoch: u64,
        /// `None` if the start was cancelled.
        at: Option<ServerTime>,
    },
    Paused {
        since: LocalTime,
    },
    Ended,
}

impl Announcement {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Authority(_) => "authority",
            Self::Segment(_) => "segment",
            Self::Start { .. } => "start",
            Self::Paused { .. } => "pause",
            Self::Ended => "end",
        }
    }

    pub fn words(&self) -> String {
        match self {
            Self::Authority(Authority { epoch, timescale, dispersion }) => format!(
                "the server's clock {epoch:#x} shows timescale {timescale:#x} within {} ms",
                dispersion.as_millis_f64()
            ),
            Self::Segment(Segment { instance, version, real, world, rate, .. }) => format!(
                "world {instance}, segment {version}: at server time {:.3} s it shows {:.3} s and runs at \
                 {:.2}",
                real.as_secs_f64(),
                world.as_secs_f64(),
                rate.as_f64()
            ),
            Self::Start { version, at: Some(at), .. } => {
                format!("start {version} is at server time {:.3} s", at.as_secs_f64())
            }
            Self::Start { version, at: None, .. } => format!("start {version} is cancelled"),
            Self::Paused { .. } => "this program was paused until now".to_owned(),
            Self::Ended => "the session ended".to_owned(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced {
    pub at: LocalTime,
    pub after: usize,
    pub what: Announcement,
}

#[cfg(test)]
mod tests;
