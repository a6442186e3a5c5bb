//! Runs a small headless Bevy game over a bad network, first with lightyear's timeline and then with ours.
//! Both are judged by the inputs that the server applied.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result, anyhow, ensure};

use game::{Options, Record, Shared};

mod game;
mod glue;

const HOST: [u8; 4] = [127, 0, 0, 1];
/// We ignore the start, while the clocks settle, and the end, while inputs are in transit (s).
const SETTLE_S: f64 = 15.0;
const TAIL_S: f64 = 3.0;
/// The server runs this much longer than the client (s).
const LONGER_S: f64 = 3.0;

const USAGE: &str = "[real_NAME|FILE,...] [HERTZ,...] [SECONDS] [FIRST-PORT]";

struct Arguments {
    /// The path of the workbench, which provides the bad network with `impair`.
    lab: String,
    /// Recordings that the bad network replays, one after another.
    play: Vec<String>,
    /// Tick rates per second. Both clocks run at all of these rates at the same time.
    hertz: Vec<f64>,
    seconds: f64,
    port: u16,
}

fn arguments() -> Result<Arguments> {
    let mut words = std::env::args().skip(1);
    let lab = words.next().context(USAGE)?;
    let mut next = |default: &str| words.next().unwrap_or_else(|| default.to_owned());
    let play = next("real_up_before").split(',').map(str::to_owned).collect();
    let hertz = next("15,30,60").split(',').map(str::parse).collect::<Result<_, _>>().context(USAGE)?;
    let (seconds, port) = (next("60").parse().context(USAGE)?, next("47140").parse().context(USAGE)?);
    let least = SETTLE_S + TAIL_S + 5.0;
    ensure!(seconds > least, "give more than {least} seconds");
    Ok(Arguments { lab, play, hertz, seconds, port })
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    println!(
        "| network | Hz | late (%) | input delay (ms) | ms for 5 % late | ms for 1 % \
         | ours (%) where theirs has 5 | jumps | server's tick off, p99 | rollbacks a minute |"
    );
    println!("|{}", "---|".repeat(10));
    for play in &arguments.play {
        thread::scope(|scope| {
            // One port is for the server and the other for the bad network in front of it.
            let mut ports = (arguments.port..).step_by(2);
            let mut start = |hertz: f64, is_ours: bool| {
                let (arguments, port) = (&arguments, ports.next().unwrap_or_default());
                scope.spawn(move || run(arguments, play, hertz, is_ours, port))
            };
            let runs =
                arguments.hertz.iter().map(|hertz| (*hertz, start(*hertz, false), start(*hertz, true)));
            for (hertz, theirs, ours) in runs.collect::<Vec<_>>() {
                let context = || format!("{play} at {hertz} Hz");
                let [theirs, ours] = [ended(theirs), ended(ours)];
                print(play, hertz, &theirs.with_context(context)?, &ours.with_context(context)?);
            }
            anyhow::Ok(())
        })?;
    }
    Ok(())
}

fn ended<T>(thread: ScopedJoinHandle<Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| Err(anyhow!("the game panicked")))
}

