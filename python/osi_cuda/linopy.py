# SPDX-License-Identifier: EPL-2.0
"""A solver for linopy, by name.

>>> import linopy, osi_cuda.linopy
>>> model = linopy.Model()
>>> tables, chairs = (model.add_variables(lower=0, name=name, integer=True) for name in ("tables", "chairs"))
>>> hours = model.add_constraints(4 * tables + 2 * chairs <= 40, name="hours")
>>> wood = model.add_constraints(15 * tables + 5 * chairs <= 120, name="wood")
>>> model.add_objective(20 * tables + 9 * chairs, sense="max")
>>> model.solve("osi_cuda", io_api="direct")
('ok', 'optimal')
>>> float(tables.solution), float(chairs.solution)
(4.0, 12.0)

The import puts the solver behind linopy's others: no default changes. ``io_api="direct"`` needs no file. Only this
module imports linopy.
"""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from linopy import io, solvers
from linopy.constants import Result, Solution, SolverReport, Status, TerminationCondition
from linopy.persistent import UnsupportedUpdate, VarKind

from . import _solution
from ._layers import is_undecided, teller
from ._library import library
from ._problem import Problem
from ._solution import IntegerSolution

_TERMINATION = {
    _solution.Status.OPTIMAL: TerminationCondition.optimal,
    _solution.Status.INTERIOR: TerminationCondition.optimal,
    _solution.Status.INFEASIBLE: TerminationCondition.infeasible,
    _solution.Status.UNBOUNDED: TerminationCondition.unbounded,
    _solution.Status.OBJECTIVE_LIMIT: TerminationCondition.terminated_by_limit,
    _solution.Status.ITERATION_LIMIT: TerminationCondition.iteration_limit,
    _solution.Status.TIME_LIMIT: TerminationCondition.time_limit,
    _solution.Status.INTERRUPTED: TerminationCondition.user_interrupt,
    _solution.Status.NUMERICAL: TerminationCondition.internal_solver_error,
}
_WHOLE = (VarKind.BINARY, VarKind.INTEGER)


