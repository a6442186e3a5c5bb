//! The demo's report: one self-contained HTML file.

use std::fmt::Write;

use anyhow::Result;
use netclock::Config;

use super::client::config;
use super::plan::{LINK_WORDS, SHIFT_MS, STALL};
use super::plots;
use super::record::{Happening, Record, What};
use super::screen::{optional, percent};
use super::summary::{ClientSummary, Errors, Summary, Verdict};

const STYLE: &str = include_str!("report.css");

/// The report as HTML.
///
/// # Errors
/// A plot cannot be drawn.
pub(crate) fn html(record: &Record, summary: &Summary) -> Result<String> {
    let mut page = String::new();
    head(&mut page, record, summary)?;
    figures(&mut page, summary)?;
    world_figures(&mut page, summary)?;
    for (index, client) in summary.clients.iter().enumerate() {
        plots_of(&mut page, record, index, client)?;
    }
    timeline(&mut page, record)?;
    explanation(&mut page)?;
    settings(&mut page, record, summary)?;
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

fn head(page: &mut String, record: &Record, summary: &Summary) -> Result<()> {
    let (reads, outside, backwards) = summary.totals();
    let (world_reads, world_outside, world_backwards) = summary.world_totals();
    let (utc_reads, utc_outside) = summary.utc_totals();
    let (class, verdict) = match summary.verdict() {
        Verdict::Kept => (
            "kept",
            format!(
                "All {reads} reads of the server&rsquo;s time, {world_reads} of its world&rsquo;s and {utc_reads} of \
                 its UTC were within their promised bounds, and no clock went backwards."
            ),
        ),
        Verdict::Broken => (
            "broken",
            format!(
                "{outside} of {reads} reads were outside their bounds; {backwards} went backwards. Of the world's: \
                 {world_outside} of {world_reads}, and {world_backwards}. Of the server's UTC: {utc_outside} of \
                 {utc_reads}."
            ),
        ),
        Verdict::NeverSynced => ("broken", "A client never synchronised.".to_owned()),
    };
    write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>NetClock demo</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>NetClock demo</h1>\n\
         <p class=\"soft\">One server and {} clients ran for {:.1} s on one machine. Each is a process, and each client has its own \
         clock. They talk over UDP, through forwarders that make a bad network. The machine's monotonic clock is \
         the truth.</p>\n<p class=\"verdict {class}\">{verdict}</p>\n",
        summary.clients.len(),
        record.length.as_secs_f64(),
    )?;
    Ok(())
}

fn figures(page: &mut String, summary: &Summary) -> Result<()> {
    page.push_str(
        "<div class=\"scroll\"><table>\n<tr><th class=\"text\">client</th><th>clock</th><th \
         class=\"text\">path</th>\
         <th>reads</th><th>in bound</th><th>back</th><th>p50</th><th>p95</th><th>p99</th><th>max</th>\
         <th>p99 calm</th><th>resync</th><th>bytes/s</th></tr>\n",
    );
    for client in &summary.clients {
        let error = |errors: Option<Errors>, pick: fn(&Errors) -> f64| {
            errors.map_or_else(|| "-".to_owned(), |errors| format!("{:.3}", pick(&errors)))
        };
        writeln!(
            page,
            "<tr><td class=\"text\"><b>{}</b></td><td>{:+.0} ppm</td><td \
             class=\"text\">{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td><b>{}</b></td><td>{}</td><td>{}</td><td>{}</td><td>{:.0}</td></tr>",
            client.name,
            client.crystal_ppm,
            client.path,
            client.tally.judged,
            percent(client.coverage_percent),
            client.tally.backwards,
            error(client.error_ms, |errors| errors.p50),
            error(client.error_ms, |errors| errors.p95),
            error(client.error_ms, |errors| errors.p99),
            error(client.error_ms, |errors| errors.max),
            error(client.error_ms_apart_from_resync, |errors| errors.p99),
            client.resync_s.map_or_else(|| "-".to_owned(), |s| format!("{s:.2} s")),
            client.bytes_per_second,
        )?;
    }
    page.push_str(
        "</table></div>\n<p class=\"soft\">Size of the error in ms over all reads from second 5 on. \
         &ldquo;Calm&rdquo; leaves out the second after each discontinuity that the clock declared. Resync is \
         the longest time from such a discontinuity until the error stayed below 1 ms, at most 1 s; it counts \
         the whole run. Bytes are payload in both directions.</p>\n",
    );
    Ok(())
}

