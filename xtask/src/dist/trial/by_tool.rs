//! An archive for a machine that cannot be had here: its files are read again as they were unpacked.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::dist::check;
use crate::dist::command::run;
use crate::dist::platforms::System;
use crate::dist::product::{Product, Workshop};
use crate::dist::sdk::PRIVACY;
use crate::dist::universal::parts;

/// What each property list must say, asked of Python's reader, which is not ours.
const XCFRAMEWORK: &str = "import plistlib, sys, pathlib
at = pathlib.Path(sys.argv[1])
for part in plistlib.loads((at / 'Info.plist').read_bytes())['AvailableLibraries']:
    place = at / part['LibraryIdentifier']
    assert (place / part['LibraryPath']).is_file(), part
    assert (place / part['HeadersPath'] / 'netclock/netclock.h').is_file(), part
    assert part['SupportedPlatform'] == 'ios' and part['SupportedArchitectures'], part";
const MANIFEST: &str = "import plistlib, sys, pathlib
declared = plistlib.loads(pathlib.Path(sys.argv[1]).read_bytes())
assert declared['NSPrivacyTracking'] is False
for entry in declared['NSPrivacyAccessedAPITypes']:
    assert entry['NSPrivacyAccessedAPITypeReasons'], entry";

/// `prefix` is the directory that the archive was unpacked to.
pub(super) fn check(product: &Product, prefix: &Path, workshop: &Workshop) -> Result<()> {
    let platform = product.platform;
    let read = |name: &str| {
        let path = prefix.join(name);
        fs::read(&path).with_context(|| format!("reading {}", path.display()))
    };
    let mut count = 0;
    for slice in platform.slices {
        let name = slice.sdk.context("an archive for that machine has every static library")?;
        let file = read(name)?;
        let found = parts(&file)?;
        ensure!(found.len() == slice.targets.len(), "{name} has {} parts", found.len());
        for (part, target) in found.iter().zip(slice.targets) {
            check::archive(part, platform, target, &workshop.exports).with_context(|| name.to_owned())?;
            count += 1;
        }
    }
    println!("  {count} static libraries are for the right processors and systems, with every function");
    if let Some(names) = platform.names(workshop.abi) {
        let file = read(&names.shared)?;
        let targets = platform.slices[0].targets;
        for (part, target) in parts(&file)?.iter().zip(targets) {
            check::shared(part, platform, target, &workshop.exports, workshop.abi)
                .with_context(|| names.shared.clone())?;
        }
        println!("  {}: exports, install name, oldest system, every signed page", names.shared);
    }
    if platform.system == System::Ios {
        let python = |script: &str, file: &str| {
            run(Command::new("python3").args(["-c", script]).arg(prefix.join(file)), "")
        };
        python(XCFRAMEWORK, "NetClock.xcframework")?;
        python(MANIFEST, PRIVACY)?;
        println!("  Python reads the property lists");
    }
    Ok(())
}
