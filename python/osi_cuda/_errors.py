# SPDX-License-Identifier: EPL-2.0
"""What can go wrong, as exceptions."""

from __future__ import annotations

import warnings
from typing import Any


class Error(Exception):
    """Of all exceptions of this package that are not Python's own."""


class FileFormatError(Error, ValueError):
    """A file that is not what it should be; the text says FILE:LINE:COLUMN, what was expected and
    what was found."""


class EngineUnavailable(Error, RuntimeError):
    """The engine or device that was asked for can't be had, or this process can't solve because it
    was forked off after a solve."""


class DeviceLost(EngineUnavailable):
    """A device failed in the middle, and the option ``device_loss`` is stop. CUDA is over for this
    process: another one can solve on the devices that work."""


class NoSolution(Error, LookupError):
    """There is no solution: the problem was not solved since it was loaded or changed."""


class RelaxationWarning(UserWarning):
    """A solve took columns as continuous that are integer or semicontinuous, or left special ordered
    sets out. `Problem.solve_integers` keeps them."""


def relaxed_text(answer: Any) -> str:
    """ "2 integer columns, 1 semicontinuous column"; empty for none."""
    counts = (
        (answer.relaxed_integers, "integer column"), (answer.relaxed_semicontinuous, "semicontinuous column"),
        (answer.relaxed_sets, "special ordered set"),
    )
    return ", ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n)


def warn_relaxed(answer: Any) -> None:
    """Warns whoever called the function that calls this one of what `answer` leaves out."""
    relaxed = relaxed_text(answer)
    if relaxed:
        warnings.warn(f"relaxed: {relaxed}; Problem.solve_integers keeps them", RelaxationWarning, stacklevel=3)


def exception_for(code: int, sentence: str) -> Exception:
    """The exception for a code of ``osi_cuda.h`` that is not OSI_CUDA_OK."""
    kinds: dict[int, type[Exception]] = {
        1: ValueError,  # OSI_CUDA_BAD_ARGUMENT
        2: MemoryError,
        3: FileNotFoundError,
        4: FileFormatError,
        5: OSError,  # OSI_CUDA_CANNOT_WRITE
        6: EngineUnavailable,
        7: NoSolution,
        8: RuntimeError,  # OSI_CUDA_BUSY
        9: InterruptedError,
        11: DeviceLost,
    }
    return kinds.get(code, RuntimeError)(sentence)
