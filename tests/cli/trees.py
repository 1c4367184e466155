#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Trees of `osi-cuda solve --integers --proof FILE.tree`, through osi_cuda.check: those of small
problems have to be proved, and forged ones refused.

usage: trees.py PROGRAM
"""
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True
from osi_cuda import check  # noqa: E402


def model_text(dice, rows, columns, odd):
    """A knapsack; `odd`: 2 x = odd number in one row, hidden by a continuous column that is 0."""
    lines = ["NAME TEST", "ROWS", " N COST"] + [f" L R{i}" for i in range(rows)]
    lines += [" E ODD"] if odd else []
    lines += ["COLUMNS", " M 'MARKER' 'INTORG'"]
    for j in range(columns):
        lines.append(f" C{j} COST {-dice.randrange(20, 60)}")
        lines += [f" C{j} R{i} {dice.randrange(5, 50)}" for i in range(rows)]
        lines += [f" C{j} ODD 2"] if odd else []
    lines.append(" N 'MARKER' 'INTEND'")
    lines += [" Z ODD 1"] if odd else []
    lines += ["RHS"] + [f" B R{i} {12 * columns}" for i in range(rows)]
    lines += [" B ODD 7"] if odd else []
    lines += ["BOUNDS"] + [f" UP B C{j} 1" for j in range(columns)]
    lines += [" UP B Z 0.5"] if odd else []
    return "\n".join([*lines, "ENDATA", ""])


def verdict(model, text):
    try:
        return True, check.check_tree(check.Model(str(model), 1e20), text)
    except (check.Refused, LookupError, ValueError, ArithmeticError) as error:
        return False, str(error)


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


def main(program):
    dice, failures, refused = random.Random(5), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        model, tree = pathlib.Path(folder, "m.mps"), pathlib.Path(folder, "m.tree")
        for trial in range(40):
            odd = trial % 4 == 3
            model.write_text(model_text(dice, 2 + trial % 3, 8 + trial % 7, odd))
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
    print(f"40 trees, {refused} forged ones, {failures} failures")
    return 1 if failures or refused < 200 else 0


if __name__ == "__main__":
    sys.exit(main([sys.argv[1], "solve"]))
