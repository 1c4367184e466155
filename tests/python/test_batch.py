# SPDX-License-Identifier: EPL-2.0
"""Many small problems in one call, beside each of them alone."""

import numpy as np
import pytest

from osi_cuda import BatchSolver, Problem, Proof, Status, device_memory, solve_batch

SHAPE = (40, 6, 5)


@pytest.fixture
def problems():
    random = np.random.default_rng(4)
    return random.uniform(0.5, 2, (40, 5)), random.uniform(0.1, 1, SHAPE), random.uniform(1, 3, (40, 6))


def test_each_is_what_it_is_alone(problems):
    c, A, b = problems
    answer = solve_batch(c, A, None, b, sense="max", engine="host")
    assert len(answer) == 40 and (answer.status == Status.OPTIMAL).all()
    assert answer.x.shape == (40, 5) and answer.y.shape == (40, 6)
    for k in range(40):
        alone = Problem(c[k], A[k], row_upper=b[k], sense="max").solve()
        assert answer.objective[k] == pytest.approx(alone.objective, rel=1e-9)
        np.testing.assert_allclose(answer.x_of(k), alone.x, atol=1e-9)
        np.testing.assert_allclose(answer.y[k], alone.duals, atol=1e-9)
    assert (answer.proof >= Proof.TOLERANCE).all() and (answer.residual <= 1e-9).all()
    assert "40 optimal" in repr(answer)


def test_sizes_and_statuses_may_differ():
    solver = BatchSolver(threads=1, engine="host")
    answer = solver.solve(
        [[20, 9], [1], [1], [np.nan]],
        [[[4, 2], [15, 5]], [[-1]], [[1], [1]], [[1]]],
        [[-np.inf, -np.inf], [-np.inf], [3, -np.inf], [0]],
        [[40, 120], [0], [np.inf, 2], [1]],
        sense=["max", "max", "min", "min"], offset=[12, 0, 0, 0],
    )
    assert [Status(status) for status in answer.status] == [
        Status.OPTIMAL, Status.UNBOUNDED, Status.INFEASIBLE, Status.INVALID,
    ]
    assert answer.objective[0] == pytest.approx(200)
    np.testing.assert_allclose(answer.x_of(0), [4, 12])
    assert answer.certificate_of(1)[0] > 0 and answer.certificate_of(2).shape == (2,)
    assert answer.certificate_of(0) is None
    assert answer.notes == {3: "Column C1 has a cost that is not finite."}
    assert answer.basis_of(0).columns.tolist() == [3, 3]
    with pytest.raises(ValueError, match="different numbers of columns"):
        answer.x  # noqa: B018


def test_progress_and_what_is_refused(problems):
    c, A, b = problems
    seen = []
    solve_batch(c, A, None, b, progress=lambda done, count: seen.append((done, count)))
    assert seen[-1] == (40, 40)

    def fail(done, count):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        solve_batch(c, A, None, b, progress=fail)
    with pytest.raises(ValueError, match=r"c has shape \(3,\) instead of \(40, 5\) or \(5,\)"):
        solve_batch(np.ones(3), A)
    with pytest.raises(ValueError, match="a batch has no option 'scaling'"):
        BatchSolver(scaling=True)
    with pytest.raises(ValueError, match="A has 2 dimensions instead of three"):
        solve_batch(c, A[0])
    with pytest.raises(ValueError, match="expected none or an integer >= 1, found '0'"):
        BatchSolver(iteration_limit=0)
    assert len(solve_batch(np.zeros((0, 2)), np.zeros((0, 3, 2)))) == 0


def test_devices_are_named_by_a_word_or_numbers():
    for devices in ("one", "all", "0,1", [0, 1], (2,), 0):
        BatchSolver(devices=devices, engine="host")
    for devices in ("none", [], [-1]):
        with pytest.raises(ValueError, match="devices"):
            BatchSolver(devices=devices)


def test_device_memory():
    one, more = device_memory(50, 40, 1), device_memory(50, 40, 10_000, changes=3)
    assert one["array"] == 8 * 50 * 40 < one["simplex"] < one["barrier"]
    assert more["simplex"] == one["simplex"]
    assert 10_000 * 8 * 50 * 40 < more["batch"] < 2 * 10_000 * 8 * 50 * 40
    assert one["variants"] < more["variants"] < device_memory(50, 40, 10_000, 99)["variants"]
    # However many there are, they go in parts.
    assert device_memory(50, 40, 10**9, 40)["variants"] < 10**9
    for wrong in ((0, 4, 1), (4, 0, 1), (4, 4, -1), (4, 4, 1, -1)):
        with pytest.raises(ValueError, match="take no memory"):
            device_memory(*wrong)
