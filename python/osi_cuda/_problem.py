# SPDX-License-Identifier: EPL-2.0
"""A linear program that is changed in place and solved again."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import functools
import logging
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _analysis, _library
from ._analysis import InfeasibleSubsystem, Intervals, RankedSolution, Ranging, Relaxation
from ._arrays import Numbers, Vector, address, c_text, integer_marks, numbers_of, vector
from ._errors import warn_relaxed
from ._interrupt import calling_back
from ._library import library
from ._model import Model, logger
from ._solution import (
    ExactProof, Incumbent, IntegerSolution, Phase, Proof, Residuals, Solution, Status,
)

if TYPE_CHECKING:
    from ._batch import BatchSolution

_BETWEEN_LINES = 0.5  # seconds, of the lines that show progress
_NOTHING = 7  # OSI_CUDA_NOTHING


class Progress(NamedTuple):
    """What a solve is doing."""

    iterations: int
    seconds: float
    objective: float
    infeasibility: float  #: the sum that the running algorithm removes
    phase: str  #: "primal 1", "primal 2", "dual 1", "dual 2", "push", "barrier" or "exact"

    def __str__(self) -> str:
        return (
            f"{self.seconds:8.1f} s {self.iterations:10d} iterations  {self.phase:8}  "
            f"objective {self.objective:17.10e}  infeasible by {self.infeasibility:.2e}"
        )


class Problem(Model):
    """A linear program with n columns and m rows::

        min or max  c @ x + offset   subject to   row_lower <= A @ x <= row_upper,
                                                  lower <= x <= upper

    Changes keep the basis, from which the next `solve` starts. Different problems may be used from
    different threads; a solve leaves Python's lock free. A problem that is in use refuses other calls
    with RuntimeError, `interrupt` excepted.

    `copy`, the functions of the module ``copy`` and ``pickle`` keep the problem with its names,
    options and basis; the solution stays behind. A pickled matrix is a copy, wherever it lay.
    ``with Problem(...) as problem:`` gives its memory back at the end, as `close` does.

    Parameters
    ----------
    c : array_like, shape (n,)
        Costs. These and all other numbers may be ``fractions.Fraction`` or ``decimal.Decimal``, in lists or arrays of objects:
        doubles stand for them, and with ``exact="on"`` it is these fractions that are solved for.
    A : array_like, shape (m, n), optional
        Dense or one of SciPy's sparse matrices. Doubles in rows, columns or any other steps, CSC and
        CSR are handed to the library as they lie there, without a copy in Python. Arrays on a device
        (``__cuda_array_interface__`` or DLPack: PyTorch, CuPy, JAX, Numba) are copied to the host by
        their own library, unless `copy` is False. Absent: no rows.
    row_lower, row_upper : array_like, shape (m,), or float, optional
        Bounds of the rows; absent ones are infinite.
    lower, upper : array_like, shape (n,), or float
        Bounds of the columns. None for a bound, as for all, stands for no bound.
    sense : {"min", "max"}
        Whether the least or the largest objective is looked for.
    offset : float
        Added to the objective.
    copy : bool
        False: a dense A of doubles that lies without gaps, by rows or by columns, and is not zero in
        at least two thirds of its elements is used where it lies, without a copy: the caller must not
        change it as long as this problem and copies of it are used. The problem keeps a reference.
        Any other A is copied. An A on a CUDA device that is like that stays there, and the solver on
        that device uses it where it lies; of what the host needs it has a copy. `device` is then the
        number of that device unless it is given.
    names, row_names : sequence of str, optional
        Names of all columns, and of all rows, as `set_names` takes them.
    sos, semicontinuous : optional
        Special ordered sets and semicontinuous columns, as `set_sos` and `set_semicontinuous` take
        them: `solve_integers` keeps them, `solve` relaxes them.
    **options
        As `set_options` takes them.

    Raises
    ------
    ValueError, TypeError
        What was wrong with which argument.
    MemoryError
    """

    def solve(
        self,
        progress: Callable[[Progress], object] | None = None,
        interrupt: Callable[[], object] | None = None,
        *,
        disp: bool | Callable[[str], object] = False,
        start: tuple[Numbers | None, Numbers | None] | None = None,
        **options: object,
    ) -> Solution:
        """Solves from the last basis, or from a point.

        Ctrl-C ends the solve within some hundredths of a second and raises KeyboardInterrupt; the
        basis reached is kept, so that another call goes on from there.

        Parameters
        ----------
        progress : callable, optional
            Called with a `Progress` every few dozen pivots.
        interrupt : callable, optional
            Asked several times a second; what is true ends the solve with status INTERRUPTED.

        disp : bool or callable
            Print a line about the progress twice a second, or call this with it. The logger ``osi_cuda`` gets the same
            lines where its level is INFO.
        start : (x, y), optional
            An approximate optimum of any method and accuracy, from which a crossover leads to a
            vertex: values of columns, shape (n,), and row duals, shape (m,), with the signs of
            `Solution.y`. Either may be None. It takes the place of the basis for this solve. A
            point that is far from an optimum is not used, which the logger says.
        **options
            As `set_options` takes them, for good.

        Returns
        -------
        Solution
            Whatever the problem turned out to be.

        Raises
        ------
        ValueError
            A start of another shape, or with numbers that are not finite.
        MemoryError, EngineUnavailable
        RuntimeError
            The problem is in use by another thread, or by this call's own callback.
        BaseException
            What a callback raised; it ends the solve.

        Warns
        -----
        RelaxationWarning
            The problem has integer columns, semicontinuous ones or special ordered sets, which
            `solve_integers` keeps.
        """
        self.set_options(**options)
        if start is not None and len(start) != 2:
            raise ValueError("start has to be a pair (x, y)")
        solution = self._solve(progress, interrupt, disp, start)
        warn_relaxed(solution)
        return solution

    def _solve(self, progress: Any = None, interrupt: Any = None, disp: Any = False, start: Any = None) -> Solution:
        given_x, given_y = (None, None) if start is None else start
        m, n = self.shape
        x = None if given_x is None else vector(given_x, "the start's x", n)
        y = None if given_y is None else vector(given_y, "the start's y", m)
        shown = -np.inf

        def tell(
            iterations: int, seconds: float, objective: float, infeasibility: float, phase: bytes
        ) -> None:
            nonlocal shown
            at = Progress(iterations, seconds, objective, infeasibility, phase.decode())
            if shows and time.monotonic() - shown >= _BETWEEN_LINES:
                shown = time.monotonic()
                say(str(at))
            if progress is not None:
                progress(at)

        shows, say = _teller(disp)
        on_progress = tell if progress or shows else None
        with self._alone(), self._logging():
            with calling_back(self._call, self.interrupt, "", on_progress, interrupt):
                self._solution = None
                if start is not None:
                    self._call("set_start", address(x), address(y))
                self._call("solve")
            self._solution = solution = self._collect()
        return solution

    def solve_integers(
        self,
        incumbent: Callable[[Incumbent], object] | None = None,
        interrupt: Callable[[], object] | None = None,
        *,
        integers: Any = None,
        start: Numbers | None = None,
        disp: bool | Callable[[str], object] = False,
        **options: object,
    ) -> IntegerSolution:
        """Solves with integer columns kept to whole numbers: by Cbc's branch and cut, in a module that
        is opened now, or with ``search="own"``, without the module and on dense rows by this library's
        branch and bound, whose bound is proved. It tries to prove Cbc's claim as well:
        `solution.proof` is NONE where it does not.

        Ctrl-C ends the search and raises KeyboardInterrupt; `solution` is the best point so far then.

        Parameters
        ----------
        incumbent : callable, optional
            Called with each `Incumbent`.
        interrupt : callable, optional
            Asked several times a second; what is true ends the search with status INTERRUPTED.
        integers : array_like of bool, shape (n,), optional
            The integer columns from now on, True or 1 for each, else False or 0. Absent: those of the
            file, or of the call before. Refused are whole numbers of one or two columns that may as well
            be a list of columns, as ``[0, 1]``: say ``[False, True]``.
        start : array_like, shape (n,), optional
            Values of the integer columns to begin with; those of other columns do not matter. A start
            that no point completes is left out, and the log says so.
        disp : bool or callable
            Print a line for each incumbent, or call this with it; the logger ``osi_cuda`` gets them, too.
        **options
            As `set_options` takes them, for good: ``relative_gap``, ``absolute_gap``, ``node_limit``,
            ``time_limit``, ``search``, ``search_threads``, ``cuts`` and those of every solve.

        Returns
        -------
        IntegerSolution
            Status OPTIMAL: within the gaps. ITERATION_LIMIT: the node limit or the iteration limit.

        Raises
        ------
        EngineUnavailable
            ``search="cbc"``, and there is no module with Cbc; the message says where to get it.
        ValueError
            ``search="cbc"`` with semicontinuous columns or special ordered sets.
        MemoryError, RuntimeError, BaseException
            As `solve`.
        """
        n = self.shape[1]
        self.set_options(**options)
        if integers is not None:
            marks = integer_marks(integers, n)
            self._change("set_integers", address(marks))
        begin = None if start is None else vector(start, "start", n)
        shows, say = _teller(disp)

        def found(seconds: float, nodes: int, objective: float, bound: float, x: Any) -> None:
            values = np.ctypeslib.as_array(x, (n,)).copy()
            better = Incumbent(seconds, nodes, objective, bound, values)
            say(str(better))
            if incumbent is not None:
                incumbent(better)

        with self._alone(), self._logging():
            self._solution = None
            with calling_back(self._call, self.interrupt, "", None, interrupt) as guarded:
                tell = _library.IncumbentFunction(
                    (lambda _, *at: guarded(found, *at)) if incumbent or shows else 0
                )
                self._call("solve_integers", address(begin), tell, None)
                plain, numbers = self._collect(), [self._number(which) for which in range(10, 16)]
                parts = {part.name: getattr(plain, part.name) for part in dataclasses.fields(plain)}
                proof = Proof(int(numbers[5]))
                # The search's claim, or what whole numbers alone prove.
                if plain.proof is Proof.NONE or (plain.farkas is not None and np.isnan(plain.farkas).any()):
                    parts["farkas"] = None
                if plain.exact is not None:
                    parts["exact"] = plain.exact._replace(proved=proof is Proof.EXACT)
                solution = IntegerSolution(
                    **parts, bound=numbers[0], gap=numbers[1], nodes=int(numbers[2]),
                    cuts=int(numbers[3]), linear_programs=int(numbers[4]), point_proof=proof,
                )
                self._solution = solution
        return solution

    def _answer(self, integers: Any, start: Numbers | None = None, **more: Any) -> Solution:
        """For other packages' interfaces: with the integers that are marked and the rest of what a
        search keeps, if there is any."""
        if np.any(integers) or self.semicontinuous[0].size or self.sos:
            return self.solve_integers(integers=integers, start=start, **more)
        if self._integers() is not None:
            self._change("set_integers", address(np.zeros(self.shape[1], dtype=np.uint8)))
        return self._solve(**more)

    def _has_point(self, found: Solution) -> bool:
        """Whether the x of that solution is a point of the problem, to the tolerance."""
        if found.status is Status.INFEASIBLE or np.isnan(found.x).any():
            return False
        if isinstance(found, IntegerSolution) and found.status is Status.UNBOUNDED:
            return False  # that of the relaxation
        holds = found.residuals.primal <= float(self.get_option("primal_tolerance"))
        return holds or found.status in (Status.OPTIMAL, Status.INTERIOR)

    @property
    def solution(self) -> Solution | None:
        """Of the last solve; None since the problem was changed."""
        return self._solution

    # ---- what the solution means -------------------------------------------------------------

    def ranging(self) -> Ranging:
        """The intervals in which each cost, bound and right-hand side can be changed alone before
        another basis is optimal. Ctrl-C ends it.

        Raises
        ------
        NoSolution
            The last solve has no optimal basis.
        InterruptedError
            The time limit came first.
        """
        m, n = self.shape
        parts = []
        for which, length in enumerate((n, n, n, m, m)):
            interval = Intervals(*(np.empty(length) for _ in Intervals._fields))
            self._watched("get_ranging", which, length, *(address(part) for part in interval))
            parts.append(interval)
        return Ranging(*parts)

    def iis(self) -> InfeasibleSubsystem:
        """Sides of rows and columns that contradict each other. Ctrl-C ends it with what there is.

        Raises
        ------
        NoSolution
            The last solve has not proved the problem to be infeasible.
        """
        m, n = self.shape
        columns, rows = np.zeros(n, dtype=np.uint8), np.zeros(m, dtype=np.uint8)
        irreducible = ctypes.c_int()
        self._watched("find_iis", address(columns), address(rows), ctypes.byref(irreducible))
        return InfeasibleSubsystem(
            (columns & 1).astype(bool), (columns & 2).astype(bool), (rows & 1).astype(bool),
            (rows & 2).astype(bool), irreducible.value == 1,
        )

    def relax(self, goal: str = "sum", what: str = "rows") -> Relaxation:
        """Feasibility relaxation: the least violations of bounds that leave a point. Ctrl-C ends it.

        Parameters
        ----------
        goal : {"sum", "count"}
            The least total of all violations, or few violated sides.
        what : {"rows", "bounds", "both"}
            The bounds that may be relaxed.

        Returns
        -------
        Relaxation
            Problem, solution and basis do not change.
        """
        return _analysis.relax(self, goal, what)

    def variants(
        self,
        *,
        costs: Any = None,
        lower: Any = None,
        upper: Any = None,
        row_lower: Any = None,
        row_upper: Any = None,
        rhs: Any = None,
        coefficients: tuple[Any, Any, Any, Any] | None = None,
        count: int | None = None,
        what: Collection[str] = ("x", "y", "basis"),
        pool: bool = True,
        start: Any = None,
        cutoff: float | None = None,
        progress: Callable[[int, int], object] | None = None,
        out: Any = None,
        **options: object,
    ) -> BatchSolution:
        """Solves many variants of the problem at once, each with some numbers of its own.

        They begin at the optimal basis of the problem, which is solved first where it was not, and
        share its tableau. Bases that were optimal for others are tried before any pivot; they are
        kept until the problem is changed or solved again.

        Parameters
        ----------
        costs, lower, upper : array_like, shape (K, n), or a sparse matrix of SciPy's, optional
            NaN in an array, and what a sparse matrix does not store, is the problem's own number.
            Contiguous doubles on a CUDA device are used where they lie.
        row_lower, row_upper, rhs : the same, shape (K, m)
            `rhs` takes the place of those bounds of a row that are finite.
        coefficients : (variants, rows, columns, values), optional
            Four arrays of one length: entries of the matrix that single variants have.
        count : int, optional
            K, where no array says it.
        what : of {"x", "y", "basis", "bounds", "start"}
            What the answer has beside status, objective and proof: points, row duals, bases; rigorous
            bounds of the optimum; where other variants may begin.
        pool : bool
            False: every variant begins at the problem's basis, and its answer has the same bits
            whatever the other variants are. Else status and objective are the same, and the vertex
            may be another one where several are optimal.
        start : array_like of int64, shape (K,), optional
            Where each variant begins: numbers of `BatchSolution.start` of an earlier call, or -1 for
            the problem's basis, as is every number once the problem was changed or solved again.
            Some older ones are dropped where they fill 256 MiB, at two bits a column and row; those
            stand for the nearest basis that they came from and that is kept.
        cutoff : float, optional
            Pivots of a variant end with the status OBJECTIVE_LIMIT once the dual objective is beyond
            it. `y_of` has the multipliers there, which nobody has verified.
        progress : callable, optional
            Called with the number of variants that are through, and of all.
        out : array or "host", optional
            Of whose library objectives, points and bases of the answer are, on its device: an array of
            PyTorch, CuPy or Numba. Absent: the first of the arrays on a device, if there is one and no
            bounds are wanted, which are formed on the host.
        **options
            Those of `BatchSolver`.

        Returns
        -------
        BatchSolution
            Without points its arrays of points are empty, of shape (K, 0).
        """
        from . import _batch

        changes = _batch.Changes(self, {
            "costs": costs, "lower": lower, "upper": upper, "row_lower": row_lower,
            "row_upper": row_upper, "rhs": rhs,
        })
        if coefficients is not None:
            changes.add_coefficients(coefficients)
        solver, flags = _batch.BatchSolver(**options), 0 if pool else _batch.ALONE
        answers = solver._variants(self, changes, count, what, flags, progress, out, start, cutoff)
        warn_relaxed(answers)
        return answers

    def support(self, directions: Any, **options: object) -> Vector:
        """The support function: the largest d'x over all points of the problem, for many directions.

        Parameters
        ----------
        directions : array_like, shape (K, n) or (n,), or a sparse matrix of SciPy's
            The vectors d, one a row.
        **options
            Those of `BatchSolver`.

        Returns
        -------
        ndarray, shape (K,)
            Upper bounds, rounded outward from the dual side: no point has a larger value, whatever
            was rounded, also where a limit ended the pivots. inf where none is proved, -inf where the
            problem has no point. The problem's own objective has no part in it.
        """
        from . import _batch

        return _batch.support(self, directions, dict(options))

    def bounds_of(self, variables: Any = None, **options: object) -> tuple[Vector, Vector]:
        """The least and the largest value that columns have among all points of the problem, as
        `support` has them: sound, rounded outward.

        Parameters
        ----------
        variables : array_like of int, optional
            Columns, counted from 0; all unless given.
        **options
            As `BatchSolver` takes them.

        Returns
        -------
        lower, upper : ndarray
        """
        from . import _batch

        n = self.shape[1]
        columns = numbers_of(np.arange(n) if variables is None else variables, "variables", n)
        return _batch.bounds_of(self, columns, dict(options))

    @contextlib.contextmanager
    def _solved(self) -> Iterator[None]:
        """Within it, the problem has a solution, and this call alone uses it."""
        if self._solution is None:
            self._solve()
        with self._alone():
            yield

    def solve_ranked(self, objectives: Sequence[Any]) -> RankedSolution:
        """Lexicographic objectives: each is optimised among the points where the earlier ones are
        within their losses of their optima. Ctrl-C ends it.

        Parameters
        ----------
        objectives : sequence of Objective or of arrays of costs, shape (n,)
            Arrays are minimised, without a loss. The problem's own objective has no part in it.

        Returns
        -------
        RankedSolution
            Ends with the first objective that has no optimum, whose status is the solution's.
        """
        self._solution = None
        optima, values = _analysis.solve_ranked(self, objectives)
        self._solution = self._collect()
        warn_relaxed(self._solution)
        return RankedSolution(self._solution, optima, values)

    def write_solution(self, path: str | os.PathLike[str]) -> None:
        """Into `path`, by its ending: .sol as text, .json, .glpsol as glpsol does. Raises NoSolution,
        OSError."""
        self._call("write_solution", c_text(path, "path"))

    def write_proof(self, path: str | os.PathLike[str]) -> None:
        """Into `path` what proves the status of the last solve, as exact fractions: .json, or .vipr.

        ``python -m osi_cuda.check MODEL PATH`` checks it. A solve with ``exact="on"`` ends at a
        basis that has a proof wherever one is found. Raises NoSolution without one, OSError.
        """
        self._watched("write_proof", c_text(path, "path"))

    def _number(self, which: int) -> float:
        value = ctypes.c_double()  # `_told` costs twice as much, and a solution has 20 numbers
        self._call("get_number", which, ctypes.byref(value))
        return value.value

    def _exact(self, proof: ExactProof, status: float, sizes: tuple[int, int]) -> ExactProof:
        self._owner.solves += 1
        self._owner.borrowed = self._borrowed
        known = None if status < 0 else Status(int(status))
        vars(proof).update(_owner=self._owner, _solve=self._owner.solves, _sizes=sizes, status=known)
        return proof

    def _collect(self) -> Solution:
        lib, handle, number = library(), self._handle, self._number
        m, n = self.shape

        def text(which: int) -> str:
            return str(lib.text(handle, which).decode())

        def values(which: int, length: int) -> Vector:
            array = np.empty(length)
            code = lib.get_values(handle, which, length, address(array))
            if code == _NOTHING:  # a solve that was stopped before it had a point
                array.fill(np.nan)
            elif code != 0:
                raise self._error(code)
            return array

        def low_part(which: int, length: int) -> Vector | None:
            array = values(which, length)
            return array if np.count_nonzero(array) and not np.isnan(array).any() else None

        def phase(index: int) -> Phase:
            types = ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double
            name, *numbers = self._told("get_phase", *types, of=index)
            return Phase((name or b"").decode(), *numbers)

        status = Status(lib.status(handle))
        proof = Proof(lib.proof(handle))
        exact = self._exact(ExactProof(proof is Proof.EXACT, text(7), text(8), text(9)), number(20), (n, m))
        lower, upper, error = self._told("get_objective_enclosure", *[ctypes.c_double] * 3)
        return Solution(
            status=status,
            message=text(1),
            objective=number(0),
            objective_lower=lower,
            objective_upper=upper,
            objective_error=error,
            x=values(0, n),
            activity=values(1, m),
            duals=values(2, m),
            reduced_costs=values(3, n),
            x_low=low_part(6, n),
            y_low=low_part(7, m),
            basis=self._present_basis(m, n),
            ray=values(5, n) if status is Status.UNBOUNDED else None,
            farkas=values(4, m) if status is Status.INFEASIBLE else None,
            proof=proof,
            margin=number(4),
            residuals=Residuals(number(5), number(6), number(7)),
            iterations=int(number(1)),
            barrier_iterations=int(number(9)),
            phase1_iterations=int(number(2)),
            phases=[phase(index) for index in range(int(number(16)))],
            seconds=number(3),
            engine=text(2),
            device=text(3),
            algorithm=text(4),
            pricing=text(5),
            device_lost=number(8) != 0.0,
            exact=exact if exact.message else None,
            relaxed_integers=int(number(17)),
            relaxed_semicontinuous=int(number(18)),
            relaxed_sets=int(number(19)),
            names=self._names_of_all(),
        )


def _teller(disp: bool | Callable[[str], object]) -> tuple[bool, Callable[[str], object]]:
    """Whether lines are wanted, and what hands one to the logger and to `disp`."""
    listener = disp if callable(disp) else functools.partial(print, flush=True)

    def say(line: str) -> None:
        logger.info("%s", line)
        if disp:
            listener(line)

    return bool(disp) or logger.isEnabledFor(logging.INFO), say
