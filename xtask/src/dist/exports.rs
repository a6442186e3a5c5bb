//! The functions that every library exports, as the headers declare them, in the forms that linkers take.

use std::collections::BTreeSet;

use crate::abi::Abi;

/// The version that the symbols of ELF libraries carry. It changes when the ABI does.
pub(super) fn symbol_version(abi: u32) -> String {
    format!("NETCLOCK_{abi}")
}

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    pub(super) fn of(abi: Abi) -> Self {
        Self(abi.functions.into_iter().map(|function| function.name).collect())
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
