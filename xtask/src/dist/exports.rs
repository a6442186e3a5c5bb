//! The functions that every library exports, as the headers declare them, in the forms that linkers take.

use std::collections::BTreeSet;

use crate::abi::Abi;

/// The version that the symbols of ELF libraries carry. It changes when the ABI does.
pub(super) fn symbol_version(abi: u32) -> String {
    format!("NETCLOCK_{abi}")
}

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    /// The functions at these paths in Rust.
    pub(super) fn of(abi: &Abi, is_exported: impl Fn(&str) -> bool) -> Self {
        let functions = abi.functions().filter(|(item, _)| is_exported(&item.path));
        Self(functions.map(|(item, _)| item.name.clone()).collect())
    }

    /// For linkers of ELF: exactly these symbols are visible, under a version.
    pub(super) fn version_script(&self, abi: u32) -> String {
        let version = symbol_version(abi);
        format!("{version} {{\n  global:\n{}  local:\n    *;\n}};\n", self.lines("    ", ";"))
    }

    /// For linkers of Windows: a module definition.
    pub(super) fn module_definition(&self) -> String {
        format!("LIBRARY netclock.dll\nEXPORTS\n{}", self.lines("    ", ""))
    }

    /// The names, a line each.
    pub(super) fn lines(&self, before: &str, after: &str) -> String {
        self.0.iter().map(|name| format!("{before}{name}{after}\n")).collect()
    }
}
