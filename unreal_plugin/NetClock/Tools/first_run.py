# Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

"""Builds this plugin with an engine, runs its automation tests, and writes the result to a file.

    python3 first_run.py ENGINE

ENGINE is the directory that contains `Engine`. The plugin is the one that this script is in. The script does
not change the plugin or your projects, because the build and a project for the tests go into a temporary
directory. The file starts with the outcome, which is also the exit code. The script requires Python 3.8 or
newer, which comes with Unreal in `Engine/Binaries/ThirdParty/Python3`.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PLUGIN = Path(__file__).resolve().parent.parent

# The outcomes and their exit codes. argparse uses 2 itself.
CODES = {
    "passed": 0,
    "no engine": 10,
    "no plugin": 11,
    "compile error": 12,
    "build failed": 13,
    "tests did not run": 14,
    "tests failed": 15,
    "crash": 16,
    "time-out": 17,
    "newest settings": 18,
}

# For each system, by its Python name: Unreal's name for the platform, the automation tool, the build tool,
# and the editors without a window. The first editor that exists is used.
MAC_EDITORS = ["UnrealEditor-Cmd", "UnrealEditor.app/Contents/MacOS/UnrealEditor"]
SYSTEMS = {
    "Windows": ("Win64", "RunUAT.bat", "Build.bat", ["UnrealEditor-Cmd.exe"]),
    "Linux": ("Linux", "RunUAT.sh", "Linux/Build.sh", ["UnrealEditor-Cmd", "UnrealEditor"]),
    "Darwin": ("Mac", "RunUAT.sh", "Mac/Build.sh", MAC_EDITORS),
}

# The folder that contains the library, which the build requires.
HEADER = "Source/ThirdParty/NetClockLibrary/include/netclock/netclock.h"
LOADED = "Binaries/ThirdParty/NetClockLibrary"

# A level that every engine includes. The level in which the editor starts is an unnamed template.
LEVEL = "/Engine/Maps/Entry"

# The sources of a project that uses the newest build settings, by their paths in Source.
NEWEST = {
    "NetClockNewestEditor.Target.cs": """using UnrealBuildTool;
public class NetClockNewestEditorTarget : TargetRules
{
	public NetClockNewestEditorTarget(TargetInfo Target) : base(Target)
	{
		Type = TargetType.Editor;
		DefaultBuildSettings = BuildSettingsVersion.Latest;
		IncludeOrderVersion = EngineIncludeOrderVersion.Latest;
		ExtraModuleNames.Add("NetClockNewest");
	}
}
""",
    "NetClockNewest/NetClockNewest.Build.cs": """using UnrealBuildTool;
public class NetClockNewest : ModuleRules
{
	public NetClockNewest(ReadOnlyTargetRules Target) : base(Target)
	{
		PublicDependencyModuleNames.AddRange(new string[] { "Core", "NetClock" });
	}
}
""",
    "NetClockNewest/NetClockNewest.cpp": """#include "Modules/ModuleManager.h"
