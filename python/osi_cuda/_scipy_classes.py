# SPDX-License-Identifier: EPL-2.0
"""Results and warnings of `linprog` and `milp` that are SciPy's as well; imported where SciPy is."""

import scipy.optimize

from . import _optimize


class OptimizeResult(_optimize.OptimizeResult, scipy.optimize.OptimizeResult):  # type: ignore[misc]
    __doc__ = _optimize.OptimizeResult.__doc__


class OptimizeWarning(_optimize.OptimizeWarning, scipy.optimize.OptimizeWarning):  # type: ignore[misc]
    __doc__ = _optimize.OptimizeWarning.__doc__
