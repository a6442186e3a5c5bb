//! The functions that every library exports, as the header declares them, in the forms that linkers take.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;

const HEADER: &str = "include/netclock/netclock.h";

/// The version that the symbols of ELF libraries carry. It changes when the ABI does.
pub(super) const SYMBOL_VERSION: &str = "NETCLOCK_1";

pub(super) struct Exports(pub(super) BTreeSet<String>);

impl Exports {
    pub(super) fn of_the_header() -> Result<Self> {
        let path = root().join(HEADER);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let exports = Self::declared(&text);
        ensure!(!exports.0.is_empty(), "{HEADER} declares no functions");
        Ok(exports)
    }

    fn declared(header: &str) -> Self {
        let code = header
            .lines()
            .filter(|line| !line.trim_start().starts_with(['*', '/', '#']) && !line.starts_with("typedef"));
        let name = |line: &str| {
            let before = line.split_once('(')?.0;
            before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().map(str::to_owned)
        };
        Self(code.filter_map(name).filter(|name| name.starts_with("netclock_")).collect())
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

    const HEADER_PART: &str = "\
/** Calls netclock_never(1). */
typedef void (*netclock_log)(void *user);
#define NETCLOCK_X netclock_y(1)
netclock_status netclock_b(int a,
                           int b);
const char *netclock_a(void);
";

    #[test]
    fn takes_functions_and_nothing_else() {
        let exports = Exports::declared(HEADER_PART);
        assert_eq!(exports.0.iter().collect::<Vec<_>>(), ["netclock_a", "netclock_b"]);
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
