# SPDX-License-Identifier: EPL-2.0
"""What can go wrong, as exceptions."""

from __future__ import annotations


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
