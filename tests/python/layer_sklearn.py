# SPDX-License-Identifier: EPL-2.0
"""scikit-learn's own checks of estimators, and its tests of QuantileRegressor with ours in place of theirs."""

import importlib

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from osi_cuda import estimators  # noqa: E402

OTHERS = {  # what tests of theirs ask for that this class has not, with the reason
    "test_incompatible_solver_for_sparse_input": "of methods that SciPy no longer has",
    "test_linprog_failure": "of methods that SciPy no longer has",
    "test_error_interior_point_future": "the message about a method that SciPy no longer has",
}


@parametrize_with_checks([
    estimators.QuantileRegressor(), estimators.LADRegressor(alpha=0.01),  # without: several optima
    estimators.ChebyshevRegressor(),
    estimators.DantzigSelector(delta=0.1), estimators.BasisPursuit(epsilon=200.0), estimators.L1SVC(),
])
def test_check_estimator(estimator, check):
    check(estimator)


theirs = importlib.import_module("sklearn.linear_model.tests.test_quantile")
theirs.QuantileRegressor = estimators.QuantileRegressor
for name in dir(theirs):
    if name.startswith("test_") and name not in OTHERS or name == "X_y_data":
        globals()[name] = getattr(theirs, name)


@pytest.fixture
def global_random_seed():
    return 0
