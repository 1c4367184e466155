# SPDX-License-Identifier: EPL-2.0
"""Regressions and classifiers that are linear programs, with scikit-learn's interface.

>>> import numpy as np
>>> from osi_cuda.estimators import QuantileRegressor
>>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 1.0, 2.0, 9.0])
>>> fit = QuantileRegressor(quantile=0.5, alpha=0.0).fit(X, y)
>>> fit.predict([[4.0]]).round(12), fit.solution_.proved
(array([4.]), True)

Each is posed with a row for each feature and a bounded column for each observation, and solved to a
vertex. scikit-learn is imported where it is there; without it the estimators have the same methods on
plain arrays.

All take X, array_like or a sparse matrix of SciPy's, of shape (n, p), and y and sample_weight of shape
(n,). An X of doubles of PyTorch, CuPy or JAX on a CUDA device stays there, but for `DantzigSelector` and `BasisPursuit`;
coefficients are of NumPy. These parameters and attributes all have:

``fit_intercept`` : bool
    Whether there is a coefficient b_0, which has no penalty. True unless given, but for `BasisPursuit`.
``solver_options`` : dict, optional
    Options of `Problem`: threads, time_limit, ...
``coef_``, ``intercept_`` : ndarray, shape (p,), and float
    Coefficients.
``solution_`` : Fit or Solution
    The vertex, its multipliers and the error that they prove.
``n_iter_`` : int
    Pivots.

`fit` raises ValueError for what cannot be, and `NoSolution` where a limit ended it.
"""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._arrays import Vector, dense, device_rows, doubles, is_sparse, on_host, sound, vector
from ._device import as_like
from ._hinges import Fit, Hinges, in_units, least, unit
from ._problem import Problem

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters by name, as scikit-learn's."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            fields = dataclasses.fields(self)  # type: ignore[arg-type]
            return {field.name: getattr(self, field.name) for field in fields}

        def set_params(self, **params: Any) -> Any:
            for name, value in params.items():
                if name not in self.get_params():
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
                setattr(self, name, value)
            return self

    class RegressorMixin:  # type: ignore[no-redef]
        """The share of the variance that predictions explain."""

        def score(self, X: Any, y: Any) -> float:
            y = np.asarray(y, dtype=float)
            return float(1 - ((y - self.predict(X)) ** 2).sum() / ((y - y.mean()) ** 2).sum())  # type: ignore[attr-defined]

    class ClassifierMixin:  # type: ignore[no-redef]
        """The share of right predictions."""

        def score(self, X: Any, y: Any) -> float:
            return float(np.mean(np.asarray(y) == self.predict(X)))  # type: ignore[attr-defined]

    def validate_data(
        estimator: Any, X: Any, y: Any = None, reset: bool = True, y_numeric: bool = False, **_: Any
    ) -> Any:
        X = X.tocsr() if is_sparse(X) else np.atleast_2d(doubles(X, "X", "a matrix of numbers"))
        if X.ndim != 2 or not np.isfinite(X.data if is_sparse(X) else X).all():
            raise ValueError("X has to be a matrix of finite numbers")
        if reset:
            estimator.n_features_in_ = X.shape[1]
        elif X.shape[1] != estimator.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features instead of {estimator.n_features_in_}")
        if y is None:
            return X
        y = vector(y, "y") if y_numeric else np.asarray(y)
        if y.shape != X.shape[:1] or (y_numeric and not np.isfinite(y).all()):
            raise ValueError(f"y has to be {X.shape[0]} finite numbers, or labels")
        return X, y

    def _check_sample_weight(weight: Any, X: Any, **_: Any) -> Vector:
        found = vector(1.0 if weight is None else weight, "sample_weight", X.shape[0])
        if not (np.isfinite(found) & (found >= 0)).all():
            raise ValueError("sample_weight has to be of finite numbers >= 0")
        return found

    def check_is_fitted(estimator: Any) -> None:
        if not hasattr(estimator, "solution_"):
            raise ValueError(f"this {type(estimator).__name__} is not fitted yet")

    def check_classification_targets(y: Any) -> None:
        pass


