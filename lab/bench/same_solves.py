#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Whether two osi-cuda programs solve alike, bit for bit: after a change that should move nothing.

    lab/bench/same_solves.py BEFORE AFTER FOLDER [--traces]

FOLDER holds problems in the folders netlib, netlib-infeasible, hard and claims. Each of 56 is solved
by both programs with both algorithms, with perturbation on and automatic, on one thread of the
processor; with --traces 20 of them once more with default options, and all events are compared but
for their seconds. Prints what differs; exit status 1 then.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

KEYS = ["status", "message", "iterations", "phase1_iterations", "objective", "objective_lower",
        "objective_upper", "residuals", "proof", "margin", "engine", "algorithm", "pricing", "notices"]
SECONDS = {"seconds", "took", "expected_seconds"}
NEW_KINDS = {"placement", "method"}  # of programs since the plan has two parts


def problems(folder, counts):
    """The smallest files of each of the folders."""
    for name, count in counts:
        files = [f for f in (folder / name).iterdir()
                 if f.name.endswith((".mps", ".mps.gz", ".lp", ".lp.gz"))]
        yield from sorted(files, key=lambda f: (f.stat().st_size, f.name))[:count]


def run(program, file, options):
    words = [program, "solve", str(file), "--json", "--time-limit", "60", *options]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"status": f"exit status {done.returncode}: {done.stderr.strip()[-200:]}"}


def events(program, file, folder, number):
    path = pathlib.Path(folder) / f"{number}.jsonl"
    answer = run(program, file, ["--threads", "1", "--trace", str(path)])
    told = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return answer, [{key: value for key, value in event.items() if key not in SECONDS}
                    for event in told if event.get("event", event.get("kind")) not in NEW_KINDS]


def without_seconds(notices):
    """Notices that name no time."""
    return [text for text in notices or [] if not text.endswith(" s") and " s (" not in text]


def differences(one, other):
    for key in KEYS:
        a, b = one.get(key), other.get(key)
        if key == "notices":
            a, b = without_seconds(a), without_seconds(b)
        if a != b:
            yield f"{key}: {a} / {b}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--traces", action="store_true", help="compare traces of 20 solves instead")
    arguments = parser.parse_args()
    solves = found = 0

    def say(file, options, told):
        nonlocal found
        for sentence in told:
            found += 1
            print(f"{file.name} {' '.join(options)}: {sentence}", flush=True)

    if arguments.traces:
        with tempfile.TemporaryDirectory() as folder:
            for file in problems(arguments.folder, [("netlib", 14), ("netlib-infeasible", 3), ("hard", 3)]):
                one, before = events(arguments.before, file, folder, 0)
                other, after = events(arguments.after, file, folder, 1)
                solves += 1
                say(file, [], differences(one, other))
                say(file, [], (f"event {k}: {a} / {b}" for k, (a, b) in enumerate(zip(before, after))
                               if a != b))
                if len(before) != len(after):
                    say(file, [], [f"{len(before)} / {len(after)} events"])
    else:
        chosen = [("netlib", 34), ("netlib-infeasible", 8), ("hard", 9), ("claims", 5)]
        for file in problems(arguments.folder, chosen):
            for algorithm in "primal", "dual":
                for perturbation in "on", "auto":
                    options = ["--algorithm", algorithm, "--perturbation", perturbation]
                    words = [*options, "--engine", "host", "--threads", "1"]
                    solves += 1
                    say(file, options, differences(run(arguments.before, file, words),
                                                   run(arguments.after, file, words)))
    print(f"{solves} solves, {found} differences")
    return 1 if found or not solves else 0


if __name__ == "__main__":
    sys.exit(main())
