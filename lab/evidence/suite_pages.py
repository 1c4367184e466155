# SPDX-License-Identifier: EPL-2.0
"""The pages of docs/evidence/suite/ from lab/data/suite.csv, the results of lab/suite: an index with means and performance
profiles, and a page for each family. pages.py writes them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from charts import dots, profile
from data import filled, markdown

# Of each: title, who has it, the LP, the data.
FAMILIES = {
    "quantile": (
        "Quantile regression", "Econometricians, actuaries and forecasters: quantreg, statsmodels, scikit-learn.",
        "min t'u + (1 - t)'v,  X b + b0 + u - v = y,  u, v >= 0",
        "engel, star98, anes96, fair, randhie (statsmodels), diabetes (scikit-learn), diamonds (R's ggplot2)."),
    "deviations": (
        "Least absolute deviations, by inequalities", "Modelling layers such as CVXPY, where |r| is typed as it is.",
        "min sum t,  -t <= X b + b0 - y <= t", "star98, anes96, fair (statsmodels), diabetes (scikit-learn)."),
    "chebyshev": (
        "Chebyshev fits", "Metrology, approximation of functions, robust identification.",
        "min t,  -t <= X b + b0 - y <= t", "The data of the quantile regressions."),
    "filters": (
        "FIR filters", "Signal processing: linear-phase filters, as by scipy.signal.remez.",
        "min t,  -t <= sum_k h_k cos(2 pi f k) - desired(f) <= t  for f on a grid of 32 points for each coefficient",
        "The usual low-pass and band-pass specifications."),
    "sparse-recovery": (
        "Sparse recovery", "Statistics with more features than data, compressed sensing, face recognition.",
        "Dantzig selector: min |b|_1, |X'(y - X b)| <= d. Basis pursuit: min |b|_1, D b = y",
        "diabetes with products, digits: one image as a combination of all others (Wright and others 2009)."),
    "machines": (
        "L1 support vector machines", "Classifiers that choose features, in biology and text.",
        "min |b|_1 + C sum e,  s_i (x_i'b + b0) + e_i >= 1,  e >= 0", "breast_cancer and digits (scikit-learn)."),
    "trends": (
        "L1 trend filters", "Economics and climatology: piecewise linear trends (Kim and others 2009).",
        "min |y - x|_1 + w |second differences of x|_1", "sunspots and co2 (statsmodels)."),
    "portfolios": (
        "Portfolios", "Funds: conditional value at risk (Rockafellar and Uryasev 2000), Gini's mean difference; skfolio.",
        "min a + 1/((1 - q) n) sum z,  z >= -R w - a,  sum w = 1,  w, z >= 0;  for Gini x_i + y_j >= w_j (R w)_i",
        "Daily returns of 20 shares of the S&P 500, 1990 to 2022 (skfolio)."),
    "games": (
        "Matrix games", "Game theory, security, poker; here Colonel Blotto with four fields.",
        "max v,  P'p >= v,  sum p = 1,  p >= 0", "All ways to divide soldiers; payoffs are whole numbers."),
    "efficiency": (
        "Efficiency analysis", "Banks, hospitals, farms: one small LP for each unit (Charnes and others 1978).",
        "max Y l,  X l <= x_o,  l >= 0", "RiceFarms (R's plm): 1,026 harvests, five inputs."),
    "metabolism": (
        "Metabolism", "Systems biology: flux balance analysis; cobrapy.", "max c'v,  S v = 0,  l <= v <= u",
        "iJO1366, E. coli (cobra). Very sparse."),
    "networks": (
        "Verification of neural networks", "Safety of learned controllers: the triangle relaxation (Ehlers 2017).",
        "min lead of the label,  z >= W v + b,  z <= s (W v + b - l),  0 <= z <= u",
        "digits (scikit-learn): a network with 256 and 128 hidden units, trained on 1,000 of them; 94 % right on the others."),
    "field": (
        "Sources for a field", "Engineers who place heaters, antennas or coils.",
        "min t,  -t <= R q - target <= t,  q >= 0;  R: the response of each point to each source",
        "A square with decay, finite differences; the target is a spot."),
    "traffic": (
        "Traffic matrices", "Operators of networks: the loads of links are known, senders and receivers are not.",
        "min sum p + q,  R E (1 + p - q) = loads,  p >= 0, 0 <= q <= 1;  R: which pair crosses which link",
        "Generated: a ring with chords and shortest routes, an estimate E that is wrong by up to a half."),
    "transport": (
        "Optimal transport", "Machine learning, imaging, logistics: distances of distributions.",
        "min sum c x,  row sums a,  column sums b,  x >= 0", "All images of two digits (scikit-learn)."),
    "random": (
        "Appendix: random dense problems", "None; many papers compare solvers on them.", "max c'x,  A x <= b,  x >= 0",
        "The generator of bench_dense."),
}
NOT_RUN = "cuPDLPx (no package of it installs ready-made)"
NATIVE = ("osi_cuda.estimators", "osi_cuda.estimators, GPU", "scikit-learn", "statsmodels", "scipy.signal.remez",
          "quantreg br", "quantreg fn", "quantreg pfn", "pyfixest", "conquer")
Line = dict[str, str]
LISTS = {"proved vertex": 1e-8, "to 1e-8": 1e-8, "to 1e-6": 1e-6, "to 1e-4": 1e-4}
SHIFT = 0.01  # seconds, of the geometric means
LARGE = 10_000  # nonzeros, of the problems that the summary of families takes
HOW = {"single": "", "resolve": "re-solves: ", "variants": "variants: ", "batch": "batch: "}


def ours(solver: str) -> bool:
    return solver.startswith("osi_cuda")


def seconds(line: Line) -> float:
    return min(float(line["cpu" if line["clock"] == "processor" else "seconds"]), float(line["limit"]))


def reached(line: Line, kind: str) -> bool:
    """Whether the check finds the answer within the list's tolerance; without multipliers by its error."""
    rest = ["error"] if line["dual"] == "nan" else ["dual", "gap"]
    within = seconds(line) < float(line["limit"]) and all(float(line[part]) <= LISTS[kind] for part in ["primal", *rest])
    if kind == "proved vertex":
        return within and line["dual"] != "nan" and (line["vertex"] == "yes" or line["table"] != "single")
    return within


