//! What was found, in plain words, with what to do about it.

use netclock::Reading;
use netclock::link::sockets::Stamps;
use serde::Serialize;

use super::machine::Machine;
use super::path::{Path, Silence};
use super::signs::{LATE_MS, Signs};
use crate::report::page::Weight;
use crate::report::session::verdict::{Kind, Verdict};
use crate::report::words::ms;

/// A coarser clock limits the accuracy (us).
const COARSE_US: f64 = 100.0;
/// A faster slew of the wall clock is worth a word (ppm).
const SLEW_PPM: f64 = 50.0;
/// Longer stalls need attention (ms).
const LONG_STALL_MS: f64 = 100.0;
/// Shares of requests without an answer that are worth a word, and that need attention.
const LOSS: (f64, f64) = (0.02, 0.10);
/// Shares of copies and of overtaken replies that are worth a word.
const DISORDER: f64 = 0.02;
/// A longer path needs attention (ms): the bound is half of it.
const LONG_PATH_MS: f64 = 300.0;
/// A larger expected error needs attention (ms).
const INACCURATE_MS: f64 = 5.0;

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Finding {
    /// Its name for programs.
    pub(super) id: &'static str,
    pub(super) weight: Weight,
    pub(super) words: String,
    /// What to do, if there is something.
    pub(super) advice: Option<&'static str>,
}

fn finding(id: &'static str, weight: Weight, words: String, advice: &'static str) -> Finding {
    Finding { id, weight, words, advice: (weight != Weight::Fine && !advice.is_empty()).then_some(advice) }
}

/// Something that is as it should be.
fn fine(id: &'static str, words: String) -> Finding {
    finding(id, Weight::Fine, words, "")
}

/// What was found about this machine.
pub(super) fn of_machine(machine: &Machine) -> Vec<Finding> {
    let coarse = machine.step_us > COARSE_US;
    let mut all = vec![finding(
        "clock_step",
        if coarse { Weight::Warning } else { Weight::Fine },
        format!("The clock's smallest step is {:.1} us.", machine.step_us),
        "Tell the client: Config::client_resolution. A virtual machine may offer a better clock source.",
    )];
    all.push(finding(
        "clock_back",
        if machine.backwards > 0 { Weight::Fault } else { Weight::Fine },
        match machine.backwards {
            0 => "The clock never went backwards.".to_owned(),
            times => format!("The clock went backwards {times} times."),
        },
        "This is a fault of the system or of the virtual machine. Choose another clock source.",
    ));
    all.push(match (machine.wall_set_ms, machine.wall_slew_ppm.unwrap_or(0.0)) {
        (Some(by), _) => finding(
            "wall_set",
            Weight::Note,
            format!("Someone set this machine's wall clock by {} ms during the test.", ms(by)),
            "NetClock does not read it. Make sure that the game does not measure time with it either.",
        ),
        (None, ppm) if ppm.abs() > SLEW_PPM => finding(
            "wall_slew",
            Weight::Note,
            format!("A time service slews this machine's wall clock by {ppm:+.0} ppm."),
            "netclock's own clock is not slewed. If your game passes another one in, raise client_drift_ppm.",
        ),
        (None, ppm) => fine(
            "wall_slew",
            // Never "-0.0".
            format!("The wall clock runs at the same rate ({:+.1} ppm).", (ppm * 10.0).round() / 10.0 + 0.0),
        ),
    });
    let longest = ms(machine.longest_stall_ms);
    all.push(match machine.stalls {
        0 => fine("stalls", format!("Threads run on time; the longest delay was {longest} ms.")),
        count => finding(
            "stalls",
            if machine.longest_stall_ms > LONG_STALL_MS { Weight::Warning } else { Weight::Note },
            format!("This machine let a thread wait {count} times, for up to {longest} ms."),
            "It is busy, or saves power. Stamp arrivals by the kernel or on a thread of their own, as the \
             link does.",
        ),
    });
    all
}

/// Why nothing was heard.
pub(super) fn of_silence(path: &Path, server: &str) -> Finding {
    let silent = |id, words, advice| finding(id, Weight::Fault, words, advice);
    if path.refused > 0 {
        return silent(
            "nobody_listens",
            format!("The host answers that nobody listens at {server}."),
            "Start the server, or correct the port.",
        );
    }
    if path.strange > 0 {
        return silent(
            "another_service",
            format!("{} datagrams came back that are no replies of NetClock.", path.strange),
            "Another service, or another version of NetClock, answers on this port. Correct the port.",
        );
    }
    if path.is_host_there {
        return silent(
            "udp_blocked",
            format!("The host is there, but no reply came to {} requests by UDP.", path.requests),
            if path.is_keyed {
                "A firewall may block UDP, the server may not run on this port, or it may not know this key. \
                 Let UDP through in both directions."
            } else {
                "A firewall may block UDP, the server may not run on this port, or it may want a key \
                 (--key-file). Let UDP through in both directions."
            },
        );
    }
    silent(
        "no_answer",
        format!("No reply came to {} requests, and the host does not answer by TCP either.", path.requests),
        "Check the address, that the host runs, and that firewalls let UDP through in both directions.",
    )
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("No reply {what}."),
        1 => format!("One reply {what}."),
        _ => format!("{count} replies {what}."),
    }
}

