//! `cargo xtask test`: all tests, with the total as the last line.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

const FULL: &[Step] = &[
    Step {
        title: "Build",
        args: &["test", "--workspace", "--all-targets", "--no-run"],
        env: &[],
        is_beside: false,
        is_needed: true,
        advice: "Correct the errors above.",
    },
    Step {
        title: "Unit tests and model checks",
        args: &["test", "--workspace", "--lib", "--bins", "--benches", "--no-fail-fast"],
        env: &[],
        is_beside: false,
        is_needed: false,
        advice: "A failing test runs alone with `cargo test --lib <part of its name>`.",
    },
    program("replay of fuzzing", &["test", "--workspace", "--test", "replay"]),
    // One package after the other: Cargo builds the library again when the next has dependencies with other features.
    program("studies", &["test", "--workspace", "--test", "studies"]),
    // They mostly wait for the network and for time to pass.
    beside(program(
        "processes",
        &["test", "--workspace", "--test", "processes", "--", "--test-threads", "6"],
    )),
    program("library", &["test", "--workspace", "--test", "library"]),
    program("c", &["test", "--workspace", "--test", "c"]),
    program("unreal", &["test", "--workspace", "--test", "unreal"]),
    // They build the library, so nothing that links it may run beside them.
    program("tools", &["test", "--workspace", "--test", "tools"]),
    Step {
        title: "Documentation examples",
        args: &["test", "--workspace", "--doc", "--no-fail-fast"],
        env: &[],
        is_beside: false,
        is_needed: false,
        advice: "An example in a doc comment no longer works: correct the example or what it shows.",
    },
];

const QUICK: &[Step] = &[Step {
    title: "Unit tests",
    args: &["test", "--workspace", "--lib", "--bins", "--no-fail-fast"],
    env: &[],
    is_beside: false,
    is_needed: false,
    advice: "Correct the errors above. A failing test runs alone with `cargo test --lib --bins <part of its name>`.",
}];

/// A program of integration tests.
const fn program(title: &'static str, args: &'static [&'static str]) -> Step {
    Step {
        title,
        args,
        env: &[],
        is_beside: false,
        is_needed: false,
        advice: "A failing test runs alone with `cargo test <part of its name>`; a scenario prints the seed that \
                 repeats it.",
    }
}

const fn beside(step: Step) -> Step {
    Step { is_beside: true, ..step }
}

pub(crate) fn test(quick: bool) -> Result<ExitCode> {
    let outcome = run(if quick { QUICK } else { FULL })?;
    println!("{} passed, {} failed", outcome.tally.passed, outcome.tally.failed);
    Ok(outcome.exit_code())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::FULL;
    use crate::cargo::root;

    #[test]
    fn every_program_of_integration_tests_is_run() {
        let name = |step: &super::Step| step.args.iter().copied().skip_while(|it| *it != "--test").nth(1);
        let mut run: Vec<&str> = FULL.iter().filter_map(name).collect();
        let mut declared = Vec::new();
        for manifest in ["Cargo.toml", "fuzz/Cargo.toml", "lab/Cargo.toml"] {
            let text = fs::read_to_string(root().join(manifest)).expect("it is part of the workspace");
            assert!(
                text.contains("\nautotests = false\n"),
                "{manifest}: Cargo finds further programs by itself"
            );
            let names = text.split("[[test]]\nname = \"").skip(1);
            declared.extend(names.map(|it| it.split('"').next().unwrap_or_default().to_owned()));
        }
        run.sort_unstable();
        declared.sort_unstable();
        assert_eq!(run, declared);
    }
}
