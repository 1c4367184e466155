#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Ranging beside GLPK, HiGHS and lp_solve, from the same basis.

usage: ranging_peers.py OSI-CUDA [FILE.mps...]

Each problem is solved by osi-cuda, and its last basis is given to the others; one that leaves it is
left out for that problem, as intervals of different bases differ. So is a problem without a point in exact arithmetic, as scorpion:
its intervals have no length here, while the others range the basis within their tolerances. Compared are both ends of the
intervals of costs and of bounds that variables rest on, as far as a solver has them, relative to
1e-6. Prints a line for each problem and solver; exit status 1 where more than 1 in 1000 ends
differ from GLPK's or HiGHS', 77 where nobody else is there. (lp_solve has conventions of its own, see
docs/guide/analysis.md.) GLPK and lp_solve come as shared libraries, HiGHS as the
Python package highspy. Without files: 34 problems of Netlib in OSI_CUDA_DATA, or the samples of
coinor-libcoinutils.
"""
import csv
import ctypes
import ctypes.util
import glob
import math
import os
import subprocess
import sys
import tempfile

INFINITY = math.inf
TOLERANCE = 1e-6
NETLIB = ("afiro sc50a sc50b sc105 adlittle blend share2b share1b stocfor1 scagr7 recipe israel lotfi "
          "vtp-base brandy e226 beaconfd bore3d capri agg agg2 agg3 scorpion bandm scfxm1 sctap1 grow7 "
          "standata boeing1 degen2 scsd1 ship04s stair scagr25").split()


class Item:
    """A number of the problem with its interval, from osi-cuda's CSV."""

    def __init__(self, low, high):
        self.of, self.name, self.number, self.status = (low[k] for k in
                                                        ("of", "name", "number", "status"))
        self.present = float(low["present"])
        self.value = float(low["value"])
        self.ends = [float(low["at"]), float(high["at"])]
        self.beyond = [low["beyond"], high["beyond"]]
        self.pivots = [low["leaves"], high["leaves"]]


def ownRanging(program, file, folder):
    """The items, in the problem's order, and the problem as free MPS."""
    model, ranges = os.path.join(folder, "model.mps"), os.path.join(folder, "ranges.csv")
    subprocess.run([program, "convert", file, model, "--quiet"], check=True)
    subprocess.run([program, "solve", model, "--engine", "host", "--quiet", "--ranging", ranges],
                   check=True, stdout=subprocess.DEVNULL)
    if subprocess.run([program, "solve", model, "--exact", "on", "--exact-numbers", "doubles", "--quiet", "--time-limit", "5"],
                      stdout=subprocess.DEVNULL, check=False).returncode == 1:
        return None, model
    with open(ranges, newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return [Item(low, high) for low, high in zip(rows[::2], rows[1::2])], model


def statuses(items, of):
    return [item.status for item in items if item.number == "cost" and item.of == of]


def resting(item):
    """Whether the variable rests on this bound, not on rounding's side of it."""
    return item.number == "both" and item.status != "basic" or item.number == item.status


class Glpk:
    name = "GLPK"

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("glpk"))
        self.library.glp_create_prob.restype = ctypes.c_void_p
        self.library.glp_version.restype = ctypes.c_char_p
        self.version = self.library.glp_version().decode()
        self.library.glp_term_out(0)

    def ends(self, items, model):
        """{(of, name, number): [low, high]} for what it has, or None where it can't take the basis."""
        lib, problem = self.library, ctypes.c_void_p(self.library.glp_create_prob())
        if lib.glp_read_mps(problem, 2, None, model.encode()) != 0:
            return None
        columns, rows = statuses(items, "column"), statuses(items, "row")
        fixed = {(i.of, i.name) for i in items if i.number == "both"}
        codes = {"basic": 1, "lower": 2, "upper": 3, "free": 4}
        names = {of: [i.name for i in items if i.number == "cost" and i.of == of]
                 for of in ("column", "row")}
        for i, status in enumerate(rows):
            lib.glp_set_row_stat(problem, i + 1, 5 if ("row", names["row"][i]) in fixed
                                 and status != "basic" else codes[status])
        for j, status in enumerate(columns):
            lib.glp_set_col_stat(problem, j + 1, 5 if ("column", names["column"][j]) in fixed
                                 and status != "basic" else codes[status])
        if lib.glp_factorize(problem) != 0 or lib.glp_warm_up(problem) != 0:
            return None
        if lib.glp_get_status(problem) != 5:  # GLP_OPT
            return None
        found, m = {}, len(rows)
        place = {("row", name): i + 1 for i, name in enumerate(names["row"])}
        place.update({("column", name): m + 1 + j for j, name in enumerate(names["column"])})
        number, variable = ctypes.c_double, ctypes.c_int
        for item in items:
            k = place[item.of, item.name]
            low, high, valueLow, valueHigh = number(), number(), number(), number()
            first, second = variable(), variable()
            if item.number == "cost" and item.status == "basic":
                lib.glp_analyze_coef(problem, k, ctypes.byref(low), ctypes.byref(first),
                                     ctypes.byref(valueLow), ctypes.byref(high),
                                     ctypes.byref(second), ctypes.byref(valueHigh))
            elif item.number != "cost" and resting(item):
                lib.glp_analyze_bound(problem, k, ctypes.byref(low), ctypes.byref(first),
                                      ctypes.byref(high), ctypes.byref(second))
            else:
                continue
            ends = [low.value, high.value]
            found[item.of, item.name, item.number] = [
                e if abs(e) < 1e300 else math.copysign(INFINITY, e) for e in ends]
        lib.glp_delete_prob(problem)
        return found


