# SPDX-License-Identifier: EPL-2.0
"""Who keeps the numbers of a dense array, and how much memory is taken beside it."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from osi_cuda import Problem, linprog
from osi_cuda._library import library


def borrows(problem):
    return library().borrows(problem._handle) == 1


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_is_used_where_it_lies_only_if_asked(order):
    A = np.asarray([[4.0, 2.0], [15.0, 5.0]], order=order)
    assert not borrows(Problem([20, 9], A, row_upper=[40, 120]))
    problem = Problem([20, 9], A, row_upper=[40, 120], sense="max", copy=False)
    assert borrows(problem)
    references = sys.getrefcount(A)
    copy = problem.copy()
    assert borrows(copy)
    assert sys.getrefcount(A) == references + 1  # as long as there is a copy
    assert problem.solve().objective == pytest.approx(188)
    problem.set_coefficients([0], [0], [5.0])
    assert not borrows(problem)
    assert A[0, 0] == 4.0
    assert copy.solve().objective == pytest.approx(188)
    del problem
    assert copy.solve().objective == pytest.approx(188)


def test_what_can_not_be_used_where_it_lies_is_copied():
    A = np.asarray([[4.0, 0.0, 2.0, 0.0], [15.0, 0.0, 5.0, 0.0]])
    for part in (A, A[:, ::2], A[::-1, ::2]):  # too many zeros; gaps
        problem = Problem(np.ones(part.shape[1]), part, row_upper=[40, 120], copy=False)
        assert not borrows(problem)
    assert not borrows(Problem([1.0, 2.0]))


def test_what_was_made_here_is_not_copied_again():
    for A in ([[4, 2], [15, 5]], np.array([[4, 2], [15, 5]])):  # no doubles
        assert borrows(Problem([20, 9], A, row_upper=[40, 120]))


def test_equations_and_inequalities():
    random = np.random.default_rng(3)
    c, A, E = random.uniform(1, 2, 12), random.uniform(0.1, 1, (5, 12)), random.uniform(0.1, 1, (3, 12))
    point = random.uniform(0, 1, 12)
    b, e = A @ point + 0.1, E @ point
    expected = linprog(c, A.tolist(), b, E.tolist(), e)
    assert expected.status == 0
    for first in (A, np.asfortranarray(A)):
        for second in (E, np.asfortranarray(E)):
            before = first.copy(), second.copy()
            found = linprog(c, first, b, second, e)
            assert found.fun == pytest.approx(expected.fun)
            assert found.con == pytest.approx(np.zeros(3), abs=1e-9)
            assert (found.slack >= -1e-9).all()
            assert (first == before[0]).all() and (second == before[1]).all()
            only = linprog(c, None, None, second, e)
            assert only.status == 0 and only.fun <= expected.fun + 1e-9


SHARES = """
    import sys
    import numpy as np
    import osi_cuda

    def kibibytes(key):
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(key))

    class Device:
        def __init__(self, array):
            self._array = array
        __cuda_array_interface__ = {}
        def get(self):
            return self._array.copy()

    how, order = sys.argv[1:]
    m, n = 3000, 1500
    random = np.random.default_rng(1)
    osi_cuda.linprog(-np.ones(60), random.uniform(0.1, 1, (90, 60)), np.ones(90),
                     options={"engine": "host"})
    A = np.empty((m, n), order=order)
    for line in A if order == "C" else A.T:
        random.random(out=line)
    c, b = -np.ones(n), np.ones(m)
    options = {"engine": "host", "iteration_limit": 10}
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    base = kibibytes("VmRSS")
    assert kibibytes("VmHWM") <= base + 1024
    if how == "linprog":
        osi_cuda.linprog(c, A, b, options=options)
    elif how == "problem":
        osi_cuda.Problem(c, A, row_upper=b)
    elif how == "borrowed":
        osi_cuda.Problem(c, A, row_upper=b, copy=False)
    elif how == "device":
        osi_cuda.Problem(c, Device(A), row_upper=b)
    print((kibibytes("VmHWM") - base) * 1024 / A.nbytes)
"""


# Of the array's size, beside it: the tableau of the host's engine takes 1.
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("how", "most"), [("linprog", 1.3), ("problem", 1.1), ("borrowed", 0.1), ("device", 1.1)]
)
def test_peak_memory(how, most, order):
    if not os.access("/proc/self/clear_refs", os.W_OK):
        pytest.skip("the system does not count peak memory")
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SHARES), how, order], capture_output=True, text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    share = float(finished.stdout)
    print(f"{how}, order {order}: {share:.2f} arrays")
    assert share <= most