IMPLEMENT_PRIMARY_GAME_MODULE(FDefaultGameModuleImpl, NetClockNewest, "NetClockNewest");
""",
}

# The gameplay situations that testers ask about, and the words in the names of their tests.
PLAYED = {"join": "PlayInEditor", "stall": "Stall", "travel": "Travel"}

# The names of the tests in the plugin's sources.
REGISTERED = re.compile(r'(?:BEGIN_DEFINE_SPEC|IMPLEMENT_SIMPLE_AUTOMATION_TEST)\(\w+, "([\w.]+)"')

# A linker's error, or "error" after a file and line number, as written by compilers and Unreal Header Tool.
COMPILE_ERROR = re.compile(
    r"(\(\d+(,\d+)?\)|:\d+(:\d+)?)\s?: (fatal )?error\b|error LNK\d+|\bld(\.lld)?: error", re.I
)

BUILD_ERROR = re.compile(r"\berror\b|BUILD FAILED|exception", re.I)

CRASH = re.compile(
    r"=== Critical error: ===|Assertion failed:|Fatal error[:!]|Unhandled Exception|Signal \d+ caught"
)

# Lines that explain why there are no tests or why a test failed.
TEST_ERROR = re.compile(
    r"No automation tests matched|(failed|could not|unable) .*\bNetClock"
    r"|LogNetClock\w*: (Warning|Error)|LogAutomation\w*: Error",
    re.I,
)

# The maximum number of lines that the summary quotes from each log. The whole log follows the summary.
QUOTED = 12

# The smallest exit code of a crashed program on Windows (an NTSTATUS of severity "error").
WINDOWS_CRASH = 0xC0000000


class Step:
    """A program that was run, and its outcome."""

    def __init__(self, name, outcome, details=(), log=""):
        self.name, self.outcome, self.details, self.log = name, outcome, list(details), log


def command_line(program, arguments, windows):
    """Returns the command to start. An argument is a text, or a name and a value.

    The editor on Windows reads its command line as one text, in which only the value is quoted.
    """
    joined = [it if isinstance(it, str) else f"-{it[0]}={it[1]}" for it in arguments]
    if not windows:
        return [str(program)] + joined
    quoted = [f'"{it}"' if isinstance(it, str) and " " in it else it for it in arguments]
    quoted = [it if isinstance(it, str) else f'-{it[0]}="{it[1]}"' for it in quoted]
    return " ".join([f'"{program}"'] + quoted)


def run(program, arguments, output, minutes):
    """Returns the exit code, or None if the process ran too long and was killed along with its children."""
    windows = os.name == "nt"
    with open(output, "wb") as file:
        child = subprocess.Popen(
            command_line(program, arguments, windows),
            stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=not windows,
        )
        try:
            return child.wait(minutes * 60)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if child.poll() is None:
                end(child, windows)


def end(child, windows):
    if windows:
        subprocess.call(["taskkill", "/PID", str(child.pid), "/T", "/F"], stdout=subprocess.DEVNULL)
    else:
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def read(path):
    return path.read_text(encoding="utf-8-sig", errors="replace") if path.is_file() else ""


def quote(log, pattern):
    """Returns the lines of a log that match the pattern, each once."""
    found = [line.strip() for line in log.splitlines() if pattern.search(line)]
    return list(dict.fromkeys(found))[:QUOTED]


def build(uat, package, target, minutes):
    """Builds the plugin for the editor and for games, without a project and with strict includes."""
    output = package.with_name("build.log")
    arguments = ["BuildPlugin", ("Plugin", PLUGIN / "NetClock.uplugin"), ("Package", package)]
    arguments += [("TargetPlatforms", target), "-Rocket", "-StrictIncludes"]
    code = run(uat, arguments, output, minutes)
    log = read(output)
    if code is None:
        return Step("build", "time-out", [f"It took more than {minutes:g} minutes."], log)
    errors = quote(log, COMPILE_ERROR)
    if code != 0 and errors:
        return Step("build", "compile error", errors, log)
    if code != 0:
        return Step("build", "build failed", [f"It ended with {code}."] + quote(log, BUILD_ERROR), log)
    if not (package / "NetClock.uplugin").is_file() or not any(package.glob("Binaries/*/*-NetClock*")):
        return Step("build", "build failed", ["It ended well, but no built plugin is there."], log)
    return Step("build", "passed", [], log)


def build_newest(build_tool, folder, unreals, minutes):
    """Builds the plugin's sources in a project with the newest, stricter build settings."""
    project = make_project(folder, PLUGIN, [{"Name": "NetClockNewest", "Type": "Runtime"}])
    for path, text in NEWEST.items():
        (folder / "Source" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "Source" / path).write_text(text, encoding="utf-8")
    output = folder / "build.log"
    arguments = ["NetClockNewestEditor", unreals, "Development", ("Project", project), "-WaitMutex"]
    code = run(build_tool, arguments, output, minutes)
    log = read(output)
    if code == 0:
        return Step("newest settings", "passed", [], log)
    reason = "It took too long." if code is None else f"It ended with {code}."
    return Step("newest settings", "newest settings", [reason] + quote(log, COMPILE_ERROR), log)


def make_project(folder, plugin, modules=()):
    """Creates a project with the plugin, and with C++ modules if there are any."""
    shutil.copytree(plugin, folder / "Plugins/NetClock")
    project = folder / "NetClockFirstRun.uproject"
    said = {"FileVersion": 3, "Modules": list(modules), "Plugins": [{"Name": "NetClock", "Enabled": True}]}
    project.write_text(json.dumps(said), encoding="utf-8")
    return project


def test(editor, project, name, work, minutes):
    """Runs the tests with one name in a separate editor, so that a crash does not hide the other tests."""
    report, log_file, output = work / name, work / f"{name}.log", work / f"{name}.out"
    arguments = [
        str(project), LEVEL, ("ExecCmds", f"Automation RunTests {name};Quit"),
        ("TestExit", "Automation Test Queue Empty"), ("ReportExportPath", report), ("abslog", log_file),
        "-unattended", "-nopause", "-nosplash", "-nosound", "-nullrhi",
    ]
    code = run(editor, arguments, output, minutes)
    log = read(log_file) or read(output)
    crash = quote(log + "\n" + read(output), CRASH)
    if code is None:
        return Step(name, "time-out", [f"It took more than {minutes:g} minutes."] + crash, log)
    if crash or code < 0 or code >= WINDOWS_CRASH:
        return Step(name, "crash", [f"The editor ended with {code}."] + crash, log)
    outcome, details = judge(report / "index.json", name)
    if outcome != "passed":
        details += [f"The editor ended with {code}."] + quote(log, TEST_ERROR)
    return Step(name, outcome, details, log)


def judge(index, name):
    """Judges the report rather than the exit code, because some versions fail with tests that have passed."""
    try:
        tests = json.loads(read(index))["tests"]
        found = {it["fullTestPath"]: it for it in tests if (it["fullTestPath"] + ".").startswith(name + ".")}
        states = {path: it["state"] for path, it in found.items()}
    except (ValueError, KeyError, TypeError) as error:
        return "tests did not run", [f"There is no report that can be read: {error!r}"]
    failed = [path for path, state in states.items() if state == "Fail"]
    if failed:
        return "tests failed", [line for path in failed for line in [path] + messages(found[path])]
    missed = [f"{path}: {state}" for path, state in states.items() if not state.startswith("Success")]
    if missed or not states:
        return "tests did not run", missed or [f"The report has none of {name}."]
    return "passed", [f"{len(states)} passed."] + [line for it in found.values() for line in messages(it)]


