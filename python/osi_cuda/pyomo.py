# SPDX-License-Identifier: EPL-2.0
"""A persistent solver for Pyomo, of its interface ``pyomo.contrib.solver``.

>>> import pyomo.environ as pyo
>>> import osi_cuda.pyomo
>>> model = pyo.ConcreteModel()
>>> model.x = pyo.Var([1, 2], bounds=(0, None))
>>> model.gain = pyo.Objective(expr=20 * model.x[1] + 9 * model.x[2], sense=pyo.maximize)
>>> model.hours = pyo.Constraint(expr=4 * model.x[1] + 2 * model.x[2] <= 40)
>>> model.wood = pyo.Constraint(expr=15 * model.x[1] + 5 * model.x[2] <= 120)
>>> solver = osi_cuda.pyomo.OsiCuda()
>>> round(solver.solve(model).incumbent_objective, 6)
188.0

What was changed in the model since the last solve is changed in the solver's problem, and the next
solve starts from the last basis. Only this module imports Pyomo. ``import osi_cuda.pyomo`` also gives
the solver its name: ``pyomo.contrib.solver.common.factory.SolverFactory("osi_cuda")``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from pyomo.common.collections import ComponentMap
from pyomo.common.config import ConfigValue
from pyomo.contrib.solver.common.base import Availability, PersistentSolverBase
from pyomo.contrib.solver.common.config import PersistentBranchAndBoundConfig
from pyomo.contrib.solver.common.factory import SolverFactory
from pyomo.contrib.solver.common.persistent import PersistentSolverMixin, PersistentSolverUtils
from pyomo.contrib.solver.common.results import Results, SolutionStatus, TerminationCondition
from pyomo.contrib.solver.common.solution_loader import PersistentSolutionLoader
from pyomo.contrib.solver.common.util import (
    IncompatibleModelError,
    NoDualsError,
    NoFeasibleSolutionError,
    NoOptimalSolutionError,
    NoReducedCostsError,
    NoSolutionError,
)
from pyomo.core.base.suffix import Suffix
from pyomo.core.expr.numvalue import is_constant, value
from pyomo.core.staleflag import StaleFlagManager
from pyomo.repn import generate_standard_repn

from ._arrays import by_rows
from ._layers import is_undecided
from ._library import library, version
from ._problem import Problem
from ._solution import IntegerSolution, Solution, Status

_TERMINATION = {
    Status.OPTIMAL: TerminationCondition.convergenceCriteriaSatisfied,
    Status.INTERIOR: TerminationCondition.convergenceCriteriaSatisfied,
    Status.INFEASIBLE: TerminationCondition.provenInfeasible,
    Status.UNBOUNDED: TerminationCondition.unbounded,
    Status.OBJECTIVE_LIMIT: TerminationCondition.objectiveLimit,
    Status.ITERATION_LIMIT: TerminationCondition.iterationLimit,
    Status.TIME_LIMIT: TerminationCondition.maxTimeLimit,
    Status.INTERRUPTED: TerminationCondition.interrupted,
    Status.NUMERICAL: TerminationCondition.error,
}
_OPTIMAL = (Status.OPTIMAL, Status.INTERIOR)


class _Row(NamedTuple):
    """What of a constraint may change with parameters, as expressions of Pyomo."""

    variables: list[int]  # ids, in the order of the coefficients
    coefficients: list[Any]
    lower: Any
    upper: Any
    is_constant: bool


class _Costs(NamedTuple):
    variables: list[int]
    coefficients: list[Any]
    constant: Any
    sense: str


def _number(expression: Any, absent: float) -> float:
    return absent if expression is None else float(value(expression))


class _Loader(PersistentSolutionLoader):
    def get_number_of_solutions(self) -> int:
        self._assert_solution_still_valid()
        return 1 if self._solver._has_point() else 0

    def load_import_suffixes(self) -> None:
        """Without an optimum there are neither duals nor reduced costs: the suffixes are emptied, and
        the status says why."""
        self._assert_solution_still_valid()
        if self._solver._is_optimal():
            super().load_import_suffixes()
            return
        for suffix in self._pyomo_model.component_objects(Suffix, active=True):
            if suffix.import_enabled():
                suffix.clear()


class OsiCuda(PersistentSolverMixin, PersistentSolverUtils, PersistentSolverBase):
    """Linear problems, also with integer variables. ``config.solver_options`` takes the options of
    `osi_cuda.option_table`, with ``_`` for ``-``; ``config.threads`` counts the nodes that a search
    looks at at the same time. A search begins with the values of the integer variables where all of
    them have one and ``config.warmstart_discrete_vars`` is set."""

    CONFIG = PersistentBranchAndBoundConfig()
    CONFIG.declare("warmstart_discrete_vars", ConfigValue(
        domain=bool, default=False, description="Begin with the present values of the integer variables."))
    _active_config: Any  # of the base class: the configuration of the solve that runs

    def __init__(self, **keywords: Any) -> None:
        as_parameters = keywords.pop("treat_fixed_vars_as_params", True)
        PersistentSolverBase.__init__(self, **keywords)
        self._last_results_object: Results | None = None
        self._begin(as_parameters)

    def _begin(self, as_parameters: bool) -> None:
        """As if no model had been there."""
        PersistentSolverUtils.__init__(self, treat_fixed_vars_as_params=as_parameters)
        self._problem: Problem | None = None
        self._new_columns: list[tuple[float, float]] = []  # bounds of those that the problem is to get
        self._column_of: dict[int, int] = {}  # by the id of the variable
        self._row_of: dict[Any, int] = {}
        self._row_parts: dict[Any, _Row] = {}
        self._moving_bounds: dict[int, Any] = {}  # variables whose bounds are expressions
        self._integers: dict[int, Any] = {}  # variables that have to be whole, by id
        self._costs: _Costs | None = None
        self._found: Solution | None = None

    # ---- what Pyomo asks about the solver ----------------------------------------------------

    def available(self) -> Availability:
        try:
            library()
        except ImportError:
            return Availability.NotFound
        return Availability.FullLicense

    def version(self) -> tuple[int, ...]:
        return tuple(int(part) for part in version().split("."))

    @property
    def problem(self) -> Problem:
        """The problem behind the model, for what Pyomo has no word for: ranging, bases, rays."""
        if self._problem is None:
            raise NoSolutionError()
        if self._new_columns:  # Pyomo brings them with each constraint; the problem gets all at once
            bounds, self._new_columns = self._new_columns, []
            rows = self._problem.shape[0]
            self._problem.add_columns(by_rows([{}] * rows, len(bounds)), *zip(*bounds, strict=True))
        return self._problem

    # ---- the model, as Pyomo's utilities hand it over ----------------------------------------

    def set_instance(self, model: Any) -> None:
        active = self._active_config
        self._forget_solution()
        self._begin(self._treat_fixed_vars_as_params)
        self._active_config = active
        self._model = model
        self._problem = Problem()
        self.add_block(model)
        if self._objective is None:
            self.set_objective(None)

    def _forget_solution(self) -> None:
        self._found = None
        if self._last_results_object is not None:
            self._last_results_object.solution_loader.invalidate()

    def _bounds_of(self, variable_id: int) -> tuple[float, float]:
        variable, low, high, fixed, (domain_low, domain_high, step), present = self._vars[variable_id]
        self._integers.pop(variable_id, None)
        self._moving_bounds.pop(variable_id, None)
        if fixed:
            return float(present), float(present)
        if step not in (0, 1):
            raise IncompatibleModelError(f"{variable.name} has a domain of steps of {step}")
        if step:
            self._integers[variable_id] = variable
        if not all(bound is None or is_constant(bound) for bound in (low, high)):
            self._moving_bounds[variable_id] = (low, high, domain_low, domain_high)
        return self._tightest(low, high, domain_low, domain_high)

    @staticmethod
    def _tightest(low: Any, high: Any, domain_low: Any, domain_high: Any) -> tuple[float, float]:
        return (
            max(_number(low, -math.inf), _number(domain_low, -math.inf)),
            min(_number(high, math.inf), _number(domain_high, math.inf)),
        )

    def _add_variables(self, variables: Sequence[Any]) -> None:
        if not variables:
            return
        self._forget_solution()
        for variable in variables:
            self._column_of[id(variable)] = len(self._column_of)
            self._new_columns.append(self._bounds_of(id(variable)))

    def _update_variables(self, variables: Sequence[Any]) -> None:
        if not variables:
            return
        self._forget_solution()
        bounds = [self._bounds_of(id(variable)) for variable in variables]
        columns = [self._column_of[id(variable)] for variable in variables]
        lower, upper = zip(*bounds, strict=True)
        self.problem.set_bounds(lower, upper, columns)

    def _remove_variables(self, variables: Sequence[Any]) -> None:
        if not variables:
            return
        self._forget_solution()
        gone = [self._column_of.pop(id(variable)) for variable in variables]
        for variable in variables:
            self._moving_bounds.pop(id(variable), None)
            self._integers.pop(id(variable), None)
        self.problem.delete_columns(gone)
        self._column_of = {key: place for place, key in enumerate(self._column_of)}

    def _linear(self, expression: Any) -> Any:
        """Terms and constant of an expression, coefficients as expressions of parameters."""
        parts = generate_standard_repn(expression, quadratic=False, compute_values=False)
        if parts.nonlinear_expr is not None:
            raise IncompatibleModelError(
                f"osi_cuda solves linear problems, but {expression} is none"
            )
        return parts

    def _sums(self, terms: _Row | _Costs) -> dict[int, float]:
        """Present coefficients by column: the library takes no column twice."""
        sums: dict[int, float] = {}
        for variable_id, coefficient in zip(terms.variables, terms.coefficients, strict=True):
            column = self._column_of[variable_id]
            sums[column] = sums.get(column, 0.0) + float(value(coefficient))
        return sums

    def _add_constraints(self, constraints: Sequence[Any]) -> None:
        if not constraints:
            return
        self._forget_solution()
        rows, columns = self.problem.shape
        new: list[dict[int, float]] = []
        lower, upper = [], []
        for k, constraint in enumerate(constraints):
            parts = self._linear(constraint.body)
            low = constraint.lower - parts.constant if constraint.has_lb() else None
            high = constraint.upper - parts.constant if constraint.has_ub() else None
            row = _Row(
                [id(variable) for variable in parts.linear_vars], list(parts.linear_coefs), low, high,
                all(e is None or is_constant(e) for e in (*parts.linear_coefs, low, high)),
            )
            new.append(self._sums(row))
            lower.append(_number(low, -math.inf))
            upper.append(_number(high, math.inf))
            self._row_of[constraint] = rows + k
            if not row.is_constant:
                self._row_parts[constraint] = row
        self.problem.add_rows(by_rows(new, columns), lower, upper)

    def _remove_constraints(self, constraints: Sequence[Any]) -> None:
        if not constraints:
            return
        self._forget_solution()
        gone = [self._row_of.pop(constraint) for constraint in constraints]
        for constraint in constraints:
            self._row_parts.pop(constraint, None)
        self.problem.delete_rows(gone)
        self._row_of = {key: place for place, key in enumerate(self._row_of)}

    def _add_sos_constraints(self, constraints: Sequence[Any]) -> None:
        if constraints:
            raise NotImplementedError("osi_cuda does not solve problems with special ordered sets")

    _remove_sos_constraints = _add_sos_constraints

    def _add_parameters(self, parameters: Sequence[Any]) -> None:
        """Parameters are part of expressions, which are kept."""

    _remove_parameters = _add_parameters

    def update_parameters(self) -> None:
        """What depends on parameters, evaluated anew; only what has changed is handed over."""
        self._forget_solution()
        problem = self.problem
        parts = [(self._row_of[constraint], row) for constraint, row in self._row_parts.items()]
        entries = [(at, *entry) for at, row in parts for entry in self._sums(row).items()]
        if entries:
            rows, columns, values = map(np.array, zip(*entries, strict=True))
            changed = self._changed(rows, columns, values)
            if changed.any():
                problem.set_coefficients(rows[changed], columns[changed], values[changed])
        if parts:
            sides = [(_number(row.lower, -math.inf), _number(row.upper, math.inf), at) for at, row in parts]
            problem.set_row_bounds(*zip(*sides, strict=True))
        if self._moving_bounds:
            bounds = [self._tightest(*parts) for parts in self._moving_bounds.values()]
            places = [self._column_of[variable_id] for variable_id in self._moving_bounds]
            lower, upper = zip(*bounds, strict=True)
            problem.set_bounds(lower, upper, places)
        self._set_costs()

    def _changed(self, rows: Any, columns: Any, values: Any) -> Any:
        """Which of these coefficients differ from the problem's: another matrix costs a tableau."""
        present, row_numbers, starts = self.problem.matrix
        m = self.problem.shape[0]
        keys = np.repeat(np.arange(starts.size - 1, dtype=np.int64), np.diff(starts)) * m + row_numbers
        if keys.size == 0:
            return values != 0.0
        order, wanted = np.argsort(keys), columns * np.int64(m) + rows
        place = np.minimum(np.searchsorted(keys, wanted, sorter=order), keys.size - 1)
        return np.where(keys[order[place]] == wanted, present[order[place]], 0.0) != values

    def _set_objective(self, objective: Any) -> None:
        self._forget_solution()
        if objective is None:
            self._costs = _Costs([], [], 0.0, "min")
        else:
            parts = self._linear(objective.expr)
            self._costs = _Costs(
                [id(variable) for variable in parts.linear_vars], list(parts.linear_coefs),
                parts.constant, "max" if objective.sense < 0 else "min",
            )
        self._set_costs()

    def _set_costs(self) -> None:
        if self._costs is None:
            return
        costs = np.zeros(self.problem.shape[1])
        for column, coefficient in self._sums(self._costs).items():
            costs[column] = coefficient
        self.problem.set_costs(costs)
        self.problem.set_offset(float(value(self._costs.constant)))
        self.problem.set_sense(self._costs.sense)

    # ---- solving -----------------------------------------------------------------------------

    def _solve(self) -> Results:
        config = self._active_config
        problem = self.problem
        searches = bool(self._integers)
        options: dict[str, Any] = {
            "relative_gap": config.rel_gap, "absolute_gap": config.abs_gap,
            "search_threads" if searches else "threads": config.threads,
        }
        options = {name: number for name, number in options.items() if number is not None}
        problem.set_options(**options, time_limit=config.time_limit)
        problem.set_options(**dict(config.solver_options))
        whole = np.zeros(problem.shape[1], dtype=bool)
        whole[[self._column_of[variable_id] for variable_id in self._integers]] = True
        log: list[str] = []

        def tell(line: str) -> None:
            log.append(line + "\n")
            for stream in config.tee:
                stream.write(log[-1])

        config.timer.start("optimize")
        try:
            self._found = problem._answer(whole, self._start(config), disp=tell)
        finally:
            config.timer.stop("optimize")
        tell(f"{self.name}: {self._found!r}")
        return self._results("".join(log), config)

    def _start(self, config: Any) -> Any:
        """Values to begin a search with, of all integer variables; None without them."""
        values = {variable_id: variable.value for variable_id, variable in self._integers.items()}
        if not config.warmstart_discrete_vars or None in values.values():
            return None
        start = np.zeros(self.problem.shape[1])
        for variable_id, number in values.items():
            start[self._column_of[variable_id]] = number
        return start

    def _is_optimal(self) -> bool:
        return self._found is not None and self._found.status in _OPTIMAL

    def _has_point(self) -> bool:
        return self._found is not None and self.problem._has_point(self._found)

    def _results(self, log: str, config: Any) -> Results:
        found = self._found
        assert found is not None
        optimal = found.status in _OPTIMAL
        results = Results()
        results.solution_loader = _Loader(self, self._model)
        results.solver_name = self.name
        results.solver_version = self.version()
        results.solver_config = config
        results.solver_log = log
        results.timing_info.osi_cuda_time = found.seconds
        results.termination_condition = _TERMINATION[found.status]
        searched = found if isinstance(found, IntegerSolution) else None
        if is_undecided(found):
            results.termination_condition = TerminationCondition.infeasibleOrUnbounded
        results.solution_status = (
            SolutionStatus.optimal if optimal
            else SolutionStatus.feasible if self._has_point()
            else SolutionStatus.noSolution
        )
        results.incumbent_objective = results.objective_bound = None
        if self._objective is not None:
            if self._has_point():
                results.incumbent_objective = found.objective
            if searched and np.isfinite(searched.bound):
                results.objective_bound = searched.bound
            elif optimal:
                results.objective_bound = found.objective
        if searched:
            results.extra_info.mip_node_count = searched.nodes
            results.extra_info.mip_gap = searched.gap
        results.extra_info.iteration_count = found.iterations
        results.extra_info.proof = found.proof.name.lower()
        if config.raise_exception_on_nonoptimal_result and not optimal:
            raise NoOptimalSolutionError()
        if config.load_solutions:
            if not self._has_point():
                raise NoFeasibleSolutionError()
            results.solution_loader.load_solution()
        return results

    # ---- the solution, as Pyomo's loader asks for it -----------------------------------------

    def _load_vars(self, vars_to_load: Iterable[Any] | None = None) -> None:
        for variable, number in self._get_primals(vars_to_load).items():
            variable.set_value(number, skip_validation=True)
        StaleFlagManager.mark_all_as_stale(delayed=True)

    def _of_variables(self, numbers: Any, wanted: Iterable[Any] | None) -> Mapping[Any, float]:
        ids = self._column_of if wanted is None else [id(variable) for variable in wanted]
        result: MutableMapping[Any, float] = ComponentMap()
        for variable_id in ids:
            result[self._vars[variable_id][0]] = float(numbers[self._column_of[variable_id]])
        return result

    def _get_primals(self, vars_to_load: Iterable[Any] | None = None) -> Mapping[Any, float]:
        if self._found is None or not self._has_point():
            raise NoSolutionError()
        return self._of_variables(self._found.x, vars_to_load)

    def _get_reduced_costs(self, vars_to_load: Iterable[Any] | None = None) -> Mapping[Any, float]:
        if not self._is_optimal():
            raise NoReducedCostsError()
        assert self._found is not None
        return self._of_variables(self._found.reduced_costs, vars_to_load)

    def _get_duals(self, cons_to_load: Sequence[Any] | None = None) -> dict[Any, float]:
        if not self._is_optimal():
            raise NoDualsError()
        assert self._found is not None
        wanted = self._row_of if cons_to_load is None else cons_to_load
        return {key: float(self._found.duals[self._row_of[key]]) for key in wanted}


SolverFactory.register("osi_cuda", doc="Linear programs by a proving simplex solver")(OsiCuda)

