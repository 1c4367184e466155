# SPDX-License-Identifier: EPL-2.0
"""Matrices that lie in a device's memory, with the emulated device that OSI_CUDA_ENGINE_PATH names:
its memory is the host's, and its module shows CUDA's functions."""

import ctypes
import gc
import os
import weakref

import numpy as np
import pytest

from osi_cuda import Problem, linprog
from osi_cuda._library import library

cuda = ctypes.CDLL(os.environ["OSI_CUDA_ENGINE_PATH"])
uploaded = cuda._ZN16emulated_runtime8uploadedEv  # bytes, ever
uploaded.restype = ctypes.c_size_t
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


class Interface(Memory):
    """As Numba."""

    @property
    def __cuda_array_interface__(self):
        c_order = self.strides == (8 * self.shape[1], 8)
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
        self.parts = (ctypes.c_int64 * 2)(*self.shape), (ctypes.c_int64 * 2)(*steps)
        self.tensor = Tensor(self.address - 16, 2, 0, 2, 2, 64, 1, *self.parts, 16)
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


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
