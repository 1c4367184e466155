# SPDX-License-Identifier: EPL-2.0
"""Times of docs/evidence/python.md: flux variability and gene deletions of iJO1366, and whose values
are right. Needs cobra, highspy and scikit-learn; iJO1366 is in cobra's wheel.

    python docs/evidence/flux_variability.py [--fraction 1.0] [--exact 20] [--solvers glpk hybrid]
"""

import argparse
import fractions
import importlib.resources
import logging
import pathlib
import sys
import time

import cobra
import numpy as np
from cobra.flux_analysis import flux_variability_analysis, single_gene_deletion

import osi_cuda.cobra

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
from digits import with_highs  # noqa: E402

logging.getLogger("cobra").setLevel(logging.ERROR)


def timed(what, run, *arguments, **options):
    start = time.perf_counter()
    answer = run(*arguments, **options)
    print(f"{what:50} {time.perf_counter() - start:8.2f} s", flush=True)
    return answer


def read(solver="glpk"):
    """Each its own: cobrapy's models do not survive a change from its hybrid solver."""
    model = cobra.io.read_sbml_model(str(importlib.resources.files("cobra") / "data/iJO1366.xml.gz"))
    model.solver = solver
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fraction", type=float, default=1.0)
    parser.add_argument("--exact", type=int, default=20, help="values that differ most, settled exactly")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--solvers", nargs="*", default=["glpk", "hybrid"])
    chosen = parser.parse_args()
    model, fraction = read(), chosen.fraction
    print(f"flux variability, {2 * len(model.reactions)} linear programs, fraction {fraction}")
    for processes in (1, 2):
        ours = timed(f"osi_cuda.cobra, {processes} threads", osi_cuda.cobra.flux_variability, model,
                     fraction_of_optimum=fraction, processes=processes, engine=chosen.engine)
    for solver in chosen.solvers:
        for processes in (1, 2) if solver == "glpk" else (2,):  # minutes
            timed(f"cobrapy with {solver}, {processes} processes", flux_variability_analysis,
                  read(solver), fraction_of_optimum=fraction, processes=processes)

    # The model's own columns and rows, with the same limit of the objective.
    matrix = cobra.util.create_stoichiometric_matrix(model, array_type="dok").tocsc()
    lower, upper = np.array([reaction.bounds for reaction in model.reactions]).T
    costs = np.array([reaction.objective_coefficient for reaction in model.reactions])
    whole = osi_cuda.Problem(np.zeros(costs.size), matrix, 0.0, 0.0, lower, upper)
    limit = fraction * osi_cuda.cobra._Network(model).problem().solve().objective
    whole.add_rows(costs[np.newaxis], limit)
    theirs = timed("highspy, tolerances 1e-10, one thread", with_highs, whole, range(costs.size),
                   tolerance=1e-10).T
    apart = np.abs(ours.to_numpy() - theirs) / (1 + np.abs(theirs))
    print(f"{np.isnan(theirs).sum()} without an answer of HiGHS, {(apart <= 1e-9).sum()} within 1e-9 of "
          f"it, {(apart > 1e-9).sum()} farther, the farthest {np.nanmax(apart):.1e}")
    better = unproved = 0
    for place in np.argsort(np.nan_to_num(-apart, nan=-1), axis=None)[: chosen.exact]:
        j, k = np.unravel_index(place, apart.shape)
        if apart[j, k] <= 1e-9:
            break
        problem = whole.copy()
        problem.set_costs([1 - 2 * k], [j])
        problem.set_options(exact="on", time_limit=60)
        found = problem.solve()
        if not found.exact or not found.exact.proved:
            unproved += 1
            continue
        exact = (1 - 2 * int(k)) * fractions.Fraction(found.exact.objective)
        off = [abs(fractions.Fraction(float(value)) - exact)
               for value in (ours.iloc[j, k], theirs[j, k])]
        better += off[0] < off[1]
        print(f"  {model.reactions[j].id:12} {ours.columns[k]}: exact {float(exact):.15g}, osi_cuda off "
              f"by {float(off[0]):.1e}, HiGHS by {float(off[1]):.1e}")
    print(f"osi_cuda nearer to the exact value: {better}, not settled: {unproved}")

    print(f"{len(model.genes)} single gene deletions")
    for processes in (1, 2):
        ours = timed(f"osi_cuda.cobra, {processes} threads", osi_cuda.cobra.gene_deletions, model,
                     processes=processes, engine=chosen.engine)
    for solver in chosen.solvers:
        for processes in (1, 2) if solver == "glpk" else (2,):
            theirs = timed(f"cobrapy with {solver}, {processes} processes", single_gene_deletion,
                           read(solver), processes=processes)
        growth = {next(iter(ids)): value for ids, value in zip(theirs["ids"], theirs["growth"])}
        apart = max(abs(value - growth[next(iter(ids))])
                    for ids, value in zip(ours["ids"], ours["growth"]))
        print(f"  the farthest from {solver}'s growth: {apart:.1e}")


if __name__ == "__main__":
    main()
