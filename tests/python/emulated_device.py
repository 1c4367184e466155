# SPDX-License-Identifier: EPL-2.0
"""Matrices that lie in a device's memory, with the emulated device that OSI_CUDA_ENGINE_PATH names:
its memory is the host's, and its module shows CUDA's functions."""

import contextlib
import ctypes
import gc
import os
import sys
import types
import weakref

import numpy as np
import pytest

from osi_cuda import BatchSolver, DeviceLost, EngineUnavailable, Problem, Status, linprog, solve_batch
from osi_cuda._library import library

cuda = ctypes.CDLL(os.environ["OSI_CUDA_ENGINE_PATH"])
uploaded = cuda._ZN16emulated_runtime8uploadedEv  # bytes, ever
uploaded.restype = ctypes.c_size_t
downloaded = cuda._ZN16emulated_runtime10downloadedEv
downloaded.restype = ctypes.c_size_t
ROWS, COLUMNS = 40, 25
ARRAY = 8 * ROWS * COLUMNS


class Memory:
    """An array of doubles in the device's memory, freed with the last reference."""

    def __init__(self, array):
        address = ctypes.c_void_p()
        assert cuda.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(array.nbytes)) == 0
        self.address = address.value
        flat = array.ravel(order="K")
        ctypes.memmove(address, flat.ctypes.data, flat.nbytes)
        self.free = weakref.finalize(self, lambda place: cuda.cudaFree(ctypes.c_void_p(place)), self.address)
        self.shape, self.strides = array.shape, array.strides
        self.host = array

    def get(self):  # as CuPy
        return self.host.copy()

    def __bool__(self):
        raise ValueError("the truth of an array is ambiguous")


class Interface(Memory):
    """As Numba."""

    @property
    def __cuda_array_interface__(self):
        c_order = self.host.flags.c_contiguous
        return {
            "version": 3, "typestr": "<f8", "data": (self.address, False), "shape": self.shape,
            "strides": None if c_order else self.strides, "stream": 1,
        }


class Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h, as the protocol has it."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]


