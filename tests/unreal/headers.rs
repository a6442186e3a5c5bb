//! Tests that each header includes everything it uses, by including it first in its source or compiling it
//! alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::build::compile;
use super::compiler::scratch;
use super::files::{modules, read, sources, write};
use super::promises::NEWEST;

#[test]
fn every_header_includes_what_it_uses() {
    let mut alone: Vec<(PathBuf, PathBuf)> = Vec::new();
    for module in modules() {
        let code = sources(&module, &["cpp"]);
        for header in sources(&module, &["h"]) {
            let Some(source) = code.iter().find(|it| it.file_stem() == header.file_stem()) else {
                alone.push((module.clone(), header));
                continue;
            };
            let name = header.file_name().unwrap_or_default().to_string_lossy();
            let text = read(source);
            let first = text.lines().find(|line| line.starts_with("#include")).unwrap_or_default();
            let included = first.trim_end_matches('"').rsplit(['"', '/']).next();
            assert_eq!(included, Some(&*name), "{} does not include its own header first", source.display());
        }
    }
    assert!(alone.len() > 2, "only {} headers have no source", alone.len());

    let place = scratch("unreal-headers");
    for (_, header) in &mut alone {
        let source = place.join(format!("{}.cpp", header.file_stem().unwrap_or_default().to_string_lossy()));
        write(&source, &format!("#include \"{}\"\n", header.display()));
        *header = source;
    }
    compile(NEWEST.0, &alone);
}

/// Windows and macOS don't distinguish `NetClock/` from `netclock/`, so no header of the plugin may have the
/// same path as a C header.
#[test]
fn the_public_headers_are_few_and_none_shadows_a_c_header() {
    let below = |dir: &Path| -> BTreeSet<String> {
        let name = |it: &PathBuf| it.strip_prefix(dir).ok()?.to_str().map(str::to_lowercase);
        sources(dir, &["h"]).iter().filter_map(name).collect()
    };
    let c = below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    let public = modules().into_iter().filter(|it| !it.ends_with("NetClockSample"));
    let public = public.map(|it| it.join("Public"));
    let public: Vec<String> = public.filter(|it| it.is_dir()).flat_map(|it| below(&it)).collect();
    assert!((10..=22).contains(&public.len()), "{} public headers", public.len());
    for header in &public {
        assert!(!c.contains(header), "{header} shadows a C header where case is ignored");
        // A studio may have folders with the same names as the plugin's folders.
        let folder = header.split_once('/').map_or("netclock", |it| it.0);
        assert!(folder == "netclock" && header.starts_with(folder), "{header}");
    }
}
