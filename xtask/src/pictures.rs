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
const STYLE: &str = "<style>body { padding: 0; background: var(--card); } header, nav, footer, h2, .tools, \
                     .verdicts, main p, .scroll, details, figcaption, figure { display: none !important; } \
                     figure[data-chart=NAME], figure[data-chart=NAME] figcaption { \
                     display: block !important; margin: 0; border: 0; } figcaption p { display: none; } \
                     .legend button { border: 0; padding: 0 .8rem 0 0; } </style></head>";
/// Marks what happens, and leaves out the stretches of verdicts that the picture does not show.
const SCRIPT: &str = "<script>netclock.plots.filter(({ chart }) => chart.id === 'NAME')\
                      .forEach(({ chart, plot, group }) => { group.stretches = []; chart.marks = MARKS\
                      .map(([at, label]) => ({ at, label, ink: 'expected' })); plot.redraw(); });\
                      </script></body>";
/// How a page asks for the colours that its reader likes.
const LIKED: &str = "const isDark = matchMedia(\"(prefers-color-scheme: dark)\").matches;";

/// A picture: one chart of a report, in light colours and in dark ones.
struct Picture {
    /// Its file's name; `-dark` follows for dark colours.
    name: &'static str,
    report: &'static [&'static str],
    chart: &'static str,
    /// When what happens (s), as an array of JavaScript.
    marks: &'static str,
    /// What the page says, and what the picture says in its place, so that it needs no page.
    words: &'static [(&'static str, &'static str)],
    /// Width and height (px); the file has twice as many.
    size: (u32, u32),
}

const ALL: [Picture; 1] = [Picture {
    name: "clocks",
    report: &["--scenario", "picture", "--poll", "1", "--against", "best", "--against", "engine"],
    chart: "side_by_side",
    marks: "[[30, 'a queue grows on the way down for 25 s'], [90, 'the way up gets 40 ms longer']]",
    words: &[
        (
            "<h3>Errors side by side</h3>",
            "<h3>Error of the shown server time (ms): three clocks, the same replies</h3>",
        ),
        ("\"label\":\"netclock\"", "\"label\":\"NetClock\""),
    ],
    size: (760, 368),
}];

pub(crate) fn pictures() -> Result<ExitCode> {
    ensure!(on_path(BROWSER), "there is no {BROWSER} here: install it, for example by apt-get");
    let place = target_dir()?.join("pictures");
    fs::create_dir_all(&place).with_context(|| format!("creating {}", place.display()))?;
    fs::create_dir_all(root().join(PICTURES)).with_context(|| format!("creating {PICTURES}"))?;
    for picture in &ALL {
        draw(picture, &place).with_context(|| format!("drawing {}", picture.name))?;
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
    let script = SCRIPT.replace("NAME", picture.chart).replace("MARKS", picture.marks);
    let head = ("</head>", style.as_str());
    let mut html = html;
    for &(said, shown) in picture.words.iter().chain([&head, &("</body>", script.as_str())]) {
        ensure!(html.contains(said), "the page does not say {said} any more");
        html = html.replace(said, shown);
    }
    ensure!(html.contains(LIKED), "the page asks for its colours in another way");
    for (is_dark, ending) in [(false, ""), (true, "-dark")] {
        fs::write(&page, html.replace(LIKED, &format!("const isDark = {is_dark};")))
            .context("writing the page")?;
        let file = root().join(PICTURES).join(format!("{}{ending}.png", picture.name));
        photograph(&page, &file, picture.size, place)?;
    }
    Ok(())
}

/// Keeps what a browser shows of a page.
fn photograph(page: &Path, file: &Path, (width, height): (u32, u32), place: &Path) -> Result<()> {
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
    let bytes = fs::metadata(file).context("looking at the picture")?.len();
    println!("{} ({} KiB)", file.display(), bytes / 1024);
    Ok(())
}
