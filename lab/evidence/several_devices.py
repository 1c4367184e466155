# SPDX-License-Identifier: EPL-2.0
"""What several GPUs of one host give, on 1, 2, 4, ... of those that are there:

    python3 several_devices.py [batches] [variants] [barrier] [farm] [recovery] --bin FOLDER

batches, variants   bench_batch and bench_variants with --devices: a second, share of the ideal
barrier             bench_dense with --devices: seconds, memory of each device beside what is predicted
farm                farm_runs.py: variants on a worker of Dask for each device, of which one is killed
recovery            a kernel that traps on the last device while that works: who answers, and what (with
                    tests/support/modules/failing_device.cpp)

Nothing named: all of these. --dry-run makes the same tables from small problems on the emulated device
(FOLDER/osi_cuda_emulated_module.so), for which no GPU is needed; its figures mean nothing. farm and recovery
need NumPy and the package osi_cuda, the former Dask's distributed. The exit status is 1 where an answer is wrong."""

import argparse
import ctypes
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent


def table(*titles):
    print("\n| " + " | ".join(titles) + " |\n|" + "---|" * len(titles), flush=True)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def names(count, chosen):
    """Of devices, as --devices has them; in a dry run shares of one."""
    return ",".join("0" if chosen.dry_run else str(k) for k in range(count))


def output_of(chosen, program, *arguments):
    command = [chosen.bin / program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=chosen.limit)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def rates(chosen, title, rate_of):
    """rate_of(devices): how many a second."""
    table(title, "devices", "a second", "share of the ideal")
    first = None
    for count in chosen.counts:
        # One host thread runs the emulated device: a batch has one worker for each device.
        found = rate_of(names(1 if chosen.dry_run else count, chosen))
        first = first or found / count
        row(title, count, f"{found:.4g}", f"{found / (count * first):.2f}")
    return 0


def batches(chosen):
    size, problems = ("5x5", 40) if chosen.dry_run else ("50x50", 1_000_000)

    def rate_of(devices):
        cells = output_of(
            chosen, "bench_batch", "--engine", "cuda", "--size", size, "--count", problems, "--devices", devices
        ).splitlines()[-1].split("|")
        return float(cells[-2])

    if not chosen.dry_run:
        rate_of(names(1, chosen))  # the first process waits for the machine's memory
    return rates(chosen, f"{problems} problems of {size}", rate_of)


def variants(chosen):
    size, copies = ("12x8", 2) if chosen.dry_run else ("2000x1000", 40)

    def rate_of(devices):
        cells = output_of(
            chosen, "bench_variants", "--engine", "cuda", "--dense", size, "--branches", 2000, "--copies", copies,
            "--single", 0, "--devices", devices,
        ).splitlines()[-1].split("|")
        return 1e3 * int(cells[3]) / float(cells[8])  # branches, milliseconds of them together

    return rates(chosen, f"variants of {size}", rate_of)


# ---- one solve ---------------------------------------------------------------------------------

def iterations_seconds(rows, columns, shares):
    """Of eight iterations with byte products and one in double precision, the model of
    DeviceAlgebra::iterationSeconds() (docs/explanation/barrier.md): one H200, 390 GB/s between devices."""
    order, entries = min(rows, columns), float(rows) * columns
    half = 4.0 * order**2  # bytes of a triangle
    exchange = math.ceil(math.log2(shares)) * (half / 3.9e11 + 3 * half / 3e12 + 2e-5 * order / 1024)
    factor = 1.5e-4 + order**3 / 3 / 5e13 + 4.5e-7 * order
    solve = (8e-5 + 2.5e-5 * order / 1024 + (8.0 * order**2 + 16.0 * entries / shares) / 4e12
             + (4e-5 if shares > 1 else 0.0))

    def iteration(product):
        correctors = sum((product + factor) / solve > worth for worth in (2, 5, 10, 25))
        return product + factor + (2 + correctors) * solve

    work = order * entries
    rough = 1e-4 + (work / 3.6e14 + 24 * entries / 3e12) / shares + exchange
    exact = (work / 4.8e13 + 16 * entries / 3e12) / shares + exchange
    return 8 * iteration(rough) + iteration(exact)


