# SPDX-License-Identifier: EPL-2.0
"""Sentences of docs/evidence that compare, with the condition that rows of lab/data have to meet. After new rows pages.py --check names
the sentences that do not hold any more."""
from data import number, rows_of, tables


def cells(table, column, *first):
    """Numbers of a column of a table of pages.py, in the rows that begin so (all rows without any)."""
    import pages  # here, as pages.py imports this
    rows = tables(pages.table(table))[0]
    return [number(row[column].strip("> ").split()[0]) for row in rows if (not first or list(row.values())[0] in first) and row[column].strip("- ")]


def cell(table, column, first):
    return cells(table, column, first)[0]


def less(table, column, first, than, other=None):
    """Whether a cell is less than that of another column, or of another row of that column."""
    return cell(table, column, first) < (cell(table, than, first) if other is None else cell(table, than, other))


def rates(file, column="ratio", name="problem"):
    """Name -> a number of a file of lab/data."""
    return {row[name]: number(row[column]) for row in rows_of(file)}


def ratio(file, mine, other, name="problem"):
    """Name -> the quotient of two columns of a file, where both are numbers."""
    return {row[name]: a / b for row in rows_of(file) if (a := number(row[mine])) is not None and (b := number(row[other]))}


def kennington(other):
    """Kennington's problems that another solver ends sooner."""
    return {row["problem"] for row in rows_of("netlib-h200-presolve.csv") if row["problem"].startswith(("ken-", "pds-", "osa-", "cre-"))
            and (number(row[f"{other} seconds"]) or 60) < (number(row["osi_cuda seconds"]) or 60)}


def larger_subsystems():
    def size(text):
        return sum(map(int, text.split(" (")[0].split(" + ")))
    return {row["problem"] for row in rows_of("subsystems.csv") if "+" in row["HiGHS 6, rows + bounds"] and "warning" not in row["HiGHS 6, rows + bounds"]
            and size(row["rows + bounds"]) > size(row["HiGHS 6, rows + bounds"])}


