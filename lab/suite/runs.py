# SPDX-License-Identifier: EPL-2.0
"""Runs of solvers, each in a process of its own that gets problems and sends answers, and that is ended where it
does not mind the limit. Lines of results."""

from __future__ import annotations

import contextlib
import csv
import fractions
import lzma
import multiprocessing
import os
import pathlib
import pickle
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .check import Quality, quality
from .families import FAMILIES, SERIES, warm
from .peers import SOLVERS, Answer, Settings, Solver, version
from .problem import LP

COLUMNS = ("table", "family", "problem", "rows", "columns", "nonzeros", "count", "solver", "asked", "version",
           "machine", "date", "commit", "threads", "clock", "limit", "status", "seconds", "cpu", "primal", "dual", "gap",
           "error", "vertex", "memory")
REFERENCE = pathlib.Path(__file__).with_name("reference.csv")
REPEATS, ENOUGH = 20, 0.5  # runs at most, and seconds (wall and processor) from which on there is no other run
COMPILING = 60.0  # seconds
PATIENCE = 6  # wall seconds for each of the processor
RATIONAL = 150_000  # nonzeros
GRACE = 5.0  # seconds beyond the limit before a process is ended


class Memory(threading.Thread):
    """What the process has more at most while it runs than before, in MiB: `peak`."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ended, self.peak, self.first = threading.Event(), 0.0, self.now()

    @staticmethod
    def now() -> float:
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

    def run(self) -> None:
        while not self.ended.wait(0.005):
            self.peak = max(self.peak, self.now() - self.first)


def _answers(solver: Solver, table: str, work: Any, settings: Settings) -> list[Answer]:
    """All of a table's line; a single solve is a list of one."""
    if table == "batch":
        if hasattr(solver.make, "batch"):
            return solver.make.batch(work, settings)
        return [solver.make(lp, settings).solve() for lp in work]
    base, changes = work
    held = solver.make(base, settings)
    if table == "single":
        return [held.solve()]
    if table == "variants" and hasattr(held, "many"):
        return held.many(changes)
    if not hasattr(held, "change"):
        return [solver.make(base.with_(change), settings).solve() for change in changes]
    answers = []
    for change in changes:
        held.change(**change)
        answers.append(held.solve())
    return answers


def _serve(pipe: Any, name: str, threads: int) -> None:
    """In the process of a solver. A first small problem opens libraries and the device and does not count; MPAX
    compiles for each shape."""
    solver = SOLVERS[name]
    try:
        settings = Settings(threads=threads, options=solver.options)  # HiGHS keeps its first number of threads
        if solver.device and solver.package == "osi-cuda":
            settings.options = {**solver.options, "engine": "cuda"}
        with contextlib.suppress(NotImplementedError):
            if solver.make(warm(), settings).solve().x is None:
                raise RuntimeError("it does not solve a small problem")
        pipe.send(version(solver))
    except Exception as error:  # whatever hinders a solver that is not there
        pipe.send(error if isinstance(error, (ImportError, OSError)) else RuntimeError(str(error)))
        return
    while True:
        table, work, settings, processor = pipe.recv()
        settings.options = dict(solver.options)
        answers: list[Answer] = []
        begin, taken, memory = time.perf_counter(), [], Memory()
        try:
            if solver.package == "mpax":
                compiling = Settings(settings.limit, settings.threads, settings.tolerance, {"iteration_limit": 1})
                _answers(solver, table, work, compiling)
            memory.start()
            while len(taken) < REPEATS and np.sum(taken) < ENOUGH:
                if processor:  # the process ends by SIGXCPU
                    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + processor + 2), -1))
                begin, cpu = time.perf_counter(), time.process_time()
                answers = _answers(solver, table, work, settings)
                taken.append((time.perf_counter() - begin, time.process_time() - cpu))
                memory.ended.set()
            rest = np.array(taken[1:] or taken)
            pipe.send((float(rest[:, 0].min()), float(rest[:, 1].mean()), memory.peak, answers))
        except NotImplementedError:
            pipe.send(None)
        except Exception as error:  # a failure of the solver is a line, not the end of the run
            pipe.send((time.perf_counter() - begin, 0.0, 0.0, [Answer(f"{type(error).__name__}: {error}"[:80])]))


