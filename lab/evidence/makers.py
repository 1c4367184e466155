# SPDX-License-Identifier: EPL-2.0
"""Tables of the pages that are more than the rows of a file in lab/data: means, ratios and sums of them. Each function takes
the rows and returns Markdown."""
import math
import statistics

from data import bold, filled, markdown, number, rows_of

SHIFT = 0.01  # seconds, of the geometric means


def mean_of(values):
    """Geometric mean."""
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def shifted_mean(values):
    return math.exp(sum(math.log(0.01 + v) for v in values) / len(values)) - 0.01


# ---- dense ------------------------------------------------------------------------------------------

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
            for solver in sorted(dict.fromkeys(line["solver"] for line in mine), key=lambda name: (not name.startswith("osi_cuda"), "auto" not in name))]
    return markdown(["seconds"] + [f"{rows} x {columns}" for rows, columns in sizes], body)


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


# ---- sparse, Netlib ---------------------------------------------------------------------------------

def one_thread_table(measured):
    """Means of the problems of each set that every way solves; ratios are to the best of the others."""
    own, others = ("auto",), ("HiGHS simplex", "HiGHS ipx", "Clp")
    solved = {}
    for line in measured:
        seconds = float(line["seconds"]) if line["status"] in ("optimal", "infeasible", "unbounded") else math.inf
        solved.setdefault((line["set"], line["problem"]), {})[line["way"]] = seconds
    mean = lambda values: math.exp(math.fsum(math.log(value + 0.1) for value in values) / len(values)) - 0.1
    body = []
    for title in dict.fromkeys(line["set"] for line in measured):
        for name, least in ((title, 0.0), *([(f"{title}, from 0.1 s", 0.1)] if title == "real" else [])):
            runs = [ways for (of, _), ways in solved.items() if of == title and max(ways.values()) < math.inf
                    and ways["auto"] >= least]
            best = [min(ways[other] for other in others) for ways in runs]
            worst = max((ways["auto"] + 0.01) / (value + 0.01) for ways, value in zip(runs, best))
            body.append([name, str(len(runs)), *(f"{mean([ways[way] for ways in runs]):.3f}" for way in own + others),
                         f"{mean(best):.3f}", f"{worst:.1f}"])
    return markdown(["problems", "number", *(f"osi_cuda, {way}" for way in own), "HiGHS 1.16, simplex", "HiGHS 1.16, IPX",
                     "Clp 1.17.6", "best of these on each", "auto over it, worst"], body)



FAMILIES = (("random", "random sparse"), ("trend", "trend filters"), ("quantile", "quantile regressions"),
            ("gini", "Gini and CDaR portfolios"), ("cdar", "Gini and CDaR portfolios"),
            ("transport", "transport and flows"), ("flows", "transport and flows"),
            ("pds", "Kennington"), ("ken", "Kennington"), ("cre", "Kennington"), ("osa", "Kennington"))


def sparse_group(problem):
    return next((group for begin, group in FAMILIES if problem.startswith(begin)), "Netlib")


def sparse_means(measured):
    """Group -> number of its problems, solver -> (shifted mean, how many were not solved)."""
    limit = max(float(line["seconds"]) for line in measured)
    solvers = list(dict.fromkeys(line["solver"] for line in measured))
    groups = {}
    for line in measured:
        groups.setdefault(sparse_group(line["problem"]), []).append(line)
    groups["all"] = measured
    found = {}
    for group, own in groups.items():
        means = {}
        for solver in solvers:
            mine = [line for line in own if line["solver"] == solver]
            right = [float(line["seconds"]) for line in mine if line["status"] == "optimal"]
            means[solver] = shifted_mean(right + [limit] * (len(mine) - len(right))), len(mine) - len(right)
        found[group] = len({line["problem"] for line in own}), means
    return found


def sparse_table(measured):
    body, solvers = [], []
    for group, (count, means) in sparse_means(measured).items():
        solvers, least = list(means), min(mean for mean, _ in means.values())
        cells = [f"**{m:.3f}**" if m == least else f"{m:.3f}" for m, _ in means.values()]
        body.append([group, str(count)] + [cell + (f" ({missed})" if missed else "")
                                           for cell, (_, missed) in zip(cells, means.values())])
    return markdown(["problems", "number", *solvers], body)