CLAIMS = {
    "dense.md": [
        ("At 1000 x 500 with signed numbers the interior point method is faster",
         lambda: less("dense-signed", "1000 x 500", "osi_cuda, barrier", "1000 x 500", "osi_cuda, auto")),
        ("Python's layers take longer than Clp's C++ interface at each density",
         lambda: all(cell("small", density, "Clp, dual") < cell("small", density, "osi_cuda.Problem") for density in ("100 %", "30 %", "5 %")))],
    "sparse.md": [
        ("transport, flows and Kennington's problems take longer than with Clp",
         lambda: all(less("sparse", "Clp, dual", group, "osi_cuda, auto") for group in ("transport and flows", "Kennington"))),
        ("In the mean real problems take less than with the best of the others on each", lambda: less("one-thread", "osi_cuda, auto", "real", "best of these on each"))],
    "tall.md": [
        ("None against HiGHS in this table", lambda: all(v < 1 for v in rates("tall.csv").values())),
        ("A fit of medium size takes longer with a GPU than on two cores",
         lambda: less("estimators", "osi_cuda, two cores, s", "one quantile, 100000 x 30", "osi_cuda, one GPU, s"))],
    "netlib.md": [
        ("Clp wins most small problems", lambda: less("netlib", "Clp", "up to 1e5", "osi_cuda")),
        ("Clp is faster on ken-11, ken-13 and ken-18, HiGHS on pds-20",
         lambda: kennington("Clp") >= {"ken-11", "ken-13", "ken-18"} and "pds-20" in kennington("HiGHS")),
        ("From points of 1e-4 nesm takes longer, with more pivots",
         lambda: all(float(row[of]) > float(row[f"cold {of}"]) for row in rows_of("starts.csv") if row["problem"] == "nesm" for of in ("pivots", "seconds"))),
        ("The simplex method is the better choice over this collection", lambda: less("barrier-h200", "dual", "all", "barrier"))],
    "exact.md": [
        ("In the set hard that problem and `perold_fixopt_2` were not proved within the limit",
         lambda: {row["file"].split(".")[0] for row in rows_of("exact-statuses.csv") if row["set"] == "hard" and row["exact status"] == "not proved"}
         == {"brandy_scale4dup_1", "perold_fixopt_2"})],
    "batch.md": [
        ("From 200 x 200 on the advantage shrinks", lambda: less("batch-rates", "times HiGHS", "uniform 200 x 200", "times HiGHS", "uniform 100 x 100"))],
    "variants.md": [
        ("The scenarios of the largest problem find no basis in the pool",
         lambda: [row["without a pivot"] for row in rows_of("pool.csv") if row["changes"] == "eight scenarios"][-1] == "0.0%"),
        ("Variants that are all new pay a little", lambda: max(number(row["16 threads"]) for row in rows_of("pool.csv") if row["changes"][:3] == "new") > 1)],
    "osi.md": [
        ("re-solves are faster", lambda: min(cells("resolves-host-means", "whole search")[:2]) > 1),
        ("misc07, l152lav, harp2, p2756 and khb05250 have less than OsiClp's rate",
         lambda: {k for k, v in rates("resolves-host.csv").items() if v < 0.99} == {"misc07", "l152lav", "harp2", "p2756", "khb05250"}),
        ("arki001 gains nothing", lambda: cell("re-solves", "ratio", "arki001") < 1.05),
        ("with 16 threads `cuda` has far fewer nodes than OsiClp",
         lambda: cell("threads", "16", "p2756, cuda") < 0.7 * cell("threads", "16", "p2756, OsiClp"))],
    "integers.md": [
        ("The own search proves most bounds",
         lambda: 2 * sum(row["proof of the bound"] == "tolerance" for row in rows_of("integers.csv")) > len(rows_of("integers.csv"))),
        ("Host and OsiClp did not end the cover, and OsiClp not the first knapsack",
         lambda: {(row["side"], row["problem"]) for row in rows_of("resolves.csv") if row["log"] == "gap" and row["ended"] == "out of time"}
         == {("host", "cover:500x5000:10:1"), ("clp", "cover:500x5000:10:1"), ("clp", "knapsack:500x2000:1")}),
        ("p2756 and bell5 were not finished in a minute",
         lambda: {row["problem"] for row in rows_of("integers.csv") if row["gap at the limit"]} == {"p2756", "bell5"}),
        ("khb05250, p0548, gesa2, vpm2 and l152lav take several times as long as cbc",
         lambda: {k for k, v in ratio("integers.csv", "osi-cuda seconds", "cbc seconds").items() if v > 3} >= {"khb05250", "p0548", "gesa2", "vpm2", "l152lav"})],
    "gpus.md": [
        ("The largest problem gains most", lambda: max(gain := ratio("gpus.csv", "one", "two"), key=lambda name: gain[name] if name.endswith(", s") else 0)
         == "100000 x 50000 `origin`, s"),
        ("Variants gain nearly as much as there are devices", lambda: ratio("gpus.csv", "two", "one")["2000 x 1000, variants, a second"] > 1.8),
        ("this run's rate of batches is far below that of other runs", lambda: 2 * rates("gpus.csv", "one")["50 x 50, 1,000,000 problems, a second"]
         < cell("batch-rates", "arrays to arrays", "uniform 50 x 50"))],
    "analysis.md": [
        ("The subsystems of ceria3d and mondou2 are larger than those of strategy 6", lambda: larger_subsystems() >= {"ceria3d", "mondou2"})],
    "install.md": [
        ("A checkout compiles everything", lambda: max(rows_of("install.csv"), key=lambda row: float(row["seconds"]))["channel"].startswith("checkout"))],
}


def faults(texts):
    """A sentence for each claim that its page lacks or that the rows do not bear. `texts`: name of a page -> its sentences."""
    for page, claims in CLAIMS.items():
        for phrase, holds in claims:
            try:
                said = "is not there" if phrase not in texts[page] else "" if holds() else "is not so any more"
            except (KeyError, IndexError, ValueError, TypeError) as lacking:  # another table, or a cell without a number
                said = f"can't be decided: {type(lacking).__name__} {lacking}"
            if said:
                yield f"{page}: `{phrase}` of claims.py {said}"
