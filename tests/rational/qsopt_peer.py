#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""The same exact objectives from QSopt_ex (Applegate, Cook, Dash, Espinoza), an exact solver that
shares nothing with this one.

usage: qsopt_peer.py OSI-CUDA [FILE.mps...]

Each number of a file is written as the decimal expansion of the double it is read as, so that both
solve the same problem; what --exact on proves has to be QSopt_ex's fraction. Exit status 77 where
there is no esolver, or no file. Without files: the samples of coinor-libcoinutils, and of
OSI_CUDA_DATA the hard problems and small ones of Netlib.
"""
import glob
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal

SECONDS = 60
SMALL_FILE = 25_000  # bytes, compressed
FIRST_NUMBER = {"COLUMNS": 2, "RHS": 2, "RANGES": 2, "BOUNDS": 3}


def expanded(words, section, objective):
    """The words of a data line, its numbers as the exact decimals of their doubles, without the
    constant of the objective, which QSopt_ex does not know."""
    first = FIRST_NUMBER[section]
    if section in ("RHS", "RANGES") and len(words) % 2 == 0:
        first = 1  # without the name of the vector
    if len(words) <= first:
        return words  # a bound without a number
    result = words[:first - 1]
    for name, number in zip(words[first - 1::2], words[first::2]):
        if section != "RHS" or name != objective:
            result += [name, format(Decimal(float(number)), "f")]
    return result if len(result) >= first else []


def exactDecimals(path, out):
    section = objective = ""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines, open(out, "w") as to:
        for line in lines:
            if not line.strip() or line[0] == "*":
                continue
            if line[0] != " ":
                section = line.split()[0]
                to.write(line)
            elif section in FIRST_NUMBER:
                words = expanded(line.split(), section, objective)
                if words:
                    to.write(" " + " ".join(words) + "\n")
            else:
                if section == "ROWS" and not objective and line.split()[0] == "N":
                    objective = line.split()[1]
                to.write(line)


def byQsopt(file, folder):
    """The optimum as a fraction in lowest terms, or None where QSopt_ex has none in time. It cuts
    long ones off, and the next line begins there."""
    solution = os.path.join(folder, "peer.sol")
    try:
        subprocess.run(["esolver", "-O", solution, file], timeout=SECONDS, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        lines = open(solution, encoding="ascii").read().splitlines()
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return None
    if not lines or "OPTIMAL" not in lines[0]:
        return None
    return next(line.split("=")[1].strip() for line in lines if "Value =" in line)


def own(program, file):
    run = subprocess.run([program, "solve", file, "--json", "--quiet", "--exact", "on",
                          "--engine", "host", "--time-limit", str(SECONDS)],
                         capture_output=True, text=True, check=False)
    result = json.loads(run.stdout)
    exact = result.get("exact", {})
    return (exact["objective"] if exact.get("proved") else None,
            exact.get("message", result["status"]))


def same(theirs, ours):
    cut = theirs.removesuffix("VARS:")
    return ours.startswith(cut) if cut != theirs else ours == theirs


def defaultFiles():
    files = [f"/usr/share/coin/Data/Sample/{name}.mps" for name in ("afiro", "brandy", "e226")]
    data = os.environ.get("OSI_CUDA_DATA")
    if data:
        files += sorted(glob.glob(f"{data}/hard/*.mps"))
        small = [f for f in glob.glob(f"{data}/netlib/*.mps.gz") if os.path.getsize(f) < SMALL_FILE]
        files += sorted(small)
    return files


def main():
    program = sys.argv[1]
    files = [f for f in sys.argv[2:] or defaultFiles() if os.path.exists(f)]
    if not shutil.which("esolver") or not files:
        print("no esolver (Debian: qsopt-ex), or no files")
        return 77
    compared = wrong = 0
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "peer.mps")
            exactDecimals(path, file)
            theirs, (ours, message) = byQsopt(file, folder), own(program, file)
        name = os.path.basename(path)
        if theirs is None or ours is None:
            print(f"{name}: not compared (QSopt_ex: {theirs is not None and 'optimal'}; {message})")
            continue
        compared += 1
        wrong += not same(theirs, ours)
        print(f"{name}: {'the same fraction' if same(theirs, ours) else 'DIFFERENT'}, "
              f"{len(ours.partition('/')[2])} digits below the line")
    print(f"{compared} compared, {wrong} different")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
