//! Checks the static library for iOS against the privacy manifest. If an app calls certain functions without
//! declaring a reason, Apple rejects it (see "Describing use of required reason API").

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use crate::dist::sdk::PRIVACY_SOURCE;
use crate::read;

/// Apple requires a reason for calling these C functions, which are listed by their category in the manifest.
const NEED_A_REASON: [(&str, &[&str]); 3] = [
    ("NSPrivacyAccessedAPICategorySystemBootTime", &["_mach_absolute_time"]),
    (
        "NSPrivacyAccessedAPICategoryFileTimestamp",
        &[
            "_getattrlist",
            "_getattrlistbulk",
            "_fgetattrlist",
            "_getattrlistat",
            "_stat",
            "_fstat",
            "_fstatat",
            "_lstat",
        ],
    ),
    ("NSPrivacyAccessedAPICategoryDiskSpace", &["_statfs", "_statvfs", "_fstatfs", "_fstatvfs"]),
];

pub(super) fn check(asked: &BTreeSet<String>) -> Result<()> {
    let manifest = read(PRIVACY_SOURCE)?;
    for (category, functions) in NEED_A_REASON {
        let used: Vec<&&str> = functions.iter().filter(|name| asked.contains(**name)).collect();
        ensure!(
            used.is_empty() || manifest.contains(&format!("<string>{category}</string>")),
            "it calls {used:?}, and {PRIVACY_SOURCE} gives no reason for {category}"
        );
    }
    Ok(())
}
