//! Tests the first-run script with stubs in place of the engine. The script must report each kind of failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::scratch;
use super::files::{files_below, here, in_its_folder, plugin, read, repositorys};
use super::tools::present;

const SCRIPT: &str = "Tools/first_run.py";

/// The time limit for steps that hang, in minutes. All other steps use the script's limits.
const SHORT: &str = "0.03";

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Each case lists the stub's behaviour, the outcome, the exit code, and lines that the file must contain.
#[cfg(not(windows))]
const CASES: &str = "\
passes | passed | 0 | build: passed | NetClock.Clock: passed | NetClock.Game: passed
    | NetClock.PlayInEditor.ListenServer: passed | 300 frames: off by 0.012 ms at most
    | stall in play: no test has it | travel in play: no test has it
    | LogInit: Engine Version: 5.6.1 | BUILD SUCCESSFUL
odd-exit | passed | 0 | NetClock.Clock: passed | newest settings: passed
newest-settings | newest settings | 18 | NetClock.Clock: passed | error C4840
    | newest settings: newest settings
compile-error-clang | compile error | 12 | unknown type name 'FNone' | NetClock.Clock: not tried
compile-error-msvc | compile error | 12 | error C2065: 'FNone'
compile-error-header-tool | compile error | 12 | A.h(7): Error: Unable to find
compile-error-linker | compile error | 12 | error LNK2019
build-fails | build failed | 13 | It ended with 1. | not a valid platform
build-leaves-nothing | build failed | 13 | no built plugin is there
build-hangs | time-out | 17 | build: time-out | NetClock.Clock: not tried
not-loaded | tests did not run | 14 | failed to load because module | No automation tests matched
no-report@NetClock.Game | tests did not run | 14 | NetClock.Game: tests did not run
foreign-report | tests did not run | 14 | The report has none of NetClock.Clock.
skipped@NetClock.Clock | tests did not run | 14 | NetClock.Clock.A thing.is so: NotRun
fails@NetClock.PlayInEditor.ListenServer | tests failed | 15 | NetClock.Clock: passed
    | NetClock.PlayInEditor.ListenServer: tests failed | Error: 300 frames
crash@NetClock.Clock | crash | 16 | Assertion failed: Clock | NetClock.Clock: crash
    | NetClock.Game: passed
killed@NetClock.Game | crash | 16 | The editor ended with -9.
hangs@NetClock.Clock | time-out | 17 | NetClock.Clock: time-out | NetClock.Game: passed | home ~
passes in an engine without an editor | no engine | 10 | There is no  | UnrealEditor-Cmd";

/// Windows cannot start a script in place of a program.
#[cfg(not(windows))]
#[test]
fn each_failure_of_a_first_run_is_reported() {
    if !present(&[PYTHON]) {
        return;
    }
    let place = scratch("first run");
    let (engine, copy) = (engine(&place), unpacked(&place));
    let cases = CASES.replace("\n    |", " |");
    assert_eq!(cases.lines().count(), 19);
    for (number, case) in cases.lines().enumerate() {
        let cells: Vec<&str> = case.split(" | ").collect();
        let [stub, outcome, code, lines @ ..] = &cells[..] else { panic!("{case}") };
        if stub.contains("without an editor") {
            fs::remove_file(engine.join(editor())).expect("the stub is there");
        }
        let (got, text) = first_run(&place.join(format!("{number}.txt")), &engine, &copy, stub);
        assert_eq!(got, code.parse().ok(), "{stub}: {text}");
        let starts = [format!("outcome: {outcome}\nexit code: {code}\nengine: "), "plugin: 0.1.0\n".into()];
        for line in starts.iter().map(String::as_str).chain(lines.iter().copied()) {
            assert!(text.contains(line), "{stub}: no `{line}` in\n{text}");
        }
        assert!(text.contains("5.6.1, changelist 42, ++UE5+Release-5.6\n"), "{stub}: {text}");
    }
    fs::remove_dir_all(copy.join("Binaries/ThirdParty")).expect("it was made");
    fs::write(engine.join(editor()), "").expect("the folder is there");
    let (got, text) = first_run(&place.join("library.txt"), &engine, &copy, "passes");
    assert_eq!((got, text.starts_with("outcome: no plugin\n")), (Some(11), true), "{text}");
}

