//! `cargo xtask pictures`: the pictures of the documentation, from real runs of the workbench.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::cargo::{cargo, root, target_dir};
use crate::command::on_path;

const BROWSER: &str = "chromium";
/// Where the pictures are committed.
const PICTURES: &str = "docs/pictures";
/// Leaves of a report's page only one chart, without its controls.
const STYLE: &str = "<style>body { padding: 0; } header, nav, footer, h2, .tools, .verdicts, main p, \
                     .scroll, details, figcaption, figure { display: none !important; } \
                     figure[data-chart=NAME], figure[data-chart=NAME] figcaption { \
                     display: block !important; margin: 0; } figcaption p { display: none; } \
                     .legend button { border: 0; padding: 0 .8rem 0 0; } </style></head>";

/// A picture: one chart of a report.
struct Picture {
    file: &'static str,
    report: &'static [&'static str],
    chart: &'static str,
    /// What the page says, and what the picture says in its place, so that it needs no page.
    words: &'static [(&'static str, &'static str)],
    /// Width and height (px); the file has twice as many.
    size: (u32, u32),
}

const ALL: [Picture; 1] = [Picture {
    file: "engine-and-netclock.png",
    report: &["--scenario", "wifi", "--seconds", "120", "--against", "engine_average"],
    chart: "side_by_side",
    words: &[
        (
            "<h3>Errors side by side</h3>",
            "<h3>Error of the shown server time (ms), on the same Wi-Fi link</h3>",
        ),
        ("\"label\":\"netclock\"", "\"label\":\"NetClock\""),
        ("\"label\":\"engine_average\"", "\"label\":\"an engine's averaged clock\""),
    ],
    size: (760, 368),
}];

pub(crate) fn pictures() -> Result<ExitCode> {
    ensure!(on_path(BROWSER), "there is no {BROWSER} here: install it, for example by apt-get");
    let place = target_dir()?.join("pictures");
    fs::create_dir_all(&place).with_context(|| format!("creating {}", place.display()))?;
    fs::create_dir_all(root().join(PICTURES)).with_context(|| format!("creating {PICTURES}"))?;
    for picture in &ALL {
        draw(picture, &place).with_context(|| format!("drawing {}", picture.file))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn draw(picture: &Picture, place: &Path) -> Result<()> {
    let page = place.join("page.html");
    let mut lab = cargo();
    lab.args(["run", "--quiet", "--package", "netclock-lab", "--bin", "lab", "--", "report"]);
    let status = lab.args(picture.report).arg("-o").arg(&page).status().context("starting the workbench")?;
    ensure!(status.success(), "the workbench failed: see above");
    let html = fs::read_to_string(&page).context("reading the report")?;
    let style = STYLE.replace("NAME", picture.chart);
    let mut html = html.replacen("</head>", &style, 1);
    for (said, shown) in picture.words {
        ensure!(html.contains(said), "the page does not say {said} any more");
        html = html.replace(said, shown);
    }
    fs::write(&page, html).context("writing the report")?;
    let file = root().join(PICTURES).join(picture.file);
    let (width, height) = picture.size;
    let mut browser = Command::new(BROWSER);
    browser.args([
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-device-scale-factor=2",
    ]);
    browser.args([format!("--window-size={width},{height}"), format!("--screenshot={}", file.display())]);
    browser.arg(format!("--user-data-dir={}", place.join("profile").display()));
    let ended = browser.arg("--virtual-time-budget=3000").arg(format!("file://{}", page.display())).output();
    let ended = ended.with_context(|| format!("starting {BROWSER}"))?;
    ensure!(ended.status.success(), "{BROWSER} failed: {}", String::from_utf8_lossy(&ended.stderr));
    let bytes = fs::metadata(&file).context("looking at the picture")?.len();
    println!("{} ({} KiB)", file.display(), bytes / 1024);
    Ok(())
}
