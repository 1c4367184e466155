#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the tables and pictures of README.md and docs/evidence from the files of lab/data.

A page has a table between <!-- table: NAME --> and <!-- end -->. What stands there is made of lab/data: the table, where its
rows come from, and the commands that measured them. TABLES says of which file and how, PICTURES which pictures there are.

usage: pages.py [--check]    --check writes nothing; it fails where a table, a picture or a page of the suite is not what lab/data
says, where a table of a page is not marked, where a row has no run with machine, date, commit and command, where a
sentence has a number that conditions.py does not have, and where one compares (claims.py) and the rows do not say so.
"""
import functools
import os
import re
import sys

import ages
import claims
import conditions
import dense_picture
import headline
import makers
import resolve_tables
import suite_pages
from charts import dots, profile
from data import DATA, ROOT, bold, filled, markdown, number, rows_of, run_of, runs
from parts import PARTS

EVIDENCE = ROOT / "docs/evidence"
BLOCK = re.compile(r"<!-- table: ([\w-]+) -->\n(.*?)<!-- end -->", re.DOTALL)
HIDDEN = ("run", "from", "page")  # columns that are not shown
H200 = "one NVIDIA H200, 16 cores"


# ---- tables -------------------------------------------------------------------------------------------

def plain(rows, least=(), most=(), without=()):
    """The rows as they are, but for the columns `without`. `least` or `most` names columns of which the best cell of each row is bold."""
    titles = [title for title in rows[0] if title not in HIDDEN and title not in without]
    body = []
    for row in rows:
        cells = dict(row)
        for names, choose in ((least, min), (most, max)):
            values = [number(row[name]) for name in names if number(row[name]) is not None]
            if values:
                cells.update(zip(names, bold([row[name] for name in names], choose(values))))
        body.append([cells[title] for title in titles])
    return markdown(titles, body)


def where(**wanted):
    """Rows in which each of these columns has one of the values."""
    wanted = {key: value if isinstance(value, tuple) else (value,) for key, value in wanted.items()}
    return lambda row: all(row[key] in values for key, values in wanted.items())


def unlike(**unwanted):
    """Rows in which none of these columns has the value, as of an older program."""
    return lambda row: all(row[key] != value for key, value in unwanted.items())


# Name -> file of lab/data, which of its rows, what makes the table. A name that is not here is the file NAME.csv as it is.
TABLES = {
    "dense": ("dense.csv", where(family="origin"), lambda rows: makers.seconds_table(rows, "origin")),
    "dense-signed": ("dense.csv", where(family="signed"), lambda rows: makers.seconds_table(rows, "signed")),
    "small": ("small.csv", None, makers.small_table),
    "sparse": ("sparse.csv", unlike(solver="osi_cuda before, auto"), makers.sparse_table),
    "one-thread": ("one-thread.csv", unlike(way="before"), makers.one_thread_table),
    "auto": ("auto-ways.csv", None, makers.auto_table),
    "netlib": ("netlib-h200-presolve.csv", None, makers.netlib_table),
    "presolve-h200": ("presolve-h200.csv", None, functools.partial(plain, least=("seconds, off", "on"))),
    "starts": ("starts.csv", None, makers.starts_table),
    "tall": ("tall.csv", None, makers.tall_table),
    "estimators": (("estimators.csv", "estimators-h200.csv"), None, makers.estimators_table),
    "batch": ("suite.csv", where(table="batch", machine=H200), suite_pages.solver_table),
    "variants": ("suite.csv", where(table="variants", machine=H200), suite_pages.solver_table),
    "resolve": ("suite.csv", where(table="resolve", machine=H200), suite_pages.solver_table),
    "pool": ("pool.csv", None, plain),
    "device-arrays": ("device-arrays.csv", None, functools.partial(plain, least=("host arrays, s", "on the device, s"))),
    "gpus": ("gpus.csv", None, lambda rows: plain(sorted(rows, key=makers.of_gpus))),
    "cards": ("cards.csv", None, functools.partial(
        plain, without=("products, ms", "solves, ms", "pivots, ms", "sending and proof, ms", "operations 1e9"))),
    "device-code": ("device-code.csv", None, functools.partial(plain, without=("test_cuda",))),
    "re-solves": ("resolves.csv", where(log="rate"), resolve_tables.rates_table),
    "auto-side": ("resolves.csv", where(log="sides"), resolve_tables.auto_table),
    "threads": ("resolves.csv", where(log="threads"), resolve_tables.threads_table),
    "gaps": ("resolves.csv", where(log="gap"), resolve_tables.gaps_table),
    "resolves-host": ("resolves-host.csv", None, functools.partial(
        plain, most=("OsiCuda, a second", "OsiClp, a second"), without=("pivots a solve", "pivots a solve "))),
    "resolves-host-means": ("resolves-host.csv", None, makers.host_means_table),
    "applications": ("applications.csv", None, makers.applications_table),
    "integers": ("integers.csv", None, makers.integers_table),
    "cut-generators": ("cut-generators.csv", None, makers.mixes_table),
    "bases": ("exact-netlib.csv", None, makers.bases_table),
    "enclosures": ("enclosures.csv", unlike(way="before"), plain),
    "exact-statuses": ("exact-statuses.csv", None, makers.statuses_table),
    "stress": ("stress.csv", None, makers.stress_table),
    "doors-suites": ("doors-suites.csv", None, functools.partial(plain, without=("failed tests",))),
    "layer-times": ("layer-times.csv", None, functools.partial(plain, least=("osi_cuda, user seconds", "HiGHS 1.16, user seconds"))),
    "doctor": ("doctor-netlib.csv", None, makers.doctor_table),
    "subsystems": ("subsystems.csv", None, makers.subsystems_table),
    "first-tasks": ("first-tasks.csv", None, functools.partial(plain, without=("what misled, now mended",))),
}


def files_of(name):
    files = TABLES[name][0] if name in TABLES else f"{name}.csv"
    return (files,) if isinstance(files, str) else files


def rows_in(name, files):
    chosen = (TABLES[name][1] if name in TABLES else None) or (lambda row: True)
    return [row for file in files for row in rows_of(file) if chosen(row)]


def rows_behind(name):
    """The rows that a table shows, or is computed from."""
    return rows_in(name, files_of(name))


def newest_run(name, wanted):
    """The newest run behind the rows of a table that have these cells."""
    return max((run_of(row) for row in rows_behind(name) if where(**wanted)(row)), key=lambda run: run["date"])


def shown():
    """Table -> the pages of evidence that show it, the files and the runs behind it. Each page of the suite shows rows of suite.csv."""
    found = {}
    for path, text in hand_written().items():
        for name in (name for name, _ in BLOCK.findall(text) if name not in README):
            runs_behind = {run["run"]: run for run in map(run_of, rows_behind(name))}
            found.setdefault(name, ([], files_of(name), list(runs_behind.values())))[0].append(path.stem)
    return found | {"suite": (["suite/index"], ("suite.csv",), list({run["run"]: run for run in map(run_of, rows_of("suite.csv"))}.values()))}


README = {"headline": headline.table, "facts": headline.facts,  # of cells of other tables
          "ages": lambda table, newest_run: ages.table(shown())}  # of their runs


def table(name):
    """The table in Markdown, of the rows of its first file."""
    if name in README:
        return README[name](table, newest_run)
    make = TABLES[name][2] if name in TABLES else plain
    return make(rows_in(name, files_of(name)[:1]))


# ---- where they come from ------------------------------------------------------------------------------

PROGRAM = re.compile(r"((\S*/)?[\w-]+(\.py|\.sh)?|ctest) ")
PROSE = ("not recorded", "commands of", "a driver", "bench_peers", "bench/python_peers", "bench_netlib", "dense_families.py, ", "tests/python/wheel.sh,")


def provenance(name, folder, above):
    """Machine, date and commit of each run, the commands, and the files. Runs of tables `above` on the page, which takes this table's, too,
    are not named again."""
    found = {run["run"]: run for run in map(run_of, rows_behind(name))}
    others = "Other runs as above. " if found.keys() & above else ""
    found = {run: found[run] for run in found if run not in above}
    above.update(found)
    places, commands = {}, {}
    for run in found.values():
        note = "; ".join(filter(None, (run["about"], "" if run["raw"] == "rows" else "quoted from the log")))
        commit = run["commit"].replace("not recorded, before", "a commit before")
        places.setdefault(run["machine"], []).append(f"{commit}, {run['date'][:10]}" + (f" ({note})" if note else ""))
        if PROGRAM.match(run["command"]) and not run["command"].startswith(PROSE):
            commands[run["command"]] = None
    links = ", ".join(f"[{file}]({os.path.relpath(DATA / file, folder)})" for file in files_of(name))
    again = " ".join(part for part, (_, _, file) in PARTS.items() if file in files_of(name))
    data = f"{others if found else others.replace('Other', 'All')}Data: {links}" + (f", again by `lab/evidence/run.py {again}`" if again and not again.startswith("suite") else "") + "."
    said = [f"{machine[:1].upper()}{machine[1:]}: {when}" for machine, whens in places.items() for when in dict.fromkeys(whens)]
    if len(said) > 2:
        text = "\n".join(filled(f"- {line}.", "  ") for line in said) + f"\n\n{filled(data)}\n"
    else:
        text = filled("".join(f"{line}. " for line in said) + data) + "\n"
    return text + ("\n" + "".join(f"    {command}\n" for command in commands) if commands else "")


def block(name, folder, above):
    source = "" if name in README else f"\n{provenance(name, folder, above)}"  # these have it in each row, or beside them
    return f"<!-- table: {name} -->\n{table(name)}\n{source}<!-- end -->"


# ---- pictures -------------------------------------------------------------------------------------------

def values(rows, row_of, series):
    """Series -> row -> (value, True), from columns of numbers."""
    return {name: {row_of(row): (value, True) for row in rows
                   if (value := number(row[column].removeprefix("> "))) is not None and value > 0}
            for name, column in series.items()}


def sparse_picture():
    found = {}
    for group, (_, means) in makers.sparse_means(rows_behind("sparse")).items():
        for solver, (mean, missed) in means.items():
            found.setdefault(solver, {})[group] = (mean, not missed)
    return dots(found, "Sparse problems on one core: mean processor seconds (open: some not solved)")


def netlib_picture():
    found = {}
    rows = rows_of("netlib-h200-presolve.csv")
    for row, (problem, (_, runs_of)) in zip(rows, makers.netlib_runs(rows).items()):
        for solver, seconds in runs_of.items():
            found.setdefault(solver, {})[problem] = (seconds, number(row[f"{solver} seconds"]) is not None)
    return profile(found, "Netlib and Kennington: osi_cuda on one GPU, peers on one core", lambda name: name == "osi_cuda")


def suite_picture(series, title):
    rows = rows_behind(series)
    found = {name: {problem.partition(": ")[2]: value for problem, value in each.items()}
             for name, each in suite_pages.times(rows, "to 1e-8").items()}
    return dots(found, title)


def integers_picture():
    rows = [row for row in rows_of("integers.csv") if max(float(row["cbc seconds"]), float(row["osi-cuda seconds"])) >= 0.5]
    found = {"cbc": {row["problem"]: (float(row["cbc seconds"]), True) for row in rows},
             "osi-cuda --integers": {row["problem"]: (float(row["osi-cuda seconds"]), not row["gap at the limit"]) for row in rows}}
    return dots(found, "Processor seconds of a search (open: stopped)", step=19)


def resolves_picture():
    found = {"engine cuda": {}, "OsiClp": {}}
    for problem, sides in resolve_tables.by_side(rows_behind("re-solves")).items():
        if {"cuda", "clp"} <= sides.keys():
            found["engine cuda"][problem] = (float(sides["cuda"]["inside"]), True)
            found["OsiClp"][problem] = (float(sides["clp"]["inside"]), True)
    return dots(found, "Re-solves a second in Cbc, one GPU beside one core", "a second")


def stress_picture():
    sums = makers.stress_sums(rows_of("stress.csv"))
    found = {name: {group: (max(counts[f"{key}false"] + counts[f"{key}missing"], 0.5), True) for group, counts in sums.items()}
             for name, key in (("osi_cuda", ""), ("Clp", "clp "), ("HiGHS", "highs "))}
    return dots(found, f"False and missing answers of {sums['all']['solves']:,} solves (none: at 0.5)", "answers")


def exact_picture():
    rows = sorted(rows_of("exact-netlib.csv"), key=lambda row: -float(row["check, s"]))[:16]
    return dots({"exact check": {row["problem"]: (float(row["check, s"]), True) for row in rows},
                 "solve": {row["problem"]: (float(row["solve, s"]), True) for row in rows}},
                "The 16 longest exact checks of Netlib, and the solves before them", step=20)


PICTURES = {
    ROOT / "docs/dense.svg": lambda: dense_picture.picture(
        rows_of("dense.csv"), newest_run("dense", {"solver": "osi_cuda, auto"})["machine"].partition(",")[0]),
    EVIDENCE / "sparse.svg": sparse_picture,
    EVIDENCE / "netlib.svg": netlib_picture,
    EVIDENCE / "batch.svg": lambda: suite_picture("batch", "Batches: seconds of all problems, one H200 and 16 cores"),
    EVIDENCE / "variants.svg": lambda: suite_picture("variants", "Variants: seconds of all, one H200 and 16 cores"),
    EVIDENCE / "osi.svg": resolves_picture,
    EVIDENCE / "integers.svg": integers_picture,
    EVIDENCE / "gpus.svg": lambda: dots(values(sorted((row for row in rows_of("gpus.csv") if row["problem"].endswith(", s")), key=makers.of_gpus),
                                               lambda row: row["problem"].removesuffix(", s").replace("`", ""),
                                               {"one GPU": "one", "two GPUs": "two", "four GPUs": "four"}), "Seconds of a dense solve"),
    EVIDENCE / "exact.svg": exact_picture,
    EVIDENCE / "reliability.svg": stress_picture,
    EVIDENCE / "python.svg": lambda: dots(values(rows_of("flux.csv"), lambda row: row["what"][:36], {
        "one H200": "one H200", "16 threads": "16 threads", "GLPK, 16 processes": "cobrapy, GLPK, 16 processes",
        "highspy, 16 processes": "highspy, 16 processes"}), "Seconds of questions about iJO1366"),
    EVIDENCE / "analysis.svg": lambda: dots(values(rows_of("subsystems.csv"), lambda row: row["problem"], {
        "osi_cuda": "seconds", "HiGHS, strategy 2": "HiGHS 2, seconds", "HiGHS, strategy 6": "HiGHS 6, seconds"}),
        "Seconds to an infeasible subsystem", step=20),
    EVIDENCE / "layers.svg": lambda: dots(values(rows_of("layer-times.csv"), lambda row: row["a whole solve through the layer"], {
        "osi_cuda": "osi_cuda, user seconds", "HiGHS": "HiGHS 1.16, user seconds"}), "User seconds through a modelling layer"),
    EVIDENCE / "install.svg": lambda: dots({"": {", ".join(row[name].partition(",")[0] for name in ("channel", "bare system")):
                                                 (float(row["seconds"]), True) for row in rows_of("install.csv")}},
                                           "Seconds from a bare system to answers"),
    EVIDENCE / "cards.svg": lambda: dots(values(rows_of("cards.csv"), lambda row: row["card"], {
        "predicted": "predicted, s", "with products of bytes": "with products of bytes, s", "measured": "measured, s"}),
        "Predicted seconds of a solve of 5000 x 2500"),
    EVIDENCE / "tall.svg": lambda: dots(values(rows_of("tall.csv"), lambda row: row["problem"], {
        "osi_cuda": "osi_cuda", "HiGHS, dual simplex": "highs-ds", "HiGHS, interior point": "highs-ipm"}),
        "Processor seconds of problems that people have"),
}


# ---- the check ------------------------------------------------------------------------------------------

COMMIT = re.compile(r"[0-9a-f]{7,}|\d+\.\d+")  # or the version of a peer


def faults_of_runs():
    """Rows of lab/data without a run, and runs that lack machine, date, commit or command."""
    for path in sorted(DATA.glob("*.csv")):
        if path.name == "runs.csv":
            continue
        for row in rows_of(path.name):
            if "machine" not in row and row.get("run") not in runs():
                yield f"{path.name}: a row without a run of runs.csv: {list(row.values())[:3]}"
                break
    used = {row["run"] for path in DATA.glob("*.csv") for row in rows_of(path.name) if "run" in row and path.name != "runs.csv"}
    yield from (f"runs.csv: {name}: no row has this run" for name in runs() if name not in used)
    for row in [*runs().values(), *(run_of(row) for row in rows_of("suite.csv"))]:
        lacking = [key for key in ("machine", "date", "commit", "command") if not row[key]]
        if lacking or not re.match(r"\d{4}-\d\d-\d\d", row["date"]) or not COMMIT.search(row["commit"]):
            yield f"runs.csv: {row['run']}: no {', '.join(lacking) or 'date and commit'}"
        if row["raw"] != "rows" and not re.fullmatch(r"quoted from the log of \d{4}-\d\d-\d\d", row["raw"]):
            yield f"runs.csv: {row['run']}: raw is neither `rows` nor `quoted from the log of DATE`"


def faults_of_pages(pages):
    """`pages`: path -> text."""
    shown = set()
    for path, text in pages.items():
        name = path.relative_to(ROOT)
        shown.update(name for name, _ in BLOCK.findall(text))
        outside = BLOCK.sub("", text)
        if EVIDENCE in path.parents and re.search(r"^\| *:?-", outside, re.MULTILINE):
            yield f"{name}: a table outside of <!-- table: NAME --> and <!-- end -->"
        short = path.name if EVIDENCE in path.parents else str(name)
        yield from conditions.others(short, conditions.sentences(text, BLOCK))
    if len(pages) > 1:
        yield from claims.faults({path.name: conditions.sentences(text, BLOCK) for path, text in pages.items()})
    for name in sorted(set(TABLES) - shown):
        yield f"the table {name} is on no page"


def faults_of_guides(pages):
    """Of guides, references and explanations."""
    for path, text in pages.items():
        for match in conditions.CLAIM.finditer(conditions.sentences(text, BLOCK)):
            yield f"{path.relative_to(ROOT)}: `{match.group()}`: what was measured belongs into docs/evidence"


def refreshed(path, text):
    """The text with each table as lab/data has it."""
    above = set()
    return BLOCK.sub(lambda match: block(match.group(1), path.parent, above), text)


def hand_written():
    """Pages that show figures, with tables between words."""
    return {path: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", ROOT / "docs/index.md", *sorted(EVIDENCE.glob("*.md")))}


def made():
    """Path -> what it has to contain, of each picture, page of the suite and page with tables."""
    files = {path: picture() for path, picture in PICTURES.items()}
    files |= {EVIDENCE / "suite" / name: text for name, text in suite_pages.pages(rows_of("suite.csv")).items()}
    return files | {path: refreshed(path, text) for path, text in hand_written().items()}


def faults():
    """A sentence for each place where pages and data differ."""
    wanted = made()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(ROOT)}: not what lab/data says; run lab/evidence/pages.py"
    for path in sorted(EVIDENCE.rglob("*.svg")):
        if path not in wanted:
            yield f"{path.relative_to(ROOT)}: a picture that pages.py does not make"
    yield from faults_of_runs()
    yield from faults_of_pages(hand_written())
    yield from faults_of_guides({path: path.read_text(encoding="utf-8") for folder in ("guide", "reference", "explanation", "examples")
                                 for path in sorted((ROOT / "docs" / folder).glob("*.md"))})


def main():
    if sys.argv[1:] == ["--check"]:
        found = list(faults())
        print("\n".join(found) or "tables and pictures are what lab/data says")
        return 1 if found else 0
    if sys.argv[1:]:
        sys.exit(__doc__)
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
