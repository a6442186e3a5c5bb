//! The examples in doc comments, as programs that `rustdoc` runs against what Cargo built.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cargo::{filenames, root};
use crate::programs::Program;

/// What `rustdoc` needs, read from Cargo's messages.
#[derive(Default)]
pub(crate) struct Examples {
    /// Each library that was built, by its name in code. If there are several of one name, the one with the
    /// most features: the others are for build scripts.
    libraries: BTreeMap<String, Library>,
    /// Where each package's `build.rs` wrote, by the package's id.
    written: BTreeMap<String, OsString>,
    /// Libraries of the workspace whose examples are tests.
    tested: Vec<Source>,
}

struct Library {
    features: usize,
    file: PathBuf,
}

struct Source {
    name: String,
    id: String,
    root: OsString,
    edition: OsString,
    features: Vec<String>,
    package: PathBuf,
}

impl Examples {
    /// Takes what one message says about a library, or about a `build.rs`. Others change nothing.
    pub(crate) fn read(&mut self, message: &Value) {
        if let (Some(id), Some(place)) = (message["package_id"].as_str(), message["out_dir"].as_str()) {
            self.written.insert(id.to_owned(), place.into());
        }
        let target = &message["target"];
        let is_library = |kind: &str| matches!(kind, "lib" | "proc-macro");
        let mut kinds = target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if message["profile"]["test"] != false || !kinds.any(is_library) {
            return;
        }
        let (Some(name), Some(file)) = (target["name"].as_str(), linked(message)) else { return };
        let name = name.replace('-', "_");
        let features: Vec<_> = message["features"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        if target["doctest"] == true
            && let Some(source) = Source::read(message, &name, &features)
        {
            self.tested.push(source);
        }
        let library = Library { features: features.len(), file };
        if self.libraries.get(&name).is_none_or(|known| known.features <= library.features) {
            self.libraries.insert(name, library);
        }
    }

    /// One program for each library whose examples are tests.
    pub(crate) fn programs(&self) -> Vec<Program> {
        self.tested.iter().map(|source| self.program(source)).collect()
    }

    fn program(&self, source: &Source) -> Program {
        let mut arguments: Vec<OsString> = ["--test", "--edition"].map(OsString::from).into();
        arguments.extend([source.edition.clone(), "--crate-name".into(), source.name.clone().into()]);
        arguments.extend(
            source.features.iter().flat_map(|it| ["--cfg".into(), format!("feature=\"{it}\"").into()]),
        );
        let places: BTreeSet<_> = self.libraries.values().filter_map(|it| it.file.parent()).collect();
        arguments.extend(places.iter().flat_map(|place| ["-L".into(), with_path("dependency=", place)]));
        for (name, library) in &self.libraries {
            arguments.extend(["--extern".into(), with_path(&format!("{name}="), &library.file)]);
        }
        arguments.push(source.root.clone());
        let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
        Program {
            name: format!("{} (examples)", source.name),
            executable: rustdoc.into(),
            arguments,
            env: self.written.get(&source.id).map(|place| ("OUT_DIR", place.clone())).into_iter().collect(),
            package: source.package.clone(),
        }
    }
}

impl Source {
    /// The library of a message, if it belongs to the workspace.
    fn read(message: &Value, name: &str, features: &[String]) -> Option<Self> {
        let package = Path::new(message["manifest_path"].as_str()?).parent()?;
        if !package.starts_with(root()) {
            return None;
        }
        Some(Self {
            name: name.to_owned(),
            id: message["package_id"].as_str()?.to_owned(),
            root: message["target"]["src_path"].as_str()?.into(),
            edition: message["target"]["edition"].as_str()?.into(),
            features: features.to_vec(),
            package: package.to_owned(),
        })
    }
}

/// The file that a Rust program links.
fn linked(message: &Value) -> Option<PathBuf> {
    let files = filenames(message);
    let ends = |end: &str| files.iter().find(|it| it.extension().is_some_and(|it| it == end)).cloned();
    ends("rlib").or_else(|| ends(std::env::consts::DLL_EXTENSION))
}

fn with_path(what: &str, path: &Path) -> OsString {
    let mut text = OsString::from(what);
    text.push(path);
    text
}
