# SPDX-License-Identifier: EPL-2.0
"""Times of docs/evidence/batch.md: variants and batches with arrays on the host and on a device. Needs
PyTorch with CUDA.

    python lab/evidence/device_arrays.py
"""

import time

import numpy as np
import torch

import osi_cuda


def best(run, repeats=3):
    seconds, answer = [], None
    for _ in range(repeats):
        del answer
        torch.cuda.synchronize()
        start = time.perf_counter()
        answer = run()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    return min(seconds), answer


def compare(what, count, host, device):
    here, expected = best(host)
    there, found = best(device)
    assert (found.status == expected.status).all()
    # From a pool of bases each way has its own: of several optimal vertices any is right.
    assert np.allclose(found.objective.cpu().numpy(), expected.objective, rtol=1e-9, atol=1e-9)
    print(f"{what:44} {count:8} {here:8.4f} s {there:8.4f} s, device {found.device_seconds:7.4f} s, "
          f"{count / there:10.0f} a second, again {found.again}, pivots {found.iterations.mean():.1f}", flush=True)


def grid(side):
    """Shortest paths from one corner of a grid to the other."""
    arcs = [(i * side + j, i * side + j + 1) for i in range(side) for j in range(side - 1)]
    arcs += [(i * side + j, (i + 1) * side + j) for i in range(side - 1) for j in range(side)]
    A, rest = np.zeros((side * side, len(arcs))), np.zeros(side * side)
    for column, (tail, head) in enumerate(arcs):
        A[tail, column], A[head, column] = -1, 1
    rest[0], rest[-1] = -1, 1
    return A, rest


def main():
    random = np.random.default_rng(1)
    print("                                                count     host arrays, device arrays")
    for size, count in ((10, 1_000_000), (50, 100_000)):
        A, c = random.uniform(0, 1, (count, size, size)), random.uniform(0, 1, (count, size))
        solver = osi_cuda.BatchSolver(engine="cuda")
        moved = torch.tensor(c, device="cuda"), torch.tensor(A, device="cuda")
        compare(f"batch, {size} x {size}", count,
                lambda: solver.solve(c, A, row_upper=1.0, sense="max"),
                lambda: solver.solve(*moved, row_upper=1.0, sense="max"))
    for side, count in ((12, 1_000), (12, 100_000)):
        A, rest = grid(side)
        problem = osi_cuda.Problem(np.ones(A.shape[1]), A, rest, rest, upper=1.0)
        problem.solve()
        costs = random.uniform(0.5, 1.5, (count, A.shape[1]))
        moved_costs = torch.tensor(costs, device="cuda")
        compare(f"shortest paths {side} x {side}, variants", count,
                lambda: problem.variants(costs=costs, what="x", engine="cuda"),
                lambda: problem.variants(costs=moved_costs, what="x"))
    A = random.uniform(0, 1, (500, 300))
    problem = osi_cuda.Problem(random.uniform(0, 1, 300), A, row_upper=1.0, sense="max")
    problem.solve()
    sides = random.uniform(0.8, 1.2, (20_000, 500))
    moved_sides = torch.tensor(sides, device="cuda")
    compare("dense 500 x 300, right-hand sides", 20_000,
            lambda: problem.variants(rhs=sides, what="x", engine="cuda"),
            lambda: problem.variants(rhs=moved_sides, what="x"))


if __name__ == "__main__":
    main()
