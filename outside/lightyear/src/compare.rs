//! Runs the game with each timeline over the same bad network, and judges both by what the server applied.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};

const HOST: &str = "127.0.0.1";
/// The server's, unless `--port` names another; the bad network has the next one.
const PORT: u16 = 47140;
/// Not judged: the begin, when clocks settle, and the end, when inputs are still on their way (s).
const SETTLE_S: f64 = 15.0;
const TAIL_S: f64 = 3.0;
/// The server lives longer than the client by this (s).
const LONGER_S: f64 = 3.0;
const CLOCKS: [&str; 2] = ["theirs", "ours"];
/// Input delays of the curve: so many ticks more or less than the run had.
const SHIFTS: std::ops::RangeInclusive<i64> = -12..=24;
/// Shares of late inputs for which the tables name the delay (%).
const SHARES: [f64; 3] = [5.0, 1.0, 0.1];
const TICKS_PER_S: f64 = 1e7;

struct Options {
    lab: String,
    hertz: Vec<f64>,
    play: Vec<String>,
    seconds: f64,
    input_delay: u16,
    out: PathBuf,
    port: u16,
}

fn options(words: &[String]) -> Result<Options> {
    let mut options = Options {
        lab: String::new(),
        hertz: vec![30.0],
        play: vec!["real_up_before".to_owned()],
        seconds: 60.0,
        input_delay: 0,
        out: std::env::temp_dir(),
        port: PORT,
    };
    for pair in words.chunks(2) {
        let [name, value] = pair else { anyhow::bail!("{} has no value", pair[0]) };
        let list = || value.split(',');
        match name.as_str() {
            "--lab" => options.lab = value.clone(),
            "--hertz" => options.hertz = list().map(str::parse).collect::<Result<_, _>>()?,
            "--play" => options.play = list().map(str::to_owned).collect(),
            "--seconds" => options.seconds = value.parse()?,
            "--input-delay" => options.input_delay = value.parse()?,
            "--port" => options.port = value.parse()?,
            "--out" => options.out = value.into(),
            other => anyhow::bail!("there is no option {other}; {}", crate::USAGE),
        }
    }
    ensure!(
        options.seconds > SETTLE_S + TAIL_S + 5.0,
        "--seconds: give more than {}",
        SETTLE_S + TAIL_S + 5.0
    );
    Ok(options)
}

pub fn compare(words: &[String]) -> Result<ExitCode> {
    let options = options(words)?;
    fs::create_dir_all(&options.out)?;
    println!(
        "| network | Hz | clock | late (%) | input delay (ms) | ms for 5 / 1 / 0.1 % late | jumps \
         | server's tick off by p50 / p99 (ticks) | rollbacks a minute |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut curves = Vec::new();
    for play in &options.play {
        for hertz in &options.hertz {
            let mut pair = Vec::new();
            for clock in CLOCKS {
                let judged = run(&options, play, *hertz, clock)
                    .with_context(|| format!("{play} at {hertz} Hz with {clock}"))?;
                judged.print(play, *hertz, clock);
                pair.push(judged.curve);
            }
            curves.push((play, hertz, pair));
        }
    }
    println!(
        "\nLate inputs (%) at the same input delay (ms), where theirs has the share in the first column:\n"
    );
    println!("| network | Hz | theirs | delay | ours |\n|---|---|---|---|---|");
    for (play, hertz, pair) in &curves {
        for share in SHARES {
            if let Some(delay) = delay_for(&pair[0], share) {
                println!("| {play} | {hertz} | {share} | {delay:.0} | {:.2} |", share_at(&pair[1], delay));
            }
        }
    }
    let csv = options.out.join("late-inputs.csv");
    fs::write(&csv, table(&curves))?;
    println!("\nThe curves are in {}.", csv.display());
    Ok(ExitCode::SUCCESS)
}

/// A network, the ticks a second, and the curve of each clock: input delays (ms) and late inputs (%).
type Pair<'a> = (&'a String, &'a f64, Vec<Vec<(f64, f64)>>);

fn table(curves: &[Pair]) -> String {
    let mut lines = "network,hertz,clock,input_delay_ms,late_percent\n".to_owned();
    for (play, hertz, pair) in curves {
        for (clock, curve) in CLOCKS.iter().zip(pair) {
            for (delay, late) in curve {
                lines += &format!("{play},{hertz},{clock},{delay:.1},{late:.3}\n");
            }
        }
    }
    lines
}

/// A process that ends with its guard.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn run(options: &Options, play: &str, hertz: f64, clock: &str) -> Result<Judged> {
    let me = std::env::current_exe()?;
    let logs = ["server", "client"].map(|side| options.out.join(format!("lightyear-{side}.log")));
    let game = |side: &str, address: &str, seconds: f64, log: &Path| {
        let mut command = Command::new(&me);
        command.args([side, address, &hertz.to_string(), &seconds.to_string()]);
        command.arg(options.input_delay.to_string()).arg(log).arg(clock);
        command
    };
    for log in &logs {
        let _none = fs::remove_file(log);
    }
    let [at, through] = [options.port, options.port + 1].map(|port| format!("{HOST}:{port}"));
    let mut server = Guard(game("server", &at, options.seconds + LONGER_S, &logs[0]).spawn()?);
    let mut network = Command::new(&options.lab);
    network.args(["impair", "--listen", &through, "--to", &at, "--seed", "1", "--play", play]);
    let network = network.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut network = Guard(network.with_context(|| format!("starting {}", options.lab))?);
    // Its first line says that it listens.
    let mut said = BufReader::new(network.0.stdout.take().context("the bad network has no output")?);
    ensure!(said.read_line(&mut String::new())? > 0, "the bad network did not start");
    let client = game("client", &through, options.seconds, &logs[1]).status()?;
    ensure!(client.success(), "the client failed");
    ensure!(server.0.wait()?.success(), "the server failed");
    let [server, client] = logs.map(|log| fs::read_to_string(log).context("a process wrote no log"));
    judge(&server?, &client?, hertz)
}

