//! Lists the estimator's mechanisms and how to switch each one off.

pub(crate) enum Off {
    Return(&'static str, &'static str),
    Replace(&'static str, &'static str, &'static str),
    Factor(&'static str, f64),
}

use Off::{Factor, Replace, Return};

/// Each mechanism's name, what the estimator does without it, and how to switch it off.
pub(crate) const MECHANISMS: &[(&str, &str, Off)] = &[
    ("crystals", "all rates are as likely beforehand", Return("prior::density", "1.0")),
    (
        "tail",
        "rates are normal beforehand",
        Replace("prior", "(1.0 + z * z / f64::from(TAIL)).powi(-TAIL / 2)", "(-z * z / 2.0).exp()"),
    ),
    ("wander", "bounds do not age", Factor("mod::WANDER", 0.0)),
    ("rate_floor", "the rate's uncertainty has no floor", Factor("mod::RATE_FLOOR", 0.0)),
    (
        "segments",
        "a session is one route",
        Replace("segments", "scale(trips).max(TIMER_NOISE)", "f64::INFINITY"),
    ),
    ("share", "all gaps are independent", Return("evidence::independent_share", "1.0")),
    ("quiet", "all blocks have one scale", Return("evidence::find_quiet", "()")),
    ("possible", "rates that bounds exclude are allowed", Return("frequency::is_possible", "true")),
    (
        "scale_at_floor",
        "one scale for blocks near the floor and all others",
        Return("evidence::scale_at_floor", "self.scale"),
    ),
    (
        "most_unexplained",
        "the unexplained variance has no limit",
        Replace("frequency", "smaller(unexplained.variance, most)", "unexplained.variance"),
    ),
    ("reconsider", "an odd rate is not reconsidered", Return("frequency::reconsidered", "unlikely")),
    ("unexplained", "the path always has a floor", Return("scatter::unexplained", "Unexplained::default()")),
    ("floors", "changing levels are not detected", Return("scatter::beyond_queueing", "0.0")),
    ("bends", "bends are not detected", Return("scatter::bends", "[Bend::default(); 2]")),
    ("lag", "a changing rate does not move the estimate", Return("scatter::lag", "0.0")),
    ("forget", "old blocks of another rate are kept", Return("history::forget_oldest", "()")),
    ("counts", "a block counts as one exchange", Replace("history", "self.count += other.count;", "()")),
    ("standing", "no standing queue is detected", Return("standing::judge", "Queue::NONE")),
    (
        "standing_moves",
        "a standing queue does not move the estimate",
        Replace("standing", "probability > enough", "false"),
    ),
    (
        "stays",
        "a queue moves the estimate only while it is likely",
        Replace("standing", "before.stands()", "false"),
    ),
    ("by_cubic", "no standing queue follows CUBIC", Replace("standing", "2.0 * RARE * self.law", "0.0")),
    ("other_law", "standing queues follow only CUBIC", Replace("standing", "TINY / standing", "0.0")),
    ("ends", "delays at the ends of their range are ignored", Return("standing::ends_likelihood", "1.0")),
    (
        "beyond",
        "a direction that varies by little is at its floor",
        Replace("standing", "SLIGHT * queue.mean", "0.0"),
    ),
    (
        "shortest",
        "earlier round trips are ignored",
        Replace(
            "standing",
            "shortest.filter(|&shortest| shortest < (1.0 - RARE) * round_trip)",
            "None::<f64>",
        ),
    ),
    ("draining", "no draining queue is detected", Return("draining::judge", "(Queue::default(), 0)")),
    (
        "draining_moves",
        "a draining queue does not move the estimate",
        Replace("draining", "if moves { mean } else { 0.0 }", "0.0"),
    ),
    ("ended", "blocks that met a queue count", Return("history::join_oldest", "()")),
    ("asymmetry", "no route asymmetry is known", Return("mod::known_of", "None")),
    ("intervals", "messages arrive when a loop reads them", Return("arrivals::is_by_loop", "false")),
    ("find_loops", "unknown loops are not found", Return("arrivals::find_loops", "known")),
    ("likeness", "scales up and down are independent", Return("base::likeness", "0.0")),
    ("outliers", "all messages meet one scale", Factor("base::OUTLIERS", 1e-6)),
    ("scales", "all scales are tried", Return("arrivals::choose_scales", "()")),
    ("evident_drift", "bounds age as slowly as stated", Return("mod::evident_drift", "0.0")),
];