/// Windows passes arguments as one string, so the editor expects quotes around each value.
#[test]
fn command_lines_are_quoted_for_the_system() {
    if !present(&[PYTHON]) {
        return;
    }
    let ask = "import first_run as it\n\
               given = ['C:/My Game/a.uproject', ('ExecCmds', 'Automation RunTests N;Quit'), '-unattended']\n\
               print(it.command_line('C:/U E/x.exe', given, True))\n\
               print(it.command_line('/ue/x', given, False)[2])";
    let output = Command::new(PYTHON)
        .args(["-B", "-c", ask])
        .current_dir(plugin().join("Tools"))
        .output()
        .expect("it was asked for its version");
    let printed = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    let windows =
        r#""C:/U E/x.exe" "C:/My Game/a.uproject" -ExecCmds="Automation RunTests N;Quit" -unattended"#;
    assert_eq!(printed, format!("{windows}\n-ExecCmds=Automation RunTests N;Quit\n"), "{output:?}");
}

/// The script writes a row of this table, so the columns must match.
#[test]
fn the_table_of_builds_is_empty_and_has_the_scripts_columns() {
    let page = read(&repositorys("NetClock").join("README.md"));
    let (_, part) = page.split_once("\n## Built by\n").expect("there is such a part");
    let rows: Vec<&str> = part.lines().filter(|line| line.starts_with('|')).collect();
    let script = read(&repositorys("NetClock").join(SCRIPT));
    let row = script.lines().find(|line| line.contains("f\"| {")).expect("the script writes a line");
    assert_eq!(row.matches('|').count(), rows[0].matches('|').count(), "{row}");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(part.contains(SCRIPT), "the page does not name the script");
}

#[cfg(not(windows))]
fn first_run(out: &Path, engine: &Path, plugin: &Path, stub: &str) -> (Option<i32>, String) {
    let mut command = Command::new(PYTHON);
    command.arg("-B").arg(plugin.join(SCRIPT)).arg(engine).arg("--out").arg(out).env("STUB", stub);
    let limit = match stub.split('@').next() {
        Some("build-hangs") => Some("--build-minutes"),
        Some("hangs") => Some("--test-minutes"),
        _ => None,
    };
    command.args(limit.map(|it| [it, SHORT]).into_iter().flatten());
    let output = command.output().expect("it was asked for its version");
    assert!(output.stderr.is_empty(), "{stub}: {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), read(out))
}

/// The engine's programs are symbolic links to the stub, because a program that was just written may not be
/// runnable yet.
#[cfg(not(windows))]
fn engine(place: &Path) -> PathBuf {
    let engine = place.join("engine");
    let build_tool = if cfg!(target_os = "macos") { "Mac/Build.sh" } else { "Linux/Build.sh" };
    let build_tool = format!("Engine/Build/BatchFiles/{build_tool}");
    for program in ["Engine/Build/BatchFiles/RunUAT.sh", &build_tool, editor()] {
        let path = in_its_folder(engine.join(program));
        std::os::unix::fs::symlink(here("first_run/stub.py"), path).expect("the scratch space is empty");
    }
    let version = r#"{ "MajorVersion": 5, "MinorVersion": 6, "PatchVersion": 1, "Changelist": 42,
        "BranchName": "++UE5+Release-5.6" }"#;
    fs::write(engine.join("Engine/Build/Build.version"), version).expect("the folder is there");
    engine
}

#[cfg(not(windows))]
fn editor() -> &'static str {
    if cfg!(target_os = "macos") {
        "Engine/Binaries/Mac/UnrealEditor-Cmd"
    } else {
        "Engine/Binaries/Linux/UnrealEditor-Cmd"
    }
}

/// The plugin's files have the same layout as in its zip, in a folder with a space in its name.
#[cfg(not(windows))]
fn unpacked(place: &Path) -> PathBuf {
    let copy = place.join("NetClock");
    for file in files_below(&plugin()) {
        let path = in_its_folder(copy.join(file.strip_prefix(plugin()).expect("it is below the plugin")));
        fs::copy(&file, path).expect("the scratch space is writable");
    }
    let loaded = ["Linux/libnetclock.so.1", "Mac/libnetclock.1.dylib"];
    let loaded = loaded.map(|it| format!("Binaries/ThirdParty/NetClockLibrary/{it}"));
    for file in ["Source/ThirdParty/NetClockLibrary/include/netclock/netclock.h", &loaded[0], &loaded[1]] {
        fs::write(in_its_folder(copy.join(file)), "").expect("the folder is there");
    }
    copy
}
