# SPDX-License-Identifier: EPL-2.0
"""Optima in rational arithmetic, for tests: a dual simplex with Bland's rule, and the estimators' and games'
textbook programs. Nothing is shared with the package."""

from fractions import Fraction


def minimum(costs, rows, sides):
    """The least costs'x with rows x <= sides, x >= 0, where costs are not negative; None: there is no x."""
    m, n = len(rows), len(costs)
    table = [
        [Fraction(x) for x in row] + [Fraction(int(i == k)) for k in range(m)] + [Fraction(side)]
        for i, (row, side) in enumerate(zip(rows, sides, strict=True))
    ]
    reduced, basis = [Fraction(c) for c in costs] + [Fraction(0)] * (m + 1), list(range(n, n + m))
    while True:
        below = [i for i in range(m) if table[i][-1] < 0]
        if not below:
            return -reduced[-1]
        i = min(below, key=lambda k: basis[k])
        entering = [j for j in range(n + m) if table[i][j] < 0]
        if not entering:
            return None
        j = min(entering, key=lambda k: (reduced[k] / -table[i][k], k))
        basis[i], pivot = j, table[i][j]
        table[i] = [x / pivot for x in table[i]]
        for row in [*table[:i], *table[i + 1 :], reduced]:
            if row[j]:
                factor = row[j]
                row[:] = [x - factor * y if y else x for x, y in zip(row, table[i], strict=True)]


def _both(rows):
    """Of coefficients above and below zero."""
    return [[*row, *(-x for x in row)] for row in rows]


def _with_ones(X, intercept):
    return [[*map(Fraction, row), *([Fraction(1)] * intercept)] for row in X]


def _unit(k, n, value=1):
    return [value if i == k else 0 for i in range(n)]


def quantile(X, y, w, share, a, intercept=True):
    """sum w ((1 - share) r+ + share r-) + a sum |b_j|."""
    Z, n, s, a = _with_ones(X, intercept), len(y), Fraction(share), Fraction(a)
    penalty = [a] * len(X[0]) + [Fraction(0)] * intercept
    costs = [*penalty, *penalty, *(Fraction(x) * (1 - s) for x in w), *(Fraction(x) * s for x in w)]
    over = [[*(-z for z in row), *_unit(k, 2 * n, -1)] for k, row in enumerate(_both(Z))]
    under = [[*row, *_unit(n + k, 2 * n, -1)] for k, row in enumerate(_both(Z))]
    sides = [Fraction(x) for x in y]
    return minimum(costs, over + under, [-x for x in sides] + sides)


def svc(X, signs, w, intercept=True):
    """sum |b_j| + sum w_i max(0, 1 - s_i (x_i'b + b_0))."""
    Z, n = _with_ones(X, intercept), len(signs)
    costs = ([1] * len(X[0]) + [0] * intercept) * 2 + [Fraction(x) for x in w]
    rows = [[*(-s * z for z in row), *_unit(k, n, -1)] for k, (s, row) in enumerate(zip(signs, _both(Z), strict=True))]
    return minimum(costs, rows, [-1] * n)


def largest_deviation(X, y, intercept=True):
    Z = _both(_with_ones(X, intercept))
    sides = [Fraction(x) for x in y]
    rows = [[*row, -1] for row in Z] + [[*(-z for z in row), -1] for row in Z]
    return minimum([0] * len(Z[0]) + [1], rows, sides + [-x for x in sides])


def least_norm(A, target, width):
    """sum |b_j| with |target - A b| <= width."""
    rows, width = _both([[Fraction(x) for x in row] for row in A]), Fraction(width)
    sides = [Fraction(x) for x in target]
    return minimum([1] * len(rows[0]), rows + [[-x for x in row] for row in rows],
                   [x + width for x in sides] + [width - x for x in sides])


def game(A):
    payoffs = [[Fraction(x) for x in row] for row in A]
    shift = 1 - min(map(min, payoffs))
    columns = [[-(row[j] + shift) for row in payoffs] for j in range(len(A[0]))]
    return 1 / minimum([1] * len(A), columns, [-1] * len(columns)) - shift
