# SPDX-License-Identifier: EPL-2.0
"""The C library: where it lies and how its functions are called."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import pathlib
import sys
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_void_p
from typing import Any

LogFunction = CFUNCTYPE(None, c_void_p, c_char_p)
ProgressFunction = CFUNCTYPE(None, c_void_p, c_int64, c_double, c_double, c_double, c_char_p)
InterruptFunction = CFUNCTYPE(c_int, c_void_p)
IncumbentFunction = CFUNCTYPE(
    None, c_void_p, c_double, c_int64, c_double, c_double, POINTER(c_double)
)
BatchProgressFunction = CFUNCTYPE(None, c_void_p, c_int64, c_int64)


class BatchPlaces(ctypes.Structure):
    """osi_cuda_batch_places"""

    _fields_ = [("numbers", c_int), ("stream", c_void_p), ("objectives", c_void_p),
                ("values", c_void_p), ("duals", c_void_p), ("column_basis", c_void_p),
                ("row_basis", c_void_p)]


BUSY = 8  # OSI_CUDA_BUSY: the one code that leaves no message

# An array is an address: c_void_p takes an integer or None.
_array, _problem, _text, _size = c_void_p, c_void_p, c_char_p, c_int32
_dense, _sparse = [_array, c_int64, c_int64], [_array] * 3  # a matrix: with its steps; its three arrays
_shape, _bounds_and_costs = [_size, _size], [_array] * 5
_phase = POINTER(_text), POINTER(c_int), POINTER(c_int64), POINTER(c_double)

# What functions return, and what they take behind the problem or batch that most have in front.
_ALONE: list[tuple[str, object, list[Any]]] = [
    ("version", _text, []),
    ("code_text status_text option_name option_values option_default option_help", _text, [c_int]),
    ("option_count", c_int, []),
    ("create batch_create", _problem, []),
    ("device_memory", c_int, [c_int32, c_int32, c_int64, c_int64, _array]),
]
_OF_AN_OBJECT: list[tuple[str, object, list[Any]]] = [
    ("free interrupt batch_free batch_interrupt", None, []),
    ("message batch_message batch_device", _text, []),
    ("copy equivalent", c_int, [POINTER(_problem)]),
    ("read_stochastic", c_int, [_text] * 3),
    ("get_stochastic", c_int, [_array] * 10),
    ("set_stochastic", c_int, [_array, POINTER(_text), *[_array] * 9]),
    ("set_fraction", c_int, [c_double, _text]),
    ("get_fraction", c_int, [c_int64, POINTER(c_double), POINTER(_text)]),
    ("get_decimals", c_int, [POINTER(c_int)]),
    ("set_decimals", c_int, [c_int]),
    ("exact_text", _text, [c_int, _size]),
    ("set_option batch_set_option", c_int, [_text, _text]),
    ("get_option", _text, [_text]),
    ("load_dense borrow_dense", c_int, [*_shape, *_dense, *_bounds_and_costs]),
    ("borrow_device_dense", c_int, [*_shape, *_dense, c_void_p, *_bounds_and_costs]),
    ("load_columns load_rows", c_int, [*_shape, *_sparse, *_bounds_and_costs]),
    ("read write read_basis write_basis write_solution write_proof", c_int, [_text]),
    ("rows columns", _size, []),
    ("nonzeros", c_int64, []),
    ("borrows solve forget_basis status proof", c_int, []),
    ("get_costs get_integers set_integers get_basic_variables", c_int, [_array]),
    ("get_semicontinuous", c_int, [POINTER(c_int32)]),
    ("get_semicontinuous_columns", c_int, [_array] * 2),
    ("set_semicontinuous_columns", c_int, [_size, *[_array] * 2]),
    ("get_ordered_sets", c_int, [POINTER(c_int32), POINTER(c_int64), *[_array] * 5]),
    ("set_ordered_sets", c_int, [_size, *[_array] * 5, POINTER(_text)]),
    ("get_column_bounds get_row_bounds get_basis set_basis", c_int, [_array] * 2),
    ("set_start", c_int, [_array] * 2),
    ("get_matrix", c_int, _sparse),
    ("get_row get_column delete_rows delete_columns", c_int, [_size, _array]),
    ("row_name column_name", _text, [_size]),
    ("name", _text, [c_int, _size]),
    ("set_names", c_int, [_text, _text, POINTER(_text), POINTER(_text)]),
    ("set_column_bounds set_row_bounds", c_int, [_size, *[_array] * 3]),
    ("set_right_hand_sides set_costs get_inverse_row", c_int, [_size, *[_array] * 2]),
    ("set_sense", c_int, [c_int]),
    ("set_offset", c_int, [c_double]),
    ("set_coefficients", c_int, [c_int64, *[_array] * 3]),
    ("add_rows", c_int, [_size, *_sparse, *[_array] * 2]),
    ("add_rows_dense", c_int, [_size, *_dense, *[_array] * 2]),
    ("add_columns", c_int, [_size, *_sparse, *[_array] * 3]),
    ("add_columns_dense", c_int, [_size, *_dense, *[_array] * 3]),
    ("set_log", c_int, [LogFunction, c_void_p]),
    ("set_progress", c_int, [ProgressFunction, c_void_p]),
    ("set_interrupt batch_set_interrupt", c_int, [InterruptFunction, c_void_p]),
    ("solve_integers", c_int, [_array, IncumbentFunction, c_void_p]),
    ("get_objective", c_int, [POINTER(c_int), POINTER(c_double)]),
    ("get_number batch_get_number", c_int, [c_int, POINTER(c_double)]),
    ("get_objective_enclosure", c_int, [POINTER(c_double)] * 3),
    ("get_phase", c_int, [c_int, *_phase]),
    ("get_values", c_int, [c_int, _size, _array]),
    ("text", _text, [c_int]),
    ("get_ranging", c_int, [c_int, _size, *[_array] * 4]),
    ("find_iis", c_int, [_array, _array, POINTER(c_int)]),
    ("relax", c_int, [c_int, c_int, *[_array] * 6, POINTER(c_int)]),
    ("solve_ranked", c_int, [_size, *[_array] * 5, POINTER(c_int32), _array, _array]),
    ("batch_set_progress", c_int, [BatchProgressFunction, c_void_p]),
    ("batch_solve_at", c_int, [POINTER(BatchPlaces), c_int64, *[_array] * 10]),
    ("batch_get_results", c_int, [c_int64, *[_array] * 5]),
    ("batch_get_certificates", c_int, [POINTER(c_int64), POINTER(c_int64), *[_array] * 3]),
    ("solve_variants_at", c_int, [_problem, POINTER(BatchPlaces), c_int64, c_int, *[_array] * 10]),
    ("batch_get_enclosures", c_int, [c_int64, _array, _array]),
    ("batch_set_starts", c_int, [c_int64, _array, c_double]),
    ("batch_get_starts", c_int, [c_int64, _array]),
    ("batch_note", _text, [c_int64]),
]


class Library:
    """The functions of ``osi_cuda.h`` without their prefix, as attributes."""

    def __init__(self, path: str) -> None:
        self.path = path
        dll = ctypes.CDLL(path)
        of_objects = [(names, result, [_problem, *behind]) for names, result, behind in _OF_AN_OBJECT]
        for names, result, arguments in _ALONE + of_objects:
            for name in names.split():
                function = getattr(dll, f"osi_cuda_{name}")
                function.restype = result
                function.argtypes = arguments
                setattr(self, name, function)

    def __getattr__(self, name: str) -> ctypes._FuncPointer:  # only for what there is not
        raise AttributeError(f"osi_cuda.h has no function osi_cuda_{name}")


def _places() -> list[str]:
    """Where the library may lie, best place first: the variable OSI_CUDA_LIBRARY, this package,
    where the system's loader looks."""
    named = os.environ.get("OSI_CUDA_LIBRARY")
    if named:
        if not os.path.isabs(named):
            raise ImportError(f"OSI_CUDA_LIBRARY is {named!r}, but has to be an absolute path")
        return [named]  # who names a place means it
    # An editable install has the sources in one folder of the package and the library in another.
    folders = [str(pathlib.Path(__file__).parent), *sys.modules[__package__].__path__]
    beside = [os.path.join(folder, "libosi_cuda.so") for folder in dict.fromkeys(folders)]
    return [*beside, "libosi_cuda.so.0"]