struct Judged {
    /// Inputs that the server did not apply in their ticks (%), and from making one to its tick (ms).
    late: f64,
    delay_ms: f64,
    /// Input delays (ms) and late inputs (%).
    curve: Vec<(f64, f64)>,
    jumps: usize,
    off: [f64; 2],
    rollbacks: f64,
}

/// The words of the lines of a kind, as numbers.
fn lines(log: &str, kind: char) -> impl Iterator<Item = Vec<f64>> {
    let of_kind = log.lines().filter(move |line| line.starts_with(kind));
    of_kind.map(|line| line.split(' ').skip(1).filter_map(|word| word.parse().ok()).collect())
}

fn judge(server: &str, client: &str, hertz: f64) -> Result<Judged> {
    let made: Vec<(i64, f64)> = lines(client, 'i').map(|of| (of[0] as i64, of[1])).collect();
    let (first, last) = (made.first().context("the client made no input")?.1, made[made.len() - 1].1);
    let window = first + SETTLE_S * TICKS_PER_S..last - TAIL_S * TICKS_PER_S;
    let applied: BTreeMap<i64, (i64, f64)> =
        lines(server, 'a').map(|of| (of[0] as i64, (of[1] as i64, of[2]))).collect();
    // The tick that the server had when the input of a tick, or of a later one, came first.
    let heard: BTreeMap<i64, i64> = lines(server, 'h').map(|of| (of[0] as i64, of[1] as i64)).collect();
    let (mut slacks, mut delays, mut late) = (Vec::new(), Vec::new(), 0);
    for (tick, at) in made.iter().filter(|(_, at)| window.contains(at)) {
        let Some((of, when)) = applied.get(tick) else { continue };
        delays.push((when - at) / TICKS_PER_S * 1e3);
        late += usize::from(of != tick);
        let came = heard.range(tick..).next();
        slacks.push(came.map_or(i64::MIN / 2, |(_, server)| tick - server));
    }
    ensure!(!delays.is_empty(), "no input was applied");
    let percent = |count: usize| 100.0 * count as f64 / slacks.len() as f64;
    let delay_ms = delays.iter().sum::<f64>() / delays.len() as f64;
    let late_by = |shift: i64| slacks.iter().filter(|slack| **slack + shift < 1).count();
    let curve = SHIFTS.map(|shift| (delay_ms + shift as f64 * 1e3 / hertz, percent(late_by(shift))));
    let truth: Vec<(f64, f64)> = lines(server, 't').map(|of| (of[0], of[1])).collect();
    let frames: Vec<Vec<f64>> = lines(client, 'f').filter(|of| window.contains(&of[0])).collect();
    let mut off: Vec<f64> =
        frames.iter().filter_map(|of| Some((of[2] - interpolated(&truth, of[0])?).abs())).collect();
    off.sort_by(f64::total_cmp);
    let quantile = |share: f64| off.get((share * (off.len() - 1) as f64) as usize).copied();
    let rollbacks = frames.first().zip(frames.last()).map(|(from, to)| to[3] - from[3]);
    Ok(Judged {
        late: percent(late),
        delay_ms,
        curve: curve.collect(),
        // The first one is how every client begins.
        jumps: lines(client, 'r').skip(1).count(),
        off: [quantile(0.5).context("no frames")?, quantile(0.99).context("no frames")?],
        rollbacks: rollbacks.context("no frames")? / (last - first - (SETTLE_S + TAIL_S) * TICKS_PER_S)
            * TICKS_PER_S
            * 60.0,
    })
}

/// A rising line of points at `x`.
fn interpolated(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let next = points.partition_point(|point| point.0 < x);
    let (from, to) = (points.get(next.checked_sub(1)?)?, points.get(next)?);
    Some(from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0))
}

/// The input delay (ms) at which this share (%) is late.
fn delay_for(curve: &[(f64, f64)], share: f64) -> Option<f64> {
    let pair = curve.windows(2).find(|pair| pair[0].1 > share && pair[1].1 <= share)?;
    let along = (pair[0].1 - share) / (pair[0].1 - pair[1].1);
    Some(pair[0].0 + along * (pair[1].0 - pair[0].0))
}

/// The share (%) that is late at this input delay (ms).
fn share_at(curve: &[(f64, f64)], delay: f64) -> f64 {
    let outer = if delay < curve[0].0 { curve[0] } else { curve[curve.len() - 1] };
    interpolated(curve, delay).unwrap_or(outer.1)
}

impl Judged {
    fn print(&self, play: &str, hertz: f64, clock: &str) {
        let Judged { late, delay_ms, curve, jumps, off, rollbacks } = self;
        let delays = SHARES.map(|share| {
            delay_for(curve, share).map_or_else(|| "-".to_owned(), |delay| format!("{delay:.0}"))
        });
        println!(
            "| {play} | {hertz} | {clock} | {late:.2} | {delay_ms:.0} | {} | {jumps} | {:.2} / {:.2} | \
             {rollbacks:.0} |",
            delays.join(" / "),
            off[0],
            off[1]
        );
    }
}
