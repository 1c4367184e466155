# SPDX-License-Identifier: EPL-2.0
"""Seconds per epoch of SPO+ (Elmachtoub and Grigas 2022) with PyEPO's own models and with the one of
docs/guide/integrations.md. Needs pyepo and torch; ortools, pyomo with highspy, and mpax are PyEPO's
backends that are tried where they are there.

    python lab/evidence/pyepo_epochs.py [--epochs 3] [--only knapsack] [--backends MPAX]
"""

import argparse
import contextlib
import importlib.util
import io
import pathlib
import re
import time

import numpy as np
import pyepo
import torch
from pyepo.model.utils import _get_grid_arcs

PAGE = pathlib.Path(__file__).parents[2] / "docs/guide/integrations.md"
guide = {}
exec(next(text for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
          if "class LinearModel" in text), guide)


class OnDevice(guide["Batches"]):
    """The same with costs and paths in the device's memory."""

    def amap(self, function, costs):
        answer = self._problem.variants(costs=torch.tensor(np.asarray(costs, dtype=float), device="cuda"), what="x")
        self._answers = list(zip(answer.x.cpu().numpy(), answer.objective.cpu().numpy()))
        return self


def shortest_path(side):
    """The columns are PyEPO's arcs, the rows what goes into a node less what leaves it."""
    arcs = _get_grid_arcs((side, side))
    A, rest = np.zeros((side * side, len(arcs))), np.zeros(side * side)
    for j, (tail, head) in enumerate(arcs):
        A[tail, j], A[head, j] = -1, 1
    rest[0], rest[-1] = -1, 1
    return guide["LinearModel"](A, rest, rest)


def knapsack(weights, capacity):
    return guide["LinearModel"](weights, None, capacity, sense=pyepo.EPO.MAXIMIZE)


# What is imported for it, PyEPO's name and options, whether it is a linear program as it stands.
BACKENDS = {
    "OR-tools, GLOP": ("ortools", "ortools", {"solver": "glop"}, False),
    "Pyomo, HiGHS": ("pyomo", "pyomo", {"solver": "appsi_highs"}, False),
    "MPAX": ("mpax", "mpax", {}, True),
}


def cases():
    """Names, costs with their features, our model, and what makes PyEPO's of a backend."""
    for side in (5, 12):
        features, costs = pyepo.data.shortestpath.genData(1000, 5, (side, side), seed=1)
        grid = side, side
        yield (f"shortest path, grid {side} x {side}", features, costs, shortest_path(side),
               lambda name, own, is_linear: pyepo.model.shortestPathModel(grid, backend=name, **own))
    for items, rows in ((32, 2), (200, 5)):
        weights, features, costs = pyepo.data.knapsack.genData(1000, 5, items, dim=rows, seed=1)
        capacity = 0.3 * weights.sum(axis=1)

        def relaxation(name, own, is_linear):
            model = pyepo.model.knapsackModel(weights, capacity, backend=name, **own)
            return model if is_linear else model.relax()

        yield (f"knapsack relaxation, {rows} x {items}", features, costs, knapsack(weights, capacity), relaxation)


def epochs(model, features, costs, batches=None, count=3):
    with contextlib.redirect_stderr(io.StringIO()):
        data = pyepo.data.dataset.optDataset(model, features, costs)
    loader = torch.utils.data.DataLoader(data, batch_size=100)
    torch.manual_seed(1)
    predictor = torch.nn.Linear(features.shape[1], costs.shape[1])
    optimizer = torch.optim.Adam(predictor.parameters(), lr=1e-2)
    loss = pyepo.func.SPOPlus(model)
    if batches:
        loss.processes, loss.pool = 0, batches
    seconds = []
    for _ in range(count):
        start, total = time.perf_counter(), 0.0
        for x, c, w, z in loader:
            value = loss(predictor(x), c, w, z)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            total += value.item()
        seconds.append(time.perf_counter() - start)
    return min(seconds), total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--only", default="", help="part of a problem's name")
    parser.add_argument("--backends", nargs="*", default=list(BACKENDS), choices=list(BACKENDS))
    chosen = parser.parse_args()
    for what, features, costs, ours, made_by in cases():
        if chosen.only not in what:
            continue
        models = {
            "osi_cuda, one solve each": (ours, None),
            "osi_cuda, a batch in one call": (ours, guide["Batches"](ours)),
        }
        if torch.cuda.is_available():
            models["osi_cuda, a batch on the device"] = ours, OnDevice(ours)
        for name in chosen.backends:
            package, word, own, is_linear = BACKENDS[name]
            if importlib.util.find_spec(package):
                models[f"PyEPO with {name}"] = made_by(word, own, is_linear), None
        print(f"{what}, {costs.shape[1]} costs, 1000 cost vectors an epoch")
        for name, (model, batches) in models.items():
            seconds, total = epochs(model, features, costs, batches, chosen.epochs)
            print(f"  {name:32} {seconds:8.3f} s, loss {total:.4f}", flush=True)


if __name__ == "__main__":
    main()
