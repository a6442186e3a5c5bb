//! Tests that every sentence of a report appears in one session and not in another. Sentences are extracted
//! from the source code, so the test fails for a new sentence until it has both sessions.

use std::collections::BTreeMap;

use netclock::{Config, LocalTime, Refusal, ServerTime, Span};
use netclock_sim::{Random, TICKS_PER_S};

use super::super::reference::{Line, Reference};
use super::super::simulate::{Simulated, simulate};
use super::tests::{Trip, evaluate, every, recording, verdicts_of};
use super::*;
use crate::recording::{Announced, Announcement, Recorded, Recording, TrueOffset};
use crate::scenario;

const SOURCES: [&str; 10] = [
    include_str!("client.rs"),
    include_str!("effect.rs"),
    include_str!("mod.rs"),
    include_str!("path.rs"),
    include_str!("rate.rs"),
    include_str!("refused.rs"),
    include_str!("repeated.rs"),
    include_str!("resolution.rs"),
    include_str!("rhythm.rs"),
    include_str!("route.rs"),
];
/// Shorter literals are only parts of sentences, so we don't test them.
const WORDS: usize = 3;

/// A phrase from a single string literal, a session that must produce it, and a session that must not.
const SENTENCES: [(&str, &str, &str); 63] = [
    ("The server's clock restarted before", "restart", "set back"),
    ("A clock was set by about", "set back", "client set back"),
    ("This machine's clock was set back", "client set back", "set back"),
    (", or more timestamps are wrong", "slewed and wrong", "slewed"),
    ("The exchanges contradicted the allowed rates", "slewed", "fast"),
    ("The error bound exceeded its target", "long way", "calm"),
    ("The server, or a radio on the path to it,", "radio", "calm"),
    ("froze{again}", "radio", "calm"),
    (" again and again", "radio", "calm"),
    ("a suspended machine or a stopped program", "pause", "calm"),
    ("after it did not run for", "noted pause", "pause"),
    ("The client sent a burst", "pause", "outage"),
    ("Several servers with different clocks", "several", "restart"),
    ("exchanges have a different result than recorded", "other settings", "false refusals"),
    ("Recorded statuses contradict their timestamps", "false refusals", "other settings"),
    ("The timestamps are multiples of", "whole seconds", "calm"),
    ("exchanges {} ignored (first: line", "strays", "junk"),
    (", or a longer route,", "first short", "queue"),
    (", or jitter,", "uneven uplink", "uplink"),
    ("The clock continued at its estimated rate", "outage", "silent pings"),
    ("arrived before the reply in the preceding line", "request order", "calm"),
    ("Its effect on the clock cannot be known", "standing queue", "queue"),
    ("It was almost never empty", "standing saw", "standing queue"),
    ("If it was a queue, it was almost never empty", "standing queue", "standing saw"),
    ("Half of the wait that never drains", "standing queue", "queue"),
    ("Its effect on the clock is unknown.", "truth ends", "outage"),
    ("The shown time was off by up to {off}.", "true step", "true route"),
    ("The clock was not affected and stayed within {off}.", "true route", "true step"),
    ("is unknown, because the rates exceed", "slewed", "pause"),
    ("The shown time was off by at least", "set back", "pause"),
    ("The clock was not affected and stayed within {}.", "pause", "set back"),
    ("the shown time was off by up to", "wandering outage", "pause"),
    ("the clock was not affected and stayed within", "outage", "set back"),
    ("According to the best estimate,", "outage", "pause"),
    ("throughout the session", "queue", "radio"),
    ("messages to the {place} waited", "queue", "long trips"),
    ("Strong jitter, or queues,", "jitter", "queue"),
    ("in both directions", "jitter", "queue"),
    ("The server's clock runs", "fast", "calm"),
    (" (give or take", "fast and jittery", "fast"),
    ("none of {} was accepted", "slow", "calm"),
    ("exchanges {was} rejected (first: line", "negative", "calm"),
    ("so their timestamps are not from the same clock", "junk", "slow"),
    ("but max_round_trip is", "slow", "junk"),
    ("A reply arrived before its request", "negative", "slow"),
    ("The server sent a reply before it received", "sent early", "negative"),
    ("The server held a request for longer", "held", "sent early"),
    ("A timestamp is out of range", "out of range", "held"),
    ("They contradict the other exchanges by more", "outlier", "negative"),
    ("The longest:", "outages", "outage"),
    ("No replies arrived for", "outage", "seldom"),
    (", until the end", "silent end", "outage"),
    ("The file only contains round trips", "round trips", "calm"),
    ("The timestamps seem to be nanoseconds since 1970", "nanoseconds", "junk"),
    ("Queues and route changes cannot be detected", "long trips", "calm"),
    ("The median interval between replies", "seldom", "calm"),
    ("round trips were longer than the shortest", "long trips", "calm"),
    ("The path to the server", "route up", "route down"),
    ("The path to the client", "route down", "route up"),
    ("(from {} to {})", "route up", "calm"),
    ("no lasting queue or route change of", "calm", "round trips"),
    (", no sign of a clock step", "calm", "round trips"),
    ("Nothing unusual:", "calm", "queue"),
];
const OUTSIDE: &str = "reads were outside their bound";

