#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the pages of docs/evidence/suite/ from lab/data/suite.csv, the results of lab/suite: an index with
means and performance profiles, and a page for each family.

usage: suite_pages.py [--check]    --check writes nothing and fails if a page or a picture is out of date.
"""

from __future__ import annotations

import csv
import math
import pathlib
import sys
from collections.abc import Iterable
from typing import Any

LAB = pathlib.Path(__file__).resolve().parents[1]
PAGES = LAB.parent / "docs/evidence/suite"

# Of each: title, who has it, the LP, the data.
FAMILIES = {
    "quantile": (
        "Quantile regression", "Econometricians, actuaries and forecasters: quantreg, statsmodels, scikit-learn.",
        "min t'u + (1 - t)'v,  X b + b0 + u - v = y,  u, v >= 0",
        "engel, star98, anes96, fair, randhie (statsmodels), diabetes (scikit-learn), diamonds (R's ggplot2)."),
    "deviations": (
        "Least absolute deviations, by inequalities", "Whoever types |r| into CVXPY or another modelling layer.",
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
        "Traffic matrices", "Operators of networks, who know the loads of links and not who talks to whom.",
        "min sum p + q,  R E (1 + p - q) = loads,  p >= 0, 0 <= q <= 1;  R: which pair crosses which link",
        "Generated: a ring with chords and shortest routes, an estimate E that is wrong by up to a half."),
    "transport": (
        "Optimal transport", "Machine learning, imaging, logistics: distances of distributions.",
        "min sum c x,  row sums a,  column sums b,  x >= 0", "All images of two digits (scikit-learn)."),
    "random": (
        "Appendix: random dense problems", "Nobody; they are compared in many papers.", "max c'x,  A x <= b,  x >= 0",
        "The generator of bench_dense."),
}
NOT_RUN = {"cuPDLPx": "no package of it installs ready-made"}
NATIVE = ("osi_cuda.estimators", "osi_cuda.estimators, GPU", "scikit-learn", "statsmodels", "scipy.signal.remez",
          "quantreg br", "quantreg fn", "quantreg pfn", "pyfixest", "conquer")
Line = dict[str, str]
LISTS = {"proved vertex": 1e-8, "to 1e-8": 1e-8, "to 1e-6": 1e-6, "to 1e-4": 1e-4}
SHIFT = 0.01  # seconds, of the geometric means
LARGE = 10_000  # nonzeros, of the problems that the summary of families takes
COLOURS = ("#c0392b", "#e67e22", "#1e8449", "#2471a3", "#7d3c98", "#117a8b", "#b7950b", "#5d6d7e", "#d35476", "#34495e",
           "#8d6e63", "#00acc1")
HOW = {"single": "Single solves", "resolve": "Re-solves", "variants": "Variants", "batch": "Batches"}


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


def table(titles: list[str], body: list[list[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(titles) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [titles, rule, *body]) + "\n"


def mean(values: Iterable[float]) -> float:
    logs = [math.log(value + SHIFT) for value in values]
    return math.exp(math.fsum(logs) / len(logs)) - SHIFT


def best(found: dict[str, dict[str, tuple[float, bool]]], problem: str, mine: bool) -> tuple[float, str]:
    """The least seconds of this project's solvers, or of the others, and whose."""
    return min(((each[problem][0], name) for name, each in found.items()
                if ours(name) == mine and problem in each and each[problem][1]), default=(math.inf, "none"))


# ---- pictures -------------------------------------------------------------------------------------------------------

