//! Writes the list of exported functions in each linker's format.

use std::collections::BTreeSet;

use crate::Abi;

pub(super) fn symbol_version(abi: u32) -> String {
    format!("NETCLOCK_{abi}")
}

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    pub(super) fn of(abi: &Abi, is_exported: impl Fn(&str) -> bool) -> Self {
        let functions = abi.functions().filter(|(item, _)| is_exported(&item.path));
        Self(functions.map(|(item, _)| item.name.clone()).collect())
    }

    pub(super) fn version_script(&self, abi: u32) -> String {
        let version = symbol_version(abi);
        format!("{version} {{\n  global:\n{}  local:\n    *;\n}};\n", self.lines("    ", ";"))
    }

    pub(super) fn module_definition(&self) -> String {
        format!("LIBRARY netclock.dll\nEXPORTS\n{}", self.lines("    ", ""))
    }

    pub(super) fn lines(&self, before: &str, after: &str) -> String {
        self.0.iter().map(|name| format!("{before}{name}{after}\n")).collect()
    }
}
