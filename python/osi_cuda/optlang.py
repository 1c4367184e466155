# SPDX-License-Identifier: EPL-2.0
"""An interface of optlang, also for what is built on it: cobra, cameo, CNApy.

>>> from osi_cuda.optlang import Constraint, Model, Objective, Variable
>>> tables, chairs = (Variable(name, lb=0, type="integer") for name in ("tables", "chairs"))
>>> model = Model()
>>> model.add([Constraint(4 * tables + 2 * chairs, ub=40), Constraint(15 * tables + 5 * chairs, ub=120)])
>>> model.objective = Objective(20 * tables + 9 * chairs, direction="max")
>>> model.optimize(), model.objective.value, tables.primal
('optimal', 188.0, 4.0)

After the import ``model.solver = "osi_cuda"`` of a model of cobra takes this interface; no default changes. What was
changed in a model is changed in the solver's problem, and the next solve starts from the last basis. Only this module
imports optlang.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import optlang
from optlang import interface
from optlang import matrix_interface as base

from ._arrays import Sparse, by_rows
from ._layers import basis_by_name, by_name, is_undecided
from ._problem import Problem as Linear
from ._solution import Status

_STATUS = {
    Status.OPTIMAL: interface.OPTIMAL, Status.INTERIOR: interface.OPTIMAL, Status.INFEASIBLE: interface.INFEASIBLE,
    Status.UNBOUNDED: interface.UNBOUNDED, Status.TIME_LIMIT: interface.TIME_LIMIT,
    Status.ITERATION_LIMIT: interface.ITERATION_LIMIT, Status.OBJECTIVE_LIMIT: interface.CUTOFF,
    Status.INTERRUPTED: interface.INTERRUPTED, Status.NUMERICAL: interface.NUMERIC,
    None: interface.INFEASIBLE_OR_UNBOUNDED,  # what a search says of an unbounded relaxation
}
_PRESOLVE = {True: "on", False: "off", "auto": "auto"}


class _Coefficients(dict):  # type: ignore[type-arg]
    """By names of constraint and variable; knows which were changed."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.changed: set[tuple[str, str]] = set()

    def __setitem__(self, key: tuple[str, str], value: float) -> None:
        self.changed.add(key)
        super().__setitem__(key, value)

    def update(self, other: Any) -> None:  # type: ignore[override]
        for key, value in other.items():
            self[key] = value


