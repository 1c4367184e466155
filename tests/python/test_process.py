# SPDX-License-Identifier: EPL-2.0
"""What needs a process of its own: imports, Ctrl-C, a missing library."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

LARGEST_IMPORT = 0.1  # seconds
LONGEST_STOP = 2.0  # seconds; some hundredths where the machine has nothing else to do


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True,
        env={**os.environ, **environment}, timeout=120,
    )


def test_an_import_loads_nothing_that_is_not_used():
    finished = run("""
        import sys, time
        begin = time.process_time()
        import osi_cuda
        seconds = time.process_time() - begin
        assert "numpy" not in sys.modules
        osi_cuda.linprog([1.0], bounds=(0, 1))
        assert "scipy" not in sys.modules
        print(seconds)
    """)
    assert finished.returncode == 0, finished.stderr
    assert float(finished.stdout) < LARGEST_IMPORT


def test_a_missing_library_is_a_sentence():
    finished = run("import osi_cuda; osi_cuda.version()", OSI_CUDA_LIBRARY="/nowhere/libosi_cuda.so")
    assert "ImportError: osi_cuda: the library can't be used: /nowhere" in finished.stderr
    assert "looked for /nowhere/libosi_cuda.so (the variable OSI_CUDA_LIBRARY" in finished.stderr
    finished = run("import osi_cuda; osi_cuda.nothing")
    assert "module 'osi_cuda' has no attribute 'nothing'" in finished.stderr


def test_the_library_is_named_by_an_absolute_path():
    finished = run("import osi_cuda; osi_cuda.version()", OSI_CUDA_LIBRARY="./libosi_cuda.so")
    assert "OSI_CUDA_LIBRARY is './libosi_cuda.so', but has to be an absolute path" in finished.stderr


def test_ctrl_c_ends_a_solve_at_once():
    code = textwrap.dedent("""
        import time
        import numpy as np
        import osi_cuda
        random = np.random.default_rng(1)
        problem = osi_cuda.Problem(
            random.uniform(-1, 1, 2000), random.uniform(-1, 1, (2500, 2000)), row_upper=1.0,
            upper=1.0, time_limit=100,
        )
        def tell(progress):
            print(progress.phase, flush=True)
        try:
            problem.solve(progress=tell)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            problem.set_options(iteration_limit=5)
            print(problem.solve().status.name)
    """)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline().split()[0] in ("primal", "dual")  # in the middle of it
        child.send_signal(signal.SIGINT)
        begin = time.monotonic()
        line = child.stdout.readline()
        while line and line.strip() != "interrupted":
            line = child.stdout.readline()
        assert line.strip() == "interrupted", "the solve ended before the signal"
        assert time.monotonic() - begin < LONGEST_STOP
        rest = child.communicate(timeout=60)[0]
        assert "ITERATION_LIMIT" in rest  # it goes on from the basis reached
        assert child.returncode == 0
    finally:
        child.kill()


def test_ctrl_c_ends_the_reading_of_a_file(tmp_path):
    pipe = tmp_path / "endless.mps"
    os.mkfifo(pipe)
    code = textwrap.dedent(f"""
        import osi_cuda
        try:
            osi_cuda.Problem.read({str(pipe)!r})
        except KeyboardInterrupt:
            print("interrupted")
    """)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        begin = time.monotonic()
        with open(pipe, "w") as file, contextlib.suppress(BrokenPipeError):
            file.write("NAME endless\nROWS\n N cost\nCOLUMNS\n")
            for number in range(10**9):  # the reader is in the middle of it all the time
                file.write(f" x{number} cost 1\n")
                if number == 50000:
                    child.send_signal(signal.SIGINT)
                assert time.monotonic() - begin < 60
        assert child.communicate(timeout=60)[0].strip() == "interrupted"
    finally:
        child.kill()


def test_a_handler_of_the_callers_is_kept():
    finished = run("""
        import signal
        import osi_cuda
        mine = lambda number, frame: None
        signal.signal(signal.SIGINT, mine)
        osi_cuda.linprog([1.0])
        assert signal.getsignal(signal.SIGINT) is mine
        signal.signal(signal.SIGINT, signal.default_int_handler)
        osi_cuda.linprog([1.0])
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    """)
    assert finished.returncode == 0, finished.stderr


def test_docstring_examples():
    pytest.importorskip("numpy")
    finished = run("""
        import doctest
        import osi_cuda
        assert doctest.testmod(osi_cuda, verbose=False).failed == 0
    """)
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_the_module_is_the_newest_that_the_driver_serves(tmp_path):
    """Wheels of CUDA modules stand beside each other; whoever names a module keeps it."""
    for name in "osi_cuda_cu12", "osi_cuda_cu13":
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    finished = run("""
        import importlib, os, pathlib, shutil, sys
        folder = pathlib.Path(os.environ["WHEELS"])
        sys.path.append(str(folder))
        from osi_cuda import _library
        def chosen(driver):
            os.environ.pop("OSI_CUDA_ENGINE_PATH", None)
            _library._driver_cuda = lambda: driver
            _library._name_cuda_module()
            return os.path.basename(os.environ.get("OSI_CUDA_ENGINE_PATH", ""))
        print(chosen(13000), chosen(12040), chosen(0))
        shutil.rmtree(folder / "osi_cuda_cu12")
        importlib.invalidate_caches()
        print(chosen(12040))
        os.environ["OSI_CUDA_ENGINE_PATH"] = "mine"
        _library._name_cuda_module()
        print(os.environ["OSI_CUDA_ENGINE_PATH"])
    """, WHEELS=str(tmp_path))
    assert finished.stdout.split() == ["osi_cuda_cu13", "osi_cuda_cu12", "osi_cuda_cu12", "osi_cuda_cu13", "mine"], finished.stderr
