//! The hook that checks commit messages, for those who switch it on.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::compiler::{run, scratch};

/// What the hook says of a message; nothing if it passes.
fn objection(message: &str) -> Option<String> {
    let file = scratch(&format!("hook-{:?}", std::thread::current().id())).join("COMMIT_EDITMSG");
    fs::write(&file, message).expect("the scratch directory was just created");
    let hook = Path::new(env!("CARGO_MANIFEST_DIR")).join(".githooks/commit-msg");
    // By its shell, which Windows finds only in git's own; characters count, not bytes.
    run(Command::new("sh").arg(hook).arg(file).env("LC_ALL", "C.UTF-8")).err()
}

#[test]
fn messages_that_git_shows_well_pass() {
    if cfg!(windows) {
        return crate::tools::skip("no sh on Windows");
    }
    let longest = "x".repeat(72);
    for message in [
        "Refuse a reply to a forgotten request\n",
        "Refuse a reply to a forgotten request\n\nIt was late. A body has any length, and periods.\n",
        longest.as_str(),
        &"ü".repeat(72),
        &format!("fixup! {longest}"),
        "Say it\n# comments of git are no body\n",
        &format!("Say it\n\n# {} >8 {}\ndiff\n", "-".repeat(24), "-".repeat(24)),
    ] {
        assert_eq!(objection(message), None, "{message}");
    }
}

#[test]
fn other_messages_are_refused() {
    if cfg!(windows) {
        return crate::tools::skip("no sh on Windows");
    }
    for (message, why) in [
        ("", "the first line is empty"),
        ("\nSay it\n", "the first line is empty"),
        ("# only comments\n", "the first line is empty"),
        (&"x".repeat(73), "the subject has 73 characters"),
        (&"ü".repeat(73), "the subject has 73 characters"),
        ("Say it.\n", "ends in a period"),
        ("Say it.\n\nWhy.\n", "ends in a period"),
        ("Say it\nand why\n", "no blank line"),
    ] {
        let said = objection(message).unwrap_or_else(|| panic!("the hook takes {message:?}"));
        assert!(said.contains(why), "{message:?}: {said}");
    }
}
