//! Passes files in various formats to `lab report`, which must reject the file or report plausible figures.
//! No delay may be negative or exceed the round trip, and no error may exceed its bound. Hindsight must stay
//! within the limits that the timestamps prove. If the true time is known and no clock or path violates the
//! contract, the lab's `Look` checks that all readings are within their bounds.

use std::fmt::Write;

use arbitrary::{Result, Unstructured};
use netclock_lab::import::{self, Reading};
use netclock_lab::recording::Stretch;
use netclock_lab::report::command::judge_recording;
use netclock_lab::report::session::verdict::Kind;

use crate::input::{any_number, duration, instant};

/// More exchanges would take longer without revealing anything new.
const MOST: usize = 48;
/// Files longer than this (in bytes) would not reveal anything new.
const LONGEST: usize = 1 << 14;
/// The contract's limit on the rate error of each clock (ppm). `DAY` is in ticks.
const ALLOWED_PPM: i64 = 50;
const DAY: i64 = 864_000_000_000;

/// Interprets the input bytes as a file, and then as exchanges that are written to a file.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    judge(input.peek_bytes(input.len().min(LONGEST)).unwrap_or_default());
    written(input)
}

/// Returns true if the file is valid but its report contains readings that exceed their bounds.
fn judge(file: &[u8]) -> bool {
    let read = import::parse(file, "file", Stretch::default(), &Reading::default());
    let Ok((recording, _notes)) = read else { return false };
    let verdicts = judge_recording(recording).expect("every figure can be");
    assert!(!verdicts.is_empty(), "a report without a verdict");
    for it in &verdicts {
        let is_nonsense =
            ["NaN", "inf ", " 0.000 ms", "of -", "by -"].iter().any(|odd| it.words.contains(odd));
        assert!(!is_nonsense, "{}", it.words);
        assert!(it.stretch.is_none_or(|(from, to)| from <= to), "{it:?}");
    }
    verdicts.iter().any(|it| it.kind == Kind::OutsideBound)
}

/// The four timestamps of an exchange, and the true offset at the arrival of the reply.
struct Stamps([i64; 4], i64);

fn written(input: &mut Unstructured<'_>) -> Result<()> {
    let is_honest = input.arbitrary()?;
    let exchanges = if is_honest { honest(input)? } else { careless(input)? };
    let (mut file, format) = (String::new(), input.int_in_range(0..=6)?);
    file += match format {
        0 => {
            "# netclock recording 4\nstatus,id,epoch,client_sent,server_received,server_sent,client_received,\
             path,server_wait,client_wait\n"
        }
        1 => {
            "# netclock recording 3\nstatus,id,epoch,client_sent,server_received,server_sent,client_received,\
             path\n"
        }
        2 => "t1_ticks,t2,t3,t4\n",
        3 => "time_ticks,offset,rtt_ticks\n",
        4 => "time_ticks,rtt_ticks\n",
        _ => "",
    };
    for Stamps([sent, received, replied, arrived], offset) in &exchanges {
        let (up, trip) = (received.wrapping_sub(*sent), arrived.wrapping_sub(*sent));
        let _ = match format {
            0 | 1 => {
                let status =
                    if is_honest { "unknown" } else { *input.choose(&["unknown", "0", "-103", "-106"])? };
                let waits =
                    if format == 0 { format!(",{},0", input.int_in_range(0..=2)?) } else { String::new() };
                if is_honest {
                    let _ = writeln!(file, "truth,{arrived},{offset},1");
                }
                writeln!(file, "{status},0,0,{sent},{received},{replied},{arrived},0{waits}")
            }
            2 => writeln!(file, "{sent},{received},{replied},{arrived}"),
            3 => writeln!(file, "{arrived},{},{trip}", up.wrapping_sub(trip / 2)),
            4 => writeln!(file, "{sent},{trip}"),
            5 => writeln!(
                file,
                "[{}.{:06}] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time={}.{:03} ms",
                sent.div_euclid(10_000_000),
                sent.rem_euclid(10_000_000) / 10,
                trip / 10_000,
                trip.rem_euclid(10_000) / 10
            ),
            _ => writeln!(
                file,
                "61000 {} 192.0.2.1 192.0.2.2 {sent} {received} {replied} {arrived}",
                sent / DAY
            ),
        };
    }
    let is_outside = judge(file.as_bytes());
    assert!(
        !is_honest || format > 1 || !is_outside,
        "outside the bound although the contract is kept: {file}"
    );
    Ok(())
}

fn honest(input: &mut Unstructured<'_>) -> Result<Vec<Stamps>> {
    let (ahead, ppm) = (input.int_in_range(-DAY..=DAY)?, input.int_in_range(-ALLOWED_PPM..=ALLOWED_PPM)?);
    // The server's clock is `ppm` faster than the local clock.
    let server = |local: i64| local + ahead + local / 1_000_000 * ppm + local % 1_000_000 * ppm / 1_000_000;
    let (mut all, mut sent) = (Vec::new(), 0);
    while all.len() < MOST && !input.is_empty() {
        sent += 1 + duration(input)?;
        let (received, arrived) = (sent + duration(input)?, duration(input)?);
        let replied = received + duration(input)? / 64;
        let arrived = replied + arrived;
        all.push(Stamps([sent, server(received), server(replied), arrived], server(arrived) - arrived));
    }
    Ok(all)
}

fn careless(input: &mut Unstructured<'_>) -> Result<Vec<Stamps>> {
    let (mut all, mut last) = (Vec::new(), [0_i64; 4]);
    while all.len() < MOST && !input.is_empty() {
        let step = duration(input)?;
        last = if input.ratio(7, 8)? {
            let (up, down) = (duration(input)?, duration(input)?);
            let sent = last[0].saturating_add(step);
            let server = sent.saturating_add(up);
            [sent, server, server, server.saturating_add(down)]
        } else {
            [instant(input, last[0])?, instant(input, last[1])?, instant(input, last[2])?, any_number(input)?]
        };
        all.push(Stamps(last, 0));
    }
    Ok(all)
}
