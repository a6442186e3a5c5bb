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
