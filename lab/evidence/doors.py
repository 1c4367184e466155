# SPDX-License-Identifier: EPL-2.0
"""The doors of other packages: what each passes on, asked cell by cell, and the layers' own test suites through them.

    doors.py [--also PYTHON] [--linopy FOLDER] [--optlang FOLDER] [--cobra FOLDER] [OUT]

Runs with the Python that has the packages, PYTHONPATH=python and OSI_CUDA_LIBRARY; writes OUT/doors.csv (layer, check,
answer; lab/data unless given) and OUT/doors-suites.csv (suite, passed, failed, left out, what failed). --also is another Python,
such as one with PuLP 4. Folders are those of the tests: test/ of linopy's source archive, src/optlang/tests/ and tests/ of the
repositories of optlang and cobra, which the wheels lack; suites without their folder are left out.

cobra's tests run with this interface in the place of GLPK's, and with GLPK for comparison.
"""

import argparse
import csv
import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).parents[2]
TESTS = ROOT / "tests/python"
COBRA = """
import cobra, osi_cuda.optlang
from cobra.util import solver
solver.solvers["glpk"] = osi_cuda.optlang
cobra.Configuration()._solver = osi_cuda.optlang
"""
FOLDERS = ["test_core", "test_flux_analysis", "test_medium", "test_util", "test_summary", "test_manipulation"]
SUITES = {  # those that this project runs in its own tests: package, file, which of its tests are the layer's
    "CVXPY": ("cvxpy", "layer_cvxpy.py", "test_standard"), "PuLP": ("pulp", "layer_pulp.py", "TestPulp"),
    "Pyomo, with this project's": ("pyomo", "layer_pyomo.py", ""), "SciPy": ("scipy", "scipy_linprog.py", ""),
}
PLUG = """
import pathlib, sys, optlang, osi_cuda.optlang
sys.modules["optlang.hybrid_interface"] = optlang.hybrid_interface = osi_cuda.optlang
from optlang.tests import abstract_test_cases as cases
data = pathlib.Path(__file__).parent / "data"
cases.TESTMODELPATH, cases.TESTMILPMODELPATH = str(data / "model.json"), str(data / "simple_milp.json")
"""


def version(python, package):
    text = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", text], capture_output=True, text=True).stdout.strip()


def table(python):
    lines = subprocess.run([python, TESTS / "layer_table.py"], capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    checks = cells[0][1:]
    for layer, *answers in cells[2:]:
        name = f"PuLP {version(python, 'pulp')}" if layer.startswith("PuLP") else layer
        yield from ((name, check, answer) for check, answer in zip(checks, answers, strict=True))


def suite(python, *arguments, cwd=ROOT, path=""):
    """passed, failed, left out, names of what failed"""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.xml")
        environment = {**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{path}"}
        subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *map(str, arguments)], cwd=cwd,
            env=environment, stdout=subprocess.DEVNULL,
        )
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    left_out = sum(case.find("skipped") is not None for case in cases)
    names = sorted({case.get("name").partition("[")[0] for case in failed})
    return len(cases) - len(failed) - left_out, len(failed), left_out, " ".join(names)


def suites(given):
    here = sys.executable
    for python in filter(None, (here, given.also)):
        for name, (package, file, only) in SUITES.items():
            found = version(python, package)
            if found and (python == here or found != version(here, package)):
                yield f"{name} {found}", *suite(python, TESTS / file, *(["-k", only] if only else []))
    if given.linopy:
        found = suite(here, "-p", "osi_cuda.linopy", "-k", "osi_cuda", cwd=given.linopy)
        yield f"linopy {version(here, 'linopy')}", *found
    with tempfile.TemporaryDirectory() as folder:
        if given.optlang:  # the file of the tests on optlang's matrices, with this interface in the place of the hybrid one
            copy = pathlib.Path(folder, "optlang_tests")
            shutil.copytree(given.optlang, copy)
            (copy / "plug.py").write_text(PLUG)
            found = suite(here, "-p", "plug", "test_hybrid_interface.py", cwd=copy, path=copy)
            yield f"optlang {version(here, 'optlang')}", *found
        if given.cobra:
            pathlib.Path(folder, "cobra_here.py").write_text(COBRA)
            for name, more in (("GLPK", []), ("osi_cuda", ["-p", "cobra_here"])):
                found = suite(here, "--benchmark-disable", "--ignore", "test_util/test_process_pool.py", *more, *FOLDERS,
                              cwd=given.cobra, path=folder)
                yield f"cobra {importlib.metadata.version('cobra')} on {name}", *found


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow(row)
            file.flush()
            print(*row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--also", "--linopy", "--optlang", "--cobra"):
        parser.add_argument(name)
    parser.add_argument("out", nargs="?", default=ROOT / "lab/data", type=pathlib.Path)
    given = parser.parse_args()
    cells = list(table(sys.executable))
    if given.also:
        known = {layer for layer, *_ in cells}
        cells += [cell for cell in table(given.also) if cell[0] not in known]
    write(given.out / "doors.csv", ("layer", "check", "answer", "run"), [(*cell, "doors") for cell in cells])
    write(given.out / "doors-suites.csv", ("suite", "passed", "failed", "left out", "failed tests", "run"), [(*row, "doors") for row in suites(given)])


if __name__ == "__main__":
    main()