class DLPack(Memory):
    """As PyTorch, which has the offset in the address, and JAX, which has it apart."""

    streams = []

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        steps = [stride // 8 for stride in self.strides]
        ndim = len(steps)
        self.parts = (ctypes.c_int64 * ndim)(*self.shape), (ctypes.c_int64 * ndim)(*steps)
        self.tensor = Tensor(self.address - 16, 2, 0, ndim, 2, 64, 1, *self.parts, 16)
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


class Library(DLPack):
    """As CuPy: its arrays are made by `empty`, and have parts and other shapes."""

    __module__ = "cupy"

    def __init__(self, shape, dtype=np.float64, memory=None, address=None):
        if isinstance(shape, np.ndarray):
            DLPack.__init__(self, shape)
        else:
            array = np.empty(shape, dtype)
            self.memory = Memory(np.empty(max(array.size, 1), dtype)) if memory is None else memory
            self.address = self.memory.address if address is None else address
            self.shape, self.strides, self.host = array.shape, array.strides, array

    device = contextlib.nullcontext()

    @property
    def __cuda_array_interface__(self):
        return {"version": 3, "typestr": self.host.dtype.str, "data": (self.address, False),
                "shape": self.shape, "strides": None, "stream": 1}

    def reshape(self, *shape):
        return Library(shape, self.host.dtype, self.memory, self.address)

    def __getitem__(self, part):
        first = self.address + self.host.itemsize * int(part.start)
        return Library(int(part.stop - part.start), self.host.dtype, self.memory, first)

    def get(self):
        found = np.empty(self.shape, self.host.dtype)
        ctypes.memmove(found.ctypes.data, self.address, found.nbytes)
        return found


@pytest.fixture
def cupy(monkeypatch):
    made = types.ModuleType("cupy")
    made.empty = Library
    monkeypatch.setitem(sys.modules, "cupy", made)


@pytest.fixture
def dense():
    random = np.random.default_rng(2)
    A = random.uniform(0.5, 1.5, (ROWS, COLUMNS))  # which scaling leaves alone
    return random.uniform(1, 2, COLUMNS), A, np.ones(ROWS)


@pytest.mark.parametrize("kind", [Interface, DLPack])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix_stays_on_its_device(dense, kind, order):
    c, A, b = dense
    A = np.asarray(A, order=order)
    options = {"engine": "cuda"}
    before = uploaded()
    expected = linprog(-c, A, b, options=options)
    by_host = uploaded() - before
    there = kind(A)
    before = uploaded()
    found = linprog(-c, there, b, options=options)
    assert uploaded() - before == by_host - ARRAY
    assert found.status == 0 and found.fun == expected.fun
    assert (found.x == expected.x).all()
    if kind is DLPack:
        assert there.streams[-1] == 1  # CUDA's default stream, which the call waits for
    # as equations, and beside others, with which it becomes one array on the host
    e = A @ expected.x
    assert linprog(-c, None, None, there, e, options=options).fun == pytest.approx(expected.fun)
    both = linprog(-c, there, b, there, e, options=options)
    assert both.fun == pytest.approx(expected.fun)


def test_the_memory_is_kept_as_long_as_it_is_used(dense):
    c, A, b = dense
    there = Interface(A)
    free = there.free
    problem = Problem(c, there, row_upper=b, sense="max", engine="cuda", copy=False)
    assert library().borrows(problem._handle) == 1
    assert problem.get_option("device") == "0"
    del there
    gc.collect()
    assert free.alive
    copy = problem.copy()
    objective = problem.solve().objective
    del problem
    gc.collect()
    assert free.alive
    copy.set_options(engine="cuda")
    assert copy.solve().objective == objective
    del copy
    gc.collect()
    assert not free.alive


def test_changes_are_made_in_a_copy(dense):
    c, A, b = dense
    there = DLPack(A)
    problem = Problem(c, there, row_upper=b, sense="max", engine="cuda", copy=False)
    problem.solve()
    problem.set_coefficients([3], [7], [50.0])
    changed = A.copy()
    changed[3, 7] = 50.0
    problem.basis = None
    expected = linprog(-c, changed, b, options={"engine": "cuda"})
    assert problem.solve().objective == pytest.approx(-expected.fun)
    seen = np.ctypeslib.as_array((ctypes.c_double * A.size).from_address(there.address))
    assert (seen.reshape(A.shape) == A).all()


def test_what_is_no_matrix_of_doubles_goes_by_the_host(dense):
    c, A, b = dense

    class Single(Interface):
        @property
        def __cuda_array_interface__(self):
            return {**super().__cuda_array_interface__, "typestr": "<f4"}

    class Gaps(Interface):
        @property
        def __cuda_array_interface__(self):
            return {**super().__cuda_array_interface__, "strides": (16 * COLUMNS, 8)}

    class Elsewhere(DLPack):
        def __dlpack__(self, *, stream=None):
            raise BufferError("another device is the present one")

    expected = linprog(-c, A, b).fun
    for kind in (Single, Gaps, Elsewhere):
        there = kind(A)
        before = uploaded()
        found = linprog(-c, there, b, options={"engine": "cuda"})
        assert uploaded() - before > ARRAY
        assert found.fun == pytest.approx(expected)
    before = uploaded()
    assert linprog(-c, Interface(A), b, options={"engine": "host"}).fun == pytest.approx(expected)
    problem = Problem(-c, Interface(A), row_upper=b, engine="cuda")  # with a copy of its own
    assert problem.solve().objective == pytest.approx(expected)
    with pytest.raises(ValueError, match="24 columns|25 columns"):
        Problem(c[:-1], Interface(A), copy=False)


def test_an_address_that_is_none_of_the_device(dense):
    c, A, b = dense
    there = Interface(A)
    there.address = A.ctypes.data
    with pytest.raises(ValueError, match="do not lie in the memory of a CUDA device"):
        linprog(-c, there, b, options={"engine": "cuda"})


# ---- variants and batches

K = 12


def host(array):
    return array.get() if isinstance(array, Memory) else array


def same(found, expected):
    """The very bits, wherever they are."""
    for name in ("status", "proof", "iterations", "objective", "residual", "xs", "ys"):
        np.testing.assert_array_equal(host(getattr(found, name)), getattr(expected, name), name)
    for k in range(len(expected)):
        for mine, theirs in zip(found.basis_of(k), expected.basis_of(k)):
            np.testing.assert_array_equal(host(mine), theirs)
        mine, theirs = found.certificate_of(k), expected.certificate_of(k)
        assert (mine is None) == (theirs is None) and np.array_equal(mine, theirs)
    assert found.notes == expected.notes


@pytest.fixture
def variants(dense):
    """Changed in all ways; some are infeasible, and some no problems."""
    c, A, b = dense
    random = np.random.default_rng(3)
    problem = Problem(c, A, row_upper=b, upper=1.0, sense="max")
    costs = np.where(random.uniform(size=(K, COLUMNS)) < 0.5, random.uniform(1, 2, (K, COLUMNS)), np.nan)
    costs[7] = c  # nothing
    costs[8, 3] = np.inf
    lower = np.where(random.uniform(size=(K, COLUMNS)) < 0.1, 0.05, np.nan)
    lower[9, 4] = 2.0  # beyond the upper bound
    lower[10] = 0.9  # no point
    return problem, {"costs": costs, "lower": lower, "rhs": random.uniform(0.5, 1.5, (K, ROWS))}


def test_variants_stay_on_their_device(variants, cupy):
    problem, arrays = variants
    expected = problem.variants(engine="cuda", **arrays)
    assert set(expected.status) == {Status.OPTIMAL, Status.INFEASIBLE, Status.INVALID}
    there = {name: Library(array) for name, array in arrays.items()}
    before = uploaded(), downloaded()
    found = problem.variants(**there)
    sent, come = uploaded() - before[0], downloaded() - before[1]
    assert isinstance(found.x, Library) and found.x.shape == (K, COLUMNS)
    same(found, expected)
    assert (host(found.x_of(3)) == expected.x_of(3)).all()
    same(problem.variants(**{name: Interface(array) for name, array in arrays.items()}), expected)
    own = problem.variants(engine="cuda", out="host", what=(), **there)
    assert isinstance(own.objective, np.ndarray)
    np.testing.assert_allclose(own.objective, expected.objective, rtol=1e-12)
    without = problem.variants(what=(), **there)
    assert (host(without.objective) == own.objective).all() and without.x.shape == (K, 0)
    # The base, and some numbers for each variant, but none of the arrays.
    base = uploaded()
    problem.variants(engine="cuda", count=1, what=())
    assert sent - (uploaded() - base) < 400 * K < sum(array.nbytes for array in arrays.values())
    faults = ROWS * 8 * 2 + COLUMNS * 8 * 2
    assert come < 100 * K + 4 * faults + 8 * (2 * ROWS + 2 * COLUMNS) * K


def test_changes_that_the_host_makes_beside_arrays_of_a_device(variants, cupy):
    problem, arrays = variants
    coefficients = np.arange(K), np.arange(K) % ROWS, np.arange(K) % COLUMNS, np.full(K, 3.0)
    there = {name: Interface(array) for name, array in arrays.items()}
    for beside in ({"coefficients": coefficients}, {"upper": np.full((K, COLUMNS), 0.5)}):
        expected = problem.variants(engine="cuda", **arrays, **beside)
        same(problem.variants(**there, **beside), expected)
    sparse = pytest.importorskip("scipy.sparse")
    single = sparse.csr_array(([0.25], ([5], [6])), shape=(K, COLUMNS))
    expected = problem.variants(engine="cuda", **arrays, upper=single)
    same(problem.variants(engine="cuda", **there, upper=single), expected)
    bounded = problem.variants(what="bounds", **there)
    assert isinstance(bounded.objective, np.ndarray)
    on_host = problem.variants(what="bounds", engine="host", **there)
    np.testing.assert_allclose(on_host.objective_upper, bounded.objective_upper, rtol=1e-9)
    out = Library(np.zeros(1))
    with pytest.raises(ValueError, match="enclosures are formed on the host"):
        problem.variants(what="bounds", engine="cuda", out=out, **there)
    with pytest.raises(ValueError, match="like Interface are not made"):
        problem.variants(out=there["costs"], **there)
    same(problem.variants(engine="cuda", out=out, **arrays), problem.variants(engine="cuda", **arrays))
    with pytest.raises(EngineUnavailable, match="stay on a device"):
        problem.variants(engine="host", out=out, **arrays)
    with pytest.raises(ValueError, match="out has to be"):
        problem.variants(out="elsewhere", **arrays)
    with pytest.raises(ValueError, match="take no option devices"):
        problem.variants(devices="all", engine="cuda", **there)


def test_batches_stay_on_their_device(cupy):
    random = np.random.default_rng(5)
    A, c = random.uniform(0.1, 1, (K, 7, 5)), random.uniform(-1, 1, (K, 5))
    upper = random.uniform(1, 2, (K, 7))
    upper[3] = -1.0  # no point
    c[4, 1] = np.nan
    expected = solve_batch(c, A, row_upper=upper, sense="max", engine="cuda")
    assert set(expected.status) == {Status.OPTIMAL, Status.INFEASIBLE, Status.INVALID}
    there = Library(c), Library(A)
    before = uploaded()
    found = solve_batch(*there, row_upper=Library(upper), sense="max")
    assert uploaded() - before < 200 * K
    same(found, expected)
    same(solve_batch(*there, row_upper=upper, sense="max"), expected)
    same(solve_batch(*there, row_upper=upper, sense="max", out="host", engine="cuda"), expected)
    same(solve_batch(c, A, row_upper=upper, sense="max", out=there[0], engine="cuda"), expected)
    by_host = solve_batch(*there, row_upper=upper, sense="max", engine="host")
    assert (by_host.status == expected.status).all()
    np.testing.assert_allclose(by_host.objective, expected.objective, rtol=1e-9)
    large = random.uniform(0.1, 1, (2, 600, 501))  # which the device does not take
    many = solve_batch(np.ones((2, 501)), Library(large), row_upper=1.0, sense="max", engine="cuda")
    assert many.on_device == 0 and (many.status == Status.OPTIMAL).all()
    alone = linprog(-np.ones(501), large[0], np.ones(600), options={"engine": "host"}).x
    np.testing.assert_allclose(host(many.x)[0], alone, atol=1e-9)


# ---- estimators

class Matrix(Library):
    """As much of CuPy's arithmetic as the estimators use."""

    __module__ = "cupy"
    __dlpack__ = None  # its capsules keep no memory here, as temporary arrays need
    read = 0  # numbers that came to the host

    def __init__(self, array):
        Library.__init__(self, np.array(array, order="C"))

    T = property(lambda self: Matrix(self.host.T))

    def __getitem__(self, which):
        return Matrix(self.host[getattr(which, "host", which)])

    def __add__(self, other):
        return Matrix(self.host + other.host)

    def __mul__(self, other):
        return Matrix(self.host * other.host)

    def __matmul__(self, other):
        return Matrix(self.host @ other.host)

    def get(self):
        Matrix.read += self.host.size
        return self.host.copy()


@pytest.mark.parametrize("engine", ["auto", "host", "cuda"])
def test_estimators_leave_x_on_its_device(cupy, monkeypatch, engine):
    from osi_cuda.estimators import ChebyshevRegressor, DantzigSelector, L1SVC, QuantileRegressor

    monkeypatch.setattr(sys.modules["cupy"], "array", Matrix, raising=False)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 4))
    y = X @ np.arange(4.0) + rng.standard_t(3, 3000)
    options = {"solver_options": {"engine": engine}}
    there, weights = Matrix(X), rng.uniform(1, 3, 3000)
    model = QuantileRegressor(quantile=[0.2, 0.5], alpha=0.0, **options)
    before = uploaded()
    expected = QuantileRegressor(quantile=[0.2, 0.5], alpha=0.0, **options).fit(X, y, weights)
    by_host, before, Matrix.read = uploaded() - before, uploaded(), 0
    model.fit(there, Matrix(y), weights)
    assert uploaded() - before < by_host if engine == "cuda" else uploaded() == before
    assert Matrix.read < 40 * len(y)  # residuals and sums
    assert all(fit.proved for fit in model.solution_)
    coef, predicted = model.coef_, model.predict(there)
    np.testing.assert_allclose(coef, expected.coef_, rtol=1e-9)
    assert isinstance(coef, np.ndarray) and isinstance(predicted, Matrix)
    np.testing.assert_allclose(predicted.get(), expected.predict(X), rtol=1e-9)
    _, draws = model.set_params(quantile=0.5).bootstrap(there, y, 5)
    np.testing.assert_allclose(draws, expected.set_params(quantile=0.5).bootstrap(X, y, 5)[1], rtol=1e-7)
    few, labels = X[:300], y[:300] > 0
    for kind, target in ((ChebyshevRegressor, y[:300]), (L1SVC, labels), (DantzigSelector, y[:300])):
        found, other = kind(**options).fit(Matrix(few), target), kind().fit(few, target)
        np.testing.assert_allclose(found.coef_, other.coef_, atol=1e-9)
        predictions = found.predict(Matrix(few))
        np.testing.assert_allclose(host(predictions), other.predict(few), atol=1e-8)
    X[7, 2] = np.nan
    for wrong, with_y in ((Matrix(X), y), (there, np.append(y[:-1], np.inf)), (there, y[:-1])):
        with pytest.raises(ValueError):
            model.fit(wrong, with_y)
    with pytest.raises(ValueError, match="4"):
        found.predict(Matrix(X[:, :3]))