fn world_figures(page: &mut String, summary: &Summary) -> Result<()> {
    page.push_str(
        "<h2>The time of the server&rsquo;s world</h2>\n<div class=\"scroll\"><table>\n<tr><th \
         class=\"text\">client</th><th>reads</th><th>in bound</th><th>back</th><th>p50</th><th>p99</th>\
         <th>p99 paused</th><th>p99 slow</th><th>p99 calm</th><th>bound</th><th>if unchanged</th>\
         <th>bytes/s</th></tr>\n",
    );
    for client in &summary.clients {
        let (world, tally) = (&client.world, &client.tally);
        let error = |errors: Option<Errors>, pick: fn(&Errors) -> f64| optional(errors.map(|e| pick(&e)));
        writeln!(
            page,
            "<tr><td class=\"text\"><b>{}</b></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td><b>{}</b></td><td>{}</td><td>{}</td><td>{:.0}</td></tr>",
            client.name,
            tally.world_judged,
            percent(world.coverage_percent),
            tally.world_backwards,
            error(world.error_ms, |errors| errors.p50),
            error(world.error_ms, |errors| errors.p99),
            error(world.error_ms_paused, |errors| errors.p99),
            error(world.error_ms_slow, |errors| errors.p99),
            error(world.error_ms_calm, |errors| errors.p99),
            optional(world.bound_ms),
            optional(world.bound_if_unchanged_ms),
            world.bytes_per_second,
        )?;
    }
    page.push_str(
        "</table></div>\n<p class=\"soft\">The world pauses, and later goes into slow motion. Clients learn of it \
         when the news arrives, and by then they are ahead. So their world stands still for a moment; it never \
         goes back. &ldquo;Calm&rdquo; leaves out pause, slow motion and the second after each. Bounds are \
         medians: one of the certain bound, which covers news that has not arrived, one of the bound that \
         holds if nothing changed.</p>\n",
    );
    Ok(())
}

fn plots_of(page: &mut String, record: &Record, index: usize, client: &ClientSummary) -> Result<()> {
    write!(
        page,
        "<h2>Client {}: clock {:+.0} ppm, {}</h2>\n<figure><figcaption>Error: shown minus true server time. \
         The band is the expected error, two standard deviations. Values outside the plot are \
         drawn at its border.</figcaption>\n{}</figure>\n\
         <figure><figcaption>The same error and the promised bound. Where the band fills the plot, the \
         clock promised nothing.</figcaption>\n{}</figure>\n",
        client.name,
        client.crystal_ppm,
        client.path,
        plots::fine(record, index)?,
        plots::coarse(record, index)?,
    )?;
    write!(
        page,
        "<figure><figcaption>Shown minus true time of the server&rsquo;s world. Inner band: the bound if nothing \
         changed. Outer band: the bound whatever happened meanwhile.</figcaption>\n{}</figure>\n",
        plots::world(record, index)?,
    )?;
    Ok(())
}

