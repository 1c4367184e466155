# SPDX-License-Identifier: EPL-2.0
"""Flux balance analysis: the questions that cobrapy asks one after the other, in one call.

>>> import cobra, osi_cuda.cobra
>>> model = cobra.io.load_model("textbook")
>>> osi_cuda.cobra.flux_variability(model, ["ATPM", "PFK"], fraction_of_optimum=0.9).round(3)
      minimum  maximum
ATPM    8.390   25.551
PFK     1.172   25.291

Only this module imports cobra, and SciPy and pandas, which cobra needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas
from cobra.exceptions import Infeasible, OptimizationError, Unbounded
from scipy import sparse

from ._problem import Problem
from ._solution import Status


def flux_variability(
    model: Any, reaction_list: Any = None, loopless: Any = None, fraction_of_optimum: float = 1.0,
    pfba_factor: float | None = None, processes: int | None = None, **options: Any,
) -> pandas.DataFrame:
    """Arguments and table of ``cobra.flux_analysis.flux_variability_analysis``: the least and the
    largest flux of each reaction where the objective keeps that fraction of its optimum. Infinite
    where a flux is unbounded, NaN where a limit ended the pivots.

    loopless and pfba_factor are refused with ValueError, as an objective is that is not linear;
    processes are threads, options those of `BatchSolver`. Raises OptimizationError without an optimum.
    """
    if loopless or pfba_factor is not None:
        raise ValueError("flux_variability has neither loopless fluxes nor a pfba_factor")
    network = _network_of(model, options)
    found = network.solved.solution or network.solved.solve()
    if not found.optimal:
        kinds = {Status.INFEASIBLE: Infeasible, Status.UNBOUNDED: Unbounded}
        raise kinds.get(found.status, OptimizationError)("there is no optimal solution")
    problem = network.solved.copy()
    _kept[model] = network
    limit = fraction_of_optimum * found.objective - problem.offset
    sides = (limit, np.inf) if problem.sense == "max" else (-np.inf, limit)
    problem.add_rows(network.costs[np.newaxis], *sides)
    size = network.costs.size
    problem.set_costs(np.zeros(size))
    problem.set_sense("min")
    problem.set_offset(0.0)

    reactions = model.reactions
    chosen = reactions if reaction_list is None else reactions.get_by_any(reaction_list)
    numbers = [reactions.index(reaction) for reaction in chosen]
    place, factor = network.place[numbers], network.factor[numbers, np.newaxis]
    asked, answer_of = np.unique(place, return_inverse=True)
    one = sparse.eye_array(size + 1, size).tocsr()[asked]  # of place -1: no costs, so that 0 is found
    costs = sparse.kron(one, [[1.0], [-1.0]])
    answer = problem.variants(costs=costs, what=(), threads=processes or "auto", **options)
    known = answer.status == Status.OPTIMAL, answer.status == Status.UNBOUNDED
    ends = np.select(known, [answer.objective, -np.inf], np.nan).reshape(-1, 2) * [1, -1]
    fluxes = np.sort(factor * ends[answer_of], axis=1) + 0.0  # no -0
    return pandas.DataFrame(fluxes, [reaction.id for reaction in chosen], ["minimum", "maximum"])


def gene_deletions(
    model: Any, gene_list: Iterable[Any] | None = None, method: str = "fba",
    processes: int | None = None, **options: Any,
) -> pandas.DataFrame:
    """Arguments and table of ``cobra.flux_analysis.single_gene_deletion``: the optimum without genes.

    An entry of gene_list that is a tuple or set of genes stands for their deletion together; the table
    keeps the order. processes are threads, options those of `BatchSolver`.
    """
    if method != "fba":
        raise ValueError(f"method is {method!r}, but gene_deletions has 'fba' only")
    genes, reactions = model.genes, model.reactions
    deleted = [
        genes.get_by_any(list(entry) if isinstance(entry, (tuple, set, frozenset)) else [entry])
        for entry in (genes if gene_list is None else gene_list)
    ]
    network = _network_of(model, options)
    absent = {gene.id for gene in genes if not gene.functional}
    variant_of: dict[tuple[int, ...], int] = {}  # by the columns that become 0
    asked = []
    for together in deleted:
        without = absent.union(gene.id for gene in together)
        touched = {reaction for gene in together for reaction in gene.reactions}
        stopped = [reactions.index(r) for r in touched if not r.gpr.eval(without)]
        columns = tuple(sorted({*network.place[stopped].tolist()} - {-1}))
        asked.append(variant_of.setdefault(columns, len(variant_of)))
    places = [(k, column) for columns, k in variant_of.items() for column in columns]
    shape = len(variant_of), network.costs.size
    zeros = sparse.csr_array((np.zeros(len(places)), np.array(places, int).reshape(-1, 2).T), shape)
    answer = network.solved.variants(
        lower=zeros, upper=zeros, what=(), threads=processes or "auto", **options
    )
    _kept[model] = network
    growth = np.where(answer.status == Status.OPTIMAL, answer.objective, np.nan)
    return pandas.DataFrame({
        "ids": [{gene.id for gene in together} for together in deleted], "growth": growth[asked],
        "status": [Status(answer.status[k]).name.lower() for k in asked],
    })


class _Program:
    """A model's numbers: a column for each reaction and each variable besides, a row for each
    metabolite and each constraint besides."""

    def __init__(self, model: Any) -> None:
        self._column_of: dict[str, tuple[int, float]] = {}  # of optlang's variables, and the sign
        for j, reaction in enumerate(model.reactions):
            self._column_of[reaction.id] = (j, 1.0)
            self._column_of[reaction.reverse_id] = (j, -1.0)
        bounds = [reaction.bounds for reaction in model.reactions]
        for variable in [v for v in model.variables if v.name not in self._column_of]:
            if variable.type != "continuous":
                raise ValueError(f"variable {variable.name} is not continuous")
            self._column_of[variable.name] = (len(bounds), 1.0)
            bounds.append(_bounds(variable))
        row_of = {metabolite.id: i for i, metabolite in enumerate(model.metabolites)}
        entries = [
            (row_of[metabolite.id], j, float(value))
            for j, reaction in enumerate(model.reactions)
            for metabolite, value in reaction.metabolites.items()
        ]
        sides = [(0.0, 0.0)] * len(row_of)
        for constraint in model.constraints:
            row = row_of.get(constraint.name, len(sides))
            first = 0 if row == len(sides) else len(model.reactions)  # whose entry is not there yet
            sides[row : row + 1] = [_bounds(constraint)]
            if first < len(bounds):
                terms = self._terms(constraint).items()
                entries += [(row, column, value) for column, value in terms if column >= first]
        objective = model.objective
        offset = float(objective.expression.as_coefficients_dict().get(1, 0.0))
        self.objective: dict[str, Any] = {"sense": objective.direction, "offset": offset}
        costs = np.zeros(len(bounds))
        for column, value in self._terms(objective).items():
            costs[column] = value
        self.sides, self.bounds = np.array(sides).reshape(-1, 2), np.array(bounds, dtype=float).reshape(-1, 2)
        self.costs, self.entries = costs, np.array(entries).reshape(-1, 3)

    def same(self, other: _Program) -> bool:
        names = ("costs", "sides", "bounds", "entries")
        return self.objective == other.objective and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )

    def _terms(self, expression: Any) -> dict[int, float]:
        """Coefficients by column, those of a reaction's two directions as one."""
        if not expression.is_Linear:
            raise ValueError(f"{expression.name} is not linear")
        terms: dict[int, list[float]] = {}
        for variable, value in expression.get_linear_coefficients(expression.variables).items():
            column, sign = self._column_of[variable.name]
            terms.setdefault(column, []).append(sign * float(value))
        directions = Counter(column for column, _ in self._column_of.values())
        if any([values[0]] * directions[column] != values for column, values in terms.items()):
            raise ValueError(f"{expression.name} has a flux's two directions apart")
        return {column: values[0] for column, values in terms.items() if values[0] != 0}


