# SPDX-License-Identifier: EPL-2.0
"""Answers by the names of rows and columns, and enumerations as words."""

import copy
import pickle

import numpy as np
import pytest

from osi_cuda import Problem, Proof, Status, VariableStatus


def furniture(**more):
    return Problem(
        [20, 9], [[4, 2], [15, 5]], row_upper=[40, 120], sense="max", names=["tables", "chairs"],
        row_names=["hours", "wood"], **more,
    )


def test_values_and_duals_by_name(tmp_path):
    problem = furniture()
    problem.write(tmp_path / "furniture.mps")
    for one in (problem, copy.copy(problem), pickle.loads(pickle.dumps(problem)),
                Problem.read(tmp_path / "furniture.mps")):
        solution = one.solve()
        assert (solution.value("tables"), solution.value("chairs")) == pytest.approx((4, 12))
        assert (solution.dual("hours"), solution.dual("wood")) == pytest.approx((3.5, 0.4))
        assert solution.names == (["hours", "wood"], ["tables", "chairs"])
        with pytest.raises(KeyError):
            solution.value("hours")
    whole = problem.solve_integers(integers=[True, True])
    assert whole.value("chairs") == 12 and pickle.loads(pickle.dumps(whole)).value("chairs") == 12


def test_names_follow_the_problem():
    problem = furniture()
    before = problem.solve()
    problem.add_columns([[1.0], [1.0]], costs=[100.0])
    after = problem.solve()
    assert after.value("C3") == pytest.approx(40) and before.names[1] == ["tables", "chairs"]
    problem.set_names(columns=["a", "b", "c"])
    assert problem.solve().value("c") == pytest.approx(40)
    problem.delete_columns([0])
    assert problem.solve().names[1] == ["b", "c"]
    assert Problem([1.0]).solve().names is None
    with pytest.raises(ValueError, match="columns has length 1 instead of 2"):
        Problem([1, 2], names=["a"])
    with pytest.raises(KeyError):
        Problem([1.0]).solve().value("C1")


def test_frames():
    pandas = pytest.importorskip("pandas")
    solution = furniture().solve()
    frame = solution.to_frame()
    assert frame.loc["chairs", "value"] == pytest.approx(12) and frame.loc["chairs", "status"] == "basic"
    frame = solution.to_frame("rows")
    assert isinstance(frame, pandas.DataFrame) and frame.loc["wood", "dual"] == pytest.approx(0.4)
    assert frame["status"].tolist() == ["at_upper", "at_upper"]
    assert Problem([1.0]).solve().to_frame().index.tolist() == [0]
    with pytest.raises(ValueError, match="'columns' or 'rows'"):
        solution.to_frame("all")


def test_subsystems_and_relaxations_by_name():
    problem = furniture()
    problem.add_rows([[1, 1]], lower=[50.0])
    problem.set_names(rows=["hours", "wood", "demand"])
    assert problem.solve().status is Status.INFEASIBLE
    found = problem.iis()
    assert found.named(problem)["rows"]["demand"] == {"lower": True}
    assert sum(map(len, found.named(problem).values())) == sum(np.count_nonzero(part) for part in found[:4])
    relaxed = problem.relax()
    sides = relaxed.named(problem)
    assert sum(v for of in sides["rows"].values() for v in of.values()) == pytest.approx(relaxed.total)
    assert sides["columns"] == {}


def test_enumerations_print_as_words():
    solution = furniture().solve()
    assert str(solution.status) == f"{solution.status}" == "optimal" and solution.status == 0
    assert f"{Status.TIME_LIMIT:>12}" == "  time_limit" and f"{Status.TIME_LIMIT:d}" == "5"
    assert str(Proof.TOLERANCE) == "tolerance" and str(VariableStatus.AT_LOWER) == "at_lower"
    assert repr(solution).startswith("<Solution optimal, ")
