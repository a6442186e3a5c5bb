//! Self-contained HTML pages with text, tables and interactive charts.
//!
//! The template, style sheet and scripts in this folder render a [`Page`]. uPlot draws the charts, and every
//! page includes its licence.

pub(crate) mod chart;

use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;

use chart::{Chart, Ink};

use super::table::{cells, plain};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("chart.js"), include_str!("page.js"));
const LIVE_SCRIPT: &str = include_str!("live.js");
const PLOTTER: &str = include_str!("uplot/uPlot.iife.min.js");
const PLOTTER_STYLE: &str = include_str!("uplot/uPlot.min.css");
const PLOTTER_LICENCE: &str = include_str!("uplot/LICENSE");

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) lead: String,
    pub(crate) overview: Option<Table>,
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Part {
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "content")]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Verdicts(Vec<Finding>),
    Table(Table),
    Chart(Chart),
    /// Starts a tab, or ends the current tab if `title` is `None`.
    Tab(Option<String>),
    Headline(Headline),
    Controls(Controls),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Headline {
    pub(crate) figures: Vec<(&'static str, Ink, String)>,
    pub(crate) words: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Controls {
    pub(crate) label: String,
    pub(crate) row: Option<usize>,
    /// Each button's action and label.
    pub(crate) buttons: Vec<(&'static str, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Weight {
    Fine,
    Note,
    Warning,
    Fault,
}

impl Weight {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Warning => "attention",
            Self::Fault => "fault",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Finding {
    pub(crate) weight: Weight,
    pub(crate) word: &'static str,
    pub(crate) text: String,
    pub(crate) from: Option<f64>,
    pub(crate) to: Option<f64>,
}

impl Finding {
    pub(crate) fn new(weight: Weight, text: String, stretch: Option<(f64, f64)>) -> Self {
        let (from, to) = (stretch.map(|stretch| stretch.0), stretch.map(|stretch| stretch.1));
        Finding { weight, word: weight.word(), text, from, to }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) ends_in_words: bool,
    pub(crate) is_folded: bool,
}

impl Table {
    /// Cells are separated by " | ".
    pub(crate) fn new(
        caption: impl Into<String>,
        header: &str,
        rows: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let cells = |row: &str| -> Vec<String> { cells(row).map(str::to_owned).collect() };
        let rows = rows.into_iter().map(|row| cells(row.as_ref())).collect();
        Table { caption: caption.into(), header: cells(header), rows, ends_in_words: false, is_folded: false }
    }

    pub(crate) fn text(&self) -> String {
        plain(&self.header.join(" | "), self.rows.iter().map(|row| row.join(" | ")), false)
    }

    pub(crate) fn with_words(self) -> Self {
        Table { ends_in_words: true, ..self }
    }

    pub(crate) fn folded(self) -> Self {
        Table { is_folded: true, ..self }
    }
}

impl Page {
    pub(crate) fn html(&self) -> Result<String> {
        self.rendered(None)
    }

    pub(crate) fn live_html(&self) -> Result<String> {
        self.rendered(Some(LIVE_SCRIPT))
    }

    fn rendered(&self, live_script: Option<&str>) -> Result<String> {
        let mut environment = Environment::new();
        // The extension `.html` makes the template engine escape values.
        environment.add_template("page.html", TEMPLATE).context("the template of pages")?;
        let data = serde_json::to_string(self).context("a page is plain numbers and texts")?;
        let template = environment.get_template("page.html").context("the template of pages")?;
        template
            .render(context! {
                page => Serde(self),
                // In a script, `<` could end the script or start a comment.
                data => data.replace('<', "\\u003c"),
                style => STYLE, script => SCRIPT, live_script,
                plotter => PLOTTER, plotter_style => PLOTTER_STYLE, plotter_licence => PLOTTER_LICENCE,
            })
            .context("the template of pages")
    }
}

#[cfg(test)]
mod tests {
    use super::chart::{Curve, Shape};
    use super::*;

    const EVIL: &str = "</script><script>alert(1)</script>\"'&<!--";

    fn page() -> Page {
        let mut chart = Chart::over_time("error", EVIL, "ms");
        chart.words = EVIL.into();
        chart.add(Curve::new(EVIL, Ink::Main, Shape::Line, [(0.0, Some(1.0)), (1.0, Some(2.0))]));
        let table = Table::new(EVIL, EVIL, [EVIL]);
        let blocks = vec![
            Block::Heading(EVIL.into()),
            Block::Text(EVIL.into()),
            Block::Verdicts(vec![Finding::new(Weight::Fault, EVIL.into(), Some((0.0, 1.0)))]),
            Block::Table(table),
            Block::Chart(chart),
        ];
        let (overview, part) = (Some(Table::new(EVIL, EVIL, [EVIL])), Part { title: EVIL.into(), blocks });
        Page { title: EVIL.into(), lead: EVIL.into(), overview, parts: vec![part] }
    }

    #[test]
    fn text_is_escaped_everywhere_and_nothing_is_fetched() {
        let mut live = page();
        let buttons = vec![("stall", EVIL.into())];
        live.parts[0].blocks.extend([
            Block::Headline(Headline { figures: vec![("name", Ink::Main, EVIL.into())], words: EVIL.into() }),
            Block::Tab(Some(EVIL.into())),
            Block::Tab(None),
            Block::Controls(Controls { label: EVIL.into(), row: Some(0), buttons }),
        ]);
        let (html, live) = (page().html(), live.live_html());
        // The scripts contain the colours, the data, uPlot, and the page's own code. A live page connects to
        // its server.
        for (html, policy, scripts) in [
            (html, "default-src 'none'; style-src", 4),
            (live, "default-src 'none'; connect-src 'self'; style-src", 5),
        ] {
            let html = html.expect("the template is right");
            assert!(!html.contains("<script>alert"), "a text became a script");
            assert!(html.contains(policy));
            assert!(html.contains("Copyright (c) 2022 Leon Sorokin"));
            for fetching in ["src=\"", "<link", "@import", "url(", "XMLHttpRequest", "http:"] {
                assert!(!html.contains(fetching), "{fetching}");
            }
            assert_eq!(html.contains("fetch("), scripts == 5);
            assert_eq!(html.matches("</script>").count(), scripts);
        }
    }

    fn colours() -> [Vec<(&'static str, [f64; 3])>; 2] {
        let theme = |block: &'static str| {
            let (values, _) = block.split_once('}').expect("the rule ends");
            let colour = |value: &'static str| {
                let (name, digits) = value.trim().strip_prefix("--")?.split_once(": #")?;
                let part = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok().map(f64::from);
                Some((name, [part(0)?, part(2)?, part(4)?]))
            };
            values.split(';').filter_map(colour).collect()
        };
        let light = STYLE.split_once(":root {").expect("a light page").1;
        [theme(light), theme(light.split_once("dark\"] {").expect("a dark page").1)]
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let light = |colour: [f64; 3]| {
            let linear = colour
                .map(|part| part / 255.0)
                .map(|part| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_and_curves_have_enough_contrast_on_light_and_dark_pages() {
        for colours in colours() {
            assert!(colours.len() > 12, "{colours:?}");
            let of = |name: &str| colours.iter().find(|it| it.0 == name).expect("it is there").1;
            for (name, colour) in colours.iter().filter(|it| !["page", "card", "grid"].contains(&it.0)) {
                // Borders need less contrast than text.
                let least = if *name == "line" { 3.0 } else { 4.5 };
                for ground in ["page", "card"] {
                    let contrast = contrast(*colour, of(ground));
                    assert!(contrast >= least, "{name} on {ground}: {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn the_page_contains_its_data_as_json() {
        let html = page().html().expect("the template is right");
        let begin = html.find("id=\"data\">").expect("the page has its data") + "id=\"data\">".len();
        let end = begin + html[begin..].find("</script>").expect("the data ends");
        let data: serde_json::Value = serde_json::from_str(&html[begin..end]).expect("the data is JSON");
        assert_eq!(data, serde_json::to_value(page()).expect("a page is plain"));
        assert_eq!(data["parts"][0]["blocks"][4]["content"]["curves"][0]["y"][1], 2.0);
    }
}
