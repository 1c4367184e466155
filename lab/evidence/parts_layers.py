# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: other programs and packages that call this solver, and ways to it from a bare system. They fetch sources with apt and
pip. Of `install` and `first-tasks` a person prepares what the environment variables name."""

from __future__ import annotations

import os
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import data
from data import rows_of_file, tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
TESTS = data.ROOT / "tests"


# Row of applications.csv, by its first words -> names in tests/osi/applications.tsv.
APPLICATIONS = {"Cbc's examples driver": ("driver", "minimum", "modify", "crew", "lotsize", "link", "simpleBAB"), "Cbc's example sample5": ("sample5",),
                "Cbc's examples sample2": ("sample2", "repeat", "hotstart", "allCuts"), "Cgl's unit test": ("cgl-unit-test",),
                "Cgl's example cgl1": ("cgl1",), "Osi's examples": ("osi-basic", "osi-build", "osi-query", "osi-parameters")}


def applications(machine: Any) -> Rows:
    """Built twice of Debian's sources, with OsiClp and with OsiCuda."""
    told = machine.ask("bash", TESTS / "osi/applications.sh", data.ROOT, machine.bin, machine.folder("applications"), status=(0, 1))
    same = re.findall(r"^(\S+): the same", told, re.MULTILINE)
    said = same + re.findall(r"^(\S+): (?!the same|its sources)", told, re.MULTILINE)
    for row in data.rows_of("applications.csv"):
        names = next(names for first, names in APPLICATIONS.items() if row["application"].startswith(first))
        if machine.small or set(names) <= set(said):
            yield "applications.csv", {**row, "number": len(names), "agree": sum(name in same for name in names)}


CLIENTS = {"lemon": "LEMON", "coinmp": "CoinMP", "cyclus": "cyclus", "symphony": "SYMPHONY"}  # -> the first word of its row


def clients(machine: Any) -> Rows:
    """Those whose sources OSI_CUDA_LEMON, OSI_CUDA_COINMP, OSI_CUDA_CYCLUS or OSI_CUDA_SYMPHONY name; LEMON's else from Debian."""
    places = {client: os.environ.get(f"OSI_CUDA_{client.upper()}", "") for client in CLIENTS}
    if not places["lemon"]:
        machine.script("debian_source.py", "liblemon", machine.folder("lemon"))
        places["lemon"] = str(next(machine.folder("lemon").glob("lemon-*/lemon/..")))
    for client, place in ((client, place) for client, place in places.items() if place):
        told = machine.ask("bash", TESTS / "osi/clients.sh", data.ROOT, machine.bin, client, machine.folder(f"{client}-built"),
                           environment={**machine.python(), f"OSI_CUDA_{client.upper()}": place})
        assert "passes with both" in told, told
        row = next(row for row in data.rows_of("clients.csv") if row["program"].startswith(CLIENTS[client]))
        yield "clients.csv", row  # its words say what passes; a client that does not ends the part


def doors_suites(machine: Any) -> Rows:
    """The layers' own tests: with the packages of tests/python/requirements.txt and pytest-benchmark; linopy's are in its source archive of the
    index. OSI_CUDA_OPTLANG_TESTS and OSI_CUDA_COBRA_TESTS name the folders of optlang's and cobra's, which their archives lack or have without
    the models; OSI_CUDA_PYTHON_ALSO another Python with other releases."""
    options: list[Any] = []
    for option, variable in (("--optlang", "OSI_CUDA_OPTLANG_TESTS"), ("--cobra", "OSI_CUDA_COBRA_TESTS"), ("--also", "OSI_CUDA_PYTHON_ALSO")):
        options += [option, os.environ[variable]] if variable in os.environ else []
    if not machine.small:
        version = machine.ask(sys.executable, "-c", "import importlib.metadata as m; print(m.version('linopy'))").strip()
        folder = machine.folder("linopy")
        machine.ask(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", f"linopy=={version}", "-d", folder)
        machine.ask("tar", "-xf", *folder.glob("*.tar.gz"), "-C", folder)
        options += ["--linopy", *folder.glob("*/test")]
    machine.commands.clear()  # they measure nothing
    machine.script("doors.py", *options, machine.folder("doors"))
    for name in ("doors.csv", "doors-suites.csv"):
        yield from rows_of_file(machine.folder("doors") / name, name)


def layer_times(machine: Any) -> Rows:
    """User seconds beside HiGHS through the same layer."""
    for row in tables(machine.script("layer_times.py", *(["Pyomo"] if machine.small else [])))[0]:
        yield "layer-times.csv", {"a whole solve through the layer": row["what"], "osi_cuda, user seconds": row["osi_cuda, s"],
                                  "HiGHS 1.16, user seconds": row["HiGHS, s"]}


def install(machine: Any) -> Rows:
    """On bare systems of debootstrap, as root: OSI_CUDA_BARE names the folder that keeps them, and has the folders `wheels` (of a wheel) and
    SUITE-packages (of Debian's packages, or of the source package)."""
    place = pathlib.Path(os.environ["OSI_CUDA_BARE"])
    for suite in ("bookworm", "trixie", "noble"):
        for packages, title in ((place / "wheels", "wheel, {} MB, and PuLP"), (place / f"{suite}-packages", "packages of Debian, {} MB")):
            if not packages.is_dir():
                print(f"not run: {packages}: no such folder", file=sys.stderr)
                continue
            told = machine.ask("sh", TESTS / "install/bare.sh", suite, place, packages, status=(0, 77))
            match = re.search(r"^(\S+)(?: GNU/Linux)? ([\d.]+).*: (\d+) s, (\d+) MB", told, re.MULTILINE)
            if match:
                size = round(sum(path.stat().st_size for end in ("*.whl", "*.deb") for path in packages.glob(end)) / 1e6)
                yield "install.csv", {"channel": title.format(size), "bare system": f"{match.group(1)} {match.group(2)}", "seconds": match.group(3),
                                      "MB on disk": match.group(4)}


def first_tasks(machine: Any) -> Rows:
    """A person follows the pages on a bare system and notes seconds: OSI_CUDA_FIRST_TASKS names a file of `task,seconds,again` with titles."""
    noted = {row["task"]: row for row in data.read(pathlib.Path(os.environ["OSI_CUDA_FIRST_TASKS"]))}
    machine.note("commands of the pages in a root of debootstrap")
    for row in data.rows_of("first-tasks.csv"):
        own = noted[row["task"]]
        yield "first-tasks.csv", {**row, "seconds": own["seconds"], "again, from a cache": own["again"]}


PARTS = {
    "applications": (applications, ("application",), "applications.csv"),
    "clients": (clients, ("program",), "clients.csv"),
    "doors-suites": (doors_suites, ("suite",), "doors-suites.csv"),
    "layer-times": (layer_times, ("a whole solve through the layer",), "layer-times.csv"),
    "install": (install, ("channel", "bare system"), "install.csv"),
    "first-tasks": (first_tasks, ("task",), "first-tasks.csv"),
}
