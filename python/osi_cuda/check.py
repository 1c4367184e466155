# SPDX-License-Identifier: EPL-2.0
"""Checks a proof of ``osi-cuda solve MODEL --proof PROOF`` in rational arithmetic.

    python -m osi_cuda.check MODEL PROOF [INFINITY]

MODEL is an MPS file, gzip or not; its decimals are read as the nearest doubles, its fractions, 1/3, as
such. Where the proof says so, decimals are those of the file; one that is a double printed with 17 digits stands for the
shortest decimal that is read as that double. Bounds and sides of size INFINITY or more, 1e20 without it, are infinite,
as with ``--infinity``. PROOF is a .json or .vipr file, or with ``--integers`` a .tree or .vipr file.
Nothing here is shared with the solver.
What is checked: an optimum has a feasible point and multipliers that bound the objective by the
point's; an infeasible problem has multipliers whose combination of rows and bounds nothing
satisfies, or crossed bounds; an unbounded one a feasible point and an improving ray without end.
Of a basis, that its nonbasic variables rest on their bounds and its basic ones have multiplier 0.

Of a tree: that its branches leave out no whole number, and that each leaf has multipliers which bound
its objective by what is claimed, or which nothing in the leaf satisfies.

Of a .vipr file: that its problem is the model, and each statement follows from those that it names.

Prints one line. Exit status: 0 proved, 1 the proof is refused, 2 a file can't be read.
"""

from __future__ import annotations

import gzip
import itertools
import json
import math
import pathlib
import sys
from fractions import Fraction
from typing import Any, NoReturn

Bound = Fraction | None  # None: infinite
Row = dict[int, Fraction]  # coefficients by column


class Refused(Exception):
    """The proof does not prove what it states."""


class Unreadable(Exception):
    """A file is missing, or is none that can be read here."""


def refuse(reason: str) -> NoReturn:
    raise Refused(reason)


