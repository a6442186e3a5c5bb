use std::sync::Mutex;

/// Processes the items on all cores and returns the results in the items' order.
#[expect(clippy::disallowed_methods, reason = "waits for compilers and programs on every core")]
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let next = Mutex::new(items.iter().enumerate());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let Some((at, item)) = next.lock().expect("no worker panics").next() else { break };
                    let made = work(item);
                    done.lock().expect("no worker panics").push((at, made));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, made)| made).collect()
}
