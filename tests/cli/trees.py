#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Trees of `osi-cuda solve --integers --proof FILE`, .tree and .vipr, through osi_cuda.check and,
where viprchk is on the PATH (see proofs.py), through that as well: those of small problems have to
be proved, and forged ones refused.

usage: trees.py PROGRAM [COUNT]    COUNT problems, 40 without it
"""
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True
from osi_cuda import check  # noqa: E402


VIPRCHK = shutil.which("viprchk")


def model_text(dice, rows, columns, odd, maximize):
    """A knapsack; `odd`: 2 x = odd number in one row, hidden by a continuous column that is 0;
    `maximize`: with a constant and a continuous column in the objective."""
    lines = ["NAME TEST", *(["OBJSENSE", "    MAX"] if maximize else []), "ROWS", " N COST"] + [f" L R{i}" for i in range(rows)]
    lines += [" E ODD"] if odd else []
    lines += ["COLUMNS", " M 'MARKER' 'INTORG'"]
    for j in range(columns):
        lines.append(f" C{j} COST {dice.randrange(20, 60) * (1 if maximize else -1)}")
        lines += [f" C{j} R{i} {dice.randrange(5, 50)}" for i in range(rows)]
        lines += [f" C{j} ODD 2"] if odd else []
    lines.append(" N 'MARKER' 'INTEND'")
    lines += [" Z ODD 1"] if odd else []
    lines += [" Y COST 1.3", " Y R0 0.7"] if maximize else []
    lines += ["RHS"] + ([" B COST -3.4"] if maximize else []) + [f" B R{i} {12 * columns}" for i in range(rows)]
    lines += [" B ODD 7"] if odd else []
    # An upper bound between two whole numbers has to be rounded.
    lines += ["BOUNDS"] + [f" UP B C{j} {1.5 if j == 1 else 1}" for j in range(columns)]
    lines += [" UP B Z 0.5"] if odd else []
    return "\n".join([*lines, "ENDATA", ""])


def verdict(model, text, how=check.check_tree):
    try:
        return True, how(check.Model(str(model), 1e20), text)
    except (check.Refused, LookupError, ValueError, ArithmeticError,
            StopIteration) as error:
        return False, str(error)


def certified(model, text):
    return verdict(model, text, lambda m, t: check.Certificate(m, t).check())


def theirs(file):
    """Whether viprchk accepts; None without it."""
    if VIPRCHK is None:
        return None
    run = subprocess.run([VIPRCHK, str(file)], capture_output=True, text=True, check=False)
    return run.returncode == 0 and "Successfully verified" in run.stdout


def forged_certificates(text):
    """The same for a certificate: a weight, a leaf, a bound, a branch."""
    def changed(pattern, by):
        return re.sub(pattern, by, text, count=1, flags=re.M)

    yield "a weight of a leaf changed", changed(
        r"^(d.* \{ lin \d+ \d+ )(\S+)", lambda m: f"{m[1]}{2 if m[2] != '2' else 3}")
    yield "a weight with the other sign", changed(
        r"^(d\d+ [GL] .* \{ lin \d+ \d+ )(-?)", lambda m: m[1] + ("" if m[2] else "-"))
    yield "an assumption that is none", changed(r"\{ asm \}", "{ lin 0 }")
    yield "a leaf that is dropped", changed(
        r"\{ uns (\d+ \d+) \d+ \d+ \}", r"{ uns \1 \1 }")
    yield "the branches of another node", changed(
        r"\{ uns (\d+) (\d+) (\d+) (\d+) \}", r"{ uns \1 \2 \3 0 }")
    yield "a branch farther away", changed(
        r"^(d\d+ L )(-?\d+)( 1 \d+ 1 \{ asm)", lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}")
    if " uns " in text or " rnd " in text:
        yield "no integers", changed(r"^INT .*", "INT 0")
    maximize, bound = "OBJ max" in text, re.search(r"^RTP range (\S+) (\S+)", text, re.M)
    if not bound:
        return
    old = bound[2 if maximize else 1]
    top, _, bottom = old.partition("/")
    new = f"{int(top) + (-1 if maximize else 1) * int(bottom or 1)}/{bottom or 1}"
    yield "a better bound", re.sub(rf"(?<=[ ]){re.escape(old)}(?=[ ]OBJ|$)", new, text, flags=re.M)
    yield "a bound that is only claimed", text.replace(bound[0], bound[0].replace(old, new))
    yield "a solution of parts", changed(r"^(optimum \d+ \d+ )\S+", r"\g<1>1/2")


def certificates(program, model, folder):
    """How many forged ones were refused; failures are printed, and counted by the caller."""
    file = folder / "m.vipr"
    file.unlink(missing_ok=True)
    run = subprocess.run([*program, str(model), "--integers", "--engine", "host", "--threads", "1",
                          "--quiet", "--proof", str(file)], capture_output=True, text=True)
    text = file.read_text() if file.exists() else ""
    good, what = certified(model, text)
    if run.returncode not in (0, 1) or not good or theirs(file) is False:
        print(f"certificate: exit status {run.returncode}, {what}, viprchk {theirs(file)}\n{run.stderr}")
        return 0, 1
    refused = failures = 0
    for name, other in forged_certificates(text):
        if other == text:
            continue
        good = certified(model, other)[0]
        file.write_text(other)
        # viprchk ends where the claim is proved: a branch that no leaf needs may be anywhere.
        needed = "weight" in name or "bound" in name or "solution" in name
        if good or (needed and theirs(file)):
            failures += 1
            print(f"{name} is accepted: {good}, viprchk {theirs(file)}")
        refused += 1
    return refused, failures


def forged(model, lines):
    """Texts that state more than they prove, or leave something out."""
    def changed(k, text):
        return "\n".join([*lines[:k], *([text] if text else []), *lines[k + 1:], ""])

    of = {word: [k for k, line in enumerate(lines) if line.startswith(word + " ")]
          for word in ("claim", "node", "multipliers", "fix", "point")}
    claim = of["claim"][0]
    value = lines[claim].split()[1]
    if value != "inf":  # of a problem without a point everything else is true as well
        yield "no point", changed(claim, "claim inf")
        yield "a bound that is larger", changed(claim, f"claim {float(value) + 1.0!r}")
    yield "no claim", changed(claim, "")
    for k in of["node"][:6]:
        words = lines[k].split()
        if verdict(model, "\n".join(line for line in lines if line[:4] != "node" or
                                    line.split()[2] != words[2]))[0]:
            continue  # the parent's own multipliers are enough
        yield "a missing child", changed(k, "")
        moved = float(words[5]) + (1.0 if words[4] == "lower" else -1.0)
        yield "a gap between children", changed(k, " ".join([*words[:5], repr(moved)]))
    if of["point"]:
        words = lines[of["point"][0]].split()
        yield "a point of parts", changed(of["point"][0], " ".join([*words[:2], "0.5", *words[3:]]))
    for k in of["fix"][:3]:
        words = lines[k].split()
        beyond = float(words[3]) + (-1.0 if words[2] == "upper" else 1.0)
        yield "a bound too tight", changed(k, " ".join([*words[:3], repr(beyond), words[4]]))
    if len(of["multipliers"]) > 2:  # all multipliers turned round
        turned = [line if not line.startswith("multipliers") else " ".join(
            word if i % 2 else repr(-float(word)) if i else word
            for i, word in enumerate(line.split())) for line in lines]
        yield "multipliers of the other sign", "\n".join([*turned, ""])


def main(program, count):
    dice, failures, refused, certified_forgeries = random.Random(5), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        model, tree = pathlib.Path(folder, "m.mps"), pathlib.Path(folder, "m.tree")
        for trial in range(count):
            odd = trial % 4 == 3
            model.write_text(model_text(dice, 2 + trial % 3, 8 + trial % 7, odd, trial % 5 == 2))
            run = subprocess.run([*program, str(model),
                                  "--integers", "--engine", "host", "--threads", "1", "--quiet",
                                  "--proof", str(tree)], capture_output=True, text=True)
            text = tree.read_text()
            good, what = verdict(model, text)
            if run.returncode not in (0, 1) or not good:
                failures += 1
                print(f"trial {trial}: exit status {run.returncode}, {what}\n{run.stderr}")
                continue
            for name, other in forged(model, text.splitlines()):
                if verdict(model, other)[0]:
                    failures += 1
                    print(f"trial {trial}: {name} is accepted")
                refused += 1
            forgeries, faults = certificates(program, model, pathlib.Path(folder))
            certified_forgeries += forgeries
            failures += faults
    print(f"{count} trees, {refused} forged ones, {certified_forgeries} forged certificates, "
          f"{failures} failures")
    return 1 if failures or min(refused, certified_forgeries) < 5 * count else 0


if __name__ == "__main__":
    sys.exit(main([sys.argv[1], "solve"], int(sys.argv[2]) if sys.argv[2:] else 40))
