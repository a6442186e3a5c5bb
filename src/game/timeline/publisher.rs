//! The server side of a timeline. It observes the world's clock in every frame and publishes a new segment
//! when the last one becomes inaccurate.

use super::config::PublisherConfig;
use super::error::ObserveError;
use super::fit::{Budget, Residuals, Trend};
use super::rate::Rate;
use super::segment::{MAX_TOLERANCE, Segment};
use super::speed::Speed;
use crate::clock::{ConfigError, ServerTime, Span, WorldTime};

/// When the budget runs low, each segment has at least twice the last one's tolerance, up to this multiple of
/// the usual tolerance.
const WIDEST: i64 = 64;
/// How far the world's clock may deviate from the published line before a new segment is published.
const TOLERANCE: Span = Span::from_micros(500);

/// Publishes a world's clock. No call allocates memory.
///
/// Call [`observe`](Self::observe) in every frame and send each returned segment to every client. Send
/// [`newest`](Self::newest) to each client that joins. If the transport may lose messages, also resend the
/// newest segment occasionally.
///
/// See [`Timeline`](super::Timeline) for an example.
#[derive(Debug)]
pub struct Publisher {
    config: PublisherConfig,
    server_epoch: u64,
    instance: u32,
    version: u32,
    world: Option<Observed>,
    budget: Budget,
}

#[derive(Debug)]
struct Observed {
    segment: Segment,
    through: ServerTime,
    /// The segment's tolerance minus the observation error.
    fitted: Span,
    scale: f64,
    is_wrong: bool,
    is_withheld: bool,
    last: Frame,
    residuals: Residuals,
    trend: Trend,
    speed: Speed,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    real: ServerTime,
    world: WorldTime,
    rate: Rate,
}

impl Publisher {
    /// Creates a publisher for the world `instance`. `server_epoch` is the epoch in the server's replies.
    ///
    /// # Errors
    /// Returns an error that names the first setting that is out of range.
    pub fn new(config: PublisherConfig, server_epoch: u64, instance: u32) -> Result<Self, ConfigError> {
        config.validate()?;
        let budget = Budget::per_second(config.max_per_second);
        Ok(Publisher { config, server_epoch, instance, version: 0, world: None, budget })
    }

    /// Starts a new world with the next instance number in the next frame.
    pub fn begin_world(&mut self) {
        self.instance = self.instance.wrapping_add(1);
        self.version = 0;
        self.world = None;
    }

    /// Returns the newest segment, or `None` before the world's first frame. [`Segment::through`] is the last
    /// frame in which the segment was accurate, and the server must not confirm it beyond that frame.
    pub fn newest(&self) -> Option<Segment> {
        let world = self.world.as_ref()?;
        Some(Segment { through: Some(world.through), ..world.segment })
    }

    /// Observes a server frame in which the world's clock shows `world` at real time `real` and continues at
    /// `rate`. Returns the segment to publish if a new one is needed.
    ///
    /// The stated rate is only a hint. If the world ran at a different rate in recent frames, for example
    /// because the server is overloaded, segments contain the measured rate. `real` may be read late by at
    /// most [`PublisherConfig::read_lag`]. A frame in which real time has not advanced is ignored.
    ///
    /// # Errors
    /// Fails if an instant is out of range or earlier than in a previous frame.
    pub fn observe(
        &mut self,
        real: ServerTime,
        world: WorldTime,
        rate: Rate,
    ) -> Result<Option<Segment>, ObserveError> {
        if !real.is_valid() || !world.is_valid() {
            return Err(ObserveError::OutOfRange);
        }
        let frame = Frame { real, world, rate };
        let Some(last) = self.world.as_ref().map(|seen| seen.last) else {
            return Ok(Some(self.first(frame)));
        };
        let (elapsed, progress) = (real - last.real, world - last.world);
        if elapsed < Span::ZERO {
            return Err(ObserveError::RealWentBackwards(-elapsed));
        }
        if progress < Span::ZERO {
            return Err(ObserveError::WorldWentBackwards(-progress));
        }
        if elapsed == Span::ZERO {
            return Ok(None);
        }
        self.budget.earn(elapsed);
        Ok(self.follow(frame, elapsed))
    }

    /// Publishes regardless of the budget, because clients have no world time before the first segment.
    fn first(&mut self, frame: Frame) -> Segment {
        let _paid = self.budget.spend();
        let fitted = TOLERANCE;
        let segment = self.segment(frame, frame.real, (frame.rate, frame.world), fitted);
        self.world = Some(Observed {
            segment,
            through: frame.real,
            fitted,
            scale: 1.0,
            is_wrong: false,
            is_withheld: false,
            last: frame,
            residuals: Residuals::of(Span::ZERO),
            trend: Trend::start(frame.rate),
            speed: Speed::default(),
        });
        segment
    }