class Process:
    """A solver's; `ask` returns what it sent, or None where it was ended."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self.name, self.threads = name, threads
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.name, self.threads), daemon=True)
        self.process.start()
        theirs.close()
        try:
            found = self.pipe.recv() if self.pipe.poll(300) else RuntimeError("it does not start")
        except EOFError:
            found = RuntimeError("it ended while it was opened")
        if isinstance(found, Exception):
            self.stop()
            raise found
        self.version = found

    def stop(self) -> None:
        self.process.kill()
        self.process.join()

    def ask(self, table: str, work: Any, settings: Settings, limit: float, processor: bool) -> Any:
        """`limit` in seconds of the clock."""
        settings.limit = limit * (PATIENCE if processor else 1)
        compiling = COMPILING if SOLVERS[self.name].package == "mpax" else 0.0
        self.pipe.send((table, work, settings, limit if processor else 0.0))
        try:
            if self.pipe.poll(settings.limit + compiling + ENOUGH + GRACE):
                return self.pipe.recv()
            status = "limit"
        except EOFError:
            self.process.join(5)
            status = "limit" if self.process.exitcode == -signal.SIGXCPU else "crashed"
        self.stop()
        self.start()
        return limit, limit, np.nan, [Answer(status)]


def references() -> dict[tuple[str, str, str], dict[str, str]]:
    if not REFERENCE.exists():
        return {}
    with open(REFERENCE, newline="", encoding="utf-8") as file:
        return {(line["table"], line["family"], line["problem"]): line for line in csv.DictReader(file)}


def works(tables: Iterable[str], families: Iterable[str], matching: Sequence[str] = ("",), saved: str | None = None,
          ) -> Iterator[tuple[str, str, str, Any]]:
    """Table, family, name, and what `_answers` takes; from a file of `save` where one is given. A package that is
    missing leaves its problems out."""
    if saved is not None:
        with lzma.open(saved) as file:
            yield from (each for each in pickle.load(file)
                        if each[0] in tables and each[1] in families and any(m in each[2] for m in matching))
        return
    for table in tables:
        groups = SERIES[table] if table != "single" else FAMILIES
        for family, problems in groups.items():
            for name, make in problems.items():
                if family not in families or not any(m in name for m in matching):
                    continue
                try:
                    work = make()
                except ImportError as error:
                    print(f"not made: {family}, {name}: {error}", file=sys.stderr)
                    continue
                yield table, family, name, (work, []) if table == "single" else work


def save(path: str, *chosen: Any) -> None:
    """For machines without the packages that have the data."""
    with lzma.open(path, "wb", preset=3) as file:
        pickle.dump(list(works(*chosen)), file)


def lps(table: str, work: Any) -> list[LP]:
    if table == "batch":
        return list(work)
    return [work[0]] if table == "single" else [work[0].with_(change) for change in work[1]]


def checksum(table: str, work: Any) -> str:
    """Of the first and the last problem."""
    all_lps = lps(table, work)
    return all_lps[0].checksum() + ("" if len(all_lps) == 1 else all_lps[-1].checksum())


def line(table: str, family: str, name: str, work: Any, process: Process, settings: Settings, known: dict[str, str],
         about: dict[str, str]) -> dict[str, Any] | None:
    """A line of results; None where the solver has nothing for the task."""
    problems = lps(table, work)
    limit = settings.limit
    found = process.ask(table, work, settings, limit, about["clock"] == "processor")
    if found is None:
        return None
    seconds, cpu, memory, answers = found
    values = [float(v) for v in known["values"].split()] if known else [np.nan] * len(problems)
    checks = [quality(lp, a.x, a.y, table == "single") for lp, a in zip(problems, answers)]
    checks += [Quality()] * (len(problems) - len(checks))
    errors = [abs(c.objective - v) / (1 + abs(v)) for c, v in zip(checks, values)]

    def worst(numbers: Iterable[float]) -> str:
        return f"{np.max(list(numbers)):.1e}"

    bad = [a.status for a in answers if a.status != "optimal"]
    return {
        "table": table, "family": family, "problem": name, "rows": problems[0].A.shape[0],
        "columns": problems[0].A.shape[1], "nonzeros": problems[0].nonzeros, "count": len(problems),
        "solver": process.name, "asked": "" if settings.tolerance is None else f"{settings.tolerance:.0e}",
        "version": process.version, **about, "threads": settings.threads, "limit": f"{limit:g}",
        "status": bad[0] if bad else "optimal", "seconds": f"{seconds:.4g}", "cpu": f"{cpu:.4g}",
        "primal": worst(c.primal for c in checks), "dual": worst(c.dual for c in checks),
        "gap": worst(c.gap for c in checks), "error": worst(errors),
        "vertex": "yes" if all(c.vertex for c in checks) else "no", "memory": f"{memory:.0f}",
    }


def run(path: str, tables: list[str], families: list[str], solvers: list[str], settings: Settings,
        about: dict[str, str], matching: Sequence[str] = ("",), saved: str | None = None) -> None:
    """Appends lines to the file; what stands in it already, of the same machine, is not run again."""
    os.environ.update({f"{kind}_NUM_THREADS": str(settings.threads) for kind in ("OMP", "OPENBLAS", "MKL")})
    file, old = pathlib.Path(path), []
    if file.exists():
        with open(file, newline="", encoding="utf-8") as stream:
            old = list(csv.DictReader(stream))
    key = ("table", "family", "problem", "solver", "asked", "machine")
    done = {tuple(each[k] for k in key) for each in old}
    known = references()
    processes: dict[str, Process] = {}
    for name in solvers:
        try:
            processes[name] = Process(name, settings.threads)
        except (ImportError, OSError, RuntimeError) as error:
            print(f"not run: {name}: {error}", file=sys.stderr)
    with open(file, "a", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if not old:
            writer.writeheader()
        for table, family, problem, work in works(tables, families, matching, saved):
            reference = known.get((table, family, problem), {})
            if reference and reference["checksum"] != checksum(table, work):
                sys.exit(f"{family}, {problem}: the data are not those of {REFERENCE.name}")
            for name, process in processes.items():
                reached = np.inf  # by the run before; NaN: none
                for tolerance in SOLVERS[name].tolerances:
                    if not reached > (tolerance or 0.0):  # smaller ones ask for what is there, or for more
                        continue
                    asked = "" if tolerance is None else f"{tolerance:.0e}"
                    if (table, family, problem, name, asked, about["machine"]) in done:
                        continue
                    mine = Settings(settings.limit, settings.threads, tolerance)
                    found = line(table, family, problem, work, process, mine, reference, about)
                    if found is not None:
                        stopped = min(float(found["seconds"]), float(found["cpu"])) >= settings.limit
                        reached = np.nan if stopped else np.max([float(found[k]) for k in ("primal", "dual", "gap")])
                        writer.writerow(found)
                        stream.flush()
                        print(*(found[k] for k in ("table", "family", "problem", "solver", "asked", "status", "seconds",
                                                   "cpu", "primal", "dual", "gap", "error", "vertex")), sep="  ", flush=True)
    for process in processes.values():
        process.stop()


def write_references(tables: list[str], families: list[str], matching: Sequence[str]) -> None:
    """Checksums and optimal values: proved by this project's rational arithmetic up to `RATIONAL` nonzeros; of larger
    problems and of series, the file has the gap that the check finds instead of the word "rational"."""
    import osi_cuda

    known = references()
    for table, family, name, work in works(tables, families, matching):
        values, gaps = [], []
        for lp in lps(table, work):
            with osi_cuda.Problem(lp.c, lp.A, lp.row_lower, lp.row_upper, lp.lower, lp.upper, engine="host",
                                  exact=table == "single" and lp.nonzeros <= RATIONAL, time_limit=60.0) as problem:
                found = problem.solve()
            if found.exact is not None and found.exact.proved:
                values.append(float(fractions.Fraction(found.exact.objective)))
            else:
                values.append(found.objective)
                check = quality(lp, found.x, found.duals, False)
                gaps.append(max(check.primal, check.dual, check.gap))
        known[table, family, name] = {
            "table": table, "family": family, "problem": name, "checksum": checksum(table, work),
            "proof": f"{max(gaps):.0e}" if gaps else "rational",
            "values": " ".join(map(repr, values)),
        }
        print(table, family, name, known[table, family, name]["proof"], values[0], sep="  ", flush=True)
    with open(REFERENCE, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, next(iter(known.values())), lineterminator="\n")
        writer.writeheader()
        writer.writerows(known.values())
