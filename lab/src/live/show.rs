//! The contents of a live page, and its buttons.

use serde::{Deserialize, Serialize};

use crate::report::page::Weight;

/// A read of a clock: seconds since the start; error, bound and expected error in ms; and the errors of two
/// other clocks. `None`: unknown or not promised.
pub(crate) type Point = (f64, [Option<f64>; 5]);

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Happening {
    /// Seconds since the start.
    pub(crate) at: f64,
    /// The row that the event concerns; `None`: all rows.
    pub(crate) row: Option<usize>,
    pub(crate) weight: Weight,
    /// The word shown for the weight.
    pub(crate) word: &'static str,
    /// Its short name, for a mark in a chart.
    pub(crate) label: String,
    pub(crate) text: String,
    /// True if its text is also shown below the chart of its row.
    pub(crate) is_told: bool,
}

impl Happening {
    pub(crate) fn new(at: f64, row: Option<usize>, weight: Weight, label: &str, text: String) -> Self {
        let (word, label) = (weight.word(), label.replace('_', " "));
        Happening { at, row, weight, word, label, text, is_told: false }
    }
}

/// A button press: what to do, and for which row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    pub(crate) act: String,
    pub(crate) row: Option<usize>,
}
