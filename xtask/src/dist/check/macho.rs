//! What a file for Apple's systems states: its install name, what it asks for, and the oldest system that it
//! runs on.

use anyhow::{Context, Result, ensure};
use object::Endianness;
use object::macho::{self, MachHeader64};
use object::read::macho::{LoadCommandVariant, MachHeader};

use super::exports_are;
use crate::dist::exports::Exports;
use crate::dist::platforms::{OLDEST_IOS, OLDEST_MACOS, Target};

/// The libraries that it may ask for: parts of every macOS.
const OF_THE_SYSTEM: [&str; 1] = ["/usr/lib/libSystem.B.dylib"];

/// A shared library for macOS.
pub(super) fn check(library: &[u8], exports: &Exports, abi: u32) -> Result<()> {
    let parsed = object::File::parse(library).context("reading the shared library")?;
    exports_are(&parsed, exports)?;
    let states = Stated::read(library)?;
    let name = format!("@rpath/libnetclock.{abi}.dylib");
    ensure!(states.install_name == name, "its install name is {}, not {name}", states.install_name);
    for needed in &states.needed {
        ensure!(OF_THE_SYSTEM.contains(&needed.as_str()), "it asks for {needed}, which a system may lack");
    }
    ensure!(
        states.system == Some((macho::PLATFORM_MACOS, version(OLDEST_MACOS))),
        "{}",
        states.wrong_system()
    );
    // A Mac with Arm starts nothing unsigned, and says no more than "killed".
    ensure!(states.is_signed || states.processor != macho::CPU_TYPE_ARM64, "it is not signed");
    Ok(())
}

/// An object of a static library.
pub(super) fn runs_on_the_oldest(object: &[u8], target: &Target) -> Result<()> {
    let wanted = match target.rust {
        rust if rust.ends_with("apple-darwin") => (macho::PLATFORM_MACOS, version(OLDEST_MACOS)),
        "aarch64-apple-ios" => (macho::PLATFORM_IOS, version(OLDEST_IOS)),
        _ => (macho::PLATFORM_IOSSIMULATOR, version(OLDEST_IOS)),
    };
    let states = Stated::read(object)?;
    let (system, oldest) = states.system.context("an object does not say what system it is for")?;
    ensure!(system == wanted.0 && oldest <= wanted.1, "for {}: {}", target.rust, states.wrong_system());
    Ok(())
}

/// As Mach-O files write it: 16 bits, 8 bits, 8 bits.
fn version(text: &str) -> u32 {
    let mut numbers = text.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
    let mut number = || numbers.next().unwrap_or(0);
    (number() << 16) | (number() << 8) | number()
}

/// The load commands that are looked at.
#[derive(Default)]
struct Stated {
    processor: u32,
    install_name: String,
    needed: Vec<String>,
    /// The kind of system, and the oldest version of it.
    system: Option<(u32, u32)>,
    is_signed: bool,
}

impl Stated {
    fn read(file: &[u8]) -> Result<Self> {
        let header =
            MachHeader64::<Endianness>::parse(file, 0).context("this is no Mach-O file of 64 bits")?;
        let endian = header.endian()?;
        let mut stated = Self { processor: header.cputype(endian), ..Self::default() };
        let mut commands = header.load_commands(endian, file, 0)?;
        while let Some(command) = commands.next()? {
            let path =
                |name| command.string(endian, name).map(|text| String::from_utf8_lossy(text).into_owned());
            match command.variant()? {
                LoadCommandVariant::IdDylib(id) => stated.install_name = path(id.dylib.name)?,
                LoadCommandVariant::Dylib(other) => stated.needed.push(path(other.dylib.name)?),
                LoadCommandVariant::BuildVersion(build) => {
                    stated.system = Some((build.platform.get(endian), build.minos.get(endian)));
                }
                // The form of older objects; each system has its own command.
                LoadCommandVariant::VersionMin(oldest) if command.cmd() == macho::LC_VERSION_MIN_MACOSX => {
                    stated.system = Some((macho::PLATFORM_MACOS, oldest.version.get(endian)));
                }
                LoadCommandVariant::VersionMin(oldest) if command.cmd() == macho::LC_VERSION_MIN_IPHONEOS => {
                    stated.system = Some((macho::PLATFORM_IOS, oldest.version.get(endian)));
                }
                LoadCommandVariant::LinkeditData(_) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                    stated.is_signed = true;
                }
                _ => {}
            }
        }
        Ok(stated)
    }

    fn wrong_system(&self) -> String {
        let (system, oldest) = self.system.unwrap_or_default();
        let (major, minor) = (oldest >> 16, oldest >> 8 & 0xff);
        format!("it states system {system} of Apple, from version {major}.{minor} on")
    }
}