def messages(test):
    events = [entry.get("event", {}) for entry in test.get("entries", [])]
    said = [event for event in events if event.get("message")]
    return [f"  {event.get('type')}: {event['message']}" for event in said][:QUOTED]


def registered():
    names = {name for source in PLUGIN.glob("Source/**/*.cpp") for name in REGISTERED.findall(read(source))}
    # Tests that do not play come first, because they are the fastest.
    return sorted(names, key=lambda name: (PLAYED["join"] in name, name))


def engine_version(engine):
    try:
        said = json.loads(read(engine / "Engine/Build/Build.version"))
        number = ".".join(str(said[part]) for part in ("MajorVersion", "MinorVersion", "PatchVersion"))
        return f"{number}, changelist {said.get('Changelist')}, {said.get('BranchName')}"
    except (ValueError, KeyError):
        return "unknown"


def first_run(options, work):
    """Runs all steps, up to the first failure that prevents the rest."""
    engine = Path(options.engine).resolve()
    unreals, uat, build_tool, editors = SYSTEMS[platform.system()]
    uat, build_tool = (engine / "Engine/Build/BatchFiles" / it for it in (uat, build_tool))
    editors = [engine / "Engine/Binaries" / unreals / editor for editor in editors]
    editor = next((it for it in editors if it.is_file()), editors[0])
    missing = [f"There is no {it}." for it in (uat, editor) if not it.is_file()]
    if missing:
        return [Step("engine", "no engine", missing)]
    needed = ["NetClock.uplugin", HEADER, f"{LOADED}/{unreals}"]
    missing = [f"There is no {it}: take the plugin's zip." for it in needed if not (PLUGIN / it).exists()]
    names = registered()
    if missing or not names:
        return [Step("plugin", "no plugin", missing or ["Its sources have no tests."])]
    try:
        target = options.target_platforms or unreals
        steps = [build(uat, work / "Package", target, options.build_minutes)]
        if steps[0].outcome == "passed":
            project = make_project(work / "Project", work / "Package")
            steps += [test(editor, project, name, work, options.test_minutes) for name in names]
            # This step comes last, so that it only determines the outcome if everything else has passed.
            steps.append(build_newest(build_tool, work / "Newest", unreals, options.build_minutes))
        return steps
    except PermissionError as error:
        return [Step("engine", "no engine", [f"It cannot be started: {error}"])]


def summary(steps, options):
    """Returns the outcome and the text for the file."""
    try:
        version = json.loads(read(PLUGIN / "NetClock.uplugin"))["VersionName"]
    except (ValueError, KeyError):
        version = "unknown"
    engine = engine_version(Path(options.engine))
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    outcome = next((step.outcome for step in steps if step.outcome != "passed"), "passed")
    day = datetime.date.today().isoformat()
    lines = [f"outcome: {outcome}", f"exit code: {CODES[outcome]}", f"engine: {engine}", f"plugin: {version}"]
    lines += [f"system: {system}", f"day: {day}", ""]
    for step in steps:
        lines += [f"{step.name}: {step.outcome}"] + [f"    {line}" for line in step.details]
    ran = {step.name for step in steps}
    for name in registered():
        lines += [] if name in ran else [f"{name}: not tried"]
    for what, word in PLAYED.items():
        has = [name for name in registered() if word in name]
        lines.append(f"{what} in play: {', '.join(has) or 'no test has it; by hand, as in Docs/testing.md'}")
    lines += ["", "The line for the table \"Built by\" of README.md, with your name if you want it there:"]
    lines += [f"| {engine.split(',')[0]} | {system} | {version} | {outcome} | {day} | |"]
    for step in steps:
        lines += ["", f"---- log: {step.name}", step.log.rstrip()]
    # Keep the user's name out of the file.
    return outcome, "\n".join(lines).replace(str(Path.home()), "~") + "\n"


def main():
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("engine", help="the directory that contains the directory Engine")
    parser.add_argument("--out", default="netclock-first-run.txt", help="the file to write")
    parser.add_argument("--target-platforms", help="the platforms to build for, as Win64+Android")
    parser.add_argument("--build-minutes", type=float, default=90, help="time limit of each build")
    parser.add_argument("--test-minutes", type=float, default=20, help="time limit of each editor")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="netclock-")
    try:
        steps = first_run(options, Path(work).resolve())
    finally:
        # On Windows, a virus scanner may still have a file open, in which case part of the directory remains.
        shutil.rmtree(work, ignore_errors=True)
    outcome, text = summary(steps, options)
    Path(options.out).write_text(text, encoding="utf-8")
    print(f"{outcome}: see {options.out}")
    return CODES[outcome]


if __name__ == "__main__":
    sys.exit(main())
