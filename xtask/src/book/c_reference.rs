//! The C reference: the C headers as a page, with their chapters as headings.

use anyhow::{Context, Result, ensure};

use crate::abi::c_headers;

/// The page, which is in no file of the repository.
pub(super) const PAGE: &str = "docs/c-reference.md";

const OPENING: &str = "/* ====";

/// The whole page.
pub(super) fn text() -> Result<String> {
    page(&c_headers()?)
}

fn page(headers: &[(String, String)]) -> Result<String> {
    let mut page = "# C reference\n\nEvery declaration of the headers in `netclock/`, in their order. \
                    [C and C++](c-api.md) has the contract, and links whole programs.\n"
        .to_owned();
    for (name, header) in headers {
        page += &chapters(name, header).with_context(|| format!("reading {name}"))?;
    }
    Ok(page)
}

/// The chapters of a header.
fn chapters(file: &str, header: &str) -> Result<String> {
    let start = header.find(OPENING).context("it has no chapters")?;
    let (mut page, mut declarations) = (String::new(), 0);
    let mut is_table = false;
    for block in header[start..].split("\n\n") {
        let (comment, code) = comment_and_code(block);
        if block.starts_with(OPENING) {
            let (title, words) = comment.split_once('\n').context("a chapter has a title and words")?;
            page += &format!("\n## {title}\n{words}\n\nThis is in `{file}`.\n");
            is_table = false;
        } else if let Some((name, value)) = code.strip_prefix("#define ").and_then(|it| it.split_once(' ')) {
            if !is_table {
                page += "\n| constant | value | |\n|---|---:|---|\n";
            }
            page += &format!("| `{name}` | {value} | {} |\n", comment.replace('\n', " ").replace('|', "\\|"));
            is_table = true;
            declarations += 1;
        } else if let Some(name) = name(&code).filter(|_| !comment.is_empty()) {
            page += &format!("\n### {name}\n\n{comment}\n\n```c\n{code}\n```\n");
            is_table = false;
            declarations += 1;
        }
    }
    ensure!(declarations > 0, "it declares nothing");
    Ok(page)
}

/// A block's first comment without its stars, and what follows.
fn comment_and_code(block: &str) -> (String, String) {
    let Some((comment, code)) = block.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) else {
        return (String::new(), block.trim().to_owned());
    };
    let words = comment.trim_matches('*').lines().map(|line| line.trim().trim_start_matches('*').trim());
    let words: Vec<_> = words.filter(|line| !line.starts_with("====")).collect();
    (words.join("\n").trim().to_owned(), code.trim().to_owned())
}

/// What a declaration is called.
fn name(code: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some((_, callback)) = code.split_once("(*") {
        return callback.split(')').next();
    }
    if let Some(rest) = code.strip_prefix("typedef struct ") {
        return rest.split(|c| !is_part(c)).next();
    }
    if code.starts_with("typedef ") {
        return code.trim_end_matches(';').rsplit(' ').next();
    }
    let before = code.split_once('(')?.0;
    before.rsplit(|c| !is_part(c)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_are_understood() {
        let headers = c_headers().expect("they are there");
        let page = page(&headers).expect("they have chapters");
        let functions: usize =
            headers.iter().map(|(_, text)| text.matches("\nnetclock_status netclock_").count()).sum();
        assert!(functions > 100 && page.matches("\n### netclock_").count() >= functions);
        for part in ["## The clock", "## World time", "### netclock_client_tick", "| `NETCLOCK_OK` | 0 |"] {
            assert!(page.contains(part), "{part}");
        }
    }
}
