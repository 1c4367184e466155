# SPDX-License-Identifier: EPL-2.0
"""Threads with a problem each, and processes: started anew, and forked off."""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from osi_cuda import Problem, _model

THREADS = 8
SOLVES = 5


def problem_of(seed, size=60):
    random = np.random.default_rng(seed)
    return Problem(
        random.uniform(1, 2, size), random.uniform(0.1, 1, (size + 10, size)), row_upper=1.0,
        sense="max", threads=1,
    )


def solves_of(seed):
    """Objectives of a solve and of re-solves with a changed bound."""
    problem = problem_of(seed)
    values = [problem.solve().objective]
    for k in range(SOLVES):
        problem.set_bounds(upper=[0.01 * k], columns=[k])
        values.append(problem.solve().objective)
    return values


def test_eight_threads_with_a_problem_each():
    expected = [solves_of(seed) for seed in range(THREADS)]
    for _ in range(3):
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(solves_of, range(THREADS)))
        assert found == expected  # to the bit: the pivots are the same


def test_one_problem_belongs_to_one_call_at_a_time():
    problem = problem_of(1, 300)
    busy = []

    def tell(progress):
        if busy:
            return
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            busy.append(pool.submit(problem.solve).exception())

    problem.solve(progress=tell)
    assert isinstance(busy[0], RuntimeError)


def test_closing_waits_for_an_interrupt(monkeypatch):
    """The library's calls leave Python's lock free: memory must not go while one uses it."""
    calls, began = [], threading.Event()
    real = _model.library()

    class Slow:
        def __getattr__(self, name):
            return getattr(real, name)

        def interrupt(self, handle):
            began.set()
            time.sleep(0.2)
            real.interrupt(handle)
            calls.append("interrupted")

        def free(self, handle):
            calls.append("freed")
            real.free(handle)

    monkeypatch.setattr(_model, "library", Slow)
    problem = problem_of(1)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        interrupting = pool.submit(problem.interrupt)
        assert began.wait(60)
        problem.close()
        interrupting.result()
    problem.interrupt()  # does nothing
    problem.close()
    assert calls[:2] == ["interrupted", "freed"]


@pytest.mark.parametrize("work", [
    "Problem(c, A, row_upper=1.0, sense='max', threads=1, engine='host').solve()",
    "BatchSolver(threads=1, engine='host').solve(c, [A] * 50, None, 1.0, sense='max')",
])
def test_python_may_end_while_a_daemon_thread_solves(work):
    program = (
        "import threading, time\nimport numpy\nfrom osi_cuda import BatchSolver, Problem\n"
        "random = numpy.random.default_rng(1)\n"
        "c, A = random.uniform(1, 2, 1200), random.uniform(0.1, 1, (1200, 1200))\n"
        f"threading.Thread(target=lambda: {work}, daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=120, env=os.environ)
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_handler_of_pythons_end_may_solve():
    program = (
        "import atexit\natexit.register(lambda: print(Problem([1.0], lower=[2.0]).solve().objective))\n"
        "from osi_cuda import Problem\n"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=20, env=os.environ)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "2.0\n", "")


def test_processes_started_anew():
    expected = solves_of(3)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(solves_of, [3]) == [expected]


def _send(seed, pipe):
    pipe.send(solves_of(seed))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_forked_after_a_solve_works():
    expected = solves_of(1)
    context = multiprocessing.get_context("fork")
    near, far = context.Pipe()
    child = context.Process(target=_send, args=(1, far))
    child.start()
    try:
        assert near.poll(60), "the child waits for ever"
        assert near.recv() == expected
    finally:
        child.kill()


def test_a_process_forked_before_the_first_solve_works(tmp_path):
    # In a program of its own: this one has solved already.
    program = tmp_path / "program.py"
    program.write_text(
        "import multiprocessing, osi_cuda\n"
        "def work(k):\n"
        "    return osi_cuda.linprog([-1.0], bounds=(0, k)).fun\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "        print(pool.map(work, [1, 2, 3]))\n"
    )
    finished = subprocess.run([sys.executable, str(program)], capture_output=True, text=True,
                              timeout=120, env=os.environ)
    assert finished.stdout.strip() == "[-1.0, -2.0, -3.0]", finished.stderr
