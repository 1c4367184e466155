#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Root relaxations of nonlinear problems: linear programs as .mps files.

usage: nl_roots.py FOLDER FILE.nl...

Integers become continuous. Every operator that is not linear becomes a variable between its linear bounds on the box of
the bounds: the four planes of a product (McCormick 1976), secant and tangents where a function is convex or concave, its
range elsewhere. All numbers are doubles written with 17 digits, so the files are linear programs of their own; that
they are relaxations holds but for rounding.
"""
import math
import pathlib
import sys

INF = math.inf
UNARY = {13: "floor", 14: "ceil", 15: "abs", 16: "neg", 37: "tanh", 38: "tan", 39: "sqrt", 41: "sin", 42: "log10", 43: "log",
         44: "exp", 46: "cos", 49: "atan"}


class Relaxation:
    def __init__(self, lines):
        self.lines, self.at = lines, 10
        sizes = lines[1].split()
        self.columns, self.rows, objectives = (int(word) for word in sizes[:3])
        self.lower, self.upper = [-INF] * self.columns, [INF] * self.columns
        self.bodies, self.objective, self.sense, self.common = {}, None, "MIN", {}
        self.sides, self.linear, self.cost = [(-INF, INF)] * self.rows, [{} for _ in range(self.rows)], {}
        self.cuts = []  # terms, lower, upper
        self.known = {}
        self.read()

    def words(self):
        line = self.lines[self.at].split("#")[0].split()
        self.at += 1
        return line

    def read(self):
        """Expressions as trees first: relaxing them takes the bounds, which come last."""
        while self.at < len(self.lines):
            if not (words := self.words()):
                continue
            kind, rest = words[0][0], [words[0][1:], *words[1:]]
            if kind == "C":
                self.bodies[int(rest[0])] = self.tree()
            elif kind == "O" and not self.objective:
                self.sense = "MAX" if rest[1] == "1" else "MIN"
                self.objective = self.tree()
            elif kind == "V":
                terms = [self.words() for _ in range(int(rest[1]))]
                self.common[int(rest[0])] = ([(int(j), float(a)) for j, a in terms], self.tree())
            elif kind in "JG":
                terms = {int(j): float(a) for j, a in (self.words() for _ in range(int(rest[1])))}
                if kind == "J":
                    self.linear[int(rest[0])] = terms
                elif not self.cost:
                    self.cost = terms
            elif kind == "r":
                self.sides = [self.bounds() for _ in range(self.rows)]
            elif kind == "b":
                self.lower, self.upper = map(list, zip(*(self.bounds() for _ in range(self.columns))))
            elif kind in "xdkS":
                self.at += int(rest[0]) if kind != "S" else int(rest[1])
            else:
                raise ValueError(f"segment {kind}")

    def bounds(self):
        kind, *numbers = self.words()
        low = [float(word) for word in numbers]
        return {"0": lambda: (low[0], low[1]), "1": lambda: (-INF, low[0]), "2": lambda: (low[0], INF),
                "3": lambda: (-INF, INF), "4": lambda: (low[0], low[0])}[kind]()

    def tree(self):
        word = self.words()[0]
        if word[0] in "nls":
            return ("n", float(word[1:]))
        if word[0] == "v":
            return ("v", int(word[1:]))
        number = int(word[1:])
        if number in UNARY:
            return (UNARY[number], self.tree())
        count = 2 if number != 54 else int(self.words()[0])
        name = {0: "+", 1: "-", 2: "*", 3: "/", 5: "^", 54: "+", 75: "^", 76: "square"}.get(number)
        if not name:
            raise ValueError(f"operator {number}")
        if name == "square":
            return ("^", self.tree(), ("n", 2.0))
        return (name, *(self.tree() for _ in range(count)))

    def range_of(self, affine):
        terms, constant = affine
        low = high = constant
        for j, a in terms.items():
            ends = sorted((a * self.lower[j], a * self.upper[j]))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def variable(self, low, high):
        self.lower.append(-INF if math.isnan(low) or abs(low) > 1e15 else low)
        self.upper.append(INF if math.isnan(high) or abs(high) > 1e15 else high)
        return {len(self.lower) - 1: 1.0}, 0.0

    def cut(self, affine, at_least):
        """affine >= 0, or <= 0."""
        terms, constant = affine
        numbers = [*terms.values(), constant]
        if all(map(math.isfinite, numbers)) and max(map(abs, numbers)) < 1e15:
            self.cuts.append((terms, -constant, INF) if at_least else (terms, -INF, -constant))

    def relaxed(self, tree):
        """The tree as an affine expression: terms and a constant."""
        if tree in self.known:
            return self.known[tree]
        kind, *parts = tree
        if kind == "n":
            result = ({}, parts[0])
        elif kind == "v" and parts[0] < self.columns:
            result = ({parts[0]: 1.0}, 0.0)
        elif kind == "v":
            terms, rest = self.common[parts[0]]
            result = added((dict(terms), 0.0), self.relaxed(rest))
        else:
            inner = [self.relaxed(part) for part in parts]
            result = self.operation(kind, inner)
        self.known[tree] = result
        return result

    def operation(self, kind, inner):
        first, last = inner[0], inner[-1]
        if kind == "+":
            total = ({}, 0.0)
            for part in inner:
                total = added(total, part)
            return total
        if kind == "-":
            return added(first, last, -1.0)
        if kind == "neg":
            return added(({}, 0.0), first, -1.0)
        if kind == "*":
            return self.product(first, last)
        if kind == "/":
            return added(({}, 0.0), first, 1.0 / last[1]) if not last[0] else self.product(first, self.power(last, -1.0))
        if kind == "^":
            if not last[0]:
                return self.power(first, last[1])
            if not first[0] and first[1] > 0:
                return self.curve(added(({}, 0.0), last, math.log(first[1])), math.exp, math.exp, lambda low, high: 1)
            return self.operation("exp", [self.product(last, self.operation("log", [first]))])
        return self.function(kind, first)

    def product(self, x, y):
        if not x[0] or not y[0]:
            x, y = (x, y) if x[0] else (y, x)
            return added(({}, 0.0), x, y[1])
        if x == y:
            return self.power(x, 2.0)
        (a, b), (c, d) = self.range_of(x), self.range_of(y)
        ends = [p * q for p in (a, b) for q in (c, d)]
        w = self.variable(min(ends), max(ends)) if not any(map(math.isnan, ends)) else self.variable(-INF, INF)
        for p, q, above in ((a, c, True), (b, d, True), (a, d, False), (b, c, False)):
            plane = added(added(w, y, -p), added(({}, p * q), x, -q)) if math.isfinite(p) and math.isfinite(q) else None
            if plane:
                self.cut(plane, above)
        return w

    def power(self, x, exponent):
        if not x[0]:
            return {}, x[1] ** exponent
        if exponent in (0.0, 1.0):
            return x if exponent else ({}, 1.0)
        whole = exponent == int(exponent)

        def shape(low, high):
            if whole and exponent > 0 and exponent % 2 == 0:
                return 1
            if low >= 0:
                return -1 if 0 < exponent < 1 else 1
            return 0 if not whole or high > 0 else -1 if exponent % 2 else 1
        low, high = self.range_of(x)
        if not whole and low < 0:  # real powers are of numbers >= 0
            self.cut(x, True)
        value = lambda t: t**exponent if whole or t >= 0 else 0.0
        return self.curve(x, value, lambda t: exponent * t ** (exponent - 1), shape, whole=whole, through=exponent > 0)

    def function(self, kind, x):
        if not x[0]:
            return {}, getattr(math, kind)(x[1]) if kind != "abs" else abs(x[1])
        if kind == "exp":
            return self.curve(x, math.exp, math.exp, lambda low, high: 1)
        if kind in ("log", "log10"):
            unit = 1.0 if kind == "log" else math.log(10.0)
            return self.curve(x, lambda t: math.log(t) / unit, lambda t: 1 / (t * unit),
                              lambda low, high: -1 if low > 0 else 0)
        if kind == "sqrt":
            return self.power(x, 0.5)
        if kind == "abs":
            return self.curve(x, abs, lambda t: math.copysign(1.0, t), lambda low, high: 1)
        if kind in ("sin", "cos", "tanh"):
            return self.variable(-1.0, 1.0)
        return self.variable(-INF, INF)

    def curve(self, x, value, slope, shape, whole=True, through=True):
        """A variable for value(x): between secant and tangents where shape is 1 (convex) or -1 (concave)."""
        low, high = self.range_of(x)
        if not whole:
            low = max(low, 0.0)
        curved = shape(low, high)
        inner = (0.0,) if low < 0 < high and through else ()
        points = [t for t in (low, (low + high) / 2, high, *inner) if math.isfinite(t)]
        heights = {}
        for t in points:
            try:
                heights[t] = value(t)
            except (ValueError, ZeroDivisionError, OverflowError):
                pass
        ends = math.isfinite(low) and math.isfinite(high) and low in heights and high in heights
        inside = ends and (through or low > 0 or high < 0)
        w = self.variable(min(heights.values()), max(heights.values())) if inside else self.variable(-INF, INF)
        if not curved:
            return w
        for t in heights:
            try:
                self.cut(added(w, added(({}, heights[t] - slope(t) * t), x, slope(t)), -1.0), curved > 0)
            except (ValueError, ZeroDivisionError, OverflowError):
                pass
        if inside and low < high:
            rise = (heights[high] - heights[low]) / (high - low)
            self.cut(added(w, added(({}, heights[low] - rise * low), x, rise), -1.0), curved < 0)
        return w

    def write(self, path):
        cost = added((self.cost, 0.0), self.relaxed(self.objective or ("n", 0.0)))
        rows = []
        for i in range(self.rows):
            terms, constant = added((self.linear[i], 0.0), self.relaxed(self.bodies.get(i, ("n", 0.0))))
            rows.append((terms, self.sides[i][0] - constant, self.sides[i][1] - constant))
        rows += self.cuts
        columns = [[] for _ in self.lower]
        for j, a in cost[0].items():
            columns[j].append(("obj", a))
        out = [f"NAME {path.stem}", *(["OBJSENSE", "    MAX"] if self.sense == "MAX" else []), "ROWS", " N obj"]
        sides, ranges, bounds = [f" RHS obj {-cost[1]!r}"] if cost[1] else [], [], []
        for i, (terms, low, high) in enumerate(rows):
            kind = "E" if low == high else "N" if low == -INF and high == INF else "L" if low == -INF else "G"
            out.append(f" {kind} r{i}")
            sides += [f" RHS r{i} {(high if kind == 'L' else low)!r}"] if kind != "N" else []
            ranges += [f" RNG r{i} {high - low!r}"] if kind == "G" and high < INF else []
            for j, a in terms.items():
                columns[j].append((f"r{i}", a))
        out.append("COLUMNS")
        for j, entries in enumerate(columns):
            out += [f" x{j} {row} {a!r}" for row, a in entries if a] or [f" x{j} obj 0"]
        for j, (low, high) in enumerate(zip(self.lower, self.upper)):
            bounds += [f" MI B x{j}"] if low == -INF else [f" LO B x{j} {low!r}"]
            bounds += [f" UP B x{j} {high!r}"] if high < INF else []
        out += ["RHS", *sides, *(["RANGES", *ranges] if ranges else []), "BOUNDS", *bounds, "ENDATA", ""]
        path.write_text("\n".join(out), encoding="ascii")


def added(first, second, factor=1.0):
    terms = dict(first[0])
    for j, a in second[0].items():
        terms[j] = terms.get(j, 0.0) + factor * a
    return {j: a for j, a in terms.items() if a}, first[1] + factor * second[1]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for name in map(pathlib.Path, sys.argv[2:]):
        try:
            sys.setrecursionlimit(100000)
            Relaxation(name.read_text(encoding="ascii").splitlines()).write(folder / f"{name.stem}.mps")
        except (ValueError, KeyError, IndexError, UnicodeDecodeError) as fault:
            print(f"{name.name}: left out: {fault}", file=sys.stderr)


if __name__ == "__main__":
    main()
