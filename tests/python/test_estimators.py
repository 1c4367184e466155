# SPDX-License-Identifier: EPL-2.0
"""The estimators, games and filters beside plain linear programs; without scikit-learn."""

import doctest
import fractions
import itertools
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import osi_cuda
from osi_cuda import _hinges, estimators, filters, games
from osi_cuda.estimators import (
    BasisPursuit, ChebyshevRegressor, DantzigSelector, L1SVC, LADRegressor, QuantileRegressor,
)

HOST = {"engine": "host", "threads": 1}


def data(n=120, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    return X, X @ np.arange(1.0, p + 1) + rng.standard_t(3, n) + 0.5


def pinball(X, y, w, tau, alpha, intercept=True):
    """The optimum by the textbook's linear program: b+, b-, r+, r- >= 0."""
    Z = np.column_stack([X, np.ones(len(y))]) if intercept else X
    cost = np.full(Z.shape[1], alpha * w.sum())
    if intercept:
        cost[-1] = 0.0
    eye = np.eye(len(y))
    return osi_cuda.linprog(
        np.concatenate([cost, cost, tau * w, (1 - tau) * w]), A_eq=np.hstack([Z, -Z, eye, -eye]), b_eq=y,
        options={**HOST, "presolve": False},
    ).fun


@pytest.mark.parametrize("alpha, intercept, weighted", list(itertools.product([0.0, 0.05], [True, False], [True, False])))
def test_quantiles_are_optimal(alpha, intercept, weighted):
    X, y = data()
    w = np.random.default_rng(1).integers(0, 3, len(y)).astype(float) if weighted else np.ones(len(y))
    levels = [0.9, 0.1, 0.5]
    fit = QuantileRegressor(quantile=levels, alpha=alpha, fit_intercept=intercept, solver_options=HOST).fit(X, y, w)
    assert fit.coef_.shape == (3, 4) and fit.predict(X).shape == (len(y), 3)
    for k, level in enumerate(levels):
        one = fit.solution_[k]
        assert one.objective == pytest.approx(pinball(X, y, w, level, alpha, intercept), rel=1e-9)
        assert one.proved and one.objective_error <= 1e-9
        r = (y - fit.predict(X)[:, k]) * w
        assert np.maximum(level * r, (level - 1) * r).sum() + alpha * w.sum() * np.abs(fit.coef_[k]).sum() == (
            pytest.approx(one.objective, rel=1e-9))


def test_blocks_come_to_the_optimum_of_the_whole(monkeypatch):
    X, y = data(3000, 5)
    levels = [0.2, 0.5, 0.55, 0.9]
    fit = QuantileRegressor(quantile=levels, alpha=1e-3, solver_options=HOST)
    blocks = fit.fit(X, y).solution_
    assert blocks[0].rounds > 1 and all(one.residuals is None for one in blocks)
    monkeypatch.setattr(_hinges, "_DIRECT", 10**6)
    for one, whole in zip(blocks, fit.fit(X, y).solution_, strict=True):
        assert one.proved and one.objective == pytest.approx(whole.objective, rel=1e-10)
        assert np.allclose(one.coef, whole.coef, atol=1e-8)
        assert whole.residuals.primal <= 1e-7


def test_blocks_of_a_problem_that_misleads_its_sample():
    """The first rows tell the opposite of the others, and many lie exactly on one line."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 3, (4000, 3)).astype(float)
    y = X @ [1.0, 2.0, 3.0] + np.where(rng.random(4000) < 0.3, rng.integers(-5, 6, 4000), 0.0)
    fit = QuantileRegressor(quantile=0.5, alpha=0.0, solver_options=HOST).fit(X, y)
    assert fit.solution_.proved
    assert np.allclose(np.append(fit.coef_, fit.intercept_), [1, 2, 3, 0], atol=1e-9)


def test_sparse_matrices_give_the_same():
    sparse = pytest.importorskip("scipy.sparse")
    X, y = data(3000, 4)
    X[np.abs(X) < 1.0] = 0.0
    fits = [LADRegressor(alpha=0.01, solver_options=HOST).fit(A, y) for A in (X, sparse.csr_matrix(X))]
    assert np.allclose(fits[0].coef_, fits[1].coef_, atol=1e-9)


def test_warm_start_needs_no_pivots():
    X, y = data(500, 6)
    fit = QuantileRegressor(quantile=0.3, alpha=0.0, warm_start=True, solver_options=HOST).fit(X, y)
    assert fit.n_iter_ > 0 and fit.fit(X, y).n_iter_ == 0
    assert fit.fit(X[:, :5], y).solution_.proved  # another shape begins anew


def test_a_path_of_penalties():
    X, y = data(300, 5)
    alphas = [0.01, 1.0, 0.1]
    coef, fits = QuantileRegressor(quantile=0.4, solver_options=HOST).path(X, y, alphas)
    for alpha, row, one in zip(alphas, coef, fits, strict=True):
        assert one.objective == pytest.approx(pinball(X, y, np.ones(300), 0.4, alpha), rel=1e-9)
        assert np.array_equal(row, one.coef)


def test_bootstrap_draws_are_the_fits_of_their_samples():
    X, y = data(2500, 3)
    model = QuantileRegressor(quantile=0.5, alpha=0.0, solver_options=HOST)
    intervals, draws = model.bootstrap(X, y, 40, seed=5)
    rng = np.random.default_rng(5)
    for draw in draws[:3]:
        weights = np.bincount(rng.integers(2500, size=2500), minlength=2500).astype(float)
        r = (y - X @ draw[:-1] - draw[-1]) * weights
        assert np.abs(r).sum() / 2 == pytest.approx(model.fit(X, y, weights).solution_.objective, rel=1e-9)
    assert (intervals[:, 0] < [1, 2, 3, 0.5]).all() and ([1, 2, 3, 0.5] < intervals[:, 1]).all()


@pytest.mark.parametrize(
    ("n", "p", "alpha", "rounded"), [(60, 5, 0.0, False), (20, 19, 0.0, False), (2500, 4, 0.01, True), (2500, 20, 0.0, False)]
)
def test_bootstrap_of_few_observations_penalties_and_ties(n, p, alpha, rounded):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, p))
    X = np.rint(X) if rounded else X
    y = X.sum(axis=1) + np.rint(rng.standard_t(3, n))
    weights = rng.integers(0, 3, n).astype(float)
    model = QuantileRegressor(quantile=0.3, alpha=alpha, solver_options=HOST)
    _, draws = model.bootstrap(X, y, 8, seed=5, sample_weight=weights)
    rng, kept = np.random.default_rng(5), np.flatnonzero(weights)
    X, y, weights = X[kept], y[kept], weights[kept]
    for draw in draws:
        again = np.bincount(rng.integers(kept.size, size=kept.size), minlength=kept.size) * weights
        best = QuantileRegressor(quantile=0.3, alpha=0.0, solver_options=HOST)
        r = y - X @ draw[:-1] - draw[-1]
        value = again @ np.where(r > 0, 0.3 * r, -0.7 * r) + alpha * weights.sum() * np.abs(draw[:-1]).sum()
        best.alpha = alpha * weights.sum() / again.sum()
        assert value == pytest.approx(best.fit(X, y, again).solution_.objective, rel=1e-9, abs=1e-9)


def test_multipliers_of_the_chebyshev_fit():
    X, y = data(300, 4)
    fit = ChebyshevRegressor(solver_options=HOST).fit(X, y)
    assert np.abs(fit.duals_).sum() == pytest.approx(1.0)
    assert np.allclose(X.T @ fit.duals_, 0.0, atol=1e-12) and fit.duals_ @ y == pytest.approx(fit.deviation_)


def test_least_absolute_deviations():
    X, y = data()
    fit = LADRegressor(alpha=0.02, solver_options=HOST).fit(X, y)
    assert 2 * fit.solution_.objective == pytest.approx(2 * pinball(X, y, np.ones(120), 0.5, 0.01), rel=1e-9)
    coef, fits = LADRegressor(solver_options=HOST).path(X, y, [0.02])
    assert fits[0].objective == pytest.approx(fit.solution_.objective) and np.allclose(coef[0][:-1], fit.coef_)


def test_chebyshev():
    X, y = data(4000, 3)
    fit = ChebyshevRegressor(solver_options=HOST).fit(X, y)
    n, p = X.shape
    Z, t = np.column_stack([X, np.ones(n)]), np.ones((n, 1))
    whole = osi_cuda.linprog(
        np.append(np.zeros(p + 1), 1.0), A_ub=np.block([[Z, -t], [-Z, -t]]), b_ub=np.concatenate([y, -y]),
        bounds=(None, None), options=HOST,
    )
    assert fit.deviation_ == pytest.approx(whole.fun, rel=1e-9)
    assert np.abs(y - fit.predict(X)).max() == pytest.approx(fit.deviation_)
    assert np.allclose(np.abs(y - fit.predict(X))[fit.extremal_], fit.deviation_)


def test_dantzig_selector_and_basis_pursuit():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((40, 100)) / np.sqrt(40)
    beta = np.zeros(100)
    beta[[3, 30, 77]] = [4.0, -3.0, 5.0]
    y = X @ beta
    exact = BasisPursuit(solver_options=HOST).fit(X, y)
    assert np.allclose(exact.coef_, beta, atol=1e-8)
    noisy = y + 0.01 * rng.uniform(-1, 1, 40)
    near = BasisPursuit(epsilon=0.01, solver_options=HOST).fit(X, noisy)
    assert np.abs(noisy - near.predict(X)).max() <= 0.01 + 1e-9
    assert np.abs(near.coef_).sum() <= np.abs(beta).sum() + 1e-9
    selector = DantzigSelector(delta=0.05, fit_intercept=False, solver_options=HOST)
    selector.fit(X, noisy)
    assert np.abs(X.T @ (noisy - selector.predict(X))).max() <= 0.05 + 1e-9
    path = selector.path(X, noisy, [0.2, 0.05])
    assert np.abs(path[1]).sum() == pytest.approx(np.abs(selector.fit(X, noisy).coef_).sum())
    assert np.abs(path[0]).sum() < np.abs(path[1]).sum()
    with pytest.raises(osi_cuda.NoSolution):
        BasisPursuit(solver_options=HOST).fit(np.ones((2, 2)), [0.0, 1.0])


def test_l1_svc():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((200, 6))
    y = np.where(X[:, 0] - 2 * X[:, 3] + 0.3 * rng.standard_normal(200) > 0, "yes", "no")
    fit = L1SVC(C=0.7, solver_options=HOST).fit(X, y)
    assert fit.score(X, y) > 0.9
    s = np.where(y == fit.classes_[1], 1.0, -1.0)
    Z = np.column_stack([X, np.ones(200)]) * s[:, None]
    A = np.hstack([Z[:, :6], -Z[:, :6], Z[:, 6:], np.eye(200)])
    cost = np.concatenate([np.ones(12), [0.0], np.full(200, 0.7)])
    bounds = [(0, None)] * 12 + [(None, None)] + [(0, None)] * 200
    whole = osi_cuda.linprog(cost, A_ub=-A, b_ub=-np.ones(200), bounds=bounds, options=HOST)
    assert fit.solution_.objective == pytest.approx(whole.fun, rel=1e-9)


@pytest.mark.parametrize("model, word", [
    (QuantileRegressor(quantile=1.0), "quantile"), (QuantileRegressor(alpha=-1.0), "alpha"),
    (QuantileRegressor(solver="simplex"), "solver"), (L1SVC(C=np.nan), "C"),
    (DantzigSelector(delta="no"), "delta"), (BasisPursuit(epsilon=-1.0), "epsilon"),
])
def test_what_cannot_be(model, word):
    with pytest.raises(ValueError, match=word):
        model.fit(np.eye(3), [0, 1, 0])


def test_a_limit_is_an_error():
    X, y = data()
    with pytest.raises(osi_cuda.NoSolution, match="iteration_limit"):
        QuantileRegressor(alpha=0.0, solver_options={**HOST, "iteration_limit": 1}).fit(X, y)


def test_without_scikit_learn():
    code = """
import sys
sys.modules["sklearn"] = sys.modules["sklearn.base"] = None
from osi_cuda.estimators import L1SVC, QuantileRegressor
fit = QuantileRegressor(quantile=0.5, alpha=0.0).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 9.0])
assert fit.predict([[4.0]]).round(9) == [4.0] and fit.score([[0.0], [1.0]], [0.0, 1.0]) == 1.0
assert fit.set_params(alpha=2.0).get_params()["alpha"] == 2.0
assert L1SVC(C=9.0).fit([[0.0], [1.0]], [0, 1]).score([[-1.0], [2.0]], [0, 1]) == 1.0
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


