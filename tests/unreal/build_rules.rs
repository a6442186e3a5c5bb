//! Compiles the plugin's `Build.cs` files with mono against a stub of Unreal Build Tool. Runs them for each
//! kind of target, with a complete, an incomplete and a missing library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::scratch;
use super::files::{here, in_its_folder, printed_by, read, repositorys, root, sources};
use super::tools;

const PLUGIN: &str = "unreal_plugin/NetClock";
const LIBRARY: &str = "Source/ThirdParty/NetClockLibrary";
const LOADED: &str = "Binaries/ThirdParty/NetClockLibrary";

struct Demands {
    module: String,
    /// Platform, architectures, configuration, and `Editor` or `Game`.
    target: Vec<String>,
    lines: BTreeMap<String, Vec<String>>,
}

impl Demands {
    fn all(&self, key: &str) -> Vec<&str> {
        self.lines.get(key).map(|it| it.iter().map(String::as_str).collect()).unwrap_or_default()
    }

    fn platform(&self) -> (&str, &str) {
        (&self.target[0], &self.target[1])
    }
}

fn folders(platform: (&str, &str)) -> &'static [&'static str] {
    match platform {
        ("Win64", "x64") => &["Win64"],
        ("Linux", "x64") => &["Linux"],
        ("LinuxArm64", "arm64") => &["LinuxArm64"],
        ("Mac", _) => &["Mac"],
        ("IOS", "arm64") => &["IOS"],
        ("IOS", "iossimulator") => &["IOSSimulator"],
        ("Android", "arm64") => &["Android/arm64-v8a"],
        ("Android", "x64") => &["Android/x86_64"],
        // The extension in Run.cs adds this platform.
        ("AConsole", _) => &["AConsole"],
        ("Android", "x64+arm64") => &["Android/arm64-v8a", "Android/x86_64"],
        _ => &[],
    }
}

fn files(folder: &str) -> (&'static str, Option<&'static str>) {
    match folder {
        "Win64" => ("netclock.dll.lib", Some("netclock.dll")),
        "Linux" | "LinuxArm64" => ("libnetclock.so", Some("libnetclock.so.1")),
        "Mac" => ("libnetclock.1.dylib", Some("libnetclock.1.dylib")),
        _ => ("libnetclock.a", None),
    }
}

/// A library that was built without its link lacks this header.
const LINK: &str = "Source/ThirdParty/NetClockLibrary/include/netclock/netclock_link.h";
const HEADER: &str = "Source/ThirdParty/NetClockLibrary/include/netclock/netclock.h";

/// Apple requires a privacy manifest for static libraries.
const PRIVACY: &str =
    "Source/ThirdParty/NetClockLibrary/lib/IOS/NetClockPrivacy.bundle/PrivacyInfo.xcprivacy";

const FOLDERS: &str = "AConsole Win64 Linux LinuxArm64 Mac IOS IOSSimulator Android/arm64-v8a Android/x86_64";

#[test]
fn every_target_gets_its_library_or_a_reason() {
    let Some(rules) = rules("build-rules") else { return };
    let place = scratch("build-rules");
    let everything: BTreeSet<String> = FOLDERS.split(' ').flat_map(paths).collect();
    let full = plugin(&place.join("full"), &everything);
    let zip = everything.iter().filter(|it| !it.contains("AConsole")).cloned().chain([PRIVACY.to_owned()]);
    let zip: BTreeSet<String> = zip.collect();
    let packed = plugin(&place.join("packed"), &zip);
    let bare = place.join("bare");
    judge(&rules, &full, &everything);
    judge(&rules, &packed, &zip);
    judge(&rules, &bare, &BTreeSet::new());
    // In each case, one file is missing, either a header or a platform's library.
    for missing in [HEADER, LINK].into_iter().chain(everything.iter().map(String::as_str)) {
        let file = full.join(missing);
        fs::remove_file(&file).expect("it was just written");
        let rest = everything.iter().filter(|it| *it != missing && missing != HEADER);
        judge(&rules, &full, &rest.cloned().collect());
        fs::write(&file, "").expect("it was there");
    }
}

