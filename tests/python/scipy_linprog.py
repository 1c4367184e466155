# SPDX-License-Identifier: EPL-2.0
"""SciPy's own tests of linprog and milp, with osi_cuda's function in its place.

    pytest tests/python/scipy_linprog.py

The tests of SciPy's default method, for each algorithm, and through `osi_cuda.scipy.installed`. What a
test asks that this package does not do is said beside its name below.
"""

import pytest

import osi_cuda

pytest.importorskip("scipy")
theirs = pytest.importorskip("scipy.optimize.tests.test_linprog")
of_milp = pytest.importorskip("scipy.optimize.tests.test_milp")

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
MILP = {
    "test_milp_iv": "wants SciPy's words for what is wrong; these name the argument, too",
    "test_result": "wants the words of HiGHS",
    "test_mip_rel_gap_passdown": "wants each smaller gap to lead to another point",
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


class TestMilp:
    """SciPy's tests of milp, which are functions."""

    @pytest.fixture(autouse=True)
    def replaced(self, monkeypatch, request):
        reason = MILP.get(request.node.originalname)
        if reason:
            pytest.skip(reason)
        monkeypatch.setattr(of_milp, "milp", osi_cuda.milp)


for _name, _test in vars(of_milp).items():
    if _name.startswith("test_"):
        setattr(TestMilp, _name, staticmethod(_test))
