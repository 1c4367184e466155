# SPDX-License-Identifier: EPL-2.0
"""Searches for integers: `Problem.solve_integers`."""

import itertools
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

from osi_cuda import (
    EngineUnavailable, Incumbent, IntegerSolution, Problem, Proof, RelaxationWarning, SpecialOrderedSet, Status,
    tighten,
)


def knapsack(m, n, seed=1, **options):
    random = np.random.default_rng(seed)
    weights = random.integers(1, 1000, (m, n)).astype(float)
    values = weights.mean(axis=0) + random.integers(0, 500, n)
    return Problem(
        values, weights, row_upper=weights.sum(axis=1) // 2, upper=1.0, sense="max", engine="host",
        **options,
    )


def best_of(problem):
    m, n = problem.shape
    matrix = np.array([problem.row(i) for i in range(m)])
    points = np.array(list(itertools.product([0.0, 1.0], repeat=n)))
    inside = (points @ matrix.T <= problem.row_bounds[1]).all(axis=1)
    return (points[inside] @ problem.costs).max()


@pytest.mark.parametrize("cuts", ["off", "few", "all"])
def test_beside_enumeration(cuts):
    problem = knapsack(3, 10)
    incumbents = []
    solution = problem.solve_integers(incumbents.append, integers=np.ones(10), cuts=cuts)
    assert isinstance(solution, IntegerSolution) and solution is problem.solution
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(best_of(problem), abs=1e-6)
    assert set(solution.x) <= {0.0, 1.0}
    assert solution.point_proof is Proof.TOLERANCE
    assert solution.gap < 1e-6 and solution.bound >= solution.objective
    assert solution.objective_lower <= best_of(problem) <= solution.objective_upper
    assert solution.linear_programs > 0 and solution.nodes >= 0 and solution.cuts >= 0
    assert all(isinstance(found, Incumbent) and found.x.shape == (10,) for found in incumbents)
    assert incumbents[-1].objective == pytest.approx(solution.objective)
    assert "IntegerSolution optimal" in repr(solution)
    with pytest.warns(RelaxationWarning):
        assert problem.solve().objective > solution.objective  # which relaxes them


def test_marks_stay_and_a_start_is_taken():
    problem = knapsack(3, 10)
    first = problem.solve_integers(integers=[True] * 10)
    again = problem.copy().solve_integers(start=first.x, node_limit=0)
    assert again.objective == pytest.approx(first.objective)
    for wrong in ([1, 0], np.ones((2, 5))):
        with pytest.raises(ValueError, match="integers has"):
            problem.solve_integers(integers=wrong)
    with pytest.raises(ValueError):
        problem.solve_integers(start=[1.0])
    with pytest.raises(ValueError, match="relative-gap"):
        problem.solve_integers(relative_gap=-1)


def test_other_ends():
    problem = Problem([1.0, 1.0], [[2.0, 2.0]], row_lower=3.0, row_upper=3.0, upper=5.0)
    solution = problem.solve_integers(integers=[1, 1])
    assert solution.status is Status.INFEASIBLE
    assert solution.proof is Proof.EXACT and solution.farkas is None  # 2 x + 2 y is even
    problem = knapsack(20, 200)
    solution = problem.solve_integers(integers=np.ones(200), time_limit=1.0)
    assert solution.status is Status.TIME_LIMIT and set(solution.x) <= {0.0, 1.0}
    solution = problem.solve_integers(time_limit=0.0)
    assert solution.status is Status.TIME_LIMIT
    assert np.isnan(solution.objective) and np.isnan(solution.x).all() and np.isinf(solution.gap)


