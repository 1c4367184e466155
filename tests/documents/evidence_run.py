#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Runs parts of lab/evidence/run.py in small, and takes their rows into a copy of lab/data: each has a run with machine, date, commit
and command, an older row with the same key is gone, and a part that fails is named.

usage: evidence_run.py BIN    BIN is the folder of the programs.
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"dense": "dense.csv", "batches": "batch-rates.csv", "cuts": "cut-generators.csv", "stress": "stress.csv",
         "stress-extreme": "stress-extreme.csv", "hostile": "hostile.csv"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(tree, *words, status=0):
    done = subprocess.run([sys.executable, tree / "lab/evidence/run.py", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stderr


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        for folder in ("lab/evidence", "lab/data", "lab/suite", "python/osi_cuda"):
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
        options = ["--small", "--engine", "host", "--machine", "a test", "--commit", "0123abcd", "--data", tree]
        needs = {"cuts": "osi_cuts_report", "hostile": "test_analysis"}
        parts = [part for part in PARTS if part not in needs or (programs / needs[part]).exists()]
        run(tree, *options, "--bin", programs, "--out", tree / "rows", "--lanes", 2, "--pack", tree / "rows.tar.gz", *parts)
        runs = {row["run"]: row for row in read(tree / "rows/runs.csv")}
        for part in parts:
            rows = read(tree / "rows" / PARTS[part])
            assert rows, f"{part}: no rows"
            for row in rows:
                of = runs[row["run"]]
                assert of["machine"] == "a test" and of["commit"] == "0123abcd" and of["command"] and of["date"].endswith(" UTC"), of
        before = read(tree / "lab/data/stress.csv")
        run(tree, "--merge", tree / "rows.tar.gz")  # the packed rows are those of the folder
        after, known = read(tree / "lab/data/stress.csv"), {row["run"] for row in read(tree / "lab/data/runs.csv")}
        assert list(before[0]) == list(after[0]) and len(before) == len(after), "rows with the same key are there twice"
        assert sum(row["run"] in runs for row in after) == len(read(tree / "rows/stress.csv"))
        assert all(row["run"] in known for path in (tree / "lab/data").glob("*.csv") for row in read(path) if "run" in row)
        said = run(tree, *options, "--bin", tree, "--out", tree / "none", "dense", status=1)  # no programs there
        assert "dense: no rows" in said and "stopped" in said, said
        assert not (tree / "none/runs.csv").exists()
        said = run(tree, *options, "--bin", programs, "--out", tree / "late", "--all", "--on", "device", "--minutes", 0, status=1)
        assert "dense: not run: 0 s are left" in said and not list((tree / "late").iterdir()), said
    print(f"{len(parts)} parts run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
