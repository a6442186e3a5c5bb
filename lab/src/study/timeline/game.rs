use std::f64::consts::TAU;

use netclock_sim::{FrameConfig, Frames, GameWorld};

const SLOWEST: f64 = 0.2;
const JITTER_MS: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pause,
    /// The rate follows a cosine from 1 to 0.2 and back, and changes in every frame.
    Slow,
    Hitch,
    /// The server loads a new map. There are no frames until the map has loaded, and the clock then restarts
    /// from zero.
    Travel,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    pub kind: Kind,
    pub from_s: f64,
    pub to_s: f64,
}

impl Phase {
    pub const fn new(kind: Kind, from_s: f64, length_s: f64) -> Self {
        Self { kind, from_s, to_s: from_s + length_s }
    }

    fn holds(&self, at_s: f64) -> bool {
        (self.from_s..self.to_s).contains(&at_s)
    }
}

pub fn play(phases: &[Phase], fps: f64, seconds: f64, seed: u64) -> GameWorld {
    let config = FrameConfig { jitter_ms: JITTER_MS, ..FrameConfig::even(fps, 0.0) };
    let loop_ = Frames::new(&config, seed, "game");
    let mut world = GameWorld::new(0.0, 0, rate(phases, 0.0));
    loop {
        let last_s = world.last().at_s;
        let mut at_s = loop_.next(last_s + 1e-6);
        let is_away = |phase: &&Phase| matches!(phase.kind, Kind::Hitch | Kind::Travel) && phase.holds(at_s);
        if let Some(away) = phases.iter().find(is_away) {
            at_s = away.to_s;
        }
        if at_s > seconds {
            return world;
        }
        let travelled =
            |phase: &Phase| phase.kind == Kind::Travel && phase.to_s > last_s && phase.to_s <= at_s;
        if phases.iter().any(travelled) {
            world.travel(at_s, rate(phases, at_s));
        } else {
            world.frame(at_s, rate(phases, at_s));
        }
    }
}

fn rate(phases: &[Phase], at_s: f64) -> f64 {
    match phases.iter().find(|phase| phase.holds(at_s)) {
        Some(Phase { kind: Kind::Pause, .. }) => 0.0,
        Some(Phase { kind: Kind::Slow, from_s, to_s }) => {
            let turn = TAU * (at_s - from_s) / (to_s - from_s);
            1.0 - (1.0 - SLOWEST) * 0.5 * (1.0 - turn.cos())
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use netclock_sim::clock::TICKS_PER_S;
    use netclock_sim::world::LONGEST_FRAME_S;

    use super::*;

    fn seconds(game: &GameWorld, at_s: f64) -> f64 {
        game.truth(game.instance(at_s), at_s).0 / TICKS_PER_S
    }

    #[test]
    fn world_time_stops_slows_and_drops_long_frames() {
        let phases = [
            Phase::new(Kind::Pause, 2.0, 1.0),
            Phase::new(Kind::Slow, 5.0, 3.0),
            Phase::new(Kind::Hitch, 10.0, 3.0),
            Phase::new(Kind::Travel, 20.0, 1.0),
        ];
        let game = play(&phases, 60.0, 30.0, 1);
        let frame = 0.021;
        for (at_s, lost) in [(1.5, 0.0), (4.0, 1.0), (9.0, 2.2), (14.0, 4.8)] {
            let error = seconds(&game, at_s) - (at_s - lost);
            assert!(error.abs() <= 3.0 * frame, "at {at_s}: {error}");
        }
        assert_eq!((game.instance(20.9), game.instance(21.0)), (1, 2));
        assert!((seconds(&game, 25.0) - 4.0).abs() <= frame);
        let (least, most) = game.truth(1, 11.0);
        assert!((most - least - LONGEST_FRAME_S * TICKS_PER_S).abs() <= 1.0);
        assert_eq!(game.truth(1, 20.5), game.truth(1, 29.0), "an ended world should stand still");
    }
}