def of_gpus(row):
    """Seconds before rates, by size."""
    return not row["problem"].endswith(", s"), row["problem"].partition("`")[2], int(row["problem"].split()[0])


def subsystems_table(measured):
    """Those that take half a second with one of the solvers; the least seconds bold."""
    seconds = [title for title in measured[0] if title.endswith("seconds")]
    titles = [title for title in measured[0] if title != "run"]
    body = []
    for row in measured:
        if max(number(row[title]) or 0.0 for title in seconds) < 0.5:
            continue
        least = min(value for title in seconds if (value := number(row[title])) is not None)
        body.append([bold([row[title]], least)[0] if title in seconds else row[title] for title in titles])
    return markdown(titles, body) + f"\n\nThe other {len(measured) - len(body)} of {len(measured)} take less than half a second with each."


def auto_table(measured):
    """Means by set of the problems that every way solves; below it the problems that take 0.1 s and more and 1.3 times the best single method."""
    peers = ("HiGHS simplex", "HiGHS IPX", "Clp")
    by, mean = {}, lambda values: math.exp(math.fsum(math.log(value + 0.1) for value in values) / len(values)) - 0.1
    for line in measured:
        proved = line["status"] in ("optimal", "infeasible", "unbounded")
        by.setdefault((line["set"], line["problem"]), {})[line["way"]] = float(line["seconds"]) if proved else math.inf
    spent = {(line["set"], line["problem"]): float(line["processor_seconds"]) for line in measured if line["way"] == "auto"}
    body, slow, found, without = [], [], {}, []
    for key, ways in by.items():
        singles = {way: seconds for way, seconds in ways.items() if way not in ("auto", "one method", "HiGHS HiPO", *peers)}
        single, peer = min(singles, key=singles.get), min((ways.get(way, math.inf) for way in peers))
        lacking = [name for name, seconds in (("`auto`", ways["auto"]), ("without races", ways["one method"]), ("no single method", singles[single]),
                                              ("no other solver", peer)) if seconds == math.inf]
        if lacking:
            without.append(f"{key[1]} ({', '.join(lacking)})")
        else:
            found[key] = {**ways, "single": singles[single], "peer": peer}
        if singles[single] < math.inf and ways["auto"] >= max(0.1, 1.3 * singles[single]):
            took = f"{ways['auto']:.2f}" if ways["auto"] < math.inf else "limit"
            slow.append([key[1], took, f"{singles[single]:.2f}", single.replace("cuda", "device"), f"{spent[key]:.1f}"])
    for title in sorted({of for of, _ in found}):
        runs = [ways for (of, _), ways in found.items() if of == title]
        of = lambda below: [ways["auto"] / ways[below] for ways in runs]
        worst = lambda below: max((ways["auto"] + 0.1) / (ways[below] + 0.1) for ways in runs)
        body.append([title, str(len(runs)), *(f"{mean([ways[way] for ways in runs]):.3f}" for way in ("auto", "one method", "single")),
                     f"{mean_of(of('single')):.2f}", f"{max(of('single')):.1f}", f"{mean([ways['peer'] for ways in runs]):.3f}", f"{worst('peer'):.1f}"])
    most = max(int(line["runs"]) for line in measured)
    notes = [f"Ways that take less than 0.2 s: medians of {most} runs in turns."] if most > 1 else []
    notes += [f"Not in the means, with what ended without a proof: {', '.join(without)}."] if without else []
    return markdown(["problems", "number", "`auto`, s", "without races, s", "best single method, s", "`auto` over it", "at worst",
                     "best of HiGHS and Clp, s", "`auto` over it, at worst"], body) + "\n\n" + markdown(
                         ["slower than 1.3 times the best single method", "`auto`, s", "that one, s", "which", "processor seconds of `auto`"], slow) + (
                         f"\n\n{filled(' '.join(notes))}" if notes else "")


SIZES = (("all", 0, math.inf), ("up to 1e5", 0, 1e5), ("1e5 to 1.5e6", 1e5, 1.5e6), ("1.5e6 to 1e8", 1.5e6, 1e8),
         ("from 1e8", 1e8, math.inf))


def seconds_or_limit(text):
    """A number, or the limit, as in `limit 20`, where a solver did not end or was wrong."""
    return number(text) or float(text.partition(" ")[2] if text.startswith("limit ") else 60)


