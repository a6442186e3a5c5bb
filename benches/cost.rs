//! What each operation costs, with criterion's statistics: `cargo bench --bench cost`.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "measuring time is what a bench does"
)]

use std::time::{Duration, Instant};

use criterion::Criterion;

#[path = "support/abi.rs"]
mod abi;
#[path = "support/operations.rs"]
mod operations;
#[path = "support/traffic.rs"]
mod traffic;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(40)
        .configure_from_args();
    for operation in operations::ALL {
        let Some(mut run) = (operation.prepare)() else { continue };
        // Reported apart: beside a writer, figures are those of two cores and vary more.
        let group = if operation.concurrent { "two threads" } else { "one thread" };
        criterion.benchmark_group(group).bench_function(operation.name, |bencher| {
            bencher.iter_custom(|times| {
                let start = Instant::now();
                run(times);
                start.elapsed()
            });
        });
    }
    criterion.final_summary();
}
