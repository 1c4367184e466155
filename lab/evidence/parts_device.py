# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: what depends on the card and its driver."""

from __future__ import annotations

import csv
import json
import pathlib
import re
import struct
import time
from collections.abc import Iterator
from typing import Any

import resolve_tables
from data import tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]


def cards(machine: Any) -> Rows:
    """bench_cards: a solve on this device, and what its counters would take on other cards."""
    size = "40x20" if machine.small else "5000x2500"
    told = machine.ask("bench_dense", "--engine", machine.engine, "--algorithm", "barrier", "--size", size, "--repeats", 9)
    counts = {stage: count for stage, count in re.findall(r"^\|  (.+?): (\d+) pivots", told, re.M)}
    iterations = counts.pop("barrier", 1)
    predicted = machine.ask("bench_cards", "--size", size, "--iterations", iterations, "--pivots", sum(map(int, counts.values())))
    for row in csv.DictReader(predicted.splitlines()):
        mine = f"(NVIDIA {row['card']})" in told
        yield "cards.csv", {**row, "measured, s": tables(told)[0][0]["seconds"] if mine else ""}


def without_machine_code(module: pathlib.Path, copy: pathlib.Path) -> tuple[int, str]:
    """Writes a copy whose machine code is said to be for a card that there is not, so that the driver translates the PTX. Returns the number
    of entries that were changed, and the PTX's compute capability. A container of code has a head of 16 bytes (magic number, version,
    size of the head, size of the entries); an entry begins with its kind (1: PTX, 2: machine code), the size of its head and of what follows,
    and has the compute capability at byte 28."""
    code, changed, capabilities = bytearray(module.read_bytes()), 0, set()
    place = code.find(struct.pack("<I", 0xBA55ED50))
    while place >= 0:
        version, head, size = struct.unpack_from("<HHQ", code, place + 4)
        entry, end = place + head, place + head + size
        if version != 1 or head != 16 or end > len(code):
            raise RuntimeError(f"{module}: another container of code")
        while entry < end:
            kind, _, own, length = struct.unpack_from("<HHIQ", code, entry)
            if kind == 1:
                capabilities.add(struct.unpack_from("<I", code, entry + 28)[0])
            elif kind == 2:
                struct.pack_into("<I", code, entry + 28, 35)
                changed += 1
            entry += own + length
        place = code.find(struct.pack("<I", 0xBA55ED50), end)
    copy.write_bytes(code)
    return changed, ", ".join(f"{capability / 10:g}" for capability in sorted(capabilities))


def device_code(machine: Any) -> Rows:
    """Machine code of the card beside PTX, which the driver translates at the first call."""
    copy = machine.out / "OsiCudaEngine.so"
    changed, ptx = without_machine_code(machine.program("OsiCudaEngine.so"), copy)
    machine.about(f"PTX: machine code of {changed} kernels' files set aside")
    toolkit = re.search(rb"Cuda compilation tools, release (\d+\.\d+)", machine.program("OsiCudaEngine.so").read_bytes())
    version = f"CUDA {toolkit.group(1).decode()}, " if toolkit else ""
    afiro, sizes = machine.data / "netlib/afiro.mps.gz", ["40x20", "60x30"] if machine.small else ["2000x1000", "5000x2500"]
    for code, more in ((f"{version}machine code", {}), (f"{version}PTX {ptx}", {"OSI_CUDA_ENGINE_PATH": str(copy)})):
        environment = machine.python() | {"CUDA_CACHE_PATH": str(machine.folder("cache"))} | more
        begin = time.perf_counter()
        card = json.loads(machine.ask("osi-cuda", "solve", afiro, "--engine", machine.engine, "--json", environment=environment))["device"]
        first = time.perf_counter() - begin
        dense = [row for size in sizes for row in tables(machine.ask("bench_dense", "--engine", machine.engine, "--size", size, "--repeats", 5,
                                                                     environment=environment))[0][:1]]
        batch = tables(machine.ask("bench_batch", "--engine", machine.engine, "--size", "5x5" if machine.small else "50x50",
                                   *(["--count", 40] if machine.small else []), environment=environment))[0][0]
        told = machine.ask("osi_resolve_report", "--seconds", 1 if machine.small else 3, "--only", "cuda", "--option", "engine", machine.engine,
                           machine.data / "miplib3" / ("rgn.mps.gz" if machine.small else "gesa2.mps.gz"), environment=environment)
        rate = next(match.group(5) for line in told.splitlines() if (match := resolve_tables.ROW.match(line)))
        yield "device-code.csv", {
            "card": card.removeprefix("NVIDIA ").partition(" ")[0], "module's code": code, "2000 x 1000, s": dense[0]["seconds"],
            "5000 x 2500, s": dense[1]["seconds"], "50 x 50, a second": f"{int(batch['a second']):,}",
            "of it the kernel": f"{int(batch['device, a second']):,}", "gesa2, re-solves a second": f"{float(rate):.0f}",
            "first call, s": f"{first:.1f}", "all translated, s": "", "test_cuda": ""}


def hard_batch(machine: Any) -> Rows:
    """A million hard problems by the test, which fails where an answer does not stand."""
    told = machine.ask("test_cuda", "--color_output=no", "--log_level=message", "--run_test=batch_on_device/a_million*")
    proved, once, elsewhere = (int(word) for word in re.search(r"(\d+) proved, (\d+) by one side only, (\d+) ended elsewhere", told).groups())
    for what, number, result in (
            ("hard problems of up to 6 x 6, coefficients 2^50 apart", 1_000_000,
             f"{proved:,} proved by the device; the verifier of whole problems accepts all of them"),
            ("of these, proved by only one of device and processor", once, "no contradiction"),
            ("of these, pivots end at statements that both stand within the tolerances", elsewhere,
             "infeasible by less than the tolerances, or optimal with residuals within them")):
        yield "small-batches.csv", {"what": what, "number": f"{number:,}", "result": result}


PARTS = {
    "hard-batch": (hard_batch, ("what",), "small-batches.csv"),
    "cards": (cards, ("card",), "cards.csv"),
    "device-code": (device_code, ("card", "module's code"), "device-code.csv"),
}
