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
        self.passed += count(result, "passed");
        self.failed += count(result, "failed");
    }
}

/// The number before `what`, or 0.
fn count(result: &str, what: &str) -> u64 {
    let mut previous = "";
    for word in result.split([' ', ';']) {
        if word == what {
            return previous.parse().unwrap_or(0);
        }
        previous = word;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.add_line(line));
        tally
    }

    #[test]
    fn adds_every_result() {
        let sum = tally(&[
            "running 5 tests",
            "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test a ... FAILED",
            "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 2 filtered out",
        ]);
        assert_eq!(sum, Tally { passed: 17, failed: 3 });
    }

    #[test]
    fn finds_a_result_behind_other_text() {
        let sum = tally(&["no line end here test result: ok. 2 passed; 0 failed; 0 ignored"]);
        assert_eq!(sum, Tally { passed: 2, failed: 0 });
    }

    #[test]
    fn ignores_everything_else() {
        assert_eq!(tally(&["", "3 passed, 1 failed", "test result:"]), Tally::default());
    }
}
