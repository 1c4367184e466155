#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the tables of docs/evidence/dense.md and docs/dense.svg, the picture of README.md, from
lab/data/dense.csv (a line for each measurement) and dense-runs.csv (machine, date, commit
and command of each run); the tables of integer columns in docs/evidence/osi.md from integers.csv,
cut-generators.csv and cut-generator-seconds.csv; those of re-solves on a device there from resolves.csv
(resolve_tables.py); those of tall.md from tall.csv, tall-before.csv and
estimators.csv and estimators-h200.csv; the tables of sparse.md from sparse.csv and sparse-h200.csv (sparse_runs.py); that of small
problems in host.md from small.csv (small_runs.py); those of race.md from race.csv (race_runs.py); and the
first one of starts.md from starts.csv.

usage: figures.py [--check]    --check writes nothing and fails if a table or the picture is out of date.
"""
import csv
import math
import pathlib
import re
import sys

import resolve_tables

LAB = pathlib.Path(__file__).resolve().parents[1]
PAGES = LAB.parent / "docs/evidence"
PAGE = PAGES / "dense.md"
TALL = PAGES / "tall.md"
OSI = PAGES / "osi.md"
SPARSE = PAGES / "sparse.md"
HOST = PAGES / "host.md"
STARTS = PAGES / "starts.md"
PICTURE = PAGES.parent / "dense.svg"

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 66, 600, 66, 350  # the edges of the plot; names stand at the last points
ROWS = (900, 44000)  # the axes' ends
SECONDS = (0.005, 200)
# Solver -> colour and where its name stands beside its last point: dx, dy.
CURVES = {"osi_cuda, auto": ("#c0392b", 9, 4), "cuOpt, barrier": ("#117a8b", 9, 4),
          "cuPDLPx, 1e-8": ("#2471a3", -24, -12), "HiGHS, interior point": ("#1e8449", 9, 0),
          "Clp": ("#7d3c98", 9, 19), "HiGHS, simplex": ("#b9770e", 9, 4)}


def lines(name):
    with open(LAB / "data" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- tables ------------------------------------------------------------------------------------

def markdown(titles, body):
    return "\n".join("| " + " | ".join(row) + " |" for row in
                     [titles, ["---"] + ["---:"] * (len(titles) - 1), *body])


def seconds_table(measured, family):
    """A row for each solver, a column for each size, the least number of a column bold."""
    mine = [line for line in measured if line["family"] == family]
    sizes = sorted({(int(line["rows"]), int(line["columns"])) for line in mine})
    found = {(line["solver"], int(line["rows"])): line for line in mine}
    best = [min(float(line["seconds"]) for line in mine if int(line["rows"]) == rows)
            for rows, _ in sizes]

    def cell(line, least):
        if not line or line["limit"]:
            return line and f"> {line['seconds']}" or ""
        return f"**{line['seconds']}**" if float(line["seconds"]) == least else line["seconds"]

    body = [[solver] + [cell(found.get((solver, rows)), least)
                        for (rows, _), least in zip(sizes, best)]
            for solver in dict.fromkeys(line["solver"] for line in mine)]
    return markdown(["seconds"] + [f"{rows} x {columns}" for rows, columns in sizes], body)


def runs_table(measured, runs):
    body = []
    for run in runs:
        solvers = dict.fromkeys(line["solver"] for line in measured if line["run"] == run["run"])
        body.append(["; ".join(solvers), run["date"], run["commit"], run["machine"],
                     f"`{run['command']}`", run["about"]])
    return markdown(["rows of the tables", "date", "commit", "machine", "command", "what"],
                    body).replace("---:", "---")


def sparse_table(measured):
    """A row for each problem, a column for each solver, the least number of a row bold."""
    found = {(line["problem"], line["solver"]): line for line in measured}
    solvers = list(dict.fromkeys(line["solver"] for line in measured))
    body, problems = [], list(dict.fromkeys(line["problem"] for line in measured))
    limit = max(float(line["seconds"]) for line in measured)
    for problem in problems:
        solved = {s: float(found[problem, s]["seconds"]) for s in solvers if found[problem, s]["status"] == "optimal"}
        body.append([problem] + [(f"**{solved[s]:.2f}**" if solved[s] == min(solved.values()) else f"{solved[s]:.2f}")
                                 if s in solved else "-" for s in solvers])
    means = [shifted_mean([float(found[p, s]["seconds"]) if found[p, s]["status"] == "optimal" else limit for p in problems])
             for s in solvers]
    body.append(["shifted geometric mean"] + [f"{mean:.3f}" for mean in means])
    return markdown(["problem", *solvers], body)


def shifted_mean(values):
    return math.exp(sum(math.log(0.01 + v) for v in values) / len(values)) - 0.01


def sparse_h200_table(measured):
    """By group of problems: shifted geometric means of elapsed seconds, and how many each solved."""
    columns = (("osi_cuda, device", "elapsed"), ("osi_cuda, device", "solve"), ("HiGHS, simplex", "solve"),
               ("HiGHS, IPX", "solve"), ("Clp, dual", "elapsed"))
    limit, groups = 8.0, {}
    for line in measured:
        groups.setdefault(line["group"], []).append(line)
    groups["all"] = measured
    body = []
    for group, own in groups.items():
        row = [group, str(len({line["problem"] for line in own}))]
        for solver, what in columns:
            mine = [line for line in own if line["solver"] == solver]
            right = [float(line[what]) for line in mine if line["status"] == "optimal"]
            missed = len(mine) - len(right)
            row.append(f"{shifted_mean(right + [limit] * missed):.3f}" + (f" ({missed})" if missed else ""))
        body.append(row)
    return markdown(["problems", "number", "osi_cuda, process", "osi_cuda, solve", "HiGHS simplex, solve",
                     "HiGHS IPX, solve", "Clp dual, process"], body)


def small_table(measured):
    """A row for each way, a column for each density; the least of a column bold."""
    by = {(line["way"], line["density"]): float(line["microseconds"]) for line in measured}
    densities = list(dict.fromkeys(line["density"] for line in measured))
    body = []
    for way in dict.fromkeys(line["way"] for line in measured):
        row = [way]
        for density in densities:
            least = min(value for key, value in by.items() if key[1] == density)
            text = f"{by[way, density]:.0f}"
            row.append(f"**{text}**" if by[way, density] == least else text)
        body.append(row)
    return markdown(["microseconds"] + [f"{100 * float(density):g} %" for density in densities], body)


RACE = PAGES / "race.md"
RACERS = ("primal", "dual", "barrier", "auto, race off", "auto", "race")


def race_tables(measured):
    """By group of problems and algorithm: shifted geometric means (10 ms) and worst ratios of processor seconds."""
    def seconds(line):
        return float(line["cpu"]) + 0.01

    by = {}
    for line in measured:
        by.setdefault(line["group"], {}).setdefault(line["problem"], {})[line["algorithm"]] = line
    by["all"] = {key: runs for group in list(by.values()) for key, runs in group.items()}
    means, worst = [], []
    for group, problems in by.items():
        row, ratios = [], []
        for racer in RACERS:
            row.append(math.exp(sum(math.log(seconds(runs[racer])) for runs in problems.values()) / len(problems))
                       - 0.01)
            ratio, name = max((seconds(runs[racer]) / min(seconds(runs[one]) for one in RACERS[:3]), name)
                              for name, runs in problems.items())
            ratios.append(f"{ratio:.1f} ({name})")
        right = sum(runs[racer]["right"] == "yes" for runs in problems.values() for racer in RACERS)
        means.append([group, str(len(problems)), f"{right} of {len(problems) * len(RACERS)}"]
                     + [f"**{m:.4f}**" if m == min(row[:4]) else f"{m:.4f}" for m in row])
        worst.append([group] + ratios[:4])
    pivots = []
    problems = by["Netlib"]
    for name, runs in sorted(problems.items(), key=lambda item: -int(item[1]["dual"]["iterations"]))[:12]:
        pivots.append([name] + [runs[one][key] for one in ("primal", "dual") for key in ("iterations", "phases")])
    return {"means": markdown(["problems", "number", "right", *RACERS], means),
            "worst": markdown(["problems", *RACERS[:4]], worst),
            "pivots": markdown(["problem", "primal", "its phases", "dual", "its phases"], pivots)}


def page(text, measured, runs):
    tables = {family: seconds_table(measured, family) for family in ("origin", "signed")}
    tables["runs"] = runs_table(measured, runs)
    return filled(PAGE, text, {f"dense {name}": table for name, table in tables.items()})


def filled(path, text, tables):
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        text, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + table + "\n" + end,
                              text, flags=re.DOTALL)
        if count != 1:
            sys.exit(f"{path}: no section {begin.strip()}")
    return text


def tall_page(text):
    before = {line["problem"]: line for line in lines("tall-before.csv")}
    body = []
    for line in lines("tall.csv"):
        old = before[line["problem"]]
        times = [line["osi_cuda"], line["highs-ds"], line["highs-ipm"]]
        body.append([line["problem"], old["osi_cuda"] if old["status"] == "0" else "> " + old["osi_cuda"],
                     *bold(times, min(map(float, times))), f"{float(line['ratio']):.2f}"])
    titles = ["seconds", "osi_cuda before", "osi_cuda", "HiGHS, dual simplex", "HiGHS, interior point", "ratio"]
    fits = {name: [list(line.values()) for line in lines(f"{name}.csv")] for name in ("estimators", "estimators-h200")}
    return filled(TALL, text, {
        "tall": markdown(titles, body),
        "estimators": markdown(["fit", "osi_cuda, s", "scikit-learn, s", "note"], fits["estimators"]),
        "estimators-h200": markdown(["fit", "osi_cuda, s", "note"], [[a, b, d] for a, b, _, d in fits["estimators-h200"]])})


def bold(cells, least):
    return [f"**{cell}**" if cell and float(cell) == least else cell for cell in cells]


def integers_table(measured):
    """A row for each problem, the less time bold."""
    body = []
    for line in measured:
        seconds = [line["cbc seconds"], line["osi-cuda seconds"]]
        cbc, own = bold(seconds, min(map(float, seconds)))
        if line["gap at the limit"]:
            own = f"> {seconds[1]}, gap {line['gap at the limit']}"
        body.append([line["problem"], line["optimum"], cbc, line["cbc nodes"], own, line["osi-cuda nodes"]])
    return markdown(["problem", "optimum", "cbc, s", "nodes", "--integers, s", "nodes"], body)


def ratio_of_means(measured):
    """The geometric mean of the seconds of --integers over those of cbc, each with 0.1 s more."""
    measured = [line for line in measured if not line["gap at the limit"]]
    logs = [math.log((float(line["osi-cuda seconds"]) + 0.1) / (float(line["cbc seconds"]) + 0.1))
            for line in measured]
    return f"{len(logs)} problems that both solve: the geometric mean of the ratios of seconds (shifted by 0.1 s) is " \
           f"{math.exp(sum(logs) / len(logs)):.2f}."


def mixes_table(measured):
    """A row for each problem, seconds and nodes of each mix of generators, means over the seeds."""
    mixes = list(dict.fromkeys(line["mix"] for line in measured))
    body = []
    for name in dict.fromkeys(line["problem"] for line in measured):
        cells, least = [], []
        for mix in mixes:
            own = [line for line in measured if (line["problem"], line["mix"]) == (name, mix)]
            mean = {what: sum(float(line[what]) for line in own) / max(len(own), 1) for what in ("seconds", "nodes")}
            cells.append((f"{mean['seconds']:.2f}", f"{mean['nodes']:.0f}") if own else ("", ""))
            least += [float(cells[-1][0])] if own else []
        body.append([name] + [cell for seconds, nodes in cells for cell in (*bold([seconds], min(least)), nodes)])
    return markdown(["problem"] + [title for mix in mixes for title in (f"{mix}, s", "nodes")], body)


def parts_table(measured):
    """A row for each part of a search, its share of the processor seconds in per cent by problem."""
    names = list(dict.fromkeys(line["problem"] for line in measured))
    whole = {name: sum(float(line["seconds"]) for line in measured if line["problem"] == name) for name in names}
    share = {(line["problem"], line["part"]): 100 * float(line["seconds"]) / whole[line["problem"]]
             for line in measured}
    parts = dict.fromkeys(line["part"] for line in measured)
    return markdown(["per cent of the seconds"] + names,
                    [[part] + [f"{share[name, part]:.1f}" for name in names] for part in parts])


def starts_table(measured):
    """A row for each set and tolerance: geometric means of what a cold solve takes over what one from
    the point takes. A solve that was stopped counts with its limit."""
    def seconds(line, which):
        return float(line[which].removeprefix("> "))

    def gains(lines, which):
        if not lines:
            return "-"
        return f"{math.exp(math.fsum(math.log(seconds(line, 'cold seconds') / seconds(line, which)) for line in lines) / len(lines)):.1f}"

    body = []
    for kind, tolerance in dict.fromkeys((line["set"], line["tolerance"]) for line in measured):
        mine = [line for line in measured if (line["set"], line["tolerance"]) == (kind, tolerance)]
        long = [line for line in mine if seconds(line, "cold seconds") >= 0.01]
        pivots = [math.log((int(line["cold pivots"]) + 1) / (int(line["pivots"]) + 1)) for line in mine]
        slower = [line for line in mine if seconds(line, "seconds") > 1.1 * seconds(line, "cold seconds")]
        body.append([f"{kind}, {tolerance}", str(len(mine)), f"{math.exp(math.fsum(pivots) / len(pivots)):.1f}",
                     gains(mine, "seconds"), f"{gains(long, 'seconds')} ({len(long)})", gains(mine, "x seconds"),
                     gains(mine, "y seconds"), str(len(slower)),
                     str(sum(line["seconds"].startswith(">") for line in mine))])
    return markdown(["points", "problems", "pivots", "seconds", "of 0.01 s and more", "x alone", "y alone",
                     "slower than 1.1 times", "not proved"], sorted(body, key=lambda row: row[0].split(",")[0]))


# ---- picture -----------------------------------------------------------------------------------

def along(value, ends, begin, end):
    low, high = map(math.log, ends)
    return begin + (end - begin) * (math.log(value) - low) / (high - low)


def x(rows):
    return along(rows, ROWS, LEFT, RIGHT)


def y(seconds):
    return along(seconds, SECONDS, BOTTOM, TOP)


def text_at(px, py, words, more=""):
    return f'<text x="{px:.1f}" y="{py:.1f}" {more}>{words}</text>'


def axes():
    drawn = []
    for seconds, name in [(0.01, "0.01 s"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (100, "100 s")]:
        drawn.append(f'<path d="M{LEFT} {y(seconds):.1f}H{RIGHT}" stroke="#ddd"/>')
        drawn.append(text_at(LEFT - 8, y(seconds) + 4, name, 'text-anchor="end"'))
    for rows in (1000, 2000, 5000, 10000, 20000, 40000):
        drawn.append(f'<path d="M{x(rows):.1f} {TOP}V{BOTTOM}" stroke="#eee"/>')
        drawn.append(text_at(x(rows), BOTTOM + 18, f"{rows}", 'text-anchor="middle"'))
    drawn.append(f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" stroke="#555" fill="none"/>')
    drawn.append(text_at((LEFT + RIGHT) / 2, BOTTOM + 38, "rows, with half as many columns",
                         'text-anchor="middle"'))
    return drawn


def curve(name, points):
    colour, dx, dy = CURVES[name]
    path = "L".join(f"{x(rows):.1f} {y(seconds):.1f}" for rows, seconds, _ in points)
    width = 3.5 if name.startswith("osi_cuda") else 1.8
    drawn = [f'<path d="M{path}" stroke="{colour}" stroke-width="{width}" fill="none"/>']
    for rows, seconds, limit in points:
        px, py = x(rows), y(seconds)
        if limit:  # stopped by the time limit: an arrow upwards
            drawn.append(f'<path d="M{px - 5:.1f} {py + 4:.1f}L{px:.1f} {py - 6:.1f}L{px + 5:.1f} '
                         f'{py + 4:.1f}Z" fill="#fff" stroke="{colour}" stroke-width="1.8"/>')
        else:
            drawn.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.5" fill="{colour}"/>')
    rows, seconds, _ = points[-1]
    drawn.append(text_at(x(rows) + dx, y(seconds) + dy, name, f'fill="{colour}" font-weight="bold"'))
    return drawn


def picture(measured):
    body = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            text_at(LEFT, 20, "How long does a cold solve of a dense LP take?",
                    'font-size="15" font-weight="bold"'),
            text_at(LEFT, 38, "osi_cuda (to the proved vertex), cuOpt and cuPDLPx (no vertex) on one NVIDIA H200,",
                    'fill="#555"'),
            text_at(LEFT, 54, "HiGHS and Clp on one core of an Intel Xeon. Open triangles: stopped at 60 s.",
                    'fill="#555"')]
    body += axes()
    for name in CURVES:
        body += curve(name, sorted((int(line["rows"]), float(line["seconds"]), bool(line["limit"]))
                                   for line in measured
                                   if line["family"] == "origin" and line["solver"] == name))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12">\n' + "\n".join(body) + "\n</svg>\n")


def main():
    measured, runs = lines("dense.csv"), lines("dense-runs.csv")
    unknown = {line["run"] for line in measured} - {run["run"] for run in runs}
    if unknown:
        sys.exit(f"dense.csv: no such run in dense-runs.csv: {', '.join(sorted(unknown))}")
    integers = lines("integers.csv")
    osi = filled(OSI, OSI.read_text(encoding="utf-8"), {
        "integers": integers_table(integers) + "\n\n" + ratio_of_means(integers),
        "cut generators": mixes_table(lines("cut-generators.csv")),
        "parts of searches": parts_table(lines("cut-generator-seconds.csv")),
        **resolve_tables.tables(),
    })
    race = filled(RACE, RACE.read_text(encoding="utf-8"),
                  {f"race {name}": table for name, table in race_tables(lines("race.csv")).items()})
    made = {PAGE: page(PAGE.read_text(encoding="utf-8"), measured, runs), PICTURE: picture(measured), OSI: osi, RACE: race,
            TALL: tall_page(TALL.read_text(encoding="utf-8")),
            SPARSE: filled(SPARSE, SPARSE.read_text(encoding="utf-8"),
                           {"sparse runs": sparse_table(lines("sparse.csv")),
                            "sparse h200": sparse_h200_table(lines("sparse-h200.csv"))}),
            HOST: filled(HOST, HOST.read_text(encoding="utf-8"), {"small": small_table(lines("small.csv"))}),
            STARTS: filled(STARTS, STARTS.read_text(encoding="utf-8"), {"starts": starts_table(lines("starts.csv"))})}
    for path, text in made.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path}: not what the files of lab/data say; run lab/evidence/figures.py")


if __name__ == "__main__":
    main()