fn timeline(page: &mut String, record: &Record) -> Result<()> {
    page.push_str(
        "<h2>What happened</h2>\n<div class=\"scroll\"><table>\n<tr><th>time</th><th \
         class=\"text\">client</th>\
         <th class=\"text\">what</th><th class=\"text\">meaning</th></tr>\n",
    );
    for Happening { at, client, what } in &record.happenings {
        let who = client.and_then(|index| record.plan.clients.get(index)).map_or("all", |plan| &plan.name);
        let (class, name, meaning) = match what {
            What::Done(name, words) => (" done", (*name).to_owned(), words),
            What::Declared(described) => ("", described.event.replace('_', " "), &described.meaning),
        };
        writeln!(
            page,
            "<tr><td>{:.2} s</td><td class=\"text\">{who}</td><td class=\"text{class}\">{name}</td>\
             <td class=\"text wide\">{}</td></tr>",
            at.as_secs_f64(),
            escaped(meaning)
        )?;
    }
    page.push_str(
        "</table></div>\n<p class=\"soft\">The demo did what is in colour. The others are events of clients' \
         clocks.</p>\n",
    );
    Ok(())
}

fn explanation(page: &mut String) -> Result<()> {
    let stall = STALL.as_secs_f64();
    write!(
        page,
        "<h2>What to look for</h2>\n<ul>\n\
         <li><b>Start.</b> The first reply gives a server time at once; a burst of requests makes it accurate \
         within a third of a second.</li>\n\
         <li><b>Stopped for {stall:.1} s.</b> The process really stands still. When it continues, it cannot \
         know whether its clock ran on. So it declares a local gap, promises no bound, and asks again. The \
         first reply restores the bound.</li>\n\
         <li><b>Server restarted.</b> The old server is killed, and the new one counts from zero. Clients \
         show the old server's time until the first reply of the new one. Then they declare a restart and \
         start over. Each read is judged by the server that it names.</li>\n\
         <li><b>Route +{SHIFT_MS:.0} ms.</b> The way to the server becomes longer, the way back does not. \
         The shown time must not follow, because half of the change would be an error of {:.0} ms. The client \
         knows the server's time from before the change. A client that starts on an asymmetric path cannot \
         know the asymmetry, and its bound covers that.</li>\n\
         <li><b>The world pauses.</b> The clients hear of it one delay later. By then they are ahead by that much, \
         and stand still until the world has caught up. The certain bound covered this all along.</li>\n\
         <li><b>Slow motion.</b> The rate goes to a fifth and back. The server sends a few straight lines a \
         second, which stay within half a millisecond of the world's time.</li>\n</ul>\n\
         <p>Each client reads its clock more than a hundred times a second. A read is in bound if the \
         difference between the shown and the true server time is at most the bound that this read promised. \
         A clock goes backwards if a read shows an earlier time than the read before it, unless the clock \
         declared a discontinuity in between.</p>\n",
        SHIFT_MS / 2.0
    )?;
    Ok(())
}

fn settings(page: &mut String, record: &Record, summary: &Summary) -> Result<()> {
    let Config { max_slew, burst_count, burst_interval, steady_interval, local_gap, .. } = config();
    let Config { client_drift_ppm, server_drift_ppm, .. } = config();
    write!(
        page,
        "<h2>Settings</h2>\n<p>Demo link: {LINK_WORDS}.</p>\n<div class=\"scroll\"><table>\n\
         <tr><th class=\"text\">client</th><th class=\"text\">to the server</th><th class=\"text\">to the \
         client</th>\
         </tr>\n"
    )?;
    for client in &summary.clients {
        writeln!(
            page,
            "<tr><td class=\"text\">{}</td><td class=\"text\"><code>{}</code></td><td class=\"text\"><code>{}</code></td></tr>",
            client.name, client.up, client.down
        )?;
    }
    write!(
        page,
        "</table></div>\n<p>Clients: largest drift {client_drift_ppm} ppm, of the server {server_drift_ppm} ppm, largest slew {} %, bursts of \
         {burst_count} requests every {burst_interval}, later one every {} s, local gap {} s. Everything but \
         the gap is the default.</p>\n<p>Again, with the same networks: <code>lab demo --seconds {} --clients {} --seed {}</code></p>\n",
        max_slew * 100.0,
        steady_interval.as_secs_f64(),
        local_gap.as_secs_f64(),
        record.plan.seconds,
        record.plan.clients.len(),
        record.plan.seed,
    )?;
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