class Highs:
    name = "HiGHS"

    def __init__(self):
        import highspy
        self.highspy = highspy
        self.version = highspy.Highs().version()

    def ends(self, items, model):
        highspy, solver = self.highspy, self.highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("presolve", "off")
        solver.setOptionValue("solver", "simplex")
        if solver.readModel(model) != highspy.HighsStatus.kOk:
            return None
        codes = {"basic": highspy.HighsBasisStatus.kBasic, "lower": highspy.HighsBasisStatus.kLower,
                 "upper": highspy.HighsBasisStatus.kUpper, "free": highspy.HighsBasisStatus.kZero}
        basis = highspy.HighsBasis()
        basis.col_status = [codes[s] for s in statuses(items, "column")]
        basis.row_status = [codes[s] for s in statuses(items, "row")]
        basis.valid = True
        solver.setBasis(basis)
        solver.run()
        after = solver.getBasis()
        if (solver.getInfo().simplex_iteration_count > 0 or
                list(after.col_status) != list(basis.col_status)):
            return None
        status, ranging = solver.getRanging()
        if status != highspy.HighsStatus.kOk:
            return None
        found = {}
        place = {("column", i.name): k for k, i in
                 enumerate(i for i in items if i.number == "cost" and i.of == "column")}
        place.update({("row", i.name): k for k, i in
                      enumerate(i for i in items if i.number == "cost" and i.of == "row")})
        for item in items:
            k = place[item.of, item.name]
            if item.number == "cost" and item.of == "column":
                low, high = ranging.col_cost_dn, ranging.col_cost_up
            elif item.number != "cost" and resting(item):
                low, high = ((ranging.col_bound_dn, ranging.col_bound_up) if item.of == "column"
                             else (ranging.row_bound_dn, ranging.row_bound_up))
            else:
                continue
            found[item.of, item.name, item.number] = [low.value_[k], high.value_[k]]
        return found


