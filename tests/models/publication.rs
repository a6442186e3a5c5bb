//! Checks models of `publish.rs` with `cargo test --package netclock-models`.
//!
//! loom tries every interleaving of the threads and every value that the memory model allows a load to
//! return. All words of publication `n` are `n`, so a snapshot whose words differ is torn.

use std::sync::atomic::AtomicU64 as Count;
pub(super) use std::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::thread;

use super::publish::{AHEAD, Line, Published, TRIES, Words};

/// Tearing requires at least two words. Models that don't check for tearing use a single word.
const WORDS: usize = 2;

/// A read at this time does not restrict later publications, because this is not a valid instant.
pub(super) const NEVER: i64 = i64::MIN;

/// The slope of a line changes at this time, which is before `LATER`.
pub(super) const BEND: i64 = 0;
const LATER: i64 = 10;

/// An open horizon is at most this far ahead of a read, and a closed horizon is further ahead.
const FAR: u64 = 1 << 61;

type Cell<const N: usize = WORDS> = Arc<Published<N>>;

/// `None` allows any number of preemptions. According to loom's authors, two or three preemptions expose
/// nearly every bug. Every counted case must occur in at least one run.
pub(super) fn check<const CASES: usize>(
    preemptions: Option<usize>,
    model: impl Fn(&[Count; CASES]) + Sync + Send + 'static,
) {
    let counts = std::sync::Arc::new([const { Count::new(0) }; CASES]);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.max_branches = 10_000;
    let counted = std::sync::Arc::clone(&counts);
    builder.check(move || model(&counted));
    assert!(counts.iter().all(|count| count.load(Relaxed) > 0), "a case never occurred: {counts:?}");
}

fn number<const N: usize>(words: [u64; N]) -> u64 {
    assert!(words.iter().all(|word| *word == words[0]), "torn: {words:?}");
    words[0]
}

fn copy<const N: usize>(words: Words<'_, N>) -> [u64; N] {
    core::array::from_fn(|i| words.get(i))
}

fn read<const N: usize>(cell: &Cell<N>) -> (Option<u64>, usize) {
    read_at(cell, NEVER)
}

fn read_at<const N: usize>(cell: &Cell<N>, at: i64) -> (Option<u64>, usize) {
    let copies = core::cell::Cell::new(0);
    let words = cell.read(at, |words| {
        copies.set(copies.get() + 1);
        assert!(copies.get() <= TRIES + 1, "more copies than promised");
        copy(words)
    });
    (words.map(number), copies.get())
}

fn glance_at<const N: usize>(cell: &Cell<N>, at: i64) -> Option<u64> {
    let glanced = cell.glance(|words| (words.room(at) as u64 <= FAR).then(|| copy(words)));
    glanced.map(number)
}

fn spawn<T: 'static, const N: usize>(
    cell: &Cell<N>,
    work: impl FnOnce(&Cell<N>) -> T + 'static,
) -> thread::JoinHandle<T> {
    let cell = Arc::clone(cell);
    thread::spawn(move || work(&cell))
}

fn writer<const N: usize>(cell: &Cell<N>, last: u64) -> thread::JoinHandle<Vec<u64>> {
    spawn(cell, move |cell| (1..=last).filter(|&n| cell.publish(&[n; N], Line::Kept)).collect())
}

fn published<const N: usize>() -> Cell<N> {
    let cell = Arc::new(Published::new());
    assert!(cell.publish(&[0; N], Line::New));
    cell
}

#[test]
fn a_reader_sees_whole_snapshots_in_their_order() {
    check(Some(3), |[newer]| {
        let cell: Cell = published();
        let writer = writer(&cell, 2);
        let first = read(&cell).0;
        let second = read(&cell).0;
        assert!(first.is_some() && second >= first, "{first:?}, then {second:?}");
        newer.fetch_add(u64::from(second > first), Relaxed);
        let done = writer.join().expect("the writer does not panic");
        // Once a publication is complete, no reader may see an older publication.
        assert_eq!(read(&cell).0, Some(done.last().copied().unwrap_or(0)));
    });
}

#[test]
fn the_first_publication_is_seen_whole_or_not_at_all() {
    check(None, |[seen, nothing]| {
        let cell: Cell = Arc::new(Published::new());
        let writer = spawn(&cell, |cell| {
            cell.publish(&[1; WORDS], Line::New) && cell.publish(&[2; WORDS], Line::Kept)
        });
        let first = read(&cell).0;
        let glanced = glance_at(&cell, NEVER);
        assert!(first != Some(0) && glanced != Some(0), "never published");
        assert!(glanced.is_none() || glanced >= first);
        seen.fetch_add(u64::from(first.is_some()), Relaxed);
        nothing.fetch_add(u64::from(first.is_none()), Relaxed);
        writer.join().expect("the writer does not panic");
    });
}

#[test]
fn a_replaced_line_is_seen_whole_or_not_at_all() {
    check(None, |[before, after]| {
        let cell: Cell = Arc::new(Published::new());
        assert!(cell.publish(&[1; WORDS], Line::New));
        let writer = spawn(&cell, |cell| cell.publish(&[2; WORDS], Line::New));
        let first = read(&cell).0;
        assert!(first >= Some(1) && read(&cell).0 >= first, "{first:?}");
        before.fetch_add(u64::from(first == Some(1)), Relaxed);
        after.fetch_add(u64::from(first == Some(2)), Relaxed);
        writer.join().expect("the writer does not panic");
    });
}

