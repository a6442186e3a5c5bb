use serde::{Deserialize, Serialize};

use crate::report::Weight;

/// Time since the start (s), error, bound, expected error, and the errors of two other clocks (ms). Values
/// are `None` if they are unknown or not guaranteed.
pub(crate) type Point = (f64, [Option<f64>; 5]);

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Happening {
    pub(crate) at: f64,
    pub(crate) row: Option<usize>,
    pub(crate) weight: Weight,
    pub(crate) word: &'static str,
    pub(crate) label: String,
    pub(crate) text: String,
    pub(crate) is_told: bool,
}

impl Happening {
    pub(crate) fn new(at: f64, row: Option<usize>, weight: Weight, label: &str, text: String) -> Self {
        let (word, label) = (weight.word(), label.replace('_', " "));
        Happening { at, row, weight, word, label, text, is_told: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    pub(crate) act: String,
    pub(crate) row: Option<usize>,
}