def test_variants_whatever_their_order_and_device(variants):
    problem, arrays = variants
    expected = problem.variants(engine="cuda", **arrays)
    cuda._ZN16emulated_runtime10setDevicesEi(2)
    try:
        for order in (np.arange(K), np.arange(K)[::-1], np.random.default_rng(4).permutation(K)):
            asked = {name: array[order] for name, array in arrays.items()}
            for pool in (True, False):
                for devices in ([0], [1]):  # one at a time: the emulation has one thread
                    found = problem.variants(engine="cuda", devices=devices, pool=pool, **asked)
                    for name in ("status", "proof", "iterations", "objective", "residual", "x", "y"):
                        there = getattr(expected, name)[order]
                        np.testing.assert_array_equal(getattr(found, name), there, name)
    finally:
        cuda._ZN16emulated_runtime10setDevicesEi(1)


@pytest.fixture
def small_problems():
    random = np.random.default_rng(5)
    return random.uniform(1, 2, (60, 5)), random.uniform(0.1, 1, (60, 4, 5))


def solved(problems, devices):
    answer = solve_batch(*problems, row_upper=1.0, sense="max", engine="cuda", devices=devices)
    assert (answer.status == Status.OPTIMAL).all()
    return answer


def test_two_devices_share_a_batch(small_problems):
    one, two = solved(small_problems, "0"), solved(small_problems, "all")
    assert one.on_device == two.on_device == 60
    assert (one.objective == two.objective).all() and (one.x == two.x).all()