#[test]
fn a_glance_is_whole_or_fails() {
    check(Some(4), |[missed, kept]| {
        let cell: Cell = published();
        let writer = writer(&cell, 2);
        let first = glance_at(&cell, NEVER);
        let second = glance_at(&cell, NEVER);
        if let (Some(first), Some(second)) = (first, second) {
            assert!(second >= first, "{first}, then {second}");
            kept.fetch_add(u64::from(second > first), Relaxed);
        }
        missed.fetch_add(u64::from(first.is_none()), Relaxed);
        writer.join().expect("the writer does not panic");
    });
}

#[test]
fn a_waiting_reader_succeeds_with_its_next_copy() {
    check(Some(4), |[waited, held_off]| {
        let cell: Cell = published();
        let writer = writer(&cell, 3);
        // `read` fails if it makes more copies than promised, and `number` fails if a copy is torn.
        let (seen, copies) = read(&cell);
        assert!(seen.is_some());
        waited.fetch_add(u64::from(copies > TRIES), Relaxed);
        let done = writer.join().expect("the writer does not panic");
        held_off.fetch_add(u64::from(done.len() < 3), Relaxed);
        assert!(cell.publish(&[9; WORDS], Line::Kept));
        assert_eq!(read(&cell), (Some(9), 1));
    });
}

#[test]
fn two_readers_do_not_disturb_each_other() {
    check(Some(2), |[both]| {
        let cell: Cell<1> = published();
        let writer = writer(&cell, 2);
        let other = spawn(&cell, read);
        let (mine, copies) = read(&cell);
        assert!(mine.is_some());
        let (theirs, their_copies) = other.join().expect("the reader does not panic");
        assert!(theirs.is_some());
        both.fetch_add(u64::from(copies > TRIES && their_copies > TRIES), Relaxed);
        writer.join().expect("the writer does not panic");
        assert!(cell.publish(&[9], Line::Kept), "a reader still counts as waiting");
    });
}

/// Returns false if the line has already been read beyond `BEND`.
fn bend(cell: &Cell<1>, n: u64) -> bool {
    cell.publish(&[n], Line::Bent { read: NEVER, until: BEND })
}

fn read_later(cell: &Cell<1>) -> u64 {
    let glanced = glance_at(cell, LATER);
    glanced.or_else(|| read_at(cell, LATER).0).expect("something was published")
}

#[test]
fn a_line_is_never_bent_before_a_read() {
    check(None, |[times_kept, times_bent]| {
        let cell = published();
        let writer = spawn(&cell, |cell| bend(cell, 1));
        let first = read_later(&cell);
        let second = read_later(&cell);
        assert_eq!(first, second, "both are after the bend");
        let bent = writer.join().expect("the writer does not panic");
        assert_eq!((bent, read_later(&cell)), (first == 1, first));
        assert!(first == 0 || cell.horizon() >= LATER + AHEAD);
        times_kept.fetch_add(u64::from(!bent), Relaxed);
        times_bent.fetch_add(u64::from(bent), Relaxed);
    });
}

#[test]
fn reads_of_a_line_are_remembered_when_its_snapshot_is_replaced() {
    check(Some(3), |[times_kept, times_bent]| {
        let cell = published();
        // After this read, the cell must assume that the line has been read up to shortly before `BEND`.
        read_at(&cell, BEND - AHEAD);
        // The writer publishes the same line with different bounds before it changes the line.
        let writer = spawn(&cell, |cell| {
            let bent = Line::Bent { read: BEND, until: BEND };
            let is_bent = cell.publish(&[1], Line::Kept) && cell.publish(&[2], bent);
            assert!(cell.horizon() >= BEND, "the earlier read was forgotten");
            is_bent
        });
        let first = read_later(&cell);
        let second = read_later(&cell);
        assert!(second >= first && (first == 2) == (second == 2), "{first}, then {second}");
        let bent = writer.join().expect("the writer does not panic");
        assert!(!bent || first == 2, "bent after it was read");
        times_kept.fetch_add(u64::from(first < 2), Relaxed);
        times_bent.fetch_add(u64::from(bent), Relaxed);
    });
}

#[test]
fn readers_in_order_see_the_same_publication() {
    check(None, |[times_kept, times_bent]| {
        let cell = published();
        let writer = spawn(&cell, |cell| bend(cell, 1));
        let other = spawn(&cell, read_later);
        let first = other.join().expect("the reader does not panic");
        // Once one thread has read the time, later reads on any thread must agree with that read.
        assert_eq!(read_later(&cell), first);
        times_kept.fetch_add(u64::from(first == 0), Relaxed);
        times_bent.fetch_add(u64::from(first == 1), Relaxed);
        writer.join().expect("the writer does not panic");
    });
}

#[test]
fn glances_and_reads_agree_during_a_bend() {
    check(Some(2), |[times_glanced, times_bent]| {
        let cell = published();
        let writer = spawn(&cell, |cell| bend(cell, 1));
        // A glance succeeds only after another thread has read at this time or later.
        let other = spawn(&cell, |cell| read_at(cell, LATER).0);
        let glanced = glance_at(&cell, LATER);
        let seen = read_at(&cell, LATER).0;
        assert!(glanced.is_none() || glanced == seen, "{glanced:?}, then {seen:?}");
        assert_eq!(other.join().expect("the reader does not panic"), seen, "both are after the bend");
        assert_eq!(writer.join().expect("the writer does not panic"), seen == Some(1));
        times_glanced.fetch_add(u64::from(glanced.is_some()), Relaxed);
        times_bent.fetch_add(u64::from(seen == Some(1)), Relaxed);
    });
}
