# SPDX-License-Identifier: EPL-2.0
"""Regressions and classifiers that are linear programs, with scikit-learn's interface.

>>> import numpy as np
>>> from osi_cuda.estimators import QuantileRegressor
>>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 1.0, 2.0, 9.0])
>>> fit = QuantileRegressor(quantile=0.5, alpha=0.0).fit(X, y)
>>> fit.predict([[4.0]]).round(12), fit.solution_.proved
(array([4.]), True)

Each is posed with a row for each feature and a bounded column for each observation, and solved to a
vertex. ``solution_`` has the vertex, its multipliers and the error that they prove. scikit-learn is
imported where it is there; without it the estimators have the same methods on plain arrays.
"""

from __future__ import annotations

import inspect
import numbers
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Vector, is_sparse
from ._hinges import Design, Fit, Hinges, least
from ._problem import Problem
from ._solution import Solution

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters by name, as scikit-learn's."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

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

    def validate_data(estimator: Any, X: Any, y: Any = None, reset: bool = True, **_: Any) -> Any:
        X = X if is_sparse(X) else np.atleast_2d(np.asarray(X, dtype=float))
        if reset:
            estimator.n_features_in_ = X.shape[1]
        elif X.shape[1] != estimator.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features instead of {estimator.n_features_in_}")
        return X if y is None else (X, np.asarray(y))

    def _check_sample_weight(weight: Any, X: Any, **_: Any) -> Vector:
        ones = np.ones(X.shape[0])
        return ones if weight is None else ones * np.asarray(weight, dtype=float)

    def check_is_fitted(estimator: Any) -> None:
        if not hasattr(estimator, "solution_"):
            raise ValueError(f"this {type(estimator).__name__} is not fitted yet")

    def check_classification_targets(y: Any) -> None:
        pass


_SOLVERS = ("auto", "highs", "highs-ds", "highs-ipm")


