//! How each mechanism of the estimator is switched off.

/// A mechanism is switched off ...
pub(crate) enum Off {
    /// ... by returning a value from the function `file::name` at once,
    Return(&'static str, &'static str),
    /// ... by replacing an expression in a file with another one,
    Replace(&'static str, &'static str, &'static str),
    /// ... or by multiplying the constant `file::NAME`.
    Factor(&'static str, f64),
}

use Off::{Factor, Replace, Return};

/// The name of each mechanism, what the estimator does without it, and how the mechanism is switched off.
pub(crate) const MECHANISMS: &[(&str, &str, Off)] = &[
    ("crystals", "all rates are as likely beforehand", Return("prior::density", "1.0")),
    (
        "tail",
        "rates are normal beforehand",
        Replace("prior", "(1.0 + z * z / f64::from(TAIL)).powi(-TAIL / 2)", "(-z * z / 2.0).exp()"),
    ),
    ("wander", "bounds do not age", Factor("mod::WANDER", 0.0)),
    ("rate_floor", "the rate has no least doubt", Factor("mod::RATE_FLOOR", 0.0)),
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
        "the scale near the floor is that of all blocks",
        Return("evidence::scale_at_floor", "self.scale"),
    ),
    (
        "most_unexplained",
        "what is unexplained has no limit",
        Replace("frequency", "smaller(unexplained.variance, most)", "unexplained.variance"),
    ),
    ("reconsider", "an odd rate is not looked at again", Return("frequency::reconsidered", "unlikely")),
    (
        "unexplained",
        "the path has the floor of the model",
        Return("scatter::unexplained", "Unexplained::default()"),
    ),
    ("floors", "levels that change are not seen", Return("scatter::beyond_queueing", "0.0")),
    ("bends", "bends are not seen", Return("scatter::bend", "[0.0; 3]")),
    ("forget", "old blocks of another rate are kept", Return("history::forget_oldest", "()")),
    ("counts", "a block counts as one exchange", Replace("history", "self.count += other.count;", "()")),
    ("standing", "no queue stands", Return("standing::judge", "Queue::NONE")),
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
    ("by_cubic", "no queue stands by CUBIC's law", Replace("standing", "2.0 * RARE * self.law", "0.0")),
    ("other_law", "queues stand only by CUBIC's law", Replace("standing", "TINY / standing", "0.0")),
    ("ends", "delays at the ends of their range say nothing", Return("standing::ends_likelihood", "1.0")),
    (
        "beyond",
        "a direction that varies by little is at its floor",
        Replace("standing", "SLIGHT * queue.mean", "0.0"),
    ),
    (
        "shortest",
        "earlier round trips say nothing of a queue",
        Replace(
            "standing",
            "shortest.filter(|&shortest| shortest < (1.0 - RARE) * round_trip)",
            "None::<f64>",
        ),
    ),
    ("draining", "no queue drains", Return("draining::judge", "(Queue::default(), 0)")),
    (
        "draining_moves",
        "a draining queue does not move the estimate",
        Replace("draining", "if moves { mean } else { 0.0 }", "0.0"),
    ),
    ("ended", "blocks that met a queue count", Return("history::join_oldest", "()")),
    ("asymmetry", "no route asymmetry is known", Return("mod::known_of", "None")),
    ("intervals", "messages arrive when loops find them", Return("arrivals::is_by_loop", "false")),
    ("find_loops", "loops of which nobody told are not found", Return("arrivals::find_loops", "known")),
    ("likeness", "scales up and down are independent", Return("base::likeness", "0.0")),
    ("outliers", "all messages meet one scale", Factor("base::OUTLIERS", 1e-6)),
    ("scales", "all scales are tried", Return("arrivals::choose_scales", "()")),
    ("evident_drift", "bounds age as slowly as stated", Return("mod::evident_drift", "0.0")),
];
