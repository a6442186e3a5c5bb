//! Arbitration, rewinding and the lead, with any numbers, through Rust and through C.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]

use core::ffi::c_void;
use core::ptr;

use arbitrary::{Result, Unstructured};
use netclock::Direction;
use netclock::order::{
    Clocks, Lead, LeadConfig, LeadUpdate, Order, RewindLimit, RewindPath, Stamp, arbitrate, rewind,
};
use netclock::{ServerTime, Span};

use crate::input::{any_number, duration, instant};

/// Calls in one run.
const CALLS: usize = 300;
/// Largest size that a growable structure claims here (bytes).
const ROOM: usize = 64;

unsafe extern "C" {
    fn netclock_arbitrate(
        first: *const c_void,
        second: *const c_void,
        same_clock: i32,
        confidence: f64,
        verdict: *mut c_void,
    ) -> i32;
    fn netclock_rewind(claimed: i64, arrived: i64, path: *const c_void, rewound: *mut c_void) -> i32;
    fn netclock_lead_create(config: *const c_void, lead: *mut *mut c_void) -> i32;
    fn netclock_lead_destroy(lead: *mut c_void) -> i32;
    fn netclock_lead_learn(lead: *mut c_void, direction: i32, epoch: u32, sent: i64, arrived: i64) -> i32;
    fn netclock_lead_suggest(lead: *const c_void, ahead: *mut i64, behind: *mut i64) -> i32;
}

/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    // When the bytes run out they read as zeros, so no error has to be handled.
    let _used_up = play(&mut input);
}

fn play(input: &mut Unstructured<'_>) -> Result<()> {
    let mut rust = lead(input)?;
    let mut c = CLead::create(input)?;
    let mut now = 0;
    for _ in 0..CALLS {
        if input.is_empty() {
            break;
        }
        match input.int_in_range(0..=7)? {
            0 => judge(input)?,
            1 => judge_c(input)?,
            2 => look_back(input)?,
            3 => look_back_c(input)?,
            4 => c.call(input)?,
            _ => note(&mut rust, input, &mut now)?,
        }
    }
    Ok(())
}

fn number(input: &mut Unstructured<'_>) -> Result<f64> {
    Ok(if input.ratio(7, 8)? { f64::from(input.arbitrary::<u8>()?) / 255.0 } else { input.arbitrary()? })
}

fn stamp(input: &mut Unstructured<'_>) -> Result<Stamp> {
    Ok(Stamp {
        time: ServerTime::from_ticks(instant(input, 0)?),
        error_bound: Span::from_ticks(any_number(input)?),
        expected_error: Span::from_ticks(any_number(input)?),
    })
}

/// Swapping the events swaps the verdict and keeps its confidence. A proven verdict is certain.
fn judge(input: &mut Unstructured<'_>) -> Result<()> {
    let (first, second, confidence) = (stamp(input)?, stamp(input)?, number(input)?);
    let clocks = if input.arbitrary()? { Clocks::Same } else { Clocks::Independent };
    let verdicts =
        (arbitrate(&first, &second, clocks, confidence), arbitrate(&second, &first, clocks, confidence));
    let (Ok(one), Ok(other)) = verdicts else {
        assert!(verdicts.0.is_err() && verdicts.1.is_err());
        return Ok(());
    };
    assert!((0.0..=1.0).contains(&one.probability) && (0.5..=1.0).contains(&confidence));
    assert!((one.probability + other.probability - 1.0).abs() < 1e-9);
    assert_eq!(one.proven, other.proven);
    assert!(!one.proven || one.probability == 0.0 || one.probability == 1.0);
    let turned = match one.order {
        Order::Before => Order::After,
        Order::After => Order::Before,
        Order::TooClose => Order::TooClose,
    };
    assert_eq!(other.order, turned);
    let surer = one.probability.max(1.0 - one.probability);
    assert!(one.order == Order::TooClose || one.proven || surer >= confidence && confidence < 1.0);
    Ok(())
}

/// A rewind never lies in the future or beyond the limits, and nothing changes it where no limit applies.
fn look_back(input: &mut Unstructured<'_>) -> Result<()> {
    let arrived = instant(input, 0)?;
    let claimed = ServerTime::from_ticks(instant(input, arrived)?);
    let arrived = ServerTime::from_ticks(arrived);
    let mut span = || any_number(input).map(Span::from_ticks);
    let path =
        RewindPath { round_trip: span()?, jitter: span()?, interpolation: span()?, max_rewind: span()? };
    let Ok(found) = rewind(claimed, arrived, &path) else { return Ok(()) };
    let longest = path.round_trip + path.jitter;
    assert!(found.acted <= arrived && arrived - found.acted <= longest);
    assert!(found.target <= arrived && arrived - found.target <= path.max_rewind);
    // The two ends of the range are further apart than a span can hold.
    assert!(found.moved.abs() >= Span::MAX || found.target - found.moved == claimed - path.interpolation);
    assert!(found.error_bound >= Span::ZERO && found.error_bound <= longest);
    assert!(found.limit != RewindLimit::None || found.moved == Span::ZERO && found.acted == claimed);
    Ok(())
}

