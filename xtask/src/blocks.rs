//! The code blocks of pages: each is a whole file or a marked region of a file that is compiled elsewhere.
//!
//! The comment `<!-- from FILE -->`, or `<!-- from FILE, REGION -->`, stands before a block. A region is what
//! lies between the lines with `[REGION]` and `[/REGION]` in comments, unindented. Where a region has several
//! parts, a comment `...` shows the cut. The page links the file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{listed, read, root};

/// Where pages are, below the root; a folder with the pages in it, or one page.
const PAGES: [&str; 5] = [
    "README.md",
    "docs",
    "unreal_plugin/NetClock/Docs",
    "unreal_plugin/NetClockGAS/README.md",
    "packaging/README.md",
];
/// Languages whose blocks must come from a file. The others are commands, settings and output.
const LANGUAGES: [&str; 5] = ["c", "cpp", "csharp", "python", "rust"];
const FENCE: &str = "```";

/// Writes the blocks of all pages; or fails if one differs from its file.
pub(crate) fn blocks(check: bool) -> Result<()> {
    let mut old = Vec::new();
    for page in pages()? {
        let text = read(&page)?;
        let name = page.strip_prefix(root()).unwrap_or(&page).display().to_string();
        let written = rewrite(&text, name.starts_with("unreal_plugin"), &|file| read(file))
            .with_context(|| name.clone())?;
        if written != text {
            old.push(name);
            if !check {
                fs::write(&page, written).with_context(|| format!("writing {}", page.display()))?;
            }
        }
    }
    ensure!(
        old.is_empty() || !check,
        "blocks differ from their files in {}: run `cargo xtask tables`",
        old.join(", ")
    );
    Ok(())
}

fn pages() -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for place in PAGES.map(|place| root().join(place)) {
        let files = if place.is_dir() { listed(&place)? } else { vec![place] };
        pages.extend(files.into_iter().filter(|file| file.extension().is_some_and(|it| it == "md")));
    }
    Ok(pages)
}

/// The page with the blocks that `source` has for them. Blocks of the plugin's pages may have no file.
fn rewrite(page: &str, may_be_unmarked: bool, source: &dyn Fn(&Path) -> Result<String>) -> Result<String> {
    let mut written = String::new();
    let mut lines = page.lines();
    let mut origin = None;
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        if let Some(language) = line.strip_prefix(FENCE) {
            let mut block: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
            let text;
            if let Some(origin) = origin {
                text = from(origin, page, source)?;
                block = text.lines().collect();
            } else if LANGUAGES.contains(&language) && !may_be_unmarked {
                bail!("a block without a file: put `<!-- from FILE -->` before it\n{}", block.join("\n"));
            }
            block.push(FENCE);
            written += &(block.join("\n") + "\n");
        }
        origin = line.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->"));
    }
    Ok(written)
}

/// What a comment asks for: a file, or a region of it.
fn from(origin: &str, page: &str, source: &dyn Fn(&Path) -> Result<String>) -> Result<String> {
    let (file, region) = origin.split_once(", ").map_or((origin, None), |(file, name)| (file, Some(name)));
    let link = format!("/{file})");
    let is_linked = page.contains(&link) || page.contains(&format!("]({file})")) || !file.contains('/');
    ensure!(is_linked, "the page has a block from {file}, but no link to it");
    let text = source(Path::new(file))?;
    region.map_or(Ok(text.clone()), |name| marked(&text, name).with_context(|| file.to_owned()))
}

/// The parts of a text between `[name]` and `[/name]`.
fn marked(text: &str, name: &str) -> Result<String> {
    let (begin, end) = (format!("[{name}]"), format!("[/{name}]"));
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let comment = line.trim_end().trim_end_matches(" */");
        if comment.ends_with(&begin) {
            ensure!(!is_inside, "{begin} twice");
            is_inside = true;
            parts.push(Vec::new());
        } else if comment.ends_with(&end) {
            ensure!(is_inside, "{end} without {begin}");
            is_inside = false;
        } else if is_inside {
            parts.last_mut().into_iter().for_each(|part| part.push(line));
        }
    }
    ensure!(!parts.is_empty() && !is_inside, "no region {begin} to {end}");
    let comment = if text.starts_with("\"\"\"") { "#" } else { "//" };
    let part = |lines: &Vec<&str>| -> String {
        let all = lines.iter().filter(|line| !line.trim().is_empty());
        let indent = all.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
        lines.join("\n").trim_matches('\n').to_owned() + "\n"
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    Ok(parts.join(&format!("{comment} ...\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "int main()\n{\n    // [show]\n    a();\n    {\n        b();\n    }\n    \
                           // [/show]\n    c();\n    // [show]\n    d();\n    // [/show]\n}\n";

    #[test]
    fn a_block_is_written_from_its_file() {
        let source = |_: &Path| Ok(PROGRAM.to_owned());
        let page = "[it](../x/p.c)\n\n<!-- from x/p.c, show -->\n```c\nold\n```\n\n```sh\nls\n```\n";
        let expected = page.replace("old\n", "a();\n{\n    b();\n}\n// ...\nd();\n");
        assert_eq!(rewrite(page, false, &source).expect("it has the region"), expected);
        assert_eq!(rewrite(&expected, false, &source).expect("it has the region"), expected);
        let whole = page.replace(", show", "");
        assert_eq!(rewrite(&whole, false, &source).expect("it is a file"), whole.replace("old\n", PROGRAM));
        for wrong in
            ["```c\nold\n```\n", "<!-- from x/p.c -->\n```c\nold\n```\n", &page.replace("show", "none")]
        {
            assert!(rewrite(wrong, false, &source).is_err(), "{wrong}");
        }
    }
}
