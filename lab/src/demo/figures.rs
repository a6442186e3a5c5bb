//! The figures of a demo in words and tables, for the terminal and for pages.

use indicatif::HumanCount;
use netclock::{Span, UtcTime};

use super::protocol::{Read, Status, Tally, UtcStatus};
use super::summary::{ClientSummary, Errors, Summary, Verdict};
use crate::live::show::Cell;
use crate::report::date::date;
use crate::report::page::{Table, Weight};
use crate::report::words;

/// Column headings of [`now`].
pub(crate) const NOW: &str =
    "error | bound | expected | world error | bound | round trip | rate ppm | state | in bound";

/// What a client shows now, in ms.
pub(crate) fn now(read: Option<&Read>, status: &Status, state: &str, tally: &Tally) -> Vec<Cell> {
    let world = read.and_then(|read| read.world);
    let text = |ticks: Option<i64>, word: fn(i64) -> String| ticks.map_or_else(|| "–".to_owned(), word);
    let (judged, outside) = (tally.judged + tally.world_judged, tally.outside + tally.world_outside);
    let kept = if outside == 0 { format!("all {judged}") } else { format!("not {outside} of {judged}") };
    let mut cells: Vec<Cell> = [
        text(read.map(|read| read.error), figure),
        text(read.map(|read| read.bound), promise),
        text(read.map(|read| read.expected), promise),
        text(world.map(|world| world.error), figure),
        text(world.map(|world| world.bound), promise),
        format!("{:.1}", status.round_trip_ms),
        format!("{:+.1}", status.ppm),
        if state.is_empty() { "unsynced".to_owned() } else { state.to_owned() },
        kept,
    ]
    .map(Cell::from)
    .into();
    cells[7].weight = Some(if state == "synced" { Weight::Fine } else { Weight::Warning });
    cells[8].weight = Some(if outside == 0 { Weight::Fine } else { Weight::Fault });
    cells
}

/// The errors of the server's time, and of its world's.
pub(crate) fn tables(summary: &Summary) -> [Table; 2] {
    let error = |errors: Option<Errors>, pick: fn(&Errors) -> f64| optional(errors.map(|it| pick(&it)));
    let row = |client: &ClientSummary| {
        let ClientSummary { name, crystal_ppm, path, tally, bytes_per_second, error_ms, .. } = client;
        let Tally { judged, backwards, .. } = tally;
        let covered = percent(client.coverage_percent);
        let picks: [fn(&Errors) -> f64; 4] = [|it| it.p50, |it| it.p95, |it| it.p99, |it| it.max];
        let errors = picks.map(|pick| error(*error_ms, pick)).join(" | ");
        let calm = error(client.error_ms_apart_from_resync, |it| it.p99);
        let resync = words::optional(client.resync_s, |s| format!("{s:.2} s"));
        format!(
            "{name} | {crystal_ppm:+.0} ppm | {path} | {judged} | {covered} | {backwards} | {errors} | \
             {calm} | {resync} | {bytes_per_second:.0}"
        )
    };
    let of_world = |client: &ClientSummary| {
        let (world, Tally { world_judged, world_backwards, .. }) = (&client.world, client.tally);
        let covered = percent(world.coverage_percent);
        let p50 = error(world.error_ms, |it| it.p50);
        let p99 = [world.error_ms, world.error_ms_paused, world.error_ms_slow, world.error_ms_calm];
        let p99 = p99.map(|errors| error(errors, |it| it.p99)).join(" | ");
        let bounds = [world.bound_ms, world.bound_if_unchanged_ms].map(optional).join(" | ");
        let (name, bytes) = (&client.name, world.bytes_per_second);
        format!(
            "{name} | {world_judged} | {covered} | {world_backwards} | {p50} | {p99} | {bounds} | {bytes:.0}"
        )
    };
    let header = "client | clock | path | reads | in bound | back | p50 | p95 | p99 | max | p99 calm | \
                  resync | bytes/s";
    let header_of_world = "client | reads | in bound | back | p50 | p99 | p99 paused | p99 slow | p99 calm | \
                           bound | if unchanged | bytes/s";
    let caption = "Size of the error in ms over all reads from second 5 on";
    [
        Table::new(caption, header, summary.clients.iter().map(row)),
        Table::new(
            "The time of the server's world, errors in ms",
            header_of_world,
            summary.clients.iter().map(of_world),
        ),
    ]
}

/// Whether the promises were kept, in words.
pub(crate) fn verdict_words(summary: &Summary) -> String {
    let (reads, outside, backwards) = summary.totals();
    let (world_reads, world_outside, world_backwards) = summary.world_totals();
    let (utc_reads, utc_outside) = summary.utc_totals();
    let [reads, world_reads, utc_reads] = [reads, world_reads, utc_reads].map(HumanCount);
    match summary.verdict() {
        Verdict::Kept => format!(
            "All {reads} reads of the server's time, {world_reads} of its world's and {utc_reads} of its UTC \
             were within their bounds; no clock went backwards."
        ),
        Verdict::Broken => format!(
            "BROKEN: {outside} of {reads} reads were outside their bounds, {backwards} went backwards; of \
             the world's {world_outside} of {world_reads} and {world_backwards}; of the server's UTC \
             {utc_outside} of {utc_reads}."
        ),
        Verdict::NeverSynced => "A client never synchronised; was the machine too busy to run it?".to_owned(),
    }
}

/// A read of the server's UTC.
pub(crate) fn utc_words(read: UtcStatus) -> String {
    let date = date(UtcTime::from_ticks(read.utc));
    if read.bound == i64::MAX { date } else { format!("{date} within {:.3} ms", ms(read.bound)) }
}

/// A number of ms, or "-".
fn optional(ms: Option<f64>) -> String {
    words::optional(ms, |ms| format!("{ms:.3}"))
}

/// A share in %, rounded down, so that only a full share shows 100 %.
fn percent(share: f64) -> String {
    if share >= 100.0 { "100 %".to_owned() } else { format!("{:.2} %", (share * 100.0).floor() / 100.0) }
}

/// An error in ms, with its sign.
fn figure(ticks: i64) -> String {
    format!("{:+.3}", ms(ticks))
}

/// Ticks in ms.
fn ms(ticks: i64) -> f64 {
    Span::from_ticks(ticks).as_millis_f64()
}

/// Ticks in ms; "none" if nothing is promised.
fn promise(ticks: i64) -> String {
    if ticks == i64::MAX { "none".to_owned() } else { format!("{:.3}", ms(ticks)) }
}