/// The known cause of unanswered requests, or else the probable ones.
fn cause_of_loss(path: &Path, verdicts: &[Verdict]) -> &'static str {
    let has = |kinds: &[Kind]| verdicts.iter().any(|it| kinds.contains(&it.kind));
    if path.is_mark_dropped {
        "Marked datagrams (DSCP 45) are dropped on the path. The clock leaves them unmarked then; let the \
         mark through, or switch it off."
    } else if path.refused > 0 {
        "Nobody listened at the server's port for a while: was it restarted?"
    } else if path.silence.is_some() {
        "The clock bridges losses. Most of these are in the silence below."
    } else if path.signs.limit.is_some() {
        "The clock bridges losses. The limit below causes these."
    } else if has(&[Kind::ServerRestart]) {
        "The server's clock started again: what was asked meanwhile is lost."
    } else if has(&[Kind::SeveralServers]) {
        "Several servers answer at this address: one of them may drop what is not meant for it."
    } else if has(&[Kind::QueueUp, Kind::QueueDown]) {
        "The clock bridges losses. A full queue drops messages: limit other traffic."
    } else if has(&[Kind::Jitter]) {
        "The clock bridges losses. With such jitter they come from weak Wi-Fi or a mobile network: use a \
         cable."
    } else {
        "The clock bridges losses. What drops these messages is not known: a weak radio, a full line or a \
         firewall."
    }
}

/// Late messages that no verdict explains, a limit, and a difference of rates.
fn of_signs(signs: &Signs, verdicts: &[Verdict]) -> Vec<Finding> {
    let has = |kinds: &[Kind]| verdicts.iter().any(|it| kinds.contains(&it.kind));
    let mut all = Vec::new();
    let explained = [
        Kind::QueueUp,
        Kind::QueueDown,
        Kind::Jitter,
        Kind::Route,
        Kind::ServerFreeze,
        Kind::Step,
        Kind::SeveralServers,
    ];
    for (late, way) in signs.late.iter().zip(["to the server", "to the client"]) {
        if late.count == 0 || has(&explained) {
            continue;
        }
        let (share, bursts) = (100.0 * late.count as f64 / signs.exchanges.max(1) as f64, late.bursts);
        let bursts = if bursts == 1 { "in one burst".to_owned() } else { format!("in {bursts} bursts") };
        all.push(finding(
            "spikes",
            if share > 100.0 * LOSS.0 || late.bursts > 1 { Weight::Warning } else { Weight::Note },
            format!(
                "{share:.1} % of the messages {way} took {LATE_MS:.0} ms longer than the fastest or more, \
                 {bursts}, for up to {} ms.",
                ms(late.longest_ms)
            ),
            "These are lag spikes: a radio that searches for networks or sleeps, a program that holds the \
             line, or \
             a busy machine.",
        ));
    }
    all.extend(signs.limit.map(|limit| {
        finding(
            "limit",
            Weight::Warning,
            format!(
                "Some {limit:.0} requests a second are answered, in every second alike, and the rest is lost."
            ),
            "A limit of the server, a firewall or a provider. A game's clock asks less often than this test.",
        )
    }));
    all.extend(signs.rate_ppm.filter(|_| !has(&[Kind::Rate, Kind::Step])).map(|ppm| {
        finding(
            "rate",
            Weight::Warning,
            format!(
                "The server's clock runs {:.0} ppm {} than this machine's.",
                ppm.abs(),
                if ppm > 0.0 { "faster" } else { "slower" }
            ),
            "One of the two machines' clocks is out of order, or is slewed. Above 100 ppm the bound is no \
             promise unless client_drift_ppm or server_drift_ppm allow for it.",
        )
    }));
    all
}