def test_lost_devices_leave_their_problems_to_the_processor(small_problems):
    one, lost = solved(small_problems, "0"), 0
    for further in range(1, 40, 3):  # calls until one fails, and from then on all: CUDA is over for a process
        cuda._ZN16emulated_runtime5resetEv()
        solver = BatchSolver(engine="cuda", devices="0,1")
        solver.solve(*small_problems, row_upper=1.0, sense="max")  # opens the devices
        cuda._ZN16emulated_runtime6failAtElNS_7FailureE(
            ctypes.c_long(cuda._ZN16emulated_runtime5callsEv() + further), 1)
        answer = solver.solve(*small_problems, row_upper=1.0, sense="max")
        assert (answer.status == Status.OPTIMAL).all()
        assert np.allclose(answer.objective, one.objective, rtol=1e-9, atol=0)
        lost += answer.device_lost
        del solver
        gc.collect()
    cuda._ZN16emulated_runtime5resetEv()
    assert lost > 3


def test_a_lost_device_is_an_error_where_that_is_asked_for(small_problems):
    costs, matrices = small_problems
    options = {"engine": "cuda", "device_loss": "stop"}
    for solve in (Problem.solve, lambda problem: problem.variants(costs=costs[:9], **options)):
        problem = Problem(costs[0], matrices[0], row_upper=1.0, sense="max", **options)
        problem.solve()
        solve(problem)  # opens the device
        problem.basis = None
        cuda._ZN16emulated_runtime6failAtElNS_7FailureE(ctypes.c_long(cuda._ZN16emulated_runtime5callsEv() + 3), 1)
        with pytest.raises(DeviceLost, match="device lost"):
            solve(problem)
        del problem
        gc.collect()
        cuda._ZN16emulated_runtime5resetEv()
