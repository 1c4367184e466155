# SPDX-License-Identifier: EPL-2.0
"""Problems and variants on the workers of a Dask cluster, of which some die."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from osi_cuda import Problem, Status

distributed = pytest.importorskip("distributed")

import osi_cuda.dask  # noqa: E402


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def problem_of(seed, size=20, kind=Problem):
    random = np.random.default_rng(seed)
    return kind(
        random.uniform(1, 2, size), random.uniform(0.1, 1, (size + 10, size)), row_upper=1.0,
        sense="max", threads=1,
    )


def test_problems_have_the_answers_that_they_have_here(client):
    answers = dict(osi_cuda.dask.solve(client, (problem_of(k) for k in range(60))))
    assert sorted(answers) == list(range(60))
    for k, answer in answers.items():
        assert answer.objective == problem_of(k).solve().objective


def test_variants_have_the_answers_that_they_have_here(client):
    problem = problem_of(1)
    problem.solve()
    upper = np.random.default_rng(2).uniform(0.5, 1.5, (1000, 30))
    expected = problem.variants(row_upper=upper, pool=False)
    seen = np.zeros(1000, dtype=bool)
    for first, answer in osi_cuda.dask.variants(
        client, problem, row_upper=upper, chunk=64, pool=False, what="x"
    ):
        part = slice(first, first + len(answer))
        assert not seen[part].any()
        seen[part] = True
        assert (answer.objective == expected.objective[part]).all()
        assert (answer.x == expected.x[part]).all()
    assert seen.all()


class Watched(Problem):
    """Writes down, when it was solved, which one it is and by which process."""

    def solve(self, *arguments, **named):
        solution = super().solve(*arguments, **named)
        with open(self.log, "a", encoding="ascii") as log:
            log.write(f"{self.number} {os.getpid()}\n")
        time.sleep(0.005)  # so that the end is not there before the kill
        return solution

    def __reduce__(self):
        return _watched, (self.number, self.log)


def _watched(number, log):
    made = problem_of(number, kind=Watched)
    made.number, made.log = number, log
    return made


def test_a_killed_worker_loses_nothing(client, tmp_path):
    log = str(tmp_path / "solved")
    pids = list(client.run(os.getpid).values())
    answers = {}
    for k, answer in osi_cuda.dask.solve(client, (_watched(k, log) for k in range(400))):
        assert k not in answers
        answers[k] = answer
        if len(answers) == 100:
            os.kill(pids[0], signal.SIGKILL)
    assert sorted(answers) == list(range(400))
    assert all(answer.status is Status.OPTIMAL for answer in answers.values())
    lines = pathlib.Path(log).read_text(encoding="ascii").split("\n")[:-1]
    again = len(lines) - 400  # at most what the worker had finished and not handed over: two a thread
    assert 0 <= again <= 2
    assert len({line.split()[1] for line in lines}) >= 2


@pytest.mark.parametrize("killed", [1, 2])
def test_killed_workers_leave_no_gap_among_variants(client, killed):
    # Successors ask the other worker for the problem, which is in a call there nearly all the time, or
    # nobody has it any more.
    problem = problem_of(1, size=50)
    problem.solve()
    sides = np.random.default_rng(3).uniform(0.8, 1.2, (30_000, 60))
    expected = problem.variants(rhs=sides, pool=False, what=())
    pids = list(client.run(os.getpid).values())
    seen = np.zeros(30_000)
    for first, answer in osi_cuda.dask.variants(client, problem, rhs=sides, chunk=1000, pool=False, what=()):
        if not seen.any():
            for pid in pids[:killed]:
                os.kill(pid, signal.SIGKILL)
        part = slice(first, first + len(answer))
        seen[part] += 1
        assert (answer.objective == expected.objective[part]).all()
    assert (seen == 1).all()


def test_a_worker_whose_device_fails_ends_and_its_work_is_done(tmp_path, monkeypatch):
    module = pathlib.Path(os.environ["OSI_CUDA_LIBRARY"]).parent / "osi_cuda_lost_module.so"
    if not module.exists():
        pytest.skip("no module whose device fails")
    monkeypatch.setenv("OSI_CUDA_ENGINE_PATH", str(module))
    monkeypatch.setenv("OSI_CUDA_LOST_ONCE", str(tmp_path / "lost"))
    problems = [problem_of(k) for k in range(20)]
    for problem in problems:
        problem.set_options(engine="cuda")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster, distributed.Client(cluster) as client:
        pids = set(client.run(os.getpid).values())
        answers = dict(osi_cuda.dask.solve(client, problems, retries=0))
        client.wait_for_workers(2)
        assert len(pids - set(client.run(os.getpid).values())) == 1
    assert sorted(answers) == list(range(20))
    assert all(answer.optimal and answer.engine == "cuda" for answer in answers.values())


def test_what_fails_is_an_answer_of_its_own(client):
    class Failing(Problem):
        def __reduce__(self):
            return _failing, ()

    answers = dict(osi_cuda.dask.solve(client, iter([problem_of(1), Failing([1.0])]), retries=0))
    assert answers[0].optimal
    assert isinstance(answers[1], Exception)


def _failing():
    raise RuntimeError("no such problem")


def test_a_loop_that_is_left_cancels_what_is_under_way(client):
    for _, answer in osi_cuda.dask.solve(client, (problem_of(k) for k in range(10**9))):
        assert answer.optimal
        break


def test_arguments_are_checked(client):
    problem = problem_of(1)
    with pytest.raises(ValueError, match="no array"):
        osi_cuda.dask.variants(client, problem)
    with pytest.raises(ValueError, match="differ"):
        osi_cuda.dask.variants(client, problem, lower=np.zeros((2, 20)), rhs=np.ones((3, 30)))
    with pytest.raises(ValueError, match="chunk"):
        osi_cuda.dask.variants(client, problem, lower=np.zeros((2, 20)), chunk=0)


PAGE = pathlib.Path(__file__).parents[2] / "docs/guide/many_machines.md"


@pytest.mark.parametrize("package", ["distributed", "ray"])
def test_the_programs_of_the_guide(package, tmp_path):
    pytest.importorskip(package)
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [program] = [program for program in programs if package in program]
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    found = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == re.findall(r"print\(.*\) +# (.*)", program)