class LpSolve:
    name = "lp_solve"

    def __init__(self):
        path = ctypes.util.find_library("lpsolve55")
        self.library = ctypes.CDLL(path or "/usr/lib/lp_solve/liblpsolve55.so")
        self.library.read_freeMPS.restype = ctypes.c_void_p
        parts = [ctypes.c_int() for _ in range(4)]
        self.library.lp_solve_version(*[ctypes.byref(p) for p in parts])
        self.version = ".".join(str(p.value) for p in parts)

    def ends(self, items, model):
        """Of costs alone: what it calls the limits of a right-hand side is something else."""
        lib = self.library
        pointer = lib.read_freeMPS(model.encode(), 1, None)
        if not pointer:
            return None
        problem = ctypes.c_void_p(pointer)
        lib.set_scaling(problem, 0)
        rows, columns = statuses(items, "row"), statuses(items, "column")
        m, n = len(rows), len(columns)
        basic, nonbasic = [], []
        for k, status in enumerate(rows + columns, 1):
            # A row of lp_solve's that rests on its upper limit is "at lower" of its slack.
            atLower = status in ("lower", "free") if k > m else status != "lower"
            (basic if status == "basic" else nonbasic).append(
                -k if status == "basic" or atLower else k)
        start = (ctypes.c_int * (1 + m + n))(0, *basic, *nonbasic)
        lib.set_basis(problem, start, 1)
        if lib.solve(problem) != 0:
            return None
        end = (ctypes.c_int * (1 + m + n))()
        lib.get_basis(problem, end, 1)
        if {abs(k) for k in end[1:m + 1]} != {abs(k) for k in basic}:
            return None
        low = ctypes.POINTER(ctypes.c_double)()
        high, objective = ctypes.POINTER(ctypes.c_double)(), ctypes.POINTER(ctypes.c_double)()
        lib.get_ptr_sensitivity_objex(problem, ctypes.byref(low), ctypes.byref(high),
                                      ctypes.byref(objective))
        found, j = {}, 0
        for item in items:
            if item.number != "cost" or item.of != "column":
                continue
            found[item.of, item.name, item.number] = [
                e if abs(e) < 1e29 else math.copysign(INFINITY, e) for e in (low[j], high[j])]
            j += 1
        lib.delete_lp(problem)
        return found


def same(a, b):
    return a == b or abs(a - b) <= TOLERANCE * (1 + abs(b))


def compare(items, found):
    """(ends compared, those that differ as texts)."""
    compared, differences = 0, []
    for item in items:
        theirs = found.get((item.of, item.name, item.number))
        if theirs is None:
            continue
        for which in (0, 1):
            # Only here the other bound ends an interval.
            if item.number in ("lower", "upper") and item.beyond[which] == "infeasible" \
                    and not item.pivots[which]:
                continue
            compared += 1
            if not same(item.ends[which], theirs[which]):
                differences.append(f"{item.of} {item.name} {item.number} "
                                   f"{('low', 'high')[which]}: {item.ends[which]:.10g} here, "
                                   f"{theirs[which]:.10g} there, {item.status}, now "
                                   f"{item.present:.10g}")
    return compared, differences


def peers():
    for make in (Glpk, Highs, LpSolve):
        try:
            peer = make()
        except (OSError, TypeError, ImportError) as reason:
            print(f"skipped: {make.name} is not here: {reason}")
            continue
        yield peer


def files():
    data = os.environ.get("OSI_CUDA_DATA")
    found = [path for name in NETLIB if data
             for path in glob.glob(os.path.join(data, "netlib", name + ".mps*"))]
    return found or glob.glob("/usr/share/coin/Data/Sample/*.mps")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    everybody, problems = list(peers()), sys.argv[2:] or files()
    if not everybody or not problems:
        print("skipped: no other solver, or no problem")
        return 77
    totals = {peer.name: [0, 0, 0] for peer in everybody}
    for file in sorted(problems):
        name = os.path.basename(file).split(".mps")[0]
        with tempfile.TemporaryDirectory() as folder:
            try:
                items, model = ownRanging(sys.argv[1], file, folder)
            except (subprocess.CalledProcessError, FileNotFoundError):
                print(f"{name}: no optimum to range")
                continue
            if items is None:
                print(f"{name}: infeasible exactly, left out")
                continue
            for peer in everybody:
                found = peer.ends(items, model)
                if found is None:
                    print(f"{name} {peer.name}: another basis, left out")
                    continue
                compared, differences = compare(items, found)
                print(f"{name} {peer.name}: {compared} ends, {len(differences)} differ")
                for sentence in differences[:int(os.environ.get("SHOW", "3"))]:
                    print(f"    {sentence}")
                total = totals[peer.name]
                total[0] += 1
                total[1] += compared
                total[2] += len(differences)
    worst = 0.0
    for peer in everybody:
        count, compared, different = totals[peer.name]
        print(f"{peer.name} {peer.version}: {count} problems, {compared} ends, {different} differ")
        if compared and peer.name != "lp_solve":
            worst = max(worst, different / compared)
    return 1 if worst > 0.001 or not any(t[1] for t in totals.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