def times(lines: Iterable[Line], kind: str) -> dict[str, dict[str, tuple[float, bool]]]:
    """Solver -> problem -> seconds of the fastest run that counts, or the limit and False. Solvers that were run to larger
    tolerances only are left out."""
    found: dict[str, dict[str, tuple[float, bool]]] = {}
    lines = list(lines)
    least: dict[str, float] = {}
    for line in lines:
        least[line["solver"]] = min(least.get(line["solver"], 1.0), float(line["asked"] or 0.0))
    for line in (each for each in lines if least[each["solver"]] <= LISTS[kind]):
        name = f"{line['family']}: {line['problem']}"
        old = found.setdefault(line["solver"], {}).get(name, (math.inf, False))
        new = (seconds(line), True) if reached(line, kind) else (float(line["limit"]), False)
        found[line["solver"]][name] = min(old, new, key=lambda each: (not each[1], each[0]))
    return found


def number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def mean(values: Iterable[float]) -> float:
    logs = [math.log(value + SHIFT) for value in values]
    return math.exp(math.fsum(logs) / len(logs)) - SHIFT


def best(found: dict[str, dict[str, tuple[float, bool]]], problem: str, mine: bool) -> tuple[float, str]:
    """The least seconds of this project's solvers, or of the others, and whose."""
    return min(((each[problem][0], name) for name, each in found.items()
                if ours(name) == mine and problem in each and each[problem][1]), default=(math.inf, "none"))


# ---- pages ------------------------------------------------------------------------------------------------------------

