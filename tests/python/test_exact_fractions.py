# SPDX-License-Identifier: EPL-2.0
"""Problems of fractions: the answers in fractions satisfy the optimality conditions exactly."""
import copy
import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import osi_cuda
from osi_cuda import check, exact


def problem(seed: int) -> dict:
    r = random.Random(seed)
    m, n = r.randint(1, 5), r.randint(1, 6)
    largest = r.choice((3, 12, 10**4, 10**12))

    def number(low: int = -3) -> Fraction:
        return Fraction(r.randint(low * largest, 3 * largest), r.randint(1, largest))

    lower = [r.choice((0, 0, None, number())) for _ in range(n)]
    return dict(
        c=[number() for _ in range(n)],
        A=[[number() if r.random() < 0.7 else 0 for _ in range(n)] for _ in range(m)],
        row_lower=[number() if r.random() < 0.4 else None for _ in range(m)],
        row_upper=[number(0) + 4 if r.random() < 0.6 else None for _ in range(m)],
        lower=lower, upper=[(low or 0) + 3 if r.random() < 0.5 else None for low in lower],
        sense=r.choice(("min", "max")), offset=number(),
    )


def product(row, x):
    return sum((a * b for a, b in zip(row, x)), Fraction(0))


def least(factor, low, high):
    """The least value of factor * v with low <= v <= high."""
    if factor == 0:
        return 0
    side = low if factor > 0 else high
    assert side is not None
    return factor * side


@pytest.mark.parametrize("seed", range(150))
def test_answers_are_optimal_exactly(seed, tmp_path, capsys):
    p = problem(seed)
    found = exact.solve(**p)
    sign = 1 if p["sense"] == "min" else -1
    if found.status is osi_cuda.Status.OPTIMAL:
        for row, low, high in zip(p["A"], p["row_lower"], p["row_upper"]):
            assert (low is None or product(row, found.x) >= low) and (high is None or product(row, found.x) <= high)
        for x, low, high in zip(found.x, p["lower"], p["upper"]):
            assert (low is None or x >= low) and (high is None or x <= high)
        assert product(p["c"], found.x) + p["offset"] == found.objective
        y = [sign * v for v in found.y]
        bound = sum(least(v, low, high) for v, low, high in zip(y, p["row_lower"], p["row_upper"]))
        for j, c in enumerate(p["c"]):
            reduced = sign * c - sum(v * row[j] for v, row in zip(y, p["A"]))
            bound += least(reduced, p["lower"][j], p["upper"][j])
        assert sign * bound + p["offset"] == found.objective
        assert math.isclose(found.objective, found.solution.objective / exact_cost(found), rel_tol=1e-12, abs_tol=1e-300)
    elif found.status is osi_cuda.Status.INFEASIBLE:
        assert found.farkas is None or any(found.farkas)
    else:
        assert sign * product(p["c"], found.ray) < 0
    again = osi_cuda.Problem(
        p["c"], p["A"], p["row_lower"], p["row_upper"], p["lower"], p["upper"], sense=p["sense"], offset=p["offset"],
    ).solve(exact="on").exact  # the problem is gone, its answer is not
    assert again.status is found.status and (found.x is None or again.x == found.x)
    if any(low is not None and high is not None and low > high for low, high in zip(p["row_lower"], p["row_upper"])):
        return  # MPS has no such rows
    model, proof = tmp_path / "model.mps", tmp_path / "proof.json"
    found.problem.write(model)
    found.problem.write_proof(proof)
    assert check.main([str(model), str(proof)]) == 0, capsys.readouterr().out


def exact_cost(found) -> Fraction:
    """By what the costs of the problem in whole numbers were multiplied."""
    return Fraction(found.solution.exact.objective) / found.objective if found.objective else Fraction(1)


def test_doubles_would_give_another_answer():
    # x = 1/3 and 3 x = 1 agree; the double next to 1/3 does not.
    third = Fraction(1, 3)
    rows = [[1], [3]]
    assert exact.solve([1], rows, [third, 1], [third, 1]).x == [third]
    try:  # infeasible by less than the tolerances
        found = exact.solve([1], rows, [float(third), 1], [float(third), 1])
    except osi_cuda.NoSolution as e:
        assert "infeasible" in str(e)
    else:
        assert found.status is osi_cuda.Status.INFEASIBLE


def test_numbers_of_all_kinds_are_taken():
    found = exact.solve(np.array([1, 4]), np.array([[Fraction(1, 3), 1]], dtype=object), row_lower=1, upper=[2.5, np.inf])
    assert found.x == [Fraction(5, 2), Fraction(1, 6)] and found.objective == Fraction(19, 6)
    assert found.y == [4]
    assert exact.solve([-1]).status is osi_cuda.Status.UNBOUNDED
    with pytest.raises(ValueError, match="row_lower has length"):
        exact.solve([1], [[1]], row_lower=[1, 2])
    with pytest.raises(ValueError, match="not finite"):
        exact.solve([math.inf])


