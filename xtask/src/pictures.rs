//! `cargo xtask pictures` runs the workbench to draw the documentation's picture for light and dark pages.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use fs_err as fs;

use crate::command::{cmd, on_path, run, succeeds};
use crate::{root, target_dir};

const BROWSER: &str = "chromium";
const STYLE: &str = "<style>body { padding: 0; background: var(--card); } header, nav, footer, h2, .tools, \
                     .verdicts, main p, .scroll, details, figcaption, figure { display: none !important; } \
                     figure[data-chart=side_by_side], figure[data-chart=side_by_side] figcaption { \
                     display: block !important; margin: 0; border: 0; } figcaption p { display: none; } \
                     .legend { flex-wrap: nowrap; } .legend button { border: 0; min-height: 0; \
                     padding: 0 .2rem 0 0; font-size: .75rem; white-space: nowrap; } </style></head>";
/// This script labels events with their times in seconds and removes the verdicts' time ranges.
const SCRIPT: &str = "<script>netclock.plots.filter(({ chart }) => chart.id === 'side_by_side')\
                      .forEach(({ chart, plot, group }) => { group.stretches = []; chart.marks = \
                      [[30, 'queue on the way down'], [90, 'way up 40 ms longer']]\
                      .map(([at, label]) => ({ at, label, ink: 'expected' })); plot.redraw(); });\
                      </script></body>";
/// The page's script chooses dark or light colours in this line, so we replace the line for each picture.
const LIKED: &str = "const isDark = matchMedia(\"(prefers-color-scheme: dark)\").matches;";

/// The picture's path without its extension. The name of the dark version ends in `-dark`.
const NAME: &str = "docs/pictures/clocks";
const WORDS: [(&str, &str); 4] = [
    ("<h3>Errors side by side</h3>", "<h3>Error of the shown time in ms; below 0 it is late</h3>"),
    ("\"label\":\"netclock\"", "\"label\":\"NetClock\""),
    ("</head>", STYLE),
    ("</body>", SCRIPT),
];
/// Width and height in CSS pixels, as on a phone. The picture file has three times as many pixels in each
/// direction.
const SIZE: &str = "500,280";

pub(crate) fn pictures() -> Result<ExitCode> {
    ensure!(on_path(BROWSER), "{BROWSER} is missing: install it, for example with apt-get");
    let place = target_dir()?.join("pictures");
    fs::create_dir_all(&place)?;
    let page = place.join("page.html");
    let lab = cmd!(
        "cargo run --quiet --package netclock-lab --bin lab -- report --scenario picture --poll=1
        --against best --against engine -o {page}"
    );
    ensure!(succeeds(lab)?, "the workbench failed: see above");
    let mut html = fs::read_to_string(&page)?;
    for (old, new) in WORDS {
        ensure!(html.contains(old), "the page no longer contains {old}");
        html = html.replace(old, new);
    }
    ensure!(html.contains(LIKED), "the page no longer queries its colours in the same way");
    for (is_dark, ending) in [(false, ""), (true, "-dark")] {
        fs::write(&page, html.replace(LIKED, &format!("const isDark = {is_dark};")))?;
        photograph(&page, &root().join(format!("{NAME}{ending}.png")), &place)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn photograph(page: &Path, file: &Path, place: &Path) -> Result<()> {
    let browser = cmd!(
        "{BROWSER} --headless=new --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=3000
        --force-device-scale-factor=3 --window-size={SIZE} --screenshot={file}
        --user-data-dir={place}/profile file://{page}"
    );
    run(browser, "")?;
    println!("{} ({} KiB)", file.display(), fs::metadata(file)?.len() / 1024);
    Ok(())
}
