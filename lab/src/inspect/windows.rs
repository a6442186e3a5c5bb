//! A recording of any length as looks at one window of it after the other, in bounded memory.
//!
//! One client gets the whole session, so that nothing begins anew at a window. Each window is looked at with
//! what is around it, and gets the bounds of those before, because hindsight knows least at the ends.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Result;
use netclock::{Config, LocalTime};

use super::look::{Look, Material, start};
use super::reference::Handed;
use super::rerun::{LOOK_AHEAD, Replay};
use super::results::Rerun;
use crate::recording::{Announced, Entry, Reader, Recorded, Stretch};

/// Exchanges of a window, 28 hours at one a second.
const WINDOW: usize = 100_000;
/// Exchanges around it on each side.
const CONTEXT: usize = 10_000;
/// The least that is around a window: the client is behind what was read, because later exchanges say what
/// some mean.
const LEAST_CONTEXT: usize = 2 * LOOK_AHEAD;
/// A window with more readings than this ends: the clock is read every second, however rare exchanges are.
const MOST_MOMENTS: usize = 600_000;

/// A window of a session.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) look: Look,
    /// The exchanges of the window, and those around it.
    pub(crate) recorded: Vec<Recorded>,
}

/// The windows of a recording.
pub(crate) struct Windows {
    name: String,
    reader: Reader<BufReader<File>>,
    config: Config,
    /// None once all of the recording was read.
    replay: Option<Replay>,
    /// How many exchanges a window has, and how many are around it.
    sizes: (usize, usize),
    recorded: Vec<Recorded>,
    announced: Vec<Announced>,
    /// What is known of the exchanges in `recorded`, by their numbers in the session.
    rerun: Rerun,
    /// The number of the first exchange in `recorded`, and of the first one that no window had.
    first: usize,
    next: usize,
    start: Option<LocalTime>,
    handed: Option<Handed>,
    is_over: bool,
}

impl Windows {
    /// Opens a recording.
    ///
    /// # Errors
    /// The file cannot be read, is no recording, or a setting is out of range.
    pub(crate) fn open(path: &Path, stretch: Stretch, config: &Config) -> Result<Self> {
        Self::of_sizes(path, stretch, config, (WINDOW, CONTEXT))
    }

    fn of_sizes(path: &Path, stretch: Stretch, config: &Config, sizes: (usize, usize)) -> Result<Self> {
        Ok(Windows {
            name: path.display().to_string(),
            reader: Reader::open(path, stretch)?,
            config: *config,
            replay: Some(Replay::new(config)?),
            sizes,
            recorded: Vec::new(),
            announced: Vec::new(),
            rerun: Rerun::default(),
            first: 0,
            next: 0,
            start: None,
            handed: None,
            is_over: false,
        })
    }

    /// The next window; none after the last one.
    ///
    /// # Errors
    /// The file cannot be read, or a line is wrong.
    pub(crate) fn next(&mut self) -> Result<Option<Window>> {
        if self.is_over {
            return Ok(None);
        }
        self.fill()?;
        let start = *self.start.get_or_insert_with(|| start(&self.recorded));
        self.is_over = self.replay.is_none();
        let total = self.first + self.recorded.len();
        let (end, kept_from) = if self.is_over {
            (usize::MAX, total)
        } else {
            let end = self.before(total).max(self.next + 1);
            (end, self.before(end))
        };
        let mut window = self.split(kept_from);
        if !self.is_over {
            // What the client made of the newest exchanges is not known yet: a clock may have been set there.
            window.recorded.truncate(window.recorded.len() - LOOK_AHEAD);
        }
        let own = self.next - window.first..if end == usize::MAX { end } else { end - window.first };
        self.next = end;
        let material = Material {
            name: self.name.clone(),
            recorded: &window.recorded,
            announced: &window.announced,
            rerun: window.rerun,
            own,
            start,
            truth: None,
            from: self.handed.take(),
            next: (!self.is_over).then_some(kept_from - window.first),
        };
        let (look, handed) = Look::of(material, &self.config)?;
        self.handed = handed;
        Ok(Some(Window { look, recorded: window.recorded }))
    }

    /// Reads until there is a window and what is around it, or the end of the recording.
    fn fill(&mut self) -> Result<()> {
        let (window, context) = self.sizes;
        while let Some(replay) = &mut self.replay {
            let is_full = self.first + self.recorded.len() >= self.next + window + context;
            let is_crowded = self.rerun.moments.len() >= MOST_MOMENTS
                && self.first + self.recorded.len() > self.next + 2 * LEAST_CONTEXT;
            if is_full || is_crowded {
                break;
            }
            match self.reader.next_entry()? {
                Some(entry) => {
                    match entry {
                        Entry::Exchange(recorded) => self.recorded.push(recorded),
                        Entry::Announced(announced) => self.announced.push(announced),
                    }
                    replay.push(entry);
                    self.rerun.take_in(replay.results());
                }
                None => {
                    let mut end =
                        self.replay.take().map_or_else(Rerun::default, |replay| replay.finish(None));
                    self.rerun.take_in(&mut end);
                }
            }
        }
        Ok(())
    }

