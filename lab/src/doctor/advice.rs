use netclock::Reading;
use netclock::link::sockets::Stamps;
use serde::Serialize;

use super::machine::Machine;
use super::path::{Path, Silence};
use super::signs::{LATE_MS, Signs};
use crate::report::{Kind, Verdict, Weight, ms};

/// A clock limits the accuracy if its smallest step exceeds this.
const COARSE_US: f64 = 100.0;
/// Slews of the wall clock are reported only if they are faster than this.
const SLEW_PPM: f64 = 50.0;
const LONG_STALL_MS: f64 = 100.0;
/// Loss is reported above the first share of unanswered requests, and is a warning above the second.
const LOSS: (f64, f64) = (0.02, 0.10);
const DISORDER: f64 = 0.02;
/// We warn about round trips longer than this, because the bound is at least half the round trip.
const LONG_PATH_MS: f64 = 300.0;
const INACCURATE_MS: f64 = 5.0;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Finding {
    pub(super) id: &'static str,
    pub(super) weight: Weight,
    pub(super) words: String,
    pub(super) advice: Option<&'static str>,
}

fn finding(id: &'static str, weight: Weight, words: String, advice: &'static str) -> Finding {
    Finding { id, weight, words, advice: (weight != Weight::Fine && !advice.is_empty()).then_some(advice) }
}

fn fine(id: &'static str, words: String) -> Finding {
    finding(id, Weight::Fine, words, "")
}

pub(super) fn machine_findings(machine: &Machine) -> Vec<Finding> {
    let coarse = machine.step_us > COARSE_US;
    let mut all = vec![finding(
        "clock_step",
        if coarse { Weight::Warning } else { Weight::Fine },
        format!("The clock's smallest step is {:.1} us.", machine.step_us),
        "Set Config::client_resolution to it. A virtual machine may offer a better clock source.",
    )];
    all.push(finding(
        "clock_back",
        if machine.backwards > 0 { Weight::Fault } else { Weight::Fine },
        match machine.backwards {
            0 => "The clock never ran backwards.".to_owned(),
            times => format!("The clock ran backwards {times} times."),
        },
        "This is a fault of the system or of the virtual machine. Choose another clock source.",
    ));
    all.push(match (machine.wall_set_ms, machine.wall_slew_ppm.unwrap_or(0.0)) {
        (Some(by), _) => finding(
            "wall_set",
            Weight::Note,
            format!("This machine's wall clock was stepped by {} ms during the test.", ms(by)),
            "NetClock does not use the wall clock. Make sure that the game does not measure time with it \
             either.",
        ),
        (None, ppm) if ppm.abs() > SLEW_PPM => finding(
            "wall_slew",
            Weight::Note,
            format!("A time service slews this machine's wall clock by {ppm:+.0} ppm."),
            "NetClock's own clock is not slewed. If your game uses another clock, raise client_drift_ppm.",
        ),
        (None, ppm) => fine(
            "wall_slew",
            // Adding 0.0 turns -0.0 into 0.0.
            format!("The wall clock runs at the same rate ({:+.1} ppm).", (ppm * 10.0).round() / 10.0 + 0.0),
        ),
    });
    let longest = ms(machine.longest_stall_ms);
    all.push(match machine.stalls {
        0 => fine("stalls", format!("Threads run on time; the longest delay was {longest} ms.")),
        count => finding(
            "stalls",
            if machine.longest_stall_ms > LONG_STALL_MS { Weight::Warning } else { Weight::Note },
            format!("This machine delayed a thread {count} times, by up to {longest} ms."),
            "The machine is busy or saves power. Timestamp arrivals in the kernel or on a separate thread, \
             as the link does.",
        ),
    });
    all
}

