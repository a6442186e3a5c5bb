//! Pages in a real browser, without a window: the charts hold what the JSON says, and people can look closer.
//!
//! `.ci/run` runs these. By hand: `cargo test --package netclock-lab --test processes browser:: --
//! --ignored`. With `NETCLOCK_SCREENSHOTS=FOLDER` those of live pages leave pictures there to look at.

use std::process::Command;

use serde_json::Value;

use crate::support::{self, Outcome, ended_with};
use crate::tools;

const BROWSER: &str = "chromium";
/// Uses the page as people do, and leaves what it found in the page.
const CHECK: &str = include_str!("browser.js");
/// Widths of a desktop's window and of a phone's.
const WIDTHS: [&str; 2] = ["--window-size=1280,900", "--window-size=390,844"];

/// Opens a page with the check at its end. Returns what the check found.
fn checked(name: &str, html: &str, width: &str) -> Outcome<Value> {
    let page = support::temporary(name);
    let check = format!("<script>{CHECK}</script></body>");
    let (before, after) = html.rsplit_once("</body>").ok_or("the page ends")?;
    std::fs::write(&page, format!("{before}{check}{after}"))?;
    let profile = support::temporary("profile");
    let mut browser = Command::new(BROWSER);
    browser.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    browser.args(["--log-level=0", "--virtual-time-budget=20000", "--dump-dom", width]);
    browser.arg(format!("--user-data-dir={}", profile));
    let ended = browser.arg(format!("file://{}", page)).output()?;
    let _ = std::fs::remove_dir_all(&profile);
    let complaints = String::from_utf8_lossy(&ended.stderr);
    let console: Vec<&str> = complaints.lines().filter(|line| line.contains(":CONSOLE")).collect();
    assert!(console.is_empty(), "{}", console.join("\n"));
    let dom = String::from_utf8(ended.stdout)?;
    let (_, found) = dom.split_once("<pre id=\"checked\">").ok_or("the check did not end")?;
    Ok(serde_json::from_str(found.split_once("</pre>").ok_or("the check did not end")?.0)?)
}

fn page(arguments: &[&str]) -> Outcome<(String, Value)> {
    let path = support::temporary("page.html");
    let ended = ended_with(0, &[&["report"], arguments, &["--json", "-o", &path]].concat());
    Ok((std::fs::read_to_string(&path)?, ended.json()?))
}

/// Numbers, and gaps. A number may be written with or without a point.
fn numbers(values: &Value) -> Vec<Option<f64>> {
    values.as_array().into_iter().flatten().map(Value::as_f64).collect()
}

#[test]
#[ignore = "needs Chromium and some seconds; .ci/run runs it"]
fn a_report_works_in_a_browser() -> Outcome {
    if !tools::present(&[BROWSER]) {
        return Ok(());
    }
    let sessions = ["--scenario", "route_forward", "--scenario", "fibre", "--seconds", "400"];
    let more = ["--with", "restart@300", "--set", "client_frame=30ms", "--against", "ntp_min8"];
    let (html, report) = page(&[&sessions[..], &more].concat())?;
    let charts: Vec<&Value> = report["page"]["parts"]
        .as_array()
        .ok_or("parts")?
        .iter()
        .flat_map(|part| part["blocks"].as_array().into_iter().flatten())
        .filter(|block| block["kind"] == "chart")
        .map(|block| &block["content"])
        .collect();
    for width in WIDTHS {
        let found = checked("report.html", &html, width)?;
        assert_eq!(found["problems"], Value::Array(Vec::new()), "{width}: {found:#}");
        let shown = found["charts"].as_array().ok_or("charts")?;
        assert_eq!(shown.len(), charts.len(), "{width}");
        for (shown, chart) in shown.iter().zip(&charts) {
            assert_eq!(shown["id"], chart["id"]);
            let curves = chart["curves"].as_array().ok_or("curves")?;
            assert_eq!(shown["values"].as_array().map(Vec::len), Some(curves.len()));
            for (at, curve) in curves.iter().enumerate() {
                let (id, held) = (&chart["id"], &shown["values"][at]);
                assert_eq!(numbers(&held[0]), numbers(&curve["x"]), "{width}: {id} has other places");
                assert_eq!(numbers(&held[1]), numbers(&curve["y"]), "{width}: {id} holds other values");
            }
        }
    }
    Ok(())
}
