"""Runs the server, the bad network and the client for each row, and prints a table.

`cargo xtask outside --only panda3d` starts this program. It exits with 1 if NetClock exceeded its bound or went
back, whatever the other clock did.
"""

import argparse
import multiprocessing
import subprocess
import sys

from client import follow
from server import serve

# Arguments for `lab impair`.
ROWS = {
    "local network": ["--both", "delay=0.3,jitter=0.1"],
    "home": ["--both", "delay=12,jitter=1,loss=1"],
    "random queue up": ["--both", "delay=25", "--up", "rate=625000,queue=156250,other=90"],
    "TCP queue up": ["--play", "real_up_before"],
    "TCP queues both ways": ["--play", "real_both_after"],
    "unequal ways": ["--play", "real_unequal"],
}
# A process may need this long to start and to end (s).
MARGIN_S = 60
LISTEN = "127.0.0.1"


def play(lab, settings, seconds, port):
    """Runs and judges both clocks. Each process has its own engine."""
    processes = multiprocessing.get_context("spawn")
    ready = processes.Event()
    server = processes.Process(target=serve, args=(port, ready), daemon=True)
    server.start()
    if not ready.wait(MARGIN_S):
        sys.exit("the server did not start: see above")
    network = subprocess.Popen([lab, "impair", "--listen", f"{LISTEN}:{port + 1}", "--to", f"{LISTEN}:{port}",
                                "--seed", "1", "--seconds", str(seconds + MARGIN_S), *settings],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        if not network.stdout.readline():
            sys.exit("the bad network did not start: see above")
        with processes.Pool(1) as pool:
            return pool.apply_async(follow, (LISTEN, port + 1, seconds)).get(seconds + MARGIN_S)
    finally:
        for started in (server, network):
            started.kill()
        server.join()
        network.wait()


def three(values):
    """Formats three quantiles in ms."""
    values = sorted(values)
    return " / ".join(f"{1e3 * values[int(share * (len(values) - 1))]:.2f}" for share in (0.5, 0.99, 1.0))


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
        clocks = play(arguments.lab, ROWS[name], arguments.seconds, arguments.port)
        if not clocks["NetClock"].errors:
            sys.exit(f"{name}: no clock was synchronised within {arguments.seconds} s")
        for clock, judged in clocks.items():
            outside = 100 * judged.outside / len(judged.errors)
            print(f"| {name} | {clock} | {three(judged.errors)} | {three(judged.bounds)} | {outside:.1f} % "
                  f"| {judged.back} |", flush=True)
        if clocks["NetClock"].outside or clocks["NetClock"].back:
            failed.append(name)
    if failed:
        sys.exit(f"NetClock was outside its bound or went back: {', '.join(failed)}")


# Child processes import this file, so it must not run anything then.
if __name__ == "__main__":
    main()
