# SPDX-License-Identifier: EPL-2.0
"""Stochastic linear programs from SMPS files (Birge, Dempster, Gassmann and others 1987).

    model = osi_cuda.stochastic.read("farm.cor")          # farm.tim and farm.sto lie beside it
    model.equivalent().solve()                            # all scenarios in one problem
    model.core.variants(**model.changes())                # each scenario alone: wait and see

The core file is an MPS file whose rows and columns are in the order of the periods. Of the stoch file the sections INDEP,
BLOCKS and SCENARIOS are read, DISCRETE, also with ADD and MULTIPLY. As a program:

    python -m osi_cuda.stochastic CORE [TIME STOCH] -o FILE       the deterministic equivalent, as .mps, .lp or .lps
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ._arrays import Sparse, Vector, address
from ._errors import Error, FileFormatError
from ._problem import Problem

_MOST = 1_000_000  # scenarios
_SUM = 1e-3  # probabilities are mostly rounded to a few digits
_BOUNDS = {"LO": ("lower",), "UP": ("upper",), "FX": ("lower", "upper")}


class Entry(NamedTuple):
    """A number of the core that a scenario changes."""

    kind: str  #: "coefficient", "cost", "rhs", "lower" or "upper"
    row: int  #: -1 for costs and bounds
    column: int  #: -1 for right-hand sides


class _Realization(NamedTuple):
    probability: float
    values: dict[Entry, float]


class Stochastic:
    """A core with scenarios. Counts: m rows, n columns, S scenarios, T periods.

    Attributes
    ----------
    core : Problem
    periods : list of str, length T
    row_periods, column_periods : ndarray of int, shapes (m,) and (n,)
        The period of each row and column, counted from 0.
    probabilities : ndarray, shape (S,)
    scenarios : list of dict
        New numbers of each scenario by `Entry`.
    paths : ndarray of int, shape (S, T)
        The node of the scenario tree in which a scenario is in each period. Scenarios that share a node are not told apart
        until then.
    """

    def __init__(
        self, core: Problem, periods: list[str], row_periods: Any, column_periods: Any,
        scenarios: Sequence[tuple[float, dict[Entry, float], Sequence[Any]]],
    ) -> None:
        self.core, self.periods, self.row_periods, self.column_periods = core, periods, row_periods, column_periods
        self.probabilities = np.array([probability for probability, _, _ in scenarios])
        self.scenarios = [values for _, values, _ in scenarios]
        nodes: dict[Any, int] = {}
        self.paths = np.array(
            [[nodes.setdefault((t, key), len(nodes)) for t, key in enumerate(path)] for _, _, path in scenarios]
        )

    def __repr__(self) -> str:
        counts = f"{len(self.scenarios)} scenarios, {len(self.periods)} periods"
        return f"<{type(self).__name__} {counts}, {self.paths.max() + 1} nodes, core {self.core!r}>"

    def changes(self) -> dict[str, Any]:
        """What `Problem.variants` of the core takes: each scenario as a variant, all of it known from the beginning. The
        mean of their optima with `probabilities` is the wait-and-see bound."""
        S, (m, n) = len(self.scenarios), self.core.shape
        names = {"cost": ("costs", n), "lower": ("lower", n), "upper": ("upper", n), "rhs": ("rhs", m)}
        arrays: dict[str, Any] = {}
        coefficients = []
        for s, values in enumerate(self.scenarios):
            for entry, value in values.items():
                if entry.kind == "coefficient":
                    coefficients.append((s, entry.row, entry.column, value))
                    continue
                name, length = names[entry.kind]
                array = arrays.get(name)
                if array is None:
                    array = arrays[name] = np.full((S, length), np.nan)
                array[s, max(entry.row, entry.column)] = value
        if coefficients:
            arrays["coefficients"] = tuple(map(np.array, zip(*coefficients, strict=True)))
        return arrays or {"count": S}

    def equivalent(self) -> Problem:
        """The deterministic equivalent: rows and columns of each period once for each node, costs times the node's
        probability. Those of the first period come first and keep their names; the k-th node of a later period gives its
        own a ".k"."""
        core, paths, T = self.core, self.paths, len(self.periods)
        # Of each node a scenario that passes, the period and the probability.
        scenario, period = np.divmod(np.unique(paths, return_index=True)[1], T)
        weight = np.bincount(paths.ravel(), np.repeat(self.probabilities, T))
        order = np.argsort(period, kind="stable")
        *lines, numbers = core._sparse().triplets()
        at = {key: k for k, key in enumerate(zip(*(line.tolist() for line in lines), strict=True))}
        for entry in itertools.chain.from_iterable(self.scenarios):
            if entry.kind == "coefficient":
                at.setdefault(entry[1:], len(at))
        i, j = np.array(list(at), dtype=np.int64).reshape(-1, 2).T
        numbers = np.concatenate([numbers, np.zeros(i.size - numbers.size)])
        entries = [np.flatnonzero(self.row_periods[i] == t) for t in range(T)]
        rows, first_row, row_place = _spread(self.row_periods, period, order)
        columns, first_column, place = _spread(self.column_periods, period, order)
        triplets: list[tuple[Any, Any, Any]] = []
        vectors: list[list[Vector]] = []
        names: tuple[list[str], list[str]] = ([], [])
        counted, of_core = [0] * T, (*core.row_bounds, *core.column_bounds, core.costs, numbers)
        for node in order.tolist():
            t = int(period[node])
            low, high, lower, upper, costs, v = (a.copy() for a in of_core)
            of = {"cost": costs, "lower": lower, "upper": upper}
            for entry, value in self.scenarios[scenario[node]].items():
                if entry.kind == "coefficient":
                    v[at[entry[1:]]] = value
                elif entry.kind == "rhs":
                    for side in (low, high):
                        side[entry.row] = value if np.isfinite(side[entry.row]) else side[entry.row]
                else:
                    of[entry.kind][entry.column] = value
            k, above = entries[t], paths[scenario[node]]
            triplets.append(
                (first_row[node] + row_place[i[k]], first_column[above[self.column_periods[j[k]]]] + place[j[k]], v[k])
            )
            vectors.append([a[rows[t]] for a in (low, high)]
                           + [a[columns[t]] for a in (lower, upper, costs * weight[node])])
            counted[t] += 1
            end = f".{counted[t]}" if t else ""
            names[0].extend(core.row_name(row) + end for row in rows[t].tolist())
            names[1].extend(core.column_name(column) + end for column in columns[t].tolist())
        low, high, lower, upper, costs = (np.concatenate(parts) for parts in zip(*vectors, strict=True))
        i, j, v = (np.concatenate(parts) for parts in zip(*triplets, strict=True))
        by_row = np.argsort(i, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=low.size))]).astype(np.int64)
        matrix = Sparse((low.size, costs.size), False, starts, j[by_row].astype(np.int32), v[by_row])
        problem = Problem(
            costs, matrix, low, high, lower, upper, sense=core.sense, offset=core.offset, names=names[1],
            row_names=names[0], infinity=core.get_option("infinity"),
        )
        marks = core._integers()
        if marks is not None:
            problem._change("set_integers", address(np.concatenate([marks[columns[period[node]]] for node in order])))
        return problem


def _spread(periods: Any, of_nodes: Any, order: Any) -> tuple[list[Any], Any, Any]:
    """Lines of each period, the place of each node's first, and of each line among those of its period."""
    lines = [np.flatnonzero(periods == t) for t in range(of_nodes.max() + 1)]
    sizes = np.array([lines[t].size for t in of_nodes[order]])
    first, place = np.empty(order.size, dtype=np.int64), np.empty(periods.size, dtype=np.int64)
    first[order] = np.cumsum(sizes) - sizes
    for part in lines:
        place[part] = np.arange(part.size)
    return lines, first, place