fn texts(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String =
        lines.map(|line| line.split(" // ").next().unwrap_or_default().to_owned() + "\n").collect();
    // No literal contains a quotation mark, so every second part between quotation marks is a literal.
    let texts = code.split('"').skip(1).step_by(2);
    texts.map(|it| it.replace("\\\n", "").split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn words_in(text: &str) -> usize {
    let is_word = |it: &&str| it.chars().all(|it| it.is_alphabetic() || "',.:'".contains(it));
    text.split_whitespace().filter(is_word).count()
}

/// Braces in the phrase match any value.
fn contains_phrase(words: &str, phrase: &str) -> bool {
    let mut parts = phrase.split(['{', '}']).step_by(2);
    let Some(first) = parts.next() else { return false };
    let rest: Vec<&str> = parts.collect();
    words.match_indices(first).any(|(at, _)| {
        let mut from = at + first.len();
        rest.iter().all(|part| {
            // A value in place of braces never extends beyond the end of a sentence.
            let next = words[from..].find(part).filter(|&it| !words[from..from + it].contains(". "));
            from += next.unwrap_or(0) + part.len();
            next.is_some()
        })
    })
}

fn edited(trips: impl Iterator<Item = Trip>, edit: impl Fn(usize, &mut Recorded)) -> Recording {
    let mut all = recording(trips);
    all.exchanges.iter_mut().enumerate().for_each(|(index, it)| edit(index, it));
    all
}

fn of_path(name: &str, incidents: &[&str], is_true: bool) -> Evaluation {
    let case = scenario::find(name).unwrap();
    let incidents: Vec<_> = incidents.iter().map(|it| it.parse().unwrap()).collect();
    let session = simulate(&case, &Config::default(), case.seconds.unwrap_or(600.0), 1, &incidents).unwrap();
    let evaluated = if is_true {
        Evaluation::of_simulated(name, session)
    } else {
        Evaluation::of(name, session.recording)
    };
    evaluated.unwrap()
}

fn local(seconds: f64) -> LocalTime {
    LocalTime::from_ticks((seconds * TICKS_PER_S) as i64)
}

fn paused() -> Recording {
    let short = |it: Trip| Trip { up: 1e-4, down: 1e-4, ..it };
    let before = every(1.0, 60);
    let burst = (0..8).map(|it| Trip::at(110.0 + 0.05 * f64::from(it)));
    recording(
        before.chain(burst).chain(every(1.0, 60).map(|it| Trip { sent: it.sent + 111.0, ..it })).map(short),
    )
}

fn session(name: &str) -> Evaluation {
    let without = |from: f64, to: f64| every(1.0, 200).filter(move |it| !(from..to).contains(&it.sent));
    let slewed = || every(1.0, 300).map(|it| Trip { ahead: 2e-3 * (it.sent - 100.0).clamp(0.0, 60.0), ..it });
    let fast = |it: Trip| Trip { ahead: 1_000.0 - 764e-6 * it.sent, ..it };
    let recording = match name {
        "calm" => recording(every(1.0, 120)),
        "seldom" => recording(every(60.0, 30)),
        "restart" => return of_path("fibre", &["restart@300"], false),
        "several" => return of_path("fibre", &["several@300"], false),
        "true step" => return of_path("fibre", &["step@300:400"], true),
        "true route" => return of_path("route_forward", &[], true),
        "route up" => return of_path("route_forward", &[], false),
        "route down" => return of_path("route_reverse", &[], false),
        "queue" => return of_path("uplink_bloat", &[], false),
        "standing queue" => return of_path("uplink_bloat_steady", &[], false),
        "jitter" => return of_path("bad", &[], false),
        "set back" => recording(
            every(5.0, 40).map(|it| Trip { ahead: if it.sent < 50.0 { 0.0 } else { -1_000.0 }, ..it }),
        ),
        "client set back" => recording(
            every(1.0, 30)
                .map(|it| if it.sent < 15.0 { it } else { Trip { sent: it.sent - 9.0, ahead: 9.0, ..it } }),
        ),
        "slewed" => recording(slewed().filter(|it| !(200.0..260.0).contains(&it.sent))),
        "slewed and wrong" => {
            recording(slewed().map(|it| if it.sent % 10.0 == 5.0 { Trip { down: -0.02, ..it } } else { it }))
        }
        "long way" => recording(every(4.0, 40).map(|it| Trip { up: 0.31, down: 0.3, ..it })),
        "radio" => recording(every(0.05, 600).map(|it| {
            let late = it.sent % 5.0;
            if late < 0.5 { Trip { up: 0.51 - late, ..it } } else { it }
        })),
        "pause" => paused(),
        "noted pause" => Recording {
            announced: vec![Announced {
                at: local(110.0),
                after: 60,
                what: Announcement::Paused { since: local(59.5) },
            }],
            ..paused()
        },
        "false refusals" => {
            let early = Err(Refusal::SentBeforeReceived);
            edited(every(1.0, 20), |_, it| it.sample.outcome = early)
        }
        "whole seconds" => recording(every(16.0, 40).map(|it| Trip { up: 0.0, down: 0.0, ..it })),
        "strays" => edited(every(1.0, 35).map(|it| Trip { sent: it.sent + 1.6e9, ..it }), |index, it| {
            if index % 7 == 0 {
                let zero = ServerTime::from_ticks(0);
                (it.sample.client_sent, it.sample.client_received) = (Some(local(0.0)), local(0.0));
                (it.sample.server_received, it.sample.server_sent) = (zero, zero);
            }
        }),
        "first short" => {
            recording(every(1.0, 17).map(|it| if it.sent > 0.0 { Trip { up: 0.51, ..it } } else { it }))
        }
        // An LTE network grants transmission slots only from time to time.
        "uneven uplink" => {
            let mut random = Random::new(7, "uneven uplink");
            let late: Vec<Trip> =
                every(1.0, 400).map(|it| Trip { up: random.between(0.03, 0.07), ..it }).collect();
            recording(late.into_iter())
        }
        "standing saw" => recording(every(1.0, 400).map(|it| {
            let wait = if it.sent > 0.0 { 0.12 + 0.002 * (it.sent % 50.0) } else { 0.0 };
            Trip { up: 0.01 + wait, ..it }
        })),
        "uplink" => recording(every(1.0, 400).map(|it| Trip { up: 0.03 + 0.004 * (it.sent % 50.0), ..it })),
        "silent pings" => Recording { round_trips_only: true, ..recording(without(100.0, 150.0)) },
        "other settings" => {
            let case = scenario::find("fibre").unwrap();
            let mut session = simulate(&case, &Config::default(), 60.0, 1, &[]).unwrap().recording;
            session.exchanges[9].sample.outcome = Err(Refusal::TooSlow);
            session
        }
        "request order" => recording(
            every(1.0, 30).map(|it| if it.sent == 5.0 { Trip { up: 1.5, down: 1.45, ..it } } else { it }),
        ),
        "truth ends" => {
            let truth = |at| TrueOffset { at: local(at), offset: Span::ZERO, uncertainty: Span::ZERO };
            Recording { truth: vec![truth(0.0), truth(20.0)], ..recording(without(100.0, 150.0)) }
        }
        "outage" => recording(without(100.0, 150.0)),
        "wandering outage" => recording(
            without(100.0, 170.0).map(|it| Trip { ahead: 150e-6 * (it.sent - 95.0).max(0.0), ..it }),
        ),
        "outages" => recording(every(1.0, 2_000).filter(|it| it.sent % 330.0 < 290.0)),
        "silent end" => Recording {
            announced: vec![Announced { at: local(300.0), after: 60, what: Announcement::Ended }],
            ..recording(every(1.0, 60))
        },
        "long trips" => {
            recording(every(1.0, 15).map(|it| if it.sent > 0.0 { Trip { up: 0.51, ..it } } else { it }))
        }
        "fast" => recording(every(1.0, 200).map(fast)),
        "fast and jittery" => {
            recording(every(1.0, 200).map(fast).map(|it| Trip { up: it.up + 2e-6 * it.sent, ..it }))
        }
        "slow" => recording(every(100.0, 20).map(|it| Trip { up: 10.0, down: 10.0, ..it })),
        "negative" => recording(
            every(1.0, 40).map(|it| if it.sent % 2.0 == 0.0 { it } else { Trip { down: -0.011, ..it } }),
        ),
        "junk" => edited(every(1.0, 35).map(|it| Trip { sent: it.sent + 1.6e9, ..it }), |index, it| {
            if index % 7 == 3 {
                it.sample.client_sent = Some(local(0.0));
            }
        }),
        "sent early" => edited(every(1.0, 35), |index, it| {
            if index % 7 == 3 {
                it.sample.server_sent += Span::from_millis(-1);
            }
        }),
        "held" => edited(every(1.0, 35), |index, it| {
            if index % 7 == 3 {
                it.sample.server_sent += Span::from_millis(300);
            }
        }),
        "out of range" => edited(every(1.0, 35), |index, it| {
            if index % 7 == 3 {
                it.sample.server_received = ServerTime::from_ticks(i64::MAX);
            }
        }),
        "outlier" => {
            recording(every(1.0, 60).map(|it| if it.sent == 30.0 { Trip { ahead: 5.0, ..it } } else { it }))
        }
        "round trips" => Recording { round_trips_only: true, ..recording(every(1.0, 60)) },
        "nanoseconds" => recording(every(100.0, 35).map(|it| Trip { sent: it.sent + 1.7e11, ..it })),
        other => panic!("there is no session {other}"),
    };
    evaluate(recording)
}

#[test]
fn every_sentence_appears_only_where_it_is_true() {
    let mut said: BTreeMap<&str, String> = BTreeMap::new();
    for name in SENTENCES.iter().flat_map(|it| [it.1, it.2]) {
        said.entry(name).or_insert_with(|| {
            verdicts_of(&session(name)).into_iter().map(|it| it.1).collect::<Vec<_>>().join(" \n")
        });
    }
    let is_unlike = |phrase: &str, name: &str, wanted: bool| contains_phrase(&said[name], phrase) != wanted;
    let wrong: Vec<String> = (SENTENCES.iter())
        .flat_map(|&(phrase, there, elsewhere)| [(phrase, there, true), (phrase, elsewhere, false)])
        .filter(|&(phrase, name, wanted)| is_unlike(phrase, name, wanted))
        .map(|(phrase, name, wanted)| format!("\"{phrase}\" in {name}, {wanted} expected: {}", said[name]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let [inside, outside] = [0, 100_000_000].map(|offset| {
        let truth = Reference::Truth(vec![(0, Line::new(vec![(0, offset)]))]);
        let recording = recording(every(1.0, 60));
        let session = Simulated { recording, truth, ended: local(60.0) };
        let session = Evaluation::of_simulated("test", session).unwrap();
        verdicts_of(&session).into_iter().any(|it| it.1.contains(OUTSIDE))
    });
    assert_eq!([inside, outside], [false, true]);
}

#[test]
fn every_sentence_in_the_sources_is_tested() {
    let texts: Vec<String> =
        SOURCES.iter().flat_map(|it| texts(it)).filter(|it| words_in(it) >= WORDS).collect();
    let phrases = || SENTENCES.iter().map(|it| it.0).chain([OUTSIDE]);
    let unknown: Vec<&String> =
        texts.iter().filter(|text| !phrases().any(|phrase| text.contains(phrase.trim()))).collect();
    assert!(unknown.is_empty(), "without sessions: {unknown:#?}");
    let gone: Vec<&str> = phrases().filter(|it| !texts.iter().any(|text| text.contains(it.trim()))).collect();
    let gone: Vec<&&str> = gone.iter().filter(|it| words_in(it) >= WORDS).collect();
    assert!(gone.is_empty(), "no longer in the source: {gone:?}");
}
