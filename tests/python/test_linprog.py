# SPDX-License-Identifier: EPL-2.0
"""linprog: SciPy's arguments, results and refusals."""

import pickle

import numpy as np
import pytest

import osi_cuda
from osi_cuda import OptimizeWarning, linprog

A_UB, B_UB, C = [[4, 2], [15, 5]], [40, 120], [-20, -9]


def test_a_first_problem():
    result = linprog(C, A_UB, B_UB)
    assert result.success and result.status == 0
    np.testing.assert_allclose(result.x, [4, 12])
    assert result.fun == pytest.approx(-188)
    np.testing.assert_allclose(result.slack, 0, atol=1e-9)
    np.testing.assert_allclose(result.ineqlin.marginals, [-3.5, -0.4])
    np.testing.assert_allclose(result.lower.residual, [4, 12])
    np.testing.assert_array_equal(result.lower.marginals, 0)
    assert result.nit >= 2 and result.proof == osi_cuda.Proof.TOLERANCE
    assert result["x"] is result.x and "x" in dir(result)
    with pytest.raises(AttributeError, match="has no 'y'"):
        result.y
    assert "fun: -188" in repr(result)


def test_equations_and_bounds():
    # min x + 2 y; x + y = 3, 0 <= x <= 2, y free
    result = linprog([1, 2], A_eq=[[1, 1]], b_eq=[3], bounds=[(0, 2), (None, None)])
    np.testing.assert_allclose(result.x, [2, 1])
    np.testing.assert_allclose(result.eqlin.marginals, [2])
    np.testing.assert_allclose(result.upper.marginals, [-1, 0])
    np.testing.assert_allclose(result.con, [0], atol=1e-9)


def test_both_kinds_of_rows_dense_and_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(3)
    A_ub, A_eq = random.normal(size=(6, 9)), random.normal(size=(3, 9))
    A_ub[random.random(A_ub.shape) < 0.5] = 0
    x = random.random(9)
    b_ub, b_eq, c = A_ub @ x + 0.1, A_eq @ x, random.normal(size=9)
    expected = linprog(c, A_ub, b_ub, A_eq, b_eq, bounds=(0, 5))
    assert expected.status == 0
    for kind in (sparse.csc_array, sparse.csr_array, sparse.coo_array, sparse.csr_matrix):
        found = linprog(c, kind(A_ub), b_ub, kind(A_eq), b_eq, bounds=(0, 5))
        assert found.fun == pytest.approx(expected.fun)
    for order in ("C", "F"):
        found = linprog(c, np.array(A_ub, order=order), b_ub, A_eq, b_eq, bounds=(0, 5))
        assert found.fun == pytest.approx(expected.fun)


def test_infeasible_and_unbounded():
    infeasible = linprog([1, 1], A_ub=[[1, 1]], b_ub=[-1])
    assert infeasible.status == 2 and infeasible.x is None and infeasible.fun is None
    assert infeasible.farkas[0] < 0 and infeasible.margin > 0
    unbounded = linprog([-1, 0], A_ub=[[-1, 1]], b_ub=[1])
    assert unbounded.status == 3 and unbounded.ray[0] > 0
    assert linprog([1], bounds=(np.inf, np.inf)).status == 2
    assert linprog([1], bounds=(2, 1)).status == 2


def test_a_basis_is_started_from():
    first = linprog(C, A_UB, B_UB)
    again = linprog(C, A_UB, B_UB, basis=first.basis)
    assert again.nit == 0 and again.fun == pytest.approx(first.fun)


@pytest.mark.parametrize("method", ["highs", "highs-ds", "highs-ipm", "primal", "dual", "osi-cuda"])
def test_methods(method):
    assert linprog(C, A_UB, B_UB, method=method).fun == pytest.approx(-188)


def test_options():
    options = {"maxiter": 0, "disp": False, "presolve": True, "pricing": "devex"}
    assert linprog(C, A_UB, B_UB, options=options).status == 1
    with pytest.raises(ValueError, match="no option 'time_limt'; did you mean 'time_limit'?"):
        linprog(C, A_UB, B_UB, options={"time_limt": 1})
    with pytest.raises(ValueError, match="options: there is no option 'zzz'$"):
        linprog(C, A_UB, B_UB, options={"zzz": 1})
    with pytest.warns(OptimizeWarning, match="x0"):
        linprog(C, A_UB, B_UB, x0=[0, 0])
    with pytest.raises(ValueError, match="option iteration-limit"):
        linprog(C, A_UB, B_UB, options={"maxiter": -1})


def test_disp_prints_lines_while_it_solves(capsys):
    random = np.random.default_rng(1)
    matrix = random.uniform(0.1, 1.0, (200, 150))
    result = linprog(-np.ones(150), matrix, np.ones(200), options={"disp": True})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 2 and "iterations" in lines[0] and "objective" in lines[0]
    assert lines[-1].startswith(result.message)
    linprog(-np.ones(150), matrix, np.ones(200))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("presolve", [True, False, "on", "off", "auto"])