def test_the_log_counts_what_is_no_double(caplog):
    with caplog.at_level("INFO", logger="osi_cuda"):
        exact.solve([Fraction(1, 3), Fraction(1, 4)], [[1, Fraction(2, 7)]], row_lower=1)
    assert "2 numbers are no doubles" in caplog.text


def lp(**options):
    third, seventh = Fraction(1, 3), Fraction(1, 7)
    return osi_cuda.Problem(
        [1, third], np.array([[third, 1], [Fraction(-2, 7), 0]], dtype=object), row_lower=[Fraction(5, 9), None],
        row_upper=[None, seventh], upper=[None, Decimal("0.3")], offset=Fraction(1, 11), exact="on", **options)


# y = 0.3, x = 3 (5/9 - 0.3), and the objective is x + y / 3 + 1/11
OPTIMUM = Fraction(23, 30) + Fraction(1, 10) + Fraction(1, 11)


def test_a_problem_keeps_its_fractions():
    problem = lp()
    exact_answer = problem.solve().exact
    assert exact_answer.proved and exact_answer.status is osi_cuda.Status.OPTIMAL
    assert exact_answer.x == [Fraction(23, 30), Fraction(3, 10)] and Fraction(exact_answer.objective) == OPTIMUM
    assert exact_answer.y == [3, 0] and exact_answer.reduced_costs == [0, Fraction(1, 3) - 3]
    with pytest.raises(osi_cuda.NoSolution, match="no such array"):
        exact_answer.farkas
    problem.set_costs([Fraction(1, 3)], columns=[0])
    problem.add_rows([[0, 1]], upper=[Fraction(1, 9)])
    with pytest.raises(osi_cuda.NoSolution, match="changed"):
        problem.solve() and exact_answer.ray
    assert problem.solve().exact.x == [3 * (Fraction(5, 9) - Fraction(1, 9)), Fraction(1, 9)]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))], ids=["copy", "deep", "pickle"])
def test_copies_have_the_fractions(way, tmp_path):
    answer = way(lp()).solve().exact
    assert Fraction(answer.objective) == OPTIMUM
    kept = pickle.loads(pickle.dumps(answer))
    assert kept == answer and kept.x == answer.x and kept.status is answer.status
    path = tmp_path / "model.mps"
    path.write_text("NAME\nROWS\n N c\n E a\n E b\nCOLUMNS\n y c -1\n y a -0.3\n y b -3\n x a 0.1\n x b 1\n"
                    "RHS\n RHS c 1/3\nBOUNDS\n UP B y 1\nENDATA\n")
    assert way(osi_cuda.Problem.read(path, exact="on")).solve().exact.objective == "-4/3"


def test_numbers_that_share_a_double_stay_apart():
    one = Fraction(1)
    tiny = Fraction(1, 10**30)
    found = exact.solve([1], [[one], [one + tiny], [1]], [1, 1 + 2 * tiny, 1])
    assert found.x == [(1 + 2 * tiny) / (1 + tiny)]
    assert exact.solve([1], [[1]], [2**60 + 1]).x == [2**60 + 1]  # whole numbers, too
    assert exact.solve([1.0, Fraction(1, 10)], [[1, 1]], [0.1], lower=[0.1, None], upper=[0.1, None]).objective == Fraction(0.1)


def test_written_fractions_are_read_again(tmp_path):
    problem = lp()
    problem.write(tmp_path / "model.mps")
    assert "1/3" in (tmp_path / "model.mps").read_text()
    again = osi_cuda.Problem.read(tmp_path / "model.mps", exact="on", exact_numbers="auto")
    assert Fraction(again.solve().exact.objective) == OPTIMUM


def test_bounds_may_have_many_digits():
    low, high = Fraction(1, 3**40), Fraction(10**30, 7**20)
    for sense, x in (("min", low), ("max", high)):
        found = exact.solve([1], [[1]], [low / 2], [2 * high], low, high, sense=sense)
        assert found.x == [x] and found.reduced_costs == [1] and found.y == [0]
    assert exact.solve([1], [[1]], [high], upper=low).status is osi_cuda.Status.INFEASIBLE
    assert exact.solve([1, 1], [[1, 1]], low / 7, high / 11, lower=-1, sense="max").objective == high / 11


def test_linprog_takes_fractions():
    result = osi_cuda.linprog([Fraction(1, 3), 1], A_ub=[[-1, -1]], b_ub=[Fraction(-1, 7)], options={"exact": "on"})
    assert result.exact_fun == Fraction(1, 21) and result.exact_x == [Fraction(1, 7), 0]
    assert abs(result.fun - 1 / 21) < 1e-15 and result.success
