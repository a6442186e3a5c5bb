//! Generates a page that lists the declarations of the C headers by chapter.

use anyhow::Result;

use crate::bindings::c;
use crate::{Abi, Kind, abi};

/// Every build of the book generates this page, so it is never committed.
pub(super) const PAGE: &str = "docs/c-reference.md";

pub(super) fn text() -> Result<String> {
    Ok(page(&abi()?))
}

fn page(abi: &Abi) -> String {
    let mut page = "# C reference\n\nEvery declaration of the headers in `netclock/`, in their order. \
                    [C and C++](c-api.md) has the contract, and links whole programs.\n"
        .to_owned();
    for rooms in abi.headers() {
        for c::Chapter { title, about, items } in c::chapters(&rooms) {
            page += &format!("\n## {title}\n{}\n\nThis is in `{}`.\n", about.join("\n"), rooms[0].header);
            let mut is_table = false;
            for item in items {
                if let Kind::Constant { spelled, .. } = &item.kind {
                    if !is_table {
                        page += "\n| constant | value | |\n|---|---:|---|\n";
                    }
                    page +=
                        &format!("| `{}` | {spelled} | {} |\n", item.name, item.text().replace('|', "\\|"));
                } else {
                    let (name, comment) = (&item.name, item.comment.join("\n"));
                    page += &format!("\n### {name}\n\n{comment}\n\n```c\n{}\n```\n", c::marked(item, false));
                }
                is_table = matches!(item.kind, Kind::Constant { .. });
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_has_every_function() {
        let abi = abi().expect("the ABI is parsed");
        let page = page(&abi);
        assert!(abi.functions().all(|(item, _)| page.contains(&format!("\n### {}\n", item.name))));
        for part in ["## The clock", "### netclock_client_tick", "| `NETCLOCK_OK` | 0 |"] {
            assert!(page.contains(part), "{part}");
        }
    }
}