class Problem(base.MatrixProblem):
    """The names and numbers that optlang changes; `linear` is the `osi_cuda.Problem` with them."""

    def __init__(self) -> None:
        self.found: Any = None  #: the `Solution` of the last solve
        self._linear: Linear | None = None
        self._rows: list[str] = []  # of `_linear`
        self._columns: list[str] = []
        self._tables: dict[str, dict[str, float]] = {}
        self.constraint_coefs: dict[tuple[str, str], float] = {}
        super().__init__()

    def default_settings(self) -> None:
        super().default_settings()
        self.settings.update(  # ours
            presolve="auto", primal_inf_tolerance=1e-7, dual_inf_tolerance=1e-7, optimality_tolerance=1e-7, more={}
        )

    @property
    def linear(self) -> Linear:
        """With what was changed since the last solve; made anew, with the basis, where rows or columns were."""
        columns, rows, coefficients = list(self.variable_lbs), list(self.constraint_lbs), self.constraint_coefs
        problem = self._linear
        bounds = [
            np.array([numbers[name] for name in names], dtype=np.float64)
            for names, both in (
                (rows, (self.constraint_lbs, self.constraint_ubs)), (columns, (self.variable_lbs, self.variable_ubs)),
            )
            for numbers in both
        ]
        if problem is None or type(coefficients) is not _Coefficients or (rows, columns) != (self._rows, self._columns):
            last = problem and [by_name(*part) for part in zip((self._columns, self._rows), problem.basis, strict=True)]
            self._rows, self._columns = rows, columns
            self._row_of, self._column_of = ({name: k for k, name in enumerate(names)} for names in (rows, columns))
            problem = self._linear = Linear(np.zeros(len(columns)), self._matrix(), *bounds)
            if last:
                problem.basis = basis_by_name(last[0], last[1], columns, rows)
            self.constraint_coefs = _Coefficients(coefficients)
        else:
            problem.set_row_bounds(*bounds[:2])
            problem.set_bounds(*bounds[2:])
            changed = list(coefficients.changed)
            if changed:
                problem.set_coefficients(
                    [self._row_of[row] for row, _ in changed], [self._column_of[column] for _, column in changed],
                    [coefficients[key] for key in changed],
                )
                coefficients.changed.clear()
        costs = np.zeros(len(columns))
        for name, cost in self.obj_linear_coefs.items():
            costs[self._column_of[name]] = cost
        problem.set_costs(costs)
        problem.set_sense("min" if self.direction == 1 else "max")
        return problem

    def _matrix(self) -> Sparse:
        rows: list[dict[int, float]] = [{} for _ in self._rows]
        for (row, column), value in self.constraint_coefs.items():
            if value != 0:
                rows[self._row_of[row]][self._column_of[column]] = value
        return by_rows(rows, len(self._columns))

    def solve(self) -> None:
        problem, settings = self.linear, self.settings
        problem.set_options(
            algorithm=settings["lp_method"], presolve=_PRESOLVE[settings["presolve"]],
            time_limit=settings["time_limit"] or None, primal_tolerance=settings["primal_inf_tolerance"],
            dual_tolerance=settings["optimality_tolerance"],
        )
        problem.set_options(**settings["more"])
        whole = np.array([name in self.integer_vars for name in self._columns], dtype=bool)
        self._tables = {}
        self.found = self.info = found = problem._answer(whole, disp=settings["verbose"] > 1)
        self.status = None if is_undecided(found) else found.status
        self.obj_value = None if np.isnan(found.objective) else found.objective

    def _table(self, what: str, of_rows: bool) -> dict[str, float]:
        """Numbers of the solution by name; none without a point."""
        if self.found is None or np.isnan(self.found.x).any():
            return {}
        if what not in self._tables:
            names = self._rows if of_rows else self._columns
            self._tables[what] = by_name(names, getattr(self.found, what))
        return self._tables[what]

    # The base class resets these; `reset` does that here.
    primals = property(lambda self: self._table("x", False), lambda self, _: None)
    cprimals = property(lambda self: self._table("activity", True), lambda self, _: None)
    duals = property(lambda self: self._table("duals", True), lambda self, _: None)
    vduals = property(lambda self: self._table("reduced_costs", False), lambda self, _: None)

    def reset(self, everything: bool = False) -> None:
        super().reset(everything)
        self.found, self._tables = None, {}
        if everything:
            self._linear = None

    def still_valid(self, *_: Any) -> bool:
        return self.found is not None

    def __getstate__(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"_linear": None, "found": None, "info": None, "_tables": {}}
        return {**vars(self), **plain, "constraint_coefs": dict(self.constraint_coefs)}


class Variable(base.Variable):
    pass


class Constraint(base.Constraint):
    def _get_expression(self) -> Any:
        if self.problem is not None:  # without what was made 0
            entries = self.problem.problem.constraint_coefs.items()
            terms = [value * self.problem._variables[v] for (row, v), value in entries if row == self.name and value]
            self._expression = optlang.symbolics.add(terms)
        return self._expression


class Objective(base.Objective):
    def __init__(self, expression: Any, sloppy: bool = False, **keywords: Any) -> None:
        super().__init__(expression, sloppy=sloppy, **keywords)
        if not (sloppy or self.is_Linear):
            raise ValueError("osi_cuda takes linear objectives only")


class Configuration(base.Configuration):
    """optlang's; `set_options` takes all of `osi_cuda.option_table`. ``presolve="auto"`` leaves it to the solver."""

    lp_methods = ("auto", "primal", "dual", "barrier", "race")

    def __init__(self, lp_method: str = "auto", presolve: Any = "auto", **keywords: Any) -> None:
        super().__init__(lp_method=lp_method, presolve=presolve, **keywords)

    def set_options(self, **options: object) -> None:
        """Options by name, with ``_`` for ``-``, for all solves from now on. Raises ValueError."""
        Linear().set_options(**options)
        self.problem.problem.settings["more"].update(options)


