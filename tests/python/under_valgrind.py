# SPDX-License-Identifier: EPL-2.0
"""What valgrind watches: arrays of all kinds go in, are changed, solved, and come back."""

import numpy as np

import osi_cuda


def main() -> None:
    random = np.random.default_rng(1)
    for order in "CF":
        A = np.asarray(random.uniform(0.1, 1, (9, 7)), order=order)
        result = osi_cuda.linprog(-np.ones(7), A, np.ones(9), options={"engine": "host"})
        assert result.status == 0, result.message
        both = osi_cuda.linprog(
            -np.ones(7), A, np.ones(9), A[:1], 0.5 * np.ones(1), options={"engine": "host"}
        )
        assert both.status == 0 and both.fun >= result.fun
        for copy in (True, False):
            problem = osi_cuda.Problem(
                np.ones(7), A, row_upper=1.0, sense="max", copy=copy, engine="host"
            )
            assert np.isclose(problem.solve().objective, -result.fun)
            other = problem.copy()
            problem.set_coefficients([0], [0], [5.0])
            problem.add_rows(np.ones((1, 7)), upper=[0.5])
            problem.add_columns(np.zeros((10, 1)), upper=1.0, costs=1.0)
            assert problem.solve().optimal
            values, rows, starts = problem.matrix
            assert starts[-1] == values.size == rows.size
            assert np.isclose(other.solve().objective, -result.fun)
    problem = osi_cuda.Problem([1.0], [[1.0], [0.0]], row_lower=2.0, upper=1.0, engine="host")
    assert problem.solve().farkas is not None
    answer = osi_cuda.solve_batch(
        np.ones(3), random.uniform(0.1, 1, (4, 5, 3)), None, np.ones(5), sense="max", engine="host"
    )
    assert (answer.status == osi_cuda.Status.OPTIMAL).all()
    print("done")


main()
