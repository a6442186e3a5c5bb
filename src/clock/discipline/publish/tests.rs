use super::*;

/// An instant at which reads never have to raise the horizon.
const AT: i64 = i64::MIN;

fn all<const N: usize>(words: Words<'_, N>) -> [u64; N] {
    core::array::from_fn(|i| words.get(i))
}

fn glance<const N: usize>(published: &Published<N>, at: i64) -> Option<[u64; N]> {
    published.glance(|words| (words.room(at) as u64 <= CLOSED as u64 / 2).then(|| all(words)))
}

#[test]
fn a_copy_survives_one_publication_but_not_two() {
    let published = Published::<2>::new();
    assert!(published.publish(&[0; 2], Line::New));
    for round in 0..4 {
        for disturbances in 0..4 {
            assert!(published.publish(&[round; 2], Line::Kept));
            let copied = published.attempt(published.newest(), AT, &|words| {
                let first = words.get(0);
                for other in 0..disturbances {
                    assert!(published.publish(&[100 + other; 2], Line::Kept));
                }
                (first, words.get(1))
            });
            assert_eq!(copied, (disturbances < 2).then_some((round, round)));
        }
    }
}

#[test]
fn a_read_raises_the_horizon_for_later_reads() {
    let published = Published::<2>::new();
    assert!(published.publish(&[1; 2], Line::New));
    assert_eq!(glance(&published, 100), None);
    assert_eq!(published.read(100, all), Some([1; 2]));
    assert_eq!(published.horizon(), 100 + AHEAD);
    for at in [AT, -5, 100, 100 + AHEAD] {
        assert_eq!(glance(&published, at), (at != AT).then_some([1; 2]));
        assert_eq!(published.read(at, all), Some([1; 2]));
    }
    assert_eq!(glance(&published, 101 + AHEAD), None);
    assert_eq!(published.horizon(), 100 + AHEAD);
    assert_eq!(published.read(i64::MAX, all), Some([1; 2]));
    assert!(published.horizon() < CLOSED);
}

#[test]
fn a_line_that_was_read_where_it_bends_is_not_replaced() {
    let published = Published::<2>::new();
    assert!(published.publish(&[1; 2], Line::New));
    published.read(0, all);
    let read = published.horizon();
    assert!(published.publish(&[2; 2], Line::Kept));
    assert_eq!(published.horizon(), read, "the same line");
    published.read(read + 1, all);
    assert!(!published.publish(&[3; 2], Line::Bent { read, until: read }));
    assert_eq!(published.read(0, all), Some([2; 2]));
    let until = read + 1 + AHEAD;
    assert!(published.publish(&[3; 2], Line::Bent { read, until }));
    assert_eq!((published.read(0, all), published.horizon()), (Some([3; 2]), until));
    // A read far in the future is only a forecast, so the writer may revoke it.
    published.read(1 << 40, all);
    let read = published.horizon();
    assert!(published.publish(&[4; 2], Line::Bent { read, until: until + 5 }));
    assert_eq!(published.horizon(), until + 5);
    assert!(published.publish(&[5; 2], Line::New));
    assert_eq!(published.horizon(), i64::MIN);
}

#[test]
fn a_reader_of_a_closed_line_continues_with_the_next() {
    let published = Published::<2>::new();
    assert!(published.publish(&[1; 2], Line::New));
    assert!(published.publish(&[2; 2], Line::Kept));
    // Simulates a writer that is preempted before its last store.
    published.progress.store(1 | BEGUN, Ordering::Relaxed);
    assert_eq!(glance(&published, 0), None);
    assert_eq!(published.read(0, all), Some([2; 2]));
}