class Model(base.Model):
    """``problem.found`` is the whole `Solution`, or `IntegerSolution`, of the last solve."""

    ProblemClass = Problem
    status_map = _STATUS
    _objective_offset = 0.0  # of a model that has no objective yet

    def _initialize_model_from_problem(self, problem: Problem, vc_mapping: Any = None, offset: float = 0) -> None:
        if not isinstance(problem, Problem):
            raise TypeError(f"problem has to be an osi_cuda.optlang.Problem, not {problem!r}")
        self.problem = problem
        variables, constraints = list(problem.variable_lbs), list(problem.constraint_lbs)
        kinds = ("continuous", "integer")

        def bound(value: float) -> float | None:
            return None if np.isinf(value) else value

        interface.Model._add_variables(self, [
            Variable(
                name, lb=bound(problem.variable_lbs[name]), ub=bound(problem.variable_ubs[name]),
                type=kinds[name in problem.integer_vars],
            ) for name in variables
        ])
        interface.Model._add_constraints(self, [
            Constraint(
                0, lb=bound(problem.constraint_lbs[name]), ub=bound(problem.constraint_ubs[name]), name=name,
                sloppy=True,
            ) for name in constraints
        ], sloppy=True)
        for row, column in problem.constraint_coefs:
            self._variables_to_constraints_mapping[column].add(row)
        self._objective_offset = offset
        terms = [cost * self._variables[name] for name, cost in problem.obj_linear_coefs.items()]
        self._objective = Objective(
            optlang.symbolics.add(terms) + offset, problem=self, direction="min" if problem.direction == 1 else "max",
            sloppy=True,
        )

    @classmethod
    def from_lp(cls, lp_problem_str: str) -> Model:
        """A model from the text of an LP file, CPLEX' or lp_solve's. Raises FileFormatError."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.lp")
            path.write_text(lp_problem_str, encoding="utf-8")
            read = Linear.read(path)
        (rows, columns), marks = read._names_of_all() or ([], []), read._integers()
        problem = Problem()
        problem.constraints, problem.variables = set(rows), set(columns)
        problem.constraint_lbs, problem.constraint_ubs = (dict(zip(rows, side.tolist())) for side in read.row_bounds)
        problem.variable_lbs, problem.variable_ubs = (dict(zip(columns, side.tolist())) for side in read.column_bounds)
        problem.integer_vars = {name for name, mark in zip(columns, () if marks is None else marks) if mark}
        entries = zip(*(part.tolist() for part in read._sparse().triplets()))
        problem.constraint_coefs = {(rows[i], columns[j]): value for i, j, value in entries}
        problem.obj_linear_coefs = {name: cost for name, cost in zip(columns, read.costs.tolist()) if cost != 0}
        problem.direction = 1 if read.sense == "min" else -1
        model = cls(problem=problem)
        if read.offset:
            model.objective = Objective(model.objective.expression + read.offset, direction=read.sense)
        return model

    def to_lp(self) -> str:
        """The text of a CPLEX LP file."""
        self.update()
        copy = self.problem.linear.copy()
        copy.set_names(self.problem._rows, self.problem._columns)
        copy.set_offset(float(self._objective_offset))
        marks = np.array([name in self.problem.integer_vars for name in self.problem._columns], dtype=np.uint8)
        copy._change("set_integers", marks.ctypes.data)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.lp")
            copy.write(path)
            return path.read_text(encoding="utf-8")


def _register() -> None:
    """optlang's and cobra's lists of interfaces are attributes and a dictionary of modules."""
    for name in ("osi_cuda", __name__):
        setattr(optlang, f"{name}_interface", sys.modules[__name__])
        if "cobra.util.solver" in sys.modules:
            sys.modules["cobra.util.solver"].solvers[name] = sys.modules[__name__]


_register()
