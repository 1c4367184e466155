# SPDX-License-Identifier: EPL-2.0
"""Farms of which a member is killed (SIGKILL) at a third of the work, beside the same work undisturbed:
is an answer lost, are its bits others, is work repeated whose answer was there?

    python3 lab/evidence/farm_runs.py variants --count 1000000 --workers 2
    python3 lab/evidence/farm_runs.py files|batch|regress --count 10000

variants, files: osi_cuda.dask, a process a worker; each notes when it begins and ends a task.
batch, regress: `osi-cuda batch|regress --part I/N`, the killed part started again, parts put together.
With --engine cuda each worker of Dask has a device of its own, worker k the device k.
The exit status is 1 where an answer is lost, differs, or was computed after it had arrived."""

import argparse
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")  # a killed worker is many lines

import osi_cuda
import osi_cuda.dask

ROWS, COLUMNS = 50, 50  # of a variant
SMALL = 30, 20  # of a file


class Noted(osi_cuda.Problem):
    """Appends a line to the file `log` when a task begins and when it ends: letter, task, time."""

    log: str
    number = -1  # of a problem that variants change: no task

    def _note(self, letter, task):
        with open(self.log, "ab", buffering=0) as log:
            log.write(f"{letter} {task} {time.monotonic_ns()}\n".encode())

    def solve(self, *arguments, **named):
        self._note("b", self.number)
        solution = super().solve(*arguments, **named)
        self._note("e", self.number)
        return solution

    def variants(self, **named):
        task = zlib.crc32(named["rhs"])
        self._note("b", task)
        answer = super().variants(**named)
        self._note("e", task)
        return answer


def problem_of(seed, rows, columns, kind=osi_cuda.Problem):
    random = np.random.default_rng(seed)
    return kind(
        random.uniform(1, 2, columns), random.uniform(0.1, 1, (rows, columns)), row_upper=1.0,
        sense="max", threads=1,
    )


# ---- Dask --------------------------------------------------------------------------------------

def cluster_of(chosen):
    from distributed import Nanny, Scheduler, SpecCluster

    def options(k):
        env = {"CUDA_VISIBLE_DEVICES": str(k)} if chosen.engine == "cuda" else {}
        return {"cls": Nanny, "options": {"nthreads": 1, "env": env, "dashboard": False}}

    return SpecCluster(
        workers={k: options(k) for k in range(chosen.workers)},
        scheduler={"cls": Scheduler, "options": {"dashboard": False}},
    )


def variants_of(chosen, folder):
    """Tasks as (key, what was noted of them), and the call that solves them all."""
    path = folder / "sides.npy"
    sides = np.lib.format.open_memmap(path, "w+", float, (chosen.count, ROWS))
    for first in range(0, chosen.count, 1 << 16):
        part = sides[first : first + (1 << 16)]
        part[:] = np.random.default_rng([2, first]).uniform(0.8, 1.2, part.shape)
    problem = problem_of(1, ROWS, COLUMNS, Noted)

    def run(client, log):
        problem.log = log
        return osi_cuda.dask.variants(
            client, problem, chunk=chosen.chunk, rhs=sides, engine=chosen.engine, pool=False, what=()
        )

    tasks = {k: zlib.crc32(sides[k : k + chosen.chunk]) for k in range(0, chosen.count, chosen.chunk)}
    return tasks, run, lambda answer: (answer.status.tobytes(), answer.objective.tobytes())


def files_of(chosen, folder):
    paths = written(chosen, folder)

    def run(client, log):
        def problems():
            for k, path in enumerate(paths):
                problem = Noted.read(path, engine=chosen.engine)
                problem.log, problem.number = log, k
                yield problem

        return osi_cuda.dask.solve(client, problems())

    return (
        {k: k for k in range(chosen.count)}, run,
        lambda answer: (str(answer.status), answer.objective, answer.iterations, answer.x.tobytes()),
    )


def dask_run(chosen, tasks, run, bits_of, log, kill):
    """Bits of each answer; begun twice, ended twice, begun after their answer had come; seconds."""
    from distributed import Client

    answers, came = {}, {}
    with cluster_of(chosen) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        begin = time.monotonic()
        for key, answer in run(client, str(log)):
            if isinstance(answer, Exception):
                raise answer
            assert key not in answers, f"{key} was answered twice"
            answers[key], came[key] = bits_of(answer), time.monotonic_ns()
            if kill and len(answers) == len(tasks) // 3:
                os.kill(pids[0], signal.SIGKILL)
        seconds = time.monotonic() - begin
    begun, ended = {}, {}
    for line in log.read_text().splitlines():
        letter, task, at = line.split()
        (begun if letter == "b" else ended).setdefault(int(task), []).append(int(at))
    twice = [sum(len(noted[task]) > 1 for task in tasks.values()) for noted in (begun, ended)]
    late = sum(max(begun[task]) > came[key] for key, task in tasks.items() if key in came)
    return answers, [*twice, late], seconds


def dask_runs(chosen, folder):
    tasks, run, bits_of = (variants_of if chosen.what == "variants" else files_of)(chosen, folder)
    for kill in (False, True):
        found = dask_run(chosen, tasks, run, bits_of, folder / f"log-{kill}", kill)
        yield kill, len(tasks), *found


