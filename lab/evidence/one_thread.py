#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Processor seconds of LPs on one thread without a device: this solver, HiGHS and Clp.

usage: one_thread.py PROGRAM RESULTS.csv FILE... [--jobs N] [--limit SECONDS] [--repeats N] [--before PROGRAM] [--within SECONDS] [--run NAME]
       one_thread.py --table RESULTS.csv

User seconds, reading the file included, the least of the repeats. HiGHS runs through Python's module
highspy (its import does not count), Clp as the program `clp`; either is left out where it is missing. Their
status is `other answer` where it, or the optimum, is not that of `auto`, which is proved.
N processes run side by side (1 by default). Means are geometric, of seconds + 0.1, less 0.1. With --within
no run begins after so many seconds, and a file that lacks one is left out.
"""
import argparse
import concurrent.futures
import csv
import gzip
import json
import lzma
import math
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

FIELDS = ("set", "problem", "way", "seconds", "status", "objective", "iterations", "run")
OWN = {"auto": [], "dual": ["--algorithm", "dual"], "barrier": ["--algorithm", "barrier"]}
PROVED = {"optimal", "infeasible", "unbounded"}


def user(command, limit):
    """The exit's output and user seconds of a process, which is ended at the limit."""
    script = ("import resource,subprocess,sys\n"
              "p=subprocess.run(sys.argv[2:],stdout=subprocess.PIPE,stderr=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)\nsys.stdout.flush()\n"
              "sys.stdout.buffer.write(p.stdout)")
    done = subprocess.run([sys.executable, "-c", script, "", "timeout", str(4 * limit), *command], stdout=subprocess.PIPE)
    seconds, _, text = done.stdout.decode(errors="replace").partition("\n")
    return float(seconds), text


def own(program, file, words, limit):
    seconds, text = user([program, "solve", file, "--json", "--engine", "host", "--threads", "1",
                          "--time-limit", str(limit), *words], limit)
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {"status": "no answer"}
    return [seconds, answer.get("status"), answer.get("objective"), answer.get("iterations")]


def agreed(status, objective, proved, optimum):
    """The status, or that it is another answer than what was proved."""
    if status not in PROVED or proved not in PROVED:
        return status
    same = status == proved and (status != "optimal" or abs(float(objective) - float(optimum)) <= 1e-6 * (1.0 + abs(float(optimum))))
    return status if same else "other answer"


def maximised(file):
    """Whether an MPS file says so, which Clp passes over."""
    with open(file, "rb") as lines:
        return re.search(rb"^OBJSENSE\s+MAX", lines.read(4096), re.MULTILINE) is not None


def clp(file, limit, run=user):
    sense = ["-maximize"] if maximised(file) else []
    seconds, text = run(["clp", file, *sense, "-seconds", str(limit), "-solve", "-quit"], limit)[:2]
    for words, status in (("Optimal objective", "optimal"), ("PrimalInfeasible", "infeasible"), ("infeasible", "infeasible"),
                          ("DualInfeasible", "unbounded"), ("unbounded", "unbounded")):
        if words in text:
            break
    else:
        status = "no answer"
    found = re.search(r"Optimal objective\s+(\S+)\s+-\s+(\d+)", text)
    return [seconds, status, *(found.groups() if found else (None, None))]


