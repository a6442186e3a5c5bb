//! The server pushes its time every 5 s, and the client shows it uncorrected: offset = S - t3.
//! Source: Unreal Engine 4's replicated world time.

use super::rule::{Pace, Rule, Stamps, Terms};

/// Time between pushes (s).
const PUSH_S: f64 = 5.0;

/// The state: the offset (s) and when it was pushed (server, s).
#[derive(Default)]
pub(super) struct EnginePush(Option<(f64, f64)>);

impl Rule for EnginePush {
    fn terms(&self) -> Terms {
        Terms::pushed("engine_push", Pace::each(PUSH_S))
    }

    fn take(&mut self, x: &Stamps) {
        if self.0.is_none_or(|(_, pushed)| x.t2 - pushed >= PUSH_S) {
            self.0 = Some((x.t2 - x.t3, x.t2));
        }
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.0.map(|(offset, _)| offset)
    }
}