def netlib_runs(measured):
    """Problem -> its entries, and the seconds of `auto` and of the peers."""
    found = {}
    for line in measured:
        cells = int(line["rows"]) * int(line["columns"])
        found[line["problem"]] = cells, {solver: seconds_or_limit(line[f"{solver} seconds"]) for solver in ("osi_cuda", "Clp", "HiGHS")}
    return found


def netlib_table(measured):
    body = []
    for name, least, most in SIZES:
        runs = [runs for cells, runs in netlib_runs(measured).values() if least <= cells < most]
        means = [shifted_mean([run[solver] for run in runs]) for solver in ("osi_cuda", "Clp", "HiGHS")]
        wins = [f"{sum(run['osi_cuda'] < run[peer] for run in runs)} : {sum(run['osi_cuda'] > run[peer] for run in runs)}"
                for peer in ("Clp", "HiGHS")]
        body.append([name, str(len(runs)), *(f"**{m:.4f}**" if m == min(means) else f"{m:.4f}" for m in means), *wins])
    return markdown(["entries", "problems", "osi_cuda", "Clp", "HiGHS", "against Clp", "against HiGHS"], body)


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


# ---- people's problems ------------------------------------------------------------------------------

def tall_table(measured):
    body = []
    for line in measured:
        times = [line["osi_cuda"], line["highs-ds"], line["highs-ipm"]]
        body.append([line["problem"], *bold(times, min(map(float, times))), f"{float(line['ratio']):.2f}"])
    return markdown(["seconds", "osi_cuda", "HiGHS, dual simplex", "HiGHS, interior point", "ratio"], body)


def estimators_table(measured):
    device = {line["fit"]: line["osi_cuda"] for line in rows_of("estimators-h200.csv")}
    return markdown(["fit", "osi_cuda, two cores, s", "scikit-learn, two cores, s", "osi_cuda, one GPU, s"],
                    [[line["fit"], line["osi_cuda"], line["scikit-learn"] or "not run", device.get(line["fit"], "")]
                     for line in measured])


# ---- searches ---------------------------------------------------------------------------------------

def integers_table(measured):
    """Problems that one of both takes a second for; then the ratio of all that both solve."""
    body = []
    for line in measured:
        seconds = [line["cbc seconds"], line["osi-cuda seconds"]]
        if max(map(float, seconds)) < 1:
            continue
        cbc, own = bold(seconds, min(map(float, seconds)))
        if line["gap at the limit"]:
            own = f"> {seconds[1]}, gap {line['gap at the limit']}"
        body.append([line["problem"], line["optimum"], cbc, line["cbc nodes"], own, line["osi-cuda nodes"]])
    ended = [line for line in measured if not line["gap at the limit"]]
    ratio = mean_of([(float(line["osi-cuda seconds"]) + 0.1) / (float(line["cbc seconds"]) + 0.1) for line in ended])
    return markdown(["problem", "optimum", "cbc, s", "nodes", "--integers, s", "nodes"], body) \
        + f"\n\nGeometric mean of the ratios of seconds (shifted by 0.1 s), {len(ended)} problems that both solve: {ratio:.2f}."


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


def host_means_table(measured):
    """Geometric means of the ratios of resolves-host.csv."""
    def cells(line):
        rows, _, columns = line["size"].partition(" x ")
        return int(rows) * int(columns)

    small = [line for line in measured if cells(line) <= 100_000]
    body = [[what, *(f"{choose([float(line[column]) for line in lines]):.2f}" for column in ("ratio", "in solves alone"))]
            for what, lines, choose in ((f"all {len(measured)} problems", measured, mean_of),
                                        (f"tableau of up to 100,000 entries ({len(small)})", small, mean_of),
                                        ("least", measured, min))]
    return markdown(["mean of the ratios", "whole search", "in solves alone"], body)


def applications_table(measured):
    titles = [title for title in measured[0] if title != "run"]
    total = {title: str(sum(int(line[title]) for line in measured)) if title in ("number", "agree") else "" for title in titles}
    return markdown(titles, [[line[title] for title in titles] for line in measured] + [["all", *list(total.values())[1:]]]) \
        + f"\n\n{total['agree']} of {total['number']} agree."


# ---- exactness, reliability, analyses ---------------------------------------------------------------

