//! Makes all global names of a static library begin with `netclock_`.
//!
//! Link-time optimisation puts Rust's runtime into the same object as our functions. A game with a second
//! static Rust library would then have functions such as `rust_eh_personality` twice, which no linker
//! accepts. So all other names get a prefix, both where the archive defines and where it uses them. Windows
//! linkers use a DLL instead.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};

use super::link::read;
use crate::command::run;

/// LLVM's tool that renames symbols, for ELF and Mach-O.
pub(super) const OBJCOPY: &str = "llvm-objcopy";

const OURS: &str = "netclock_";
/// The header declares no name with this prefix.
pub(super) const PREFIX: &str = "netclock_private_";

/// The archive with its other global names changed. Formats other than ELF and Mach-O are returned unchanged.
pub(super) fn with_own_names(archive: &Path) -> Result<Vec<u8>> {
    let content = read(archive)?;
    let names = foreign_names(&content).with_context(|| format!("{}", archive.display()))?;
    if names.is_empty() {
        return Ok(content);
    }
    let map: String =
        names.iter().map(|(mark, name)| format!("{mark}{name} {mark}{PREFIX}{name}\n")).collect();
    let (list, renamed) = (archive.with_extension("names"), archive.with_extension("renamed.a"));
    fs::write(&list, map).with_context(|| format!("writing {}", list.display()))?;
    let mut objcopy = Command::new(OBJCOPY);
    // Debug information would add megabytes.
    objcopy
        .arg("--strip-debug")
        .arg(format!("--redefine-syms={}", list.display()))
        .arg(archive)
        .arg(&renamed);
    run(&mut objcopy, "llvm-objcopy could not rename the symbols of the static library.")?;
    read(&renamed)
}

/// Passes each object of a static library, with its bytes.
pub(super) fn each_object(
    archive: &[u8],
    mut take: impl FnMut(&object::File<'_>, &[u8]) -> Result<()>,
) -> Result<()> {
    for member in ArchiveFile::parse(archive).context("reading the static library")?.members() {
        // Copied, because members are at any address and their headers are read in place.
        let data = member.and_then(|it| it.data(archive)).context("reading the static library")?.to_vec();
        take(&object::File::parse(&*data).context("reading an object of the static library")?, &data)?;
    }
    Ok(())
}

/// The exported names of an archive that are not ours, each with the prefix of its format.
pub(super) fn foreign_names(archive: &[u8]) -> Result<BTreeSet<(&'static str, String)>> {
    let mut names = BTreeSet::new();
    each_object(archive, |object, _| {
        let mark = match object.format() {
            BinaryFormat::Elf => "",
            BinaryFormat::MachO => "_",
            _ => return Ok(()),
        };
        for symbol in object.symbols().filter(|it| it.is_global() && it.is_definition()) {
            let name = symbol.name().context("reading a symbol")?;
            let name = name.strip_prefix(mark).unwrap_or(name);
            if !name.starts_with(OURS) {
                names.insert((mark, name.to_owned()));
            }
        }
        Ok(())
    })?;
    Ok(names)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::cargo::target_dir;
    use crate::command::{on_path, skip};

    /// A Rust library that catches a panic, so that it contains the runtime.
    const SOURCE: &str = "#[no_mangle] pub extern \"C\" fn NAME(x: i32) -> i32 {
        std::panic::catch_unwind(|| if x < 0 { panic!() } else { x + 1 }).unwrap_or(-1)
    }";
    const PROGRAM: &str = "int netclock_a(int); int other(int); int main(void) {
        return netclock_a(1) == 2 && netclock_a(-1) == -1 && other(1) == 2 && other(-1) == -1 ? 0 : 1; }";

    fn write(name: &str, content: &[u8]) -> PathBuf {
        let dir = target_dir().expect("cargo says where").join("two-libraries");
        fs::create_dir_all(&dir).expect("a directory beside the build");
        fs::write(dir.join(name), content).expect("it is ours");
        dir.join(name)
    }

    fn are_there(tools: &[&str]) -> bool {
        let missing = tools.iter().find(|tool| !on_path(tool));
        missing.iter().for_each(|tool| skip(&format!("no {tool}")).expect("it may be missing"));
        missing.is_none()
    }

    #[test]
    fn two_libraries_in_rust_are_in_one_program() {
        if !are_there(&[OBJCOPY, "cc"]) {
            return;
        }
        let build = |name: &str| {
            let source = write(&format!("{name}.rs"), SOURCE.replace("NAME", name).as_bytes());
            let archive = source.with_file_name(format!("lib{name}.a"));
            let mut rustc = Command::new("rustc");
            rustc.args(["-Copt-level=0", "-Clto=fat", "-Ccodegen-units=1", "--crate-type=staticlib", "-o"]);
            run(rustc.arg(&archive).arg(source), "").expect("it compiles");
            archive
        };
        let (ours, other, program) =
            (build("netclock_a"), build("other"), write("main.c", PROGRAM.as_bytes()));
        let link = |ours: &Path| {
            let mut cc = Command::new("cc");
            cc.arg(&program).arg(ours).arg(&other).args(["-lpthread", "-ldl", "-lm", "-o"]);
            run(cc.arg(program.with_extension("")), "")
        };
        // Without changes, each contains the runtime.
        let refused = link(&ours).expect_err("both define the runtime").to_string();
        assert!(refused.contains("rust_eh_personality"), "{refused}");
        let renamed = with_own_names(&ours).expect("it can be renamed");
        assert_eq!(foreign_names(&renamed).expect("it is an archive"), BTreeSet::new());
        link(&write("libnetclock_own.a", &renamed)).expect("the runtime has two names");
        let mut program = Command::new(program.with_extension(""));
        run(&mut program, "").expect("both libraries catch their panics");
    }
}