def read(
    core: str | os.PathLike[str], time: str | os.PathLike[str] | None = None, stoch: str | os.PathLike[str] | None = None,
    **options: object,
) -> Stochastic:
    """The stochastic program of three files; `time` and `stoch` lie beside `core` unless given: the same name with .tim or
    .time, and .sto or .stoch. `options` are the core's.

    Raises
    ------
    FileNotFoundError, FileFormatError
        With FILE:LINE, what was expected and what was found; also for sections that are not read, probabilities that do
        not sum to 1, and more than 1,000,000 scenarios.
    """
    files = _Files(Path(core), _beside(core, time, "tim", "time"), _beside(core, stoch, "sto", "stoch"), options)
    files.read_time()
    return Stochastic(
        files.core, files.periods, files.row_periods, files.column_periods, files.read_stoch()
    )


def _beside(core: str | os.PathLike[str], given: str | os.PathLike[str] | None, *endings: str) -> Path:
    if given is not None:
        return Path(given)
    paths = [Path(core).with_suffix(f".{case(ending)}") for ending in endings for case in (str.lower, str.upper)]
    for path in paths:
        if path.exists():
            return path
    raise FileNotFoundError(f"there is no {paths[0]}, nor any other with {', '.join(p.suffix for p in paths[1:])}")


