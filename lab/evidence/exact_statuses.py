#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Exact statuses and optima beside QSopt_ex's and the recorded ones, as CSV.

usage: exact_statuses.py [--seconds S] PROGRAM OUT.csv FOLDER...

PROGRAM is osi-cuda. Each FOLDER has models; `reference.csv` there may have columns file, status and optimum. Every
model is solved with `--exact on`, converted to MPS without rounding, and solved by QSopt_ex (libqsopt_ex.so.2, Debian:
libqsopt-ex2), which reads decimals as the rationals that they are, as `--exact on` does.
"""
import argparse
import csv
import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

ENDINGS = (".mps", ".mps.gz", ".mps.xz", ".lp")
STATUS = {1: "optimal", 2: "infeasible", 3: "unbounded"}


def by_qsopt(path):
    """Status and optimum, to be called in a process of its own."""
    lib = ctypes.CDLL("libqsopt_ex.so.2")
    gmp = ctypes.CDLL("libgmp.so.10")
    lib.QSexactStart()
    lib.mpq_QSread_prob.restype = ctypes.c_void_p
    problem = ctypes.c_void_p(lib.mpq_QSread_prob(path.encode(), b"MPS"))
    if not problem:
        return "unread", ""
    status = ctypes.c_int(0)
    if lib.QSexact_solver(problem, None, None, None, 2, ctypes.byref(status)):  # 2: dual simplex
        return "failed", ""
    word = STATUS.get(status.value, f"status {status.value}")
    if word != "optimal":
        return word, ""
    value = (ctypes.c_uint64 * 4)()
    gmp.__gmpq_init(value)
    lib.mpq_QSget_objval(problem, value)
    gmp.__gmpq_get_str.restype = ctypes.c_char_p
    return word, gmp.__gmpq_get_str(None, 10, value).decode()


def child(command, seconds):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    except subprocess.TimeoutExpired:
        return ""


def compared(program, path, reference, seconds):
    said = child([program, "solve", str(path), "--exact", "on", "--json", "--time-limit", str(seconds)], 2 * seconds)
    own = json.loads(said) if said.startswith("{") else {"status": "none"}
    exact = own.get("exact") or {}
    status, optimum = exact.get("status") or "not proved", exact.get("objective") or ""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model.mps"
        child([program, "convert", str(path), str(model)], seconds)
        there = child([sys.executable, __file__, "--one", str(model)], seconds).splitlines()
    word, value = json.loads(there[-1]) if there else ("over the limit", "")
    # QSopt_ex leaves out the constant of the objective; both are compared as fractions.
    same = word == status and (word != "optimal" or Fraction(value) == Fraction(optimum))
    recorded = reference.get(path.name, {})
    return {
        "file": path.name, "status within tolerances": own["status"] if own["status"] == status else
        json.loads(child([program, "solve", str(path), "--exact", "off", "--json"], seconds) or '{"status": ""}')["status"],
        "exact status": status, "exact optimum": exact.get("digits") or "",
        "seconds": f"{exact.get('seconds', 0.0):.3f}", "QSopt_ex": word,
        "same": "yes" if same else "not known" if word not in STATUS.values() else "no",
        "recorded": " ".join(filter(None, (recorded.get("status", ""), recorded.get("optimum", "")))),
    }


def main():
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(by_qsopt(sys.argv[2])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    writer = None
    with open(arguments.out, "w", newline="", encoding="utf-8") as file:
        for folder in arguments.folders:
            table = folder / "reference.csv"
            reference = {row["file"]: row for row in csv.DictReader(table.open(encoding="utf-8"))} if table.exists() else {}
            for path in sorted(p for p in folder.iterdir() if p.name.endswith(ENDINGS)):
                row = {"set": folder.name} | compared(arguments.program, path, reference, arguments.seconds)
                if not writer:
                    writer = csv.DictWriter(file, row)
                    writer.writeheader()
                writer.writerow(row)
                file.flush()


if __name__ == "__main__":
    main()
