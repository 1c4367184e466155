# SPDX-License-Identifier: EPL-2.0
"""Copies and pickles are problems of their own; two threads with one problem."""

import copy
import gc
import multiprocessing
import pathlib
import pickle
import re
import sys
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import osi_cuda
from osi_cuda import BatchSolver, Problem, Status

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "method": lambda problem: problem.copy(),
    **{
        f"pickle {protocol}": lambda problem, p=protocol: pickle.loads(pickle.dumps(problem, p))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


def everything(problem):
    values, rows, starts = problem.matrix
    return {
        "shape": problem.shape, "sense": problem.sense, "offset": problem.offset,
        "costs": problem.costs.tolist(), "columns": [b.tolist() for b in problem.column_bounds],
        "rows": [b.tolist() for b in problem.row_bounds], "values": values.tolist(),
        "row numbers": rows.tolist(), "starts": starts.tolist(),
        "row names": [problem.row_name(i) for i in range(problem.shape[0])],
        "column names": [problem.column_name(j) for j in range(problem.shape[1])],
        "options": {o.name: problem.get_option(o.name) for o in osi_cuda.option_table()},
        "basis": [part.tolist() for part in problem.basis],
    }


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_lives_without_its_original(furniture, way):
    furniture.set_options(seed=7, pricing="devex", time_limit=60)
    furniture.set_offset(2.5)
    furniture.set_bounds(upper=[3e30, None])
    before = furniture.solve().objective
    expected = everything(furniture)
    other = WAYS[way](furniture)
    assert everything(other) == expected
    assert other.solution is None
    furniture.set_costs(0.0)  # each has its own numbers
    del furniture
    gc.collect()
    strangers = [Problem([1.0] * k, np.ones((k, k)), row_lower=1.0) for k in range(1, 20)]
    assert everything(other) == expected
    again = other.solve()
    assert again.objective == pytest.approx(before) and again.iterations == 0
    del other
    gc.collect()
    assert [p.solve().objective for p in strangers] == pytest.approx([1.0] * 19)


@pytest.mark.parametrize("way", WAYS)
def test_names_and_integer_marks_come_along(tmp_path, way):
    (tmp_path / "a.mps").write_text(
        "NAME named\nROWS\n N gain\n L hours\n G wood\nCOLUMNS\n"
        " M1 'MARKER' 'INTORG'\n chairs gain -20 hours 4\n chairs wood 15\n M2 'MARKER' 'INTEND'\n"
        " t\u00fcr gain -9 hours 2\nRHS\n R hours 40 wood 1\nENDATA\n", encoding="utf-8",
    )
    problem = Problem.read(tmp_path / "a.mps")
    other = WAYS[way](problem)
    assert other.column_name(1) == "t\u00fcr" and other.row_name(0) == "hours"
    problem.write(tmp_path / "one.mps")
    other.write(tmp_path / "two.mps")
    assert (tmp_path / "one.mps").read_bytes() == (tmp_path / "two.mps").read_bytes()
    assert b"INTORG" in (tmp_path / "two.mps").read_bytes()


# Where the members of the library's own structures are in a pickle's state, or why they are not there.
HELD = {
    "LinearProgram": {
        "name": "names", "objectiveName": "names", "rowNames": "names", "columnNames": "names", "sense": "sense",
        "objectiveOffset": "offset", "matrix": "matrix", "objective": "costs", "columnLower": "column_bounds",
        "columnUpper": "column_bounds", "rowLower": "row_bounds", "rowUpper": "row_bounds", "integer": "integers",
        "choices": "sos",
    },
    "osi_cuda_problem": {
        "solver": "basis", "options": "options",
        "decimals": "decimals", "fractions": "fractions", "scenarios": "scenarios",
        "fromDevice": None, "solution": None, "log": None, "progress": None,
    },
}
ROOT = pathlib.Path(__file__).parents[2]
SOURCES = {"LinearProgram": "osi_cuda/model/linear_program.hpp", "osi_cuda_problem": "c/problem.hpp"}


@pytest.mark.parametrize("structure", HELD)
def test_every_member_is_in_the_pickle(structure):
    """Who adds a member to a problem has to say where a pickle keeps it."""
    source = ROOT / SOURCES[structure]
    if not source.exists():
        pytest.skip("the sources are not here")
    body = re.search(rf"struct {structure}\b[^{{]*{{(.*?)\n}};", source.read_text(encoding="utf-8"), re.DOTALL)[1]
    members = {
        match[1] for line in body.splitlines()
        if (match := re.match(r"  [\w:<>,*& ]+[ *&](\w+)( = [^;()]*)?;", line)) and "(" not in line.split(";")[0]
    }
    assert members == set(HELD[structure])
    state = Problem([1.0], [[1.0]]).__getstate__()
    assert {where for where in HELD[structure].values() if where} <= set(state)


def test_every_part_of_the_state_comes_back(tmp_path):
    """A problem in which nothing is as it is by default: no part is lost on the way."""
    (tmp_path / "all.lp").write_text(
        "max gain: 2 x + 3 y + z + 7\nst\n one: x + y + z <= 9\n two: x - y >= -4\n three: -5 <= y - z <= 6\nbounds\n"
        " 1 <= x <= 9\n -2 <= y <= 8\n 2 <= z <= 3\ngenerals\n y\nsemi\n z\nsos2\n s: x:1 y:2 z:4\nend\n"
    )
    problem = Problem.read(tmp_path / "all.lp")
    problem.set_names(name="all", objective="gain")
    problem.set_offset(7.0)
    problem.set_costs([Fraction(7, 3)], columns=[0])
    problem.set_options(seed=7, engine="host")
    problem.tags = ["own"]
    problem.solve()
    plain, state = Problem().__getstate__(), problem.__getstate__()
    assert state["semicontinuous"][0].tolist() == [2] and state["sos"][0].name == "s" and state["basis"] is not None
    for part, value in state.items():
        if part == "scenarios":  # test_stochastic.py
            continue
        assert repr(value) != repr(plain[part]), f"{part} is as it is by default"
    for way in WAYS.values():
        again = way(problem).__getstate__()
        assert again.keys() == state.keys()
        for part, value in state.items():
            np.testing.assert_equal(again[part], value, err_msg=part)
        for search in (problem, way(problem)):
            x = search.solve_integers().x
            assert x[2] == 0 or (x[2] >= 2 and x[0] == 0)


@pytest.mark.parametrize("borrowed", [False, True])
def test_a_borrowed_matrix_is_pickled_as_numbers(borrowed):
    matrix = np.random.default_rng(3).uniform(0.1, 1.0, (40, 30))
    problem = Problem(np.ones(30), matrix, row_upper=1.0, sense="max", copy=not borrowed)
    expected = problem.solve().objective
    text = pickle.dumps(problem)
    shared = copy.deepcopy(problem)
    del problem
    gc.collect()
    assert shared.solve().objective == pytest.approx(expected)
    del shared
    matrix[:] = 0.0
    assert pickle.loads(text).solve().objective == pytest.approx(expected)


@pytest.mark.parametrize("way", WAYS)
def test_a_subclass_stays_one_with_its_attributes(way):
    named = Named()
    named.tags = ["own"]
    other = WAYS[way](named)
    assert type(other) is Named and other.tags == ["own"]
    assert other.solve().objective == pytest.approx(1.0)
    assert (other.tags is named.tags) == (way in ("copy", "method"))


class Named(Problem):
    def __init__(self):
        super().__init__([1.0, 2.0], [[1.0, 1.0]], row_lower=[1.0])


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_batch_solvers_are_copied_with_their_options(way):
    solver = BatchSolver(iteration_limit=1, threads=1)
    other = way(solver)
    del solver
    gc.collect()
    BatchSolver()
    problem = ([[-20.0, -9.0]], [[[4.0, 2.0], [15.0, 5.0]]], None, [[40.0, 120.0]])
    assert other.solve(*problem).status[0] == Status.ITERATION_LIMIT
    assert BatchSolver().solve(*problem).status[0] == Status.OPTIMAL


def test_results_are_pickled(furniture):
    solution = furniture.solve()
    other = pickle.loads(pickle.dumps(solution))
    assert (other.x == solution.x).all() and other.status is Status.OPTIMAL
    result = osi_cuda.linprog([-20, -9], [[4, 2], [15, 5]], [40, 120])
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again.fun == result.fun and (again.x == result.x).all()


def objective_of(problem):
    return problem.solve().objective


def test_a_pool_of_processes():
    problems = [
        Problem([1.0, 2.0], [[1.0, 1.0]], row_lower=[float(k)], offset=0.5) for k in range(4)
    ]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(objective_of, problems) == pytest.approx([k + 0.5 for k in range(4)])


def test_dask():
    distributed = pytest.importorskip("distributed")
    problems = [Problem([1.0], [[1.0]], row_lower=[float(k)]) for k in range(3)]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            found = client.gather(client.map(objective_of, problems))
    assert found == pytest.approx([0.0, 1.0, 2.0])


def test_joblib():
    joblib = pytest.importorskip("joblib")
    problems = [Problem([1.0], [[1.0]], row_lower=[float(k)]) for k in range(3)]
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(objective_of)(p) for p in problems)
    assert found == pytest.approx([0.0, 1.0, 2.0])


