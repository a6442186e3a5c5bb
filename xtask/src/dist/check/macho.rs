use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use goblin::mach::MachO;
use goblin::mach::constants::cputype::CPU_TYPE_ARM64;
use goblin::mach::load_command::{CommandVariant, PLATFORM_IOS, PLATFORM_IOSSIMULATOR, PLATFORM_MACOS};

use crate::dist::sdk::PRIVACY_SOURCE;
use crate::dist::{OLDEST_IOS, OLDEST_MACOS};
use crate::read as text;

pub(super) fn is_for_macos(states: &MachO<'_>) -> Result<()> {
    let system = system(states)?;
    ensure!(system == (PLATFORM_MACOS, version(OLDEST_MACOS)), "{}", wrong(system));
    // Macs with Arm processors kill unsigned programs without an explanation.
    let mut commands = states.load_commands.iter();
    let is_signed = commands.any(|it| matches!(it.command, CommandVariant::CodeSignature(_)));
    ensure!(is_signed || states.header.cputype() != CPU_TYPE_ARM64, "it is not signed");
    Ok(())
}

pub(super) fn runs_on_the_oldest(object: &[u8], target: &str) -> Result<()> {
    let wanted = match target {
        rust if rust.ends_with("apple-darwin") => (PLATFORM_MACOS, version(OLDEST_MACOS)),
        "aarch64-apple-ios" => (PLATFORM_IOS, version(OLDEST_IOS)),
        _ => (PLATFORM_IOSSIMULATOR, version(OLDEST_IOS)),
    };
    let found = system(&read(object)?)?;
    ensure!(found.0 == wanted.0 && found.1 <= wanted.1, "for {}: {}", target, wrong(found));
    Ok(())
}

/// Apple requires a reason for calling these C functions, listed here by their category in the manifest.
const NEED_A_REASON: [(&str, &str); 3] = [
    ("NSPrivacyAccessedAPICategorySystemBootTime", "_mach_absolute_time"),
    (
        "NSPrivacyAccessedAPICategoryFileTimestamp",
        "_getattrlist _getattrlistbulk _fgetattrlist _getattrlistat _stat _fstat _fstatat _lstat",
    ),
    ("NSPrivacyAccessedAPICategoryDiskSpace", "_statfs _statvfs _fstatfs _fstatvfs"),
];

/// Checks the static library for iOS against the privacy manifest. If an app calls certain functions without
/// declaring a reason, Apple rejects the app (see "Describing use of required reason API").
pub(super) fn privacy(asked: &BTreeSet<String>) -> Result<()> {
    let manifest = text(PRIVACY_SOURCE)?;
    for (category, functions) in NEED_A_REASON {
        let used: Vec<&str> = functions.split(' ').filter(|name| asked.contains(*name)).collect();
        ensure!(
            used.is_empty() || manifest.contains(&format!("<string>{category}</string>")),
            "it calls {used:?}, and {PRIVACY_SOURCE} gives no reason for {category}"
        );
    }
    Ok(())
}

pub(super) fn read(file: &[u8]) -> Result<MachO<'_>> {
    MachO::parse(file, 0).context("not a Mach-O file")
}

fn system(file: &MachO<'_>) -> Result<(u32, u32)> {
    let stated = file.load_commands.iter().find_map(|it| match it.command {
        CommandVariant::BuildVersion(build) => Some((build.platform, build.minos)),
        // Older object files state their oldest supported system in a different load command.
        CommandVariant::VersionMinMacosx(oldest) => Some((PLATFORM_MACOS, oldest.version)),
        CommandVariant::VersionMinIphoneos(oldest) => Some((PLATFORM_IOS, oldest.version)),
        _ => None,
    });
    stated.context("its system is missing")
}

/// Mach-O files store the parts of a version in 16, 8 and 8 bits.
fn version(text: &str) -> u32 {
    let mut numbers = text.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
    let mut number = || numbers.next().unwrap_or(0);
    (number() << 16) | (number() << 8) | number()
}

fn wrong((system, oldest): (u32, u32)) -> String {
    let (major, minor) = (oldest >> 16, oldest >> 8 & 0xff);
    format!("Apple's system {system}, version {major}.{minor} or later")
}
