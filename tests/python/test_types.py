# SPDX-License-Identifier: EPL-2.0
"""What `mypy --strict` says of programs that use the package."""

import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).parents[2] / "python"


def faults(program, folder):
    (folder / "program.py").write_text(program, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "program.py"],
        cwd=folder, env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin"}, capture_output=True, text=True,
    ).stdout


@pytest.mark.parametrize(("call", "wrong"), [
    ("linprog('abc')", True),
    ("linprog([1.0], A_ub='abc')", True),
    ("Problem('abc')", True),
    ("linprog([1, 2], [[1, 2]], [3], bounds=[(0, None)] * 2).x", False),
    ("linprog(np.ones(2), np.ones((1, 2)), np.ones(1))", False),
    ("Problem([1, 2], [[1, 2]], None, [3], [None, 0.0]).solve().x.sum()", False),
])
def test_a_strict_checker(call, wrong, tmp_path):
    pytest.importorskip("mypy")
    program = f"import numpy as np\nfrom osi_cuda import Problem, linprog\nprint(np.pi, Problem, {call})\n"
    found = faults(program, tmp_path)
    assert ("program.py:3: error" in found) == wrong, found