def machines(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(line["machine"] for line in lines))


def slug(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text.lower())[:24].strip("-")


def tied(name: str, text: str) -> str:
    """A table with the marks between which pages.py finds it."""
    return f"<!-- table: {name} -->\n{text}\n<!-- end -->"


def solver_table(lines: list[Line], kind: str = "to 1e-8", ours_first: bool = True) -> str:
    """A row for each problem, a column for each solver that reaches the tolerance once at least; seconds, the least bold."""
    found = {name: each for name, each in times(lines, kind).items() if any(right for _, right in each.values())}
    names = sorted(found, key=lambda name: (not ours(name), name)) if ours_first else list(found)
    problems = list(dict.fromkeys(p for each in found.values() for p in each))
    body = []
    for p in problems:
        least = min(each[p][0] for each in found.values() if p in each and each[p][1])
        cells = [found[name].get(p) for name in names]
        body.append([p] + ["not run" if cell is None else f"> {number(cell[0])}" if not cell[1] else
                           f"**{number(cell[0])}**" if cell[0] == least else number(cell[0]) for cell in cells])
    return markdown(["seconds", *names], body)


def family_rows(lines: list[Line]) -> list[list[str]]:
    """A row for each problem: seconds of this project's solvers, of the best other, and whose, on each machine."""
    rows = []
    for series in HOW:
        some = [line for line in lines if line["table"] == series]
        kind = "proved vertex" if series == "single" else "to 1e-8"
        for name in dict.fromkeys(line["problem"] for line in some):
            own = [line for line in some if line["problem"] == name]
            row = [HOW[series] + name, f"{own[0]['rows']} x {own[0]['columns']}"]
            for machine in machines(lines):
                found = times([line for line in own if line["machine"] == machine], kind)
                problem = f"{own[0]['family']}: {name}"
                (mine, _), (theirs, who) = best(found, problem, True), best(found, problem, False)
                least = min(mine, theirs)
                row += [(f"**{number(v)}**" if v == least else number(v)) if v < math.inf else "-" for v in (mine, theirs)]
                row.append(who)
            rows.append(row)
    return rows


def losses(lines: list[Line]) -> str:
    """The problems that another solver ends sooner, in a sentence for each machine."""
    said = []
    for machine in machines(lines):
        lost, count = [], 0
        here = [line for line in lines if line["machine"] == machine and line["table"] == "single"]
        found = times(here, "proved vertex")
        for problem in dict.fromkeys(p for each in found.values() for p in each):
            (mine, _), (theirs, who) = best(found, problem, True), best(found, problem, False)
            count += 1
            if theirs < mine:
                lost.append(f"{problem.partition(': ')[2]}: {who}" + (f", {mine / theirs:.1f} times as fast" if mine < math.inf else " alone"))
        said.append(f"on {machine.split(',')[0]} {len(lost) or 'none'} of {count}" + (f" ({'; '.join(lost)})" if lost else ""))
    return "Problems that another solver ends sooner: " + ", ".join(said) + "."


def family_page(name: str, lines: list[Line], pictures: dict[str, str]) -> str:
    title, who, model, data = FAMILIES[name]
    places = machines(lines)
    picture = f"{name}.svg"
    shown = [line for line in lines if line["table"] == "single" and line["machine"] == places[-1]]
    pictures[picture] = dots(short(times(shown, "proved vertex")), f"{title}: seconds to a proved vertex, {places[-1]}")
    titles = ["problem", "rows x columns"] + [t for place in places for t in (f"{place.split(',')[0]}: osi_cuda, s", "best other, s", "whose")]
    return "\n".join([
        f"# {title}", "", "How long does each problem take to a proved vertex?", "",
        f"**Users.** {who}", f"**Data.** {data}", "", f"    {model}", "", f"![Seconds of each solver]({picture})", "",
        tied(f"suite-{name}", markdown(titles, family_rows(lines))), "",
        f"**Losses.** {losses(lines)}", "",
        "[Conditions, machines and commits](index.md#what-is-measured); every run: [suite.csv](../../../lab/data/suite.csv)."]) + "\n"


