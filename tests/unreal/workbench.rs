//! Replays the plugin's recordings in the workbench.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::files::{printed_by, read, root};
use super::library::current_build;

/// Replays each file printed as `recording COUNT FILE`. The COUNT exchanges in each file must have their
/// recorded outcomes.
pub(crate) fn replay_all(printed: &str) -> usize {
    replay_all_in(printed, root())
}

pub(crate) fn replay_all_in(printed: &str, dir: &Path) -> usize {
    let recordings = printed.lines().filter_map(|line| line.strip_prefix("recording ")?.split_once(' '));
    let mut files = 0;
    for (count, file) in recordings {
        let mut command = Command::new(lab());
        command.current_dir(dir).args(["replay", "--json", "--recording", file]);
        // The command fails if an exchange has a different outcome.
        let report: Value =
            serde_json::from_str(&printed_by(&mut command)).expect("the workbench writes JSON");
        assert_eq!(report["exchanges"].to_string(), count, "{file}");
        assert_eq!(report["differing"], Value::Array(Vec::new()), "{file}");
        // A recording without accepted replies would prove nothing.
        assert!(report["accepted"].as_u64() > Some(30), "{file}: {} accepted", report["accepted"]);
        is_reported(&dir.join(file));
        files += 1;
    }
    files
}

/// The report must contain all announcements and handovers of the recording.
fn is_reported(recording: &Path) {
    let lines = read(recording);
    let report = report(recording);
    for name in ["authority", "segment", "start"] {
        let written = lines.lines().filter(|line| line.starts_with(&format!("{name},")));
        // A report lists authorities only if at least one of them does not serve its own time.
        let is_told = name != "authority" || written.clone().any(|line| !is_alone(line));
        let written = if is_told { written.count() } else { 0 };
        assert_eq!(report.matches(&format!(",\"{name}\",")).count(), written, "{name}: {report}");
    }
    // A handover does not count as a restart of the server. An authority known before the first reply does
    // not count as a handover.
    let replies = lines.lines().skip_while(|line| !line.starts_with("0,"));
    let has_handover = replies.filter(|line| line.starts_with("authority,") && !is_alone(line)).count() > 0;
    assert_eq!(has_handover, report.contains(",\"handed_over\","), "{report}");
    assert!(!has_handover || !report.contains(",\"server_restart\","), "{report}");
}

/// Returns true if the announced server serves its own time.
fn is_alone(line: &str) -> bool {
    let mut cells = line.split(',').skip(2);
    cells.next() == cells.next()
}

fn report(recording: &Path) -> String {
    let mut command = Command::new(lab());
    command.arg("report").arg(recording).arg("--json");
    printed_by(&mut command)
}

/// Returns the lab that `cargo xtask test` built. Otherwise, builds the lab with the whole workspace, so that
/// features stay the same.
fn lab() -> &'static PathBuf {
    static LAB: OnceLock<PathBuf> = OnceLock::new();
    LAB.get_or_init(|| {
        if let Some(told) = std::env::var_os("NETCLOCK_TEST_LAB") {
            return told.into();
        }
        let (target_dir, profile) = current_build();
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(root());
        command.args(["build", "--workspace", "--bin", "lab", "--message-format", "json-render-diagnostics"]);
        command.arg("--profile").arg(profile).arg("--target-dir").arg(target_dir);
        let messages = printed_by(&mut command);
        let programs = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut programs = programs.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
        programs.next().expect("Cargo prints the path of the program")
    })
}
