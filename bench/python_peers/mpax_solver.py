# SPDX-License-Identifier: EPL-2.0
"""MPAX (first-order methods in JAX) on dense problems, one or a batch by jax.vmap.

Its loops are compiled for each shape of the arrays, tolerance and limit being arguments: compile()
first. Arrays are of double precision unless the variable JAX_ENABLE_X64 is 0.
"""

from __future__ import annotations

import importlib.metadata
import os
import time

os.environ.setdefault("JAX_ENABLE_X64", "1")

import jax
import jax.numpy as jnp
import numpy as np
from mpax import create_lp, r2HPDHG
from mpax.utils import TerminationStatus

from answers import Answer
from dense_problems import Array, DenseProblem


def version() -> str:
    bits = 64 if jax.config.jax_enable_x64 else 32
    return (
        f"MPAX {importlib.metadata.version('mpax')}, JAX {jax.__version__} on "
        f"{jax.devices()[0].device_kind}, {bits} bits"
    )


class MpaxSolver:
    """r2HPDHG to a relative and absolute tolerance."""

    def __init__(self, batch: bool = False) -> None:
        def one(c, A, b, upper, x, y, tolerance, limit):  # min -c'x, -A x >= -b, 0 <= x <= upper
            solver = r2HPDHG(
                eps_abs=tolerance, eps_rel=tolerance, iteration_limit=limit, verbose=False
            )
            rows, columns = A.shape
            lp = create_lp(
                -c, jnp.zeros((0, columns)), jnp.zeros(0), -A, -b,
                jnp.zeros(columns), upper, use_sparse_matrix=False,
            )
            out = solver.optimize(lp, x, y)
            return (
                out.primal_solution, out.dual_solution, out.termination_status, out.iteration_count,
            )

        def cold(c, A, b, tolerance, limit):
            return one(c, A, b, jnp.full(c.shape, jnp.inf), None, None, tolerance, limit)

        self._cold = jax.jit(jax.vmap(cold, in_axes=(0, 0, 0, None, None)) if batch else cold)
        self._warm = jax.jit(one)

    def compile(self, problem: DenseProblem) -> float:
        """Seconds of a solve of hardly any iteration."""
        answer = self.solve(problem, 1e-4, 1)
        return answer.load + answer.solve

    def solve(self, problem: DenseProblem, tolerance: float, limit: int) -> Answer:
        """Of a batch x and y are of shape (K, n) and (K, m), iterations the most of all."""
        begin = time.perf_counter()
        arrays = [jnp.asarray(a) for a in (problem.c, problem.A, problem.b)]
        jax.block_until_ready(arrays)
        loaded = time.perf_counter()
        out = self._cold(*arrays, tolerance, limit)
        x, y, status, iterations = (np.asarray(a) for a in out)
        end = time.perf_counter()
        return Answer(
            _described(status), loaded - begin, end - loaded, int(iterations.max()),
            x.astype(np.float64), y.astype(np.float64),
        )

    def resolve(
        self, arrays: tuple, upper: Array, x: Array, y: Array, tolerance: float, limit: int
    ) -> tuple:
        """From arrays on the device (c, A, b), other upper bounds and a point: x and y there."""
        return self._warm(*arrays, jnp.asarray(upper), x, y, tolerance, limit)[:2]


def _described(status: Array) -> str:
    """ "optimal", or of a batch "optimal 990, iteration_limit 10"."""
    values, counts = np.unique(status, return_counts=True)
    words = [TerminationStatus(int(v)).name.lower() for v in values]
    if status.ndim == 0:
        return words[0]
    return ", ".join(f"{w} {k}" for w, k in zip(words, counts))