def short(found: dict[str, dict[str, tuple[float, bool]]]) -> dict[str, dict[str, tuple[float, bool]]]:
    return {name: {p.partition(": ")[2]: value for p, value in each.items()} for name, each in found.items()}


def means_table(here: list[Line]) -> str:
    """A row for each solver that took all problems: shifted means of its seconds to a proved vertex and to 1e-4."""
    found = {kind: times(here, kind) for kind in ("proved vertex", "to 1e-4")}
    problems = {p for each in found["to 1e-4"].values() for p in each}
    body = []
    for solver, all_of in found["to 1e-4"].items():
        if len(all_of) < len(problems):
            continue
        row = [solver]
        for each in (found[kind].get(solver, {}) for kind in found):
            row += [f"{mean(v for v, _ in each.values()):.3f}", str(sum(right for _, right in each.values()))] if each else ["", ""]
        body.append(row)
    for column in (1, 3):
        least = min(float(row[column]) for row in body if row[column])
        for row in body:
            row[column] = f"**{row[column]}**" if row[column] and float(row[column]) == least else row[column]
    return markdown(["shifted mean, s", "proved vertex", f"solved of {len(problems)}", "to 1e-4", f"of {len(problems)}"], body)


def summary_table(lines: list[Line]) -> str:
    """A row for each family: means of the best time of each problem of LARGE nonzeros and more, by any function of a package."""
    rows = []
    for family in FAMILIES:
        row = [f"[{FAMILIES[family][0]}]({family}.md)"]
        for machine in machines(lines):
            here = [line for line in lines if line["machine"] == machine and line["table"] == "single"]
            large = sorted({f"{line['family']}: {line['problem']}" for line in here
                            if line["family"] == family and int(line["nonzeros"]) >= LARGE})
            if not large or family == "random":
                row = []
                break
            vertex, limit = times(here, "proved vertex"), float(here[0]["limit"])
            mine = mean(min(best(vertex, p, True)[0], limit) for p in large)
            theirs = mean(min(best(vertex, p, False)[0], limit) for p in large)
            row += [number(mine), number(theirs), f"**{theirs / mine:.2f}**" if theirs > mine else f"{theirs / mine:.2f}"]
        if row:
            rows.append(row)
    titles = [t for machine in machines(lines) for t in (f"{machine.split(',')[0]}: osi_cuda, s", "best other, s", "times")]
    return markdown(["family", *titles], rows)


def provenance(lines: list[Line]) -> str:
    said = []
    for machine in machines(lines):
        here = [line for line in lines if line["machine"] == machine]
        for whose in (True, False):
            mine = [line for line in here if ours(line["solver"]) == whose]
            days = " and ".join(sorted({line["date"][:10] for line in mine}))
            said.append(f"{'osi_cuda' if whose else 'others'} on {machine}: {days}, "
                        + ", ".join(sorted({line["commit"] for line in mine})))
    limits = ", ".join(f"{next(line['limit'] for line in lines if line['machine'] == machine)} s on {machine.split(',')[0]}"
                       for machine in machines(lines))
    return "Runs: " + "; ".join(said) + f". Limits: {limits}."