# ---- threads -------------------------------------------------------------------------------------


def slow_problem(**options):
    random = np.random.default_rng(1)
    return Problem(
        random.uniform(-1, 1, 1200), random.uniform(-1, 1, (1500, 1200)), row_upper=1.0, upper=1.0,
        time_limit=60, engine="host", algorithm="primal", presolve="off", **options,
    )


def test_another_threads_call_is_refused():
    """And its callbacks do not take the place of those in use."""
    problem = slow_problem()
    started = threading.Event()
    seen, refused, found = [], [], []

    def tell(progress):
        seen.append(progress)
        started.set()

    def work():
        found.append(problem.solve(progress=tell, interrupt=lambda: bool(refused)))

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    for call in (
        lambda: problem.solve(progress=lambda _: seen.append("mine")), problem.iis, problem.relax,
        lambda: problem.set_offset(1.0), lambda: pickle.dumps(problem), problem.ranging,
    ):
        with pytest.raises(RuntimeError, match="in use"):
            call()
    refused.append(True)
    thread.join()
    assert "mine" not in seen and found[0].status in (Status.INTERRUPTED, Status.OPTIMAL)


def test_two_threads_at_once():
    """Whoever comes second is refused; nobody's callbacks are freed under the other's solve."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        problem = Problem(
            np.ones(30), np.random.default_rng(1).uniform(0.1, 1.0, (40, 30)), row_upper=1.0,
            sense="max", engine="host",
        )
        wrong, solved = [], []

        def work(name):
            for _ in range(200):
                calls = []
                try:
                    problem.basis = None
                    problem.solve(progress=lambda _, c=calls: c.append(name), interrupt=lambda: False)
                    solved.append(name)
                except RuntimeError as error:
                    if "in use" not in str(error):
                        wrong.append(error)
                except osi_cuda.NoSolution as error:
                    wrong.append(error)

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong and solved
    finally:
        sys.setswitchinterval(interval)


def test_a_batch_solver_in_two_threads():
    solver = BatchSolver(threads=1, engine="host")
    matrices = np.random.default_rng(2).uniform(0.1, 1.0, (2000, 12, 10))
    started, refused = threading.Event(), []

    def tell(done, count):
        started.set()
        while not refused:
            time.sleep(0.001)

    def work():
        solver.solve(-np.ones(10), matrices, row_upper=1.0, progress=tell)

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    with pytest.raises(RuntimeError, match="in use"):
        solver.solve(-np.ones(10), matrices[:1], row_upper=1.0)
    refused.append(True)
    thread.join()


def test_interrupt_from_another_thread():
    problem = slow_problem()
    started = threading.Event()
    found = []
    thread = threading.Thread(
        target=lambda: found.append(problem.solve(progress=lambda _: started.set()))
    )
    problem.interrupt()  # where nothing runs it does nothing
    thread.start()
    assert started.wait(60)
    problem.interrupt()
    thread.join()
    assert found[0].status in (Status.INTERRUPTED, Status.OPTIMAL)
