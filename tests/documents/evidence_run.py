#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Runs parts of lab/evidence/run.py in small, and takes their rows into a copy of lab/data: each has a run with machine, date, commit
and command, an older row with the same key is gone, and a part that fails is named.

usage: evidence_run.py BIN    BIN is the folder of the programs.
"""
import csv
import gzip
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"dense": "dense.csv", "batches": "batch-rates.csv", "cuts": "cut-generators.csv", "stress": "stress.csv",
         "stress-extreme": "stress-extreme.csv", "hostile": "hostile.csv", "netlib": "netlib-h200-presolve.csv", "barrier": "barrier-h200.csv",
         "auto": "auto-ways.csv", "dense-others": "dense.csv"}
# x + y <= 5, x <= 4, y <= 3: least -x - 2 y
MODEL = b"""NAME small
ROWS
 N cost
 L sum
COLUMNS
 x cost -1 sum 1
 y cost -2 sum 1
RHS
 rhs sum 5
BOUNDS
 UP b x 4
 UP b y 3
ENDATA
"""


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(tree, *words, status=0):
    done = subprocess.run([sys.executable, tree / "lab/evidence/run.py", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stderr


def replaces_whole_files(tree):
    """Where a part makes all rows of a file, older ones go; not where it was stopped before its end."""
    target, folder = tree / "lab/data/stress-integers.csv", tree / "whole"
    folder.mkdir()
    for about, left in (("it was stopped before its end", len(read(target))), ("", 1)):
        (folder / "stress-integers.csv").write_text("interface,problems,solves,false,crashes,run\nosi,1,2,3,4,new\n", encoding="utf-8")
        (folder / "runs.csv").write_text(f"run,machine,date,commit,command,raw,about\nnew,a test,2026-11-28,0123abcd,stress,rows,{about}\n",
                                         encoding="utf-8")
        run(tree, "--merge", folder)
        rows = read(target)
        assert len(rows) == left and sum(row["run"] == "new" for row in rows) == 1, f"`{about}`: {rows}"


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name)
        for folder in ("lab/evidence", "lab/data", "lab/suite", "python/osi_cuda"):
            shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
        (tree / "netlib").mkdir()
        for problem in ("afiro", "25fv47"):  # the same under two names; a third is on the list and not there
            with gzip.open(tree / f"netlib/{problem}.mps.gz", "wb") as file:
                file.write(MODEL)
        (tree / "netlib/reference.csv").write_text("# a remark\nname,rows,objective\n25fv47,2,-8\nafiro,2,-8\nlost,1,0\n", encoding="utf-8")
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
        old = {name: read(tree / "lab/data" / name) for name in set(PARTS.values())}
        run(tree, "--merge", tree / "rows.tar.gz")  # the packed rows are those of the folder
        after, known = read(tree / "lab/data/stress.csv"), {row["run"] for row in read(tree / "lab/data/runs.csv")}
        assert list(before[0]) == list(after[0]) and len(before) == len(after), "rows with the same key are there twice"
        assert sum(row["run"] in runs for row in after) == len(read(tree / "rows/stress.csv"))
        assert all(row["run"] in known for path in (tree / "lab/data").glob("*.csv") for row in read(path) if "run" in row)
        for name in set(PARTS.values()):  # what a row does not have a part does not take away
            row = next(row for row in read(tree / "lab/data" / name) if row["run"] in runs)
            assert list(row) == list(old[name][0]), name
        replaces_whole_files(tree)
        made = "import pages; [pages.block(name, pages.EVIDENCE, set()) for name in pages.TABLES if name != 'stress']"  # each table can be made of the new rows; small runs of `stress` have one peer
        subprocess.run([sys.executable, "-c", made], cwd=tree / "lab/evidence", check=True)
        run(tree, *options, "--bin", programs, "--out", tree / "one", "--pack", tree / "one.tar.gz", "dense-others")
        assert (tree / "one.tar.gz").exists(), "a part alone is not packed"
        said = run(tree, *options, "--bin", tree, "--out", tree / "none", "dense", status=1)  # no programs there
        assert "dense: no rows" in said and "stopped" in said, said
        assert not (tree / "none/runs.csv").exists()
        said = run(tree, *options, "--bin", programs, "--out", tree / "late", "--all", "--on", "device", "--minutes", 0, status=1)
        assert "dense: not run: 0 s are left" in said and not list((tree / "late").iterdir()), said
    print(f"{len(parts)} parts run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
