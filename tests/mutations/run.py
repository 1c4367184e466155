#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Puts the faults of faults.py into a copy of the sources, one at a time, and asks the tests.

    run.py --check            does each fault's text still occur once where it should?
    run.py [--folder FOLDER] [--report FILE] [NUMBER...]

All faults are built at once, each as an alternative that the environment variable OSI_CUDA_FAULT
turns on: the tests are built once, and each fault costs only their run. FOLDER keeps the copy and
its build for the next time. Prints a table in Markdown. Exit status: 0 every fault was seen, 1 one
was not, 77 there is no cmake or no git checkout, 2 the copy does not build or its tests fail
without a fault.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from faults import FAULTS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 600  # of a test: a fault may keep a solve from ending
SUFFIXES = (".cpp", ".hpp")

SWITCH = """// SPDX-License-Identifier: EPL-2.0
#pragma once
#include <cstdlib>
inline int osiCudaFault() {
  static int const number = [] {
    char const* const text = std::getenv("OSI_CUDA_FAULT");
    return text ? std::atoi(text) : 0;
  }();
  return number;
}
"""


def plain(text):
    return text.replace("«", "").replace("»", "")


def sources(where):
    path = ROOT / where
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES)


def place(fault):
    """The one file in which the fault's text occurs once; ValueError with a sentence."""
    found = [(p, p.read_text(encoding="utf-8").count(plain(fault.text))) for p in
             sources(fault.where)]
    found = [(p, count) for p, count in found if count > 0]
    if len(found) != 1 or found[0][1] != 1:
        times = sum(count for _, count in found)
        raise ValueError(f"{fault.where}: occurs {times} times instead of once: "
                         f"{plain(fault.text)!r} ({fault.why})")
    if fault.text.count("«") != 1 or fault.text.count("»") != 1:
        raise ValueError(f"{fault.where}: no expression between « and »: {fault.text!r}")
    return found[0][0]


def check():
    faulty = 0
    for fault in FAULTS:
        try:
            place(fault)
        except ValueError as error:
            print(error)
            faulty += 1
    print(f"{len(FAULTS)} faults, {faulty} without a place")
    return 1 if faulty else 0


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def copy_with_faults(target):
    """The sources with every fault as an alternative; what has not changed keeps its time."""
    texts = {path: path.read_text(encoding="utf-8") for path in map(place, FAULTS)}
    alternatives = {}
    for number, fault in enumerate(FAULTS, 1):
        alternatives.setdefault((place(fault), fault.text), []).append((number, fault.new))
    for (path, text), choices in alternatives.items():
        before, rest = text.split("«")
        old, after = rest.split("»")
        expression = f"({old})"
        for number, new in choices:
            expression = f"(osiCudaFault() == {number} ? ({new}) : {expression})"
        texts[path] = texts[path].replace(before + old + after, before + expression + after)
    for path, text in texts.items():
        texts[path] = '#include "fault_switch.hpp"\n' + text  # has its own #pragma once
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                             capture_output=True, text=True).stdout.split("\n")
    for name in listing:
        path = ROOT / name
        if not name or not path.is_file():
            continue
        copy = target / name
        if path in texts:
            write_if_changed(copy, texts[path])
        elif not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            shutil.copymode(path, copy)
    write_if_changed(target / "fault_switch.hpp", SWITCH)


def build(folder):
    """The tests that the faults name; their folder."""
    modules = sorted({test.split("/")[0] for fault in FAULTS for test in fault.tests})
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    commands = [
        ["cmake", "-S", str(ROOT / "tests" / "mutations"), "-B", str(folder / "build"),
         "-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS=-O1", f"-DSOURCE={folder / 'source'}",
         "-DMODULES=" + ";".join(modules), *generator, *launcher],
        ["cmake", "--build", str(folder / "build"), "--parallel",
         os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))]]
    for command in commands:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, check=False)
        if result.returncode != 0:
            print(result.stdout[-8000:])
            return None
    return folder / "build" / "bin"


def fails(programs, test, number):
    """How the test fails with that fault; empty: it passes."""
    module, suite = test.split("/")
    try:
        result = subprocess.run(
            [str(programs / ("test_" + module)), "--run_test=" + suite, "--color_output=no"],
            env={**os.environ, "OSI_CUDA_FAULT": str(number)}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"{test}, which does not end"
    if result.returncode == 0:
        return ""
    cases = [line.split('"')[1].split("/")[-1] for line in result.stdout.splitlines()
             if "error: in \"" in line]
    return test + (": " + cases[0] if cases else ", which breaks off")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="only look for the texts")
    parser.add_argument("--folder", help="keeps the copy and its build there")
    parser.add_argument("--report", help="writes the table into this file, too")
    parser.add_argument("numbers", nargs="*", type=int, help="of the faults to try [all]")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    if check() != 0:
        return 2
    if not shutil.which("cmake") or not shutil.which("git") or not (ROOT / ".git").exists():
        print("skipped: there is no cmake, or this is no git checkout")
        return 77
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="osi-cuda-faults-"))
    try:
        copy_with_faults(folder / "source")
        programs = build(folder)
        if programs is None:
            return 2
        for test in sorted({test for fault in FAULTS for test in fault.tests}):
            if how := fails(programs, test, 0):
                print(f"without a fault: {how}")
                return 2
        lines = ["| | file | fault | seen by |", "|---:|---|---|---|"]
        print("\n".join(lines), flush=True)
        unseen = 0
        for number, fault in enumerate(FAULTS, 1):
            if arguments.numbers and number not in arguments.numbers:
                continue
            how = next(filter(None, (fails(programs, test, number) for test in fault.tests)), "")
            unseen += not how
            file = place(fault).relative_to(ROOT)
            lines.append(f"| {number} | {file} | {fault.why} | {how or 'NOBODY'} |")
            print(lines[-1], flush=True)
        if arguments.report:
            pathlib.Path(arguments.report).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{unseen} faults were not seen")
        return 1 if unseen else 0
    finally:
        if not arguments.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
