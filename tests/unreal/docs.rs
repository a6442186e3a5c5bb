//! The documentation of the Unreal plugin is complete and hangs together: each public header has a page that
//! names what it offers, and no link leads nowhere.

use std::fs;
use std::path::{Path, PathBuf};

const PLUGIN: &str = "unreal_plugin/NetClock";

#[test]
fn no_link_leads_nowhere() {
    // Of the plugins and of the sample.
    let pages = files(&root().join("unreal_plugin"), "md");
    assert!(pages.len() > 10, "only {} pages below {PLUGIN}", pages.len());
    let mut broken = Vec::new();
    for page in pages {
        let here = page.parent().expect("a page lies in a directory");
        // Each folder is a zip of its own, where links to another one lead nowhere.
        let own = page.strip_prefix(root().join("unreal_plugin")).expect("it is below").iter().next();
        let own = root().join("unreal_plugin").join(own.expect("a page lies in a plugin"));
        for target in links(&read(&page)) {
            let file = target.split('#').next().unwrap_or_default();
            let is_own = || here.join(file).canonicalize().is_ok_and(|it| it.starts_with(&own));
            let leads = file.is_empty() || here.join(file).is_file() && is_own();
            if !leads {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_public_header_has_a_page_that_names_what_it_offers() {
    let headers = root().join(PLUGIN).join("Source/NetClock/Public");
    // The module is not there before the plugin is; then it has headers.
    if !root().join(PLUGIN).join("NetClock.uplugin").exists() {
        return;
    }
    let headers = files(&headers, "h");
    assert!(!headers.is_empty(), "no public headers");
    let index = read(&root().join(PLUGIN).join("Docs/README.md"));
    let mut missing = Vec::new();
    for header in headers {
        let name = header.file_stem().expect("a header has a name").to_string_lossy().into_owned();
        let page = format!("headers/{name}.md");
        if !index.contains(&format!("({page})")) {
            missing.push(format!("Docs/README.md: no link to {page}"));
        }
        let text = fs::read_to_string(root().join(PLUGIN).join("Docs").join(&page)).unwrap_or_default();
        for offered in offers(&read(&header)) {
            if !text.contains(&offered) {
                missing.push(format!("Docs/{page}: {offered}"));
            }
        }
        if text.is_empty() {
            missing.push(format!("Docs/{page}: the page itself"));
        }
    }
    assert!(missing.is_empty(), "not documented:\n{}", missing.join("\n"));
}

#[test]
fn the_page_of_the_plugin_for_gameplay_abilities_names_what_it_offers() {
    let plugin = root().join("unreal_plugin/NetClockGAS");
    let page = read(&plugin.join("Docs/README.md"));
    let headers = files(&plugin.join("Source/NetClockGAS/Public"), "h");
    let offered: Vec<String> = headers.iter().flat_map(|header| offers(&read(header))).collect();
    assert!(offered.len() > 4, "{offered:?}");
    let missing: Vec<&String> = offered.iter().filter(|name| !page.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "not documented: {missing:?}");
}

#[test]
fn finds_links_and_what_a_header_offers() {
    let page = "[a](b.md#c) ![d](e/f.svg) [g](https://h) `[i](j)` text (k)";
    assert_eq!(links(page), ["b.md#c", "e/f.svg", "j"]);
    let header = "
        UENUM(BlueprintType)
        enum class EMine : uint8 { One };
        class NETCLOCK_API UMine : public UObject
        {
            UFUNCTION(BlueprintPure, meta = (DisplayName = \"Get It (ms)\"))
            double GetItMs() const { return 1.0; }

            UPROPERTY(BlueprintAssignable, Category = \"x\")
            FMyEvent OnIt;

            UFUNCTION()
            void OnRep_Hidden();
        };
        class UTheirs;";
    assert_eq!(offers(header), ["EMine", "UMine", "GetItMs", "OnIt"]);
}

/// Targets of links and pictures within the repository.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).collect()
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
        } else if let Some(rest) =
            ["enum class ", "class NETCLOCK_API ", "class NETCLOCKGAS_API ", "struct NETCLOCK_API "]
                .iter()
                .find_map(|start| line.strip_prefix(start))
        {
            found.extend(rest.split_whitespace().next().map(str::to_owned));
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below with that extension.
fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
