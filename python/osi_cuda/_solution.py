# SPDX-License-Identifier: EPL-2.0
"""What a solve returns."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Vector
from ._device import as_like
from ._errors import NoSolution, relaxed_text
from ._library import library


class _Word(enum.IntEnum):
    """Members print as words, as the command line does: "time_limit"."""

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, form: str) -> str:
        return format(int(self) if form.endswith("d") else str(self), form)


class Status(_Word):
    """How a solve ended."""

    OPTIMAL = 0
    INFEASIBLE = 1
    UNBOUNDED = 2
    OBJECTIVE_LIMIT = 3  #: the optimum is proved to be beyond the objective limit
    ITERATION_LIMIT = 4
    TIME_LIMIT = 5
    INTERRUPTED = 6
    NUMERICAL = 7  #: no status could be proved; the message says more
    INTERIOR = 8  #: with ``crossover=False``: optimal within tolerances, but no vertex
    INVALID = 9  #: in a batch: a number that no problem can have


class Proof(_Word):
    """On what a status rests."""

    NONE = 0  #: nothing is claimed
    TOLERANCE = 1  #: the residuals of the point, or a bound by its multipliers
    EXTENDED = 2  #: a certificate that holds to 1e-20 of its terms
    EXACT = 3  #: rational arithmetic


class VariableStatus(_Word):
    """Where a variable stands in a basis. For a row it speaks of the row's activity."""

    AT_LOWER = 0
    AT_UPPER = 1
    FREE = 2
    BASIC = 3


class Basis(NamedTuple):
    """A `VariableStatus` for each column and each row, as arrays of 8-bit numbers."""

    columns: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.uint8]


class Residuals(NamedTuple):
    """Residuals of the optimality conditions (Karush, Kuhn and Tucker) in the original problem. Upper
    bounds that include the rounding of their own sums (Ogita, Rump and Oishi 2005)."""

    primal: float  #: largest violation v of a bound b of a row or column, v / (1 + abs(b))
    dual: float  #: largest wrong-signed reduced cost d = c - A'y, abs(d) / (1 + abs(c))
    complementarity: float  #: the gap abs(primal - dual objective) / (1 + abs(primal objective))


class Phase(NamedTuple):
    """A stretch of a solve in which one algorithm was at work."""

    algorithm: str  #: "presolve" (and back), "primal", "dual", "barrier" or "push" (to a vertex)
    phase: int  #: of the simplex method 1 or 2, else 0
    iterations: int  #: pivots and bound flips, or the barrier's iterations
    seconds: float  #: until the next phase began


class _ExactProof(NamedTuple):
    proved: bool
    objective: str  #: as a fraction, "-464753/1000"
    digits: str  #: in 30 significant digits
    message: str  #: what is proved, or what fails and by how much


class ExactProof(_ExactProof):
    """The proof in rational arithmetic that the option ``exact`` requests.

    Attributes
    ----------
    proved : bool
    objective : str
        As a fraction, "-464753/1000".
    digits : str
        The same in 30 significant digits.
    message : str
        What is proved, or what fails and by how much.
    status : Status or None
        What is proved; another one than the solution's where that holds within the tolerances only.
    """

    status: Status | None = None
    _owner: Any = None  # of the problem, as long as its last solution is this one
    _solve = 0

    def _array(self, which: int) -> list[Fraction]:
        if f"_{which}" not in vars(self):
            owner, size = self._owner, self._sizes[which in (2, 4)]
            if owner is None or owner.handle is None or owner.solves != self._solve:
                raise NoSolution("the problem was changed, solved again or closed: its exact answer is gone")
            texts = [library().exact_text(owner.handle, which, k) for k in range(size)]
            if None in texts:
                raise NoSolution(library().message(owner.handle).decode())
            vars(self)[f"_{which}"] = [Fraction(text.decode()) for text in texts]
        return list(vars(self)[f"_{which}"])

    _sizes = 0, 0  # n and m

    @property
    def x(self) -> list[Fraction]:
        """The point, length n. This and what follows is made when it is asked for first, which has to be before the problem
        is changed or solved again. Raises NoSolution."""
        return self._array(0)

    @property
    def y(self) -> list[Fraction]:
        """The row duals, length m."""
        return self._array(2)

    @property
    def reduced_costs(self) -> list[Fraction]:
        """``c - A.T @ y``, length n."""
        return self._array(3)

    @property
    def farkas(self) -> list[Fraction]:
        """Multipliers of the rows, length m, of an infeasible problem."""
        return self._array(4)

    @property
    def ray(self) -> list[Fraction]:
        """A direction, length n, of an unbounded one."""
        return self._array(5)

    def __reduce__(self) -> Any:
        for which in (0, 2, 3, 4, 5):
            with contextlib.suppress(NoSolution):
                self._array(which)
        return type(self), tuple(self), {key: value for key, value in vars(self).items() if key != "_owner"}


