# SPDX-License-Identifier: EPL-2.0
"""Many variants of one problem, beside each of them alone; support functions and bounds."""

import fractions

import numpy as np
import pytest

import osi_cuda
from osi_cuda import Problem, Proof, Status, solve_variants

M, N, K = 12, 16, 30


@pytest.fixture
def model():
    random = np.random.default_rng(7)
    return {
        "c": random.uniform(1, 3, N), "A": random.uniform(0.1, 1, (M, N)),
        "row_lower": random.uniform(1, 4, M), "upper": np.full(N, 10.0),
    }


@pytest.fixture
def problem(model):
    return Problem(model["c"], model["A"], row_lower=model["row_lower"], upper=model["upper"])


def alone(model, **changed):
    numbers = {**model, **changed}
    return Problem(
        numbers["c"], numbers["A"], row_lower=numbers["row_lower"], upper=numbers["upper"]
    ).solve()


@pytest.mark.parametrize("pool", [True, False])
def test_each_is_what_it_is_alone(problem, model, pool):
    random = np.random.default_rng(1)
    costs, rhs = random.uniform(1, 3, (K, N)), random.uniform(1, 4, (K, M))
    upper = np.where(random.uniform(size=(K, N)) < 0.3, random.uniform(1, 5, (K, N)), np.nan)
    variants, rows, columns = np.arange(K), random.integers(0, M, K), random.integers(0, N, K)
    values = random.uniform(0.1, 2, K)
    answer = problem.variants(
        costs=costs, rhs=rhs, upper=upper, coefficients=(variants, rows, columns, values),
        what=("x", "y", "bounds"), pool=pool, engine="host",
    )
    assert len(answer) == K and answer.x.shape == (K, N) and answer.y.shape == (K, M)
    for k in range(K):
        matrix = model["A"].copy()
        matrix[rows[k], columns[k]] = values[k]
        single = alone(
            model, c=costs[k], A=matrix, row_lower=rhs[k],
            upper=np.where(np.isnan(upper[k]), model["upper"], upper[k]),
        )
        assert answer.status[k] == single.status == Status.OPTIMAL
        assert answer.objective[k] == pytest.approx(single.objective, rel=1e-9)
        np.testing.assert_allclose(matrix @ answer.x[k] >= rhs[k] - 1e-8, True)
    lower, above = answer.objective_lower, answer.objective_upper
    assert (lower <= above).all() and (answer.objective - lower <= 1e-9 * answer.objective).all()
    assert (answer.proof >= Proof.TOLERANCE).all()
    # The problem itself has not changed.
    assert problem.solution.objective == pytest.approx(alone(model).objective)


def test_sparse_changes_and_what_is_wanted(problem, model):
    sparse = pytest.importorskip("scipy.sparse")
    changes = sparse.csr_array(([5.0, 0.5], ([0, 2], [3, 4])), shape=(3, N))
    answer = solve_variants(problem, costs=changes, what=(), engine="host")
    assert answer.x.shape == (3, 0) and answer.objective_lower is None
    for k, (column, cost) in enumerate([(3, 5.0), (0, model["c"][0]), (4, 0.5)]):
        costs = model["c"].copy()
        costs[column] = cost
        assert answer.objective[k] == pytest.approx(alone(model, c=costs).objective)
    rhs = sparse.csr_array(([2.5], ([1], [6])), shape=(2, M))
    held = model["row_lower"].copy()
    held[6] = 2.5
    answer = problem.variants(rhs=rhs, lower=np.full((2, N), np.nan), engine="host")
    assert answer.objective[1] == pytest.approx(alone(model, row_lower=held).objective)


def test_infeasible_unbounded_and_invalid_ones():
    problem = Problem([-1.0, 0.0], [[1.0, 1.0]], row_upper=[4.0])
    answer = problem.variants(
        row_upper=np.array([[np.nan], [-1.0], [np.inf], [np.nan]]),
        costs=np.array([[np.nan] * 2, [np.nan] * 2, [np.nan] * 2, [np.inf, 0]]),
        what=("x", "bounds"), engine="host",
    )
    expected = [Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED, Status.INVALID]
    assert answer.status.tolist() == expected
    assert answer.objective_lower.tolist() == [-4, np.inf, -np.inf, -np.inf]
    assert answer.certificate_of(1) is not None and answer.certificate_of(2)[0] > 0
    assert 3 in answer.notes


def test_the_pool_stays_until_the_problem_changes(model):
    random = np.random.default_rng(3)
    scenario = random.uniform(0.5, 4, (4, N))
    costs = scenario[np.arange(800) % 4] * random.uniform(0.9999, 1.0001, (800, N))
    problem = Problem(model["c"], model["A"], row_lower=model["row_lower"], upper=model["upper"])
    first = problem.variants(costs=costs, what=(), engine="host")
    again = problem.variants(costs=costs[:100], what=(), engine="host")
    assert first.pooled > 400 and again.pooled > 80
    np.testing.assert_allclose(again.objective, first.objective[:100], rtol=1e-9)
    problem.set_bounds(upper=9.0)
    assert problem.variants(costs=costs[:2], what=(), engine="host").pooled == 0


def test_support_is_sound_and_tight(problem, model):
    random = np.random.default_rng(5)
    directions = random.normal(size=(20, N))
    bounds = problem.support(directions, engine="host")
    for direction, bound in zip(directions, bounds):
        best = alone(model, c=-direction)
        assert bound == pytest.approx(-best.objective, rel=1e-9)
        # Sound: the exact value of an exactly feasible point is no larger.
        assert bound >= -best.objective_upper
    assert problem.support(directions[0]).shape == (1,)
    assert (problem.support(np.zeros((1, N))) >= 0).all()


