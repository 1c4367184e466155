#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Wall seconds of `osi-cuda solve FILE` as it chooses by itself, beside each single method of its own.

usage: auto_ways.py PROGRAM RESULTS.csv FILE... [--limit SECONDS] [--within SECONDS] [--repeats N]
                    [--before PROGRAM] [--peers] [--lanes N]
       auto_ways.py --table RESULTS.csv [LATER.csv]

Each run is a process of its own: reading the file and opening a device count, and each file has been
read once before. The method that the own choice took runs first of the single ones; another one has
1.2 times the seconds of the fastest of them so far, and 0.3 s. Ways that take less than 0.2 s run
--repeats times (3), all of them in turns, and count with the median; a way that ended without a proof
is not repeated, and a device that takes longer to open than another way needs is not opened. A peer is
ended at 1.3 times the limit. With --lanes peers run side by side.
`--before` runs an older program's own choice, too; `--within` begins no problem after so many seconds
and names those that are left. A way without a proved status counts as slower than any other, and
problems without any proof are left out of the means.
"""
import argparse
import concurrent.futures
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
SHORT = 0.2  # seconds, below which a run is repeated
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
    found = (one_thread.highs(file, PEERS[name], limit, 0, "time.monotonic()", 1.3) if PEERS[name]
             else one_thread.clp(file, limit, clock))
    seconds, status, objective, iterations = found
    return [round(seconds, 4), "", status, "", name, iterations, objective]


def in_turns(ways, repeats, limit, lanes=1, opened=None):
    """(way, row) of each run of one problem. `ways`: name -> a function of the limit that returns a row. `opened` keeps the least seconds of a
    run on a device from problem to problem: where another way takes much less, no device can be the best, and none is opened."""
    opened = {} if opened is None else opened
    order = [*(way for way in ways if way not in SINGLES), *(way for way in ways if way in SINGLES)]
    took = dict.fromkeys(order, 0.0)  # seconds, infinite without a proof

    def noted(way, row):
        took[way] = row[0] if row[2] in PROVED else math.inf
        if way == "auto" and f"{row[3]} {row[4]}" in order:  # it is likely to be the best of the single ones
            order.sort(key=lambda single: (single in SINGLES, single in SINGLES and single != f"{row[3]} {row[4]}"))
        return way, row

    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        for _ in range(repeats):
            again = {way for way in order if took[way] < SHORT}
            for way in [way for way in order if way in again and way not in PEERS and way not in SINGLES]:
                yield noted(way, ways[way](limit))
            for way in [way for way in order if way in again and way in SINGLES]:
                best = min((took[other] for other in SINGLES if took.get(other)), default=math.inf)
                if way.startswith("cuda ") and best < 0.8 * opened.get("cuda", 0.0):
                    yield noted(way, [opened["cuda"], "", "not run", *way.split(), None, None])
                    continue
                row = ways[way](min(limit, 1.2 * best + 0.3))
                if way.startswith("cuda ") and row[2] in PROVED:
                    opened["cuda"] = min(row[0], opened.get("cuda", math.inf))
                yield noted(way, row)
            peers = [way for way in order if way in again and way in PEERS]
            yield from map(noted, peers, pool.map(lambda way: ways[way](limit), peers))


def measure(arguments):
    ways = {"before": partial(run, arguments.before, [])} if arguments.before else {}
    ways |= {name: partial(run, arguments.program, words) for name, words in WAYS.items()}
    ways |= {name: partial(peer, name) for name in (PEERS if arguments.peers else ())}
    chosen = arguments.ways.split(",") if arguments.ways else ways
    opened = {}
    end, files = time.monotonic() + arguments.within, sorted(arguments.files, key=os.path.getsize)
    with open(arguments.results, "w", newline="") as out, tempfile.TemporaryDirectory() as folder:
        table = csv.writer(out)
        table.writerow(FIELDS)
        for number, file in enumerate(files):
            if time.monotonic() > end:
                print("auto_ways: not run:", ", ".join(pathlib.Path(left).name for left in files[number:]), file=sys.stderr)
                return
            place = pathlib.Path(file)
            place.read_bytes()  # else the first way alone would wait for the disk
            plain = one_thread.unpacked(file, folder) if arguments.peers else file
            of = {way: partial(ways[way], plain if way in PEERS else file) for way in chosen}
            rows = list(in_turns(of, arguments.repeats, arguments.limit, arguments.lanes, opened))
            proved = next((row for way, row in rows if way == "auto"), None)
            for way, row in rows:
                if way in PEERS and proved:  # seconds, processor seconds, status, engine, algorithm, iterations, objective
                    row[2] = one_thread.agreed(row[2], row[6], proved[2], proved[6])
                table.writerow([place.parent.name, place.name.split(".mps")[0], way, *row])
            out.flush()


def medians(rows):
    """A row for each problem and way: that with the median of its seconds, where a run without a proof is slower than any other."""
    found = {}
    for row in rows:
        found.setdefault((row["set"], row["problem"], row["way"]), []).append(row)
    for mine in found.values():
        mine.sort(key=lambda row: float(row["seconds"]) if row["status"] in PROVED else math.inf)
        yield {**mine[(len(mine) - 1) // 2], "runs": len(mine)}


def by_problem(files):
    """Problem -> way -> (wall seconds, processor seconds)."""
    found = {}
    for row in medians(row for file in files for row in csv.DictReader(open(file))):
        found.setdefault(row["problem"], {})[row["way"]] = (float(row["seconds"]) if row["status"] in PROVED else math.inf,
                                                            float(row["processor_seconds"] or 0))
    return found


def show(files):
    found = by_problem(files)
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
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--lanes", type=int, default=1)
    parser.add_argument("--before")
    parser.add_argument("--peers", action="store_true", help="HiGHS and Clp, too")
    parser.add_argument("--ways", help="names of ways, by commas")
    return measure(parser.parse_args())


if __name__ == "__main__":
    main()