class _Network:
    """A model's program in fewer columns: column j of the model is `factor[j]` times column
    `place[j]`, or 0 where that is -1. `solved` has it, made with the options `where`."""

    where: dict[str, Any]
    solved: Problem

    def __init__(self, model: Any, program: _Program | None = None) -> None:
        self.program = own = program or _Program(model)
        self.costs, self._sides, self._bounds = own.costs, own.sides, own.bounds.copy()
        rows, columns, values = own.entries.T
        shape = len(own.sides), len(own.bounds)
        self._matrix = sparse.csr_array((values, (rows.astype(int), columns.astype(int))), shape)
        self.place, self.factor = np.arange(shape[1]), np.ones(shape[1])
        while self._reduce():
            pass

    def _reduce(self) -> bool:
        """Leaves out columns that are 0, and one of two that alone balance a metabolite. Only ratios
        that are powers of two, for which nothing is rounded; only bounds that hold 0, so that either
        reaction can be stopped by the bounds of both. Whether anything was left out."""
        matrix, (lower, upper) = self._matrix, self._bounds.T
        n, starts, entries = lower.size, self._matrix.indptr[:-1], np.diff(self._matrix.indptr)
        balanced = (self._sides == 0).all(axis=1)
        holds_zero = (lower <= 0) & (upper >= 0)
        gone = (lower == 0) & (upper == 0)
        gone[matrix.indices[starts[balanced & (entries == 1)]]] = True
        gone &= holds_zero
        onto, by, taken = np.arange(n), np.where(gone, 0.0, 1.0), gone | ~holds_zero
        for start in starts[balanced & (entries == 2)]:
            one, other = matrix.indices[start : start + 2]
            ratio = -matrix.data[start + 1] / matrix.data[start]  # of the flux of one to the other's
            if taken[one] or taken[other] or abs(np.frexp(ratio)[0]) != 0.5:
                continue
            taken[[one, other]] = True
            onto[one], by[one] = other, ratio
            low, high = sorted((lower[one] / ratio, upper[one] / ratio))
            lower[other], upper[other] = max(lower[other], low), min(upper[other], high)
        left = (onto == np.arange(n)) & ~gone
        number, some = (np.cumsum(left) - 1)[onto], by != 0
        fold = sparse.csr_array((by[some], (np.flatnonzero(some), number[some])), (n, left.sum()))
        matrix = (matrix @ fold).tocsr()
        matrix.eliminate_zeros()
        rows = (np.diff(matrix.indptr) > 0) | (self._sides[:, 0] > 0) | (self._sides[:, 1] < 0)
        self._matrix, self._sides, self._bounds = matrix[rows], self._sides[rows], self._bounds[left]
        self.costs = fold.T @ self.costs
        there = self.place >= 0
        self.factor[there] *= by[self.place[there]]
        self.place[there] = np.where(some, number, -1)[self.place[there]]
        return not left.all()

    def problem(self, options: dict[str, Any] | None = None) -> Problem:
        sides, bounds = self._sides.T, self._bounds.T
        return Problem(self.costs, self._matrix, *sides, *bounds, **self.program.objective, **(options or {}))


# Of the last calls; a call takes its own out, so that another thread does not use it meanwhile.
_kept: WeakKeyDictionary[Any, _Network] = WeakKeyDictionary()


def _network_of(model: Any, options: dict[str, Any]) -> _Network:
    """A model's network with its problem, which stays, with its optimum and a device's tableau, until
    a number of the model or the engine is another one."""
    where = {name: value for name, value in options.items() if name in ("engine", "device")}
    program, network = _Program(model), _kept.pop(model, None)
    if network is None or network.where != where or not network.program.same(program):
        network = _Network(model, program)
        network.where, network.solved = where, network.problem(where)
    return network


def _bounds(of: Any) -> tuple[float, float]:
    """Of a variable or constraint of optlang's, which has None for none."""
    return -np.inf if of.lb is None else of.lb, np.inf if of.ub is None else of.ub
