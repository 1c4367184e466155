# SPDX-License-Identifier: EPL-2.0
"""Variants and batches with arrays of PyTorch and CuPy on a CUDA device."""

import numpy as np
import pytest

from osi_cuda import Problem, Status, solve_batch

K, M, N = 300, 12, 16


def torch_arrays():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device")
    return lambda array: torch.tensor(array, device="cuda"), lambda array: array.cpu().numpy()


def cupy_arrays():
    cupy = pytest.importorskip("cupy")
    if not cupy.is_available():
        pytest.skip("there is no CUDA device")
    return cupy.asarray, cupy.asnumpy


@pytest.fixture(params=[torch_arrays, cupy_arrays])
def library(request):
    return request.param()


@pytest.fixture
def variants():
    random = np.random.default_rng(4)
    problem = Problem(random.uniform(1, 3, N), random.uniform(0.1, 1, (M, N)),
                      row_lower=random.uniform(1, 4, M), upper=np.full(N, 10.0))
    upper = np.where(random.uniform(size=(K, N)) < 0.3, random.uniform(0, 5, (K, N)), np.nan)
    upper[5] = 0.0  # no point
    upper[6, 2] = -1.0  # below the lower bound
    costs = random.uniform(1, 3, (K, N))
    costs[7, 3] = np.inf
    return problem, {"costs": costs, "rhs": random.uniform(1, 4, (K, M)), "upper": upper}


def same(found, expected, back):
    for name in ("objective", "xs", "ys"):
        np.testing.assert_array_equal(back(getattr(found, name)), getattr(expected, name), name)
    for name in ("status", "proof", "iterations", "residual"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    for k in range(len(expected)):
        for mine, theirs in zip(found.basis_of(k), expected.basis_of(k)):
            np.testing.assert_array_equal(back(mine), theirs)
        assert np.array_equal(found.certificate_of(k), expected.certificate_of(k))
    assert found.notes == expected.notes


def test_variants(library, variants):
    there, back = library
    problem, arrays = variants
    expected = problem.variants(engine="cuda", **arrays)
    assert set(expected.status) == {Status.OPTIMAL, Status.INFEASIBLE, Status.INVALID}
    moved = {name: there(array) for name, array in arrays.items()}
    found = problem.variants(**moved)
    assert type(found.x) is type(moved["costs"]) and tuple(found.x.shape) == (K, N)
    assert found.x.__dlpack_device__()[0] == 2 and found.x.__cuda_array_interface__["shape"] == (K, N)
    same(found, expected, back)
    again = problem.variants(**moved)
    same(found, expected, back)  # it keeps its own memory
    same(again, expected, back)
    one = problem.variants(engine="cuda", **{**arrays, "costs": moved["costs"]})
    same(one, expected, back)
    same(problem.variants(engine="cuda", out="host", **moved), expected, np.asarray)
    bounded = problem.variants(what="bounds", engine="cuda", **moved)
    assert (bounded.objective_lower <= bounded.objective_upper).all()


def test_what_a_stream_is_still_writing_is_waited_for(variants):
    torch = pytest.importorskip("torch")
    there, back = torch_arrays()
    problem, arrays = variants
    expected = problem.variants(engine="cuda", **arrays)
    costs, rhs, upper = (there(arrays[name]) for name in ("costs", "rhs", "upper"))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        late = torch.zeros_like(costs)
        torch.cuda._sleep(200_000_000)
        late += costs
        found = problem.variants(costs=late, rhs=rhs, upper=upper)
        doubled = found.x * 2
    same(found, expected, back)
    np.testing.assert_array_equal(back(doubled), 2 * expected.x)


def test_batches(library):
    there, back = library
    random = np.random.default_rng(5)
    A, c = random.uniform(0.1, 1, (K, 7, 5)), random.uniform(-1, 1, (K, 5))
    upper = random.uniform(1, 2, (K, 7))
    upper[3], c[4, 1] = -1.0, np.nan
    expected = solve_batch(c, A, row_upper=upper, sense="max", engine="cuda")
    found = solve_batch(there(c), there(A), row_upper=there(upper), sense="max")
    same(found, expected, back)
    same(solve_batch(c, there(A), row_upper=upper, sense="max"), expected, back)
    assert tuple(found.y.shape) == (K, 7)
