//! Each row of the threat model in docs/security.md must name at least one existing test.

use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_row_of_the_threat_model_names_a_test_that_exists() {
    let page = read("docs/security.md");
    for name in page.split('`').skip(1).step_by(2).filter(|code| code.contains(".rs::")) {
        let (file, test) = name.split_once("::").expect("the name contains `::`");
        assert!(read(file).contains(&format!("fn {test}(")), "{name}");
    }
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