def test_bounds_of_a_small_polytope_in_rational_arithmetic():
    third, seventh = 1 / 3, 1 / 7  # not what they are called, but what they are
    problem = Problem([0.0, 0.0], [[third, seventh], [1.0, -seventh]], row_upper=[0.1, 0.3])
    lower, upper = problem.bounds_of(engine="host")
    a, b = fractions.Fraction(third), fractions.Fraction(seventh)
    limit = fractions.Fraction(0.1), fractions.Fraction(0.3)
    exact = min(limit[0] / a, (limit[0] + limit[1]) / (a + 1)), limit[0] / b
    for k in range(2):
        assert lower[k] <= 0 <= lower[k] + 1e-12
        assert fractions.Fraction(upper[k]) >= exact[k]
        assert upper[k] <= float(exact[k]) * (1 + 1e-12)
    only = problem.bounds_of([1], engine="host")
    assert only[0].shape == (1,) and only[1][0] == upper[1]


def test_bounds_hold_where_a_limit_ends_the_pivots(problem, model):
    tight = problem.bounds_of(engine="host")
    stopped = problem.bounds_of(engine="host", iteration_limit=1)
    assert (stopped[0] <= tight[0] + 1e-9).all() and (stopped[1] >= tight[1] - 1e-9).all()
    empty = Problem([1.0], [[1.0]], row_lower=[3.0], upper=[2.0])
    assert empty.bounds_of(engine="host") == ([np.inf], [-np.inf])
    assert Problem([0.0], [[1.0]], row_lower=[3.0]).bounds_of(engine="host")[1] == [np.inf]


def test_an_interrupt_ends_them(problem):
    costs = np.random.default_rng(2).uniform(1, 3, (3000, N))
    answer = problem.variants(
        costs=costs, what=(), engine="host", progress=lambda done, count: problem.interrupt()
    )
    assert answer.status[-1] == Status.INTERRUPTED


def test_variants_begin_where_others_ended(problem):
    random = np.random.default_rng(5)
    rhs = random.uniform(2, 4, (K, M))
    first = problem.variants(rhs=rhs, what=("x", "start"), engine="host", pool=False)
    assert first.start.shape == (K,) and first.iterations.sum() > K
    again = problem.variants(rhs=rhs, start=first.start, engine="host", pool=False)
    assert again.start is None and again.iterations.sum() == 0
    np.testing.assert_allclose(again.objective, first.objective, rtol=1e-12)
    other = problem.variants(rhs=rhs, start=np.roll(first.start, 1), engine="host")
    np.testing.assert_allclose(other.objective, first.objective, rtol=1e-9)
    fewer = problem.variants(start=first.start[:3], engine="host")
    assert len(fewer) == 3 and fewer.objective == pytest.approx(problem.solve().objective)
    with pytest.raises(ValueError, match="the numbers of variants differ"):
        problem.variants(rhs=rhs, start=first.start[:2])


def test_pivots_end_beyond_a_cutoff(problem):
    rhs = np.random.default_rng(5).uniform(2, 4, (K, M))
    whole = problem.variants(rhs=rhs, engine="host", pool=False)
    cutoff = float(np.median(whole.objective))
    ended = problem.variants(rhs=rhs, engine="host", pool=False, cutoff=cutoff)
    beyond = ended.status == Status.OBJECTIVE_LIMIT
    assert beyond.sum() > K // 4 and (whole.objective[beyond] > cutoff).all()
    np.testing.assert_array_equal(ended.objective[~beyond], whole.objective[~beyond])


def test_what_is_refused(problem):
    with pytest.raises(ValueError, match=r"costs has shape \(3,\) instead of \(K, 16\)"):
        problem.variants(costs=np.ones(3))
    with pytest.raises(ValueError, match="the numbers of variants differ"):
        problem.variants(costs=np.ones((2, N)), upper=np.ones((3, N)))
    with pytest.raises(ValueError, match="give one or the other"):
        problem.variants(rhs=np.ones((2, M)), row_lower=np.ones((2, M)))
    with pytest.raises(ValueError, match="what is 'z'"):
        problem.variants(costs=np.ones((2, N)), what="z")
    with pytest.raises(ValueError, match="a batch has no option 'scaling'"):
        problem.variants(costs=np.ones((2, N)), scaling="off")
    with pytest.raises(ValueError, match="row 0 has no single right-hand side"):
        Problem([1.0], [[1.0]], row_lower=[0.0], row_upper=[1.0]).variants(rhs=[[1.0]])
    with pytest.raises(ValueError, match="four arrays of one length"):
        problem.variants(coefficients=([0, 1], [0], [0], [1.0]))

    def fail(done, count):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        problem.variants(costs=np.ones((2, N)), progress=fail)
    assert osi_cuda.solve_variants(problem, count=0).status.size == 0


@pytest.mark.parametrize("n", [2, 5, 12])
def test_bounds_of_a_polytope_that_only_rows_bound(n):
    """Free columns: rounded multipliers leave them reduced costs, of which nothing follows."""
    random = np.random.default_rng(n)
    matrix, sides = random.normal(size=(5 * n, n)), random.uniform(0.5, 2, 5 * n)
    problem = Problem(np.zeros(n), matrix, None, sides, lower=None)
    lower, upper = problem.bounds_of(engine="host")
    for j, sign, bound in [(j, 1, lower[j]) for j in range(n)] + [(j, -1, -upper[j]) for j in range(n)]:
        costs = sign * np.eye(n)[j]
        best = Problem(costs, matrix, None, sides, lower=None, exact="on").solve()
        assert bound == pytest.approx(best.objective, rel=1e-9)
        assert fractions.Fraction(bound) <= fractions.Fraction(best.exact.objective)
