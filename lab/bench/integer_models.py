# SPDX-License-Identifier: EPL-2.0
"""Dense models with integer columns, the same in every run: knapsacks, covers, lot sizing, assignments, portfolios.

Each maker takes sizes and a `random.Random`, and returns a `Model`; `write` makes its MPS file.
"""
import dataclasses


@dataclasses.dataclass
class Model:
    """min costs'x,  rows x (senses: a letter L, G or E for each) sides,  0 <= x <= upper (None: no bound)."""
    rows: list
    costs: list
    sides: list
    senses: str
    upper: list = None  # 1 everywhere when left out
    whole: list = None  # everywhere when left out


def write(path, model):
    count = len(model.costs)
    upper, whole = model.upper or [1] * count, model.whole or [True] * count
    entries = [[] for _ in range(count)]
    for i, row in enumerate(model.rows):
        for j, value in enumerate(row):
            if value:
                entries[j].append(f" C{j} R{i} {value}\n")
    with open(path, "w") as out:
        out.write("NAME          X         FREE\nROWS\n N OBJ\n")
        out.writelines(f" {sense} R{i}\n" for i, sense in enumerate(model.senses))
        out.write("COLUMNS\n")
        for kind in (True, False):  # whole columns first, between their markers
            if kind:
                out.write(" M1 'MARKER' 'INTORG'\n")
            for j in range(count):
                if whole[j] == kind:
                    out.write(f" C{j} OBJ {model.costs[j]}\n")
                    out.writelines(entries[j])
            if kind:
                out.write(" M2 'MARKER' 'INTEND'\n")
        out.write("RHS\n")
        out.writelines(f" RHS R{i} {side}\n" for i, side in enumerate(model.sides))
        out.write("BOUNDS\n")
        out.writelines(f" PL BND C{j}\n" if upper[j] is None else f" UP BND C{j} {upper[j]}\n" for j in range(count))
        out.write("ENDATA\n")


def knapsack(m, n, dice, tightness=0.5):
    """Multi-dimensional knapsacks by the generator of Chu and Beasley (1998), which made OR-Library's."""
    weights = [[dice.randint(1, 1000) for _ in range(n)] for _ in range(m)]
    profits = [round(sum(row[j] for row in weights) / m + 500 * dice.random()) for j in range(n)]
    return Model(weights, [-profit for profit in profits], [int(tightness * sum(row)) for row in weights], "L" * m)


def cover(m, n, dice, share=0.2):
    """Weighted set covering: every element is in a set at least, and in a share of all."""
    rows = [[int(dice.random() < share) for _ in range(n)] for _ in range(m)]
    for row in rows:
        row[dice.randrange(n)] = 1
    return Model(rows, [dice.randrange(50, 150) for _ in range(n)], [1] * m, "G" * m)


class _Rows:
    """Rows that are written by column number."""

    def __init__(self, columns):
        self.columns, self.rows, self.sides, self.senses = columns, [], [], ""

    def add(self, entries, sense, side):
        row = [0] * self.columns
        for j, value in entries:
            row[j] += value
        self.rows.append(row)
        self.senses += sense
        self.sides.append(side)


def lots(items, periods, dice):
    """Capacitated lot sizing: x produced, s kept, y whether the machine is set up, for each item and period."""
    cells = items * periods

    def column(kind, item, period):
        return kind * cells + item * periods + period
    rows = _Rows(3 * cells)
    demands = [[dice.randint(10, 60) for _ in range(periods)] for _ in range(items)]
    preparing = [dice.randint(5, 15) for _ in range(items)]
    for i in range(items):
        for t in range(periods):
            before = [(column(1, i, t - 1), 1)] if t else []
            rows.add([*before, (column(0, i, t), 1), (column(1, i, t), -1)], "E", demands[i][t])
            rows.add([(column(0, i, t), 1), (column(2, i, t), -sum(demands[i][t:]))], "L", 0)
    room = [round(1.25 * sum(demands[i][t] + preparing[i] for i in range(items))) for t in range(periods)]
    for t in range(periods):
        used = [(column(0, i, t), 1) for i in range(items)] + [(column(2, i, t), preparing[i]) for i in range(items)]
        rows.add(used, "L", max(room[t], round(sum(room[:t + 1]) / (t + 1))))
    costs = ([dice.randint(1, 5) for _ in range(cells)] + [dice.randint(1, 4) for _ in range(cells)]
             + [dice.randint(100, 300) for _ in range(cells)])
    return Model(rows.rows, costs, rows.sides, rows.senses, [None] * (2 * cells) + [1] * cells,
                 [False] * (2 * cells) + [True] * cells)


def assignment(agents, jobs, dice, budgets=3):
    """Generalised assignment with rows over all pairs: each job to an agent, capacities, and budgets."""
    pairs = agents * jobs
    rows = _Rows(pairs)
    times = [[dice.randint(5, 25) for _ in range(jobs)] for _ in range(agents)]
    for j in range(jobs):
        rows.add([(a * jobs + j, 1) for a in range(agents)], "E", 1)
    for a in range(agents):
        rows.add([(a * jobs + j, times[a][j]) for j in range(jobs)], "L", round(0.8 * sum(times[a]) / agents))
    for _ in range(budgets):
        use = [dice.randint(1, 100) for _ in range(pairs)]
        rows.add(list(enumerate(use)), "L", round(0.85 * sum(use) / agents))
    costs = [dice.randint(10, 50) for _ in range(pairs)]
    return Model(rows.rows, costs, rows.sides, rows.senses)


def portfolio(assets, scenarios, dice, most=10):
    """Mean absolute deviation with at most `most` assets, each a share of 2 to 20 %, and a return asked for.

    Columns: the shares in percent, whether an asset is bought, the deviation of each scenario. Returns are whole
    numbers of hundredths of a percent, so that the file's numbers are exact.
    """
    returns = [[round(dice.gauss(60 + asset % 7 * 10, 300)) for asset in range(assets)] for _ in range(scenarios)]
    sums = [sum(scenario[a] for scenario in returns) for a in range(assets)]
    rows = _Rows(2 * assets + scenarios)
    for k, scenario in enumerate(returns):  # scenarios times the deviation from the mean, on both sides
        for sign in (1, -1):
            rows.add([(a, sign * (scenarios * scenario[a] - sums[a])) for a in range(assets)]
                     + [(2 * assets + k, -scenarios)], "L", 0)
    rows.add([(a, 1) for a in range(assets)], "E", 100)
    rows.add(list(enumerate(sums)), "G", round(100 * sorted(sums)[assets // 2]))
    rows.add([(assets + a, 1) for a in range(assets)], "L", most)
    for a in range(assets):
        rows.add([(a, 1), (assets + a, -20)], "L", 0)
        rows.add([(a, 1), (assets + a, -2)], "G", 0)
    return Model(rows.rows, [0] * (2 * assets) + [1] * scenarios, rows.sides, rows.senses,
                 [20] * assets + [1] * assets + [None] * scenarios,
                 [False] * assets + [True] * assets + [False] * scenarios)


MAKERS = {"knapsack": knapsack, "cover": cover, "lots": lots, "assignment": assignment, "portfolio": portfolio}


def make(name, dice):
    """The model of a name such as  cover:100x1000:0.2 , KIND:SIZExSIZE with a third number where the kind takes it."""
    kind, size, *more = name.split(":")
    return MAKERS[kind](*map(int, size.split("x")), dice, *[float(word) if "." in word else int(word) for word in more])