class _Files:
    """The three files while they are read."""

    def __init__(self, core: Path, time: Path, stoch: Path, options: Mapping[str, object]) -> None:
        self.core = Problem.read(core, **options)
        self.time, self.stoch, self.path, self.line = time, stoch, core, 0
        self.rhs_names, section = {"RHS", "rhs"}, ""
        for header, fields in self._lines(core, broken=True):
            section = fields[0].upper() if header else section
            if not header and section == "RHS" and len(fields) % 2:
                self.rhs_names.add(fields[0])
        self.objective, names = self.core._names()[1], self.core._names_of_all() or ([], [])
        self.places = {
            kind: {name: k for k, name in enumerate(of)} for kind, of in zip(("row", "column"), names, strict=True)
        }
        low, high = self.core.row_bounds
        self.sided = (np.isfinite(low) ^ np.isfinite(high)) | (low == high)  # rows with one right-hand side
        self.present = dict(zip(("lower", "upper"), self.core.column_bounds, strict=True))
        self.present |= {"cost": self.core.costs, "rhs": np.where(np.isfinite(low), low, high)}

    def _lines(self, path: Path, broken: bool = False) -> Iterator[tuple[bool, list[str]]]:
        """Whether a line begins a section, and its fields."""
        self.path, self.line = path, 0
        with open(path, encoding="utf-8", errors="surrogateescape" if not broken else "replace") as file:
            for self.line, text in enumerate(file, 1):
                if text.strip() and text[0] != "*":
                    yield not text[0].isspace(), text.split()
                    if text.split()[0].upper() == "ENDATA" and not text[0].isspace():
                        return
        if not broken:
            self._refuse("ENDATA", "the end of the file")

    def _refuse(self, expected: str, found: str | list[str]) -> NoReturn:
        text = found if isinstance(found, str) else " ".join(found)
        raise FileFormatError(f"{self.path}:{self.line}: expected {expected}, found {text}")

    def _number(self, text: str) -> float:
        try:
            value = float(text.replace("D", "E").replace("d", "e"))
        except ValueError:
            value = math.nan
        return value if math.isfinite(value) else self._refuse("a number", text)

    def _probability(self, text: str) -> float:
        value = self._number(text)
        return value if 0 <= value <= 1 else self._refuse("a probability from 0 to 1", text)

    def _index(self, kind: str, name: str) -> int:
        place = self.places[kind].get(name)
        return self._refuse(f"a {kind} of the core", name) if place is None else place

    def _period(self, name: str) -> int:
        return self.periods.index(name) if name in self.periods else self._refuse("a period of the time file", name)

    # ---- the time file -----------------------------------------------------------------------

    def read_time(self) -> None:
        m, n = self.core.shape
        self.periods: list[str] = []
        self.row_periods, self.column_periods = np.full(m, -1), np.full(n, -1)
        firsts: list[tuple[int, int]] = []
        section, explicit = "", False
        for header, fields in self._lines(self.time):
            if header:
                section = fields[0].upper()
                if section not in ("TIME", "PERIODS", "ROWS", "COLUMNS", "ENDATA"):
                    self._refuse("TIME, PERIODS, ROWS, COLUMNS or ENDATA", fields)
                explicit = explicit or section == "PERIODS" and fields[1:2] == ["EXPLICIT"]
            elif section == "PERIODS" and explicit:
                self.periods.append(fields[0])
            elif section == "PERIODS":
                if len(fields) != 3:
                    self._refuse("COLUMN ROW PERIOD", fields)
                row = 0 if fields[1] == self.objective else self._index("row", fields[1])
                firsts.append((self._index("column", fields[0]), row))
                self.periods.append(fields[2])
                if firsts[0] != (0, 0) or firsts[-1] != max(firsts):
                    self._refuse("periods in the order of the core's rows and columns, from its first on", fields)
            elif section in ("ROWS", "COLUMNS") and len(fields) == 2:
                kind, places = ("row", self.row_periods) if section == "ROWS" else ("column", self.column_periods)
                if fields[0] != self.objective:
                    places[self._index(kind, fields[0])] = self._period(fields[1])
            else:
                self._refuse("a section", fields)
        if not self.periods:
            self._refuse("PERIODS", "none")
        for t, (j, i) in enumerate(firsts):
            self.column_periods[j:] = self.row_periods[i:] = t
        for kind, places in (("row", self.row_periods), ("column", self.column_periods)):
            if (places < 0).any():
                name = getattr(self.core, f"{kind}_name")(int(np.flatnonzero(places < 0)[0]))
                self._refuse(f"a period for {kind} {name}", "none")
        rows, columns, _ = self.core._sparse().triplets()
        early = np.flatnonzero(self.column_periods[columns] > self.row_periods[rows])
        if early.size:
            pair = self.core.column_name(int(columns[early[0]])), self.core.row_name(int(rows[early[0]]))
            self._refuse("rows without columns of later periods", "column {} in row {}".format(*pair))

    # ---- the stoch file ----------------------------------------------------------------------

    def read_stoch(self) -> list[tuple[float, dict[Entry, float], Sequence[Any]]]:
        self.randoms: dict[Any, tuple[int, list[_Realization]]] = {}  # period and realizations
        self.tree: dict[str, tuple[float, dict[Entry, float], tuple[Any, ...]]] = {}
        section, self.mode, target = "", "REPLACE", None
        for header, fields in self._lines(self.stoch):
            if header:
                words, target = [word.upper() for word in fields], None
                section, kind, self.mode, *_ = (*words, *("", "DISCRETE", "REPLACE")[len(words):], "")
                if section not in ("STOCH", "ENDATA") and (
                    section not in ("INDEP", "BLOCKS", "SCENARIOS") or kind != "DISCRETE"
                    or self.mode not in ("ADD", "MULTIPLY", "REPLACE")
                ):
                    self._refuse("INDEP, BLOCKS or SCENARIOS, DISCRETE with or without ADD, MULTIPLY, REPLACE", fields)
            elif section == "INDEP":
                self._independent(fields)
            elif section == "BLOCKS" and fields[0] == "BL":
                target = self._block(fields)
            elif section == "SCENARIOS" and fields[0] == "SC":
                target = self._scenario(fields)
            elif section in ("BLOCKS", "SCENARIOS") and target is not None:
                period, values = target
                for entries, value in self._entries(fields):
                    self._put(values, entries, value, period)
            else:
                self._refuse("a section, or BL or SC", fields)
        if self.tree and self.randoms:
            self._refuse("SCENARIOS alone, or INDEP and BLOCKS", "both")
        if self.tree:
            self._sum("the scenarios", [probability for probability, _, _ in self.tree.values()])
        return list(self.tree.values() or self._product())

    def _sum(self, what: str, probabilities: list[float]) -> None:
        total = math.fsum(probabilities)
        if abs(total - 1) > _SUM:
            self._refuse(f"probabilities of {what} that sum to 1", f"{total:.6g}")

    def _entry(self, column: str, row: str) -> Entry:
        if column in self.rhs_names and column not in self.places["column"]:
            i = self._index("row", row)
            if not self.sided[i]:
                self._refuse("a row with one right-hand side", row)
            return Entry("rhs", i, -1)
        j = self._index("column", column)
        return Entry("cost", -1, j) if row == self.objective else Entry("coefficient", self._index("row", row), j)

    def _entries(self, fields: list[str]) -> Iterator[tuple[list[Entry], str]]:
        """Entries and the text of their value: COLUMN ROW VALUE [ROW VALUE], or UP BOUNDS COLUMN VALUE."""
        if fields[0] in _BOUNDS and fields[0] not in self.places["column"] and len(fields) == 4:
            yield [Entry(side, -1, self._index("column", fields[2])) for side in _BOUNDS[fields[0]]], fields[3]
        elif len(fields) in (3, 5):
            for k in range(1, len(fields), 2):
                yield [self._entry(fields[0], fields[k])], fields[k + 1]
        else:
            self._refuse("COLUMN ROW VALUE", fields)

    def _known(self, entry: Entry) -> int:
        """The period of its row, or of the column of costs and bounds."""
        return int(self.row_periods[entry.row] if entry.row >= 0 else self.column_periods[entry.column])

    def _put(self, values: dict[Entry, float], entries: list[Entry], text: str, period: int) -> None:
        for entry in entries:
            known, number = self._known(entry), self._number(text)
            if known < period:
                self._refuse(f"a number of period {self.periods[period]} or later", f"one of {self.periods[known]}")
            if self.mode != "REPLACE":
                present = self._coefficient(entry) if entry.kind == "coefficient" else (
                    float(self.present[entry.kind][max(entry.row, entry.column)]))
                number = present + number if self.mode == "ADD" else present * number
            values[entry] = number

    def _coefficient(self, entry: Entry) -> float:
        rows, columns, numbers = self.core._sparse().triplets()
        return float(numbers[(rows == entry.row) & (columns == entry.column)].sum())

    def _independent(self, fields: list[str]) -> None:
        if len(fields) < 4:
            self._refuse("COLUMN ROW VALUE [PERIOD] PROBABILITY", fields)
        is_said = len(fields) > 4 and fields[-2] in self.periods
        period = self._period(fields[-2]) if is_said else 0
        values: dict[Entry, float] = {}
        for entries, text in self._entries(fields[: -1 - is_said]):
            self._put(values, entries, text, period)
        if not is_said:
            period = min(map(self._known, values))
        self.randoms.setdefault(tuple(values), (period, []))[1].append(
            _Realization(self._probability(fields[-1]), values)
        )

    def _block(self, fields: list[str]) -> tuple[int, dict[Entry, float]]:
        if len(fields) != 4:
            self._refuse("BL NAME PERIOD PROBABILITY", fields)
        period, realizations = self.randoms.setdefault(fields[1], (self._period(fields[2]), []))
        values = dict(realizations[0].values) if realizations else {}  # what is not said again is as in the first
        realizations.append(_Realization(self._probability(fields[3]), values))
        return period, values

    def _scenario(self, fields: list[str]) -> tuple[int, dict[Entry, float]]:
        if len(fields) != 5:
            self._refuse("SC NAME PARENT PROBABILITY PERIOD", fields)
        name, parent, period = fields[1], fields[2].strip("'\""), self._period(fields[4])
        values: dict[Entry, float] = {}
        path = ["ROOT"] * period
        if parent != "ROOT":
            if parent not in self.tree:
                self._refuse("ROOT or a scenario before this one", parent)
            _, above, passed = self.tree[parent]
            values, path = dict(above), list(passed[:period])
        if name in self.tree:
            self._refuse("a new name", name)
        self.tree[name] = (self._probability(fields[3]), values, (*path, *[name] * (len(self.periods) - period)))
        return period, values

    def _product(self) -> Iterator[tuple[float, dict[Entry, float], list[Any]]]:
        """All ways to combine what is independent."""
        randoms = sorted(self.randoms.items(), key=lambda item: item[1][0])
        for name, (_, realizations) in randoms:
            what = f"block {name}" if isinstance(name, str) else " ".join(map(str, name[0]))
            self._sum(what, [r.probability for r in realizations])
        count = math.prod(len(realizations) for _, (_, realizations) in randoms)
        if count > _MOST:
            self._refuse(f"at most {_MOST:,} scenarios", f"{count:,}")
        known = [sum(period <= t for _, (period, _) in randoms) for t in range(len(self.periods))]
        for chosen in itertools.product(*(range(len(realizations)) for _, (_, realizations) in randoms)):
            parts = [realizations[k] for k, (_, (_, realizations)) in zip(chosen, randoms, strict=True)]
            values = dict(itertools.chain.from_iterable(part.values.items() for part in parts))
            yield math.prod(part.probability for part in parts), values, [chosen[:k] for k in known]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m osi_cuda.stochastic", description=(
        "Writes the deterministic equivalent of a stochastic linear program in SMPS files."))
    parser.add_argument("core")
    parser.add_argument("time", nargs="?")
    parser.add_argument("stoch", nargs="?")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="by its ending .mps, .lp or .lps")
    given = parser.parse_args(arguments)
    try:
        model = read(given.core, given.time, given.stoch)
        problem = model.equivalent()
        problem.write(given.output)
    except (Error, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 66 if isinstance(error, FileNotFoundError) else 65 if isinstance(error, FileFormatError) else 73
    print(f"{model!r}: {problem!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
