# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: packages of Python that call osi_cuda, and whole processes. They need these packages where they run (cobra, PyEPO,
PyTorch, manylp, scikit-learn)."""

from __future__ import annotations

import pathlib
import re
import statistics
import time
from collections.abc import Iterator
from typing import Any

import data

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]


def seconds_of(text: str) -> dict[str, float]:
    """What lines of `name   1.23 s` say."""
    return {match.group(1).strip(): float(match.group(2)) for match in re.finditer(r"^ *(.+?) +([\d.]+) s\b", text, re.MULTILINE)}


def flux(machine: Any) -> Rows:
    """Flux variability and gene deletions of iJO1366."""
    most = 2 if machine.small else 16
    told = machine.script("flux_variability.py", "--fraction", 0.9, "--engines", *dict.fromkeys((machine.engine, "host")), "--processes", most,
                          "--solvers", "glpk", "--highs", most, "--exact", 0)
    first, _, second = told.partition(" single gene deletions")
    for what, part in (("least and largest fluxes at 90 % of the optimum", first), ("all single gene deletions", second)):
        found = seconds_of(part)
        ours = f"osi_cuda.cobra, {machine.engine}, {most} threads"
        highs = next((value for name, value in found.items() if name.startswith("highspy")), None)
        yield "flux.csv", {"what": what, "one H200": f"{found[ours + ', again']:.2f}", "first call there": f"{found[ours + ', first call']:.2f}",
                           "16 threads": f"{found[f'osi_cuda.cobra, host, {most} threads, again']:.2f}",
                           "cobrapy, GLPK, 16 processes": f"{found[f'cobrapy with glpk, {most} processes']:.2f}",
                           "highspy, 16 processes": f"{highs:.2f}" if highs else "not run"}


def media(machine: Any) -> Rows:
    """Growth on random media."""
    peer = [] if machine.engine == "host" else ["--manylp", "cuda"]
    told = machine.script("random_media.py", "--count", 200 if machine.small else 100000, "--engine", machine.engine, "--kinds", "amounts",
                          "--sample", 20, *peer)
    rates = {match.group(1).strip(): f"{int(match.group(2)):,}" for match in re.finditer(r"^  (\S.*?) +[\d.]+ s, +(\d+) a second", told, re.MULTILINE)}
    device = re.search(r"what=\(\), again.*device ([\d.]+) s", told)
    count = 200 if machine.small else 100000
    own = f"osi_cuda, {machine.engine}, what=()"
    yield "media.csv", {"media": "five amounts are random", "variants on one H200": rates[f"{own}, again"], "first call": rates[f"{own}, first call"],
                        "kernels": f"{count / float(device.group(1)):,.0f}" if device and float(device.group(1)) else "",
                        "with points": rates[f"osi_cuda, {machine.engine}, what=('x',), again"],
                        "manylp, first call": rates.get("manylp, cuda, first call", "not run"), "again": rates.get("manylp, cuda, again", "not run")}


def neurons(machine: Any) -> Rows:
    """Bounds of the neurons of a network."""
    for width, images in ((10, 1),) if machine.small else ((50, 20), (200, 3)):
        told = machine.script("digits.py", "--images", images, "--width", width, "--exact", 1, "--highs", 20 if width > 100 else 10**6,
                              folder=data.ROOT / "docs/examples")
        rates = dict(re.findall(r"^(\S+): [\d.]+ s, (\d+) a second", told, re.MULTILINE))
        bounds = re.search(r"(\d+) bounds", told)
        yield "neurons.csv", {"neurons a layer": width, "images": images, "bounds": f"{int(bounds.group(1)):,}",
                              "bounds_of, 2 threads": f"{int(rates['osi_cuda']):,}", "highspy, 1 thread": f"{int(rates['HiGHS']):,}"}


def pyepo(machine: Any) -> Rows:
    """Epochs of PyEPO by batches and by single solves."""
    told = machine.script("pyepo_epochs.py", "--epochs", 1 if machine.small else 3, "--backends")
    for part in re.split(r"\n(?=\S)", told):
        head = re.match(r"(.*), (\d+) costs", part)
        if head:
            found = seconds_of(part)
            yield "pyepo.csv", {"relaxation": head.group(1), "costs": head.group(2), "Batches": f"{found['osi_cuda, a batch in one call']:.3f}",
                                "Batches on the device": f"{found['osi_cuda, a batch on the device']:.3f}" if len(found) > 2 else "",
                                "LinearModel, one solve each": f"{found['osi_cuda, one solve each']:.3f}"}


def device_arrays(machine: Any) -> Rows:
    """Arrays of PyTorch on the device beside arrays on the host."""
    for match in re.finditer(r"^(.+?) +(\d+) +([\d.]+) s +([\d.]+) s, device +([\d.]+) s", machine.script("device_arrays.py"), re.MULTILINE):
        what, count, here, there, kernels = match.groups()
        yield "device-arrays.csv", {"what": what, "number": f"{int(count):,}", "host arrays, s": here, "on the device, s": there, "kernels, s": kernels}


def pool(machine: Any) -> Rows:
    """Variants with and without the pool of bases, by one thread and by all."""
    found: dict[tuple[str, str], Row] = {}
    for threads, title in ((1, "one thread"), (16, "16 threads")):
        only = ["--only", "12 x 20", "--repeats", 1] if machine.small else ["--repeats", 3]
        for line in machine.script("pool_costs.py", *only, "--threads", threads).splitlines()[1:]:
            match = re.match(r"(\d+ x \d+|\S+) +(\d+) (.{20}) +[\d.]+ +[\d.]+ +([\d.]+) +([\d.]+%) +([\d.]+) +([\d.]+) ", line)
            if match:
                name, count, kind, times, hits, without, own = (cell.strip() for cell in match.groups())
                row = found.setdefault((name, kind), {"problem": name, "variants": f"{int(count):,}", "changes": kind})
                row |= {title: f"{float(times):.2f}", "without a pivot": hits, "pivots without": without, "with": own}
    for row in found.values():
        yield "pool.csv", row


def write_dense(path: pathlib.Path, rows: int, columns: int) -> None:
    """Free MPS with two entries a line, as many programs write it."""
    import numpy as np

    random = np.random.default_rng(1)
    with open(path, "w", encoding="ascii") as out:
        out.write("NAME dense FREE\nROWS\n N COST\n" + "".join(f" L r{i}\n" for i in range(rows)) + "COLUMNS\n")
        names = ["COST", *(f"r{i}" for i in range(rows))]
        for j in range(columns):
            numbers = random.uniform(0, 1, rows + 1)
            numbers[0] = -numbers[0]  # the costs
            words = [f"{name} {number}" for name, number in zip(names, numbers.tolist())]
            out.writelines(f" x{j} {' '.join(words[k:k + 2])}\n" for k in range(0, rows + 1, 2))
        out.write("RHS\n" + "".join(f" b r{i} {columns}\n" for i in range(rows)) + "ENDATA\n")


def reading(machine: Any) -> Rows:
    """Whole processes from a file to the answer: seven runs each."""
    rows, columns = (40, 20) if machine.small else (5000, 2500)
    mps, npz = machine.out / "dense.mps", machine.out / "dense.npz"
    write_dense(mps, rows, columns)
    machine.ask("osi-cuda", "convert", mps, npz)
    machine.commands.clear()  # it measures nothing
    files = {f"dense.mps, {rows} x {columns}, {mps.stat().st_size / 1e6:.2g} MB": mps, "dense.npz": npz,
             "25fv47 of Netlib": machine.data / "netlib/25fv47.mps.gz", "afiro of Netlib": machine.data / "netlib/afiro.mps.gz"}
    for name, path in files.items():
        took = []
        for _ in range(2 if machine.small else 7):
            begin = time.perf_counter()
            machine.ask("osi-cuda", "solve", path, "--engine", machine.engine, "--quiet")
            took.append(time.perf_counter() - begin)
        yield "reading.csv", {"file": name, "seconds, median and range": f"{statistics.median(took):.2f} ({min(took):.2f} to {max(took):.2f})"}


PARTS = {
    "flux": (flux, ("what",), "flux.csv"),
    "media": (media, ("media",), "media.csv"),
    "neurons": (neurons, ("neurons a layer",), "neurons.csv"),
    "pyepo": (pyepo, ("relaxation",), "pyepo.csv"),
    "device-arrays": (device_arrays, ("what", "number"), "device-arrays.csv"),
    "pool": (pool, ("problem", "changes"), "pool.csv"),
    "reading": (reading, ("file",), "reading.csv"),
}