pub(super) fn silence_finding(path: &Path, server: &str) -> Finding {
    let requests = path.requests;
    let (id, words, advice) = if path.refused > 0 {
        (
            "not_listening",
            format!("The host reports that no program listens at {server}."),
            "Start the server, or correct the port.",
        )
    } else if path.strange > 0 {
        (
            "another_service",
            format!("{} datagrams arrived that are not NetClock replies.", path.strange),
            "Another service, or a different version of NetClock, uses this port. Correct the port.",
        )
    } else if path.is_host_there {
        (
            "udp_blocked",
            format!("The host is up, but it did not answer any of {requests} UDP requests."),
            if path.is_keyed {
                "A firewall may block UDP, the server may not run on this port, or it may not know this key. \
                 Allow UDP in both directions."
            } else {
                "A firewall may block UDP, the server may not run on this port, or it may require a key \
                 (--key-file). Allow UDP in both directions."
            },
        )
    } else {
        (
            "no_answer",
            format!(
                "The host did not answer any of {requests} requests, and does not respond to TCP either."
            ),
            "Check that the address is correct, that the host is running, and that firewalls allow UDP in \
             both directions.",
        )
    };
    finding(id, Weight::Fault, words, advice)
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("No reply {what}."),
        1 => format!("One reply {what}."),
        _ => format!("{count} replies {what}."),
    }
}

fn cause_of_loss(path: &Path, signs: &Signs, verdicts: &[Verdict]) -> &'static str {
    let has = |kinds: &[Kind]| verdicts.iter().any(|it| kinds.contains(&it.kind));
    if path.is_mark_dropped {
        "The path drops datagrams marked with DSCP 45, so the clock stops marking them. Allow the mark, or \
         turn it off."
    } else if path.refused > 0 {
        "At times, no program listened at the server's port. Was the server restarted?"
    } else if path.silence.is_some() {
        "The clock tolerates losses. Most of them occurred during the silence reported below."
    } else if signs.limit.is_some() {
        "The clock tolerates losses. They are caused by the rate limit reported below."
    } else if has(&[Kind::ServerRestart]) {
        "The server's clock restarted, and requests sent during the restart were lost."
    } else if has(&[Kind::SeveralServers]) {
        "Several servers answer at this address. Each of them may drop requests meant for the others."
    } else if has(&[Kind::QueueUp, Kind::QueueDown]) {
        "The clock tolerates losses. A full queue drops messages, so limit other traffic."
    } else if has(&[Kind::Jitter]) {
        "The clock tolerates losses. Such jitter indicates weak Wi-Fi or a mobile network. Use a cable."
    } else {
        "The clock tolerates losses. Possible causes are a weak radio signal, a full line or a firewall."
    }
}

fn sign_findings(signs: &Signs, verdicts: &[Verdict]) -> Vec<Finding> {
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
                "{share:.1} % of the messages {way} took at least {LATE_MS:.0} ms longer than the fastest \
                 message, {bursts}, by up to {} ms.",
                ms(late.longest_ms)
            ),
            "Such lag spikes come from a radio that scans for networks or sleeps, a program that saturates \
             the line, or a busy machine.",
        ));
    }
    all.extend(signs.limit.map(|limit| {
        finding(
            "limit",
            Weight::Warning,
            format!("Only about {limit:.0} requests per second are answered."),
            "The server, a firewall or a provider limits the rate. A game's clock sends fewer requests.",
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
            "One machine's clock is faulty or slewed. Above 100 ppm, the bound is only valid if \
             client_drift_ppm or server_drift_ppm allows for it.",
        )
    }));
    all
}

const LIMIT_IT: &str = "Other traffic fills the line, as a single TCP connection can. Limit it, or turn on \
                        queue management (SQM) in the router.";
const OF_VERDICTS: [(Kind, &str, Weight, &str); 9] = [
    (Kind::QueueUp, "queue_up", Weight::Warning, LIMIT_IT),
    (Kind::QueueDown, "queue_down", Weight::Warning, LIMIT_IT),
    (
        Kind::Jitter,
        "jitter",
        Weight::Warning,
        "This is weak Wi-Fi or a mobile network. Use a cable, or move closer to the router.",
    ),
    (Kind::Route, "level_change", Weight::Note, "The clock keeps its earlier bounds. No action needed."),
    (
        Kind::ServerFreeze,
        "server_freeze",
        Weight::Warning,
        "Check the server's frame times and the load of its machine.",
    ),
    // The verdict itself contains the advice.
    (Kind::SeveralServers, "several_servers", Weight::Warning, ""),
    (Kind::ServerRestart, "server_clock", Weight::Warning, "Check the server's clock."),
    (Kind::Step, "server_clock", Weight::Warning, "Check the server's clock."),
    (Kind::Rate, "rate", Weight::Warning, "One machine's clock is faulty or slewed."),
];

