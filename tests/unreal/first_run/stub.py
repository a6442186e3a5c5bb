#!/usr/bin/env python3
"""Stands in for RunUAT, for the build tool and for the editor without a window, by the name of the program.

It accepts the command lines of public pages, and rejects others. STUB selects what goes wrong: `WHAT`, or
`WHAT@NAME` for one test only.
"""

import json
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path

WHAT, _, WHERE = os.environ["STUB"].partition("@")
GIVEN = dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)
FLAGS = [argument for argument in sys.argv[1:] if "=" not in argument]
UNREALS = "Mac" if sys.platform == "darwin" else "Linux"
REGISTERED = re.compile(r'_DEFINE_SPEC\(\w+, "(NetClock[\w.]+)"|_AUTOMATION_TEST\(\w+, "(NetClock[\w.]+)"')


def runuat():
    assert FLAGS == ["BuildPlugin", "-Rocket", "-StrictIncludes"], FLAGS
    assert sorted(GIVEN) == ["-Package", "-Plugin", "-TargetPlatforms"], GIVEN
    plugin, package = Path(GIVEN["-Plugin"]), Path(GIVEN["-Package"])
    assert plugin.is_file() and plugin.suffix == ".uplugin" and not package.exists()
    print("Building plugin for host platforms: Linux")
    if WHAT == "build-hangs":
        time.sleep(3600)
    if WHAT.startswith("compile-error"):
        print({
            "compile-error-clang": f"{plugin.parent}/Source/A.cpp:12:5: error: unknown type name 'FNone'",
            "compile-error-msvc": "C:\\P\\A.cpp(12): error C2065: 'FNone': undeclared identifier",
            "compile-error-header-tool": "C:\\P\\A.h(7): Error: Unable to find 'class' with name 'FNone'",
            "compile-error-linker": "A.obj : error LNK2019: unresolved external symbol FNone",
        }[WHAT])
        print("BUILD FAILED")
        sys.exit(6)
    if WHAT == "build-fails":
        print("ERROR: Platform Linux is not a valid platform to build.")
        sys.exit(1)
    shutil.copytree(plugin.parent, package)
    if WHAT != "build-leaves-nothing":
        binaries = package / "Binaries/Linux"
        binaries.mkdir(parents=True)
        (binaries / "libUnrealEditor-NetClock.so").write_text("")
    print("BUILD SUCCESSFUL")


def build_tool():
    project = Path(GIVEN["-Project"])
    assert FLAGS == ["NetClockNewestEditor", UNREALS, "Development", "-WaitMutex"], FLAGS
    assert json.loads(project.read_text())["Modules"] == [{"Name": "NetClockNewest", "Type": "Runtime"}]
    assert (project.parent / "Plugins/NetClock/NetClock.uplugin").is_file()
    target = (project.parent / "Source/NetClockNewestEditor.Target.cs").read_text()
    assert "BuildSettingsVersion.Latest" in target
    if WHAT == "newest-settings":
        print("C:\\P\\A.cpp(12): error C4840: a format string that is checked when it is compiled")
        sys.exit(6)


def editor():
    project = Path(FLAGS[0])
    flags = ["/Engine/Maps/Entry", "-unattended", "-nopause", "-nosplash", "-nosound", "-nullrhi"]
    assert FLAGS[1:] == flags, FLAGS
    assert sorted(GIVEN) == ["-ExecCmds", "-ReportExportPath", "-TestExit", "-abslog"], GIVEN
    assert GIVEN["-TestExit"] == "Automation Test Queue Empty"
    assert json.loads(project.read_text())["Plugins"] == [{"Name": "NetClock", "Enabled": True}]
    plugin = project.parent / "Plugins/NetClock"
    assert any(plugin.glob("Binaries/*/*NetClock*"))
    wanted = re.fullmatch(r"Automation RunTests (NetClock[\w.]*);Quit", GIVEN["-ExecCmds"])[1]
    what = WHAT if WHERE in ("", wanted) else "passes"
    sources = [source.read_text(encoding="utf-8") for source in plugin.glob("Source/**/*.cpp")]
    names = ["".join(found) for source in sources for found in REGISTERED.findall(source)]
    # Like the engine, runs every test whose name contains this text, in registration order.
    tests = [name if "Play" in name else f"{name}.A thing.is so" for name in names if wanted in name]
    log(f"LogInit: Engine Version: 5.6.1-0+++UE5+Release-5.6, home {Path.home()}")
    if what == "hangs":
        time.sleep(3600)
    if what == "crash":
        log("LogLinux: Error: === Critical error: ===")
        log("Assertion failed: Clock [File:NetClockBackend.cpp] [Line: 12]")
        sys.exit(1)
    if what == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "not-loaded":
        tests = []
        log("LogPluginManager: Error: Plugin 'NetClock' failed to load because module 'NetClock' is missing.")
    if not tests:
        log(f"LogAutomationCommandLine: Error: No automation tests matched '{wanted}'")
    if what == "no-report":
        sys.exit(0)
    if what == "foreign-report":
        tests = [f"Other.{wanted}.A thing.is so"]
    state, event = {"fails": ("Fail", "Error"), "skipped": ("NotRun", "Info")}.get(what, ("Success", "Info"))
    entries = [{"event": {"type": event, "message": "300 frames: off by 0.012 ms at most"}}]
    report = {"tests": [{"fullTestPath": test, "state": state, "entries": entries} for test in tests]}
    folder = Path(GIVEN["-ReportExportPath"])
    folder.mkdir(parents=True)
    # The engine writes a byte-order mark.
    (folder / "index.json").write_text(json.dumps(report), encoding="utf-8-sig")
    log("LogAutomationCommandLine: Display: **** TEST COMPLETE ****")
    # Some versions exit with an error although the tests have passed.
    sys.exit(255 if what in ("fails", "odd-exit") else 0)


def log(line):
    with open(GIVEN["-abslog"], "a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    {"RunUAT.sh": runuat, "Build.sh": build_tool}.get(Path(sys.argv[0]).name, editor)()
