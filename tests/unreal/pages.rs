//! The worlds include the C++ blocks of the plugin's pages, so each block is compiled exactly as printed.

use std::fs;
use std::path::Path;

use super::files::{here, read, repositorys, sources, write};

const MARK: &str = "<!-- compiled as ";
/// A separator between the parts of a block that belong in different places.
const GAP: &str = "// ...\n";

/// Each block becomes `pages/NAME.inl`, or `pages/NAME-1.inl` and so on if it has several parts.
pub(crate) fn write_blocks(dir: &Path) {
    let dir = dir.join("pages");
    fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    blocks().iter().for_each(|(name, text)| write(&dir.join(name), text));
}

fn blocks() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in sources(&repositorys("NetClock").join("Docs"), &["md"]) {
        let text = read(&page);
        for (at, _) in text.match_indices(MARK) {
            let marked = text[at + MARK.len()..].split_once(" -->\n```cpp\n");
            let (name, rest) = marked.expect("a C++ block follows its name");
            let parts: Vec<&str> = rest.split("```\n").next().unwrap_or_default().split(GAP).collect();
            let mut line = text[..at].lines().count() + 3;
            for (number, part) in (1..).zip(&parts) {
                let ending = if parts.len() > 1 { format!("-{number}") } else { String::new() };
                let origin = page.display().to_string().replace('\\', "/");
                found.push((format!("{name}{ending}.inl"), format!("#line {line} \"{origin}\"\n{part}")));
                line += part.lines().count() + 1;
            }
        }
    }
    found
}

#[test]
fn the_worlds_compile_each_block() {
    let worlds: String = sources(&here("worlds"), &["cpp"]).iter().map(|it| read(it)).collect();
    let blocks = blocks();
    assert!(blocks.len() > 20, "{blocks:?}");
    for (name, text) in blocks {
        assert!(
            text.lines().skip(1).all(|line| line.replace('\t', "    ").len() <= 110),
            "{name} is too wide"
        );
        assert_eq!(worlds.matches(&format!("#include \"pages/{name}\"\n")).count(), 1, "{name}");
    }
}
