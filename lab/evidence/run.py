#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""The evidence run: measures what README.md and docs/evidence quote, in parts of at most ten minutes each.

usage: run.py --all [--on PLACE] [--minutes N] [--lanes N]    everything that is measured on a machine like this
       run.py [options] PART...          the parts; a file of rows for each file of lab/data that they have
       run.py --list                     names the parts: where each belongs, and its seconds there
       run.py --merge FOLDER|FILE...     takes such rows into lab/data, where they replace the older ones; then run pages.py
       run.py --ages [--commit C]        names the tables with rows of other commits than C (the newest run's), and their parts

A PLACE is `host` (no GPU is used), `device` (one GPU) or `devices` (several); without --on it is what the machine has. A part that the
minutes do not suffice for is named and left out. With lanes, parts run side by side. Each row names its run, and runs.csv has the run's
machine, date, commit and command. Programs are looked for in --bin (build/bin, or bin of a bundle), problems in OSI_CUDA_DATA. A part that
fails, or is over its limit, is named on standard error and leaves what it had. The exit status is then 1.
"""
import argparse
import concurrent.futures
import csv
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

import data
from parts import KEYS, PARTS, PLACES, WHOLE

HERE = pathlib.Path(__file__).resolve().parent
STOPPED = "it was stopped before its end"
RUN_FIELDS = ("run", "machine", "date", "commit", "command", "raw", "about")


def devices():
    """Names of the GPUs."""
    try:
        told = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [line.strip() for line in told.stdout.splitlines() if line.strip()]


def name_of_machine():
    """As the pages name machines: `one NVIDIA H200, 16 cores`."""
    found, cores = devices(), os.cpu_count()
    count = {1: "one", 2: "two", 4: "four", 8: "eight"}
    if found:
        return f"{count.get(len(found), len(found))} {found[0]}, {cores} cores"
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return f"{count.get(cores, cores)} cores, {model.group(1) if model else platform.machine()}"


def commit_of_tree():
    """Of this checkout, or of the bundle that a file `commit` beside this program names."""
    if (HERE / "commit").exists():
        return (HERE / "commit").read_text(encoding="utf-8").strip()
    told = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False)
    return told.stdout.strip()


class Machine:
    """What a part measures on: programs, data, the time that is left. Notes the commands for runs.csv."""

    def __init__(self, chosen, folder):
        self.bin, self.data, self.out = chosen.bin.resolve(), chosen.data, folder
        self.engine, self.small, self.name, self.commit = chosen.engine, chosen.small, chosen.machine, chosen.commit
        self.ends = time.monotonic() + chosen.limit
        self.commands, self.notes = {}, dict.fromkeys(chosen.about)

    def note(self, command):
        self.commands[command] = None

    def about(self, text):
        self.notes[text] = None

    def left(self):
        """Seconds."""
        return self.ends - time.monotonic()

    def program(self, name):
        return self.bin / name

    def folder(self, name):
        (self.out / name).mkdir(exist_ok=True)
        return self.out / name

    def python(self):
        """The environment in which Python finds this tree's package and library."""
        package = next(folder for folder in (data.ROOT / "python", data.ROOT) if (folder / "osi_cuda").is_dir())
        return {**os.environ, "PYTHONPATH": f"{package}:{os.environ.get('PYTHONPATH', '')}",
                "OSI_CUDA_LIBRARY": str(self.bin / "libosi_cuda.so"), "PATH": f"{self.bin}:{os.environ['PATH']}"}

    def ask(self, program, *words, status=(0,), folder=None, environment=None):
        """Standard output of a program. RuntimeError where its exit status is none of `status`."""
        words = [str(word) for word in words]
        there = self.bin / str(program)
        said = " ".join([pathlib.Path(str(program)).name, *(pathlib.Path(word).name if word.startswith("/") else word
                                                            for word in words)])
        self.note(re.sub(r"(\S+\.mps(?:\.\w+)? )(\S+\.mps(?:\.\w+)? ?)+", r"\1... ", said))
        if self.left() <= 0:
            raise RuntimeError("the limit of the part is over")
        done = subprocess.run([there if there.exists() else program, *words], capture_output=True, text=True, check=False, timeout=self.left(),
                              cwd=folder, env=environment or self.python())
        if done.returncode not in status:
            raise RuntimeError(f"{said}: exit status {done.returncode}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def script(self, name, *words, folder=HERE, status=(0,)):
        """One of the Python programs beside this one, or of another folder."""
        said = self.ask(sys.executable, folder / name, *words, status=status)
        last = list(self.commands)[-1]
        del self.commands[last]
        self.note(last.split(" ", 1)[1])
        return said

    def command(self):
        """The first of the commands, and how many more there were."""
        first, *more = self.commands or {"nothing": None}
        return first + (f" (and {len(more)} more)" if more else "")


def written(path, rows):
    """Appends rows to a file with the titles of the first."""
    old = data.read(path) if path.exists() else []
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list((old or rows)[0]), lineterminator="\n", extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows([*old, *rows])


def packed(chosen):
    """What was measured so far, as one file."""
    new = chosen.pack.with_suffix(".new")
    with tarfile.open(new, "w:gz") as file:
        for path in sorted(chosen.out.glob("*.csv")):
            file.add(path, path.name)
    new.replace(chosen.pack)


def all_of(parts, chosen):
    """Each part in a process of its own, so many side by side as there are lanes, while the minutes last. Whether all ended well."""
    ends, lock, seconds = time.monotonic() + 60 * chosen.minutes, threading.Lock(), {part: s for of in PLACES.values() for part, s in of.items()}
    options = ["--bin", chosen.bin, "--data", chosen.data, "--engine", chosen.engine, "--machine", chosen.machine, "--commit", chosen.commit,
               *data.each("--about", chosen.about), *(["--small"] if chosen.small else [])]

    def one(part):
        left, wanted = max(0.0, ends - time.monotonic()), seconds.get(part, 1)
        if left < (1 if chosen.small else wanted):
            print(f"{part}: not run: {left:.0f} s are left, of about {wanted} s", file=sys.stderr, flush=True)
            return False
        print(f"{part}: begins, about {wanted} s of {left:.0f} s that are left", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, __file__, part, *map(str, options), "--limit", str(min(chosen.limit, left)), "--out", folder],
                                  check=False)
            with lock:
                for path in sorted(pathlib.Path(folder).glob("*.csv")):
                    written(chosen.out / path.name, data.read(path))
                if chosen.pack:
                    packed(chosen)
        return done.returncode == 0

    print(f"expected: {', '.join(f'{part} {seconds.get(part, 1)} s' for part in parts)}; in all {sum(seconds.get(part, 1) for part in parts)} s "
          f"of {60 * chosen.minutes:.0f} s" + (f" on {chosen.lanes} lanes" if chosen.lanes > 1 else ""), file=sys.stderr, flush=True)
    with concurrent.futures.ThreadPoolExecutor(chosen.lanes) as lanes:
        return all(list(lanes.map(one, parts)))


def measure(part, chosen):
    """Runs a part; what it yields before a failure counts. Returns whether it ended."""
    when = datetime.datetime.now(datetime.timezone.utc)
    name = f"{part}-{when:%Y%m%d-%H%M}-{chosen.commit}"
    found, failure, begin = {}, None, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(chosen, pathlib.Path(folder))
        try:
            for file, row in PARTS[part][0](machine):
                found.setdefault(file, []).append({**row, "run": name} if file != "suite.csv" else row)
        except (RuntimeError, subprocess.TimeoutExpired, OSError, KeyError, ValueError) as stopped:
            failure = f"{type(stopped).__name__}: {stopped}"
            machine.about(STOPPED)
    for file, rows in found.items():
        written(chosen.out / file, rows)
    if any(file != "suite.csv" for file in found):
        written(chosen.out / "runs.csv", [dict(zip(RUN_FIELDS, (name, chosen.machine, f"{when:%Y-%m-%d %H:%M} UTC", chosen.commit,
                                                               machine.command(), "rows", "; ".join(machine.notes))))])
    counts = ", ".join(f"{len(rows)} rows of {file}" for file, rows in found.items()) or "no rows"
    print(f"{part}: {counts}, {time.monotonic() - begin:.0f} s" + (f"; stopped: {failure}" if failure else ""), file=sys.stderr, flush=True)
    return failure is None and bool(found)


def merge(places):
    """New rows replace those of lab/data with the same key, or all of a file whose part makes all; runs that no row names any more go. A place is a folder or a packed one."""
    with tempfile.TemporaryDirectory() as name:
        folders = []
        for k, place in enumerate(places):
            folders.append(place if place.is_dir() else pathlib.Path(name) / str(k))
            if not place.is_dir():
                with tarfile.open(place) as file:
                    file.extractall(folders[-1], [member for member in file if member.isfile() and "/" not in member.name])
        merge_folders(folders)


def merge_folders(folders):
    for folder in folders:
        stopped = {run["run"] for run in data.read(folder / "runs.csv") if STOPPED in run["about"]} if (folder / "runs.csv").exists() else set()
        for path in sorted(folder.glob("*.csv")):
            rows, target = data.read(path), data.DATA / path.name
            if path.name == "runs.csv":
                written(target, rows)
                continue
            old = data.read(target) if target.exists() else []
            key = KEYS.get(path.name)
            if key is None:
                sys.exit(f"{path}: rows of no part")
            rows = list({tuple(row[name] for name in key): row for row in rows}.values())  # a part may say more of a row later on
            new = {tuple(row[name] for name in key) for row in rows}
            whole = path.name in WHOLE and not stopped & {row["run"] for row in rows}
            kept = [] if whole else [row for row in old if tuple(row[name] for name in key) not in new]
            target.unlink(missing_ok=True)
            written(target, kept + rows if not old else [{title: row.get(title, "") for title in old[0]} for row in kept + rows])
    used = {row["run"] for path in data.DATA.glob("*.csv") if path.name != "runs.csv" for row in data.read(path) if "run" in row}
    runs = data.read(data.DATA / "runs.csv")
    (data.DATA / "runs.csv").unlink()
    written(data.DATA / "runs.csv", [run for run in runs if run["run"] in used])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog=__doc__.split("\n\n", 1)[1])
    parser.add_argument("parts", nargs="*", metavar="PART", help="see --list")
    parser.add_argument("--all", action="store_true", help="each part of the place")
    parser.add_argument("--on", choices=PLACES, default=("host", "device", "devices")[min(len(devices()), 2)], help="place of --all [%(default)s here]")
    parser.add_argument("--minutes", type=float, default=600, help="for all parts [600]")
    parser.add_argument("--lanes", type=int, default=1, help="parts side by side [1]")
    parser.add_argument("--pack", type=pathlib.Path, metavar="FILE", help="the rows as one file, too (.tar.gz), written again after each part")
    parser.add_argument("--list", action="store_true", help="the parts")
    parser.add_argument("--ages", action="store_true", help="tables of README.md and docs/evidence by the commits of their rows")
    parser.add_argument("--merge", nargs="+", type=pathlib.Path, metavar="FOLDER", help="folders, or files of --pack")
    parser.add_argument("--bin", type=pathlib.Path, default=data.ROOT / "build/bin", help="folder of the programs [build/bin]")
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("OSI_CUDA_DATA"), help="folder of problems [OSI_CUDA_DATA]")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(os.environ.get("OUT", "evidence")), help="folder of the rows [evidence]")
    parser.add_argument("--engine", choices=("cuda", "host"), help="[cuda where there is a GPU, but for --on host]")
    parser.add_argument("--machine", default=name_of_machine(), help="its name in the rows [%(default)s]")
    parser.add_argument("--commit", help="of the programs [that of the checkout]")
    parser.add_argument("--limit", type=float, default=600, help="seconds of a part [600]")
    parser.add_argument("--about", action="append", default=[], help="what else a reader has to know of the run, as `other programs beside it`")
    parser.add_argument("--small", action="store_true", help="small problems, to see that a part works; its figures mean nothing")
    chosen = parser.parse_args()
    chosen.engine = chosen.engine or ("cuda" if devices() and chosen.on != "host" else "host")
    if chosen.lanes > 1:
        chosen.about.append(f"{chosen.lanes} parts side by side")
    if chosen.list:
        print("\n".join(f"{part:16} {place:8} {seconds:4} s" for place, of in PLACES.items() for part, seconds in of.items()))
        return 0
    if chosen.merge:
        merge(chosen.merge)
        return 0
    if chosen.ages:
        import ages  # here, as the pages are in a checkout only
        import pages
        print(ages.listing(pages.shown(), chosen.commit))
        return 0
    chosen.commit = chosen.commit or commit_of_tree()
    parts = list(PLACES[chosen.on]) if chosen.all else chosen.parts
    if not parts or set(parts) - set(PARTS) or chosen.all and chosen.parts:
        parser.error(f"which part? of {', '.join(PARTS)}")
    if not chosen.commit:
        parser.error("give --commit: this is no checkout, and there is no file `commit`")
    if chosen.data is None:
        parser.error("give --data: OSI_CUDA_DATA names no folder")
    chosen.out.mkdir(parents=True, exist_ok=True)
    if len(parts) == 1:
        done = measure(parts[0], chosen)
        if chosen.pack:
            packed(chosen)
        return 0 if done else 1
    return 0 if all_of(parts, chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