def test_interrupts_and_exceptions():
    problem = knapsack(20, 200)
    seen = []
    solution = problem.solve_integers(seen.append, lambda: bool(seen), integers=np.ones(200))
    assert solution.status is Status.INTERRUPTED and not np.isnan(solution.objective)

    def fail(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        problem.solve_integers(fail)


def test_ctrl_c_keeps_the_incumbent():
    problem = knapsack(20, 200)
    found = threading.Event()

    def interrupt():
        found.wait(60)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        problem.solve_integers(lambda _: found.set(), integers=np.ones(200))
    thread.join()
    assert problem.solution.status is Status.INTERRUPTED
    assert set(problem.solution.x) <= {0.0, 1.0}


def mixed(tmp_path):
    (tmp_path / "mixed.lp").write_text(
        "max x + y + z\nst\n c: 2 x + 2 y + z <= 9\nbounds\n 2 <= z <= 9\ninteger\n x y\n"
        "semi\n z\nend\n"
    )
    return Problem.read(tmp_path / "mixed.lp")


def test_a_solve_says_what_it_relaxes(tmp_path):
    problem = mixed(tmp_path)
    text = "relaxed: 2 integer columns, 1 semicontinuous column; .*solve_integers keeps them"
    for _ in range(2):  # at every call, once
        with pytest.warns(RelaxationWarning, match=text) as told:
            solution = problem.solve()
        assert len(told) == 1 and told[0].filename == __file__
    assert (solution.relaxed_integers, solution.relaxed_semicontinuous) == (2, 1)
    assert "relaxed: 2 integer columns, 1 semicontinuous column" in repr(solution)
    with pytest.warns(RelaxationWarning) as told:
        answers = problem.variants(costs=np.ones((2, 3)))
    assert len(told) == 1 and (answers.relaxed_integers, answers.relaxed_semicontinuous) == (2, 1)
    fresh = mixed(tmp_path)
    with pytest.warns(RelaxationWarning) as told:  # solved on the way
        fresh.variants(costs=np.ones((2, 3)))
    assert len(told) == 1
    with pytest.warns(RelaxationWarning) as told:
        ranked = problem.solve_ranked([np.ones(3)])
    assert len(told) == 1 and ranked.solution.relaxed_integers == 2


def test_what_relaxes_nothing_says_nothing(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = knapsack(3, 10)
        solution = problem.solve()
        assert (solution.relaxed_integers, solution.relaxed_semicontinuous) == (0, 0)
        assert "relaxed" not in repr(solution)
        solution = problem.solve_integers(integers=np.ones(10))
        assert solution.relaxed_integers == 0
        # Bounds of the relaxation hold for all integer points.
        tighten(problem)
        mixed(tmp_path).bounds_of()


def test_semicontinuous_columns_are_kept(tmp_path):
    (tmp_path / "sc.lp").write_text(
        "min x + y\nst\n c: x + y >= 1\nbounds\n 2 <= x <= 9\n y <= 0.5\nsemi\n x\nend\n"
    )
    problem = Problem.read(tmp_path / "sc.lp")
    assert [part.tolist() for part in problem.semicontinuous] == [[0], [2.0]]
    found = problem.solve_integers()
    assert found.objective == 2.0 and found.x.tolist() == [2.0, 0.0] and found.relaxed_semicontinuous == 0
    assert found.proof is not Proof.NONE
    with pytest.raises(ValueError, match="search own or auto"):
        problem.solve_integers(search="cbc")


@pytest.mark.parametrize("marks", [[0, 1], [True, True]])
def test_semicontinuous_columns_by_arguments(marks):
    problem = Problem([1, 0.5], [[1, 1]], 1.0, None, [2, -9], [5, -1], semicontinuous=marks)
    assert problem.column_bounds[0].tolist() == [0, -9] and problem.column_bounds[1].tolist() == [5, 0]
    assert problem.solve_integers().x.tolist() == [2.0, -1.0]
    problem.set_semicontinuous([1], [-2])
    assert problem.solve_integers().x.tolist() == [1.0, 0.0]
    problem.set_semicontinuous([])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert problem.solve().objective == 1.0
    for wrong, error in (([2], IndexError), ([0.5], TypeError), ([0, 0], ValueError), ([True], ValueError)):
        with pytest.raises(error):
            problem.set_semicontinuous(np.array(wrong))


def test_ordered_sets():
    problem = Problem(
        [3, 2, 4, 1], [[1, 1, 1, 1]], None, 9.0, 0.0, 5.0, sense="max",
        sos=[(1, [0, 2]), SpecialOrderedSet(2, [3, 1, 0], [3.0, 2.0, 1.0], 5, "near")],
    )
    assert problem.sos[0] == (1, [0, 2], [1.0, 2.0], 0, "")
    assert problem.sos[1] == (2, [0, 1, 3], [1.0, 2.0, 3.0], 5, "near")
    with pytest.warns(RelaxationWarning, match="2 special ordered sets; .* keeps them"):
        assert problem.solve().relaxed_sets == 2
    found = problem.solve_integers()
    assert found.x.tolist() == [0.0, 4.0, 5.0, 0.0] and found.objective == 28.0 and found.relaxed_sets == 0
    assert found.status is Status.OPTIMAL and found.proof is not Proof.NONE
    for wrong, error in (((3, [0]), ValueError), ((1, [4]), IndexError), ((1, [0, 0]), ValueError),
                         ((1, [0], [np.nan]), ValueError), ((1, [0, 1], [1.0]), ValueError), ((1, [0.5]), TypeError)):
        with pytest.raises(error):
            problem.set_sos([wrong])
    assert len(problem.sos) == 2
    problem.set_sos([])
    assert problem.sos == [] and problem.solve().relaxed_sets == 0


def test_a_missing_module(monkeypatch):
    # A C library reads its own environment.
    monkeypatch.setenv("OSI_CUDA_CBC_PATH", "/nowhere")
    with pytest.raises(EngineUnavailable, match="wheels of osi-cuda have it"):
        knapsack(3, 10).solve_integers(integers=np.ones(10), search="cbc")
    found = knapsack(3, 10).solve_integers(integers=np.ones(10))
    assert found.status is Status.OPTIMAL and found.proof is not Proof.NONE
