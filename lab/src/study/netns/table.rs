use super::clocks::CLOCKS;
use super::rows::Row;
use super::run::Ran;
use crate::net::judge::Judged;
use crate::report::ms;
use crate::study::output::Study;
use netclock_sim::{Account, nearest_rank, sorted};

/// The first clocks in the list are NetClock's. Only their guarantees are checked.
const OURS: usize = 3;

pub(super) fn print(study: &mut Study, row: &Row, runs: &[&Ran], seconds: i64) {
    let mut lines = Vec::new();
    for (place, (clock, _)) in CLOCKS.iter().enumerate() {
        let of = |run: &Ran| run.outcome.judged[place].clone();
        let judged: Vec<Judged> = runs.iter().map(|run| of(run)).collect();
        let all = |figure: fn(&Judged) -> Option<f64>| sorted(judged.iter().filter_map(figure));
        let middle = |figure| nearest_rank(&all(figure), 0.5).map_or_else(|| "-".into(), ms);
        let p99s: Vec<String> = judged.iter().filter_map(|run| run.p99_ms).map(ms).collect();
        let passed = sorted(runs.iter().map(|run| run.passed[place].first_bytes as f64 / 1e3));
        let rest = sorted(runs.iter().filter_map(|run| run.passed[place].rest_rate(seconds)));
        let back = sorted(runs.iter().filter_map(|run| run.passed[place].back_s));
        let last = |values: &[f64]| values.last().map_or_else(|| "-".into(), |value| format!("{value:.1}"));
        let (p50, p99s) = (middle(|run| run.p50_ms), p99s.join(" "));
        let max = all(|run| run.max_ms).last().copied().map_or_else(|| "-".into(), ms);
        let Account { reads, outside, backwards, .. } = judged.iter().map(|run| run.account).sum();
        let (above, within) = (judged.iter().map(|run| run.above_bound).sum::<usize>(), within(&judged));
        let [passed, rest, back] = [passed, rest, back].map(|values| last(&values));
        lines.push(format!(
            "{clock} | {p50} | {p99s} | {max} | {reads} | {outside} | {backwards} | {above} | {within} | \
             {passed} | {rest} | {back}"
        ));
    }
    let header = "clock | p50 ms | p99 of each run | max | reads | outside | back | sigma > bound | \
                  within 1 2 3 | KB first 30 s | B/s at rest | back after s";
    study.table(&format!("\n{}: {}\n", row.name, row.about), header, lines);
    let unmarked = sorted(runs.iter().filter_map(|run| run.outcome.unmarked_s));
    if let Some(last) = unmarked.last() {
        study.line(&format!("marked datagrams were dropped; the link removed its mark by second {last:.1}"));
    }
    let ours = |run: &&Ran| run.outcome.judged[..OURS].iter().all(Judged::is_kept);
    study.check(runs.iter().all(ours), || format!("{}: a read broke a guarantee", row.name));
}

fn within(judged: &[Judged]) -> String {
    let shares: Vec<[f64; 3]> = judged.iter().filter_map(|run| run.within).collect();
    if shares.is_empty() {
        return "-".into();
    }
    let mean = |place: usize| shares.iter().map(|share| share[place]).sum::<f64>() / shares.len() as f64;
    format!("{:.0} {:.0} {:.0}", mean(0), mean(1), mean(2))
}
