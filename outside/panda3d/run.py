"""Runs server, bad network and client for each row, and prints a table.

`cargo xtask outside --only panda3d` starts it. Ends with 1 if NetClock was outside its bound or went back. What the other clock does fails nothing.
"""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# Each with the settings of `lab impair`.
ROWS = {
    "local network": ["--both", "delay=0.3,jitter=0.1"],
    "home": ["--both", "delay=12,jitter=1,loss=1"],
    "random queue up": ["--both", "delay=25", "--up", "rate=625000,queue=156250,other=90"],
    "TCP queue up": ["--play", "real_up_before"],
    "TCP queues both ways": ["--play", "real_both_after"],
    "unequal ways": ["--play", "real_unequal"],
}
# How long a client may take beyond its seconds, to start and to end (s).
MARGIN_S = 60
LISTEN = "127.0.0.1"


def play(lab, settings, seconds, ports):
    """What the client prints, once all three have ended."""
    python = [sys.executable]
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    server = subprocess.Popen([*python, HERE / "server.py", str(ports[0])], **pipe)
    network = None
    try:
        # The engine prints lines of its own first.
        if not any(line.strip() == "ready" for line in server.stdout):
            sys.exit("the server did not start: see above")
        to = ["--listen", f"{LISTEN}:{ports[1]}", "--to", f"{LISTEN}:{ports[0]}"]
        network = subprocess.Popen([lab, "impair", *to, "--seed", "1", "--seconds", str(seconds + MARGIN_S),
                                    *settings], **pipe)
        if not network.stdout.readline():
            sys.exit("the bad network did not start: see above")
        client = subprocess.run([*python, HERE / "client.py", LISTEN, str(ports[1]), str(seconds)],
                                stdout=subprocess.PIPE, text=True, timeout=seconds + MARGIN_S)
        if client.returncode != 0:
            sys.exit("the client failed: see above")
        return json.loads(client.stdout.splitlines()[-1])
    finally:
        for started in (server, network):
            if started is not None:
                started.kill()
                started.wait()


def cells(name, clock, of):
    """One line of the table."""
    def three(values):
        return " / ".join(f"{value:.2f}" for value in values)
    outside = 100 * of["outside"] / of["frames"]
    return (f"| {name} | {clock} | {three(of['error_ms'])} | {three(of['bound_ms'])} | {outside:.1f} % "
            f"| {of['back']} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--row", action="append", choices=list(ROWS))
    parser.add_argument("--port", type=int, default=47_130)
    arguments = parser.parse_args()
    figures = "p50 / p99 / worst (ms)"
    print(f"| network | clock | error {figures} | stated {figures} | outside | back |")
    print("|---|---|---|---|---|---|")
    failed = []
    for name in arguments.row or ROWS:
        ports = (arguments.port, arguments.port + 1)
        result = play(arguments.lab, ROWS[name], arguments.seconds, ports)
        for clock in ("theirs", "ours"):
            if result[clock]["frames"] == 0:
                sys.exit(f"{name}: no clock was synchronised within {arguments.seconds} s")
        print(cells(name, "ClockDelta", result["theirs"]))
        print(cells(name, "NetClock", result["ours"]), flush=True)
        if result["ours"]["outside"] or result["ours"]["back"]:
            failed.append(name)
    if failed:
        sys.exit(f"NetClock was outside its bound or went back: {', '.join(failed)}")


main()
