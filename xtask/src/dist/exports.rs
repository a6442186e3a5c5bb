//! The functions that every library exports, as the headers declare them, in the forms that linkers take.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::abi::Abi;

/// The version that the symbols of ELF libraries carry. It changes when the ABI does.
pub(super) const SYMBOL_VERSION: &str = "NETCLOCK_1";

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    pub(super) fn of_the_headers() -> Result<Self> {
        let functions = Abi::of_the_headers()?.functions;
        Ok(Self(functions.into_iter().map(|function| function.name).collect()))
    }

    pub(super) fn of_the_clock() -> Result<Self> {
        let functions = Abi::of_the_clock()?.functions;
        Ok(Self(functions.into_iter().map(|function| function.name).collect()))
    }

    /// For linkers of ELF: exactly these symbols are visible, under a version.
    pub(super) fn version_script(&self) -> String {
        format!("{SYMBOL_VERSION} {{\n  global:\n{}  local:\n    *;\n}};\n", self.lines("    ", ";"))
    }

    /// For linkers of Windows: a module definition.
    pub(super) fn module_definition(&self) -> String {
        format!("LIBRARY netclock.dll\nEXPORTS\n{}", self.lines("    ", ""))
    }

    /// For linkers of Mach-O: the names as those files spell them.
    pub(super) fn of_macho(&self) -> String {
        self.lines("_", "")
    }

    fn lines(&self, before: &str, after: &str) -> String {
        self.0.iter().map(|name| format!("{before}{name}{after}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_linker_gets_each_name() {
        let exports = Exports(["netclock_a", "netclock_b"].map(str::to_owned).into());
        assert!(exports.version_script().starts_with("NETCLOCK_1 {\n  global:\n    netclock_a;\n"));
        assert_eq!(exports.of_macho(), "_netclock_a\n_netclock_b\n");
        assert!(exports.module_definition().ends_with("EXPORTS\n    netclock_a\n    netclock_b\n"));
    }

    #[test]
    fn the_symbols_carry_the_version_of_the_abi() {
        let abi = crate::library::abi_version().expect("the header has it");
        assert_eq!(SYMBOL_VERSION, format!("NETCLOCK_{abi}"));
    }
}
