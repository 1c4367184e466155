# SPDX-License-Identifier: EPL-2.0
"""SciPy's own tests of linprog, with osi_cuda's function in its place.

    pytest tests/python/scipy_linprog.py

The tests of SciPy's default method, for each algorithm. What a test asks that this package does not
do is said beside its name below.
"""

import pytest

import osi_cuda

pytest.importorskip("scipy")
theirs = pytest.importorskip("scipy.optimize.tests.test_linprog")

LEFT_OUT = {
    "test_bounds_fixed": "wants no iterations, that is, a presolve",
    "test_singleton_row_eq_1": "wants no iterations, that is, a presolve",
    "test_singleton_row_ub_1": "wants no iterations, that is, a presolve",
    "test_callback": "wants callbacks to be refused",
    "test_integrality_without_highs": "wants integer variables to be ignored with a warning",
    "test_invalid_option_values": "wants warnings, where this package raises ValueError",
    "test_maxiter": "wants more iterations than are needed here",
}


@pytest.fixture(autouse=True)
def replaced(monkeypatch, request):
    reason = LEFT_OUT.get(request.node.originalname)
    if reason:
        pytest.skip(reason)
    monkeypatch.setattr(theirs, "linprog", osi_cuda.linprog)
    monkeypatch.setattr(theirs, "OptimizeWarning", osi_cuda.OptimizeWarning)


class TestAutomatic(theirs.LinprogHiGHSTests):
    method = "highs"
    options: dict[str, object] = {}


class TestDual(theirs.TestLinprogHiGHSSimplexDual):
    pass


class TestPrimal(theirs.LinprogHiGHSTests):
    method = "highs"  # by other names SciPy's tests look for messages of its older methods
    options = {"algorithm": "primal"}
