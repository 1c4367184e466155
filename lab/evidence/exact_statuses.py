#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Exact statuses and optima beside QSopt_ex's, SCIP's and the recorded ones, as CSV.

usage: exact_statuses.py [--seconds S] [--most BYTES] PROGRAM OUT.csv FOLDER...

PROGRAM is osi-cuda. Each FOLDER has models; `reference.csv` there may have columns file, status and optimum. Every model
is converted to MPS without rounding, solved with `--exact on` and a proof, which osi_cuda.check checks, and solved by
QSopt_ex (libqsopt_ex.so.2, Debian: libqsopt-ex2), which reads decimals as the rationals that they are, as `--exact on` does.
Each has S seconds of one processor, reading included. Files of more than BYTES are left out.
"""
import argparse
import csv
import ctypes
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction

ENDINGS = (".mps", ".mps.gz", ".mps.xz", ".lp", ".nl", ".lps")
STATUS = {1: "optimal", 2: "infeasible", 3: "unbounded"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


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


def child(command, seconds, environment=None):
    """What it writes, and its processor seconds; nothing where those are over."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = round(seconds + 0.5)
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=20 * seconds, env=dict(os.environ, **(environment or {})),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        ).stdout
    except subprocess.TimeoutExpired:
        said = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (said if took <= seconds else ""), took


def compared(arguments, path, folder, recorded):
    program, seconds = arguments.program, arguments.seconds
    model, proof = folder / "model.mps", folder / "proof.json"
    for file in model, proof:
        file.unlink(missing_ok=True)
    child([program, "convert", str(path), str(model)], 60)
    if not model.exists():
        return None
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    said, own_seconds = child([program, "solve", str(model), "--exact", "on", "--json", "--threads", "1", "--proof", str(proof)],
                              seconds, one)
    own = json.loads(said) if said.startswith("{") else {"status": "over the limit"}
    exact = own.get("exact") or {}
    status, optimum = exact.get("status") or "not proved", exact.get("objective") or ""
    checker = [sys.executable, "-m", "osi_cuda.check", str(model), str(proof)]
    verdict = child(checker, 60, {"PYTHONPATH": str(ROOT / "python")})[0] if proof.exists() else ""
    there, their_seconds = child([sys.executable, __file__, "--one", str(model)], seconds)
    word, value = json.loads(there.splitlines()[-1]) if there else ("over the limit", "")
    constant = Fraction(0)
    if word == "optimal" and optimum:  # QSopt_ex leaves out the constant of the objective
        constant = constant_of(model)
    same = word == status and (word != "optimal" or Fraction(value) + constant == Fraction(optimum))
    within = child([program, "solve", str(path), "--exact", "off", "--json"], 60)[0]
    row = {
        "file": path.name, "status within tolerances": json.loads(within or '{"status": ""}')["status"],
        "exact status": status, "exact optimum": exact.get("digits") or "", "seconds": f"{own_seconds:.2f}",
        "proof": "none" if not proof.exists() else "accepted" if verdict.startswith("proved") else "over 60 s" if not verdict else "refused",
        "QSopt_ex": word, "seconds of QSopt_ex": f"{their_seconds:.2f}",
        "same": "yes" if same else "no" if word in STATUS.values() and status in STATUS.values() else "not known",
        "recorded": " ".join(filter(None, (recorded.get("status", ""), recorded.get("optimum", "")))),
        "as recorded": "" if set(recorded.get("optimum") or ".") - set("-/0123456789") else
        "yes" if optimum and Fraction(recorded["optimum"]) == Fraction(optimum) else "no",
    }
    return row


def constant_of(model):
    """What the MPS file adds to the objective."""
    rows = {}
    section = ""
    for line in model.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if line[:1] not in (" ", "*") and words:
            section = words[0]
        elif section == "ROWS" and words[0] == "N":
            rows.setdefault("objective", words[1])
        elif section == "RHS" and words[-2] == rows.get("objective"):
            return -Fraction(words[-1])
    return Fraction(0)


def main():
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(by_qsopt(sys.argv[2])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    writer = None
    with open(arguments.out, "w", newline="", encoding="utf-8") as file, tempfile.TemporaryDirectory() as scratch:
        for folder in arguments.folders:
            table = folder / "reference.csv"
            lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
            rows = csv.DictReader(line for line in lines if not line.startswith("#"))
            reference = {row.get("file") or row["name"]: row for row in rows}
            for path in sorted(p for p in folder.iterdir() if p.name.endswith(ENDINGS) and p.stat().st_size <= arguments.most):
                recorded = reference.get(path.name) or reference.get(path.name.split(".")[0]) or {}
                found = compared(arguments, path, pathlib.Path(scratch), recorded)
                if not found:  # no linear program
                    continue
                row = {"set": folder.name} | found
                if not writer:
                    writer = csv.DictWriter(file, row)
                    writer.writeheader()
                writer.writerow(row)
                file.flush()


if __name__ == "__main__":
    main()
