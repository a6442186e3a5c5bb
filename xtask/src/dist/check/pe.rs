use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use object::Object;

use super::exports_are;
use crate::dist::{Exports, IMAGE_BASE};

/// DLLs may depend only on these libraries, which Wine and every edition of Windows 10 include.
const OF_THE_SYSTEM: [&str; 6] = [
    "kernel32.dll",
    "ntdll.dll",
    "msvcrt.dll",
    "ws2_32.dll",
    "userenv.dll",
    "api-ms-win-core-synch-l1-2-0.dll",
];

pub(super) fn check(library: &[u8], exports: &Exports) -> Result<()> {
    let parsed = object::File::parse(library).context("reading the DLL")?;
    exports_are(&parsed, exports)?;
    let base = parsed.relative_address_base();
    ensure!(base == IMAGE_BASE, "its base is {base:#x}, so it depends on the build directory");
    let imports = parsed.imports().context("reading the imports")?;
    let asked: BTreeSet<String> =
        imports.iter().map(|import| String::from_utf8_lossy(import.library()).to_lowercase()).collect();
    ensure!(!asked.is_empty(), "no imports were found");
    for dll in &asked {
        ensure!(
            OF_THE_SYSTEM.contains(&dll.as_str()),
            "it requires {dll}, which is not part of every system"
        );
    }
    Ok(())
}