def index_page(lines: list[Line], pictures: dict[str, str]) -> str:
    text = ["# A suite of dense linear programs that people have", "",
            "Which of the LPs that people have does osi_cuda solve faster than the solvers that they use? Most have real data,",
            "from statistics, finance, game theory, signal processing, biology and machine learning.", ""]
    for machine in machines(lines):
        here = [line for line in lines if line["machine"] == machine and line["table"] == "single" and line["solver"] not in NATIVE]
        picture = f"profile-{slug(machine)}.svg"
        pictures[picture] = profile(times(here, "proved vertex"), f"To a proved vertex: {machine}", ours)
        text += [f"![Performance profile, {machine}]({picture})", ""]
    text += [tied("suite", summary_table(lines) + "\n\n" + provenance(lines)), "",
             f"Families with problems of {LARGE} nonzeros and more: means of the best time of each problem, by any function of each",
             "package, shifted by 10 ms. Times: the best other over osi_cuda; bold where osi_cuda is first.", "",
             "    cd lab && python3 -m suite run --csv results.csv --limit 20", "",
             *LOSSES, "", "## How long do the solvers take?", ""]
    for machine in machines(lines):
        here = [line for line in lines if line["machine"] == machine and line["table"] == "single" and line["solver"] not in NATIVE]
        text += [f"On {machine}, {here[0]['clock']} seconds:", "", tied(f"suite-{slug(machine)}", means_table(here)), ""]
    present = [name for name in FAMILIES if any(line["family"] == name for line in lines)]
    text += [*MEASURED, "", f"Not run: {NOT_RUN}.", "", "```{toctree}", ":hidden:", "", *present, "```"]
    return "\n".join(text) + "\n"


LOSSES = """**Losses.** The goal is ten times the best other solver in nine families of ten. It is missed on both machines. Traffic
matrices are lost on both machines, metabolism and transport on the two cores: they are sparse, and Clp's pivots cost less there.
Absolute deviations by inequalities keep their size in the dual; `osi_cuda.estimators` avoids that. The exchange of
`ChebyshevRegressor` takes longer than the whole LP of a filter. scipy.signal.remez is faster than both where it converges, on a
grid of its own. quantreg's `br` is faster on some hundred observations.""".split("\n")

MEASURED = """## What is measured

- Seconds from data in memory, copies to a device included. Short solves are repeated; the first does not count. *Wall* is the
  least of them, *processor* the mean of the seconds of all threads.
- *Proved vertex*: residuals and gap within 1e-8, and the columns strictly between their bounds are linearly independent in the
  rows that rest on a side. *To 1e-4*: the fastest run whose answer is within that tolerance.
- A check that no solver shares computes residuals and gaps in extended precision. Primal residuals are relative to the
  largest side, dual ones to the largest cost.
- Functions without multipliers (scikit-learn, statsmodels, scipy, quantreg's fn and pfn, pyfixest, conquer) count by their error
  against the optimum, which is proved in rational arithmetic (`lab/suite/reference.csv`).
- A failure counts as the limit. Re-solves, variants and batches are to 1e-8. *-*: no solver has an answer that counts.
- One thread each on the two cores. On the H200 osi_cuda has 16 threads, HiPO, cuOpt and MPAX have four,
  the others one. cuOpt's
  barrier and PDLP call most regressions optimal that the check does not. MPAX compiles for each shape.""".split("\n")


def pages(lines: list[Line]) -> dict[str, str]:
    """Name of each file of docs/evidence/suite -> its text, pictures too."""
    made: dict[str, str] = {}
    made["index.md"] = index_page(lines, made)
    for name in FAMILIES:
        mine = [line for line in lines if line["family"] == name]
        if mine:
            made[f"{name}.md"] = family_page(name, mine, made)
    return {name: laid_out(text) if name.endswith(".md") else text for name, text in made.items()}


def laid_out(page: str) -> str:
    """Paragraphs and items in lines of at most 100 characters; tables, code and pictures stay."""
    text, fence, tail = page.partition("\n```")
    made: list[str] = []
    for block in text.split("\n\n"):
        if block.startswith(("|", "#", "!", "<", "    ", "```")):
            made.append(block)
        else:
            items = re.split(r"\n(?=- |<!--|\*\*)", block)
            made.append("\n".join(filled(" ".join(item.split()), "  " * item.startswith("- ")) for item in items))
    return "\n\n".join(made) + fence + tail if fence else "\n\n".join(made).rstrip("\n") + "\n"