class OsiCuda(solvers.Solver[None]):
    """Linear problems, also with integer variables. Options are those of `osi_cuda.option_table`, with ``_`` for
    ``-``, and ``disp``, which prints lines about the progress. A ``warmstart_fn`` is a basis file, or with a name in
    .sol the file of a solution, whose values a search begins with; ``basis_fn`` and ``solution_fn`` are
    written. With ``track_updates=True`` changes of the model are changed in the problem, and the next
    solve starts from the last basis. ``solver_model`` is the `Problem`."""

    display_name: ClassVar[str] = "osi_cuda"
    features: ClassVar[frozenset[solvers.SolverFeature]] = frozenset(
        solvers.SolverFeature[name] for name in (
            "INTEGER_VARIABLES", "DIRECT_API", "LP_FILE_NAMES", "READ_MODEL_FROM_FILE", "SOLUTION_FILE_NOT_NEEDED",
            "MIP_DUAL_BOUND_REPORT",
        )
    )
    supports_persistent_update: ClassVar[bool] = True
    supports_sign_update: ClassVar[bool] = True

    @classmethod
    @functools.cache
    def is_available(cls) -> bool:
        with contextlib.suppress(ImportError):
            return library() is not None
        return False

    # ---- the model, as linopy hands it over --------------------------------------------------

    def _build_direct(self, explicit_coordinate_names: bool = False, *, set_names: bool = False, **_: Any) -> None:
        M = self.model.matrices
        b = np.asarray(M.b, dtype=np.float64)
        problem = Problem(
            M.c, M.A, np.where(M.sense == "<", -np.inf, b), np.where(M.sense == ">", np.inf, b), M.lb, M.ub,
            sense=self.model.sense,
        )
        self._whole = np.isin(M.vtypes, ("B", "I"))
        if set_names:
            of_variables, of_constraints = io.get_printers_scalar(self.model, explicit_coordinate_names)
            problem.set_names(of_constraints(M.clabels) if b.size else None, of_variables(M.vlabels))
        self.solver_model, self.io_api, self.sense = problem, "direct", self.model.sense
        self._cache_model_labels(self.model)

    def _apply_var_bounds(self, ctx: Problem, indices: Any, lower: Any, upper: Any) -> None:
        ctx.set_bounds(lower, upper, indices)

    def _apply_var_types(self, ctx: Problem, positions: Any, kinds: Any) -> None:
        if any(kind not in (*_WHOLE, VarKind.CONTINUOUS) for kind in kinds):
            raise UnsupportedUpdate("semi-continuous variables are not solved for")
        self._whole[positions] = [kind in _WHOLE for kind in kinds]

    def _apply_con_rhs(self, ctx: Problem, diff: Any) -> None:
        lower, upper = diff.con_rhs_as_bounds()
        ctx.set_row_bounds(lower, upper, diff.con_rhs_indices)

    def _apply_con_signs(self, ctx: Problem, indices: Any, signs: Any) -> None:
        lower, upper = (side[indices] for side in ctx.row_bounds)
        sides = np.where(np.isfinite(lower), lower, upper)
        ctx.set_row_bounds(np.where(signs == "<", -np.inf, sides), np.where(signs == ">", np.inf, sides), indices)

    def _apply_con_coefs(self, ctx: Problem, rows: Any, cols: Any, vals: Any) -> None:
        ctx.set_coefficients(rows, cols, vals)

    def _apply_obj_linear(self, ctx: Problem, indices: Any, values: Any) -> None:
        ctx.set_costs(values, indices)

    def _apply_obj_sense(self, ctx: Problem, sense: str) -> None:
        ctx.set_sense(sense)

    # ---- solving -----------------------------------------------------------------------------

    def _run_file(self, **files: Any) -> Result:
        assert self._problem_fn is not None
        self.solver_model = problem = Problem.read(self._problem_fn)
        marks = problem._integers()
        self._whole = np.zeros(problem.shape[1], dtype=bool) if marks is None else marks != 0
        self.io_api, self.sense = solvers.read_io_api_from_problem_file(self._problem_fn), problem.sense
        names = problem._names_of_all()
        assert names is not None
        of_rows, of_columns = names
        self._vlabels, self._clabels = solvers._names_to_labels(of_columns), solvers._names_to_labels(of_rows)
        return self._run_direct(**files)

    def _run_direct(
        self,
        solution_fn: Path | None = None,
        log_fn: Path | None = None,
        warmstart_fn: Path | None = None,
        basis_fn: Path | None = None,
        **_: Any,
    ) -> Result:
        problem: Problem = self.solver_model
        options = {name: value for name, value in self.options.items() if name != "disp"}
        problem.set_options(**options)
        start = None
        if warmstart_fn is not None and warmstart_fn.suffix == ".sol":
            start = _values_of(warmstart_fn, problem)
        elif warmstart_fn is not None:
            problem.read_basis(warmstart_fn)
        with teller(self.options.get("disp"), log_fn) as say:
            found = problem._answer(self._whole, start, disp=say)
            if callable(say):
                say(f"{self.display_name}: {found!r}")
        if basis_fn is not None:
            problem.write_basis(basis_fn)
        if solution_fn is not None:
            solution_fn.parent.mkdir(parents=True, exist_ok=True)
            problem.write_solution(solution_fn)
        return self._result(found, problem._has_point(found))

    def _result(self, found: _solution.Solution, has_point: bool) -> Result:
        condition = _TERMINATION[found.status]
        if is_undecided(found):
            condition = TerminationCondition.infeasible_or_unbounded
        status = Status.from_termination_condition(condition)
        status.legacy_status = f"{found.status} {found.message}".rstrip()
        solution = Solution()
        if status.is_ok and has_point:
            solution = Solution(
                solvers._solution_from_labels(found.x, self._vlabels, self._n_vars),
                solvers._solution_from_labels(found.duals, self._clabels, self._n_cons), found.objective,
            )
        report = SolverReport(
            runtime=found.seconds, simplex_iterations=found.iterations, barrier_iterations=found.barrier_iterations
        )
        if isinstance(found, IntegerSolution):
            report.mip_gap, report.dual_bound = found.gap, found.bound
        return self._make_result(status, solution, self.solver_model, report)


def _values_of(path: Path, problem: Problem) -> Any:
    """Of the columns of a solution file, by their names, to begin a search with; others are 0."""
    start, columns = np.zeros(problem.shape[1]), False
    for line in path.read_text(encoding="utf-8").splitlines():
        parts = line.split(maxsplit=3)
        if parts[:1] in (["columns"], ["rows"]):
            columns = parts[0] == "columns"
        elif columns and len(parts) == 4:
            start[problem.column_index(parts[3])] = float(parts[1])
    return start


def _register() -> None:
    """linopy finds a solver by a member of its list of names and a class of that name."""
    name, value = OsiCuda.__name__, "osi_cuda"
    if value in solvers._SOLVER_PROBE_ORDER:
        return
    member = object.__new__(solvers.SolverName)
    member._name_, member._value_ = name, value
    solvers.SolverName._member_map_[name] = solvers.SolverName._value2member_map_[value] = member
    solvers.SolverName._member_names_.append(name)
    solvers.OsiCuda = OsiCuda
    solvers._SOLVER_PROBE_ORDER += (value,)
    solvers.available_solvers.refresh()


_register()
