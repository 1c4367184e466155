# SPDX-License-Identifier: EPL-2.0
"""Growth of iJO1366 on random media: as variants of one problem, beside manylp on the same device.
Needs cobra and highspy; manylp with --manylp, which wants CuPy for device cuda.

    python lab/evidence/random_media.py --count 100000 --engine cuda --manylp cuda
"""

import argparse
import time

import cobra
import numpy as np
from flux_variability import network_of_media, read

import osi_cuda


def media(model, count, kind, random):
    """Lower bounds of the exchange reactions, shape (count, exchanges). `amounts`: what the model's
    medium has, in random amounts; `sources`: 20 more sources of carbon, each there in one of five."""
    exchanges = list(model.exchanges)
    lower = np.tile([reaction.lower_bound for reaction in exchanges], (count, 1))
    number = {reaction.id: j for j, reaction in enumerate(exchanges)}
    for name, most in [("EX_glc__D_e", 20), ("EX_o2_e", 30), ("EX_nh4_e", 20), ("EX_pi_e", 3), ("EX_so4_e", 1)]:
        lower[:, number[name]] = -random.uniform(0.05, 1, count) * most
    if kind == "sources":
        others = [j for j, reaction in enumerate(exchanges)
                  if reaction.lower_bound == 0 and next(iter(reaction.metabolites)).elements.get("C", 0) >= 3]
        for j in random.choice(others, 20, replace=False):
            lower[:, j] = np.where(random.uniform(size=count) < 0.2, -random.uniform(0, 5, count), 0.0)
    return lower


def report(what, count, seconds, more=""):
    print(f"  {what:46} {seconds:8.3f} s, {count / seconds:10.0f} a second{more}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--engine", default="cuda")
    parser.add_argument("--kinds", nargs="*", default=["amounts", "sources"])
    parser.add_argument("--manylp", help="its device: cpu or cuda")
    parser.add_argument("--manylp-count", type=int, default=100000, help="media for it")
    parser.add_argument("--sample", type=int, default=200, help="media that HiGHS solves as well")
    parser.add_argument("--model", help="JSON of the model instead of cobra's SBML")
    chosen = parser.parse_args()
    model = read(chosen.model)
    cobra.Configuration().processes = 1
    for kind in chosen.kinds:
        random = np.random.default_rng(5)
        lower = media(model, chosen.count, kind, random)
        problem, place, factor = network_of_media(model, lower.min(axis=0))
        print(f"{kind}: {chosen.count} media, {problem.shape[0]} rows, {problem.shape[1]} columns")
        start = time.perf_counter()
        changed = np.flatnonzero((lower != lower[0]).any(axis=0) & (place >= 0))
        lows = np.full((chosen.count, problem.shape[1]), np.nan)
        highs = np.full((chosen.count, problem.shape[1]), np.nan)
        below, above = problem.column_bounds
        for j in changed:
            end, column = lower[:, j] / factor[j], place[j]
            if factor[j] > 0:
                lows[:, column] = np.maximum(end, below[column])
            else:
                highs[:, column] = np.minimum(end, above[column])
        print(f"  {changed.size} bounds that differ, made in {time.perf_counter() - start:.2f} s")
        problem.solve()
        highs = None if np.isnan(highs).all() else highs
        for what in ((), ("x",)):
            for turn in ("first call", "again"):
                start = time.perf_counter()
                answer = problem.variants(lower=lows, upper=highs, what=what, engine=chosen.engine)
                report(f"osi_cuda, {chosen.engine}, what={what}, {turn}", chosen.count,
                       time.perf_counter() - start,
                       f"; device {answer.device_seconds:.3f} s, pivots {answer.iterations.mean():.1f}, without "
                       f"{(answer.iterations == 0).mean():.1%}, again {answer.again}, pooled {answer.pooled}")
        optimal = answer.status == osi_cuda.Status.OPTIMAL
        print(f"  optimal {optimal.sum()}, infeasible {(answer.status == osi_cuda.Status.INFEASIBLE).sum()}")
        if chosen.sample:
            worst = 0.0
            for k in random.choice(chosen.count, chosen.sample, replace=False):
                one, own = problem.copy(), above if highs is None else np.where(np.isnan(highs[k]), above, highs[k])
                one.set_bounds(np.where(np.isnan(lows[k]), below, lows[k]), own, np.arange(own.size))
                alone = one.solve()
                assert alone.status == answer.status[k]
                if optimal[k]:
                    worst = max(worst, abs(alone.objective - answer.objective[k]) / (1 + abs(alone.objective)))
            print(f"  {chosen.sample} single solves: at most {worst:.1e} apart")
        if not chosen.manylp:
            continue
        from manylp import BatchLPSolver
        from manylp.fba import FBAModel, compile_fba

        lower = lower[: chosen.manylp_count]
        theirs = FBAModel.from_cobra(model)
        order = [[reaction.id for reaction in model.exchanges].index(model.reactions[j].id) for j in theirs.exchanges]
        fba = compile_fba(theirs, mode="fba")
        solver = BatchLPSolver(device=chosen.manylp)
        group = solver.register_group(fba.lp, out_z=fba.out_z(theirs.exchanges))
        for turn in ("first call", "again"):
            start = time.perf_counter()
            L, U = fba.param_bounds(lower[:, order])
            found = solver.solve_batch(group, L, U)
            report(f"manylp, {chosen.manylp}, {turn}", len(lower), time.perf_counter() - start,
                   f"; certified {found.certified.mean():.3%}, {found.stats.get('highs_solves', '?')} by HiGHS")
        both = optimal[: len(lower)] & (found.status == 1)
        print(f"  manylp: optimal {(found.status == 1).sum()}, infeasible {(found.status == 2).sum()}, "
              f"other {((found.status != 1) & (found.status != 2)).sum()}; where both are optimal at most "
              f"{np.max(np.abs(found.objective[both, 0] - answer.objective[: len(lower)][both]), initial=0):.1e} apart")
        solver.close()


if __name__ == "__main__":
    main()
