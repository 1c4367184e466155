#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Wall seconds of `osi-cuda solve FILE` as it chooses by itself, beside each single method of its own.

usage: auto_ways.py PROGRAM RESULTS.csv FILE... [--limit SECONDS] [--within SECONDS] [--repeats N]
                    [--before PROGRAM]
       auto_ways.py --table RESULTS.csv [LATER.csv]

Each run is a process of its own: reading the file and opening a device count. `--before` runs an
older program's own choice in turns with the new one's; `--within` begins no run after so many seconds.
The table has the least seconds of the repeats; a run without a proved status counts as slower than
any other, and problems without any proof are left out of the means.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import time

WAYS = {"auto": [], "one method": ["--race", "off"]}
WAYS |= {f"{engine} {algorithm}": ["--engine", engine, "--algorithm", algorithm]
         for engine in ("host", "cuda") for algorithm in ("dual", "primal", "barrier")}
PROVED = {"optimal", "infeasible", "unbounded"}
FIELDS = ("problem", "way", "seconds", "processor_seconds", "status", "engine", "algorithm", "iterations", "objective")


def run(program, file, words, limit):
    begin = time.time()
    process = subprocess.Popen([program, "solve", file, "--json", "--time-limit", str(limit), *words],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    used = os.wait4(process.pid, 0)[2]
    seconds = time.time() - begin
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {"status": "no answer"}
    return [round(seconds, 4), round(used.ru_utime + used.ru_stime, 3),
            *(answer.get(key) for key in ("status", "engine", "algorithm", "iterations", "objective"))]


def measure(arguments):
    ways = [("before", arguments.before, [])] if arguments.before else []
    ways += [(name, arguments.program, words) for name, words in WAYS.items()]
    if arguments.ways:
        ways = [way for way in ways if way[0] in arguments.ways.split(",")]
    end = time.time() + arguments.within
    with open(arguments.results, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(FIELDS)
        for file in sorted(arguments.files, key=os.path.getsize):
            name = pathlib.Path(file).name.split(".mps")[0]
            for way, program, words in ways:
                for _ in range(arguments.repeats):
                    if time.time() > end:
                        return
                    table.writerow([name, way, *run(program, file, words, arguments.limit)])
                    out.flush()


def least(files):
    found = {}
    for file in files:
        for row in csv.DictReader(open(file)):
            ways = found.setdefault(row["problem"], {})
            proved = row["status"] in PROVED
            now = (float(row["seconds"]) if proved else math.inf, float(row["processor_seconds"]))
            ways[row["way"]] = min(now, ways.get(row["way"], now))
    return found


def show(files):
    singles = [way for way in WAYS if " " in way and way != "one method"]
    logs, processor = {"auto": [], "before": []}, []
    print("| problem | before | auto | one method | best single method | | auto / best | processor seconds |")
    print("|---|---:|---:|---:|---:|---|---:|---:|")
    number = lambda x: "limit" if math.isinf(x) else f"{x:.2f}"
    for problem, ways in least(files).items():
        best = min(singles, key=lambda way: ways.get(way, (math.inf,))[0])
        bound = ways.get(best, (math.inf,))[0]
        auto = ways.get("auto", (math.inf, 0.0))
        for way, ratios in logs.items():
            if math.isfinite(bound) and math.isfinite(ways.get(way, (math.inf,))[0]):
                ratios.append(math.log(ways[way][0] / bound))
        print(f"| {problem} | {number(ways.get('before', (math.inf,))[0])} | {number(auto[0])} | "
              f"{number(ways.get('one method', (math.inf,))[0])} | {number(bound)} | {best} | "
              f"{auto[0] / bound if math.isfinite(bound) and math.isfinite(auto[0]) else math.nan:.2f} | {auto[1]:.2f} |")
    for way, ratios in logs.items():
        if ratios:
            print(f"\n{way} / best: geometric mean {math.exp(sum(ratios) / len(ratios)):.3f}, "
                  f"worst {math.exp(max(ratios)):.2f}, {len(ratios)} problems")


def main():
    if "--table" in sys.argv[1:2]:
        return show(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--within", type=float, default=math.inf)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--before")
    parser.add_argument("--ways", help="names of ways, by commas")
    return measure(parser.parse_args())


if __name__ == "__main__":
    main()
