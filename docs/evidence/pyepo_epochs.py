# SPDX-License-Identifier: EPL-2.0
"""Seconds per epoch of SPO+ (Elmachtoub and Grigas 2022) with PyEPO's own models and with the one of
docs/guide/integrations.md. Needs pyepo, torch and ortools.

    python docs/evidence/pyepo_epochs.py
"""

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

PAGE = pathlib.Path(__file__).parents[1] / "guide/integrations.md"
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
    for side in (5, 12):
        features, costs = pyepo.data.shortestpath.genData(1000, 5, (side, side), seed=1)
        ours = shortest_path(side)
        models = {
            "osi_cuda, one solve each": (ours, None),
            "osi_cuda, a batch in one call": (ours, guide["Batches"](ours)),
        }
        if torch.cuda.is_available():
            models["osi_cuda, a batch on the device"] = ours, OnDevice(ours)
        if importlib.util.find_spec("ortools"):
            backend = pyepo.model.shortestPathModel((side, side), backend="ortools")
            models["PyEPO with OR-tools"] = backend, None
        print(f"shortest path, grid {side} x {side}, {costs.shape[1]} arcs, 1000 cost vectors an epoch")
        for name, (model, batches) in models.items():
            seconds, total = epochs(model, features, costs, batches)
            print(f"  {name:32} {seconds:8.3f} s, loss {total:.4f}", flush=True)


if __name__ == "__main__":
    main()
