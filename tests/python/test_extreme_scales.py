# SPDX-License-Identifier: EPL-2.0
"""Estimators and games with numbers of 1e-300 to 1e300, beside optima in rational arithmetic: what is called
proved is right, no error is smaller than it says, and a common factor changes nothing. OSI_CUDA_EXTREMES="SEED COUNT"
draws other problems, or more."""

import os
import sys
from fractions import Fraction

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(__file__))
import exact_lp  # noqa: E402

from osi_cuda import NoSolution, filters, games  # noqa: E402
from osi_cuda.estimators import (  # noqa: E402
    BasisPursuit, ChebyshevRegressor, DantzigSelector, L1SVC, LADRegressor, QuantileRegressor,
)

HOST = {"engine": "host", "threads": 1}
SEED, COUNT = map(int, os.environ.get("OSI_CUDA_EXTREMES", "1 150").split())
FACTORS = [1e-300, 1e-100, 1e-15, 1e-9, 1e-3, 1.0, 1e3, 1e15, 1e100, 1e300]
SMALLEST = Fraction(5e-324)


def power(rng):
    return float(rng.choice(FACTORS))


def numbers(rng, *shape):
    return rng.integers(-3, 4, shape).astype(float) if rng.random() < 0.5 else rng.standard_normal(shape)


def drawn(rng):
    """Rows, targets and weights: single ones, duplicates, ties, zeros; of one size, or of very different ones."""
    n, p = int(rng.integers(1, 8)), int(rng.integers(1, 4))
    X, y = numbers(rng, n, p), numbers(rng, n)
    if rng.random() < 0.3:
        X, y = np.vstack([X, X[:2]]), np.append(y, y[:2])
    w = np.ones(len(y)) if rng.random() < 0.4 else rng.integers(0, 3, len(y)).astype(float)
    if rng.random() < 0.5:
        X = X * [power(rng) for _ in range(p)]
    if rng.random() < 0.6:
        y = y * power(rng)
    if rng.random() < 0.6:
        w = w * power(rng)
    elif rng.random() < 0.4:
        w = w * 10.0 ** rng.integers(-15, 16, len(y))
    w[rng.integers(len(y))] = max(w.max(), 1e-300)
    return X, y, w


def check(fit, optimum, targets, w):
    """Returns whether it is called proved."""
    if not np.isfinite(fit.objective):
        assert not fit.proved and fit.objective_error == np.inf
        return False
    beyond = Fraction(fit.objective) - optimum
    assert abs(beyond) <= (Fraction(fit.objective_error) if fit.objective_error < np.inf else abs(beyond))
    if fit.proved:
        least = min(Fraction(x) for x in w if x > 0)
        fits = Fraction(1, 10**13) * least * sum(abs(Fraction(x)) for x in targets)
        assert abs(beyond) <= max(Fraction(1, 10**6) * optimum, fits) + SMALLEST
    return fit.proved


def test_what_a_quantile_regression_proves():
    rng, proved = np.random.default_rng(SEED), 0
    for _ in range(COUNT):
        X, y, w = drawn(rng)
        tau, alpha = float(rng.choice([0.5, 0.1, 0.9, 0.25, 1e-6])), float(rng.choice([0.0, 0.0, 1e-12, 1e-3, 1.0, 1e3]))
        intercept = bool(rng.integers(2))
        model = QuantileRegressor(quantile=tau, alpha=alpha, fit_intercept=intercept, solver_options=HOST)
        try:
            fit = model.fit(X, y, w).solution_
        except (NoSolution, ValueError):  # nothing is claimed
            continue
        held = w > 0
        penalty = Fraction(alpha) * sum(map(Fraction, w))
        optimum = exact_lp.quantile(X[held], y[held], w[held], 1 - Fraction(tau), penalty, intercept)
        proved += check(fit, optimum, y[held], w)
    assert proved > COUNT // 2


