# SPDX-License-Identifier: EPL-2.0
"""`milp`, and `linprog` with integers, by themselves; scipy_linprog.py runs SciPy's own tests."""

import itertools
import types

import numpy as np
import pytest

import osi_cuda
from osi_cuda import linprog, milp


def knapsack(m=3, n=10, seed=1):
    random = np.random.default_rng(seed)
    weights = random.integers(1, 1000, (m, n)).astype(float)
    values = weights.mean(axis=0) + random.integers(0, 500, n)
    return -values, weights, weights.sum(axis=1) // 2


def best_of(costs, A, b):
    points = np.array(list(itertools.product([0.0, 1.0], repeat=costs.size)))
    return (points[(points @ A.T <= b).all(axis=1)] @ costs).min()


def test_both_find_the_optimum():
    costs, A, b = knapsack()
    best = best_of(costs, A, b)
    of_linprog = linprog(costs, A, b, bounds=(0, 1), integrality=1)
    of_milp = milp(costs, integrality=np.ones(10), bounds=(0, 1), constraints=(A, -np.inf, b))
    for found in (of_linprog, of_milp):
        assert found.success and found.status == 0 and found.fun == pytest.approx(best)
        assert "within the gap" in found.message and found.proof is osi_cuda.Proof.TOLERANCE  # a dense problem
        assert set(found.x) <= {0.0, 1.0} and found.mip_gap <= 1e-6 and found.mip_node_count >= 0
        assert found.mip_dual_bound == pytest.approx(best)
        assert found.point_proof is osi_cuda.Proof.TOLERANCE
    assert of_linprog.slack == pytest.approx(b - A @ of_linprog.x)


def test_the_ends_of_a_search():
    costs, A, b = knapsack(20, 200)
    rows = types.SimpleNamespace(A=A, lb=-np.inf, ub=b)
    box = types.SimpleNamespace(lb=np.zeros(200), ub=np.ones(200))
    found = milp(costs, integrality=1, bounds=box, constraints=rows, options={"time_limit": 1.0})
    assert (found.status, found.success) == (1, False) and set(found.x) <= {0.0, 1.0}
    assert found.mip_dual_bound < found.fun and found.mip_gap > 0 and "time limit" in found.message
    found = milp(costs, integrality=1, bounds=box, constraints=rows, options={"mip_rel_gap": 0.5})
    assert found.success and 0 < found.mip_gap <= 0.5 and "within the gap 0.0" in found.message
    found = milp(costs, integrality=1, bounds=box, constraints=rows, options={"time_limit": 0})
    assert found.status == 1 and found.x is found.fun is found.mip_gap is None
    found = milp([1, 1], integrality=1, constraints=([[2, 2]], 3, 3))
    assert found.status == 2 and found.x is None and "infeasible" in found.message
    found = milp([-1, -1], integrality=1)
    assert found.status == 4 and "unbounded or infeasible" in found.message
    assert milp([-1, -1]).status == 3
    found = milp([1], bounds=(np.inf, np.inf))
    assert found.status == 2 and found.mip_gap is None


def test_a_callback_hears_of_incumbents_and_stops():
    costs, A, b = knapsack(20, 200)
    seen = []

    def tell(at):
        seen.append(at)
        raise StopIteration

    found = linprog(costs, A, b, bounds=(0, 1), integrality=1, callback=tell)
    assert isinstance(seen[0], osi_cuda.Incumbent) and found.status == 1 and set(found.x) <= {0.0, 1.0}


def test_rows_of_all_kinds(capsys):
    one = milp([-1, -1], constraints=([2, 2], None, [3.0]), integrality=[1, 1], options={"disp": True})
    assert one.fun == -1 and "bound" in capsys.readouterr().out
    assert milp([-1, -1], bounds=([0], [2.5]), integrality=True).fun == -4
    two = milp([-1, -1], constraints=[([[2, 2]], -np.inf, 3), ([[1, 0]], [0.5])], integrality=[1, 0])
    assert two.x == pytest.approx([1, 0.5])
    sparse = pytest.importorskip("scipy.sparse")
    A = sparse.csr_array([[2.0, 2.0], [1.0, 0.0]])
    assert milp([-1, -1], constraints=(A, [-np.inf, 0.5], [3, np.inf]), integrality=[1, 0]).x == pytest.approx(two.x)


def test_semicontinuous_variables():
    found = milp([1, 1.5], integrality=[2, 3], bounds=([2, 1.5], [9, 9]), constraints=([[1, 1]], 1, np.inf))
    assert found.x.tolist() == [2, 0] and found.fun == 2 and found.proof
    assert milp([1, 1.5], integrality=[2, 3], bounds=([4, 1.5], 9), constraints=([[1, 1]], 1, np.inf)).x.tolist() == [0, 2]
    assert linprog([1, 1.5], [[-1, -1]], [-1], bounds=[(2, 9), (0, 0.5)], integrality=[2, 0]).fun == 2


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"integrality\[1\] is 4"):
        milp([1, 1], integrality=[0, 4])
    with pytest.raises(ValueError, match=r"integrality\[0\] is 0.5"):
        linprog([1, 1], integrality=0.5)
    with pytest.raises(ValueError, match="mip_rel_gp'; did you mean 'mip_rel_gap'"):
        milp([1, 1], options={"mip_rel_gp": 1})
    with pytest.raises(ValueError, match="A has 3 columns instead of 2"):
        milp([1, 1], constraints=(np.ones((1, 3)), 0, 1))
    with pytest.raises(ValueError, match="ub has length 3"):
        milp([1, 1], constraints=types.SimpleNamespace(A=np.ones((2, 2)), lb=0, ub=[1, 2, 3]))