def test_games_have_exact_values():
    assert games.solve([[3, -1], [-2, 4]]).exact == fractions.Fraction(1, 1)
    payoffs = np.random.default_rng(0).integers(-20, 21, (7, 9))
    game = games.solve(payoffs)
    assert float(game.exact) == pytest.approx(game.value, rel=1e-12)
    assert (game.rows @ payoffs).min() == pytest.approx(game.value)
    assert (payoffs @ game.columns).max() == pytest.approx(game.value)
    assert game.rows.sum() == pytest.approx(1.0) and game.columns.sum() == pytest.approx(1.0)
    assert games.solve([[0.5, 0.0]]).exact is None
    assert games.solve([[0.5, 0.25]], exact=True).exact == fractions.Fraction(1, 4)
    for wrong in ([], [1.0], [[np.nan]]):
        with pytest.raises(ValueError):
            games.solve(wrong)


@pytest.mark.parametrize("taps, bands, desired, weight", [
    (33, [0, 0.2, 0.25, 0.5], [1, 0], None),
    (64, [0, 0.1, 0.15, 0.3, 0.35, 0.5], [0, 1, 0], [1, 10, 1]),
])
def test_filters_are_those_of_remez(taps, bands, desired, weight):
    signal = pytest.importorskip("scipy.signal")
    found, deviation = filters.chebyshev(taps, bands, desired, weight=weight)
    assert np.allclose(found, found[::-1])
    theirs = signal.remez(taps, bands, desired, weight=weight, grid_density=32, maxiter=100)
    assert np.allclose(found, theirs, atol=2e-5)
    assert 0 < deviation < 0.1
    scaled, _ = filters.chebyshev(taps, np.multiply(bands, 48000), desired, weight=weight, fs=48000)
    assert np.allclose(found, scaled, atol=1e-12)
    with pytest.raises(ValueError, match="bands"):
        filters.chebyshev(taps, bands[::-1], desired)


@pytest.mark.parametrize("module", [estimators, games, filters])
def test_examples_of_the_modules(module):
    assert doctest.testmod(module).failed == 0


def test_examples_of_the_page():
    page = pathlib.Path(__file__).parents[2] / "docs/guide/estimators.md"
    names = {}
    for program in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(program, str(page), "exec"), names)
