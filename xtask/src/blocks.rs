//! Copies code blocks and table cells into the pages, so that all examples on pages are compiled.
//!
//! The comment `<!-- from FILE -->` or `<!-- from FILE, REGION -->` precedes a block. In the file, comments
//! with `[REGION]` and `[/REGION]` enclose the region. If the region has several parts, a comment `...`
//! separates them on the page. The page must contain a link to the file. The plugin's tests compile blocks
//! after `<!-- compiled as NAME -->` directly from the page.
//!
//! The comment `<!-- cells of FILE: COLUMNS -->` precedes a table. If a row's first cell ends in (`NAME`),
//! the row copies its cells from the first row of that name in FILE. FILE is a page or a CSV file without
//! quotes. The numbers in COLUMNS start at 0.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use crate::{listed, read, root};

const PAGES: [&str; 5] = [
    "README.md",
    "docs",
    "unreal_plugin/NetClock/Docs",
    "unreal_plugin/NetClockGAS/README.md",
    "packaging/README.md",
];
/// Blocks in these languages must come from a file, whereas other blocks show commands, settings or output.
const LANGUAGES: [&str; 5] = ["c", "cpp", "csharp", "python", "rust"];
const FENCE: &str = "```";

/// Updates the blocks on all pages. With `check`, fails if a block differs from its file.
pub(crate) fn blocks(check: bool) -> Result<()> {
    let mut old = Vec::new();
    for page in pages()? {
        let text = read(&page)?;
        let name = page.strip_prefix(root()).unwrap_or(&page).display().to_string();
        let written = rewrite(&text, &|file| read(file)).with_context(|| name.clone())?;
        if written != text {
            old.push(name);
            if !check {
                fs::write(&page, written)?;
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

fn rewrite(page: &str, source: &dyn Fn(&Path) -> Result<String>) -> Result<String> {
    let mut written = String::new();
    let mut lines = page.lines();
    let (mut origin, mut cells, mut is_compiled) = (None, None, false);
    while let Some(line) = lines.next() {
        match cells {
            Some(cells) if line.starts_with('|') => written += &row(line, cells, source)?,
            _ => written += &format!("{line}\n"),
        }
        if !line.starts_with('|') {
            cells = line.strip_prefix("<!-- cells of ").and_then(|rest| rest.strip_suffix(" -->"));
        }
        if let Some(language) = line.strip_prefix(FENCE) {
            let mut block: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
            let text;
            if let Some(origin) = origin {
                text = from(origin, page, source)?;
                block = text.lines().collect();
            } else if LANGUAGES.contains(&language) && !is_compiled {
                bail!("a block has no file: put `<!-- from FILE -->` before it\n{}", block.join("\n"));
            }
            block.push(FENCE);
            written += &(block.join("\n") + "\n");
        }
        origin = line.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->"));
        is_compiled = line.starts_with("<!-- compiled as ");
    }
    Ok(written)
}

/// Returns a row without a name unchanged.
fn row(line: &str, cells: &str, source: &dyn Fn(&Path) -> Result<String>) -> Result<String> {
    let named = line.split_once("`) |").and_then(|(head, _)| head.rsplit_once("(`"));
    let Some((_, name)) = named else { return Ok(format!("{line}\n")) };
    let (file, columns) = cells.split_once(": ").with_context(|| format!("no columns in `{cells}`"))?;
    let text = source(Path::new(file))?;
    let separator = if file.ends_with(".csv") { ',' } else { '|' };
    let theirs = text
        .lines()
        .map(|line| line.trim_matches('|').split(separator).map(str::trim).collect::<Vec<_>>())
        .find(|cells| cells.first() == Some(&name))
        .with_context(|| format!("{file} has no row {name}"))?;
    let mut own: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    for (at, column) in (1..).zip(columns.split(' ')) {
        let cell = theirs.get(column.parse::<usize>()?).with_context(|| format!("no column {column}"))?;
        let place = own.get_mut(at).with_context(|| format!("too few cells in `{line}`"))?;
        *place = if place.starts_with("**") { format!("**{cell}**") } else { (*cell).to_owned() };
    }
    Ok(format!("| {} |\n", own.join(" | ")))
}

fn from(origin: &str, page: &str, source: &dyn Fn(&Path) -> Result<String>) -> Result<String> {
    let (file, region) = origin.split_once(", ").map_or((origin, None), |(file, name)| (file, Some(name)));
    let link = format!("/{file})");
    let is_linked = page.contains(&link) || page.contains(&format!("]({file})")) || !file.contains('/');
    ensure!(is_linked, "the page has a block from {file}, but no link to it");
    let text = source(Path::new(file))?;
    region.map_or(Ok(text.clone()), |name| marked(&text, name).with_context(|| file.to_owned()))
}

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
    fn a_row_copies_cells_of_another_page() {
        let source = |_: &Path| Ok("| other | 0 | 0 |\n| wifi | 1.5 | 2.5 |\n| wifi | 7 | 8 |\n".to_owned());
        let row = "| W (`wifi`) | **9** | 9 | x |\n";
        let page = format!("<!-- cells of f.md: 2 1 -->\n| path | a | b | c |\n|---|---|\n{row}");
        let expected = page.replace("**9** | 9", "**2.5** | 1.5");
        assert_eq!(rewrite(&page, &source).expect("the page has the row"), expected);
        let data = |_: &Path| Ok("path,p50,p99\nwifi,1.5,2.5\n".to_owned());
        let (of_data, written) = (page.replace("f.md", "f.csv"), expected.replace("f.md", "f.csv"));
        assert_eq!(rewrite(&of_data, &data).expect("the data has the row"), written);
        assert!(rewrite(&page.replace("(`wifi`)", "(`lan`)"), &source).is_err());
        let unmarked = page.replace("<!--", "<!-");
        assert_eq!(rewrite(&unmarked, &source).expect("nothing to write"), unmarked);
    }

    #[test]
    fn a_block_is_written_from_its_file() {
        let source = |_: &Path| Ok(PROGRAM.to_owned());
        let page = "[it](../x/p.c)\n\n<!-- from x/p.c, show -->\n```c\nold\n```\n\n```sh\nls\n```\n";
        let expected = page.replace("old\n", "a();\n{\n    b();\n}\n// ...\nd();\n");
        assert_eq!(rewrite(page, &source).expect("the file has the region"), expected);
        assert_eq!(rewrite(&expected, &source).expect("the file has the region"), expected);
        let whole = page.replace(", show", "");
        assert_eq!(rewrite(&whole, &source).expect("the file exists"), whole.replace("old\n", PROGRAM));
        for wrong in
            ["```c\nold\n```\n", "<!-- from x/p.c -->\n```c\nold\n```\n", &page.replace("show", "none")]
        {
            assert!(rewrite(wrong, &source).is_err(), "{wrong}");
        }
    }
}
