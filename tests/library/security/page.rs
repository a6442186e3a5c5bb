//! The page names tests; each of them exists.

use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let page = read(&root.join("docs/security.md"));
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(|code| code.contains(".rs::")).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        let (file, test) = name.split_once("::").expect("it was chosen by that");
        let source = read(&root.join(file));
        assert!(source.contains(&format!("fn {test}(")), "{name}");
    }
}

#[test]
fn every_row_of_the_threat_model_names_a_test() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/security.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut names_tests, mut rows) = (false, 0);
    for line in page.lines() {
        if !line.starts_with('|') {
            names_tests = false;
        } else if line.ends_with("| tests |") {
            names_tests = true;
        } else if names_tests && !line.starts_with("|---") {
            rows += 1;
            assert!(line.rsplit('|').nth(1).is_some_and(|tests| tests.contains(".rs::")), "{line}");
        }
    }
    assert!(rows > 50, "{rows} rows");
}
