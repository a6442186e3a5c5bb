//! `cargo bench --bench instructions` counts each operation's instructions and memory accesses with valgrind.
//!
//! Each operation runs under callgrind on its own. Unlike times, the counts are the same in every run.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use std::hint::black_box;
use std::process::{Command, Stdio};

#[path = "support/abi.rs"]
mod abi;
#[path = "support/operations.rs"]
mod operations;
#[expect(dead_code, reason = "only the summary uses the byte counts")]
#[path = "support/sessions.rs"]
mod sessions;
#[path = "support/traffic.rs"]
mod traffic;

use operations::Operation;

/// These runs include whole cycles of frames, and both exchanges that open a block and exchanges that do not.
const RUNS: u64 = 1024;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["count", name] => count(name),
        _ if arguments.iter().any(|argument| argument == "--bench") => table(),
        _ => println!("use `cargo bench`"),
    }
}

fn count(name: &str) {
    if let Some(operation) = operations::ALL.into_iter().find(|it| it.name == name) {
        counted(&mut *(operation.prepare)());
    }
}

/// callgrind finds this function by its name and counts only inside it.
#[inline(never)]
fn counted(run: &mut dyn FnMut(u64)) {
    run(black_box(RUNS));
    // This prevents a tail call, after which callgrind would not see this function return.
    black_box(());
}

fn table() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!(
            "instructions are not counted because valgrind is missing (Debian: apt-get install valgrind)"
        );
        return;
    }
    println!(
        "{:52} {:>12} {:>8} {:>8}",
        "per operation, the loop included", "instructions", "reads", "writes"
    );
    for operation in operations::ALL.into_iter().filter(|it| !it.concurrent) {
        match counts(&operation) {
            Ok([instructions, reads, writes]) => {
                println!("{:52} {instructions:12.1} {reads:8.1} {writes:8.1}", operation.name);
            }
            Err(failure) => println!("{:52} {failure}", operation.name),
        }
    }
}

fn counts(operation: &Operation) -> Result<[f64; 3], String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--cache-sim=yes", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*instructions*counted*"])
        .arg(this)
        .args(["count", operation.name])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let report = String::from_utf8_lossy(&output.stderr);
    // The line lists instructions, reads and writes, as in "==1234== Collected : 11264 2048 1024 ...".
    let collected = report.lines().find_map(|line| line.split_once("Collected : "));
    let numbers: Vec<f64> = collected
        .map_or("", |(_, numbers)| numbers)
        .split_whitespace()
        .map_while(|it| it.parse().ok())
        .collect();
    match numbers[..] {
        [instructions, reads, writes, ..] if instructions > 0.0 => {
            Ok([instructions, reads, writes].map(|number| number / RUNS as f64))
        }
        _ => Err(format!("no instructions were counted\n{report}")),
    }
}
