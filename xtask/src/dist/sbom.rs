//! The software bill of materials: CycloneDX 1.5, as JSON.

use serde_json::{Value, json};

use super::components::{Component, Origin};
use super::source::Source;
use crate::library::VERSION;

/// `tools` are the programs that built it, which decide about its bytes too.
pub(super) fn text(subject: &str, components: &[Component], source: &Source, tools: &[String]) -> String {
    let tools: Vec<Value> = tools.iter().map(|name| json!({ "type": "application", "name": name })).collect();
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
            "tools": { "components": tools },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_each_component_but_not_itself() {
        let component = |name: &str, origin| Component {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            licence: "MIT OR Apache-2.0".to_owned(),
            origin,
            texts: Vec::new(),
        };
        let components = [
            component("netclock", Origin::NetClock),
            component("libc", Origin::CratesIo),
            component("std", Origin::RustStandardLibrary),
        ];
        let source = Source { commit: "abc".to_owned(), time: 0 };
        let text = text("netclock-linux-x64", &components, &source, &["rustc 1.96.0".to_owned()]);
        let bom: Value = serde_json::from_str(&text).expect("it is JSON");
        let names: Vec<_> = (0..2).map(|index| bom["components"][index]["name"].clone()).collect();
        assert_eq!(names, ["libc", "std"]);
        assert_eq!(bom["components"][0]["purl"], "pkg:cargo/libc@1.2.3");
        assert!(bom["components"][2].is_null());
        assert_eq!(bom["metadata"]["component"]["version"], VERSION);
    }
}