#[test]
fn modules_list_their_dependencies_and_use_no_private_folders() {
    let Some(rules) = rules("build-dependencies") else { return };
    let all = ask(&rules, &root().join(PLUGIN));
    // The sample must build as a game, as a dedicated server and in the editor.
    let targets = all.iter().filter(|it| it.target.is_empty());
    let targets: Vec<(&str, Vec<&str>)> =
        targets.map(|it| (it.module.as_str(), [it.all("Type"), it.all("builds")].concat())).collect();
    let wanted = [
        ("NetClockSampleTarget", vec!["Game", "NetClockSample"]),
        ("NetClockSampleServerTarget", vec!["Server", "NetClockSample"]),
        ("NetClockSampleEditorTarget", vec!["Editor", "NetClockSample"]),
    ];
    assert_eq!(targets, wanted);
    let all: Vec<Demands> = all.into_iter().filter(|it| !it.target.is_empty()).collect();
    for demands in all.iter().filter(|it| it.module != "NetClockLibrary") {
        let (module, target) = (&demands.module, &demands.target);
        assert_eq!(demands.all("Type"), ["CPlusPlus"], "{module}");
        assert_eq!(demands.all("bUseUnity"), ["False"], "{module} only compiles as a unity build");
        let own = root().join(PLUGIN).join("Source").join(module).join("Private");
        for dir in demands.all("PrivateIncludePaths") {
            assert_eq!(Path::new(dir), own, "{module} includes another module's private headers");
        }
        let depends = ["PublicDependencyModuleNames", "PrivateDependencyModuleNames"];
        let depends: BTreeSet<&str> = depends.iter().flat_map(|key| demands.all(key)).collect();
        let more: &[&str] = match module.as_str() {
            "NetClock" => &["DeveloperSettings", "Projects", "NetClockLibrary"],
            "NetClockGame" | "NetClockLink" => &["DeveloperSettings", "NetClock", "NetClockLibrary"],
            "NetClockPeers" => &["NetClock", "NetClockLibrary"],
            "NetClockGAS" => &["GameplayAbilities", "GameplayTags", "GameplayTasks", "NetClock"],
            "NetClockSample" => &["InputCore", "NetClock", "NetClockGame"],
            "NetClockDebug" => &["NetClock", "NetClockLibrary", "RenderCore", "RHI"],
            _ => &["NetClock", "NetClockGame", "NetClockPeers", "UnrealEd"],
        };
        let wanted: BTreeSet<&str> = ["Core", "CoreUObject", "Engine"].iter().chain(more).copied().collect();
        assert_eq!(depends, wanted, "{module} for {target:?}");
    }
}

/// This test does not need mono.
#[test]
fn the_module_loads_the_dll_from_where_build_cs_stages_it() {
    let folder = format!("{PLUGIN}/{LIBRARY}");
    let rules = read(&root().join(&folder).join("NetClockLibrary.Build.cs"));
    let loads = read(&root().join(PLUGIN).join("Source/NetClock/Private/NetClockModule.cpp"));
    // Searches for the marks in order, and returns the quoted string that follows.
    let quoted = |text: &str, marks: &[&str]| -> String {
        let skip = |rest, mark| str::split_once(rest, mark).unwrap_or_else(|| panic!("there is no {mark}")).1;
        let rest = marks.iter().copied().chain(["\""]).fold(text, skip);
        rest.split('"').next().unwrap_or_default().to_owned()
    };
    assert!(rules.contains("PluginDirectory, \"Binaries\", \"ThirdParty\", \"NetClockLibrary\", Folder"));
    let name = quoted(&rules, &["Shared =", "UnrealTargetPlatform.Win64"]);
    let loaded = quoted(&loads, &["const FString File", "TEXT"]);
    assert_eq!(loaded, format!("{LOADED}/Win64/{name}"));
}

