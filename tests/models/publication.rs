//! Model checks of publication: `cargo xtask loom`.
//!
//! loom runs each model once for every order of the threads' steps, and for every value that the memory model lets a load
//! return. A model asserts what must hold in each run. The counts at its end assert that the case in question did happen in
//! some run.
//!
//! Snapshots are `[n, n, ..]` for the `n`-th publication: words that differ are torn.

use std::sync::atomic::{AtomicU64 as Count, Ordering::Relaxed};

use loom::sync::Arc;
use loom::thread;

use super::publish::{Published, TRIES, Words};

/// Two words are the fewest that can be torn.
const WORDS: usize = 2;

type Cell = Arc<Published<WORDS>>;

/// Runs `model` in every order with at most `preemptions` switches away from a thread that could go on; all orders
/// for none. loom's authors find that two or three show nearly every bug.
fn check(preemptions: Option<usize>, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.max_branches = 10_000;
    builder.check(model);
}

fn number(words: [u64; WORDS]) -> u64 {
    assert!(words.iter().all(|word| *word == words[0]), "torn: {words:?}");
    words[0]
}

fn copy(words: Words<'_, WORDS>) -> [u64; WORDS] {
    core::array::from_fn(|i| words.get(i))
}

/// One read, which must not take more than the copies promised. Returns the publication and the copies made.
fn read(cell: &Cell) -> (Option<u64>, usize) {
    let copies = core::cell::Cell::new(0);
    let words = cell.read(|words| {
        copies.set(copies.get() + 1);
        assert!(copies.get() <= TRIES + 1, "more copies than promised");
        copy(words)
    });
    (words.map(number), copies.get())
}

/// A writer's thread: offers 1, 2, .. up to `last`, after 0 was published before. Returns those that were published.
fn writer(cell: &Cell, last: u64) -> thread::JoinHandle<Vec<u64>> {
    let cell = Arc::clone(cell);
    thread::spawn(move || (1..=last).filter(|&n| cell.publish(&[n; WORDS])).collect())
}

fn published() -> Cell {
    let cell = Arc::new(Published::new());
    assert!(cell.publish(&[0; WORDS]));
    cell
}

#[test]
fn a_reader_sees_whole_snapshots_in_their_order() {
    static NEWER: Count = Count::new(0);
    check(None, || {
        let cell = published();
        let writer = writer(&cell, 2);
        let first = read(&cell).0;
        let second = read(&cell).0;
        assert!(first.is_some() && second >= first, "{first:?}, then {second:?}");
        NEWER.fetch_add(u64::from(second > first), Relaxed);
        let done = writer.join().expect("the writer does not panic");
        // What is over is seen: nothing older than the last publication.
        assert_eq!(read(&cell).0, Some(done.last().copied().unwrap_or(0)));
    });
    assert!(NEWER.load(Relaxed) > 0, "the reads never met a publication");
}

#[test]
fn the_first_publication_is_seen_whole_or_not_at_all() {
    static SEEN: Count = Count::new(0);
    static NOTHING: Count = Count::new(0);
    check(None, || {
        let cell: Cell = Arc::new(Published::new());
        let writer = writer(&cell, 2);
        let first = read(&cell).0;
        let glanced = cell.glance(|words| Some(copy(words))).map(number);
        assert!(first != Some(0) && glanced != Some(0), "never published");
        assert!(glanced.is_none() || glanced >= first);
        SEEN.fetch_add(u64::from(first.is_some()), Relaxed);
        NOTHING.fetch_add(u64::from(first.is_none()), Relaxed);
        writer.join().expect("the writer does not panic");
    });
    assert!(SEEN.load(Relaxed) > 0 && NOTHING.load(Relaxed) > 0);
}

#[test]
fn a_glance_is_whole_or_none() {
    static MISSED: Count = Count::new(0);
    static KEPT: Count = Count::new(0);
    check(None, || {
        let cell = published();
        let writer = writer(&cell, 2);
        let first = cell.glance(|words| Some(copy(words))).map(number);
        let second = cell.glance(|words| Some(copy(words))).map(number);
        if let (Some(first), Some(second)) = (first, second) {
            assert!(second >= first, "{first}, then {second}");
            KEPT.fetch_add(u64::from(second > first), Relaxed);
        }
        MISSED.fetch_add(u64::from(first.is_none()), Relaxed);
        writer.join().expect("the writer does not panic");
    });
    assert!(MISSED.load(Relaxed) > 0 && KEPT.load(Relaxed) > 0);
}

#[test]
fn a_reader_that_waits_is_served_by_its_next_copy() {
    static WAITED: Count = Count::new(0);
    static HELD_OFF: Count = Count::new(0);
    check(Some(5), || {
        let cell = published();
        let writer = writer(&cell, 4);
        // More copies than promised fail in `read`; torn ones in `number`.
        let (seen, copies) = read(&cell);
        assert!(seen.is_some());
        WAITED.fetch_add(u64::from(copies > TRIES), Relaxed);
        let done = writer.join().expect("the writer does not panic");
        HELD_OFF.fetch_add(u64::from(done.len() < 4), Relaxed);
        // Nobody waits any more, so that the newest snapshot is published when it is offered again.
        assert!(cell.publish(&[9; WORDS]));
        assert_eq!(read(&cell), (Some(9), 1));
    });
    assert!(WAITED.load(Relaxed) > 0, "nobody had to wait");
    assert!(HELD_OFF.load(Relaxed) > 0, "the writer never held off");
}

#[test]
fn two_readers_do_not_disturb_each_other() {
    static BOTH: Count = Count::new(0);
    check(Some(2), || {
        let cell = published();
        let writer = writer(&cell, 2);
        let other = {
            let cell = Arc::clone(&cell);
            thread::spawn(move || read(&cell))
        };
        let (mine, copies) = read(&cell);
        let again = read(&cell).0;
        assert!(mine.is_some() && again >= mine);
        let (theirs, their_copies) = other.join().expect("the reader does not panic");
        assert!(theirs.is_some());
        BOTH.fetch_add(u64::from(copies > TRIES && their_copies > TRIES), Relaxed);
        writer.join().expect("the writer does not panic");
        assert!(cell.publish(&[9; WORDS]), "somebody is still counted as waiting");
    });
    assert!(BOTH.load(Relaxed) > 0, "they never waited at the same time");
}
