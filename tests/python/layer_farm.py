# SPDX-License-Identifier: EPL-2.0
"""Farms of which a member is killed, and the measurement of several GPUs on the emulated one: the
programs of docs/evidence in small."""

import os
import pathlib
import subprocess
import sys

import pytest

BIN = pathlib.Path(os.environ["OSI_CUDA_LIBRARY"]).parent
EVIDENCE = pathlib.Path(__file__).parents[2] / "docs/evidence"


def run(program, *arguments):
    found = subprocess.run(
        [sys.executable, EVIDENCE / program, *arguments], capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in found.stdout.splitlines()]


@pytest.mark.parametrize(("what", "count", "tasks", "workers"), [
    ("variants", 40_960, 40, 2), ("variants", 40_960, 40, 1), ("files", 200, 200, 2), ("batch", 1000, 1000, 2),
    ("regress", 300, 300, 2),
])
def test_what_a_kill_leaves(what, count, tasks, workers):
    if what in ("variants", "files"):
        pytest.importorskip("distributed")
    elif not (BIN / "osi-cuda").exists():
        pytest.skip("osi-cuda was not built")
    whole, killed = run("farm_runs.py", what, "--count", str(count), "--workers", str(workers),
                        "--program", BIN / "osi-cuda")[2:]
    assert whole[:-1] == [f"{what}, {count}", "no", str(tasks), *["0"] * 5]
    assert killed[:5] == [f"{what}, {count}", "yes", str(tasks), "0", "0"]
    assert int(killed[5].split()[-1]) <= 2 and killed[7] == "0"  # of the dead worker: one at work, one not handed over


def test_several_devices_dry_run():
    programs = ("bench_batch", "bench_variants", "bench_dense", "osi-cuda", "osi_cuda_emulated_module.so",
                "osi_cuda_lost_module.so")
    if not all((BIN / program).exists() for program in programs):
        pytest.skip("the benchmarks or the emulated device were not built")
    lines = run("several_devices.py", "batches", "variants", "barrier", "recovery", "--bin", BIN,
                "--dry-run", "--counts", "1,2")
    first = [line[0] for line in lines if line]
    assert first.count("60x30") == first.count("variants of 12x8") - 1 == 2
    barrier, batch = ([line for line in lines if line and line[0] == what][0] for what in ("barrier", "batch"))
    assert barrier[3] == "optimal" and "begun again as a new process" in barrier[-1]
    assert batch[3] == "60 optimal"
