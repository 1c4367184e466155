# SPDX-License-Identifier: EPL-2.0
"""Bounds and sides of size 1e20 and more are infinite; option infinity sets another size."""

import logging
import pickle

import numpy as np
import pytest

import osi_cuda.check
from osi_cuda import Problem, Status, linprog, solve_batch

INF = np.inf


def notices(caplog):
    return [text for text in caplog.messages if "taken as infinite" in text]


def test_arrays_and_changes(caplog):
    caplog.set_level(logging.INFO, "osi_cuda")
    problem = Problem([1, 1e20], [[1, 1e21]], [-1e20], [1e25], [-1e30, 0], [9e19, 1e20])
    assert notices(caplog) == [
        "4 bound(s) or side(s) are taken as infinite: 1e+20 and more is infinity (option infinity)."
    ]
    assert [list(b) for b in problem.column_bounds] == [[-INF, 0], [9e19, INF]]
    assert [list(b) for b in problem.row_bounds] == [[-INF], [INF]]
    assert list(problem.costs) == [1, 1e20]
    assert list(problem.matrix[0]) == [1, 1e21]
    assert problem.solve().status == Status.UNBOUNDED
    caplog.clear()
    problem.set_bounds(lower=[-5], upper=[1e22], columns=[0])
    problem.set_row_bounds(upper=[7])
    problem.add_rows([[1, 1]], lower=[-1e20], upper=[3])
    problem.add_columns(np.ones((2, 1)), lower=[-2e20], upper=[2e20])
    assert len(notices(caplog)) == 3
    assert [list(b) for b in problem.column_bounds] == [[-5, 0, -INF], [INF, INF, INF]]
    assert [list(b) for b in problem.row_bounds] == [[-INF, -INF], [7, 3]]


def test_bounds_that_cannot_be_reached():
    with pytest.raises(ValueError, match=r"lower\[1\] is 1e\+20, which can't be reached"):
        Problem([1, 1], lower=[0, 1e20])
    with pytest.raises(ValueError, match=r"row_lower\[0\] is 1e\+20"):
        Problem([1], [[1]], [1e20], [1e20])
    problem = Problem([1], [[1]], [1], [1])
    with pytest.raises(ValueError, match=r"upper\[0\] is -1e\+21"):
        problem.set_bounds(upper=[-1e21])
    with pytest.raises(ValueError, match="right-hand side of row R1 is not finite"):
        problem.set_right_hand_sides([1e20])
    assert list(problem.row_bounds[0]) == [1]


def test_another_size(tmp_path):
    problem = Problem([-1], lower=[-1e25], upper=[1e25], infinity=1e30)
    assert problem.solve().objective == -1e25
    copies = [problem.copy(), pickle.loads(pickle.dumps(problem))]
    problem.set_options(infinity=1e20)  # bounds that are there stay
    copies.append(pickle.loads(pickle.dumps(problem)))
    for copy in copies:
        assert [list(b) for b in copy.column_bounds] == [[-1e25], [1e25]]
    assert copies[1].get_option("infinity") == "1e+30"
    assert copies[2].get_option("infinity") == "1e+20"
    assert Problem([1], upper=[1e300], infinity=None).column_bounds[1][0] == 1e300

    path = tmp_path / "a.lp"
    path.write_text("max\n x\nst\n r: x + y <= 1e20\nend\n")
    assert Problem.read(path).row_bounds[1][0] == INF
    assert Problem.read(path, infinity=1e30).row_bounds[1][0] == 1e20
    with pytest.raises(ValueError, match="infinity"):
        Problem(infinity=0.5)


def test_linprog():
    found = linprog([-1, -1], A_ub=[[1, 1]], b_ub=[1e20], bounds=[(0, 1e20), (-1e20, 3)])
    assert found.status == 3
    assert linprog([-1], bounds=[(0, 1e20)], options={"infinity": 1e30}).fun == -1e20
    assert linprog([1], bounds=[(1e20, None)]).status == 2


def test_batches_and_variants():
    A = np.ones((2, 1, 1))
    bounds = dict(row_upper=[[5.0], [1e20]], upper=[[1e20], [1e20]])
    answer = solve_batch([[-1.0], [-1.0]], A, **bounds, engine="host")
    assert list(answer.status) == [Status.OPTIMAL, Status.UNBOUNDED]
    answer = solve_batch([[-1.0], [-1.0]], A, **bounds, engine="host", infinity=1e30)
    assert list(answer.objective) == [-5, -1e20]

    for infinity, last in ((1e20, Status.UNBOUNDED), (1e30, Status.OPTIMAL)):
        problem = Problem([-1], [[1]], None, [4], infinity=infinity, engine="host")
        problem.solve()
        answer = problem.variants(row_upper=[[6], [1e20]])
        assert list(answer.status) == [Status.OPTIMAL, last]
        sparse = problem.variants(rhs=np.array([[np.nan], [1e20]]))
        assert list(sparse.status) == [Status.OPTIMAL, last]


def test_check_takes_the_size(tmp_path):
    model, proof = tmp_path / "a.mps", tmp_path / "a.json"
    model.write_text(
        "NAME a\nROWS\n N o\n L r\nCOLUMNS\n x o -1 r 1\nRHS\n b r 4\nBOUNDS\n UP b x 1e20\nENDATA\n"
    )
    problem = Problem.read(model, exact=True, infinity=1e30)
    problem.solve()
    problem.write_proof(proof)
    assert osi_cuda.check.main([str(model), str(proof), "1e30"]) == 0
    assert osi_cuda.check.main([str(model), str(proof)]) == 0  # the bound is not needed
