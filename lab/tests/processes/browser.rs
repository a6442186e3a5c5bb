//! Opens pages in headless Chromium, compares the charts with the JSON output, and tries zooming.
//!
//! These tests are ignored by default. `.ci/run` runs these tests, and so does `cargo test --package
//! netclock-lab --test processes browser:: -- --ignored`.

use serde_json::Value;

use crate::devtools::Browser;
use crate::support::{self, Outcome, ended_with};
use crate::tools;

const CHECK: &str = include_str!("browser.js");
/// Lists problems on the first screen of a demo's page: a missing headline, a chart without the bound,
/// buttons too small for a finger on a phone, or tables that are not collapsed.
pub(crate) const FIRST_SCREEN: &str = r#"(() => {
    const problems = [], { plots } = window.netclock;
    const expect = (isTrue, what) => { if (!isTrue) problems.push(what); };
    const figures = [...document.querySelectorAll(".headline b")].map((it) => it.textContent);
    expect(figures.filter((it) => /^[0-9.]+ ms$/.test(it)).length === 3, `the headline: ${figures}`);
    const seen = [...document.querySelectorAll(".plot, .tools button, .controls button")]
      .filter((it) => it.offsetParent);
    const end = Math.max(...seen.map((it) => it.getBoundingClientRect().bottom));
    expect(innerWidth < 1000 || end <= innerHeight, `chart and buttons end at ${end} of ${innerHeight} px`);
    expect(seen.every((it) => it.getBoundingClientRect().right <= innerWidth), "a button is cut off");
    const isPhone = innerWidth < 600, rest = [...document.querySelectorAll("button")];
    for (const it of rest.filter((it) => it.offsetParent)) {
      const { bottom, height } = it.getBoundingClientRect();
      expect(!isPhone || height >= 44, `${it.textContent} is ${height} px high`);
      expect(!it.dataset.act || bottom <= innerHeight, `${it.textContent} ends at ${bottom} px`);
    }
    for (const { chart, plot } of plots) {
      const at = chart.curves.findIndex(({ ink }) => ink === "bound") + 1;
      expect(plot.data[at]?.some((it) => it != null), `${chart.id}: no bound`);
      expect(plot.series[at]?.show === !!window.netclock.live, `${chart.id}: the bound is not as it begins`);
      expect(["second", "other", "main"].every((ink) => chart.curves.some((it) => it.ink === ink)),
        `${chart.id}: a clock is missing`);
    }
    const tables = [...document.querySelectorAll("table")];
    expect(tables.every((it) => it.closest("details")?.open === false),
      "a table is not folded");
    return problems;
  })()"#;
const SIZES: [(u32, u32); 2] = [(1400, 900), (390, 844)];

fn page(arguments: &[&str]) -> Outcome<(String, Value)> {
    let path = support::temporary("page.html");
    let ended = ended_with(0, &[&["report"], arguments, &["--json", "-o", &path]].concat());
    Ok((path, ended.json()?))
}

fn opened(path: &str, width: u32, height: u32) -> Outcome<Browser> {
    let mut browser = Browser::open("about:blank")?;
    browser.resize(width, height)?;
    browser.show(&format!("file://{path}"))?;
    Ok(browser)
}

/// JSON may write 1.0 as 1, so convert to floats. Gaps become `None`.
fn numbers(values: &Value) -> Vec<Option<f64>> {
    values.as_array().into_iter().flatten().map(Value::as_f64).collect()
}

#[test]
#[ignore = "needs Chromium and some seconds; .ci/run runs it"]
fn a_report_works_in_a_browser() -> Outcome {
    if !tools::present(&["chromium"]) {
        return Ok(());
    }
    let sessions = ["--scenario", "route_forward", "--scenario", "fibre", "--seconds", "400"];
    let more = ["--with", "restart@300", "--against", "ntp_min8"];
    let (path, report) = page(&[&sessions[..], &more].concat())?;
    let charts: Vec<&Value> = report["page"]["parts"]
        .as_array()
        .ok_or("parts")?
        .iter()
        .flat_map(|part| part["blocks"].as_array().into_iter().flatten())
        .filter(|block| block["kind"] == "chart")
        .map(|block| &block["content"])
        .collect();
    for (width, height) in SIZES {
        let mut browser = opened(&path, width, height)?;
        let found = browser.value(CHECK)?;
        assert_eq!(browser.complaints, Vec::<String>::new());
        assert_eq!(found["problems"], Value::Array(Vec::new()), "{width}: {found:#}");
        let shown = found["charts"].as_array().ok_or("charts")?;
        assert_eq!(shown.len(), charts.len(), "{width}");
        for (shown, chart) in shown.iter().zip(&charts) {
            assert_eq!(shown["id"], chart["id"]);
            let curves = chart["curves"].as_array().ok_or("curves")?;
            assert_eq!(shown["values"].as_array().map(Vec::len), Some(curves.len()));
            for (at, curve) in curves.iter().enumerate() {
                let (id, held) = (&chart["id"], &shown["values"][at]);
                assert_eq!(numbers(&held[0]), numbers(&curve["x"]), "{width}: {id} has different positions");
                assert_eq!(numbers(&held[1]), numbers(&curve["y"]), "{width}: {id} has different values");
            }
        }
    }
    Ok(())
}

#[test]
#[ignore = "needs Chromium and some seconds; .ci/run runs it"]
fn the_page_of_a_demo_works_in_a_browser() -> Outcome {
    if !tools::present(&["chromium"]) {
        return Ok(());
    }
    let path = support::temporary("demo-page.html");
    ended_with(0, &["demo", "--seconds", "6", "--clients", "2", "--json", "--seed", "1", "--report", &path]);
    for (width, height) in SIZES {
        let mut browser = opened(&path, width, height)?;
        let none = Value::Array(Vec::new());
        assert_eq!(browser.value(FIRST_SCREEN)?, none, "{width}");
        assert_eq!(browser.value(CHECK)?["problems"], none, "{width}");
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
    Ok(())
}
