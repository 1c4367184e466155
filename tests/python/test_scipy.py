# SPDX-License-Identifier: EPL-2.0
"""Code that calls scipy.optimize.linprog, on this package."""

import doctest
import functools
import sys
import threading
import types

import numpy as np
import pytest

optimize = pytest.importorskip("scipy.optimize")
from scipy.optimize import linprog  # noqa: E402

import osi_cuda.scipy  # noqa: E402

ARGUMENTS = {"c": [-20, -9], "A_ub": [[4, 2], [15, 5]], "b_ub": [40, 121.5]}


def by_its_name():
    return linprog(**ARGUMENTS)


def test_names_that_were_imported_before_and_within():
    kept = [linprog]  # no name of a module
    partial = functools.partial(linprog, **ARGUMENTS)
    with osi_cuda.scipy.installed(algorithm="dual"):
        for found in (by_its_name(), optimize.linprog(**ARGUMENTS)):
            assert isinstance(found, optimize.OptimizeResult) and found.proof > 0
            assert isinstance(found.ineqlin, optimize.OptimizeResult)
        assert "proof" not in kept[0](**ARGUMENTS) and "proof" not in partial()
        later = types.ModuleType("imported_within")
        sys.modules["imported_within"] = later
        exec("from scipy.optimize import linprog", vars(later))
    theirs = by_its_name()
    assert linprog is optimize.linprog is kept[0] is later.linprog and "proof" not in theirs
    del sys.modules["imported_within"]
    assert set(theirs) <= set(found) and found.fun == pytest.approx(theirs.fun, rel=1e-12)
    np.testing.assert_allclose(found.ineqlin.marginals, theirs.ineqlin.marginals)


def test_one_within_another_and_after_an_exception():
    with pytest.raises(KeyError), osi_cuda.scipy.installed():
        with osi_cuda.scipy.installed(engine="host"):
            assert "proof" in by_its_name()
        assert "proof" in by_its_name()
        raise KeyError
    assert "proof" not in by_its_name()


def test_other_threads_and_modules_that_are_not_loaded_yet():
    class Lazy(types.ModuleType):
        def __getattribute__(self, name):
            raise AssertionError("it would be loaded now")

    sys.modules["lazy"] = Lazy("lazy")
    found = []
    try:
        with osi_cuda.scipy.installed():
            thread = threading.Thread(target=lambda: found.append(by_its_name()))
            thread.start()
            thread.join()
    finally:
        del sys.modules["lazy"]
    assert "proof" in found[0]


def test_what_scipy_answers_itself():
    with osi_cuda.scipy.installed():
        assert "proof" not in linprog(**ARGUMENTS, bounds=(1, 9), integrality=[2, 0])
        assert "proof" in linprog(**ARGUMENTS, integrality=[1, 1])
        found = optimize.milp([-1, -1], integrality=1, constraints=optimize.LinearConstraint([[2, 2]], ub=3))
        assert found.fun == -1 and "point_proof" in found
        box = optimize.Bounds(1, 9)
        assert "proof" not in optimize.milp([1, 1], integrality=2, bounds=box)
        assert "proof" in linprog(**ARGUMENTS, integrality=[0, 0])
        with pytest.raises(NotImplementedError, match="callback"):
            linprog(**ARGUMENTS, callback=print)
        with pytest.raises(ValueError, match="Unknown solver"):
            linprog(**ARGUMENTS, method="no such method")


def test_what_has_no_effect_is_a_warning():
    with osi_cuda.scipy.installed():
        with pytest.warns(optimize.OptimizeWarning, match="without effect: nothing, x0"):
            linprog(**ARGUMENTS, x0=[1, 1], options={"nothing": 1, "maxiter": 99})
        assert linprog(**ARGUMENTS, options={"maxiter": 0, "presolve": False}).status == 1
    with pytest.raises(ValueError, match="no option 'engin'"), osi_cuda.scipy.installed(engin=1):
        by_its_name()


def test_quantile_regression_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 4))
    y = X @ random.normal(size=4) + random.normal(size=200)
    fit = linear.QuantileRegressor(quantile=0.3, alpha=0.01).fit
    expected = fit(X, y).coef_
    with osi_cuda.scipy.installed():
        np.testing.assert_allclose(fit(X, y).coef_, expected, atol=1e-9)


def test_the_docstrings_program():
    assert doctest.testmod(osi_cuda.scipy).failed == 0