def _name_cuda_module() -> None:
    """Tells the library where the CUDA module of the wheel osi-cuda-cu13 or osi-cuda-cu12 lies,
    unless the variable OSI_CUDA_ENGINE_PATH names one already. Of both, the newest that the driver
    serves."""
    if "OSI_CUDA_ENGINE_PATH" in os.environ:
        return
    found = {}
    for cuda in 13, 12:
        module = importlib.util.find_spec(f"osi_cuda_cu{cuda}")
        if module is not None and module.origin is not None:
            found[cuda] = str(pathlib.Path(module.origin).parent)
    if len(found) > 1 and _driver_cuda() < 13000:
        del found[13]
    if found:
        os.environ["OSI_CUDA_ENGINE_PATH"] = next(iter(found.values()))


def _driver_cuda() -> int:
    """The newest CUDA that NVIDIA's driver serves, 12040 for 12.4; 0 without a driver."""
    version = ctypes.c_int(0)
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError):
        return 0
    return version.value


@functools.cache
def library() -> Library:
    """The library, opened by the first call. Raises ImportError with the reason."""
    places = _places()
    path = next((place for place in places[:-1] if os.path.exists(place)), places[-1])
    if "OSI_CUDA_LIBRARY" not in os.environ:  # whose own module lies beside it
        _name_cuda_module()
    try:
        return Library(path)
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"osi_cuda: the library can't be used: {error}; looked for {', '.join(places)} (the "
            "variable OSI_CUDA_LIBRARY names another)"
        ) from error


def version() -> str:
    """The version of the library, "0.1.0"."""
    return str(library().version().decode())
