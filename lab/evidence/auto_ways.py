#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Wall seconds of `osi-cuda solve FILE` as it chooses by itself, beside each single method of its own.

usage: auto_ways.py PROGRAM RESULTS.csv FILE... [--limit SECONDS] [--within SECONDS] [--repeats N]
                    [--before PROGRAM]
       auto_ways.py --table RESULTS.csv [LATER.csv]

Each run is a process of its own: reading the file and opening a device count. A single method has
1.5 times the seconds of the fastest of them so far, and half a second. `--before` runs an older
program's own choice in turns with the new one's; `--within` begins no problem after so many seconds.
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
import tempfile
import time
from functools import partial

import one_thread
from one_thread import PROVED

WAYS = {"auto": [], "one method": ["--race", "off"]}
WAYS |= {f"{engine} {algorithm}": ["--engine", engine, "--algorithm", algorithm]
         for engine in ("host", "cuda") for algorithm in ("dual", "primal", "barrier")}
SINGLES = [way for way in WAYS if way not in ("auto", "one method")]
PEERS = {"HiGHS simplex": "simplex", "HiGHS IPX": "ipx", "HiGHS HiPO": "hipo", "Clp": None}
FIELDS = ("set", "problem", "way", "seconds", "processor_seconds", "status", "engine", "algorithm", "iterations", "objective")


def clock(command, _=None):
    """Wall seconds, output and processor seconds of a process."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    text = process.stdout.read()
    used = os.wait4(process.pid, 0)[2]
    return time.monotonic() - begin, text, used.ru_utime + used.ru_stime


def run(program, words, file, limit):
    seconds, text, used = clock([program, "solve", file, "--json", "--time-limit", str(limit), *words])
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {"status": "no answer"}
    return [round(seconds, 4), round(used, 3), *(answer.get(key) for key in ("status", "engine", "algorithm", "iterations", "objective"))]


def peer(name, file, limit):
    """Of HiGHS with all cores, without the start of its process; of Clp with it."""
    found = one_thread.highs(file, PEERS[name], limit, 0, "time.monotonic()") if PEERS[name] else one_thread.clp(file, limit, clock)
    seconds, status, objective, iterations = found
    return [round(seconds, 4), "", status, "", name, iterations, objective]


def measure(arguments):
    ways = {"before": partial(run, arguments.before, [])} if arguments.before else {}
    ways |= {name: partial(run, arguments.program, words) for name, words in WAYS.items()}
    ways |= {name: partial(peer, name) for name in (PEERS if arguments.peers else ())}
    chosen = arguments.ways.split(",") if arguments.ways else ways
    end = time.time() + arguments.within
    with open(arguments.results, "w", newline="") as out, tempfile.TemporaryDirectory() as folder:
        table = csv.writer(out)
        table.writerow(FIELDS)
        for file in sorted(arguments.files, key=os.path.getsize):
            if time.time() > end:
                return
            place, best = pathlib.Path(file), math.inf
            plain = one_thread.unpacked(file, folder) if arguments.peers else file
            for way in chosen:
                for _ in range(arguments.repeats):
                    limit = min(arguments.limit, 1.5 * best + 0.5) if way in SINGLES else arguments.limit
                    row = ways[way](plain if way in PEERS else file, limit)
                    if way in SINGLES and row[2] in PROVED:
                        best = min(best, row[0])
                    table.writerow([place.parent.name, place.name.split(".mps")[0], way, *row])
            out.flush()


def least(files):
    found = {}
    for file in files:
        for row in csv.DictReader(open(file)):
            ways = found.setdefault(row["problem"], {})
            proved = row["status"] in PROVED
            now = (float(row["seconds"]) if proved else math.inf, float(row["processor_seconds"] or 0))
            ways[row["way"]] = min(now, ways.get(row["way"], now))
    return found


def show(files):
    found = least(files)
    peers = [way for way in PEERS if any(way in ways for ways in found.values())]
    shown = ["before", "auto", "one method", *peers]
    logs = {"auto / best single method": [], "before / best single method": [], "auto / best peer": [],
            **{f"auto / {way}": [] for way in peers}}
    print("| problem | " + " | ".join(shown) + " | best single method | | auto / it | processor seconds |")
    print("|---|" + "---:|" * (len(shown) + 1) + "---|---:|---:|")
    number = lambda x: "limit" if math.isinf(x) else f"{x:.2f}"
    for problem, ways in found.items():
        seconds = lambda way: ways.get(way, (math.inf,))[0]
        best, first = min(SINGLES, key=seconds), min(peers, key=seconds, default="")
        for title, ratios in logs.items():
            top, below = title.split(" / ")
            pair = seconds(top), seconds({"best single method": best, "best peer": first}.get(below, below))
            if all(map(math.isfinite, pair)):
                ratios.append((math.log(pair[0] / pair[1]), problem))
        print(f"| {problem} | " + " | ".join(number(seconds(way)) for way in shown) + f" | {number(seconds(best))} | {best} | "
              f"{seconds('auto') / seconds(best) if math.isfinite(seconds(best)) else math.nan:.2f} | {ways.get('auto', (0, 0))[1]:.2f} |")
    for title, ratios in logs.items():
        if ratios:
            print(f"\n{title}: geometric mean {math.exp(sum(log for log, _ in ratios) / len(ratios)):.3f}, "
                  f"worst {math.exp(max(ratios)[0]):.2f} ({max(ratios)[1]}), {len(ratios)} problems")


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
    parser.add_argument("--peers", action="store_true", help="HiGHS and Clp, too")
    parser.add_argument("--ways", help="names of ways, by commas")
    return measure(parser.parse_args())


if __name__ == "__main__":
    main()
