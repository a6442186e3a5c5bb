//! Tests that `lab study netns` reports missing requirements (root and TUN) and cleans up after itself.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::support::{Ended, lab, refused};
use crate::tools;

/// The id of an unprivileged user, who may not create network namespaces.
const NOBODY: u32 = 65_534;
const PATIENCE: Duration = Duration::from_secs(20);
const REFUSAL: &str = "needs root and /dev/net/tun";
const TOOLS: [&str; 2] = ["chronyc", "/usr/sbin/chronyd"];

#[test]
fn without_root_the_study_fails_with_a_message() -> io::Result<()> {
    if !tools::present(&TOOLS) {
        return Ok(());
    }
    let mut command = lab(&["study", "netns", "--row", "idle", "--runs", "1", "--seconds", "5"]);
    if nix::unistd::geteuid().is_root() {
        command.uid(NOBODY);
    }
    match command.output() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            tools::skip("the user nobody may not run the program");
        }
        output => {
            let ended = Ended::from(output?);
            assert_eq!(ended.code, Some(2), "{ended:?}");
            assert!(ended.err.contains(REFUSAL), "{ended:?}");
        }
    }
    Ok(())
}

#[test]
fn an_unknown_row_is_rejected() {
    refused(&["study", "netns", "--row", "x"], "there is no row x");
}

fn in_group(group: u32) -> usize {
    let stats = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = stats.filter_map(|process| fs::read_to_string(process.path().join("stat")).ok());
    // The state, the parent and the process group follow the parenthesised name.
    let groups = stats.filter_map(|stat| stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok());
    groups.filter(|&of: &u32| of == group).count()
}

/// Each child leads its own process group, so the child's id is also the group's id.
fn started_by(parent: &Child) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{}/task", parent.id())).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    children
        .flat_map(|line| line.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "timed out: {what}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn ctrl_c_and_a_kill_leave_no_processes() -> io::Result<()> {
    use nix::sys::signal::{Signal, kill};
    if !tools::present(&TOOLS) {
        return Ok(());
    }
    for signal in [Signal::SIGINT, Signal::SIGKILL] {
        let mut command = lab(&["study", "netns", "--row", "stopped", "--runs", "1", "--seconds", "60"]);
        let mut running = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut groups = Vec::new();
        let mut has_ended = false;
        // The study starts a server and a client, and the client starts two chronyd processes.
        wait_until("its processes did not start", || {
            groups = started_by(&running);
            has_ended = running.try_wait().is_ok_and(|status| status.is_some());
            has_ended || groups.iter().map(|&group| in_group(group)).sum::<usize>() >= 4
        });
        if has_ended {
            let said = Ended::from(running.wait_with_output()?);
            assert!(said.err.contains(REFUSAL), "{said:?}");
            tools::skip(said.err.trim());
            return Ok(());
        }
        let id = nix::unistd::Pid::from_raw(i32::try_from(running.id()).unwrap_or(i32::MAX));
        kill(id, signal)?;
        let ended = running.wait()?;
        assert!(!ended.success());
        wait_until("they did not exit", || groups.iter().all(|&group| in_group(group) == 0));
    }
    Ok(())
}
