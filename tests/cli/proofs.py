#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Proof files of `osi-cuda solve --proof`, through python -m osi_cuda.check and VIPR's viprchk.

usage: proofs.py PROGRAM [--netlib COUNT] [--seconds LIMIT] [FILE...]

Without options: small problems of every kind and Debian's samples have to be proved, and forged
proofs refused. With --netlib the COUNT smallest Netlib problems of the folder that OSI_CUDA_DATA
names, with a table; exit status 77 without that folder or without viprchk, which is looked for on
the PATH (https://github.com/scipopt/vipr, code/viprchk.cpp, needs GMP only).
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True
from osi_cuda import check  # noqa: E402

VIPRCHK = shutil.which("viprchk")
SAMPLES = pathlib.Path("/usr/share/coin/Data/Sample")
failures = []


def problem(rows, columns, rhs="", ranges="", bounds="", head="NAME test\n"):
    parts = [("ROWS", rows), ("COLUMNS", columns), ("RHS", rhs), ("RANGES", ranges),
             ("BOUNDS", bounds)]
    text = head
    for section, lines in parts:
        if lines or section in ("ROWS", "COLUMNS"):
            text += section + "\n" + "".join(f" {line}\n" for line in lines.split(";"))
    return text + "ENDATA\n"


MAX = "NAME test\nOBJSENSE\n    MAX\n"
FIXED = "    {:8}  {:8}  {:>12}   {:8}  {:>12}\n"
ROWS = "N cost;L r1;G r2"
COLUMNS = "x cost 1 r1 1;x r2 1;y cost 2 r1 3;y r2 -1"
# name -> model, status
PROBLEMS = {
    "minimum": (problem(ROWS, COLUMNS, "B r1 10 r2 0.1"), "optimal"),
    "maximum": (problem(ROWS, COLUMNS, "B r1 10 r2 0.1", head=MAX), "optimal"),
    "offset": (problem(ROWS, COLUMNS, "B r1 10 r2 0.1;B cost -0.3"), "optimal"),
    "maximum with offset": (problem(ROWS, COLUMNS, "B r1 10 r2 0.1;B cost 7.7", head=MAX),
                            "optimal"),
    "ranges": (problem("N cost;L r1;G r2;E r3;E r4",
                       COLUMNS + ";y r4 -1;z cost -1 r3 1;z r4 1", "B r1 10 r2 0.1;B r3 2",
                       "R r1 0.3 r2 1e3;R r3 1.1 r4 -0.7"), "optimal"),
    "equation": (problem("N cost;E r1;G r2", COLUMNS, "B r1 10 r2 0.1"), "optimal"),
    "bounds": (problem(ROWS, COLUMNS + ";u cost -1 r1 1;v cost -1 r2 0.1;w cost 1 r2 1",
                       "B r1 10 r2 0.1", "", "UP b x 3.7;LO b y -2.3;UP b y 2;FX b u 0.7;"
                       "UP b v -1.5;FR b w"), "optimal"),
    "negative bound": (problem(ROWS, COLUMNS, "B r1 10 r2 0.1", "", "MI b x;UP b y -2.1"),
                       "unbounded"),
    "free column": (problem("N cost;G r1", "x cost 1 r1 1", "B r1 -3.3", "", "FR b x"), "optimal"),
    "free row": (problem("N cost;G r1;L r2;N r3", "x cost 1 r1 1;x r2 1 r3 1;y r3 2 r1 1",
                         "B r1 1 r2 1e30", "", "UP b y 0.5"), "optimal"),
    "integers": (problem("N cost;G r1", "M 'MARKER' 'INTORG';x cost 1 r1 3;y cost 3 r1 2;"
                         "M 'MARKER' 'INTEND';z cost 2 r1 1", "B r1 4"), "optimal"),
    "no objective": (problem("G r1", "x r1 1", "B r1 1"), "optimal"),
    "no rows": (problem("N cost", "x cost 1;y cost -2", "", "", "LO b x 0.1;UP b y 0.7"), "optimal"),
    "no rows, unbounded": (problem("N cost", "x cost -1"), "unbounded"),
    "no rows, crossed": (problem("N cost", "x cost 1", "", "", "LO b x 2;UP b x 1"), "infeasible"),
    "no columns": (problem("N cost;L r1", "", "B r1 1"), "optimal"),
    "no columns, infeasible": (problem("N cost;G r1;L r2", "", "B r1 0.1 r2 1"), "infeasible"),
    "nothing": (problem("N cost", ""), "optimal"),
    "no entries": (problem("N cost;L r1;G r2", "x cost 1;y cost 2", "B r1 1 r2 -1"), "optimal"),
    "no entries, infeasible": (problem("N cost;L r1;G r2", "x cost 1;y cost 2", "B r1 1 r2 0.1"),
                               "infeasible"),
    "no entries, unbounded": (problem("N cost;L r1", "x cost 1;y cost -2", "B r1 1"), "unbounded"),
    "thirds": (problem("N cost;E r1;E r2", "x cost 1 r1 3;x r2 0.1;y cost 1 r1 7;y r2 -0.3",
                       "B r1 1"), "optimal"),
    "fixed format": ("NAME          FIXED\nROWS\n N  COST\n G  ROW 1\nCOLUMNS\n" +
                     FIXED.format("COL 1", "COST", "2.5D0", "ROW 1", "1") + "RHS\n" +
                     FIXED.format("RHS", "ROW 1", "3", "", "") + "ENDATA\n", "optimal"),
    "infeasible": (problem(ROWS, COLUMNS, "B r1 1 r2 4"), "infeasible"),
    "infeasible equations": (problem("N cost;E r1;E r2", "x cost 1 r1 0.1;x r2 0.2;y r1 1 r2 2",
                                     "B r1 1 r2 3"), "infeasible"),
    "infeasible by bounds": (problem("N cost;G r1", "x cost 1 r1 1;y r1 1", "B r1 1", "",
                                     "UP b x 0.3;UP b y 0.6"), "infeasible"),
    "crossed bounds": (problem(ROWS, COLUMNS, "", "", "LO b x 2;UP b x 1"), "infeasible"),
    "unbounded": (problem("N cost;L r1", "x cost -1 r1 1;y cost 0 r1 -0.3", "B r1 1"), "unbounded"),
    "unbounded maximum": (problem("N cost;L r1", "x cost 1 r1 1;y cost 1 r1 -0.7", "B r1 1",
                                  head=MAX), "unbounded"),
}


def ours(model, proof):
    """Exit status and line of check.py."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = check.main([str(model), str(proof)])
    return status, output.getvalue().strip()


def theirs(proof):
    """Whether viprchk accepts; None without it."""
    if VIPRCHK is None:
        return None
    run = subprocess.run([VIPRCHK, str(proof)], capture_output=True, text=True, check=False)
    return run.returncode == 0 and "Successfully verified" in run.stdout


def solve(program, model, proof, *options):
    return subprocess.run([program, "solve", str(model), "--quiet", "--json", "--proof", str(proof),
                           *options], capture_output=True, text=True, check=False)


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def proved(program, model, status, folder, *options):
    """Both formats of a proof of `model`, checked."""
    file = folder / "proof.json"
    run = solve(program, model, file, *options)
    expect(run.returncode == (status != "optimal"), f"{model.name}: {run.returncode} {run.stderr}")
    found, line = ours(model, file)
    expect(found == 0 and line.startswith(f"proved: {status}"), f"{model.name}: {line}")
    file = folder / "proof.vipr"
    file.unlink(missing_ok=True)
    run = solve(program, model, file, *options)
    if status == "unbounded":
        expect(run.returncode == 73 and not file.exists() and
               "VIPR has no statement" in json.loads(run.stdout)["notices"][-1],
               f"{model.name}: an unbounded problem in VIPR: {run.returncode} {run.stdout}")
        return
    found, line = ours(model, file)
    expect(found == 0 and line.startswith(f"proved: {status}"), f"{model.name}, VIPR: {line}")
    expect(theirs(file) in (True, None), f"{model.name}: viprchk refuses")


def round_trips(program, folder):
    for name, (text, status) in PROBLEMS.items():
        model = folder / (name.replace(" ", "_") + ".mps")
        model.write_text(text)
        proved(program, model, status, folder, "--engine", "host")
    for name in ("afiro", "brandy", "e226", "exmip1", "galenet", "p0033", "p0201"):
        if (SAMPLES / f"{name}.mps").exists():
            status = "infeasible" if name == "galenet" else "optimal"
            proved(program, SAMPLES / f"{name}.mps", status, folder, "--engine", "host")


def without_a_proof(program, folder):
    """What is written where there is nothing to prove, and for a problem whose doubles disagree."""
    model = folder / "limit.mps"
    model.write_text(PROBLEMS["minimum"][0])
    file = folder / "none.json"
    run = solve(program, model, file, "--iteration-limit", "0", "--presolve", "off", "--algorithm",
                "dual")
    expect(run.returncode == 2 and not file.exists(), f"a limit: {run.returncode} {run.stdout}")
    expect("there is no exact proof" in json.loads(run.stdout)["notices"][-1], run.stdout)
    run = solve(program, model, file, "--algorithm", "barrier", "--crossover", "off")
    expect(run.returncode == 3 and not file.exists(), f"interior: {run.returncode} {run.stdout}")
    run = solve(program, model, folder / "proof.txt")
    expect(run.returncode == 64 and ".json or .vipr" in run.stderr, f"an ending: {run.stderr}")
    lp = folder / "model.lp"
    lp.write_text("min\n x\nst\n r: x >= 1\nend\n")
    solve(program, lp, file)
    found, line = ours(lp, file)
    expect(found == 2 and "osi-cuda convert" in line, f"an LP file: {found} {line}")
    expect(ours(folder / "missing.mps", file)[0] == 2, "a model that is missing")


def nudged(number):
    """A fraction next to this one."""
    p, _, q = str(number).partition("/")
    return f"{int(p) * 10**40 + 1}/{int(q or 1) * 10**40}"


def first_nonzero(numbers):
    return next(k for k, x in enumerate(numbers) if x != "0")


def forge_list(key, change):
    def forged(proof):
        k = first_nonzero(proof[key])
        proof[key][k] = change(proof[key][k])
    return forged


def negative(number):
    return number[1:] if number[0] == "-" else "-" + number


def exchange_names(proof):
    proof["rows"][0], proof["rows"][1] = proof["rows"][1], proof["rows"][0]


def exchange_basis(proof):
    basis = proof["column_basis"]
    i, j = basis.index("basic"), basis.index("lower")
    basis[i], basis[j] = basis[j], basis[i]


def claim_infeasible(proof):
    proof.update(status="infeasible", farkas=proof["dual"])


JSON_FORGERIES = {  # model -> what is done to its proof
    "afiro": {
        "another objective": lambda p: p.update(objective=nudged(p["objective"])),
        "a point moved": forge_list("primal", nudged),
        "a multiplier moved": forge_list("dual", nudged),
        "a multiplier with another sign": forge_list("dual", negative),
        "multipliers left out": lambda p: p.update(dual=["0"] * len(p["dual"])),
        "a point left out": lambda p: p.update(primal=["0"] * len(p["primal"])),
        "names exchanged": exchange_names,
        "a basis exchanged": exchange_basis,
        "infeasible": claim_infeasible,
        "the other sense": lambda p: p["problem"].update(sense="maximize"),
        "a shorter list": lambda p: p["primal"].pop(),
        "a number of JSON": forge_list("primal", float),
        "another status": lambda p: p.update(status="interior"),
        "division by zero": forge_list("dual", lambda x: x + "/0"),
        "no status": lambda p: p.pop("status"),
    },
    "infeasible": {
        "other multipliers": forge_list("farkas", nudged),
        "negative multipliers": lambda p: p.update(farkas=list(map(negative, p["farkas"]))),
        "no multipliers": lambda p: p.update(farkas=["0"] * len(p["farkas"])),
        "bounds that don't cross": lambda p: p.update(crossed_row="r1"),
    },
    "unbounded": {
        "the way back": lambda p: p.update(ray=list(map(negative, p["ray"]))),
        "a ray against a row": lambda p: p.update(ray=["1", "0"]),
        "no ray": lambda p: p.update(ray=["0", "0"]),
        "a point outside": lambda p: p.update(primal=["2", "0"]),
    },
}


def replaced(pattern, by, count=1):
    def forged(text):
        changed, times = re.subn(pattern, by, text, count=count, flags=re.M)
        assert times, pattern
        return changed
    return forged


def better_bound(text):
    """A bound above the optimum, and so no solution that reaches it."""
    value = re.search(r"^RTP range (\S+)", text, re.M)[1]
    return text.replace(value, nudged(value))


def fewer_terms(text):
    return re.sub(r"\{ lin (\d+) \S+ \S+", lambda m: f"{{ lin {int(m[1]) - 1}", text)


NUMBER = r"(-?\d+(?:/\d+)?)"
VIPR_FORGERIES = {
    "afiro": {
        "a better bound": better_bound,
        "a better bound alone": replaced(rf"^RTP range {NUMBER}", lambda m: "RTP range " +
                                         nudged(m[1])),
        "a weight moved": replaced(rf"(\{{ lin \d+ \d+ ){NUMBER}", lambda m: m[1] + nudged(m[2])),
        "a weight with another sign": replaced(rf"(\{{ lin \d+ \d+ ){NUMBER}",
                                               lambda m: m[1] + negative(m[2])),
        "a weight on another constraint": replaced(r"(\{ lin \d+) (\d+) (\S+) (\d+) (\S+)",
                                                   r"\1 \4 \3 \2 \5"),
        "a weight left out": fewer_terms,
        "a solution moved": replaced(rf"^(optimum \d+ \d+ ){NUMBER}",
                                     lambda m: m[1] + nudged(m[2])),
        "a solution left out": replaced(r"^SOL 1\noptimum .*", "SOL 0"),
        "no solution at all": replaced(r"^optimum .*", "optimum 0"),
        "infeasible": lambda text: re.sub(r"^RTP.*\nSOL 1\noptimum.*", "RTP infeas\nSOL 0", text,
                                          flags=re.M).replace(" OBJ {", " 0 {"),
        "an assumption": replaced(r"\{ lin .*\}", "{ asm }"),
        "a derived equation": replaced(r"^proof G", "proof E"),
        "no derivation": lambda text: re.sub(r"^DER 1\n.*", "DER 0", text, flags=re.M),
    },
    "infeasible": {
        "a weight moved": replaced(rf"(\{{ lin \d+ \d+ ){NUMBER}", lambda m: m[1] + nudged(m[2])),
        "a weight with another sign": replaced(rf"(\{{ lin \d+ \d+ ){NUMBER}",
                                               lambda m: m[1] + negative(m[2])),
        "a weight left out": fewer_terms,
    },
}


def forgeries(program, folder):
    models = {name: folder / f"{name}.mps" for name in ("infeasible", "unbounded")}
    models["afiro"] = SAMPLES / "afiro.mps"
    refused = {"JSON": 0, "VIPR": 0}
    for ending, table in (("json", JSON_FORGERIES), ("vipr", VIPR_FORGERIES)):
        for name, changes in table.items():
            model, file = models[name], folder / f"forged.{ending}"
            if not model.exists():
                continue
            solve(program, model, file, "--engine", "host")
            text = file.read_text()
            expect(ours(model, file)[0] == 0, f"{name}: the proof before it is forged")
            for what, change in changes.items():
                if ending == "json":
                    proof = json.loads(text)
                    change(proof)
                    forged = json.dumps(proof)
                else:
                    forged = change(text)
                expect(forged != text, f"{name}, {ending}, {what}: nothing was changed")
                file.write_text(forged)
                found, line = ours(model, file)
                expect(found == 1 and line.startswith("refused: "),
                       f"{name}, {ending}, {what}: {found} {line}")
                if ending == "vipr":
                    expect(theirs(file) in (False, None), f"{name}, {what}: viprchk accepts")
                refused[ending.upper()] += 1
            # Torn, and the proof of another model.
            file.write_text(text[: len(text) // 2])
            expect(ours(model, file)[0] == 1, f"{name}, {ending}: a torn file")
            file.write_text(text)
            other = models["unbounded" if name == "infeasible" else "infeasible"]
            expect(ours(other, file)[0] == 1, f"{name}, {ending}: another model")
            if ending == "vipr":  # of another problem: viprchk does not know the model
                file.write_text(re.sub(rf"^(lo_\S+ G ){NUMBER}", lambda m: m[1] + nudged(m[2]), text,
                                       count=1, flags=re.M))
                expect(ours(model, file)[0] == 1, f"{name}: another right-hand side")
    print(f"{refused['JSON']} forged JSON proofs and {refused['VIPR']} forged VIPR proofs")


def netlib(program, folder, count, seconds, names):
    data = pathlib.Path(os.environ.get("OSI_CUDA_DATA", "/none"))
    files = [pathlib.Path(name) for name in names] or sorted(
        [*data.glob("netlib/*.mps.gz"), *data.glob("netlib-infeasible/*.mps.gz")],
        key=lambda file: file.stat().st_size)
    if not files or VIPRCHK is None:
        print("skipped: no viprchk on the PATH" if files else "skipped: OSI_CUDA_DATA has no Netlib")
        return 77
    print("problem | status | solve s | json kB | check.py s | vipr kB | check.py s | viprchk s")
    accepted = 0
    for file in files[:count]:
        cells = [file.name.removesuffix(".mps.gz")]
        complete = True
        for ending in ("json", "vipr"):
            proof = folder / f"netlib.{ending}"
            proof.unlink(missing_ok=True)
            start = time.monotonic()
            run = solve(program, file, proof, "--engine", "host", "--time-limit", str(seconds))
            if ending == "json":
                result = json.loads(run.stdout) if run.stdout else {"status": run.stderr}
                cells += [result["status"], f"{time.monotonic() - start:.2f}"]
            if not proof.exists():
                cells.append(result.get("notices", ["no file"])[-1])
                complete = False
                break
            cells.append(f"{proof.stat().st_size / 1024:.0f}")
            start = time.monotonic()
            found, line = ours(file, proof)
            cells.append(f"{time.monotonic() - start:.2f}")
            expect(found == 0 and line.startswith(f"proved: {result['status']}"),
                   f"{file.name}, {ending}: {line}")
            if ending == "vipr":
                start = time.monotonic()
                expect(theirs(proof), f"{file.name}: viprchk refuses")
                cells.append(f"{time.monotonic() - start:.2f}")
        accepted += complete
        print(" | ".join(cells), flush=True)
    print(f"{accepted} of {min(count, len(files))} problems have a proof in both formats; "
          f"{len(failures)} refused")
    expect(accepted > 0, "no problem has a proof")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--netlib", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.netlib or arguments.files:
            skipped = netlib(arguments.program, folder, arguments.netlib or len(arguments.files),
                             arguments.seconds, arguments.files)
            if skipped:
                return skipped
        else:
            round_trips(arguments.program, folder)
            without_a_proof(arguments.program, folder)
            forgeries(arguments.program, folder)
            print("viprchk:", VIPRCHK or "not on the PATH, left out")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
