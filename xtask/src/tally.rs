//! Counts tests by the result line at the end of each test program's output.

/// What opens the line `test result: ok. 5 passed; 0 failed; 0 ignored; ...`.
const RESULT: &str = "test result: ";

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    /// Adds the results that a line of output reports, if any. Text before the result comes from a test that
    /// ended without a line end.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some((_, result)) = line.split_once(RESULT) else { return };
        let mut counts = result.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
        self.passed += counts.next().unwrap_or(0);
        self.failed += counts.next().unwrap_or(0);
    }
}
