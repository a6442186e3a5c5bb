//! Tests that `cargo xtask plugin` installs the complete Unreal plugin into a project and never changes the
//! project's own files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[cfg(not(windows))]
use crate::compiler::Compiler;
use crate::compiler::{run, scratch};
use crate::{cargo, files_below, ok, root};

const PLUGIN: &str = "Plugins/NetClock/";
const LIBRARY: &str = "Source/ThirdParty/NetClockLibrary/";
const LOADED: &str = "Binaries/ThirdParty/NetClockLibrary";
const LIST: &str = "Plugins/NetClock/.netclock-installed";

#[test]
fn installing_the_plugin_changes_nothing_else() {
    let project = project("plugin-installed");
    let before = files(&project);
    ok(&mut plugin(&project));
    let after = files(&project);

    for (file, content) in &before {
        assert!(after.get(file) == Some(content), "the project's {file} has changed");
    }
    for file in after.keys() {
        assert!(before.contains_key(file) || file.starts_with(PLUGIN), "{file} is not part of the plugin");
    }
    for (file, content) in files(&root().join("unreal_plugin/NetClock")) {
        let installed = after.get(&format!("{PLUGIN}{file}"));
        assert!(installed == Some(&content), "{file} differs from the repository");
    }
    for (file, content) in
        files(&root().join("include/netclock")).iter().filter(|(file, _)| file.ends_with(".h"))
    {
        assert!(after.get(&format!("{PLUGIN}{LIBRARY}include/netclock/{file}")) == Some(content), "{file}");
    }
    let loaded = format!("/{}", env!("NETCLOCK_RUNTIME_NAME"));
    let library = after
        .iter()
        .find(|(file, _)| file.starts_with(&format!("{PLUGIN}{LOADED}/")) && file.ends_with(&loaded));
    let (_, library) = library.unwrap_or_else(|| panic!("no {loaded} among {:?}", after.keys()));
    let export = b"netclock_abi_version";
    assert!(library.windows(export.len()).any(|window| window == export), "the library lacks its exports");

    ok(&mut plugin(&project));
    assert!(files(&project) == after, "the second installation changed files");
    let printed = ok(&mut plugin(&project.join("Game.uproject")));
    assert!(printed.contains("0 files written"), "{printed}");
}

#[test]
fn files_of_an_older_plugin_are_removed_but_libraries_for_other_machines_stay() {
    let project = project("plugin-older");
    ok(&mut plugin(&project));
    let before = files(&project);
    // An older plugin might have had the first two files. The third file is the project's, and only an edited
    // list contains it.
    let list = fs::read_to_string(project.join(LIST)).expect("it was installed");
    let other = format!("{LIBRARY}lib/Another/libnetclock.a");
    fs::write(project.join(LIST), format!("{list}Docs/Older/page.md\n{other}\n../../Game.uproject\n"))
        .expect("it is ours");
    for name in ["Docs/Older/page.md", &other, "Docs/notes.txt"] {
        let path = project.join(PLUGIN).join(name);
        fs::create_dir_all(path.parent().expect("it is below the plugin")).expect("it is ours");
        fs::write(path, "").expect("it is ours");
    }
    let printed = ok(&mut plugin(&project));
    assert!(printed.contains("page.md (removed: from an older plugin)"), "{printed}");
    let after = files(&project);
    assert!(after.contains_key(&format!("{PLUGIN}{other}")));
    assert!(after.contains_key("Game.uproject") && after.contains_key(&format!("{PLUGIN}Docs/notes.txt")));
    assert_eq!(after.len(), before.len() + 2, "the older page was not removed");
}

/// Links the library in the plugin's directory and loads it through the rpath, as Unreal's build does. On
/// Windows, the plugin's module loads the DLL instead.
#[cfg(not(windows))]
#[test]
fn a_program_links_and_loads_the_installed_library() {
    let project = project("plugin-linked");
    ok(&mut plugin(&project));
    let plugin = project.join(PLUGIN);
    let loaded = fs::read_dir(plugin.join(LOADED)).expect("it was installed").next().expect("one platform");
    let loaded = loaded.expect("it is readable").path();
    let platform = loaded.file_name().expect("it has a name");
    let linked = if cfg!(target_vendor = "apple") {
        loaded.join(env!("NETCLOCK_RUNTIME_NAME"))
    } else {
        plugin.join(LIBRARY).join("lib").join(platform).join("libnetclock.so")
    };
    let program = project.join("program");
    for compiler in Compiler::all("c99") {
        let mut command = compiler.command();
        command.arg(root().join("tests/packaging/consumer.c")).arg(&linked);
        command.arg(format!("-Wl,-rpath,{}", loaded.display())).arg("-o").arg(&program);
        ok(&mut command);
        let printed = ok(&mut Command::new(&program));
        assert!(printed.contains("server time 920"), "{}: {printed}", compiler.name());
    }
}

