# SPDX-License-Identifier: EPL-2.0
"""Ctrl-C during a solve, and one call at a time."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from . import _library

_calls: dict[threading.Event, Callable[[], object]] = {}  # what ends each call that is under way
_ending = threading.Event()  # Python is at its end
os.register_at_fork(after_in_child=_calls.clear)


@atexit.register
def _end_calls() -> None:
    """Ends what daemon threads are solving: the end of the process takes away what it works with."""
    _ending.set()
    for stop in list(_calls.values()):
        stop()
    for over in list(_calls):
        over.wait(5.0)


@contextlib.contextmanager
def _ended_by(stop: Callable[[], object]) -> Iterator[None]:
    over = threading.Event()
    _calls[over] = stop
    try:
        yield
    finally:
        del _calls[over]
        over.set()
        if _ending.is_set() and threading.current_thread() is not threading.main_thread():
            threading.Event().wait()  # a daemon thread, which nobody waits for


class Interruptible:
    """Within it, Ctrl-C calls `stop` instead of raising KeyboardInterrupt at once, which a callback
    of C would swallow; the exception is raised at the end, by `reraise`.

    Only in the main thread, which alone gets signals in Python, and only where SIGINT does what
    Python makes it do: who has a handler of his own keeps it.
    """

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._hit = False
        self.active = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._hit = True
        self._stop()

    def __enter__(self) -> Interruptible:
        if self.active:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self.active:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def reraise(self) -> None:
        if self._hit:
            raise KeyboardInterrupt


@contextlib.contextmanager
def calling_back(
    call: Callable[..., None],
    stop: Callable[[], object],
    prefix: str = "",
    progress: Callable[..., object] | None = None,
    ask: Callable[[], object] | None = None,
) -> Iterator[Callable[..., object]]:
    """Within it, the library tells `progress` and asks `ask`, which says whether to stop; asking also
    gives Python the time to see a signal. What they raise stops the library and is raised at the end,
    as is Ctrl-C. `prefix` is that of the library's functions, called by `call`; `progress` gets C's
    arguments. What it yields calls a function in the same way, for other callbacks."""
    raised: list[BaseException] = []

    def guarded(function: Callable[..., object], *arguments: object) -> object:
        if raised:
            return True
        try:
            return function(*arguments)
        except BaseException as error:  # it can't cross C
            raised.append(error)
            stop()
            return True

    def tell(_: object, *arguments: object) -> None:
        if progress is not None:
            guarded(progress, *arguments)

    with _ended_by(stop), Interruptible(stop) as interruptible:
        # Kept until the call is over: the library holds no reference.
        kind = _library.BatchProgressFunction if prefix else _library.ProgressFunction
        on_progress = kind(tell if progress else 0)
        wants_ask = ask is not None or interruptible.active
        on_ask = _library.InterruptFunction(
            (lambda _: 1 if ask and guarded(ask) else 0) if wants_ask else 0
        )
        call(prefix + "set_progress", on_progress, None)
        call(prefix + "set_interrupt", on_ask, None)
        try:
            yield guarded
        except InterruptedError:
            interruptible.reraise()
            raise
        finally:
            call(prefix + "set_progress", kind(0), None)
            call(prefix + "set_interrupt", _library.InterruptFunction(0), None)
    interruptible.reraise()
    if raised:
        raise raised[0]


class OneAtATime:
    """A call that hands callbacks to the library holds it from before the first is set until the last
    is taken away: another thread's call would replace them, and free them while they are in use."""

    def __init__(self, what: str) -> None:
        self._lock = threading.Lock()
        self._what = what

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"the {self._what} is in use by another thread or by its own callback")
        try:
            yield
        finally:
            self._lock.release()

    def end(self, free: Callable[[int], object], handle: int) -> None:
        """Frees what no call uses. Python asks for it at its own end, too, when a daemon thread may
        still be solving; that thread keeps its memory."""
        if self._lock.acquire(blocking=False):
            free(handle)