# ---- the program -------------------------------------------------------------------------------

def written(chosen, folder):
    paths = [folder / f"p{k}.mps" for k in range(chosen.count)]
    for k, path in enumerate(paths):
        problem_of(k, *SMALL).write(path)
    (folder / "list.csv").write_text("file\n" + "".join(f"{path.name}\n" for path in paths))
    return paths


def answers_of_batch(folder, part):
    """By number: an answer without its seconds."""
    path = folder / f"part-{part}.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []  # the last may be half a line
    answers = {}
    for line in lines:
        answer = json.loads(line)
        answer.pop("seconds")
        assert answer["index"] not in answers, f"{answer['index']} is there twice"
        answers[answer["index"]] = str(answer)
    return answers


def answers_of_regress(folder, part):
    """By number: what was stored of a run, without its seconds."""
    path = folder / f"part-{part}.sqlite"
    if not path.exists():
        return {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        try:
            rows = database.execute("SELECT instance, status, objective, iterations, proved FROM runs").fetchall()
        except sqlite3.OperationalError:  # the tables are being made
            return {}
    database.close()
    answers = {int(row[0][1:].removesuffix(".mps")): str(row[1:]) for row in rows}
    assert len(answers) == len(rows), "an instance is there twice"
    return answers


def program_run(chosen, folder, kill):
    """As dask_run, but that nobody notes what was begun: a kill cuts off one problem at most, that of the
    part's one thread. What is written twice is told by its number."""
    target = folder / f"kill-{kill}"
    target.mkdir()
    ending, keeping, answers_of = {
        "batch": ("jsonl", [], answers_of_batch),
        "regress": ("sqlite", ["--with", "osi_cuda@host/primal", "--continue"], answers_of_regress),
    }[chosen.what]
    option = {"batch": "--output", "regress": "--database"}[chosen.what]

    def start(part):
        return subprocess.Popen(
            [chosen.program, chosen.what, folder / "list.csv", "--part", f"{part}/{chosen.workers}",
             option, target / f"part-{part}.{ending}", "--jobs", "1", "--threads", "1", *keeping],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    parts = range(1, chosen.workers + 1)
    begin = time.monotonic()
    running = {part: start(part) for part in parts}
    again = "0"
    if kill:
        while len(answers_of(target, 1)) < chosen.count // (3 * chosen.workers):
            time.sleep(0.01)
        running[1].kill()
        running[1].wait()
        before = answers_of(target, 1)
        running[1] = start(1)
        again = "at most 1"
    for process in running.values():
        if process.wait() not in (0, 1):
            raise RuntimeError(f"a part ended with {process.returncode}")
    seconds = time.monotonic() - begin
    answers = {}
    for part in parts:
        answers.update(answers_of(target, part))
    if kill:  # an answer that was there is never written again
        assert all(answers[k] == text for k, text in before.items())
    together = [target / f"part-{part}.{ending}" for part in parts]
    if chosen.what == "batch":
        whole = subprocess.run(
            [chosen.program, "batch", folder / "list.csv", "--known", *together],
            capture_output=True, text=True, check=False,
        )
        assert "\n0 problems" in "\n" + whole.stderr.replace("osi-cuda: ", ""), whole.stderr
        assert [json.loads(line)["index"] for line in whole.stdout.splitlines()] == list(range(chosen.count))
    else:
        subprocess.run([chosen.program, "merge", target / "part-0.sqlite", *together], check=True)
        assert answers_of_regress(target, 0) == answers
    return answers, [again, "0", 0], seconds


def program_runs(chosen, folder):
    written(chosen, folder)
    for kill in (False, True):
        yield kill, chosen.count, *program_run(chosen, folder, kill)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("what", choices=("variants", "files", "batch", "regress"))
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--chunk", type=int, default=1024, help="variants of a task [1024]")
    parser.add_argument("--engine", default="host", choices=("host", "cuda"))
    parser.add_argument("--program", default="osi-cuda")
    chosen = parser.parse_args()
    print("| work | a member is killed | tasks | answers lost | other bits | begun twice | ended twice "
          "| begun after the answer had come | seconds |\n|---|---|---:|---:|---:|---:|---:|---:|---:|")
    faults, first = 0, None
    with tempfile.TemporaryDirectory() as name:
        runs = dask_runs if chosen.what in ("variants", "files") else program_runs
        for kill, tasks, answers, (begun, ended, late), seconds in runs(chosen, pathlib.Path(name)):
            first = first or answers
            lost, other = tasks - len(answers), sum(answers.get(key) != bits for key, bits in first.items())
            print(f"| {chosen.what}, {chosen.count} | {'yes' if kill else 'no'} | {tasks} | {lost} | {other} "
                  f"| {begun} | {ended} | {late} | {seconds:.1f} |", flush=True)
            faults += lost + other + late
    return 1 if faults else 0


if __name__ == "__main__":
    import farm_runs  # workers have to find its classes by this name

    sys.exit(farm_runs.main())