_AT_ONCE = 1 << 21  # observations of all draws that are solved together
_ACCEPTED = {"accept_sparse": ["csr", "csc", "coo"], "dtype": np.float64}


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class _Linear(BaseEstimator):  # type: ignore[misc]
    fit_intercept: bool = True
    solver_options: dict[str, Any] | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _checked(self, X: Any, y: Any, sample_weight: Any = None, **checks: Any) -> tuple[Any, Vector, Vector]:
        checks, there = {**_ACCEPTED, "y_numeric": True, **checks}, device_rows(sound(X, "X"))
        y = on_host(sound(y, "y", not checks["y_numeric"]))
        if there is None:
            X, y = validate_data(self, X, y, **checks)
        else:  # the sums of its columns show what is no number
            validate_data(self, np.ones((1, there.shape[0])) @ there, **_ACCEPTED)
            X, y = there, vector(np.asarray_chkfinite(y), "y", there.shape[0]) if checks["y_numeric"] else np.asarray(y)
        weight = _check_sample_weight(on_host(sound(sample_weight, "sample_weight")), y, dtype=np.float64, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("the sum of sample_weight is zero")
        return X, y, weight

    def _positive(self, name: str) -> float:
        value = getattr(self, name)
        if not isinstance(value, numbers.Real) or not 0 <= float(value) < np.inf:
            raise ValueError(f"{name} has to be a number >= 0, not {value!r}")
        return float(value)

    def _keep(self, coef: Vector, solution: Any) -> Any:
        """Behind the numbers of the features may be that of the intercept."""
        p = self.n_features_in_
        if not np.isfinite(coef).all():
            raise ValueError("the coefficients are beyond the range of doubles: scale X or y")
        self.coef_, self.intercept_ = coef[..., :p], coef[..., p:].sum(axis=-1)
        self.solution_ = solution
        self.n_iter_ = sum(one.iterations for one in (solution if isinstance(solution, list) else [solution]))
        return self

    def _values(self, X: Any) -> Vector:
        check_is_fitted(self)
        there = device_rows(sound(X, "X"))
        checked = validate_data(self, X if there is None else np.zeros((1, X.shape[1])), reset=False, **_ACCEPTED)
        values: Vector = (there or checked) @ self.coef_.T + self.intercept_
        return values if there is None else as_like(values, X)


class _Regressor(RegressorMixin, _Linear):  # type: ignore[misc]
    def predict(self, X: Any) -> Vector:
        """Shape (n,); of K quantiles (n, K); where X lies."""
        return self._values(X)


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class QuantileRegressor(_Regressor):
    """Linear quantile regression (Koenker and Bassett 1978), one quantile or several.

    Minimises  ``1/W sum_i w_i rho(y_i - x_i'b - b_0) + alpha sum_j |b_j|``,  W = sum_i w_i,
    rho(r) = quantile max(r, 0) + (1 - quantile) max(-r, 0). ``solution_`` is the `Fit` of W times that.

    Parameters
    ----------
    quantile : float, or a sequence of K of them
        Between 0 and 1. Several are solved one from the other: ``coef_`` then has shape (K, p),
        ``intercept_`` (K,), and ``solution_`` is a list.
    alpha : float
        Weight of the L1 penalty.
    solver : {"auto", "highs", "highs-ds", "highs-ipm"}
        All the same: scikit-learn's words are taken so that this class can stand in for theirs.
    warm_start : bool
        Begin at the basis of the last fit, where the numbers of observations and features agree.
    """

    quantile: Any = 0.5
    alpha: float = 1.0
    solver: str = "auto"
    warm_start: bool = False

    _penalty: ClassVar[float] = 1.0  # of alpha, where a deviation costs rho

    def _posed(self, X: Any, y: Any, sample_weight: Any) -> tuple[Hinges, list[float], float]:
        """With the share of each quantile and the penalty of alpha = 1."""
        levels = np.atleast_1d(np.asarray(self.quantile, dtype=float))
        if levels.ndim != 1 or not ((levels > 0) & (levels < 1)).all():
            raise ValueError(f"quantile has to be strictly between 0 and 1, not {self.quantile!r}")
        solvers = ("auto", "highs", "highs-ds", "highs-ipm")
        if self.solver not in solvers:
            raise ValueError(f"solver has to be one of {', '.join(solvers)}, not {self.solver!r}")
        X, y, weight = self._checked(X, y, sample_weight)
        unit, counted = self._penalty * weight.sum(), np.flatnonzero(weight)
        if counted.size < weight.size:
            X, y, weight = (X.tocsr() if is_sparse(X) else X)[counted], y[counted], weight[counted]
        hinges = Hinges(X, self.fit_intercept, y, weight, **(self.solver_options or {}))
        return hinges, list(1.0 - levels), unit

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Returns the estimator."""
        alpha = self._positive("alpha")
        hinges, shares, unit = self._posed(X, y, sample_weight)
        start = getattr(self, "_basis", None) if self.warm_start else None
        fits = hinges.solve([(share, alpha * unit) for share in shares], start)
        self._basis = hinges.basis
        coef = np.array([fit.coef for fit in fits])
        return self._keep(coef, fits) if np.ndim(self.quantile) else self._keep(coef[0], fits[0])

    def path(self, X: Any, y: Any, alphas: Sequence[float], sample_weight: Any = None) -> tuple[Vector, list[Fit]]:
        """Coefficients (with the intercept last) for each alpha, shape (K, p), and the fits, of the
        first quantile: each begins at the one before, from the largest alpha down."""
        hinges, shares, unit = self._posed(X, y, sample_weight)
        fits = hinges.solve([(shares[0], alpha * unit) for alpha in alphas])
        return np.array([fit.coef for fit in fits]), fits

    def bootstrap(
        self, X: Any, y: Any, replications: int = 1000, level: float = 0.95, seed: int = 0,
        sample_weight: Any = None,
    ) -> tuple[Vector, Vector]:
        """Percentile intervals of the coefficients by the pairs bootstrap (Efron 1982), of the first
        quantile: draws begin at the fit of all observations, and their linear programs are solved as batches.

        Returns
        -------
        intervals : ndarray, shape (p, 2)
            With the intercept last.
        draws : ndarray, shape (replications, p)
        """
        hinges, [share, *_], unit = self._posed(X, y, sample_weight)
        penalty, n = self._positive("alpha") * unit, hinges.c.size
        [place] = hinges.places([(share, penalty)])
        generator, parts = np.random.default_rng(seed), []
        for begin in range(0, replications, step := max(1, _AT_ONCE // n)):
            count = min(step, replications - begin)
            times = [np.bincount(generator.integers(n, size=n), minlength=n) for _ in range(count)]
            parts.append(hinges.resampled(share, penalty, place, np.array(times) * hinges.w))
        coefficients = in_units(np.concatenate(parts), -hinges.units)
        tail = 50.0 * (1.0 - level)
        return np.percentile(coefficients, [tail, 100.0 - tail], axis=0).T, coefficients


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class LADRegressor(QuantileRegressor):
    """Least absolute deviations: minimises  ``1/W sum_i w_i |y_i - x_i'b - b_0| + alpha sum_j |b_j|``.

    Parameters and attributes are those of `QuantileRegressor` at 0.5; ``solution_`` has half of W times
    that objective.
    """

    alpha: float = 0.0
    quantile: ClassVar[float] = 0.5  # type: ignore[misc]
    solver: ClassVar[str] = "auto"  # type: ignore[misc]
    _penalty: ClassVar[float] = 0.5


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class L1SVC(ClassifierMixin, _Linear):  # type: ignore[misc]
    """A support vector machine with the L1 norm of its coefficients (Bradley and Mangasarian 1998), two
    classes: minimises  ``sum_j |b_j| + C sum_i w_i max(0, 1 - s_i (x_i'b + b_0))``,  s_i = -1 or 1 for the
    labels in ``classes_``. ``coef_`` has shape (1, p), ``intercept_`` (1,).

    Parameters
    ----------
    C : float
        Weight of the errors.
    """

    C: float = 1.0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Returns the estimator; y has two different labels."""
        C = self._positive("C")
        X, y, weight = self._checked(X, y, sample_weight, y_numeric=False)
        check_classification_targets(y)
        self.classes_, sides = np.unique(y, return_inverse=True)
        if self.classes_.size != 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is "
                f"{'multiclass' if self.classes_.size > 2 else 'one class'}: {self.classes_.size} class"
            )
        signs = np.where(sides, 1.0, -1.0)
        hinges = Hinges(X, self.fit_intercept, 1.0, C * weight, signs, **(self.solver_options or {}))
        [fit] = hinges.solve([(0.0, 1.0)])
        return self._keep(fit.coef[None, :], fit)

    def decision_function(self, X: Any) -> Vector:
        """x'b + b_0, shape (n,)."""
        return self._values(X)[:, 0]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Labels, shape (n,)."""
        return np.asarray(np.where(on_host(self.decision_function(X)) > 0, *self.classes_[::-1]))


class ChebyshevRegressor(_Regressor):
    """The least largest deviation: minimises  ``max_i |y_i - x_i'b - b_0|``.

    Posed as the dual with p + 1 rows and two columns for each observation that takes part; those that
    deviate more than the fit allows join until there are none (Remez 1934). ``solution_`` and
    ``n_iter_`` are of the last problem; observations that were left out exceed its optimum by no more than ``1e-9 (1 + |y|)``.

    Attributes
    ----------
    deviation_ : float
        The largest deviation.
    duals_ : ndarray, shape (n,)
        The multiplier of each observation: the sum of their absolute values is 1.
    extremal_ : ndarray of int
        Observations whose multipliers are not zero.
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Returns the estimator."""
        X, y, _ = self._checked(X, y)
        rows = Hinges(X, self.fit_intercept, y)
        n, p = rows.shape
        size = min(n, 20 * (p + 1))
        joining = np.random.default_rng(0).choice(n, size, replace=False)
        which = joining[:0]
        fixed = np.zeros(p)
        with Problem(
            (), np.zeros((p + 1, 0)), np.append(fixed, -np.inf), np.append(fixed, 1.0), sense="max",
            **{"infinity": None, **(self.solver_options or {})},
        ) as problem:
            while joining.size:
                which = np.append(which, joining)
                signs = np.tile([1.0, -1.0], joining.size)
                Z = np.repeat(dense(rows.take(joining).columns()), 2, axis=1)
                problem.add_columns(np.vstack([Z * signs, np.ones(signs.size)]), costs=np.repeat(rows.c[joining], 2) * signs)
                solution = least(problem)
                coef = solution.duals[:-1]
                residual = np.abs(rows.residual(coef))
                beyond = residual > solution.objective + 1e-9 * (1.0 + np.abs(rows.c))
                beyond[which] = False
                joining = np.flatnonzero(beyond)
                if joining.size > size:
                    joining = joining[np.argpartition(-residual[joining], size)[:size]]
        self.deviation_ = float(in_units(residual.max(), -rows.of_c))
        self.duals_ = np.zeros(n)
        self.duals_[which] = solution.x[::2] - solution.x[1::2]
        self.extremal_ = np.flatnonzero(self.duals_)
        return self._keep(in_units(coef, -rows.units), solution)


class _Selector(_Regressor):
    """Least sum_j |b_j| within a width of rows, as a problem in the parts of b above and below zero."""

    _width: ClassVar[str]  # the parameter's name
    _times_X: ClassVar[int] = 0  # in whose units, and in those of y, it is

    def _rows(self, X: Vector, y: Vector) -> tuple[Vector, Vector]:
        return X, y

    def fit(self, X: Any, y: Any) -> Any:
        """Returns the estimator."""
        self.path(X, y, [self._positive(self._width)])
        return self

    def path(self, X: Any, y: Any, values: Sequence[float]) -> Vector:
        """Coefficients for each width, shape (K, p): each begins at the one before, from the largest
        down, and the last one is kept."""
        X, y, _ = self._checked(X, y)
        X = dense(X)
        of_X, of_y = int(unit(X.ravel())), int(unit(y))
        X, y = in_units(X, of_X), in_units(y, of_y)
        values = in_units(vector(values, "values"), of_y + self._times_X * of_X)
        units = np.append([of_y - of_X] * X.shape[1], of_y)
        p = X.shape[1]
        centre, level = (X.mean(axis=0), y.mean()) if self.fit_intercept else (np.zeros(p), 0.0)
        A, target = self._rows(X - centre, y - level)
        coef = np.empty((len(values), p))
        options = {"infinity": None, **(self.solver_options or {})}  # data are no bounds
        with Problem(np.ones(2 * p), np.hstack([A, -A]), **options) as problem:
            for k in np.argsort(values)[::-1]:
                problem.set_row_bounds(target - values[k], target + values[k])
                solution = least(problem)
                coef[k] = solution.x[:p] - solution.x[p:]
                self._keep(in_units(np.append(coef[k], level - centre @ coef[k]), -units), solution)
        return np.asarray(in_units(coef, of_X - of_y))


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class DantzigSelector(_Selector):
    """Minimises  ``sum_j |b_j|``  subject to  ``|X'(y - X b)| <= delta`` in each component (Candes and Tao 2007).

    With an intercept X and y are centred before. ``solution_`` is of a problem with p rows and 2 p columns.

    Parameters
    ----------
    delta : float
        The width.
    """

    delta: float = 1.0
    _width: ClassVar[str] = "delta"
    _times_X: ClassVar[int] = 1

    def _rows(self, X: Vector, y: Vector) -> tuple[Vector, Vector]:
        return X.T @ X, X.T @ y


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class BasisPursuit(_Selector):
    """Minimises  ``sum_j |b_j|``  subject to  ``X b = y``  (Chen, Donoho and Saunders 1998), or, against noise,
    to  ``|y - X b| <= epsilon`` in each component.

    With an intercept X and y are centred before. ``solution_`` is of a problem with n rows and 2 p
    columns. `fit` raises `NoSolution` where no coefficients meet the rows.

    Parameters
    ----------
    epsilon : float
        The width; 0: equations.
    """

    epsilon: float = 0.0
    fit_intercept: bool = False
    _width: ClassVar[str] = "epsilon"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # all coefficients that the noise allows are as good
        return tags