/// What was found about the path.
pub(super) fn of_path(path: &Path, verdicts: &[Verdict]) -> Vec<Finding> {
    let loss = path.loss();
    let weight = match loss {
        much if much > LOSS.1 => Weight::Warning,
        some if some > LOSS.0 => Weight::Note,
        _ => Weight::Fine,
    };
    let advice = cause_of_loss(path, verdicts);
    let words = format!(
        "{} of {} requests were answered ({:.1} % lost).",
        path.answered,
        path.requests,
        100.0 * loss
    );
    let mut all = vec![finding("loss", weight, words, advice)];
    all.extend(path.silence.map(|Silence { from, to, is_end }| {
        let words = if is_end {
            format!(
                "The server fell silent {from:.1} s after the start: no reply came in the last {:.1} s.",
                to - from
            )
        } else {
            format!("No reply came from {from:.1} to {to:.1} s after the start; then they came again.")
        };
        let advice = "See whether the server's program, its machine or its network stood still then.";
        finding("silence", Weight::Warning, words, advice)
    }));
    let share = |count: usize| count as f64 / path.answered.max(1) as f64;
    let odd = |count: usize| if share(count) > DISORDER { Weight::Note } else { Weight::Fine };
    all.push(finding(
        "copies",
        odd(path.copies),
        counted(path.copies, "came twice"),
        "The clock takes the first and refuses copies. Nothing to do.",
    ));
    all.push(finding(
        "reordering",
        odd(path.overtaken),
        counted(path.overtaken, "had been overtaken by a later one"),
        "The clock does not mind the order. Nothing to do.",
    ));
    all.push(finding(
        "stamps",
        if path.stamps == Stamps::Kernel.words() { Weight::Fine } else { Weight::Note },
        format!("Arrivals are stamped by the {}.", path.stamps),
        "The thread's stamps include the time until it wakes up. The kernel stamps on Linux \
         and other Unixes.",
    ));
    let known = all.len();
    for verdict in verdicts {
        let (id, weight, advice) = match verdict.kind {
            Kind::QueueUp => (
                "queue_up",
                Weight::Warning,
                "Something uploads and fills the line, as one TCP upload does. Limit it, or switch on queue \
                 management (SQM) in the router.",
            ),
            Kind::QueueDown => (
                "queue_down",
                Weight::Warning,
                "Something downloads and fills the line, as one TCP download does. Limit it, or switch on \
                 queue management (SQM) in the router.",
            ),
            Kind::Jitter => (
                "jitter",
                Weight::Warning,
                "Weak Wi-Fi, or a mobile network: use a cable, or come closer to the router.",
            ),
            Kind::Route => {
                ("level_change", Weight::Note, "The clock keeps what it knew from before. Nothing to do.")
            }
            Kind::ServerFreeze => (
                "server_freeze",
                Weight::Warning,
                "Look at the server's frame times, and at what else its machine does.",
            ),
            // The verdict itself says what to do.
            Kind::SeveralServers => ("several_servers", Weight::Warning, ""),
            Kind::ServerRestart | Kind::Step => {
                ("server_clock", Weight::Warning, "Look at the server's clock.")
            }
            Kind::Rate => {
                ("rate", Weight::Warning, "One of the two machines' clocks is out of order, or is slewed.")
            }
            // The rest was counted here, or is about longer sessions.
            _ => continue,
        };
        all.push(finding(id, weight, verdict.words.clone(), advice));
    }
    all.extend(of_signs(&path.signs, verdicts));
    if all.len() == known && path.silence.is_none() {
        let longest = path.signs.late.map(|late| ms(late.longest_ms));
        all.push(fine(
            "delays",
            format!(
                "No message was late: the slowest took {} ms longer to the server than the fastest, and \
                 {} ms longer to the client.",
                longest[0], longest[1]
            ),
        ));
    }
    all.push(fine(
        "not_looked_for",
        "Not looked for in so short a time: what happens less often than the test is long, rates \
         that differ by less than 150 ppm, a queue that stood all the time, and a constant difference \
         between the two directions."
            .to_owned(),
    ));
    all
}

/// What accuracy to expect, and what limits it. Of each direction's delays there are the smallest one, and
/// how far the median is above it (ms).
pub(super) fn of_accuracy(reading: &Reading, delays: [(f64, f64); 2]) -> Vec<Finding> {
    let (expected, bound) = (reading.expected_error.as_millis_f64(), reading.error_bound.as_millis_f64());
    // The smallest delays may be those of two exchanges, and their sum less than any round trip.
    let trip = delays[0].0 + delays[1].0;
    let weight = if expected > INACCURATE_MS { Weight::Warning } else { Weight::Fine };
    let mut all = vec![finding(
        "accuracy",
        weight,
        format!(
            "Expect errors of about {} ms (one standard deviation). The promised bound is {} ms.",
            ms(expected),
            ms(bound)
        ),
        "Long sessions are better than this short test.",
    )];
    let is_long = trip > LONG_PATH_MS;
    all.push(finding(
        "bound_limit",
        if is_long { Weight::Warning } else { Weight::Fine },
        format!(
            "No bound from these messages can be below {} ms, half of the two directions' smallest delays \
             together: a constant difference between them is hidden from every clock.",
            ms(trip / 2.0)
        ),
        "Only a nearer server makes the bound smaller.",
    ));
    let [up, down] = delays.map(|delay| delay.1);
    let which = if up > down { "to the server" } else { "to the client" };
    let words = format!(
        "The expected error is limited by the way {which}, where half of the messages take {} ms longer than \
         the fastest.",
        ms(up.max(down))
    );
    all.push(fine("error_limit", words));
    all
}