/// `there` contains those files of the library that exist.
fn judge(rules: &Path, plugin: &Path, there: &BTreeSet<String>) {
    let has_header = plugin.join(HEADER).exists();
    let mut reported: BTreeSet<(String, String)> = BTreeSet::new();
    let all = ask(rules, plugin);
    let all: Vec<&Demands> = all.iter().filter(|it| it.module == "NetClockLibrary").collect();
    assert!(all.len() > 100, "{} targets", all.len());
    for demands in all {
        let platform = demands.platform();
        let place = format!("{:?} in {}", demands.target, plugin.display());
        let wanted = folders(platform);
        let complete = wanted.iter().all(|folder| paths(folder).iter().all(|path| there.contains(path)));
        let found = has_header && !wanted.is_empty() && complete;
        let path = |rest: &str| plugin.join(rest).to_string_lossy().into_owned();
        let each = |pick: &dyn Fn(&str) -> Option<String>| -> Vec<String> {
            if found { wanted.iter().filter_map(|folder| pick(folder)).collect() } else { Vec::new() }
        };
        assert_eq!(demands.all("Type"), ["External"], "{place}");
        let link = found && plugin.join(LINK).exists();
        let defines = [("LIBRARY", found), ("LINK", link)];
        let defines = defines.map(|(name, is)| format!("WITH_NETCLOCK_{name}={}", u32::from(is)));
        assert_eq!(demands.all("PublicDefinitions"), defines, "{place}");
        assert_eq!(demands.all("PublicAdditionalLibraries"), each(&|it| Some(path(&linked(it)))), "{place}");
        assert_eq!(demands.all("RuntimeDependencies"), each(&|it| loaded(it).map(|it| path(&it))), "{place}");
        assert_eq!(
            demands.all("PublicDelayLoadDLLs"),
            each(&|it| (it == "Win64").then(|| "netclock.dll".to_owned())),
            "{place}"
        );
        let by_run_path = |it: &str| it.starts_with("Linux") || it == "Mac";
        assert_eq!(
            demands.all("PublicRuntimeLibraryPaths"),
            each(&|it| by_run_path(it).then(|| path(&format!("{LOADED}/{it}")))),
            "{place}"
        );
        // Only iOS targets use the bundle, and only if it exists.
        let bundles = platform.0 == "IOS" && found && plugin.join(PRIVACY).exists();
        let bundle = path(PRIVACY.trim_end_matches("/PrivacyInfo.xcprivacy"));
        assert_eq!(
            demands.all("AdditionalBundleResources"),
            if bundles { vec![bundle] } else { Vec::new() },
            "{place}"
        );
        let include = |name: &str| path(&format!("{LIBRARY}/{name}"));
        let include = [Some(include("null")), found.then(|| include("include"))];
        let include: Vec<String> = include.into_iter().flatten().collect();
        assert_eq!(demands.all("PublicSystemIncludePaths"), include, "{place}");

        // Unreal Build Tool must run again when one of these files appears or disappears.
        let mut tested: BTreeSet<String> =
            wanted.iter().flat_map(|it| paths(it)).map(|it| path(&it)).collect();
        tested.insert(path(HEADER));
        tested.extend((platform.0 == "IOS" && found).then(|| path(PRIVACY)));
        tested.extend(found.then(|| path(LINK)));
        let asked: BTreeSet<String> =
            demands.all("ExternalDependencies").into_iter().map(str::to_owned).collect();
        assert_eq!(asked, tested, "{place}");

        // A target prints an error only for its first configuration.
        let lines = demands.all("said");
        let kind = (platform.0.to_owned(), platform.1.to_owned());
        if found {
            assert!(lines.is_empty(), "{place}: {lines:?}");
        } else if lines.is_empty() {
            assert!(reported.contains(&kind), "{place}: the missing library is not reported");
        } else {
            assert_eq!(lines.len(), 1, "{place}: {lines:?}");
            let line = lines[0];
            assert!(line.contains("NetClock") && line.contains(platform.0), "{place}: {line}");
            assert!(line.contains("engine's clock"), "{place}: {line} does not state the consequence");
            let paths = wanted.iter().flat_map(|folder| paths(folder));
            let first = paths.filter(|it| !there.contains(it)).map(|it| path(&it)).next();
            let first = if has_header { first } else { Some(path(HEADER)) };
            let why = if wanted.is_empty() { "no library for".to_owned() } else { first.unwrap_or_default() };
            assert!(line.contains(&why), "{place}: {line} does not name {why}");
            reported.insert(kind);
        }
    }
}

fn loaded(folder: &str) -> Option<String> {
    files(folder).1.map(|name| format!("{LOADED}/{folder}/{name}"))
}

/// Returns the path of the file for the linker, relative to the plugin's folder. On macOS, games also load
/// this file.
fn linked(folder: &str) -> String {
    let (linked, is_loaded) = (files(folder).0, files(folder).1 == Some(files(folder).0));
    let place = if is_loaded { LOADED.to_owned() } else { format!("{LIBRARY}/lib") };
    format!("{place}/{folder}/{linked}")
}

fn paths(folder: &str) -> Vec<String> {
    let mut paths = vec![linked(folder)];
    paths.extend(loaded(folder).filter(|it| *it != paths[0]));
    paths
}

/// Creates empty files, because the rules only check whether they exist.
fn plugin(dir: &Path, files: &BTreeSet<String>) -> PathBuf {
    for file in files.iter().map(String::as_str).chain([HEADER, LINK]) {
        fs::write(in_its_folder(dir.join(file)), "").expect("it is ours");
    }
    dir.to_owned()
}

fn rules(name: &str) -> Option<PathBuf> {
    if !tools::present(&["mcs", "mono"]) {
        return None;
    }
    let program = scratch(&format!("{name}-program")).join("rules.exe");
    let mut code = sources(&here("build_rules"), &["cs"]);
    for folder in ["NetClock", "NetClockGAS", "Sample"] {
        code.extend(sources(&repositorys(folder), &["cs"]));
    }
    let mut compile = Command::new("mcs");
    compile.args(["-warnaserror", &format!("-out:{}", program.display())]).args(&code);
    printed_by(&mut compile);
    Some(program)
}

fn ask(rules: &Path, plugin: &Path) -> Vec<Demands> {
    let mut all: Vec<Demands> = Vec::new();
    for line in printed_by(Command::new("mono").arg(rules).arg(plugin)).lines() {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        if key == "module" {
            let mut words = value.split(' ').map(str::to_owned);
            let module = words.next().unwrap_or_default();
            all.push(Demands { module, target: words.collect(), lines: BTreeMap::new() });
        } else if let Some(last) = all.last_mut() {
            last.lines.entry(key.to_owned()).or_default().push(value.to_owned());
        }
    }
    all
}