def svg(width: int, height: int, body: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


def words(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{text}</text>'


def scale(low: float, high: float, left: float, right: float) -> tuple[Any, list[float]]:
    """A logarithmic axis and the powers of ten on it."""
    a, b = math.floor(math.log10(low)), math.ceil(math.log10(high))
    b = max(b, a + 1)
    return (lambda v: left + (right - left) * (math.log10(v) - a) / (b - a)), [10.0**k for k in range(a, b + 1)]


def profile(found: dict[str, dict[str, tuple[float, bool]]], title: str) -> str:
    """Share of the problems that a solver ends within a factor of the fastest (Dolan and More 2002)."""
    problems = sorted({p for each in found.values() for p in each})
    found = {name: each for name, each in found.items() if len(each) == len(problems)}
    least = {p: min((each[p][0] for each in found.values() if each[p][1]), default=math.inf) for p in problems}
    at, ticks = scale(1, 1000, 60, 500)
    drawn = [words(60, 22, title, 'font-size="15" font-weight="bold"'),
             words(60, 40, "share of the problems solved within a factor of the fastest solver's seconds", 'fill="#555"')]
    drawn += [f'<path d="M{at(t):.1f} 56V330" stroke="#ddd"/>{words(at(t) - 8, 346, f"{t:g}")}' for t in ticks]
    drawn += [f'<path d="M60 {330 - 2.7 * s}H500" stroke="#eee"/>{words(26, 334 - 2.7 * s, f"{s} %")}'
              for s in (0, 25, 50, 75, 100)]
    labels: list[tuple[float, str, str]] = []
    for k, (name, each) in enumerate(found.items()):
        ratios = sorted(max(each[p][0], 1e-6) / max(least[p], 1e-6) for p in problems if each[p][1])
        y, path = 330.0, "M60 330"
        for count, ratio in enumerate(ratios, 1):
            if ratio > 1000:
                break
            y = 330 - 270 * count / len(problems)
            path += f"H{at(ratio):.1f}V{y:.1f}"
        colour = COLOURS[k % len(COLOURS)]
        drawn.append(f'<path d="{path}H500" stroke="{colour}" stroke-width="{3.5 if ours(name) else 1.6}" fill="none"/>')
        labels.append((y, name, colour))
    last = 0.0
    for y, name, colour in sorted(labels):
        last = max(y + 4, last + 15)
        drawn.append(words(508, last, name, f'fill="{colour}" font-weight="bold"'))
    return svg(720, 370, drawn)


def dots(found: dict[str, dict[str, tuple[float, bool]]], title: str) -> str:
    """A line for each problem, a dot for each solver at its seconds; open: stopped or wrong."""
    problems = list(dict.fromkeys(p for each in found.values() for p in each))
    values = [each[p][0] for each in found.values() for p in each] or [1.0]
    at, ticks = scale(max(min(values), 1e-5), max(values), 190, 540)
    bottom = 60 + 30 * len(problems)
    height = max(bottom + 40, 70 + 17 * len(found))
    drawn = [words(20, 24, title, 'font-size="15" font-weight="bold"')]
    drawn += [f'<path d="M{at(t):.1f} 44V{bottom}" stroke="#ddd"/>{words(at(t) - 14, bottom + 18, f"{t:g} s")}' for t in ticks]
    for row, problem in enumerate(problems):
        y = 66 + 30 * row
        drawn.append(words(20, y + 4, problem.partition(": ")[2]) + f'<path d="M190 {y}H540" stroke="#eee"/>')
        for k, each in enumerate(found.values()):
            if problem in each:
                value, right = each[problem]
                colour = COLOURS[k % len(COLOURS)]
                drawn.append(f'<circle cx="{at(max(value, 1e-5)):.1f}" cy="{y}" r="5" stroke="{colour}" '
                             f'fill="{colour if right else "#fff"}"/>')
    for k, name in enumerate(found):
        drawn.append(words(556, 60 + 17 * k, name, f'fill="{COLOURS[k % len(COLOURS)]}" font-weight="bold"'))
    return svg(740, height, drawn)


# ---- pages ------------------------------------------------------------------------------------------------------------

def seconds_table(lines: list[Line], kind: str) -> str:
    """A row for each solver that reaches the list once at least."""
    found = times(lines, kind)
    problems = list(dict.fromkeys(f"{line['family']}: {line['problem']}" for line in lines))
    least = {p: min((each[p][0] for each in found.values() if p in each and each[p][1]), default=0.0) for p in problems}

    ended = {(line["solver"], f"{line['family']}: {line['problem']}") for line in lines
             if seconds(line) < float(line["limit"]) and line["status"] not in ("limit", "timelimit")}

    def cell(name: str, each: dict[str, tuple[float, bool]], p: str) -> str:
        if p not in each:
            return ""
        value, right = each[p]
        text = number(value) if right else "no" if (name, p) in ended else f"> {number(value)}"
        return f"**{text}**" if right and value == least[p] else text

    body = [[name, *(cell(name, each, p) for p in problems)] for name, each in found.items()
            if any(right for _, right in each.values())]
    return table(["seconds", *(p.partition(": ")[2] for p in problems)], body)


def machines(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(line["machine"] for line in lines))


def slug(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text.lower())[:24].strip("-")


def losses(lines: list[Line]) -> str:
    """Problems whose proved vertex another solver has sooner."""
    found, said = times(lines, "proved vertex"), []
    for problem in dict.fromkeys(p for each in found.values() for p in each):
        (mine, _), (theirs, who) = best(found, problem, True), best(found, problem, False)
        if theirs < mine:
            how = f"{mine / theirs:.1f} times as fast" if mine < math.inf else "alone at a proved vertex"
            said.append(f"- {problem.partition(': ')[2]}: {who} is {how}.")
    return "\n".join(said) if said else "None here."


def family_page(name: str, lines: list[Line], pictures: dict[str, str]) -> str:
    title, who, model, data = FAMILIES[name]
    text = [f"# {title}", "", f"**Who has it.** {who}", "", f"**Data.** {data}", "", "The LP:", "",
            f"    {model}", ""]
    sizes = {line["problem"]: line for line in lines if line["table"] == "single"}
    if sizes:
        text += [table(["problem", "rows", "columns", "nonzeros"],
                       [[p, line["rows"], line["columns"], line["nonzeros"]] for p, line in sizes.items()])]
    for machine in machines(lines):
        here = [line for line in lines if line["machine"] == machine]
        single = [line for line in here if line["table"] == "single"]
        text += [f"## {machine}", ""]
        if single:
            picture = f"{name}-{slug(machine)}.svg"
            pictures[picture] = dots(times(single, "proved vertex"), f"Seconds to a proved vertex: {title.lower()}")
            text += [f"![Seconds of each solver to a proved vertex]({picture})", ""]
            for kind in LISTS:
                shown = seconds_table(single, kind)
                text += [f"### Single solves, {kind}", "", shown]
        for series in ("resolve", "variants", "batch"):
            some = [line for line in here if line["table"] == series]
            if some:
                text += [f"### {HOW[series]}, all to 1e-8", "", seconds_table(some, "to 1e-8")]
        if single:
            text += ["### Where another solver is faster to a proved vertex", "", losses(single), ""]
    return "\n".join([*text, "[What the columns mean](index.md#what-is-measured)"]) + "\n"


# Pivots and seconds of the dual on an open device, one NVIDIA H200, 1f012b0, where others are first or close.
ON_DEVICE = {"trends: co2": (5760, 0.1001), "metabolism: iJO1366": (1005, 0.0327), "traffic: 40 nodes": (243, 0.0223),
             "traffic: 80 nodes": (733, 0.0603), "transport: 3 to 8": (1048, 0.0563)}
BARRIERS = 4.9e-6  # seconds of a pivot's two grid barriers (docs/evidence/dense.md)


def device_table(lines: list[Line]) -> str:
    vertex = times([line for line in lines if "H200" in line["machine"] and line["table"] == "single"], "proved vertex")
    return table(["milliseconds", "in the suite", "on an open device", "pivots", "best other", "a tenth", "barriers of the pivots"],
                 [[problem.partition(": ")[2], number(1e3 * best(vertex, problem, True)[0]), number(1e3 * device), str(pivots),
                   number(1e3 * best(vertex, problem, False)[0]), number(1e2 * best(vertex, problem, False)[0]),
                   number(1e3 * pivots * BARRIERS)] for problem, (pivots, device) in ON_DEVICE.items()])


def coverage(lines: list[Line]) -> list[str]:
    """What was run on the H200 by solvers that do not take every tolerance or problem."""
    here = [line for line in lines if "H200" in line["machine"] and line["table"] == "single"]
    problems = {(line["family"], line["problem"]) for line in here}
    rows = []
    for name in ("MPAX", "cuOpt PDLP", "HiGHS HiPO, crossover"):
        mine = [line for line in here if line["solver"] == name]
        run = {(line["family"], line["problem"]) for line in mine}
        within = sum(reached(line, "to 1e-4") for line in mine)
        rows.append([name, mine[0]["asked"] or "vertex", str(len(run)), str(within)])
    return [table(["single solves on the H200", "asked for", f"problems run, of {len(problems)}", "within 1e-4"], rows),
            "osi_cuda's lines on the H200 are of one run, d80fde3, 23:52 UTC. The others' lines are of several runs of that day.",
            "MPAX compiles for each shape. PDLP and MPAX were not asked for smaller tolerances.",
            "cuOpt, HiPO, MPAX and Clp's primal simplex were not run on re-solves, variants and batches there."]


def index_page(lines: list[Line], pictures: dict[str, str]) -> str:
    text = ["# A suite of dense linear programs that people have", "",
            "Problems from statistics, finance, game theory, signal processing, biology and machine learning, most with real data,",
            "and the solvers that their owners use. One check, which no solver shares, judges every answer.", "",
            "    cd lab && python3 -m suite run --csv results.csv --limit 20",
            "",
            "Results are lines of CSV, which others can extend: [runs](../../../lab/data/suite.csv). `lab/evidence/suite_pages.py` makes these",
            "pages and pictures of them.", ""]
    for machine in machines(lines):
        here = [line for line in lines if line["machine"] == machine and line["table"] == "single"
                and line["solver"] not in NATIVE]
        if not here:
            continue
        run = ";\n".join(f"{day}, " + ", ".join(sorted({line["commit"] for line in here if line["date"].startswith(day)}))
                          for day in sorted({line["date"][:10] for line in here}))
        counts = {line["solver"]: line["threads"] for line in here}
        threads = ",\n".join(f"{name} {count}" for name, count in counts.items() if count != "1") or "none has more"
        text += [f"## {machine}", "",
                 f"Clock: {here[0]['clock']} seconds; limit: {here[0]['limit']} s; " +
                 f"commits: {run}.", "", f"Threads: one each; with more: {threads}.", "",
                 "### How long do the solvers take?", ""]
        found = {kind: times(here, kind) for kind in LISTS}
        names = list(found["to 1e-4"])
        problems = {p for each in found["to 1e-4"].values() for p in each}
        body = []
        for solver in names:
            if len(found["to 1e-4"][solver]) < len(problems):
                continue
            row = [solver]
            for kind in LISTS:
                each = found[kind].get(solver, {})
                row += [f"{mean(v for v, _ in each.values()):.3f}" if each else "",
                        f"{sum(right for _, right in each.values())}" if each else ""]
            body.append(row)
        for column in range(1, 9, 2):
            least = min(float(row[column]) for row in body if row[column])
            for row in body:
                row[column] = f"**{row[column]}**" if row[column] and float(row[column]) == least else row[column]
        text += [table(["shifted geometric mean, s; solved"] + [t for kind in LISTS for t in (kind, f"of {len(problems)}")],
                       body)]
        picture = f"profile-{slug(machine)}.svg"
        pictures[picture] = profile(found["proved vertex"], f"To a proved vertex: {machine}")
        text += [f"![Performance profile]({picture})", "", "### Which family is won?", ""]
        everyone = [line for line in lines if line["machine"] == machine and line["table"] == "single"]
        vertex = times(everyone, "proved vertex")
        rows, wins, tens, highs = [], 0, 0, 0
        for family in FAMILIES:
            large = sorted({f"{line['family']}: {line['problem']}" for line in here
                            if line["family"] == family and int(line["nonzeros"]) >= LARGE})
            if not large or family == "random":
                continue
            limit = float(here[0]["limit"])
            mine = mean(min(best(vertex, p, True)[0], limit) for p in large)
            theirs = mean(min(best(vertex, p, False)[0], limit) for p in large)
            high = mean(min(best({n: e for n, e in vertex.items() if n.startswith("HiGHS")}, p, False)[0], limit)
                        for p in large)
            wins, tens, highs = wins + (mine <= theirs), tens + (10 * mine <= theirs), highs + (mine <= high)
            rows.append([f"[{FAMILIES[family][0]}]({family}.md)", str(len(large)), number(mine), number(theirs),
                         f"{theirs / mine:.2f}", f"{high / mine:.2f}"])
        text += [table(["family", "problems", "osi_cuda, s", "best other, s", "times", "times, HiGHS"], rows),
                 f"Families with problems of {LARGE} nonzeros and more, proved vertex: the means of the best time of each",
                 f"problem, by any function of each package. osi_cuda is first in {wins} of {len(rows)} families,",
                 f"by a factor of ten in {tens}. It is not slower than HiGHS in {highs}.", ""]
    text += ["## Where it falls short, and why", "",
             "- The goal is a factor of ten in nine families of ten. It is missed on both machines.",
             "- On the H200 a factor of ten is reached in three families that have a function in `osi_cuda.estimators`, and by filters.",
             "- Losses of families on the H200: trends, metabolism, traffic and transport. `3 to 8` and `80 nodes` ran there on one core.",
             "  `auto` expected them to end before a device is opened, for which it counts 0.35 s. Each on a device that is open,",
             "  by the dual (1f012b0, 2026-11-23 22:16 UTC). A tenth is that of the best other solver's time on that machine:", "",
             device_table(lines),
             "  The last column multiplies the pivots by 4.9 us, the time of two grid barriers. They take two thirds of",
             "  [a dense pivot](../dense.md) at 1000 x 500. Where the product exceeds the tenth, fewer pivots are needed.",
             "  How few suffice was not measured, nor where the rest of a pivot's time goes in these problems.",
             "- `co2` and `Gini, 150 days` got slower in the H200's last run, and use many threads of its host there:", "",
             table(["problem", "87bdfd5, s", "d80fde3, s", "its processor seconds", "two cores, one thread, s"], [
                 ["co2", "0.097", "0.214", "1.98", "**0.043**"], ["Gini, 150 days", "**0.086**", "1.17", "16.7", "0.147"]]),
             "  The cause was not measured there. The interior point method on the two cores (d26dbb0, 2026-11-24 00:06 and 00:11 UTC)",
             "  gains nothing from a second thread in Gini, and loses much where that has to share its core with other programs:", "",
             table(["wall seconds", "one thread", "two threads", "two threads, other programs running"], [
                 ["co2", "0.023", "**0.022**", "0.28 to 0.72"], ["Gini, 150 days", "**0.11**", "0.15", "0.28 to 3.9"]]),
             "  Since bd56a39 a sparse iteration below 25 ms stays on one core, and threads of BLAS are woken for large fronts only.",
             "  `auto` no longer expects a sparse method to gain by threads. Two threads then take 0.18 s for Gini, 0.35 before",
             "  (2026-11-24 00:23 UTC). Since then, too, the opening of a device counts once in a process, so that `3 to 8` and",
             "  `80 nodes` go to one that is open. None of this was run on the H200.",
             "- The automatic choice of the algorithm was wrong in five problems, and still is in Gini. Processor seconds, one thread",
             "  of the two cores, 2026-11-23; before 1f012b0, now 3568b0d:", "",
             table(["problem", "auto before", "auto now", "dual", "barrier", "best of HiGHS"], [
                 ["co2", "0.105", "0.040", "0.108", "**0.023**", "0.055"],
                 ["Gini, 60 days", "0.036", "0.034", "0.049", "**0.011**", "0.026"],
                 ["digit 1600, 1/256", "0.0145", "0.0031", "**0.0025**", "0.0138", "0.0120"],
                 ["digit 1700, 1/64", "0.0202", "0.0037", "**0.0034**", "0.0192", "0.0211"],
                 ["3 to 8", "0.146", "0.125", "0.120", "**0.080**", "0.140"]]),
             "- `auto` counts the work of the interior point method after some hundredths of a second of pivots, or at once where it",
             "  expects many. Gini ends before that pays: an earlier count cost other small problems up to 2.8 times their time.",
             "- The host of the H200 takes 2 to 2.6 times the processor seconds of the two cores. Below 250,000 entries `auto` stays there,",
             "  as it cannot tell that a device is open: pursuit takes 0.040 s on the host and 0.012 s on the device (1f012b0).",
             "- Absolute deviations by inequalities keep their size in the dual. On the two cores `fair` takes 0.96 s by the interior",
             "  point method and 0.04 s by `osi_cuda.estimators`.",
             "- Filters: the exchange of `ChebyshevRegressor` solves several programs. It takes twice the time of the whole LP",
             "  on the two cores, and up to seven times on the H200.",
             "  scipy.signal.remez is faster than both where it converges; its grid is another one, so its error is 1e-5 and more.",
             "- quantreg's `br` is up to 1.6 times as fast on some hundred observations. From 6,000 on it takes twice the time and more.",
             "- Clp is first on both machines for metabolism, traffic and transport.", "",
             "## What is measured", "",
             "- Seconds from data in memory, copies to a device included. Short solves are repeated up to twenty times;",
             "  the first one does not count. *Wall* is the least of them.",
             "  *Processor* is their mean: seconds of all threads of a solver's process, which other programs hardly disturb.",
             "- *To 1e-4* and so on: the fastest run of a solver whose answer the check finds within that tolerance. Solvers that",
             "  take a tolerance are run to each of the three.",
             "- *Proved vertex*: residuals and gap within 1e-8, and the point is a vertex: the columns strictly between their",
             "  bounds are linearly independent in the rows that rest on a side.",
             "- Primal residuals are relative to the largest side, dual ones to the largest cost; the gap is between the objective",
             "  and the bound that the multipliers prove. Sums are in extended precision.",
             "- Functions without multipliers (scikit-learn, statsmodels, scipy, quantreg's fn and pfn, pyfixest, conquer) count by",
             "  their error against the optimum. conquer smooths the loss: its answer is another one by intent.",
             "- A run that is stopped is not repeated to a smaller tolerance, nor one that has reached it.",
             "- *no*: the solver ends, but its answer is not within the tolerance, or no vertex. *> 20*: it is stopped.",
             "- A failure counts as the limit. Means are geometric, shifted by 10 ms.",
             "- Optima are in `lab/suite/reference.csv`: proved in rational arithmetic, or with the gap of the check.", "",
             "cuOpt 26.10 is its wheel with the machine code of this device alone.", "",
             *coverage(lines),
             "Clp, HiGHS, HiPO and cuOpt's dual simplex ran side by side, on cores of their own. HiPO is that of highspy-extras;",
             "cuOpt's barrier and PDLP call most regressions optimal that the check does not: free columns of unscaled data leave",
             "reduced costs that are small beside these columns, not beside the costs. The objectives of those are right to 2e-4 and better.",
             "With crossover the barrier takes longer, and ends at the same point.",
             "quantreg 5.94 and conquer 1.3.2 are Debian's packages for R, called by rpy2 3.5.", "",
             "Not run: " + ", ".join(f"{name} ({why})" for name, why in NOT_RUN.items()) + ".", "",
             "## Families", "", *(f"- [{title}]({name}.md)" for name, (title, *_) in FAMILIES.items()
                                  if any(line["family"] == name for line in lines)), "",
             "```{toctree}", ":hidden:", "",
             *(name for name in FAMILIES if any(line["family"] == name for line in lines)), "```"]
    return "\n".join(text) + "\n"


def main() -> int:
    with open(LAB / "data" / "suite.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    made: dict[str, str] = {}
    made["index.md"] = index_page(lines, made)
    for name in FAMILIES:
        mine = [line for line in lines if line["family"] == name]
        if mine:
            made[f"{name}.md"] = family_page(name, mine, made)
    for name, text in made.items():
        path = PAGES / name
        if sys.argv[1:] != ["--check"]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path}: not what lab/data/suite.csv says; run lab/evidence/suite_pages.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
