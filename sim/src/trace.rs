//! Reads recorded network delays from files.
//!
//! A file has one line per answered probe below the header `t_send_s,forward_ms,reverse_ms` for one-way
//! delays, or `t_send_s,rtt_ms` for round trips. A packet has the same delays as the next probe. Longer runs
//! repeat the recording. Gaps longer than 5 s, and the gap between repetitions, are shortened to 1 s.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::measure::{sorted, upper_median};
use super::random::hashed_unit;

/// Longer gaps in a recording are breaks between sessions (s).
const LONGEST_GAP_S: f64 = 5.0;
/// Breaks, and the gap between repetitions, are shortened to this length (s).
const SQUEEZED_GAP_S: f64 = 1.0;
/// Time between the points at which a varying split is drawn (s).
const SPLIT_KNOT_S: f64 = 30.0;
const BEGIN: u64 = u64::MAX;
/// First line of a recorded session, which users may mistake for a trace.
const RECORDING: &str = "# netclock recording";

/// How the excess of a round trip over the smallest one is divided between the two directions. The smallest
/// round trip itself is always divided equally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// The entire excess occurs on the way to the server.
    Forward,
    /// A slowly changing fraction of the excess occurs on the way to the server.
    #[default]
    Varying,
}

#[derive(Clone, Debug)]
pub struct Trace {
    pub name: String,
    /// Times at which probes were sent, with shortened gaps (s).
    sent_s: Vec<f64>,
    delays: Delays,
    /// Length of the recording, including the gap before it repeats (s).
    length_s: f64,
    /// Runs start up to this far into the recording, depending on their seed (s).
    begin_within_s: f64,
}

#[derive(Clone, Debug)]
enum Delays {
    OneWay(Vec<(f64, f64)>),
    /// The round trips, and the smallest of them (s).
    RoundTrip(Vec<f64>, f64),
}

impl Trace {
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_path(path)
            .with_context(|| format!("cannot open {shown}; give the path of a trace file"))?;
        let header: Vec<String> = match reader.headers() {
            Ok(header) => header.iter().map(str::to_owned).collect(),
            Err(error) => bail!("{shown}: cannot read the first line: {error}"),
        };
        let one_way = match header.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["t_send_s", "forward_ms", "reverse_ms"] => true,
            ["t_send_s", "rtt_ms"] => false,
            [line, ..] if line.starts_with(RECORDING) => {
                bail!("{shown} is a recorded session, not a delay trace; use `lab report {shown}`")
            }
            _ => bail!(
                "{shown}:1: unexpected columns \"{}\"; name them t_send_s,forward_ms,reverse_ms or \
                 t_send_s,rtt_ms",
                header.join(",")
            ),
        };
        let mut rows: Vec<[f64; 3]> = Vec::new();
        for record in reader.records() {
            let record =
                record.with_context(|| format!("{shown}: each line needs {} values", header.len()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let mut row = [0.0; 3];
            for (value, (text, column)) in row.iter_mut().zip(record.iter().zip(&header)) {
                let parsed: f64 = text.parse().unwrap_or(f64::NAN);
                ensure!(
                    parsed.is_finite() && parsed >= 0.0,
                    "{shown}:{line}: {column} is \"{text}\"; write a plain number, 0 or more"
                );
                *value = parsed;
            }
            if let Some(&[before, ..]) = rows.last() {
                ensure!(row[0] >= before, "{shown}:{line}: t_send_s goes backwards; sort the lines by it");
            }
            rows.push(row);
        }
        ensure!(!rows.is_empty(), "{shown}: no samples below the header line");
        let name =
            path.file_stem().map_or_else(|| "trace".into(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self::new(name, &rows, one_way))
    }

    fn new(name: String, rows: &[[f64; 3]], one_way: bool) -> Self {
        let mut at = 0.0;
        let mut sent_s = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let gap = if i == 0 { 0.0 } else { row[0] - rows[i - 1][0] };
            at += if gap > LONGEST_GAP_S { SQUEEZED_GAP_S } else { gap };
            sent_s.push(at);
        }
        let delays = if one_way {
            Delays::OneWay(rows.iter().map(|row| (row[1] * 1e-3, row[2] * 1e-3)).collect())
        } else {
            let trips: Vec<f64> = rows.iter().map(|row| row[1] * 1e-3).collect();
            let smallest = trips.iter().copied().fold(f64::INFINITY, f64::min);
            Delays::RoundTrip(trips, smallest)
        };
        Self { name, sent_s, delays, length_s: at + SQUEEZED_GAP_S, begin_within_s: 0.0 }
    }

    /// Probes are `apart_s` apart, and lost probes are `None`. A packet that uses a lost probe's delays is
    /// lost, too. Runs start up to `begin_within_s` into the trace, depending on their seed.
    pub fn of_probes(
        name: &str,
        apart_s: f64,
        probes: impl Iterator<Item = Option<(f64, f64)>>,
        begin_within_s: f64,
    ) -> Self {
        let delays: Vec<_> = probes.map(|probe| probe.unwrap_or((f64::INFINITY, f64::INFINITY))).collect();
        let sent_s: Vec<f64> = (0..delays.len()).map(|number| number as f64 * apart_s).collect();
        let length_s = delays.len() as f64 * apart_s;
        Self { name: name.to_owned(), sent_s, delays: Delays::OneWay(delays), length_s, begin_within_s }
    }

    pub fn is_one_way(&self) -> bool {
        matches!(self.delays, Delays::OneWay(_))
    }

    /// Returns the typical number of probes per second. Packets sent faster than this reuse the delays of the
    /// same probe.
    pub fn rate(&self) -> f64 {
        let gaps = sorted(self.sent_s.windows(2).map(|pair| pair[1] - pair[0]));
        upper_median(&gaps).map_or(f64::INFINITY, |gap| 1.0 / gap)
    }

    /// Returns the delays to the server and back (s) of a packet sent `t` seconds into the run. These are the
    /// delays of the next probe, and they are infinite if that probe was lost.
    pub fn delays(&self, t: f64, split: Split, seed: u64) -> (f64, f64) {
        let begin = self.begin_within_s * hashed_unit(seed, BEGIN);
        let within = (begin + t).rem_euclid(self.length_s);
        // After the last probe, the recording repeats from the first.
        let index = self.sent_s.partition_point(|&sent| sent < within) % self.sent_s.len();
        match &self.delays {
            Delays::OneWay(delays) => delays[index],
            Delays::RoundTrip(trips, smallest) => {
                let excess = trips[index] - smallest;
                let forward = match split {
                    Split::Forward => 1.0,
                    Split::Varying => varying(t, seed),
                };
                (smallest / 2.0 + excess * forward, smallest / 2.0 + excess * (1.0 - forward))
            }
        }
    }
}