fn lead(input: &mut Unstructured<'_>) -> Result<Lead> {
    let mut span = || duration(input).map(Span::from_ticks);
    let config = LeadConfig {
        server_frame: span()?,
        client_frame: span()?,
        send_interval: span()?,
        quantile: number(input)?,
    };
    Ok(Lead::new(config).or_else(|_| Lead::new(LeadConfig::default())).expect("the default is valid"))
}

/// A refused or outdated message changes nothing. Both suggestions stay within possible delays.
fn note(lead: &mut Lead, input: &mut Unstructured<'_>, now: &mut i64) -> Result<()> {
    let direction = if input.arbitrary()? { Direction::ToServer } else { Direction::ToClient };
    let epoch = if input.ratio(15, 16)? { 7 } else { input.arbitrary()? };
    let sent = instant(input, *now)?;
    let arrived = sent.wrapping_add(any_number(input)?);
    if arrived.abs_diff(*now) < 1 << 40 {
        *now = arrived;
    }
    let said = |lead: &Lead| (lead.lead(), lead.interpolation_delay());
    let before = said(lead);
    let (sent, arrived) = (ServerTime::from_ticks(sent), ServerTime::from_ticks(arrived));
    match lead.note(direction, epoch, sent, arrived) {
        Ok(LeadUpdate::Used | LeadUpdate::Restarted) => {
            let minutes = Span::from_secs(200);
            let (ahead, behind) = said(lead);
            let used = if direction == Direction::ToServer { ahead } else { behind };
            assert!(used.is_some());
            for span in [ahead, behind].into_iter().flatten() {
                assert!(span >= -minutes && span <= minutes, "{span}");
            }
        }
        Ok(LeadUpdate::Outdated) | Err(_) => assert_eq!(said(lead), before),
    }
    Ok(())
}

/// A buffer for a growable structure of exactly `size` bytes.
fn growable(input: &mut Unstructured<'_>, usual: usize, filled: bool) -> Result<[u64; ROOM / 8]> {
    let mut words = [0_u64; ROOM / 8];
    if filled {
        for word in &mut words[1..usual / 8] {
            *word = any_number(input)? as u64;
        }
        if input.ratio(1, 8)? {
            words[ROOM / 8 - 1] = input.arbitrary()?;
        }
    }
    let size = if input.ratio(7, 8)? { usual } else { input.int_in_range(0..=ROOM)? };
    words[0] = size as u64;
    Ok(words)
}

fn check(status: i32) {
    // The errors of arguments, and what the room itself says.
    assert!(matches!(status, -6..=0 | 501..=502), "status {status}");
}

fn judge_c(input: &mut Unstructured<'_>) -> Result<()> {
    let mut three =
        || -> Result<[i64; 3]> { Ok([instant(input, 0)?, any_number(input)?, any_number(input)?]) };
    let (first, second) = (three()?, three()?);
    let mut verdict = growable(input, 24, false)?;
    // SAFETY: null, or whole structures; the verdict has more room than it says.
    unsafe {
        let first = if input.ratio(1, 32)? { ptr::null() } else { first.as_ptr().cast() };
        let (same, confidence) = (input.arbitrary()?, number(input)?);
        check(netclock_arbitrate(
            first,
            second.as_ptr().cast(),
            same,
            confidence,
            verdict.as_mut_ptr().cast(),
        ));
    }
    Ok(())
}

fn look_back_c(input: &mut Unstructured<'_>) -> Result<()> {
    let (claimed, arrived) = (instant(input, 0)?, instant(input, 0)?);
    let path = growable(input, 40, true)?;
    let mut rewound = growable(input, 40, false)?;
    // SAFETY: both have more room than they say.
    unsafe { check(netclock_rewind(claimed, arrived, path.as_ptr().cast(), rewound.as_mut_ptr().cast())) };
    Ok(())
}

/// A lead of C's, or null.
struct CLead(*mut c_void);

impl CLead {
    fn create(input: &mut Unstructured<'_>) -> Result<Self> {
        let mut config = growable(input, 40, true)?;
        config[1] = number(input)?.to_bits();
        let mut lead = ptr::null_mut();
        // SAFETY: the configuration has more room than it says; `lead` can be written.
        unsafe { check(netclock_lead_create(config.as_ptr().cast(), &raw mut lead)) };
        Ok(CLead(lead))
    }

    fn call(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (mut ahead, mut behind) = (0, 0);
        // SAFETY: null or alive; the outputs can be written.
        unsafe {
            let (direction, epoch) = (input.int_in_range(-1..=4)?, input.arbitrary::<u8>()?.into());
            let (sent, arrived) = (instant(input, 0)?, instant(input, 0)?);
            check(netclock_lead_learn(self.0, direction, epoch, sent, arrived));
            check(netclock_lead_suggest(self.0, &raw mut ahead, &raw mut behind));
        }
        Ok(())
    }
}

impl Drop for CLead {
    fn drop(&mut self) {
        // SAFETY: null or alive, and not used any more.
        assert_eq!(unsafe { netclock_lead_destroy(self.0) }, 0);
    }
}