#[test]
fn a_module_can_be_left_out_and_added_again() {
    let project = project("plugin-without");
    ok(plugin(&project).args(["--without", "NetClockPeers", "--without", "NetClockLink"]));
    let found = files(&project);
    let of = |name: &str| found.keys().any(|it| it.starts_with(&format!("{PLUGIN}Source/{name}/")));
    assert!(of("NetClock") && of("NetClockGame") && !of("NetClockPeers") && !of("NetClockLink"));
    let descriptor = String::from_utf8_lossy(&found[&format!("{PLUGIN}NetClock.uplugin")]).into_owned();
    for (name, listed) in [("NetClockGame", true), ("NetClockPeers", false), ("NetClockLink", false)] {
        assert_eq!(descriptor.contains(&format!("\"{name}\"")), listed, "{name}");
    }
    let printed = ok(&mut plugin(&project));
    assert!(printed.contains("files written"), "{printed}");
    assert!(project.join(PLUGIN).join("Source/NetClockPeers/NetClockPeers.Build.cs").is_file());

    for (name, reason) in [("NetClock", "need NetClock"), ("NetClockAudio", "no module NetClockAudio")] {
        let refusal =
            run(plugin(&project).args(["--without", name])).expect_err("the module is required or unknown");
        assert!(refusal.contains(reason), "{refusal}");
    }
}

#[test]
fn other_directories_are_rejected() {
    let dir = scratch("plugin-refused");
    fs::create_dir(dir.join("game")).expect("the scratch directory is empty");
    fs::write(dir.join("game/Game.uproject.bak"), "{}").expect("it was just created");
    for (wrong, reason) in [
        ("game", ".uproject"),
        ("game/Game.uproject.bak", "is not a directory"),
        ("nowhere", "is not a directory"),
    ] {
        let refusal = run(&mut plugin(&dir.join(wrong))).expect_err("not a project");
        assert!(refusal.contains("error: ") && refusal.contains(reason), "{wrong}:\n{refusal}");
    }
    assert_eq!(files(&dir).len(), 1, "a rejected installation left files");
}

#[test]
fn files_of_others_are_never_replaced() {
    let project = project("plugin-foreign");
    fs::create_dir(project.join(PLUGIN)).expect("the project has no plugin");
    fs::write(project.join(PLUGIN).join("README.md"), "my notes").expect("it was just created");
    let before = files(&project);
    let refusal = run(&mut plugin(&project)).expect_err("the notes would be lost");
    assert!(refusal.contains("was not installed by this command"), "{refusal}");
    let mut sample = cargo();
    sample.args(["run", "--package", "xtask", "--", "plugin", "--sample"]).arg(&project);
    let refusal = run(&mut sample).expect_err("the project would be lost");
    assert!(refusal.contains("is not empty") && refusal.contains("--sample"), "{refusal}");
    assert!(files(&project) == before, "a rejected installation changed files");
}

fn project(name: &str) -> PathBuf {
    let dir = scratch(name);
    for file in ["Game.uproject", "Source/Game/Game.cpp", "Content/Map.umap", "Plugins/Other/Other.uplugin"] {
        let path = dir.join(file);
        fs::create_dir_all(path.parent().expect("it is below the project")).expect("it is ours");
        fs::write(path, format!("this is {file}\n")).expect("it is ours");
    }
    dir
}

fn plugin(project: &Path) -> Command {
    let mut command = cargo();
    command.args(["run", "--package", "xtask", "--", "plugin", "--project"]).arg(project);
    command
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let name =
        |path: &Path| path.strip_prefix(dir).expect("it is below").to_string_lossy().replace('\\', "/");
    let content = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    files_below(dir).iter().map(|path| (name(path), content(path))).collect()
}