/// Returns a fraction in [0, 1) that changes slowly, interpolated between draws [`SPLIT_KNOT_S`] apart.
fn varying(t: f64, seed: u64) -> f64 {
    let knot = (t / SPLIT_KNOT_S).floor();
    let (from, to) = (hashed_unit(seed, knot as u64), hashed_unit(seed, knot as u64 + 1));
    from + (to - from) * (t / SPLIT_KNOT_S - knot)
}

/// Replaces directories with the files in them, sorted by name.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let shown = path.display();
        let mut inside = Vec::new();
        for entry in path.read_dir().with_context(|| format!("cannot list {shown}"))? {
            let file = entry.with_context(|| format!("cannot list {shown}"))?.path();
            if file.extension().is_some_and(|ending| ending == "csv") {
                inside.push(file);
            }
        }
        ensure!(
            !inside.is_empty(),
            "{shown} contains no .csv files; pass a trace file or a directory of traces"
        );
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Trace> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("netclock-trace-{}-{number}.csv", std::process::id()));
        std::fs::write(&path, text).expect("the temporary directory is writable");
        let trace = Trace::read(&path);
        let _ = std::fs::remove_file(&path);
        trace
    }

    fn fault(text: &str) -> String {
        format!("{:#}", read(text).expect_err("the file should be rejected"))
    }

    #[test]
    fn takes_the_next_probe_and_loops() {
        let trace = read("t_send_s,forward_ms,reverse_ms\n0,1,2\n1,3,4\n101,5,6\n").unwrap();
        let at = |t| trace.delays(t, Split::Forward, 0);
        assert_eq!(at(0.0), (0.001, 0.002));
        assert_eq!(at(0.5), (0.003, 0.004));
        assert_eq!(at(1.5), (0.005, 0.006), "the gap should be shortened to one second");
        assert_eq!(at(2.5), (0.001, 0.002), "the seam should be shortened too");
        assert_eq!(at(3.0), (0.001, 0.002));
    }

    #[test]
    fn lost_probes_keep_their_slots_and_the_seed_sets_the_start() {
        let probes = [Some((1.0, 2.0)), None, Some((3.0, 4.0))];
        let trace = Trace::of_probes("x", 0.5, probes.into_iter(), 0.0);
        let at = |t| trace.delays(t, Split::Forward, 7);
        assert_eq!((at(0.0), at(0.7), at(1.5)), ((1.0, 2.0), (3.0, 4.0), (1.0, 2.0)));
        assert_eq!(at(0.2), (f64::INFINITY, f64::INFINITY));
        let trace = Trace::of_probes("x", 0.01, (0..100).map(|i| Some((f64::from(i), 0.0))), 0.5);
        let begins: Vec<f64> = (0..40).map(|seed| trace.delays(0.0, Split::Forward, seed).0).collect();
        assert!(begins.iter().all(|begin| (0.0..=50.0).contains(begin)), "{begins:?}");
        assert!(begins.iter().any(|&begin| begin < 15.0) && begins.iter().any(|&begin| begin > 35.0));
    }

    #[test]
    fn splits_only_the_excess() {
        let trace = read("t_send_s,rtt_ms\n0,10\n1,30\n").unwrap();
        let at = |split| trace.delays(1.0, split, 1);
        let (forward, reverse) = at(Split::Forward);
        assert!((forward - 0.025).abs() + (reverse - 0.005).abs() < 1e-12, "{forward} {reverse}");
        let (forward, reverse) = at(Split::Varying);
        assert!((forward + reverse - 0.030).abs() < 1e-12 && forward >= 0.005 && reverse >= 0.005);
    }

    #[test]
    fn errors_name_the_line_and_the_fix() {
        assert!(
            fault("t,rtt\n0,1\n").contains("name them t_send_s,forward_ms,reverse_ms or t_send_s,rtt_ms")
        );
        assert!(fault("# netclock recording 3\nstatus,id\n").contains("lab report "));
        assert!(fault("t_send_s,rtt_ms\n0,1\n1,x\n").contains(":3: rtt_ms is \"x\""));
        assert!(fault("t_send_s,rtt_ms\n0,-1\n").contains(":2: rtt_ms is \"-1\""));
        assert!(fault("t_send_s,rtt_ms\n0,inf\n").contains("plain number"));
        assert!(fault("t_send_s,rtt_ms\n5,1\n1,1\n").contains("sort the lines"));
        assert!(fault("t_send_s,rtt_ms\n0,1,2\n").contains("each line needs 2 values"));
        assert!(fault("t_send_s,rtt_ms\n").contains("no samples"));
    }
}