class Model:
    """A linear program read from an MPS file. Variable v < n is column v, n + i is row i."""

    def __init__(self, path: str, infinity: float, numbers: str = "doubles") -> None:
        self.infinity = infinity
        self.numbers = numbers  # doubles, decimals, or fractions: doubles beside fractions
        data = pathlib.Path(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.maximize, self.offset, self.integers = False, Fraction(0), False
        self.free, self.fixed = False, False  # the layout, as far as it is known
        self.types: dict[str, str] = {}
        self.objective: str | None = None
        self.columns: dict[str, int] = {}
        self.rows: dict[str, int] = {}
        self.costs: Row = {}
        self.matrix: list[Row] = []  # by rows
        self.lower: list[Fraction | float] = []  # of columns, then of rows
        self.upper: list[Fraction | float] = []
        self.integer: list[bool] = []
        self.seen: list[set[str]] = []  # types of bounds
        self.sides: dict[str, Fraction | float] = {}
        self.ranges: dict[str, str] = {}
        self.sets: dict[str, str] = {}  # the first set of each section, which counts
        section = ""
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if line[:1] == "*" or not line.strip():
                continue
            try:
                if line[0] in " \t":
                    self.data_line(section, line)
                else:
                    section = self.section_line(line)
            except (ValueError, KeyError, IndexError) as error:
                raise Unreadable(f"{path}:{number}: no line of an MPS file that this checker reads "
                                 f"({error}); other formats: osi-cuda convert") from None
            if section == "ENDATA":
                break
        else:
            raise Unreadable(f"{path}: no ENDATA: no MPS file, or a truncated one")
        self.finish()

    def section_line(self, line: str) -> str:
        words = line.split()
        section = words[0].upper()
        if section == "NAME":
            if words[-1] in ("IEEE", "FREEIEEE"):
                raise ValueError("encoded numbers")
            self.free = words[-1] == "FREE" and len(words) > 1
            return ""
        if section.startswith("OBJSENSE") and len(line.strip()) > 8:  # and its value
            section = (section[8:] or words[1]).upper()
        if section[:3] in ("MAX", "MIN"):
            self.maximize = section[:3] == "MAX"
            return ""
        if section not in ("OBJSENSE", "OBJNAME", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS",
                           "ENDATA"):
            raise ValueError(f"section {section}")
        if section == "OBJNAME" and len(words) > 1:
            self.objective = words[1]
        if section == "COLUMNS":
            free = [name for name, kind in self.types.items() if kind == "N"]
            self.objective = self.objective or (free[0] if free else None)
            self.rows = {name: i for i, name in enumerate(
                name for name, kind in self.types.items() if kind != "N")}
            self.matrix = [{} for _ in self.rows]
        return section

    def data_line(self, section: str, line: str) -> None:
        if not self.fixed:
            try:
                return self.fields_line(section, line.split())
            except (ValueError, KeyError, IndexError):
                if self.free or "\t" in line:
                    raise
        fields = [line[a:b].strip() for a, b in
                  ((1, 3), (4, 12), (14, 22), (24, 39), (39, 47), (49, None))]
        self.fields_line(section, [field for field in fields if field])
        self.fixed = True  # names may hold blanks from here on

    def fields_line(self, section: str, words: list[str]) -> None:
        for k in range(1 if section == "COLUMNS" else 2, len(words)):
            if words[k][0] in "$*" and words[k] not in self.types and words[k] not in self.columns:
                words = words[:k]  # a comment
                break
        if section == "OBJSENSE":
            self.section_line(words[0])
        elif section == "OBJNAME":
            self.objective = words[0]
        elif section == "ROWS":
            kind, name = words
            self.types[name] = {"N": "N", "E": "E", "L": "L", "G": "G"}[kind.upper()]
        elif section == "COLUMNS" and words[1] == "'MARKER'":
            self.integers = {"INTORG": True, "INTEND": False}[words[2].strip("'")]
        elif section == "COLUMNS":
            self.column_line(words[0], self.pairs(words[1:]))
        elif section in ("RHS", "RANGES"):
            name = words[0] if len(words) % 2 else ""
            if self.sets.setdefault(section, name) != name:
                return
            for row, text in self.pairs(words[len(words) % 2:]):
                if section == "RHS":
                    self.sides[row] = self.number(text)
                else:
                    self.ranges[row] = text
        elif section == "BOUNDS":
            self.bound_line(words)
        else:
            raise ValueError("data before a section")

    def pairs(self, words: list[str]) -> list[tuple[str, str]]:
        pairs = list(zip(words[::2], words[1::2], strict=True))
        for row, text in pairs:  # what is no row or number raises, so that fixed format is tried
            self.types[row], decimal(text)
        return pairs

    def column_line(self, name: str, pairs: list[tuple[str, str]]) -> None:
        j = self.columns.setdefault(name, len(self.columns))
        if j == len(self.integer):
            self.integer.append(self.integers)
            self.lower.append(0.0)
            self.upper.append(math.inf)
            self.seen.append(set())
        for row, text in pairs:
            if row == self.objective:
                self.costs[j] = Fraction(self.number(text))
            elif row in self.rows:
                self.matrix[self.rows[row]][j] = Fraction(self.number(text))

    def bound_line(self, words: list[str]) -> None:
        kind = words[0].upper()
        valued = {"UP": True, "LO": True, "FX": True, "LI": True, "UI": True, "SC": True,
                  "FR": False, "MI": False, "PL": False, "BV": False}[kind]
        at = 2 if len(words) >= 4 or (not valued and words[2:] and words[2] in self.columns) else 1
        j = self.columns[words[at]]
        value = self.number(words[at + 1]) if valued else 0.0
        value = math.copysign(math.inf, value) if abs(value) >= self.infinity else value
        name = words[1] if at == 2 else ""
        if self.sets.setdefault("BOUNDS", name) != name:
            return
        self.seen[j].add(kind)
        self.integer[j] |= kind in ("BV", "LI", "UI")
        lower = {"LO": value, "LI": value, "FX": value, "FR": -math.inf, "MI": -math.inf, "BV": 0.0}
        upper = {"UP": value, "UI": value, "SC": value, "FX": value, "FR": math.inf, "PL": math.inf,
                 "BV": 1.0}
        self.lower[j] = lower.get(kind, self.lower[j])
        self.upper[j] = upper.get(kind, self.upper[j])

    def finish(self) -> None:
        for j, seen in enumerate(self.seen):
            if self.upper[j] < 0 and not seen & {"LO", "LI", "FX", "FR", "MI", "BV"}:
                self.lower[j] = -math.inf
            if self.integer[j] and not seen:
                self.upper[j] = 1.0
            if "SC" in seen:
                self.lower[j], self.upper[j] = min(self.lower[j], 0.0), max(self.upper[j], 0.0)
        for name, kind in self.types.items():
            side = self.sides.get(name, 0.0)
            if name == self.objective:
                self.offset = -Fraction(side)
            if name not in self.rows:
                continue
            low = high = side
            if abs(side) >= self.infinity:
                low, high = -math.inf, math.inf
            elif name in self.ranges:
                width = self.number(self.ranges[name])
                exact = self.numbers == "decimals" or "/" in self.ranges[name] or Fraction(float(side)) != side
                round_to = Fraction if exact else lambda x: Fraction(float(nearest(x)))
                if not exact:
                    width = nearest(parsed(self.ranges[name]))
                if kind == "L" or (kind == "E" and width < 0):
                    low = round_to(Fraction(side) - abs(Fraction(width)))
                else:
                    high = round_to(Fraction(side) + abs(Fraction(width)))
            elif kind in "LG":
                low, high = (-math.inf, side) if kind == "L" else (side, math.inf)
            self.lower.append(-math.inf if low <= -self.infinity else low)
            self.upper.append(math.inf if high >= self.infinity else high)
        self.below: list[Bound] = [None if b == -math.inf else Fraction(b) for b in self.lower]
        self.above: list[Bound] = [None if b == math.inf else Fraction(b) for b in self.upper]

    def number(self, text: str) -> Fraction | float:
        """What a number of the file stands for; infinite ones as they are."""
        value = decimal(text)
        if math.isinf(value):
            return value
        given = parsed(text)
        if "/" in text and self.numbers != "doubles":
            return given
        if self.numbers != "decimals":
            return Fraction(value)
        brief = Fraction(repr(value))
        return brief if given in (brief, Fraction(f"{value:.16e}")) else given

    def name(self, v: int) -> str:
        n = len(self.columns)
        return f"column {list(self.columns)[v]}" if v < n else f"row {list(self.rows)[v - n]}"


def parsed(text: str) -> Fraction:
    """1d5 is 1e5."""
    return Fraction(text.lower().replace("d", "e"))


def decimal(text: str) -> float:
    """The nearest double."""
    value = float(parsed(text) if "/" in text else text.lower().replace("d", "e"))
    if not math.isfinite(value) and "inf" not in text.lower():
        raise ValueError(f"number {text}")
    return value


def nearest(value: Fraction) -> Fraction:
    """The nearest number of 64 bits, ties to even: ranges are read and added in those."""
    if not value:
        return value
    shift = abs(value.numerator).bit_length() - value.denominator.bit_length() - 63
    for step in (Fraction(2) ** shift, Fraction(2) ** (shift - 1)):
        if abs(value) / step >= 2**63:
            return round(value / step) * step
    raise AssertionError("a number has 64 bits or one less")


class Vector:
    """Numbers over one denominator, so that sums are sums of integers."""

    def __init__(self, numbers: list[Fraction]) -> None:
        self.unit = math.lcm(*{x.denominator for x in numbers})
        self.scaled = [x.numerator * (self.unit // x.denominator) for x in numbers]

    def dot(self, row: Row) -> Fraction:
        """row'x, times the unit."""
        return sum((a * self.scaled[j] for j, a in row.items() if self.scaled[j]), Fraction(0))

    def with_activities(self, model: Model) -> list[Fraction]:
        """Columns, then rows, times the unit."""
        return [*map(Fraction, self.scaled), *map(self.dot, model.matrix)]


def check_feasible(model: Model, point: Vector) -> list[Fraction]:
    values = point.with_activities(model)
    for v, value in enumerate(values):
        low, high = model.below[v], model.above[v]
        if (low is not None and value < low * point.unit) or (
                high is not None and value > high * point.unit):
            refuse(f"{model.name(v)} lies beyond a bound")
    return values


def bound_of(model: Model, weights: list[Fraction], minimize: bool) -> Fraction:
    """The least (or largest) sum of weights times variables within their bounds."""
    total = Fraction(0)
    for v, weight in enumerate(weights):
        if weight:
            bound = model.below[v] if (weight > 0) == minimize else model.above[v]
            if bound is None:
                refuse(f"{model.name(v)} has a multiplier and no bound on that side")
            total += weight * bound
    return total


def combined(model: Model, costs: Row, y: Vector) -> list[Fraction]:
    """costs - A'y, then y, times the unit of y."""
    weights = [costs.get(j, Fraction(0)) * y.unit for j in range(len(model.columns))]
    for i, row in enumerate(model.matrix):
        if y.scaled[i]:
            for j, a in row.items():
                weights[j] -= a * y.scaled[i]
    return weights + list(map(Fraction, y.scaled))


def check_basis(model: Model, basis: list[str], values: list[Fraction], unit: int,
                weights: list[Fraction] | None) -> None:
    if len(basis) != len(values) or basis.count("basic") != len(model.rows):
        refuse("the basis has another size")
    for v, status in enumerate(basis):
        low, high = model.below[v], model.above[v]
        if status == "basic":
            if weights is not None and weights[v]:
                refuse(f"{model.name(v)} is basic and has a multiplier")
            continue
        rest = high if low is None or (status == "upper" and high is not None) else low
        if values[v] != (rest or 0) * unit:
            refuse(f"{model.name(v)} is nonbasic and not at its bound")


def check_json(model: Model, proof: dict[str, Any]) -> str:
    def numbers(key: str, size: int) -> Vector:
        if len(proof[key]) != size or not all(isinstance(x, (str, int)) for x in proof[key]):
            refuse(f"{key} is no list of {size} fractions")
        return Vector(list(map(Fraction, proof[key])))

    n, m = len(model.columns), len(model.rows)
    if proof["format"] != "osi_cuda proof 1":
        refuse("it has another format")
    if proof["columns"] != list(model.columns) or proof["rows"] != list(model.rows):
        refuse("its rows or columns are not those of the model")
    if proof["problem"]["sense"] != ("maximize" if model.maximize else "minimize"):
        refuse("its sense is not that of the model")
    status = proof["status"]
    if status == "infeasible":
        for kind, names, shift in (("column", model.columns, 0), ("row", model.rows, n)):
            if f"crossed_{kind}" in proof:
                v = names[proof[f"crossed_{kind}"]] + shift
                if model.lower[v] <= model.upper[v]:
                    refuse(f"the bounds of {model.name(v)} don't cross")
                return "infeasible"
        if bound_of(model, combined(model, {}, numbers("farkas", m)), True) <= 0:
            refuse("the multipliers prove nothing")
        return "infeasible"
    point = numbers("primal", n)
    values = check_feasible(model, point)
    value = point.dot(model.costs) / point.unit + model.offset
    basis = proof["column_basis"] + proof["row_basis"]
    if status == "optimal":
        y = numbers("dual", m)
        weights = combined(model, model.costs, y)
        if value != Fraction(proof["objective"]):
            refuse("the objective of the point is another one")
        if bound_of(model, weights, not model.maximize) / y.unit + model.offset != value:
            refuse("the multipliers prove another bound of the objective")
        check_basis(model, basis, values, point.unit, weights)
        return f"optimal, objective {short(value)}"
    if status != "unbounded":
        refuse(f"the status {status} can't be proved")
    check_basis(model, basis, values, point.unit, None)
    ray = numbers("ray", n)
    for v, step in enumerate(ray.with_activities(model)):
        if (model.above[v] if step > 0 else model.below[v] if step < 0 else None) is not None:
            refuse(f"the ray moves {model.name(v)} towards a bound")
    if (ray.dot(model.costs) > 0) != model.maximize or not ray.dot(model.costs):
        refuse("the ray does not improve the objective")
    return "unbounded"


class Statement:
    """A constraint of a certificate, given or derived: the sum of the row is >= (sign 1), <= (-1) or =
    (0) the side, under assumptions."""

    def __init__(self, sign: int, side: Fraction, row: Row, assumed: frozenset[int]) -> None:
        self.sign, self.side, self.assumed = sign, side, assumed
        self.row = {j: a for j, a in row.items() if a}

    def is_absurd(self) -> bool:
        return not self.row and (self.side > 0 if self.sign > 0 else
                                 self.side < 0 if self.sign < 0 else self.side != 0)

    def implies(self, other: Statement) -> bool:
        if self.is_absurd():
            return True
        if self.row != other.row or self.sign not in (0, other.sign):
            return False
        return self.side == other.side or (other.sign != 0 and (self.side > other.side) == (other.sign > 0))


class Certificate:
    """A file in VIPR's format, version 1.0."""

    signs = {"G": 1, "L": -1, "E": 0}

    def __init__(self, model: Model, text: str) -> None:
        self.words = iter(" ".join(
            x for x in text.splitlines() if x[:1] != "%").replace("{", " ").split())
        self.model, self.n = model, len(model.columns)
        self.costs = {j: c for j, c in model.costs.items() if c}
        if model.offset:  # a column behind the model's, fixed at 1
            self.costs[self.n] = model.offset
        self.system: list[Statement] = []
        self.integers: set[int] = set()

    def expect(self, *wanted: object) -> None:
        for word in wanted:
            if next(self.words) != str(word):
                refuse(f"{word} is missing")

    def row(self, size: int | None = None) -> Row:
        size = int(next(self.words)) if size is None else size
        return {int(next(self.words)): Fraction(next(self.words)) for _ in range(size)}

    def side(self) -> tuple[int, Fraction]:
        return self.signs[next(self.words)], Fraction(next(self.words))

    def check(self) -> str:
        self.check_problem()
        model, end = self.model, {"inf": None, "-inf": None}
        self.expect("RTP")
        proved: list[str] = []
        if next(self.words) == "range":
            ends = [end[x] if x in end else Fraction(x)
                    for x in itertools.islice(self.words, 2)]
            bound, value = ends[::-1] if model.maximize else ends
            goal = Statement(-1 if model.maximize else 1, bound or Fraction(0), self.costs, frozenset())
            found = self.check_solution(value)
            if bound is not None:
                proved.append(f"optimal, objective {short(bound)}" if bound == found
                              else f"no point is better than {short(bound)}")
            if found is not None and bound != found:
                proved.append(f"a point has {short(found)}")
        else:
            bound, goal = Fraction(0), Statement(1, Fraction(1), {}, frozenset())
            self.expect("SOL", 0)
            proved.append("infeasible")
        last = self.check_derivations()
        if bound is not None and (last is None or last.assumed or not last.implies(goal)):
            refuse("the last statement is not what is claimed, or rests on an assumption")
        if not proved:
            refuse("it claims nothing")
        if next(self.words, None) is not None:
            refuse("something follows the last statement")
        return "; ".join(proved)

    def check_problem(self) -> None:
        """The variables, the objective and the constraints are those of the model."""
        model, n = self.model, self.n
        size = n + bool(model.offset)
        self.expect("VER", "1.0", "VAR", size)
        list(itertools.islice(self.words, size))
        self.expect("INT")
        self.integers = {int(next(self.words)) for _ in range(int(next(self.words)))}
        if self.integers and self.integers != {j for j in range(n) if model.integer[j]}:
            refuse("the integer columns are not those of the model")
        self.expect("OBJ", "max" if model.maximize else "min")
        if self.row() != self.costs:
            refuse("the objective is not that of the model")
        unit = Fraction(1)
        wanted: list[tuple[int, Bound, Row]] = []
        for v, (low, high) in enumerate(zip(model.below, model.above, strict=True)):
            if v == n and model.offset:
                wanted.append((0, unit, {n: unit}))
            entries = {v: unit} if v < n else model.matrix[v - n]
            wanted += [(0, low, entries)] if low == high and low is not None else [
                (sign, side, entries) for sign, side in ((1, low), (-1, high)) if side is not None]
        if not model.rows and model.offset:
            wanted.append((0, unit, {n: unit}))
        self.expect("CON", len(wanted))
        next(self.words)
        for sign, side, entries in wanted:
            next(self.words)  # a name
            if self.side() != (sign, side) or self.row() != {j: a for j, a in entries.items() if a}:
                refuse("the constraints are not those of the model")
            self.system.append(Statement(sign, side or Fraction(0), entries, frozenset()))

    def check_solution(self, value: Bound) -> Bound:
        """The objective of a feasible solution that reaches `value`."""
        self.expect("SOL")
        best: Bound = None
        for _ in range(int(next(self.words))):
            next(self.words)
            solution = self.row()
            point = Vector([solution.get(j, Fraction(0)) for j in range(self.n)])
            check_feasible(self.model, point)
            if any(solution.get(j, Fraction(0)).denominator != 1 for j in self.integers):
                refuse("a value of the solution is not whole")
            if self.model.offset and solution.get(self.n) != 1:
                refuse("the offset's column is not 1")
            best = point.dot(self.model.costs) / point.unit + self.model.offset
        if value is not None and (best is None or (best < value if self.model.maximize else best > value)):
            refuse("the objective of the solution is another one")
        return best

    def check_derivations(self) -> Statement | None:
        made: Statement | None = None
        self.expect("DER")
        for _ in range(int(next(self.words))):
            name = next(self.words)
            sign, side = self.side()
            size = next(self.words)
            made = Statement(sign, side, {} if size == "OBJ" else self.row(int(size)), frozenset())
            if size == "OBJ":
                made.row = self.costs  # one object for all
            reason = next(self.words)
            if reason == "asm":
                made.assumed = frozenset([len(self.system)])
            elif reason == "uns":
                made.assumed = self.unsplit(made, name)
            else:
                basis = self.combined(reason == "rnd", name)
                if reason not in ("lin", "rnd") or not basis.implies(made):
                    refuse(f"the combination of {name} proves another statement")
                made.assumed = basis.assumed
            self.expect("}")
            next(self.words)
            self.system.append(made)
        return made

    def combined(self, rounds: bool, name: str) -> Statement:
        sign, side = 0, Fraction(0)
        sums: Row = {}
        assumed: frozenset[int] = frozenset()
        for k, weight in self.row().items():
            used = self.at(k)
            if used.sign and weight:
                own = used.sign if weight > 0 else -used.sign
                if sign not in (0, own):
                    refuse(f"a weight of {name} has the wrong sign")
                sign = own
            side += weight * used.side
            assumed |= used.assumed
            for j, a in used.row.items():
                sums[j] = sums.get(j, Fraction(0)) + weight * a
        made = Statement(sign, side, sums, assumed)
        if rounds:
            if any(j not in self.integers or a.denominator != 1 for j, a in made.row.items()):
                refuse(f"{name} is no sum of whole numbers")
            made.side = Fraction(math.ceil(side) if sign > 0 else math.floor(side) if sign < 0 else side)
        return made

    def at(self, k: int) -> Statement:
        if not 0 <= k < len(self.system):
            refuse(f"there is no statement {k} yet")
        return self.system[k]

    def unsplit(self, made: Statement, name: str) -> frozenset[int]:
        a, of_a, b, of_b = (int(next(self.words)) for _ in range(4))
        low, high = sorted((self.at(of_a), self.at(of_b)), key=lambda x: x.sign)
        if (low.sign, high.sign) != (-1, 1) or low.row != high.row or high.side != low.side + 1 or (
                low.side.denominator != 1) or any(
                j not in self.integers or x.denominator != 1 for j, x in low.row.items()):
            refuse(f"the branches of {name} leave something out")
        if not (self.at(a).implies(made) and self.at(b).implies(made)):
            refuse(f"the branches of {name} prove another statement")
        return (self.at(a).assumed - {of_a}) | (self.at(b).assumed - {of_b})


class Box:
    """Bounds of columns and rows as integer points see them: whole bounds of integer columns, and sides
    of rows of integer columns at multiples of what divides their coefficients."""

    def __init__(self, model: Model) -> None:
        self.below, self.above = list(model.below), list(model.above)
        n = len(model.columns)
        for v in range(n + len(model.rows)):
            if v < n:
                unit = Fraction(1) if model.integer[v] else Fraction(0)
            else:
                row = {j: a for j, a in model.matrix[v - n].items() if a}
                unit = divisor(row.values()) if all(model.integer[j] for j in row) else Fraction(0)
            if unit:
                low, high = self.below[v], self.above[v]
                self.below[v] = None if low is None else math.ceil(low / unit) * unit
                self.above[v] = None if high is None else math.floor(high / unit) * unit

    def tighten(self, v: int, upper: bool, value: Fraction) -> tuple[int, bool, Bound]:
        """Returns what put() takes to undo it."""
        old = (self.above if upper else self.below)[v]
        if old is None or (value < old if upper else value > old):
            self.put(v, upper, value)
        return v, upper, old

    def put(self, v: int, upper: bool, value: Bound) -> None:
        (self.above if upper else self.below)[v] = value

    def is_empty(self, variables: range) -> bool:
        bounds = ((self.below[v], self.above[v]) for v in variables)
        return any(low is not None and high is not None and low > high for low, high in bounds)

    def least(self, weights: dict[int, int]) -> Fraction | None:
        """The least sum of weights times variables; None: it has no end."""
        total = Fraction(0)
        for v, weight in weights.items():
            bound = self.below[v] if weight > 0 else self.above[v]
            if bound is None:
                return None
            total += weight * bound
        return total


def divisor(numbers: Any) -> Fraction:
    """The greatest common divisor; 0 of no numbers."""
    unit = Fraction(0)
    for x in numbers:
        scale = math.lcm(unit.denominator, x.denominator)
        unit = Fraction(math.gcd(int(unit * scale), int(x * scale)), scale)
    return unit


class Tree:
    """The proof of a search for integers; the form is described in docs/reference/formats.md. The
    problem is minimised: of a maximum all costs are turned round."""

    def __init__(self, model: Model, text: str) -> None:
        self.model, self.box = model, Box(model)
        self.n = len(model.columns)
        sign = -1 if model.maximize else 1
        self.costs = {j: sign * c for j, c in model.costs.items() if c}
        self.offset = sign * model.offset
        whole = all(model.integer[j] for j in self.costs)
        self.step = divisor(self.costs.values()) if whole else Fraction(0)
        entries = [(i, j, a) for i, row in enumerate(model.matrix) for j, a in row.items() if a]
        self.unit = math.lcm(*{a.denominator for _, _, a in entries},
                             *{c.denominator for c in self.costs.values()})
        self.scaled: list[list[tuple[int, int]]] = [[] for _ in model.matrix]
        for i, j, a in entries:
            self.scaled[i].append((j, a.numerator * (self.unit // a.denominator)))
        self.multipliers: list[list[str]] = []
        self.implied: list[tuple[int, bool, Fraction]] = []
        self.fixed: list[tuple[int, bool, Fraction, int]] = []
        self.children: dict[int, list[tuple[int, int, bool, Fraction]]] = {}
        self.parents: dict[int, int] = {}
        self.bounded: dict[int, list[int]] = {}
        self.emptied: dict[int, int] = {}
        self.point: list[Fraction] | None = None
        self.claim: str | None = None
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if number == 1:
                if words != ["osi_cuda", "tree", "1", str(self.n), str(len(model.matrix))]:
                    refuse("it has another format, or is that of another model")
            elif self.claim is not None:
                refuse("something follows the claim")
            else:
                self.take(words)
        if self.claim is None:
            refuse("there is no claim")

    def take(self, words: list[str]) -> None:
        word = words[0]
        if word == "multipliers":
            self.multipliers.append(words[1:])
        elif word == "node":
            child, parent, change = int(words[1]), int(words[2]), self.change(words[3:6])
            if child <= parent:
                refuse(f"node {child} is older than its parent")
            self.children.setdefault(parent, []).append((child, *change))
            self.parents[child] = parent
        elif word == "bound":
            self.bounded.setdefault(int(words[1]), []).append(int(words[2]))
        elif word == "empty":
            self.emptied[int(words[1])] = int(words[2]) if words[2:] else -1
        elif word == "fix":
            self.fixed.append((*self.change(words[1:4]), int(words[4])))
        elif word == "implied":
            self.implied.append(self.change(words[1:4]))
        elif word == "point":
            self.point = [Fraction(0)] * self.n
            for j, value in zip(words[1::2], words[2::2], strict=True):
                self.point[self.column(j)] = Fraction(float(value))
        elif word == "claim":
            self.claim = words[1]
        else:
            refuse(f"a line begins with {word}")

    def column(self, word: str) -> int:
        j = int(word)
        if not 0 <= j < self.n:
            refuse(f"there is no column {j}")
        return j

    def change(self, words: list[str]) -> tuple[int, bool, Fraction]:
        return (self.column(words[0]), {"upper": True, "lower": False}[words[1]],
                Fraction(float(words[2])))

    def weights(self, number: int, costs: bool) -> tuple[dict[int, int], int]:
        """Costs, or none, less A'y, then y, as integers, and what they are multiplied by."""
        words = self.multipliers[number]
        y = {int(i): Fraction(float(value)) for i, value in zip(words[::2], words[1::2], strict=True)}
        unit = math.lcm(*{value.denominator for value in y.values()})
        scaled = {i: value.numerator * (unit // value.denominator) for i, value in y.items()}
        sums = [0] * self.n
        for j, c in self.costs.items() if costs else ():
            sums[j] = int(c * self.unit) * unit
        weights = {}
        for i, value in scaled.items():
            if not 0 <= i < len(self.scaled):
                refuse(f"there is no row {i}")
            weights[self.n + i] = value * self.unit
            for j, a in self.scaled[i]:
                sums[j] -= a * value
        weights.update({j: value for j, value in enumerate(sums) if value})
        return weights, unit * self.unit

    def reaches(self, number: int, claim: Fraction) -> bool:
        """Whether the multipliers bound the objective in the present box by the claim."""
        weights, unit = self.weights(number, True)
        least = self.box.least(weights)
        if least is None:
            return False
        bound = least / unit
        if self.step:
            bound = math.ceil(bound / self.step) * self.step
        return bound + self.offset >= claim

    def is_empty(self, number: int) -> bool:
        if self.box.is_empty(range(self.n + len(self.scaled))):
            return True
        if number < 0:
            return False
        least = self.box.least(self.weights(number, False)[0])
        return least is not None and least > 0

    def take_implied(self) -> None:
        """Bounds of columns that a row and the bounds of its other columns imply."""
        left, model = self.implied, self.model
        by_column: dict[int, list[int]] = {}
        for i, row in enumerate(model.matrix):
            for j in row:
                by_column.setdefault(j, []).append(i)
        while left:
            open_ones = [change for change in left if not any(
                self.implies(i, *change) for i in by_column.get(change[0], []))]
            if len(open_ones) == len(left):
                refuse(f"no row implies a bound of column {left[0][0]}")
            for change in left:
                if change not in open_ones:
                    self.box.tighten(*change)
            left = open_ones

    def implies(self, i: int, j: int, upper: bool, value: Fraction) -> bool:
        """a x_j <= side - least of the others, for the row or the row turned round."""
        row = self.model.matrix[i]
        for sign in (1, -1):
            side = self.box.above[self.n + i] if sign > 0 else self.box.below[self.n + i]
            a = sign * row.get(j, Fraction(0))
            if side is None or a == 0 or (a > 0) != upper:
                continue
            total = sign * side
            for k, b in row.items():
                bound = self.box.below[k] if sign * b > 0 else self.box.above[k]
                if k == j or b == 0:
                    continue
                if bound is None:
                    break
                total -= sign * b * bound
            else:
                if total / a <= value if upper else total / a >= value:
                    return True
        return False

    def check(self) -> str:
        self.take_implied()
        none = self.claim == "inf"
        claim = Fraction(0) if none else Fraction(float(self.claim or "nan"))
        for j, upper, value, number in self.fixed:
            if none or not self.model.integer[j] or value.denominator != 1:
                refuse("a column is fixed that can't be")
            undo = self.box.tighten(j, not upper, value + (1 if upper else -1))
            if not self.reaches(number, claim):
                refuse(f"{self.model.name(j)} is fixed without a proof")
            self.box.put(*undo)
            self.box.tighten(j, upper, value)
        leaves = self.check_nodes(None if none else claim)
        sign = -1 if self.model.maximize else 1
        if none:
            if self.point is not None:
                refuse("there is a point")
            return f"infeasible, by {leaves} leaves"
        return f"no point is better than {short(sign * claim)}, by {leaves} leaves" + self.check_point()

    def check_nodes(self, claim: Fraction | None) -> int:
        """Counts the leaves. The stack has nodes to enter, and bounds to put back."""
        stack: list[Any] = [(0, None)]
        leaves = 0
        while stack:
            item = stack.pop()
            if len(item) == 3:
                self.box.put(*item)
                continue
            node, change = item
            if change is not None:
                stack.append(self.box.tighten(*change))
            children = self.children.get(node, [])
            if self.box.is_empty(range(self.n)) or (
                    node in self.emptied and self.is_empty(self.emptied[node])):
                leaves += 1
                continue
            if len(children) == 2:
                (_, j, a, x), (_, k, b, y) = children
                if j == k and a != b and self.model.integer[j] and (y - x if a else x - y) == 1:
                    stack += [(child, (j, upper, value)) for child, _, upper, value in children]
                    continue
            if claim is None or not self.inherits(node, claim):
                refuse(f"node {node} has neither a proof nor two branches that leave nothing out")
            leaves += 1
        return leaves

    def inherits(self, node: int, claim: Fraction) -> bool:
        """Whether multipliers of a node above, or its own, prove the claim here."""
        above: int | None = node
        while above is not None:
            if any(self.reaches(number, claim) for number in self.bounded.get(above, [])):
                return True
            above = self.parents.get(above)
        return False

    def check_point(self) -> str:
        if self.point is None:
            return ""
        model = self.model
        if any(model.integer[j] and x.denominator != 1 for j, x in enumerate(self.point)):
            refuse("a value of the point is not whole")
        point, off = Vector(self.point), Fraction(0)
        for v, value in enumerate(point.with_activities(model)):
            for bound, sign in ((model.below[v], 1), (model.above[v], -1)):
                if bound is not None:
                    off = max(off, sign * (bound - value / point.unit) / (1 + abs(bound)))
        if off > Fraction(1, 10**6):
            refuse("the point lies beyond a bound")
        objective = point.dot(model.costs) / point.unit + model.offset
        missed = f", which misses bounds by {float(off):.1e}" if off else ""
        return f"; a point has {short(objective)}{missed}"


def check_tree(model: Model, text: str) -> str:
    return Tree(model, text).check()


def short(value: Fraction) -> str:
    return f"{value} = {float(value)!r}" if value.denominator < 10**20 else f"{float(value)!r}"


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3) or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    model_path, proof_path = arguments[:2]
    getattr(sys, "set_int_max_str_digits", lambda digits: None)(0)
    try:
        text = pathlib.Path(proof_path).read_text(encoding="utf-8", errors="replace")
        proof = json.loads(text) if not proof_path.endswith((".tree", ".vipr")) else {}
        numbers = (proof.get("problem", {}).get("numbers", "doubles") if proof
                   else "decimals" if "its decimals as fractions" in text[:99] else "fractions")
        model = Model(model_path, float(arguments[2]) if arguments[2:] else 1e20, numbers)
        relaxed = f"; relaxed: {sum(model.integer)} integer columns" if any(model.integer) else ""
        if proof_path.endswith(".tree"):
            found, relaxed = check_tree(model, text), ""
        elif proof_path.endswith(".vipr"):
            certificate = Certificate(model, text)
            found = certificate.check()
            relaxed = relaxed if not certificate.integers else ""
        else:
            found = check_json(model, proof)
        print(f"proved: {found}{relaxed}")
    except (Unreadable, OSError, EOFError) as error:
        print(error)
        return 2
    except Refused as error:
        print(f"refused: {error}")
        return 1
    except (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError) as e:
        print(f"refused: {proof_path} is no proof of this format ({type(e).__name__}: {e})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
