//! Tests live pages in a real browser.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::browser::FIRST_SCREEN;
use crate::devtools::Browser;
use crate::support::{Outcome, lab, temporary};
use crate::tools;

struct Demo {
    process: Child,
    address: String,
}

impl Demo {
    fn start(port: &str, clients: &str) -> Outcome<Self> {
        let demo =
            ["demo", "--json", "--seconds", "600", "--seed", "1", "--clients", clients, "--live", port];
        let mut command = lab(&[&demo[..], &["--report", &temporary("live.html")]].concat());
        let mut process = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn()?;
        let mut said = BufReader::new(process.stderr.take().ok_or("no pipe")?);
        let mut line = String::new();
        while !line.starts_with("Live page: http://") {
            line.clear();
            if said.read_line(&mut line)? == 0 {
                return Err("the demo exited".into());
            }
        }
        // Output must be drained, or the demo would block on a full pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Ok(Demo { process, address: host(line.trim().trim_start_matches("Live page: ")) })
    }

    fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn host(url: &str) -> String {
    url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const HELD: &str = "(() => { const { plots, live } = window.netclock; live.redraw(); return plots.map(({ \
     plot, chart }, row) => ({ row, label: chart.curves.map((curve) => curve.label), points: \
     live.points[row], x: plot.data[0], shown: [5, 2, 3, 4].map((at) => plot.data[at]) })); })()";

fn same_values(browser: &mut Browser) -> Outcome {
    let held = browser.value(HELD)?;
    let state = browser.value("fetch('state').then((answer) => answer.json())")?;
    let charts = held.as_array().ok_or("charts")?;
    assert_eq!(charts.len(), 2);
    for (row, chart) in charts.iter().enumerate() {
        let points = chart["points"].as_array().ok_or("points")?;
        let of_server = state["rows"][row].as_array().ok_or("points")?;
        let common: Vec<&Value> = points.iter().filter(|point| of_server.contains(point)).collect();
        assert!(common.len() > 20, "{} of {} points", common.len(), points.len());
        // Only the oldest points may have been dropped in the meantime.
        let first = points.iter().position(|point| of_server.contains(point)).ok_or("none in common")?;
        assert_eq!(points.len() - first, common.len(), "the page has points that the server did not send");
        for (at, point) in points.iter().enumerate() {
            let drawn = [0, 1, 2, 3].map(|curve| &chart["shown"][curve][at]);
            // The chart draws the error, the bound, the engine's clock and the best rival, in this order.
            assert_eq!(drawn, [0, 1, 3, 4].map(|value| &point[1][value]), "{at}");
            assert_eq!(chart["x"][at], point[0]);
        }
    }
    Ok(())
}

#[test]
#[ignore = "needs Chromium and some seconds; .ci/run runs it"]
fn a_live_page_works_in_a_browser_across_restarts() -> Outcome {
    if !tools::present(&["chromium"]) {
        return Ok(());
    }
    let demo = Demo::start("0", "2")?;
    let mut browser = Browser::open(&demo.url())?;
    browser.resize(1400, 900)?;
    browser.until("netclock.live.points.every((points) => points.length > 30)")?;
    browser.until("document.querySelector('.headline').textContent.match(/: [0-9.]+ ms/g)?.length === 3")?;
    assert_eq!(browser.value(FIRST_SCREEN)?, Value::Array(Vec::new()));
    same_values(&mut browser)?;
    // Each client's chart and buttons are in their own tab.
    let shown = "[...document.querySelectorAll('.tab')].map((it) => it.hidden)";
    assert_eq!(browser.value(shown)?, serde_json::json!([false, true]));
    let headline = "document.querySelector('.headline p').textContent.split(',')[0]";
    assert_eq!(browser.value(headline)?, "Client A");
    browser.value("document.querySelectorAll('.tools [aria-pressed]')[1].click()")?;
    assert_eq!(browser.value(shown)?, serde_json::json!([true, false]));
    assert_eq!(browser.value(headline)?, "Client B");
    browser.value("document.querySelectorAll('.tools [aria-pressed]')[0].click()")?;
    // The page must also work in a phone-sized window, at a different zoom level, and with different colours.
    browser.resize(390, 844)?;
    assert_eq!(browser.value(FIRST_SCREEN)?, Value::Array(Vec::new()));
    let wide = browser.value("document.documentElement.scrollWidth - innerWidth")?;
    assert!(wide.as_i64() <= Some(0), "the page is {wide} px too wide for a phone");
    browser.value("document.querySelector('[data-tool=in]').click()")?;
    browser.until(
        "(() => { const { min, max } = netclock.plots[0].plot.scales.x, xs = netclock.plots[0].plot.data[0]; \
                   return max - min < 0.7 * (xs[xs.length - 1] - xs[0]); })()",
    )?;
    browser.value("document.querySelector('[data-tool=all]').click()")?;
    let colour = "getComputedStyle(document.body).backgroundColor";
    let before = browser.value(colour)?;
    browser.value("document.getElementById('theme').click()")?;
    assert_ne!(browser.value(colour)?, before);
    // Each button must have an effect, described in a sentence below the chart.
    for (act, words) in [
        ("stall", "client stalled"),
        ("route", "40 ms longer"),
        ("loss", "loses 50 %"),
        ("mend", "path restored"),
        ("pause", "world pauses"),
        ("restart", "a new server counts from zero"),
    ] {
        browser.value(&format!("document.querySelector('[data-act={act}]').click()"))?;
        let happened = format!("document.querySelector('.told').textContent.includes('{words}')");
        browser.until(&happened).map_err(|error| format!("{act}: {error}"))?;
    }
    browser.until(
        "[0, 1].every((row) => netclock.live.happenings.some((it) => it.row === row && \
                   it.text.includes('clock restarted')))",
    )?;
    assert_eq!(browser.complaints, Vec::<String>::new());
    // A new demo with more clients takes over the address after the first one has exited.
    let address = demo.address.clone();
    drop(demo);
    browser.until("document.getElementById('connection').textContent.includes('trying again')")?;
    let again = Demo::start(&address, "3")?;
    browser.until(
        "netclock.plots.length === 3 && netclock.live.points.every((points) => \
                   points.length > 5)",
    )?;
    let shown = browser.value("document.getElementById('connection').textContent")?;
    assert_eq!(shown, "Connected: what you see happens now.");
    // The browser may log that the server was unreachable, but the page itself must not log any errors.
    let other: Vec<&String> = browser.complaints.iter().filter(|it| !it.contains("net::ERR_")).collect();
    assert!(other.is_empty(), "{other:?}");
    drop(again);
    Ok(())
}