pub(super) fn path_findings(path: &Path, signs: &Signs, verdicts: &[Verdict]) -> Vec<Finding> {
    let loss = path.loss();
    let weight = match loss {
        much if much > LOSS.1 => Weight::Warning,
        some if some > LOSS.0 => Weight::Note,
        _ => Weight::Fine,
    };
    let advice = cause_of_loss(path, signs, verdicts);
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
                "The server stopped replying {from:.1} s after the start, {:.1} s before the end.",
                to - from
            )
        } else {
            format!("There were no replies from {from:.1} to {to:.1} s after the start.")
        };
        let advice = "Check whether the server process, its machine or its network hung at that time.";
        finding("silence", Weight::Warning, words, advice)
    }));
    let share = |count: usize| count as f64 / path.answered.max(1) as f64;
    let odd = |count: usize| if share(count) > DISORDER { Weight::Note } else { Weight::Fine };
    all.push(finding(
        "copies",
        odd(path.copies),
        counted(path.copies, "arrived twice"),
        "The clock uses the first copy and rejects duplicates. No action needed.",
    ));
    all.push(finding(
        "reordering",
        odd(path.overtaken),
        counted(path.overtaken, "arrived after the reply to a later request"),
        "The order does not affect the clock. No action needed.",
    ));
    all.push(finding(
        "stamps",
        if path.stamps == Stamps::Kernel.words() { Weight::Fine } else { Weight::Note },
        format!("Arrivals are timestamped by the {}.", path.stamps),
        "A thread's timestamps include the time that it takes to wake up. On Linux and other Unixes, the \
         kernel timestamps arrivals.",
    ));
    let known = all.len();
    // Verdicts of all other kinds have been reported above or require a longer session.
    for it in verdicts {
        let known = OF_VERDICTS.iter().find(|(kind, ..)| *kind == it.kind);
        all.extend(known.map(|&(_, id, weight, advice)| finding(id, weight, it.words.clone(), advice)));
    }
    all.extend(sign_findings(signs, verdicts));
    if all.len() == known && path.silence.is_none() {
        let longest = signs.late.map(|late| ms(late.longest_ms));
        all.push(fine(
            "delays",
            format!(
                "No message was late. To the server, the slowest message took {} ms longer than the fastest, \
                 and to the client {} ms.",
                longest[0], longest[1]
            ),
        ));
    }
    all.push(fine(
        "not_looked_for",
        "Such a short test cannot detect rare events, rate differences below 150 ppm, a queue that lasts for \
         the whole test, or a constant difference between the two directions."
            .to_owned(),
    ));
    all
}

/// For each direction, `delays` contains the smallest delay, and the median minus the smallest (ms).
pub(super) fn accuracy_findings(reading: &Reading, delays: [(f64, f64); 2]) -> Vec<Finding> {
    let (expected, bound) = (reading.expected_error.as_millis_f64(), reading.error_bound.as_millis_f64());
    // The smallest delays may be from different exchanges, so their sum may be below every round trip.
    let trip = delays[0].0 + delays[1].0;
    let weight = if expected > INACCURATE_MS { Weight::Warning } else { Weight::Fine };
    let mut all = vec![finding(
        "accuracy",
        weight,
        format!(
            "Expect errors of about {} ms (one standard deviation). The guaranteed bound is {} ms.",
            ms(expected),
            ms(bound)
        ),
        "Long sessions are more accurate than this short test.",
    )];
    let is_long = trip > LONG_PATH_MS;
    all.push(finding(
        "bound_limit",
        if is_long { Weight::Warning } else { Weight::Fine },
        format!(
            "These messages cannot prove a bound below {} ms, half the sum of the two directions' smallest \
             delays, because no clock can detect a constant difference between the directions.",
            ms(trip / 2.0)
        ),
        "Only a closer server reduces the bound.",
    ));
    let [up, down] = delays.map(|delay| delay.1);
    let which = if up > down { "to the server" } else { "to the client" };
    let words = format!(
        "The path {which} limits the expected error, because half of its messages take at least {} ms longer \
         than the fastest one.",
        ms(up.max(down))
    );
    all.push(fine("error_limit", words));
    all
}