def test_what_a_support_vector_machine_proves():
    rng, proved = np.random.default_rng(SEED + 1), 0
    for _ in range(COUNT // 2):
        X, y, w = drawn(rng)
        intercept, labels = bool(rng.integers(2)), np.arange(len(y)) % 2
        try:
            fit = L1SVC(C=float(rng.choice([1e-3, 1.0, 1e3])), fit_intercept=intercept, solver_options=HOST)
            found = fit.fit(X, labels, w).solution_
        except (NoSolution, ValueError):
            continue
        optimum = exact_lp.svc(X, np.where(labels, 1, -1).tolist(), [Fraction(fit.C) * Fraction(x) for x in w], intercept)
        proved += check(found, optimum, np.ones(len(y)), fit.C * w)
    assert proved > COUNT // 4


RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((30, 3)), RNG.standard_normal(30)
Y += X.sum(axis=1)


@pytest.mark.parametrize("factor", FACTORS)
def test_a_common_factor_changes_nothing(factor):
    """The same fit, proved, with weights, targets or columns that are all so much larger."""
    plain = LADRegressor(alpha=0.0, solver_options=HOST).fit(X, Y)
    assert plain.solution_.proved
    targets = [factor] if 1e-290 < factor < 1e290 else []
    for a, b, c in [(factor, 1.0, 1.0), *((1.0, each, 1.0) for each in targets), (1.0, 1.0, factor)]:
        fit = LADRegressor(alpha=0.0, solver_options=HOST).fit(X * c, Y * b, np.full(30, a))
        assert fit.solution_.proved and fit.solution_.objective == pytest.approx(plain.solution_.objective * a * b, rel=1e-9)
        assert fit.solution_.objective_error <= 1e-7 * fit.solution_.objective
        assert np.allclose(fit.coef_ / b * c, plain.coef_, rtol=1e-7)
        assert fit.intercept_ / b == pytest.approx(plain.intercept_)
    for model in (QuantileRegressor(quantile=0.3, alpha=0.01, solver_options=HOST), L1SVC(C=1.0 / factor, solver_options=HOST)):
        assert model.fit(X, Y if isinstance(model, QuantileRegressor) else Y > 0, np.full(30, factor)).solution_.proved


@pytest.mark.parametrize("factor", FACTORS)
def test_bootstraps_paths_and_blocks_of_other_sizes(factor):
    plain = QuantileRegressor(alpha=0.0, solver_options=HOST).bootstrap(X, Y, 5)[1]
    again = QuantileRegressor(alpha=0.0, solver_options=HOST).bootstrap(X * factor, Y, 5, sample_weight=np.full(30, factor))[1]
    assert np.allclose(again * [factor, factor, factor, 1.0], plain, rtol=1e-6, atol=1e-9)
    coef, fits = QuantileRegressor(solver_options=HOST).path(X, Y, [0.01, 0.1], np.full(30, factor))
    assert all(fit.proved for fit in fits) and np.isfinite(coef).all()
    rng = np.random.default_rng(1)
    many = rng.standard_normal((3000, 2))
    y = many.sum(axis=1) + rng.standard_t(3, 3000)
    one, other = (LADRegressor(alpha=0.0, solver_options=HOST).fit(many * k, y, np.full(3000, k)) for k in (1.0, factor))
    assert other.solution_.rounds > 1 and other.solution_.proved
    assert np.allclose(other.coef_ * factor, one.coef_, rtol=1e-7)


def test_sparse_matrices_of_other_sizes():
    sparse = pytest.importorskip("scipy.sparse")
    for factor in FACTORS:
        wide = X * [1.0, factor, 1.0]
        fits = [LADRegressor(alpha=0.0, solver_options=HOST).fit(A, Y) for A in (wide, sparse.csr_array(wide), sparse.csc_array(wide))]
        assert all(fit.solution_.proved for fit in fits)
        assert all(np.allclose(fit.coef_, fits[0].coef_, rtol=1e-9) for fit in fits)


GROUPS = np.eye(4)[RNG.integers(0, 4, 30)]


@pytest.mark.parametrize("more, known", [
    (X[:, :1], True), (-X[:, 1:2], True), (np.full((30, 1), 0.3), True), (np.zeros((30, 1)), True), (GROUPS, True),
    (np.column_stack([GROUPS, GROUPS @ [1.0, 2.0, 3.0, 4.0]]), True),
    (X[:, :1] * 3.0, False), (X[:, :1] + X[:, 1:2], False), (np.nextafter(X[:, :1], 9.0), False),
    (np.where(np.arange(30)[:, None] == 7, np.nextafter(X[:, :1], 9.0), X[:, :1]), False),
    (np.where(np.arange(30)[:, None] == 7, np.nextafter(0.3, 1.0), 0.3), False),
])
def test_columns_that_are_sums_of_others(more, known):
    """Proved where that is certain; a column that differs in the last bit may need coefficients of any size."""
    both = np.hstack([X, more])
    fit = LADRegressor(alpha=0.0, solver_options=HOST).fit(both, Y).solution_
    assert fit.proved == known
    least = exact_lp.quantile(both, Y, np.ones(30), 0.5, 0.0)
    assert abs(Fraction(fit.objective) - least) <= Fraction(fit.objective_error)
    wide = QuantileRegressor(alpha=0.01, solver_options=HOST).fit(both, Y).solution_
    assert wide.proved  # the penalty bounds the coefficients


def test_an_error_that_is_spoiled_is_not_proved():
    """The claim is made from the data alone: other coefficients or multipliers claim less."""
    from osi_cuda import _fit_proof

    fit = LADRegressor(alpha=0.0, solver_options=HOST).fit(X, Y).solution_
    parts = [X, np.ones(30), Y, np.ones(30), 0.5, np.zeros(4), fit.coef, fit.duals, fit.active]
    assert _fit_proof.claim(*parts).proved
    for place, wrong in ((6, fit.coef + [0.1, 0, 0, 0]), (7, np.roll(fit.duals, 1)), (7, np.zeros(30)), (7, -fit.duals)):
        spoiled = list(parts)
        spoiled[place] = wrong
        found = _fit_proof.claim(*spoiled)
        assert not found.proved and found.error >= found.objective - fit.objective - 1e-9


def test_rows_of_a_device_are_read_a_block_at_a_time():
    """The proof of millions of rows makes no list of all of them for each block."""
    from osi_cuda import _arrays, _fit_proof

    rng = np.random.default_rng(SEED + 3)
    A = rng.standard_normal((5000, 3))
    y = A @ [1.0, 2.0, 3.0] + rng.standard_normal(5000)
    fit = LADRegressor(alpha=0.0, solver_options=HOST).fit(A, y).solution_
    asked = []

    class Rows(_arrays.DeviceRows):
        def __getitem__(self, which):
            asked.append(which.size if which.base is None else which.base.size)
            return super().__getitem__(which)

    found = _fit_proof.claim(Rows(A), np.ones(5000), y, np.ones(5000), 0.5, np.zeros(4), fit.coef, fit.duals, fit.active)
    assert found.proved and sum(asked) < 7000


def test_chebyshev_fits():
    rng = np.random.default_rng(SEED + 2)
    for _ in range(COUNT // 2):
        A, y, _ = drawn(rng)
        intercept = bool(rng.integers(2))
        try:
            fit = ChebyshevRegressor(fit_intercept=intercept, solver_options=HOST).fit(A, y)
        except (NoSolution, ValueError):  # coefficients beyond doubles
            continue
        sizes = np.linalg.svd(A / np.maximum(np.abs(A).max(axis=0), 5e-324), compute_uv=False)
        if sizes.min() < 1e-12:  # columns that only rounding tells apart
            continue
        optimum = exact_lp.largest_deviation(A, y, intercept)
        near = Fraction(1, 10**6) * optimum + Fraction(1, 10**12) * max(abs(Fraction(x)) for x in y) + SMALLEST
        assert abs(Fraction(fit.deviation_) - optimum) <= near


def test_selectors():
    rng, solved = np.random.default_rng(SEED + 3), 0
    for _ in range(COUNT // 2):
        n, p, a, b = int(rng.integers(1, 7)), int(rng.integers(1, 4)), power(rng), power(rng)
        A, y, width = numbers(rng, n, p) * a, numbers(rng, n) * b, float(rng.choice([0.1, 0.5])) * b
        rows, sides = [[Fraction(x) for x in row] for row in A], [Fraction(x) for x in y]
        cases = [(BasisPursuit(epsilon=width, solver_options=HOST), rows, sides, width)]
        if SMALLEST < width * a < np.inf:
            turned = list(zip(*rows, strict=True))
            square = [[sum(x * z for x, z in zip(one, other, strict=True)) for other in turned] for one in turned]
            pulls = [sum(x * z for x, z in zip(one, sides, strict=True)) for one in turned]
            cases.append((DantzigSelector(delta=width * a, fit_intercept=False, solver_options=HOST), square, pulls, width * a))
        for model, left, right, within in cases:
            least = exact_lp.least_norm(left, right, within)
            try:
                model.fit(A, y)
            except NoSolution:
                assert least is None
                continue
            except ValueError:  # coefficients beyond doubles
                continue
            norm = sum(abs(Fraction(x)) for x in model.coef_)
            if least is None:  # but for rounding
                assert exact_lp.least_norm(left, right, Fraction(within) * Fraction(1 + 1e-9)) is not None
                continue
            assert abs(norm - least) <= Fraction(1, 10**5) * least + Fraction(1e-320)
            solved += 1
    assert solved > COUNT // 4


@pytest.mark.parametrize("exact", [None, True])
def test_values_of_games(exact):
    rng = np.random.default_rng(SEED + 4)
    for _ in range(COUNT // 2):
        m, n = int(rng.integers(1, 7)), int(rng.integers(1, 7))
        spread = rng.random() < 0.4
        payoffs = numbers(rng, m, n) * (np.array([[power(rng) for _ in range(n)] for _ in range(m)]) if spread else power(rng))
        value = exact_lp.game(payoffs)
        try:
            game = games.solve(payoffs, exact, **HOST)
        except NoSolution:  # no sum of two doubles holds the point
            assert exact and spread
            continue
        assert game.exact in (None, value)
        near = Fraction(1, 10**9) * (Fraction(1) if game.exact is None else 0)
        assert abs(Fraction(game.value) - value) <= Fraction(1, 10**9) * abs(value) + near * Fraction(float(np.abs(payoffs).max())) + SMALLEST


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_games_and_filters_of_one_size(factor):
    game = games.solve(np.array([[3, -1], [-2, 4]]) * factor, **HOST)
    assert game.value == pytest.approx(factor) and np.allclose(game.rows, [0.6, 0.4])
    small, deviation = filters.chebyshev(9, [0, 0.2, 0.3, 0.5], [1.0, 0.0], **HOST)
    taps, scaled = filters.chebyshev(9, [0, 0.2, 0.3, 0.5], [factor, 0.0], **HOST)
    assert np.allclose(taps / factor, small, rtol=1e-6, atol=1e-9) and scaled / factor == pytest.approx(deviation, rel=1e-6)
    taps, _ = filters.chebyshev(9, [0, 0.2, 0.3, 0.5], [1.0, 0.0], weight=[factor, factor], **HOST)
    assert np.allclose(taps, small, rtol=1e-6, atol=1e-9)


def test_sums_beyond_doubles_prove_nothing():
    for wide, y in ((X * 5e307, Y), (X, Y * 5e307), (np.full((30, 2), 1.7e308), Y), (np.column_stack([X[:, 0] * 1e308, X[:, 1] * -1e308]), Y)):
        for model in (LADRegressor(alpha=0.0, solver_options=HOST), QuantileRegressor(alpha=1.0, solver_options=HOST)):
            try:
                fit = model.fit(wide, y).solution_
            except (NoSolution, ValueError):
                continue
            assert np.isfinite(fit.objective) or not fit.proved


def test_coefficients_beyond_doubles_are_an_error():
    with pytest.raises(ValueError, match="beyond the range of doubles"):
        LADRegressor(alpha=0.0, fit_intercept=False, solver_options=HOST).fit(X * 1e-300, Y * 1e300)