    fn follow(&mut self, frame: Frame, elapsed: Span) -> Option<Segment> {
        let noise = self.noise(frame.rate);
        let seen = self.world.as_mut()?;
        let line = seen.segment.world_at(frame.real);
        let residual = frame.world - line;
        seen.residuals.add(residual);
        seen.trend.add(frame.rate, elapsed);
        seen.speed.add(seen.last.rate, elapsed, frame.world - seen.last.world);
        let last = core::mem::replace(&mut seen.last, frame);

        // The world's clock was set at most `noise` before real time was read, so the true residual is
        // between `least` and `most`. In at least one of many frames, this delay was probably at most half of
        // `noise`.
        let (least, mut most) = (residual, residual + noise);
        if seen.residuals.are_many() {
            most = most.min(seen.residuals.largest() + Span::from_ticks(noise.ticks() / 2));
        }
        seen.is_wrong |= least + noise > seen.segment.tolerance || residual + noise < -seen.fitted;
        let will_pass = |rate: Rate| Span::from_ticks(rate.passed(elapsed.ticks()));
        let drift = will_pass(frame.rate.scaled(seen.scale)) - will_pass(seen.segment.rate);
        let leaves =
            least + drift.max(Span::ZERO) > seen.fitted || most + drift.min(Span::ZERO) < -seen.fitted;
        let changes = frame.rate.is_paused() != last.rate.is_paused();
        // Once the budget has recovered, replace lines that have a wide tolerance, even if they are still
        // correct.
        let is_coarse = seen.fitted > TOLERANCE && self.budget.is_full();
        if seen.is_wrong || leaves || changes || is_coarse {
            // Without credit, nothing is published, although the old segment is no longer accurate.
            seen.is_withheld |= !self.budget.can_spend();
            seen.is_wrong |= seen.is_withheld;
            return self.publish(frame, last.real, line);
        }
        seen.through = frame.real;
        None
    }

    fn publish(&mut self, frame: Frame, last: ServerTime, line: WorldTime) -> Option<Segment> {
        let scarce = self.budget.is_scarce();
        let noise = self.noise(frame.rate);
        let seen = self.world.as_ref()?;
        if !self.budget.spend() {
            return None;
        }
        let (usual, now) = (TOLERANCE.ticks(), seen.fitted.ticks());
        let needed = if scarce || seen.is_withheld {
            (2 * now).max(seen.trend.tolerance_for(self.budget.interval()).ticks())
        } else {
            now / 2
        };
        let widest = Span::from_ticks(usual.saturating_mul(WIDEST)).min(MAX_TOLERANCE);
        let fitted = Span::from_ticks(needed.max(usual)).min(widest);
        // A paused clock can be read late without an error. Unless the world has lost time, the old line plus
        // the largest residual is more accurate for a running clock than this frame's late reading.
        let exact = seen.is_wrong || frame.rate.is_paused() || seen.segment.rate.is_paused();
        let world =
            if exact { frame.world } else { line + seen.residuals.largest().min(frame.world - line + noise) };
        let scale = seen.speed.scale(noise, fitted);
        let (rate, offset) = seen.trend.line(frame.rate, scale, fitted);
        // The change took effect when the world's clock was set, slightly before real time was read.
        let since = if seen.is_wrong { seen.through } else { last.max(frame.real - self.config.read_lag) };
        let segment = self.segment(frame, since, (rate, world + offset), fitted);
        let residuals = Residuals::of(frame.world - segment.world);
        let seen = self.world.as_mut()?;
        (seen.segment, seen.through) = (segment, frame.real);
        (seen.fitted, seen.scale, seen.residuals) = (fitted, scale, residuals);
        (seen.is_wrong, seen.is_withheld) = (false, false);
        Some(segment)
    }

    fn segment(&mut self, frame: Frame, since: ServerTime, line: (Rate, WorldTime), fitted: Span) -> Segment {
        self.version = self.version.wrapping_add(1);
        Segment {
            server_epoch: self.server_epoch,
            instance: self.instance,
            version: self.version,
            since,
            real: frame.real,
            world: line.1,
            rate: line.0,
            tolerance: (fitted + self.noise(frame.rate)).min(MAX_TOLERANCE),
            through: Some(frame.real),
        }
    }

    fn noise(&self, rate: Rate) -> Span {
        Span::from_ticks(rate.passed(self.config.read_lag.ticks())) + self.config.resolution
    }
}
