# SPDX-License-Identifier: EPL-2.0
"""Times of docs/evidence/python.md: flux variability and gene deletions of iJO1366, and whose values
are right. Needs cobra, highspy and scikit-learn; iJO1366 is in cobra's wheel.

    python lab/evidence/flux_variability.py [--fraction 1.0] [--exact 20] [--solvers glpk hybrid]
        [--engines host cuda] [--processes 1 2] [--highs 16]
"""

import argparse
import fractions
import importlib.resources
import logging
import multiprocessing
import pathlib
import sys
import time

import cobra
import numpy as np
from cobra.flux_analysis import flux_variability_analysis, single_gene_deletion

import osi_cuda.cobra
from scipy import sparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/examples"))
from digits import with_highs  # noqa: E402

logging.getLogger("cobra").setLevel(logging.ERROR)


def timed(what, run, *arguments, **options):
    start = time.perf_counter()
    answer = run(*arguments, **options)
    print(f"{what:50} {time.perf_counter() - start:8.2f} s", flush=True)
    return answer


def read(path=None, solver="glpk"):
    """Each its own: cobrapy's models do not survive a change from its hybrid solver."""
    if path:
        model = cobra.io.load_json_model(path)
    else:
        model = cobra.io.read_sbml_model(str(importlib.resources.files("cobra") / "data/iJO1366.xml.gz"))
    model.solver = solver
    return model


def whole_problem(model, costs=None):
    """The model's own columns and rows."""
    matrix = cobra.util.create_stoichiometric_matrix(model, array_type="dok").tocsc()
    lower, upper = np.array([reaction.bounds for reaction in model.reactions]).T
    costs = np.zeros(len(model.reactions)) if costs is None else costs
    return osi_cuda.Problem(costs, matrix, 0.0, 0.0, lower, upper)


def network_of_media(model, lower):
    """The reduced program where the exchange reactions have these lower bounds, and for each of them
    its column, or -1, and by what that is multiplied."""
    with model:
        for reaction, bound in zip(model.exchanges, lower):
            reaction.lower_bound = bound
        network = osi_cuda.cobra._Network(model)
    numbers = [model.reactions.index(reaction) for reaction in model.exchanges]
    return network.problem(), network.place[numbers], network.factor[numbers]


def ends_of(share):
    """The least and the largest fluxes of some columns by highspy, in a process of its own."""
    arguments, columns, tolerance = share
    costs, (values, rows, starts), *bounds = arguments
    m, n = bounds[2].size, costs.size
    matrix = sparse.csc_array((values, rows, starts), (m, n))
    return with_highs(osi_cuda.Problem(costs, matrix, bounds[2], bounds[3], bounds[0], bounds[1]),
                      columns, tolerance=tolerance)


def growths_of(share):
    """Optima with bounds of some columns at 0, by highspy from the last basis."""
    import highspy

    (costs, (values, rows, starts), lower, upper, below, above), stopped = share
    solver, lp = highspy.Highs(), highspy.HighsLp()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    lp.num_row_, lp.num_col_ = below.size, costs.size
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = costs, lower, upper
    lp.row_lower_, lp.row_upper_ = below, above
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = starts, rows, values
    solver.passModel(lp)
    growths = []
    for columns in stopped:
        for column in columns:
            solver.changeColBounds(int(column), 0.0, 0.0)
        solver.run()
        optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        growths.append(solver.getInfo().objective_function_value if optimal else np.nan)
        for column in columns:
            solver.changeColBounds(int(column), lower[column], upper[column])
    return growths


def parts_of(problem, costs):
    return (costs, problem.matrix, *problem.column_bounds, *problem.row_bounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fraction", type=float, default=1.0)
    parser.add_argument("--exact", type=int, default=20, help="values that differ most, settled exactly")
    parser.add_argument("--engines", nargs="*", default=["auto"])
    parser.add_argument("--processes", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--solvers", nargs="*", default=["glpk", "hybrid"])
    parser.add_argument("--highs", type=int, default=1, help="processes of highspy")
    parser.add_argument("--model", help="JSON of the model instead of cobra's SBML")
    chosen = parser.parse_args()
    model, fraction = read(chosen.model), chosen.fraction
    pool = multiprocessing.get_context("spawn").Pool(chosen.highs)
    pool.map(abs, range(chosen.highs))
    print(f"flux variability, {2 * len(model.reactions)} linear programs, fraction {fraction}")
    for engine in chosen.engines:
        for processes in chosen.processes:
            for turn in ("first call", "again"):
                ours = timed(f"osi_cuda.cobra, {engine}, {processes} threads, {turn}",
                             osi_cuda.cobra.flux_variability, model, fraction_of_optimum=fraction,
                             processes=processes, engine=engine)
    for solver in chosen.solvers:
        for processes in chosen.processes if solver == "glpk" else chosen.processes[-1:]:  # minutes
            timed(f"cobrapy with {solver}, {processes} processes", flux_variability_analysis,
                  read(chosen.model, solver), fraction_of_optimum=fraction, processes=processes)

    costs = np.array([reaction.objective_coefficient for reaction in model.reactions])
    whole = whole_problem(model)
    limit = fraction * osi_cuda.cobra._Network(model).problem().solve().objective
    whole.add_rows(costs[np.newaxis], limit)

    def highs(tolerance):
        pieces = np.array_split(np.arange(costs.size), 4 * chosen.highs if chosen.highs > 1 else 1)
        shares = [(parts_of(whole, np.zeros(costs.size)), piece, tolerance) for piece in pieces]
        return np.concatenate([found.T for found in pool.map(ends_of, shares, chunksize=1)])

    timed(f"highspy, its own tolerances, {chosen.highs} processes", highs, 1e-7)
    theirs = timed(f"highspy, tolerances 1e-10, {chosen.highs} processes", highs, 1e-10)
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
    for engine in chosen.engines:
        for processes in chosen.processes:
            for turn in ("first call", "again"):
                ours = timed(f"osi_cuda.cobra, {engine}, {processes} threads, {turn}",
                             osi_cuda.cobra.gene_deletions, model, processes=processes, engine=engine)
    growths = {}
    for solver in chosen.solvers:
        for processes in chosen.processes if solver == "glpk" else chosen.processes[-1:]:
            table = timed(f"cobrapy with {solver}, {processes} processes", single_gene_deletion,
                          read(chosen.model, solver), processes=processes)
        growths[solver] = {next(iter(ids)): value for ids, value in zip(table["ids"], table["growth"])}

    def by_highs():
        whole, stopped = whole_problem(model, costs), {}
        for gene in model.genes:
            stopped[gene.id] = [model.reactions.index(r) for r in gene.reactions if not r.gpr.eval({gene.id})]
        names = list(stopped)
        shares = [(parts_of(whole, costs), [stopped[name] for name in names[p :: chosen.highs]])
                  for p in range(chosen.highs)]
        found = pool.map(growths_of, shares)
        return {name: value for p, values in enumerate(found) for name, value in zip(names[p :: chosen.highs], values)}

    growths["highspy"] = timed(f"highspy, {chosen.highs} processes", by_highs)
    for solver, growth in growths.items():
        theirs = np.array([growth[next(iter(ids))] for ids in ours["ids"]])
        apart = np.abs(ours["growth"].to_numpy() - theirs)
        print(f"  the farthest from {solver}'s growth: {np.nanmax(apart):.1e}; "
              f"{(np.isnan(theirs) != ours['growth'].isna().to_numpy()).sum()} of another status")


if __name__ == "__main__":
    main()
