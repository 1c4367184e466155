# SPDX-License-Identifier: EPL-2.0
"""What README.md quotes: cells of the tables of docs/evidence, each with the run that measured it."""

import re

from data import filled, markdown, tables

# Question, table, its first cell and column, the others as (name, first cell, column), which rows of lab/data were measured for it, page.
HEADLINE = (
    ("Cold dense LP, 5000 x 2500, s", "dense", "osi_cuda, auto", "5000 x 2500",
     (("cuOpt barrier", "cuOpt, barrier", "5000 x 2500"), ("HiGHS interior point", "HiGHS, interior point", "5000 x 2500")),
     {"solver": "osi_cuda, auto", "rows": "5000"}, "dense"),
    ("Cold dense LP, 40000 x 20000, s", "dense", "osi_cuda, auto", "40000 x 20000", (), {"solver": "osi_cuda, auto", "rows": "40000"}, "dense"),
    ("Netlib and Kennington, mean s", "netlib", "all", "osi_cuda", (("Clp", "all", "Clp"), ("HiGHS", "all", "HiGHS")), {}, "netlib"),
    ("LPs of 50 x 50, arrays to arrays, a second", "batch-rates", "uniform 50 x 50", "arrays to arrays",
     (("HiGHS, 16 cores", "uniform 50 x 50", "HiGHS"),), {"problems": "uniform 50 x 50"}, "batch"),
    ("Re-solves of Cbc, one core, mean rate over OsiClp", "resolves-host-means", "all", "whole search", (), {}, "osi"),
    ("Re-solves of Cbc, cover of 500 x 5000, a second", "re-solves", "cover:500x5000:10:1", "cuda, a second",
     (("OsiClp", "cover:500x5000:10:1", "OsiClp, a second"),), {"problem": "cover:500x5000:10:1", "side": "cuda"}, "osi"),
    ("False claims in solves of hard LPs", "stress", "all", "false", (("Clp", "all", "Clp: false"), ("HiGHS", "all", "HiGHS: false")), {},
     "reliability"),
    ("False statements in solves with extreme numbers", "stress-large", "all ways", "false", (), {}, "reliability"),
    ("Applications of Cbc, Cgl and Osi that agree with OsiClp", "applications", "all", "agree", (), {}, "applications"),
)

FACTS = """- **Fast:** a cold dense LP with 5000 rows and 2500 columns takes {dense} s on {machine}. cuOpt's barrier method takes
  {cuopt} s and returns no vertex ([dense problems](docs/evidence/dense.md)).
- **Proved:** every status comes with a checkable proof in the original problem. False claims: {false} in {solves} solves of hard
  problems, {extreme} in {larger} solves with extreme numbers ([reliability](docs/evidence/reliability.md)).
- **Drop-in:** `OsiCudaSolverInterface` replaces OsiClp by changing one line. {agree} of {number} tested applications of Cbc, Cgl and Osi
  agree ([applications](docs/evidence/applications.md))."""


def cell(text, first, column):
    """Of a table in Markdown: the row that begins with `first`."""
    return next(row for row in tables(text)[0] if row[next(iter(row))].startswith(first))[column]


def table(text_of, run_of):
    """text_of(name): a page's table; run_of(name, wanted): the run behind rows with these cells."""
    body = []
    for question, name, first, column, others, wanted, page in HEADLINE:
        run = run_of(name, wanted)
        beside = ", ".join(f"{title} {cell(text_of(name), row, of)}" for title, row, of in others) or "not run"
        count = {"stress": "solves", "stress-large": "solves", "netlib": "problems", "applications": "number"}.get(name)
        of = f" of {cell(text_of(name), first, count)}" if count else ""
        body.append([question, f"**{cell(text_of(name), first, column)}**" + (of if name != "netlib" else ""),
                     {"resolves-host-means": "1 by definition", "applications": "OsiClp is the measure"}.get(name, beside), run["machine"],
                     f"[{run['date'][:10]}, {run['commit'].removeprefix('not recorded, ')}](docs/evidence/{page}.md)"])
    return markdown(["question", "osi_cuda", "others", "machine", "osi_cuda measured"], body)


def facts(text_of, run_of):
    """The three facts at the top."""
    count = {"0": "none"}
    false, extreme = cell(text_of("stress"), "all", "false"), cell(text_of("stress-large"), "all ways", "false")
    text = FACTS.format(
        dense=cell(text_of("dense"), "osi_cuda, auto", "5000 x 2500"), cuopt=cell(text_of("dense"), "cuOpt, barrier", "5000 x 2500"),
        machine=run_of("dense", {"solver": "osi_cuda, auto", "rows": "5000"})["machine"].partition(",")[0],
        solves=cell(text_of("stress"), "all", "solves"), false=count.get(false, false),
        larger=cell(text_of("stress-large"), "all ways", "solves"), extreme=count.get(extreme, extreme),
        agree=cell(text_of("applications"), "all", "agree"), number=cell(text_of("applications"), "all", "number"))
    return "\n".join(filled(f"- {' '.join(item.split())}", "  ") for item in re.split(r"^- ", text, flags=re.MULTILINE) if item)
