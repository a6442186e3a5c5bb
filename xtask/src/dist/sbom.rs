//! Writes the software bill of materials in CycloneDX 1.5 JSON.

use serde_json::{Value, json};

use super::{Component, Origin, Source};
use crate::VERSION;

/// The compiler is listed, too, because its version changes the library's bytes.
pub(super) fn text(subject: &str, components: &[Component], source: &Source, compiler: &str) -> String {
    let listed = components.iter().filter(|component| component.origin != Origin::NetClock);
    let bom = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "netclock",
                "name": subject,
                "version": VERSION,
                "licenses": [{ "expression": env!("CARGO_PKG_LICENSE") }],
                "properties": [{ "name": "netclock:commit", "value": source.commit }],
            },
            "tools": { "components": [{ "type": "application", "name": compiler }] },
        },
        "components": listed.map(entry).collect::<Vec<_>>(),
    });
    format!("{bom:#}\n")
}

fn entry(component: &Component) -> Value {
    let Component { name, version, licence, origin, .. } = component;
    let mut entry = json!({
        "type": "library",
        "bom-ref": format!("{name}@{version}"),
        "name": name,
        "version": version,
        "licenses": [{ "expression": licence }],
    });
    if *origin == Origin::CratesIo {
        entry["purl"] = json!(format!("pkg:cargo/{name}@{version}"));
    }
    let group = match origin {
        Origin::RustStandardLibrary => "rust standard library",
        Origin::Linker => "C tool chain",
        Origin::CratesIo | Origin::NetClock => return entry,
    };
    entry["group"] = json!(group);
    entry
}