@dataclasses.dataclass(frozen=True, eq=False)
class Solution:
    """The result of a solve, with n columns and m rows.

    Attributes
    ----------
    status : Status
    message : str
        Why no status could be proved, else empty.
    objective : float
        ``c @ x + offset``.
    objective_lower, objective_upper : float
        A rigorous enclosure of the exact optimum (Neumaier and Shcherbina 2004; Jansson 2004). An
        end that is not proved is infinite; the options ``enclose="on"`` and ``exact="on"`` find more.
    objective_error : float
        The largest distance of a value in the enclosure from the objective.
    x : ndarray, shape (n,)
    activity : ndarray, shape (m,)
        ``A @ x``.
    duals : ndarray, shape (m,)
        The change of the objective by a change of the right-hand side.
    reduced_costs : ndarray, shape (n,)
        ``c - A.T @ duals``.
    x_low, y_low : ndarray or None
        Low parts of x and duals, lost to rounding. The residuals are those of the exact sums
        ``x + x_low`` and ``duals + y_low``. None, nearly always: both alone have these residuals.
    basis : Basis
    ray : ndarray, shape (n,), or None
        With status UNBOUNDED: a ray, a direction along which x stays feasible and the objective
        improves without limit.
    farkas : ndarray, shape (m,), or None
        With status INFEASIBLE: Farkas multipliers y (Farkas 1902). No x within its bounds has
        ``y @ (A @ x)`` between the least and the largest ``y @ r`` of activities r within the row
        bounds.
    proof : Proof
    margin : float
        Infeasible: every point violates some bound b by at least ``margin * (1 + abs(b))``.
        Unbounded: it stays so while costs c change by less than ``margin * (1 + abs(c))``.
    residuals : Residuals
    iterations, phase1_iterations : int
        Pivots and bound flips; those on the way to a feasible basis.
    barrier_iterations : int
        Iterations of the interior point method, which are not among `iterations`.
    phases : list of Phase
        What ran one after the other; of a race: the winner's.
    seconds : float
    engine, device, algorithm, pricing : str
    device_lost : bool
        A device failed during the solve, and the host took over.
    exact : ExactProof or None
        None unless the option ``exact`` was on and the status was one that can be proved.
    relaxed_integers, relaxed_semicontinuous, relaxed_sets : int
        Columns that were taken as continuous although they are integer or semicontinuous, and special
        ordered sets that were left out: the answer is that of the relaxation. Each is followed by a
        `RelaxationWarning`. Of `Problem.solve_integers` all are 0.
    names : (rows, columns) or None
        Lists of names, where a file or `Problem.set_names` gave any.
    """

    status: Status
    message: str
    objective: float
    objective_lower: float
    objective_upper: float
    objective_error: float
    x: Vector
    activity: Vector
    duals: Vector
    reduced_costs: Vector
    x_low: Vector | None
    y_low: Vector | None
    basis: Basis
    ray: Vector | None
    farkas: Vector | None
    proof: Proof
    margin: float
    residuals: Residuals
    iterations: int
    phase1_iterations: int
    barrier_iterations: int
    phases: list[Phase]
    seconds: float
    engine: str
    device: str
    algorithm: str
    pricing: str
    device_lost: bool
    exact: ExactProof | None
    relaxed_integers: int
    relaxed_semicontinuous: int
    relaxed_sets: int
    names: tuple[list[str], list[str]] | None = dataclasses.field(kw_only=True, default=None)

    @property
    def optimal(self) -> bool:
        return self.status is Status.OPTIMAL

    @functools.cached_property
    def _places(self) -> list[dict[str, int]]:
        return [{name: k for k, name in reversed(list(enumerate(names)))} for names in self.names or ([], [])]

    def value(self, name: str) -> float:
        """x of the column `name`. Raises KeyError."""
        return float(self.x[self._places[1][name]])

    def dual(self, name: str) -> float:
        """The dual of the row `name`. Raises KeyError."""
        return float(self.duals[self._places[0][name]])

    def to_frame(self, what: str = "columns") -> Any:
        """A DataFrame of pandas, which has to be there: of the columns with value, reduced cost and
        status in the basis, or with `what` "rows" of the rows with activity, dual and status."""
        import pandas

        columns: dict[str, Any] | None = {
            "columns": {"value": self.x, "reduced_cost": self.reduced_costs, "status": self.basis.columns},
            "rows": {"activity": self.activity, "dual": self.duals, "status": self.basis.rows},
        }.get(what)
        if columns is None:
            raise ValueError(f"what is {what!r}, but has to be 'columns' or 'rows'")
        words = [str(VariableStatus(status)) for status in columns["status"].tolist()]
        index = None if self.names is None else self.names[what == "columns"]
        return pandas.DataFrame({**columns, "status": words}, index=index)

    def like(self, array: Any) -> Solution:
        """The same with its vectors as arrays of the library that `array` is of, on its device:
        PyTorch, CuPy, JAX, Numba or NumPy. The basis stays as it is."""
        vectors = {
            name: as_like(value, array)
            for name in (
                "x", "activity", "duals", "reduced_costs", "x_low", "y_low", "ray", "farkas",
            )
            if (value := getattr(self, name)) is not None
        }
        return dataclasses.replace(self, **vectors)

    def __repr__(self) -> str:
        relaxed = relaxed_text(self)
        return (
            f"<{type(self).__name__} {self.status}, objective {self.objective:.10g}, "
            f"{self.iterations} iterations{', relaxed: ' * bool(relaxed)}{relaxed}>"
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class IntegerSolution(Solution):
    """The result of a search for integers: a `Solution` whose x has whole numbers where they were
    asked for.

    Without an incumbent the objective and x are NaN. Duals, reduced costs and residuals are those of
    the problem with its integers fixed at x; NaN where a limit came before they were computed.
    `objective_lower` and `objective_upper` are proved: x on the one side, the relaxation on the other.
    `proof` of an OPTIMAL status is NONE where it rests on the search, and `farkas` of an INFEASIBLE
    one is None then.

    Attributes
    ----------
    bound : float
        No integer point is better: proved by the own search, a claim of Cbc's.
    gap : float
        Of objective and bound, over the larger absolute value of the two; inf without an incumbent.
    nodes, cuts, linear_programs : int
        Of the search: nodes, cuts that were made, linear programs that were solved.
    point_proof : Proof
        On what it rests that x is feasible, and the best point with its integers.
    """

    bound: float
    gap: float
    nodes: int
    cuts: int
    linear_programs: int
    point_proof: Proof


class Incumbent(NamedTuple):
    """A better integer point than those before."""

    seconds: float  #: since the search began
    nodes: int
    objective: float
    bound: float  #: no integer point is better, says the search
    x: Vector  #: shape (n,), as the search has it, not yet proved

    def __str__(self) -> str:
        return (
            f"{self.seconds:8.1f} s {self.nodes:10d} nodes  objective {self.objective:17.10e}  "
            f"bound {self.bound:17.10e}"
        )