def test_presolve(presolve):
    result = linprog(C, A_UB, B_UB, options={"presolve": presolve})
    assert result.fun == pytest.approx(-188)
    assert result.ineqlin.marginals == pytest.approx([-3.5, -0.4])


def test_display(capsys):
    linprog(C, A_UB, B_UB, options={"disp": True})
    assert "objective -188" in capsys.readouterr().out


def test_a_callback_sees_progress_and_stops():
    random = np.random.default_rng(1)
    A, c = random.uniform(0.1, 1.0, (200, 150)), -np.ones(150)
    seen = []
    assert linprog(c, A, np.ones(200), callback=seen.append).status == 0
    assert seen and seen[-1].iterations > 0

    def stop(progress):
        raise StopIteration

    assert linprog(c, A, np.ones(200), callback=stop).status == 1

    def fail(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        linprog(c, A, np.ones(200), callback=fail)


@pytest.mark.parametrize(("arguments", "error", "sentence"), [
    ((None,), ValueError, "c is missing"),
    ((["a"],), TypeError, "c has to be an array of numbers"),
    (([1, np.nan],), ValueError, r"c\[1\] is nan, which is not finite"),
    ((np.ones((2, 2)),), ValueError, "c has 2 dimensions"),
    (([1, 2], [[1, 2, 3]], [1]), ValueError, "A_ub has 3 columns instead of 2"),
    (([1, 2], [1, 2], [1]), ValueError, "A_ub has 1 dimensions"),
    (([1, 2], [[1, 2]]), ValueError, "b_ub is missing"),
    (([1, 2], None, [1]), ValueError, "b_ub has length 1, but A_ub has 0 rows"),
    (([1, 2], [[1, 2]], [np.inf]), ValueError, r"b_ub\[0\] is inf, which is not finite"),
    (([1, 2], [[1, np.nan]], [1]), ValueError, r"^A_ub\[0, 1\] is nan, which is not a number$"),
    (([1, 2], None, None, [[1, 2], [np.inf, 1]], [1, 1]), ValueError, r"^A_eq\[1, 0\] is inf"),
    (([1, 2], [[1, 2]], [1], [[1, np.nan]], [1]), ValueError, r"^A_eq\[0, 1\] is nan"),
    (([1, 2], None, None, [["x", 2]], [1]), TypeError, "A_eq has to be a matrix of numbers"),
    (([1, 2], None, None, None, None, [(0, 1)] * 3), ValueError, "bounds has shape"),
    (([1, 2], None, None, None, None, "ab"), ValueError, "bounds has to be a pair"),
    (([1, 2], None, None, None, None, None, "ekki"), ValueError, "no method 'ekki'"),
])
def test_refusals(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        linprog(*arguments)


# ---- beside SciPy --------------------------------------------------------------------------------


def test_results_and_warnings_are_scipys_where_it_is_imported():
    optimize = pytest.importorskip("scipy.optimize")
    result = linprog(C, A_UB, B_UB)
    assert isinstance(result, optimize.OptimizeResult) and isinstance(result, osi_cuda.OptimizeResult)
    assert isinstance(result.ineqlin, optimize.OptimizeResult)
    assert isinstance(linprog([1], bounds=(np.inf, np.inf)), optimize.OptimizeResult)
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result) and again.fun == result.fun
    assert type(result.like(np.zeros(1))) is type(result)
    with pytest.warns(optimize.OptimizeWarning, match="x0"):
        linprog(C, A_UB, B_UB, x0=[0, 0])


@pytest.mark.parametrize("method", ["simplex", "revised simplex", "interior-point", "Simplex"])
def test_deprecated_methods(method):
    with pytest.warns(DeprecationWarning, match="deprecated"):
        result = linprog(C, A_UB, B_UB, method=method, options={"tol": 1e-8, "autoscale": True})
    assert result.fun == pytest.approx(-188)
    with pytest.raises(ValueError, match="no option 'bland'"):
        linprog(C, A_UB, B_UB, options={"bland": True})


def test_nit_counts_the_barriers_iterations():
    random = np.random.default_rng(1)
    matrix = random.uniform(0.1, 1.0, (80, 60))
    options = {"presolve": False, "engine": "host", "crossover": False}
    result = linprog(-np.ones(60), matrix, np.ones(80), method="highs-ipm", options=options)
    assert 3 <= result.nit < 60 and result.crossover_nit == 0 and result.success
    options["crossover"] = True
    both = linprog(-np.ones(60), matrix, np.ones(80), method="interior-point", options=options)
    assert 3 <= both.nit < 60 and both.crossover_nit > 0


def test_other_methods_ignore_integrality_as_scipys_do():
    with pytest.warns(OptimizeWarning, match="continuous"):
        assert linprog(C, A_UB, B_UB, method="highs-ds", integrality=[1, 1]).success
    assert "mip_gap" in linprog(C, A_UB, B_UB, method="highs", integrality=[1, 1])
