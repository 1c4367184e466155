# SPDX-License-Identifier: EPL-2.0
"""Arrays in the memory of a CUDA device, as their libraries describe them: DLPack and
``__cuda_array_interface__``, and results in such arrays. No library of theirs is imported."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

_DOUBLE = 8  # bytes
_CUDA = 2  # kDLCUDA
_FLOAT = 2  # kDLFloat
_LEGACY = 1  # CUDA's default stream, as both protocols number it; 0 is no stream for either


class OnDevice(NamedTuple):
    """Doubles: entry (i, j, ...) lies `i * steps[0] + j * steps[1] + ...` numbers behind the address."""

    source: Any  #: the caller's array
    keep: Any  #: keeps its memory
    address: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]
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


def _rows_first(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[k + 1 :]) for k in range(len(shape)))


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
    if (tensor.code, tensor.bits, tensor.lanes) != (_FLOAT, 64, 1):
        return None
    shape = tuple(tensor.shape[: tensor.ndim])
    steps = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else _rows_first(shape)
    return OnDevice(array, capsule, (tensor.data or 0) + tensor.byte_offset, shape, steps, device, None)


def _by_interface(array: Any) -> OnDevice | None:
    facts = array.__cuda_array_interface__
    if facts.get("typestr") != "<f8" or facts.get("shape") is None or facts.get("mask"):
        return None
    shape, strides = tuple(map(int, facts["shape"])), facts.get("strides")
    if strides is not None and any(stride % _DOUBLE for stride in strides):
        return None
    steps = _rows_first(shape) if strides is None else tuple(stride // _DOUBLE for stride in strides)
    return OnDevice(array, array, facts["data"][0], shape, steps, None, facts.get("stream"))


def _without_gaps(found: OnDevice) -> bool:
    (rows, columns), steps = found.shape, found.steps
    by_rows = (steps[0] == columns or rows == 1) and (steps[1] == 1 or columns == 1)
    by_columns = (steps[0] == 1 or rows == 1) and (steps[1] == rows or columns == 1)
    return rows > 0 and columns > 0 and (by_rows or by_columns)


def _found(array: Any) -> OnDevice | None:
    """Doubles as they lie on their device; None for what is none of it."""
    place = getattr(array, "__dlpack_device__", None)
    if callable(place) and callable(getattr(array, "__dlpack__", None)):
        kind, number = place()
        return _by_dlpack(array, int(number)) if kind == _CUDA else None
    return _by_interface(array) if hasattr(array, "__cuda_array_interface__") else None  # Numba


def device_matrix(array: Any) -> OnDevice | None:
    """The matrix as it lies on its device; None for what is no matrix of doubles without gaps in the
    memory of a CUDA device."""
    found = _found(array)
    return found if found is not None and len(found.shape) == 2 and _without_gaps(found) else None


def device_array(array: Any) -> OnDevice | None:
    """The same of any number of dimensions, by rows."""
    found = _found(array)
    held = found is not None and all(
        step == wanted or length == 1
        for step, wanted, length in zip(found.steps, _rows_first(found.shape), found.shape)
    )
    return found if found is not None and held and math.prod(found.shape) > 0 else None


def empty_like(length: int, dtype: type[Any], array: Any) -> Any:
    """A new vector of the library that `array` is of, on its device; None for libraries whose arrays
    are not written to by others."""
    name = type(array).__module__.partition(".")[0]
    module = sys.modules.get(name)
    if name == "torch":
        return module.empty(length, dtype=getattr(module, dtype.__name__), device=array.device)  # type: ignore[union-attr]
    if name == "cupy":
        with array.device:
            return module.empty(length, dtype)  # type: ignore[union-attr]
    return sys.modules["numba.cuda"].device_array(length, dtype) if name == "numba" else None


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
