//! The documentation of the Unreal plugin is complete: what public headers offer is on a page.

use super::files::{joined, read, root, sources};

/// Types are in the reference by hand, nodes and events in the one that is written from the headers.
#[test]
fn what_public_headers_offer_has_a_page() {
    for (plugin, pages, least) in [
        ("NetClock", &["Docs/reference.md", "Docs/blueprint.md"][..], 150),
        ("NetClockGAS", &["README.md"], 4),
    ] {
        let plugin = root().join("unreal_plugin").join(plugin);
        let text: String = pages.iter().map(|page| read(&plugin.join(page))).collect();
        let headers = sources(&plugin.join("Source"), &["h"]);
        let public = headers.iter().filter(|it| it.iter().any(|part| part == "Public"));
        let offered: Vec<String> = public.flat_map(|it| offers(&joined(&read(it)))).collect();
        assert!(offered.len() > least, "{offered:?}");
        let missing: Vec<&String> = offered.iter().filter(|name| !text.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{pages:?} lack {missing:?}");
    }
}

/// Types of a header, and what Blueprint can call and hear of, in the order of their lines.
fn offers(header: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = header.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line.starts_with("UFUNCTION(Blueprint") || line.starts_with("UPROPERTY(BlueprintAssignable") {
            let declaration = lines.next().unwrap_or_default();
            let name = declaration.split(['(', ';']).next().unwrap_or_default();
            found.extend(name.split_whitespace().last().map(str::to_owned));
        } else {
            let rest = line.strip_prefix("enum class ").or_else(|| line.split_once("_API ").map(|it| it.1));
            let is_type = ["enum ", "class ", "struct "].iter().any(|kind| line.starts_with(kind));
            let name = rest.filter(|_| is_type).and_then(|it| it.split_whitespace().next());
            found.extend(name.map(str::to_owned));
        }
    }
    found
}