def smi(*words):
    """The command that asks about the devices which a program sees, by their numbers (CUDA_VISIBLE_DEVICES)."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return ["nvidia-smi", "--format=csv,noheader,nounits", *words, *([f"--id={visible}"] if visible else [])]


class Memory:
    """The most memory of each device that nvidia-smi shows within the block, in GB."""

    def __enter__(self):
        self._most, self._smi = {}, None
        try:
            self._smi = subprocess.Popen(smi("--query-gpu=index,memory.used", "-lms", "20"), stdout=subprocess.PIPE, text=True)
        except FileNotFoundError:  # a dry run
            return self
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def _read(self):
        for line in self._smi.stdout:
            index, used = line.split(",")
            self._most[int(index)] = max(self._most.get(int(index), 0), int(used))

    def __exit__(self, *_):
        if self._smi:
            self._smi.terminate()
            self._reader.join()
            self._smi.wait()

    def of(self, count):
        return ", ".join(f"{self._most[k] * 2**20 / 1e9:.3g}" for k in sorted(self._most)[:count])


def barrier(chosen):
    """The whole solve on several devices is predicted from the measured one on the fewest."""
    faults = 0
    table("rows x columns", "devices", "seconds", "predicted, s", "first device predicted, GB", "others predicted, GB",
          "used, GB", "objective", "parts")
    for size in chosen.sizes:
        rows, columns = map(int, size.split("x"))
        first = objective = None
        for count in chosen.counts:
            devices = names(count, chosen)
            told = output_of(chosen, "osi-cuda", "info", "--memory", size, "--devices", devices)
            needs = [found[1] if (found := re.search(rf"^{what} +(\S+) GB", told, re.M)) else ""
                     for what in ("barrier", "share")]
            if needs[0] and float(needs[0]) > chosen.memory:  # it would end by pivots, in many minutes
                row(size, count, "none", "", *needs, "", "", f"does not fit into {chosen.memory:.3g} GB")
                continue
            try:
                with Memory() as memory:
                    lines = output_of(chosen, "bench_dense", "--engine", "cuda", "--algorithm", "barrier",
                                      "--repeats", chosen.repeats, "--size", size, "--devices", devices).splitlines()
            except (RuntimeError, subprocess.TimeoutExpired) as stopped:
                row(size, count, "none", "", *needs, "", "", str(stopped)[-200:].replace("\n", " "))
                continue
            place = next(k for k, line in enumerate(lines) if line.startswith(f"| {rows} x {columns} "))
            cells = [cell.strip() for cell in lines[place].split("|")]
            seconds, found = float(cells[7]), float(cells[12])
            first = first or (seconds, count)
            objective = objective or found
            right = cells[5] == "optimal" and abs(found - objective) <= 1e-9 * (1 + abs(objective))
            faults += not right
            expected = first[0] - iterations_seconds(rows, columns, first[1]) + iterations_seconds(rows, columns, count)
            row(size, count, f"{seconds:.3f}", f"{expected:.3f}", *needs, memory.of(count),
                f"{found:.10g}{'' if right else ' WRONG'}",
                "; ".join(line.strip("| ") for line in lines[place + 1 :]))
    return faults


# ---- farms and failures ------------------------------------------------------------------------

def farm(chosen):
    count = 3000 if chosen.dry_run else chosen.problems
    workers, engine = (2, "host") if chosen.dry_run else (chosen.counts[-1], "cuda")
    print(flush=True)
    return subprocess.run(
        [sys.executable, HERE / "farm_runs.py", "variants", "--count", str(count), "--workers", str(workers),
         "--engine", engine, "--chunk", "16384" if engine == "cuda" else "256"], check=False, timeout=chosen.limit,
    ).returncode


def trap_of(chosen):
    """A call that launches a kernel that traps: CUDA is over for this process then. Other processes and
    the device itself are as before."""
    module = ctypes.CDLL(chosen.bin / "osi_cuda_failing_device.so")
    return lambda: module.osi_cuda_fail(chosen.counts[-1] - 1)


def emulated_trap():
    """The next call for the emulated device, and all later ones."""
    cuda = ctypes.CDLL(os.environ["OSI_CUDA_ENGINE_PATH"])
    cuda._ZN16emulated_runtime6failAtElNS_7FailureE(
        ctypes.c_long(cuda._ZN16emulated_runtime5callsEv() + 1), 1)


def recovery(chosen):
    """A solve by the program, which begins again as a new process; and a batch of this one, of which the
    processor solves the rest."""
    import numpy as np

    table("work", "devices", "the last one fails after, s", "status", "seconds", "of them undisturbed",
          "difference of objectives", "what the solver says")
    count, faults = chosen.counts[-1], 0
    m, n = (60, 30) if chosen.dry_run else (20000, 10000)
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        model, lost = pathlib.Path(folder) / "model.npz", pathlib.Path(folder) / "lost"
        np.savez(model, A=random.uniform(0.1, 1, (m, n)), c=random.uniform(1, 2, n),
                 row_upper=np.full(m, float(n)), sense="max")
        command = [chosen.bin / "osi-cuda", "solve", model, "--engine", "cuda", "--json", "--quiet", "--algorithm",
                   "dual" if chosen.dry_run else "barrier", "--devices", "0" if chosen.dry_run else names(count, chosen)]

        def solve(more):
            begin = time.monotonic()
            done = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **more}, check=True,
                                  timeout=chosen.limit)
            return json.loads(done.stdout), time.monotonic() - begin

        calm = {"OSI_CUDA_ENGINE_PATH": str(chosen.bin / "osi_cuda_lost_module.so"), "OSI_CUDA_LOST_ONCE": folder}
        usual, whole = solve(calm if chosen.dry_run else {})
        for share in (0.2, 0.5, 0.8):
            after = usual["seconds"]["read"] + share * sum(phase["seconds"] for phase in usual["phases"])
            lost.unlink(missing_ok=True)
            found, seconds = solve({**calm, "OSI_CUDA_LOST_ONCE": str(lost)} if chosen.dry_run else {
                "LD_PRELOAD": str(chosen.bin / "osi_cuda_failing_device.so"), "OSI_CUDA_FAIL": f"{count - 1} {after}"})
            difference = abs(found["objective"] - usual["objective"])
            told = "; ".join(line for line in found["notices"] if "again" in line or "continuing" in line)
            row("barrier", count, f"{after:.3f}", found["status"], f"{seconds:.3f}", f"{whole:.3f}",
                f"{difference:.1e}", told or "nothing: it ended before the failure")
            right = found["status"] == "optimal" and difference <= 1e-7 * abs(usual["objective"])
            faults += not (right and found["engine"] == "cuda")
    return faults + (subprocess.run(
        [sys.executable, __file__, "--bin", chosen.bin, "--recover", "batch", "--after", "0.3",
         "--counts", str(count), *(["--dry-run"] if chosen.dry_run else [])], check=False, timeout=chosen.limit,
    ).returncode != 0)


def recover(chosen):
    import numpy as np

    import osi_cuda

    random, count = np.random.default_rng(1), chosen.counts[-1]
    devices = names(count, chosen)
    said = []
    m, n, problems = (5, 5, 60) if chosen.dry_run else (50, 50, 400_000)
    matrices = np.tile(random.uniform(0.1, 1, (min(problems, 4000), m, n)), (problems // min(problems, 4000), 1, 1))
    costs = random.uniform(1, 2, (problems, n))
    solver = osi_cuda.BatchSolver(engine="cuda", devices="0" if chosen.dry_run else devices)

    def solve():
        answer = solver.solve(costs, matrices, row_upper=1.0, sense="max")
        optimal = int((answer.status == osi_cuda.Status.OPTIMAL).sum())
        lost = ", a device lost" if answer.device_lost else ""
        said.append(f"{answer.on_device} of {problems} on devices{lost}")
        return answer.objective, f"{optimal} optimal", optimal == problems

    solve()  # opens the devices
    begin = time.monotonic()
    before, _, _ = solve()
    usual = time.monotonic() - begin
    said.clear()
    after_seconds = chosen.after * usual
    failing = threading.Timer(after_seconds, emulated_trap if chosen.dry_run else trap_of(chosen))
    begin = time.monotonic()
    failing.start()
    after, status, right = solve()
    seconds = time.monotonic() - begin
    failing.join()
    difference = float(np.max(np.abs(np.asarray(after) - before)))
    told = "; ".join(line for line in said if "continuing" in line or "lost" in line)
    row(chosen.recover, count, f"{after_seconds:.3f}", status, f"{seconds:.3f}", f"{usual:.3f}", f"{difference:.1e}",
        told or "nothing: it ended before the failure")
    return 0 if right and difference <= 1e-7 * float(np.max(np.abs(before))) else 1


PARTS = {"batches": batches, "variants": variants, "barrier": barrier, "farm": farm, "recovery": recovery}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them without one")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the programs")
    parser.add_argument("--counts", default="1,2,4,8", help="of devices [1,2,4,8]; no more than there are")
    parser.add_argument("--sizes", help="of barrier [40000x20000,100000x50000]")
    parser.add_argument("--problems", type=int, default=10_000_000, help="of farm [10000000]")
    parser.add_argument("--repeats", type=int, default=1, help="of barrier [1]")
    parser.add_argument("--limit", type=float, default=600, help="seconds for a program [600]")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--recover", choices=("batch",), help=argparse.SUPPRESS)
    parser.add_argument("--after", type=float, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"unknown: {', '.join(unknown)}")
    chosen.bin = chosen.bin.resolve()
    os.environ.setdefault("OSI_CUDA_LIBRARY", str(chosen.bin / "libosi_cuda.so"))
    there, chosen.memory = 8, math.inf
    if chosen.dry_run:
        os.environ["OSI_CUDA_ENGINE_PATH"] = str(chosen.bin / "osi_cuda_emulated_module.so")
    else:
        told = subprocess.run(smi("--query-gpu=memory.total"), capture_output=True, text=True, check=True)
        memories = [2**20 / 1e9 * float(line) for line in told.stdout.split()]
        there, chosen.memory = len(memories), min(memories)
    chosen.counts = [count for count in map(int, chosen.counts.split(",")) if count <= there]
    chosen.sizes = (chosen.sizes or ("60x30" if chosen.dry_run else "40000x20000,100000x50000")).split(",")
    if chosen.recover:
        return recover(chosen)
    return 1 if sum(PARTS[part](chosen) for part in chosen.parts or PARTS) else 0


if __name__ == "__main__":
    sys.exit(main())
