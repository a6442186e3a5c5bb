use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, ensure};

/// Checks the given pages' links within the site, and returns linked files that are not pages. Fails if a
/// heading does not exist, or if a link leads to neither a page nor a file that `there` accepts.
pub(crate) fn follow(
    pages: &BTreeMap<String, String>,
    there: impl Fn(&str) -> bool,
) -> Result<BTreeSet<String>> {
    let (mut others, mut wrong) = (BTreeSet::new(), String::new());
    for (page, text) in pages {
        for link in links(text).into_iter().filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { resolved(page, file) };
            let found = match pages.get(&target) {
                Some(text) => heading.is_empty() || headings(text).contains(heading),
                None => there(&target),
            };
            if !found {
                wrong += &format!("\n  {page}: {link}");
            } else if !pages.contains_key(&target) {
                others.insert(target);
            }
        }
    }
    ensure!(wrong.is_empty(), "broken links:{wrong}");
    Ok(others)
}

pub(crate) fn links(text: &str) -> Vec<String> {
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

/// Returns a path relative to the pages' root. If the target is outside this root, the path starts with `..`.
fn resolved(page: &str, link: &str) -> String {
    let mut path = PathBuf::from(page);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir if path.pop() => {}
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => path.push(part),
        }
    }
    path.to_string_lossy().replace('\\', "/")
}

fn headings(text: &str) -> BTreeSet<String> {
    let titles =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let is_kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    titles
        .map(|title| title.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_links_as_a_browser_does() {
        assert_eq!(resolved("docs/theory.md", "../README.md"), "README.md");
        assert_eq!(resolved("README.md", "docs/theory.md"), "docs/theory.md");
        assert_eq!(resolved("Docs/README.md", "../../README.md"), "../README.md");
        assert_eq!(links("<source srcset=\"a.png\"><img src=\"b.png\">"), ["b.png", "a.png"]);
        assert_eq!(links("[a](b.md#c) and\n```\n[no](d.md)\n```\n[e](https://f) x"), ["b.md#c", "https://f"]);
        assert!(headings("## What it's for: C\n").contains("what-its-for-c"));
    }
}