def bases_table(measured):
    """What was found of the bases, and the longest checks."""
    proved = sum(line["verdict"] == "proved" for line in measured)
    checks = sorted(measured, key=lambda line: -float(line["check, s"]))
    body = [["problems of Netlib", str(len(measured))], ["exactly optimal bases", str(proved)],
            ["bases with a violated bound", str(sum("beyond" in line["verdict"] for line in measured))],
            ["bases with a reduced cost of the wrong sign", str(sum("reduced" in line["verdict"] for line in measured))],
            ["seconds of all checks", f"{sum(float(line['check, s']) for line in measured):.0f}"]]
    body += [[f"seconds of {line['problem']}, denominators of {int(line['digits of the denominator']):,} digits",
              f"{float(line['check, s']):.1f}"] for line in checks[:2]]
    return markdown(["bases of Clp", "result"], body)


GROUPS = {"scaled rows and columns": ("scale4", "scale8"), "rows and columns twice": ("duprow9", "dupcol9", "dupdup10", "scale4dup"),
          "other costs": ("zero-costs", "random-costs", "row-costs"), "other bounds": ("range9", "huge-bounds", "free-columns", "fixopt"),
          "feasible or infeasible by a little": ("feasible6", "infeasible6", "feasible8", "infeasible8", "feasible10", "infeasible10", "edges"),
          "Hilbert and Vandermonde matrices": ("hilbert-boxed", "hilbert-free", "vandermonde"),
          "condition 1e8 to 1e14": ("illeq8", "ill8", "illeq10", "ill10", "illeq12", "ill12", "illeq14", "ill14"),
          "cycling, Klee and Minty, assignment": ("klee-minty", "cycling", "assignment"),
          "nearly parallel rows": ("parallel-feasible", "parallel-infeasible", "parallel-unbounded", "parallel-any"),
          "numbers far apart, cancelling, nearly flat": ("magnitudes", "cancelling", "chains", "hidden-costs", "nearly-flat", "boxed"),
          "all": ("all",)}
COUNTS = ("problems", "solves", "false", "missing", "clp false", "clp missing", "highs false", "highs missing")


def stress_sums(measured):
    """Group of kinds -> its counts."""
    by = {line["kind"]: line for line in measured}
    left = set(by) - {kind for kinds in GROUPS.values() for kind in kinds}
    assert not left, f"kinds of no group: {left}"
    return {group: {count: sum(int(by[kind][count]) for kind in kinds) for count in COUNTS} for group, kinds in GROUPS.items()}


def stress_table(measured):
    return markdown(["kinds", "problems", "solves", "false", "missing", "Clp: false", "missing", "HiGHS: false", "missing"],
                    [[group, *(f"{sums[count]:,}" for count in COUNTS)] for group, sums in stress_sums(measured).items()])


def doctor_table(measured):
    found = [line for line in measured if line["findings"]]
    return markdown(["problem", "finding", "condition of the basis"],
                    [[line["problem"], line["findings"].partition(":")[0], line["condition"]] for line in found]) \
        + f"\n\nThe other {len(measured) - len(found)} of {len(measured)} raise none."


# ---- exact statuses -----------------------------------------------------------------------------------

def statuses_table(rows):
    """A row for each set: what is proved here and by QSopt_ex, and how often both say the same."""
    known = ("optimal", "infeasible", "unbounded")
    body = []
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name and row["same"]]
        both = [row for row in mine if row["exact status"] in known and row["QSopt_ex"] in known]
        published = [row["as recorded"] for row in mine if row["as recorded"]]
        proofs = [row["proof"] for row in mine if row["proof"] != "none"]
        medians = [f"{statistics.median(float(row[key]) for row in both):.2f}" for key in ("seconds", "seconds of QSopt_ex")]
        body.append([name, f"{sum(row['exact status'] in known for row in mine)}/{len(mine)}",
                     f"{sum(row['QSopt_ex'] in known for row in mine)}/{len(mine)}", f"{sum(row['same'] == 'yes' for row in both)}/{len(both)}",
                     f"{published.count('yes')}/{len(published)}" if published else "-",
                     f"{proofs.count('accepted')}/{len(proofs)}", *medians])
    return markdown(["set", "proved", "QSopt_ex", "same", "as published", "proofs accepted", "median seconds", "QSopt_ex"], body)
