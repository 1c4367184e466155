# SPDX-License-Identifier: EPL-2.0
"""Matrices in the memory of a CUDA device, as their libraries describe them: DLPack and
``__cuda_array_interface__``, and results in such arrays. No library of theirs is imported."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

_DOUBLE = 8  # bytes
_CUDA = 2  # kDLCUDA
_FLOAT = 2  # kDLFloat
_LEGACY = 1  # CUDA's default stream, as both protocols number it; 0 is no stream for either


class OnDevice(NamedTuple):
    """Doubles without gaps: entry (i, j) lies `i * row_step + j * column_step` numbers behind the
    address."""

    source: Any  #: the caller's array
    keep: Any  #: keeps its memory
    address: int
    shape: tuple[int, int]
    row_step: int
    column_step: int
    device: int | None  #: its number, where it is known
    stream: int | None  #: in whose order the numbers are written; None: the default one


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h, and the first member of DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def _tensor_of(capsule: Any) -> _Tensor:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return _Tensor.from_address(pointer(capsule, b"dltensor"))


def _by_dlpack(array: Any, device: int) -> OnDevice | None:
    source = array.detach() if callable(getattr(array, "detach", None)) else array  # PyTorch
    # The array's library makes the default stream wait for what it has queued in others. The capsule
    # stays with us, unused: it gives the memory back when it goes.
    try:
        capsule = source.__dlpack__(stream=_LEGACY)
    except BufferError:  # PyTorch, where another device is the present one
        return None
    tensor = _tensor_of(capsule)
    if (tensor.ndim, tensor.code, tensor.bits, tensor.lanes) != (2, _FLOAT, 64, 1):
        return None
    rows, columns = tensor.shape[0], tensor.shape[1]
    row_step, column_step = (columns, 1)
    if tensor.strides:
        row_step, column_step = tensor.strides[0], tensor.strides[1]
    address = (tensor.data or 0) + tensor.byte_offset
    return OnDevice(array, capsule, address, (rows, columns), row_step, column_step, device, None)


def _by_interface(array: Any) -> OnDevice | None:
    facts = array.__cuda_array_interface__
    shape, strides = facts.get("shape"), facts.get("strides")
    if facts.get("typestr") != "<f8" or shape is None or len(shape) != 2 or facts.get("mask"):
        return None
    if strides is None:
        strides = (shape[1] * _DOUBLE, _DOUBLE)
    if any(stride % _DOUBLE for stride in strides):
        return None
    return OnDevice(
        array, array, facts["data"][0], (int(shape[0]), int(shape[1])), strides[0] // _DOUBLE,
        strides[1] // _DOUBLE, None, facts.get("stream"),
    )


def _without_gaps(found: OnDevice) -> bool:
    (rows, columns), steps = found.shape, (found.row_step, found.column_step)
    by_rows = (steps[0] == columns or rows == 1) and (steps[1] == 1 or columns == 1)
    by_columns = (steps[0] == 1 or rows == 1) and (steps[1] == rows or columns == 1)
    return rows > 0 and columns > 0 and (by_rows or by_columns)


def device_matrix(array: Any) -> OnDevice | None:
    """The matrix as it lies on its device; None for what is no matrix of doubles without gaps in the
    memory of a CUDA device."""
    place = getattr(array, "__dlpack_device__", None)
    found = None
    if callable(place) and callable(getattr(array, "__dlpack__", None)):
        kind, number = place()
        if kind != _CUDA:
            return None
        found = _by_dlpack(array, int(number))
    elif hasattr(array, "__cuda_array_interface__"):  # Numba
        found = _by_interface(array)
    return found if found is not None and _without_gaps(found) else None


def as_like(numbers: npt.NDArray[Any], array: Any) -> Any:
    """The numbers as an array of the library that `array` is of, on its device. JAX makes single
    precision of them unless it was told to have double."""
    if isinstance(array, np.ndarray):
        return numbers
    name = type(array).__module__.partition(".")[0]
    if name == "torch":
        return sys.modules["torch"].tensor(numbers, device=array.device)
    if name == "cupy":
        with array.device:
            return sys.modules["cupy"].array(numbers)
    if name in ("jax", "jaxlib"):
        return sys.modules["jax"].device_put(numbers, next(iter(array.devices())))
    if name == "numba":
        return sys.modules["numba.cuda"].to_device(numbers)
    raise TypeError(f"arrays like {type(array).__name__} are not known; there are those of NumPy, "
                    "PyTorch, CuPy, JAX and Numba")
