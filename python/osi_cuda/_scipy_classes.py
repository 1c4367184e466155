# SPDX-License-Identifier: EPL-2.0
"""Results and warnings of `linprog` that are SciPy's as well; imported where SciPy is."""

import scipy.optimize

from . import _linprog


class OptimizeResult(_linprog.OptimizeResult, scipy.optimize.OptimizeResult):  # type: ignore[misc]
    __doc__ = _linprog.OptimizeResult.__doc__


class OptimizeWarning(_linprog.OptimizeWarning, scipy.optimize.OptimizeWarning):  # type: ignore[misc]
    __doc__ = _linprog.OptimizeWarning.__doc__
