//! Runs the models with three attempts, as in the released library. Threads yield at critical points, so the
//! models need only a few preemptions.

use loom::sync::Arc;
use loom::thread;

use super::publication::{BEND, NEVER, Relaxed, check};

const TRIES: usize = 3;

#[expect(dead_code, reason = "the models with one try use the rest")]
#[expect(clippy::duplicate_mod, reason = "the module depends on the number of tries")]
#[path = "../../src/clock/discipline/publish.rs"]
mod publish;

use publish::{AHEAD, Line, Published};

type Cell = Arc<Published<1>>;

fn published() -> Cell {
    let cell = Arc::new(Published::new());
    assert!(cell.publish(&[0], Line::New));
    cell
}

#[test]
fn a_reader_that_fails_three_times_is_served_by_its_next_copy() {
    check(Some(0), |[waited, held_off]| {
        let cell = published();
        let writing = Arc::clone(&cell);
        let writer = thread::spawn(move || {
            let publish = |&n: &u64| {
                let done = writing.publish(&[n], Line::Kept);
                // A copy becomes invalid only after two publications.
                if n % 2 == 0 {
                    thread::yield_now();
                }
                done
            };
            (1..=7).filter(publish).count()
        });
        let copies = core::cell::Cell::new(0);
        let seen = cell.read(NEVER, |words| {
            let word = words.get(0);
            copies.set(copies.get() + 1);
            assert!(copies.get() <= TRIES + 1, "more copies than promised");
            if copies.get() <= TRIES {
                thread::yield_now();
            }
            word
        });
        assert!(seen.is_some());
        waited.fetch_add(u64::from(copies.get() > TRIES), Relaxed);
        held_off.fetch_add(u64::from(writer.join().expect("it does not panic") < 7), Relaxed);
        assert!(cell.publish(&[9], Line::Kept), "a reader still counts as waiting");
    });
}

#[test]
fn a_bend_is_abandoned_when_readers_are_faster_three_times() {
    check(Some(3), |[times_bent, given_up]| {
        let cell = published();
        let writing = Arc::clone(&cell);
        let line = Line::Bent { read: NEVER, until: BEND + 10 * AHEAD };
        let writer = thread::spawn(move || writing.publish(&[1], line));
        let mut seen = [0; TRIES];
        for (at, seen) in (BEND..).step_by(2 * AHEAD as usize).zip(&mut seen) {
            *seen = cell.read(at, |words| words.get(0)).expect("something was published");
            thread::yield_now();
        }
        assert!(seen.is_sorted(), "{seen:?}");
        let bent = writer.join().expect("it does not panic");
        assert!(bent || seen == [0; TRIES], "{seen:?} although the bend was abandoned");
        times_bent.fetch_add(u64::from(bent), Relaxed);
        given_up.fetch_add(u64::from(!bent), Relaxed);
    });
}
