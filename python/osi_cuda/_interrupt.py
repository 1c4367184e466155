# SPDX-License-Identifier: EPL-2.0
"""Ctrl-C during a solve, and one call at a time."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.active:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def reraise(self) -> None:
        if self._hit:
            raise KeyboardInterrupt


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