def highs(file, solver, limit, threads=1, clock="resource.getrusage(resource.RUSAGE_SELF).ru_utime", patience=4):
    script = f"""
import highspy, resource, sys, time
h = highspy.Highs()
for name, value in (("output_flag", False), ("threads", {threads}), ("parallel", {"off" if threads == 1 else "choose"!r}),
                    ("solver", {solver!r}), ("time_limit", {float(limit)}), ("solve_relaxation", True)):
    if str(h.setOptionValue(name, value)) != "HighsStatus.kOk":
        sys.exit(3)
begin = {clock}
h.readModel({file!r})
h.run()
end = {clock}
info = h.getInfo()
print(end - begin, str(h.getModelStatus()).split(".k")[-1], info.objective_function_value,
      info.simplex_iteration_count + info.crossover_iteration_count)
"""
    done = subprocess.run(["timeout", str(patience * limit + 1), sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    words = done.stdout.split(b"\n")[-2].split() if done.returncode == 0 else []
    if len(words) != 4:
        return [patience * limit, "no answer", None, None]
    status = words[1].decode().lower()
    return [float(words[0]), "infeasible" if status == "unboundedorinfeasible" else status, words[2].decode(), words[3].decode()]


def unpacked(file, folder):
    kind = {".gz": gzip.open, ".xz": lzma.open}.get(pathlib.Path(file).suffix)
    if not kind:
        return file
    path = pathlib.Path(folder) / pathlib.Path(file).stem
    with kind(file, "rb") as packed, open(path, "wb") as plain:
        shutil.copyfileobj(packed, plain)
    return str(path)


def least(run, file, repeats, ends):
    return min((run(file) for _ in range(repeats)), key=lambda row: row[0]) if time.monotonic() < ends else None


def measure(arguments):
    ways = {name: (lambda f, w=words: own(arguments.program, f, w, arguments.limit)) for name, words in OWN.items()}
    if arguments.before:
        ways["before"] = lambda f: own(arguments.before, f, [], arguments.limit)
    try:
        import highspy  # noqa: F401
        for solver in ("simplex", "ipx"):
            ways["HiGHS " + solver] = lambda f, s=solver: highs(f, s, arguments.limit)
    except ImportError:
        print("one_thread: no highspy, HiGHS is left out", file=sys.stderr)
    if shutil.which("clp"):
        ways["Clp"] = lambda f: clp(f, arguments.limit)
    with tempfile.TemporaryDirectory() as folder, open(arguments.results, "w", newline="") as out, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        table = csv.writer(out)
        table.writerow(FIELDS)
        jobs, ends = [], time.monotonic() + arguments.within
        for file in sorted(arguments.files, key=lambda f: -pathlib.Path(f).stat().st_size):
            plain = unpacked(file, folder)
            name = pathlib.Path(file).name.split(".mps")[0]
            jobs += [(pathlib.Path(file).parent.name, name, way, pool.submit(least, run, plain, arguments.repeats, ends))
                     for way, run in ways.items()]
        left_out = {(group, name) for group, name, _, job in jobs if not job.result()}
        proved = {(group, name): job.result()[1:3] for group, name, way, job in jobs if way == "auto" and job.result()}
        for group, name, way, job in jobs:
            if (group, name) not in left_out:
                seconds, status, objective, iterations = job.result()
                status = status if way in OWN else agreed(status, objective, *proved[group, name])
                table.writerow([group, name, way, seconds, status, objective, iterations, arguments.run])


def shifted(values):
    return math.exp(sum(math.log(value + 0.1) for value in values) / len(values)) - 0.1


def print_table(file):
    seconds, optima = {}, {}
    with open(file, newline="") as rows:
        for row in csv.DictReader(rows):
            solved = row["status"] in PROVED
            seconds.setdefault(row["problem"], {})[row["way"]] = float(row["seconds"]) if solved else math.inf
            optima.setdefault(row["problem"], {})[row["way"]] = row["status"], row["objective"]
    ways = list(dict.fromkeys(way for runs in seconds.values() for way in runs))
    peers = [way for way in ways if way not in OWN and way != "before"]
    print("| problem | " + " | ".join(ways) + " | auto / best other |")
    print("|---|" + "---:|" * (len(ways) + 1))
    ratios = []
    for problem, runs in sorted(seconds.items(), key=lambda item: -item[1].get("auto", 0)):
        best = min((runs[way] for way in peers if way in runs), default=math.inf)
        ratios.append((runs["auto"] + 0.01) / (best + 0.01) if best < math.inf else math.nan)
        print(f"| {problem} | " + " | ".join(f"{runs.get(way, math.nan):.3f}" for way in ways) + f" | {ratios[-1]:.2f} |")
    both = [] if not peers else [runs for runs in seconds.values() if all(runs.get(way, math.inf) < math.inf for way in ("auto", *peers))]
    for title, chosen in (("all", both), ("0.1 s and more", [runs for runs in both if runs["auto"] >= 0.1])):
        if chosen:
            best = shifted([min(runs[way] for way in peers) for runs in chosen])
            means = ", ".join(f"{way} {shifted([runs[way] for runs in chosen if runs.get(way, math.inf) < math.inf]):.3f}"
                              for way in ways)
            print(f"\n{title}: {len(chosen)} problems, means: {means}; best of the others on each {best:.3f}")
    for problem, answers in optima.items():
        kinds = {status for status, _ in answers.values() if status in PROVED}
        if len(kinds) > 1:
            print(f"different statuses: {problem}: {answers}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("results", nargs="?")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--before")
    parser.add_argument("--within", type=float, default=math.inf, metavar="SECONDS")
    parser.add_argument("--run", default="", help="its name in runs.csv")
    if sys.argv[1:2] == ["--table"]:
        print_table(sys.argv[2])
        return
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