    /// The exchange at which what comes before another one begins: as many earlier as there are around a
    /// window, or fewer if the clock was read very often there.
    fn before(&self, end: usize) -> usize {
        let moments = &self.rerun.moments;
        let until = moments.partition_point(|moment| moment.index < end);
        let crowded = until.checked_sub(MOST_MOMENTS / 4).map_or(0, |at| moments[at].index);
        let least = end.saturating_sub(LEAST_CONTEXT);
        end.saturating_sub(self.sizes.1).max(crowded.min(least)).max(self.first)
    }

    /// Takes everything out, except what the next window needs too: that from this exchange on. Numbers
    /// become indices.
    fn split(&mut self, kept_from: usize) -> Part {
        let first = self.first;
        let recorded = std::mem::take(&mut self.recorded);
        self.recorded = recorded[kept_from - first..].to_vec();
        let mut announced = std::mem::take(&mut self.announced);
        self.announced = announced.iter().filter(|it| it.after >= kept_from).copied().collect();
        announced.iter_mut().for_each(|it| it.after -= first);
        let mut rerun = std::mem::take(&mut self.rerun);
        self.rerun = rerun.from(kept_from);
        rerun.count_from(first);
        self.first = kept_from;
        Part { first, recorded, announced, rerun }
    }
}

/// What a window is made of. Indices count from its first exchange, which has this number in the session.
struct Part {
    first: usize,
    recorded: Vec<Recorded>,
    announced: Vec<Announced>,
    rerun: Rerun,
}

#[cfg(test)]
mod tests {
    use super::super::look::Shown;
    use super::super::simulate::simulate;
    use super::super::verdict::{Findings, Verdict, verdicts};
    use super::*;
    use crate::recording::{Recorder, Recording};
    use crate::scenario;

    /// A recording of a simulated session.
    fn recording(scenario: &str, incidents: &[&str]) -> std::path::PathBuf {
        let name = format!(
            "netclock-windows-{}-{scenario}-{}.csv",
            std::process::id(),
            incidents.join("-").replace(':', "_")
        );
        let path = std::env::temp_dir().join(name);
        let incidents: Vec<_> = incidents.iter().map(|it| it.parse().expect("an incident")).collect();
        let case = scenario::find(scenario).expect("a scenario");
        let session = simulate(&case, 1_200.0, 3, &incidents).expect("it is answered");
        let mut recorder = Recorder::create(&path).expect("the temporary directory is writable");
        session.recorded.iter().for_each(|it| recorder.add(&it.sample).expect("it is writable"));
        recorder.finish().expect("it is writable");
        path
    }

    /// All that the windows of a recording show, of few exchanges each, and their verdicts.
    fn through_windows(path: &Path) -> (Vec<Shown>, usize, usize, Vec<Verdict>) {
        let config = Config::default();
        let mut windows =
            Windows::of_sizes(path, Stretch::default(), &config, (80, 60)).expect("a recording");
        let (mut findings, mut shown) = (Findings::default(), Vec::new());
        let (mut exchanges, mut accepted, mut count) = (0, 0, 0);
        while let Some(Window { look, recorded }) = windows.next().expect("it is whole") {
            assert!(recorded.len() <= 80 + 2 * 60, "{}", recorded.len());
            findings.add(&look);
            shown.extend(look.shown.iter().filter(|it| look.owns(it.index)));
            (exchanges, accepted, count) =
                (exchanges + look.exchanges, accepted + look.rerun.accepted, count + 1);
        }
        assert!(count > 2, "{count} windows");
        (shown, exchanges, accepted, findings.verdicts(&config))
    }

    fn kinds(all: &[Verdict]) -> Vec<String> {
        let mut kinds: Vec<String> = all.iter().map(|it| format!("{:?}", it.kind)).collect();
        kinds.sort();
        kinds
    }

    #[test]
    fn windows_say_what_one_look_says() {
        for (scenario, incidents) in [
            ("route_forward", &[][..]),
            ("uplink_bloat", &[]),
            ("fibre", &["pause@500:120", "restart@800"]),
            ("fibre", &["step@600:400"]),
            ("duplicates", &[]),
        ] {
            let (path, config) = (recording(scenario, incidents), Config::default());
            let read = Recording::read(&path, Stretch::default()).expect("a recording");
            let whole = Look::new("whole".into(), &config, &read.exchanges, &read.announced, None);
            let whole = whole.expect("valid settings");
            let (shown, exchanges, accepted, found) = through_windows(&path);
            let _ = std::fs::remove_file(&path);
            assert_eq!((exchanges, accepted), (read.exchanges.len(), whole.rerun.accepted), "{scenario}");
            assert!(shown.iter().map(|it| it.at_s).eq(whole.shown.iter().map(|it| it.at_s)), "{scenario}");
            // Hindsight knows a little less in a window.
            let errors = |at: usize| Some((shown[at].error? - whole.shown[at].error?).abs());
            let mut apart: Vec<f64> = (0..shown.len()).filter_map(errors).collect();
            apart.sort_by(f64::total_cmp);
            let high = apart[apart.len() * 95 / 100];
            println!("{scenario} {incidents:?}: 95 % within {high} ms");
            assert!(high < 0.5, "{scenario} {incidents:?}: {high} ms");
            assert_eq!(kinds(&found), kinds(&verdicts(&whole, &config)), "{scenario} {incidents:?}");
        }
    }
}
