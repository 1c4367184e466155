# SPDX-License-Identifier: EPL-2.0
"""SciPy's own tests of linprog, with osi_cuda's function in its place.

    pytest tests/python/scipy_linprog.py

The tests of SciPy's default method, for each algorithm, and through `osi_cuda.scipy.installed`. What a
test asks that this package does not do is said beside its name below.
"""

import pytest

import osi_cuda

pytest.importorskip("scipy")
theirs = pytest.importorskip("scipy.optimize.tests.test_linprog")

import osi_cuda.scipy  # noqa: E402

EVERYWHERE = {
    "test_bounds_fixed": "wants no iterations, that is, a presolve",
    "test_singleton_row_eq_1": "wants no iterations, that is, a presolve",
    "test_singleton_row_ub_1": "wants no iterations, that is, a presolve",
    "test_invalid_option_values": "wants warnings, where this package raises ValueError",
    "test_maxiter": "wants more iterations than are needed here",
    "test_integrality_without_highs": "wants integer variables to be ignored with a warning",
}
LEFT_OUT = {
    **EVERYWHERE,
    "test_callback": "wants callbacks to be refused",
    "test_unknown_options": "wants a warning, where this package raises ValueError",
}


@pytest.fixture(autouse=True)
def replaced(monkeypatch, request):
    whole = request.cls is TestInstalled
    reason = (EVERYWHERE if whole else LEFT_OUT).get(request.node.originalname)
    if reason:
        pytest.skip(reason)
    if whole:
        with osi_cuda.scipy.installed():
            yield
        return
    monkeypatch.setattr(theirs, "linprog", osi_cuda.linprog)
    monkeypatch.setattr(theirs, "OptimizeWarning", osi_cuda.OptimizeWarning)
    yield


class TestAutomatic(theirs.LinprogHiGHSTests):
    method = "highs"
    options: dict[str, object] = {}


class TestDual(theirs.TestLinprogHiGHSSimplexDual):
    pass


class TestPrimal(theirs.LinprogHiGHSTests):
    method = "highs"  # by other names SciPy's tests look for messages of its older methods
    options = {"algorithm": "primal", "presolve": False}  # with it they want no iterations


class TestInstalled(theirs.LinprogHiGHSTests):
    method = "highs"
    options: dict[str, object] = {}