fn run(arguments: &Arguments, play: &str, hertz: f64, is_ours: bool, port: u16) -> Result<Judged> {
    let record = Shared::default();
    let [at, through] = [port, port + 1].map(|port| (HOST, port).into());
    let server = Options { address: at, hertz, seconds: arguments.seconds + LONGER_S };
    let client = Options { address: through, hertz, seconds: arguments.seconds };
    let mut network = Command::new(&arguments.lab);
    network.args(["impair", "--listen", &through.to_string(), "--to", &at.to_string()]);
    network.args(["--seed", "1", "--play", play]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut network = network.spawn().with_context(|| format!("starting {}", arguments.lab))?;
    // The network prints its first line once it is listening.
    let mut said = BufReader::new(network.stdout.take().context("the bad network has no output")?);
    ensure!(said.read_line(&mut String::new())? > 0, "the bad network did not start");
    let played = thread::scope(|scope| {
        let server = scope.spawn(|| game::server(server, &record));
        game::client(client, is_ours, &record)?;
        ended(server)
    });
    network.kill().and_then(|()| network.wait()).context("ending the bad network")?;
    played?;
    record.with(|record| judge(record))
}

struct Judged {
    /// Inputs that the server did not apply in their ticks (%), and mean time from input to tick (ms).
    late: f64,
    delay_ms: f64,
    /// How long before its tick each input arrived, with the latest input first (ms).
    early_ms: Vec<f64>,
    /// How long each input took to arrive, with the slowest first (ms).
    took_ms: Vec<f64>,
    jumps: usize,
    off: f64,
    rollbacks: f64,
}

fn judge(record: &Record) -> Result<Judged> {
    let (first, last) = record.made.first().zip(record.made.last()).context("the client made no input")?;
    let window = first.1 + SETTLE_S..last.1 - TAIL_S;
    let (mut early_ms, mut took_ms, mut delay_ms, mut late) = (Vec::new(), Vec::new(), 0.0, 0);
    for (tick, at) in record.made.iter().filter(|(_, at)| window.contains(at)) {
        let Some((of, when)) = record.applied.get(tick) else { continue };
        let came = record.heard.range(tick..).next().map_or(f64::INFINITY, |(_, came)| *came);
        early_ms.push((when - came) * 1e3);
        took_ms.push((came - at) * 1e3);
        delay_ms += (when - at) * 1e3;
        late += usize::from(of != tick);
    }
    ensure!(!early_ms.is_empty(), "no input was applied");
    early_ms.sort_by(f64::total_cmp);
    took_ms.sort_by(|one, other| other.total_cmp(one));
    let count = early_ms.len() as f64;
    let frames: Vec<_> = record.frames.iter().filter(|(at, ..)| window.contains(at)).collect();
    let mut off: Vec<f64> = frames
        .iter()
        .filter_map(|(at, server, _)| Some((server - interpolated(&record.truth, *at)?).abs()))
        .collect();
    off.sort_by(f64::total_cmp);
    let (begin, end) = frames.first().zip(frames.last()).context("the client had no frames")?;
    Ok(Judged {
        late: 100.0 * late as f64 / count,
        delay_ms: delay_ms / count,
        early_ms,
        took_ms,
        // Each client starts with a jump.
        jumps: record.jumps.saturating_sub(1),
        off: *quantile(&off, 0.99).context("the server had no frames")?,
        rollbacks: f64::from(end.2 - begin.2) / (end.0 - begin.0) * 60.0,
    })
}

/// Interpolates at `x` between points with rising coordinates.
fn interpolated(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let next = points.partition_point(|point| point.0 < x);
    let (from, to) = (points.get(next.checked_sub(1)?)?, points.get(next)?);
    Some(from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0))
}

fn quantile(sorted: &[f64], share: f64) -> Option<&f64> {
    sorted.get((share * sorted.len() as f64) as usize)
}

/// By shifting all inputs equally, we can tell which ones would be late at another input delay.
impl Judged {
    /// Returns the input delay at which this fraction of the inputs is late (ms).
    fn delay_for(&self, share: f64) -> f64 {
        self.delay_ms - quantile(&self.early_ms, share).copied().unwrap_or_default()
    }

    /// Returns which percentage of the inputs is late at this input delay (ms).
    fn late_at(&self, delay_ms: f64) -> f64 {
        let late = self.early_ms.partition_point(|early| early + delay_ms < self.delay_ms);
        100.0 * late as f64 / self.early_ms.len() as f64
    }
}

fn print(play: &str, hertz: f64, theirs: &Judged, ours: &Judged) {
    let both = |of: &dyn Fn(&Judged) -> String| format!("{} / {}", of(theirs), of(ours));
    // The third value is due to the network alone. Even with a perfect clock and a constant lead, an input is
    // late if it takes longer than the lead.
    let for_share = |share| {
        let own = quantile(&ours.took_ms, share).copied().unwrap_or_default();
        format!("{} / {own:.0}", both(&|it| format!("{:.0}", it.delay_for(share))))
    };
    println!(
        "| {play} | {hertz} | {} | {} | {} | {} | {:.1} | {} | {} | {} |",
        both(&|it| format!("{:.1}", it.late)),
        both(&|it| format!("{:.0}", it.delay_ms)),
        for_share(0.05),
        for_share(0.01),
        ours.late_at(theirs.delay_for(0.05)),
        both(&|it| it.jumps.to_string()),
        both(&|it| format!("{:.2}", it.off)),
        both(&|it| format!("{:.0}", it.rollbacks)),
    );
}