class _Linear(BaseEstimator):  # type: ignore[misc]
    """What all of them share: coefficients, an intercept, options of the solver."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _checked(self, X: Any, y: Any, sample_weight: Any = None, **checks: Any) -> tuple[Any, Vector, Vector]:
        X, y = validate_data(
            self, X, y, accept_sparse=["csr", "csc", "coo"], dtype=np.float64, **{"y_numeric": True, **checks}
        )
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("the sum of sample_weight is zero")
        return X, y, weight

    def _positive(self, **given: Any) -> None:
        for name, value in given.items():
            if not isinstance(value, numbers.Real) or not 0 <= float(value) < np.inf:
                raise ValueError(f"{name} has to be a number >= 0, not {value!r}")

    def _options(self) -> dict[str, Any]:
        return dict(self.solver_options or {})

    def _keep(self, coef: Vector, intercept: bool) -> None:
        """The last of the numbers is the intercept, if there is one."""
        self.coef_ = coef[..., :-1] if intercept else coef
        self.intercept_ = coef[..., -1] if intercept else np.zeros(coef.shape[:-1])[()]

    def _values(self, X: Any) -> Vector:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=["csr", "csc", "coo"], dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_.T) + self.intercept_


class QuantileRegressor(RegressorMixin, _Linear):  # type: ignore[misc]
    """Linear quantile regression (Koenker and Bassett 1978), one quantile or several.

    Minimises  1/W sum_i w_i rho(y_i - x_i'b - b_0) + alpha sum_j |b_j|,  W = sum_i w_i,
    rho(r) = quantile max(r, 0) + (1 - quantile) max(-r, 0).

    Parameters
    ----------
    quantile : float, or a sequence of K of them
        Between 0 and 1. Several are solved one from the other.
    alpha : float
        Weight of the L1 penalty; the intercept has none.
    fit_intercept : bool
    solver : {"auto", "highs", "highs-ds", "highs-ipm"}
        All the same: scikit-learn's words are taken so that this class can stand in for theirs.
    solver_options : dict, optional
        Options of `Problem`: threads, time_limit, ...
    warm_start : bool
        Begin at the basis of the last fit, where the numbers of observations and features agree.

    Attributes
    ----------
    coef_ : ndarray, shape (p,) or (K, p)
    intercept_ : float, or ndarray of shape (K,)
    solution_ : Fit, or a list of K
        Of  sum_i w_i rho + W alpha sum_j |b_j|.
    n_iter_ : int
        Pivots.

    `fit` raises ValueError for what cannot be, and `NoSolution` where a limit ended it.
    """

    def __init__(
        self, *, quantile: Any = 0.5, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "auto",
        solver_options: dict[str, Any] | None = None, warm_start: bool = False,
    ) -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options
        self.warm_start = warm_start

    def _levels(self) -> Vector:
        levels = np.atleast_1d(np.asarray(self.quantile, dtype=float))
        if levels.ndim != 1 or not ((levels > 0) & (levels < 1)).all():
            raise ValueError(f"quantile has to be strictly between 0 and 1, not {self.quantile!r}")
        if self.solver not in _SOLVERS:
            raise ValueError(f"solver has to be one of {', '.join(_SOLVERS)}, not {self.solver!r}")
        self._positive(alpha=self.alpha)
        return levels

    def _posed(self, X: Any, y: Vector, weight: Vector) -> tuple[Hinges, Vector]:
        there = np.flatnonzero(weight)
        if there.size < weight.size:
            X, y, weight = X[there] if not is_sparse(X) else X.tocsr()[there], y[there], weight[there]
        design = Design(X, bool(self.fit_intercept))
        penalty = np.full(design.shape[1], self.alpha * weight.sum())
        penalty[X.shape[1] :] = 0.0
        return Hinges(design, y, weight, **self._options()), penalty

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """X : array_like or sparse matrix of SciPy's, shape (n, p); y, sample_weight : shape (n,)"""
        levels = self._levels()
        X, y, weight = self._checked(X, y, sample_weight)
        hinges, penalty = self._posed(X, y, weight)
        order = np.argsort(levels, kind="stable")
        start = getattr(self, "_basis", None) if self.warm_start else None
        if start is not None and (start.columns.size, start.rows.size) != hinges.design.shape:
            start = None
        found = hinges.solve([(1.0 - level, penalty) for level in levels[order]], start)
        self._basis = hinges.basis
        fits = [found[place] for place in np.argsort(order)]
        several = np.ndim(self.quantile) > 0
        self._keep(np.array([fit.coef for fit in fits]) if several else fits[0].coef, self.fit_intercept)
        self.solution_ = fits if several else fits[0]
        self.n_iter_ = sum(fit.iterations for fit in fits)
        return self

    def predict(self, X: Any) -> Vector:
        """Shape (n,); of K quantiles (n, K)."""
        return self._values(X)

    def path(self, X: Any, y: Any, alphas: Sequence[float], sample_weight: Any = None) -> tuple[Vector, list[Fit]]:
        """Coefficients (with the intercept last) for each alpha, shape (K, p), and the fits, of the
        first quantile: each begins at the one before, from the largest alpha down."""
        X, y, weight = self._checked(X, y, sample_weight)
        hinges, penalty = self._posed(X, y, weight)
        share = 1.0 - self._levels()[0]
        free = np.where(penalty > 0, 1.0, 0.0) if self.alpha else np.append(np.ones(X.shape[1]), 0.0)[: penalty.size]
        order = np.argsort(alphas)[::-1]
        found = hinges.solve([(share, alphas[k] * hinges.w.sum() * free) for k in order])
        fits = [found[place] for place in np.argsort(order)]
        return np.array([fit.coef for fit in fits]), fits

    def bootstrap(
        self, X: Any, y: Any, replications: int = 1000, level: float = 0.95, seed: int = 0,
        sample_weight: Any = None,
    ) -> tuple[Vector, Vector]:
        """Percentile intervals of the coefficients by the pairs bootstrap (Efron 1982), of the first
        quantile: each draw begins at the fit of all observations.

        Returns
        -------
        intervals : ndarray, shape (p, 2)
            With the intercept last.
        draws : ndarray, shape (replications, p)
        """
        X, y, weight = self._checked(X, y, sample_weight)
        hinges, penalty = self._posed(X, y, weight)
        share, n = 1.0 - self._levels()[0], hinges.c.size
        generator = np.random.default_rng(seed)
        hinges.options = {**hinges.options, "threads": 1}
        [place] = hinges.places([(share, penalty)])

        def draw(weights: Vector) -> Vector:
            one = Hinges(hinges.design, hinges.c, weights, **hinges.options)
            return one.near(share, share, penalty, place, hinges).coef

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            counts = (generator.multinomial(n, np.full(n, 1.0 / n)) for _ in range(replications))
            coefficients = np.array(list(pool.map(draw, (count * hinges.w for count in counts))))
        tail = 50.0 * (1.0 - level)
        return np.percentile(coefficients, [tail, 100.0 - tail], axis=0).T, coefficients


class LADRegressor(QuantileRegressor):
    """Least absolute deviations: minimises  1/W sum_i w_i |y_i - x_i'b - b_0| + alpha sum_j |b_j|.

    Parameters and attributes are those of `QuantileRegressor` at 0.5; ``solution_`` has half of W times
    that objective.
    """

    def __init__(
        self, *, alpha: float = 0.0, fit_intercept: bool = True, solver_options: dict[str, Any] | None = None,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver_options = solver_options
        self.warm_start = warm_start

    quantile, solver = 0.5, "auto"

    def _posed(self, X: Any, y: Vector, weight: Vector) -> tuple[Hinges, Vector]:
        hinges, penalty = super()._posed(X, y, weight)
        return hinges, penalty / 2


class L1SVC(ClassifierMixin, _Linear):  # type: ignore[misc]
    """A support vector machine with the L1 norm of its coefficients (Bradley and Mangasarian 1998), two
    classes: minimises  sum_j |b_j| + C sum_i w_i max(0, 1 - s_i (x_i'b + b_0)),  s_i = -1 or 1.

    Parameters
    ----------
    C : float
    fit_intercept : bool
    solver_options : dict, optional
        Options of `Problem`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    coef_ : ndarray, shape (1, p)
    intercept_ : ndarray, shape (1,)
    solution_ : Fit
    n_iter_ : int
    """

    def __init__(
        self, *, C: float = 1.0, fit_intercept: bool = True, solver_options: dict[str, Any] | None = None
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.solver_options = solver_options

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """X : array_like or sparse matrix of SciPy's, shape (n, p); y : shape (n,), of two classes"""
        self._positive(C=self.C)
        X, y, weight = self._checked(X, y, sample_weight, y_numeric=False)
        check_classification_targets(y)
        self.classes_, sides = np.unique(y, return_inverse=True)
        if self.classes_.size != 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is "
                f"{'multiclass' if self.classes_.size > 2 else 'one class'}: {self.classes_.size} class"
            )
        design = Design(X, bool(self.fit_intercept), np.where(sides, 1.0, -1.0))
        penalty = np.append(np.ones(X.shape[1]), 0.0)[: design.shape[1]]
        hinges = Hinges(design, np.ones(y.size), self.C * weight, **self._options())
        [self.solution_] = hinges.solve([(0.0, penalty)])
        self._keep(self.solution_.coef[None, :], self.fit_intercept)
        self.n_iter_ = self.solution_.iterations
        return self

    def decision_function(self, X: Any) -> Vector:
        """x'b + b_0, shape (n,)."""
        values: Vector = self._values(X)[:, 0]
        return values

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Shape (n,)."""
        found: npt.NDArray[Any] = np.where(self.decision_function(X) > 0, *self.classes_[::-1])
        return found


class _ByProblem(RegressorMixin, _Linear):  # type: ignore[misc]
    def predict(self, X: Any) -> Vector:
        """Shape (n,)."""
        return self._values(X)

    def _solved(self, problem: Problem) -> Solution:
        self.solution_ = least(problem)
        self.n_iter_ = self.solution_.iterations
        return self.solution_


class ChebyshevRegressor(_ByProblem):
    """The least largest deviation: minimises  max_i |y_i - x_i'b - b_0|.

    Posed as the dual with p + 1 rows and two columns for each observation that takes part; those that
    deviate more than the fit allows join until there are none (Remez 1934).

    Parameters
    ----------
    fit_intercept : bool
    solver_options : dict, optional
        Options of `Problem`.

    Attributes
    ----------
    coef_ : ndarray, shape (p,)
    intercept_ : float
    deviation_ : float
        The largest deviation.
    solution_ : Solution
        Of the last problem, whose optimum no observation that was left out changes.
    extremal_ : ndarray of int
        Observations whose multipliers are not zero.
    n_iter_ : int
        Pivots of the last problem.
    """

    def __init__(self, *, fit_intercept: bool = True, solver_options: dict[str, Any] | None = None) -> None:
        self.fit_intercept = fit_intercept
        self.solver_options = solver_options

    def fit(self, X: Any, y: Any) -> Any:
        """X : array_like or sparse matrix of SciPy's, shape (n, p); y : shape (n,)"""
        X, y, _ = self._checked(X, y)
        design = Design(X, bool(self.fit_intercept))
        n, p = design.shape
        size = min(n, 20 * (p + 1))
        taken = np.zeros(n, dtype=bool)
        taken[np.random.default_rng(0).choice(n, size, replace=False)] = True
        rows: Any = None
        columns: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        which, before = np.flatnonzero(taken), np.zeros(0, dtype=np.intp)
        while True:
            Z = design.take(which).columns()
            Z = Z.toarray() if is_sparse(Z) else Z
            ones = np.ones((1, 2 * which.size))
            A = np.concatenate([np.concatenate([Z, -Z], axis=1), ones])
            at_least = np.append(np.zeros(p), -np.inf)
            with Problem(
                np.concatenate([y[which], -y[which]]), A, at_least, np.append(np.zeros(p), 1.0), sense="max",
                **self._options(),
            ) as problem:
                if rows is not None:
                    start = np.zeros((2, which.size), dtype=np.uint8)
                    start[:, np.searchsorted(which, before)] = columns
                    problem.basis = (start.ravel(), rows)
                solution = self._solved(problem)
            coef, deviation = solution.duals[:-1], solution.objective
            residual = np.abs(y - design.times(coef))
            beyond = np.flatnonzero((residual > deviation + 1e-9 * (1.0 + np.abs(y))) & ~taken)
            if beyond.size == 0:
                break
            before, rows, columns = which, solution.basis.rows, solution.basis.columns.reshape(2, -1)
            if beyond.size > size:
                beyond = beyond[np.argpartition(-residual[beyond], size)[:size]]
            taken[beyond] = True
            which = np.flatnonzero(taken)
        self._keep(coef, self.fit_intercept)
        self.deviation_ = float(residual.max())
        self.extremal_ = which[solution.x.reshape(2, -1).any(axis=0)]
        return self


class DantzigSelector(_ByProblem):
    """Minimises  sum_j |b_j|  subject to  |X'(y - X b)| <= delta in each component (Candes and Tao 2007).

    Parameters
    ----------
    delta : float
    fit_intercept : bool
        Centre X and y before.
    solver_options : dict, optional
        Options of `Problem`.

    Attributes
    ----------
    coef_ : ndarray, shape (p,)
    intercept_ : float
    solution_ : Solution
        Of a problem with p rows and 2 p columns: the parts of b above and below zero.
    n_iter_ : int
    """

    def __init__(
        self, *, delta: float = 1.0, fit_intercept: bool = True, solver_options: dict[str, Any] | None = None
    ) -> None:
        self.delta = delta
        self.fit_intercept = fit_intercept
        self.solver_options = solver_options

    def _posed(self, X: Any, y: Any) -> tuple[Vector, float, Problem, Vector]:
        X, y, _ = self._checked(X, y)
        X = X.toarray() if is_sparse(X) else X
        centre = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        level = float(y.mean()) if self.fit_intercept else 0.0
        A, target = self._system(X - centre, y - level)
        problem = Problem(np.ones(2 * X.shape[1]), np.concatenate([A, -A], axis=1), **self._options())
        return centre, level, problem, target

    def _system(self, X: Vector, y: Vector) -> tuple[Vector, Vector]:
        return X.T @ X, X.T @ y

    def _within(self) -> float:
        self._positive(delta=self.delta)
        return self.delta

    def fit(self, X: Any, y: Any) -> Any:
        """X : array_like, shape (n, p); y : shape (n,)"""
        within = self._within()
        centre, level, problem, target = self._posed(X, y)
        problem.set_row_bounds(target - within, target + within)
        self._take(problem, centre, level)
        problem.close()
        return self

    def _take(self, problem: Problem, centre: Vector, level: float) -> Vector:
        parts = self._solved(problem).x.reshape(2, -1)
        self.coef_ = parts[0] - parts[1]
        self.intercept_ = level - centre @ self.coef_
        return self.coef_

    def path(self, X: Any, y: Any, values: Sequence[float]) -> Vector:
        """Coefficients for each width, shape (K, p): each begins at the one before, from the largest
        down."""
        centre, level, problem, target = self._posed(X, y)
        coef = np.empty((len(values), centre.size))
        with problem:
            for k in np.argsort(values)[::-1]:
                problem.set_row_bounds(target - values[k], target + values[k])
                coef[k] = self._take(problem, centre, level)
        return coef


class BasisPursuit(DantzigSelector):
    """Minimises  sum_j |b_j|  subject to  X b = y  (Chen, Donoho and Saunders 1998), or, against noise,
    to  |y - X b| <= epsilon in each component.

    Parameters
    ----------
    epsilon : float
        0: equations.
    fit_intercept : bool
        Centre X and y before.
    solver_options : dict, optional
        Options of `Problem`.

    Attributes are those of `DantzigSelector`; the problem has n rows. `fit` raises `NoSolution` where
    no coefficients meet the rows.
    """

    def __init__(
        self, *, epsilon: float = 0.0, fit_intercept: bool = False, solver_options: dict[str, Any] | None = None
    ) -> None:
        self.epsilon = epsilon
        self.fit_intercept = fit_intercept
        self.solver_options = solver_options

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # all coefficients that the noise allows are as good
        return tags

    def _system(self, X: Vector, y: Vector) -> tuple[Vector, Vector]:
        return X, y

    def _within(self) -> float:
        self._positive(epsilon=self.epsilon)
        return self.epsilon
