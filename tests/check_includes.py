#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Checks who includes whom: each module of the project may look only into the modules below it.

usage: check_includes.py [FOLDER]    FOLDER defaults to the repository this file lies in.
Prints FILE:LINE and the rule for each include that points the wrong way, and each line of the
table "Modules" in docs/explanation/design.md that says something else than MODULES below; exit status 1 then.
"""
import pathlib
import re
import sys

# Module -> what it may include; the first prefix that fits names a file's module. A module may always
# include itself, and the base, which knows no module.
PUBLIC = ["solve", "model", "proof"]
MODULES = {
    "osi_cuda/base/": ("base", []),
    "osi_cuda/model/": ("model", []),
    # The numbers of the machine, and what follows from them.
    "osi_cuda/cost/": ("cost", []),
    "osi_cuda/proof/": ("proof", ["model"]),
    "osi_cuda/rational/": ("rational", ["model"]),
    "osi_cuda/presolve/": ("presolve", ["model", "proof", "simplex", "engine"]),
    "osi_cuda/simplex/": ("simplex", ["model", "proof", "engine"]),
    # Both engines fill the algebra of the interior point method; its rules run on both, as those of
    # the simplex method do.
    "osi_cuda/barrier/": ("barrier", ["model", "proof", "simplex"]),
    # A small problem is solved by the same loops on the processor and on a device; what the caller
    # sees of a batch falls back on the ordinary solver.
    "osi_cuda/batch/": ("batch", ["solve", "engine", "simplex", "model", "proof", "cost"]),
    "osi_cuda/engine/host/": ("host", ["engine", "simplex", "model", "proof", "barrier", "cost"]),
    "osi_cuda/engine/factors/": ("factors", ["host", "engine", "simplex", "model", "cost"]),
    "osi_cuda/engine/cuda/": ("cuda", ["engine", "simplex", "model", "proof",
                                       "barrier", "batch", "cost"]),
    # engine.hpp speaks in the terms of the pivot loops, states, rules, stops, and of proofs.
    "osi_cuda/engine/": ("engine", ["simplex", "model", "proof", "barrier", "cost"]),
    # What an answer means, by the solver's public calls and by rational arithmetic.
    "osi_cuda/analysis/": ("analysis", PUBLIC + ["rational"]),
    # Branch and bound on variants of one linear program.
    "osi_cuda/search/": ("search", PUBLIC + ["batch"]),
    # Searches for integer columns: the other side of the border is a module in osi/.
    "osi_cuda/integers/": ("integers", PUBLIC + ["search"]),
    "osi/": ("osi", PUBLIC + ["batch", "integers", "readers"]),
    "osi_cuda/solve/": ("solve", ["simplex", "engine", "barrier", "rational", "presolve", "model",
                             "proof", "cost"]),
    "readers/": ("readers", ["model", "rational"]),
    "c/": ("c", PUBLIC + ["analysis", "batch", "integers", "rational", "readers"]),
    "bridges/": ("bridges", ["model", "proof"]),
    # What all programs share.
    "shell/": ("shell", ["model", "readers"]),
    "cli/": ("cli", PUBLIC + ["analysis", "batch", "cost", "engine", "integers", "osi", "rational", "readers", "bridges", "shell",
                             "search"]),
    # What measures: benchmarks, the stress set, reports. It shares the tests' generators.
    "lab/": ("lab", PUBLIC + ["analysis", "batch", "cost", "engine", "integers", "rational", "osi", "readers", "c",
                              "bridges", "shell", "support"]),
    # The textbook's problems are the benchmarks' dense ones.
    "examples/": ("examples", PUBLIC + ["batch", "osi", "readers", "bridges", "shell", "lab"]),
    "tests/support/": ("support", None),
    "tests/": ("tests", None),  # None: everything
}
COIN = re.compile(r"^(Coin|Osi|Clp|Cbc|Cgl)\w*\.h(pp)?$")
COIN_MODULES = {"presolve", "osi", "bridges", "examples", "lab", "tests"}
CUDA = re.compile(r"^(mma|cuda\w*|cublas\w*|cusolver\w*|cusparse\w*|nvtx\w*|curand\w*)\.h(pp)?$"
                  r"|^(cooperative_groups|cub|thrust|cuda)(/|\.h)|^nvtx3/")
FLINT = re.compile(r"^(flint/.*|gmp\w*)\.h$")
FLINT_FILES = re.compile(r"^osi_cuda/rational/|^lab/stress/|^tests/(analysis|rational|stress)/")
CUDA_FILES = re.compile(r"^osi_cuda/engine/cuda/|^(examples|lab)/.*\.cuh?$"
                        r"|^tests/support/emulated_(device|module)\.hpp$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".cpp", ".hpp", ".cu", ".cuh", ".h"}


def moduleOf(path):
    for prefix, (module, allowed) in MODULES.items():
        if path.startswith(prefix):
            return module, allowed
    return None, None


def fault(path, mark, target, exists):
    """Why `path` may not include `target`, or None."""
    module, allowed = moduleOf(path)
    if module is None:
        return "this file lies in no module; add its folder to MODULES in tests/check_includes.py"
    if COIN.match(target) and module not in COIN_MODULES:
        return "COIN-OR headers belong to presolve, osi, bridges, examples, lab and tests"
    if CUDA.match(target) and not CUDA_FILES.match(path):
        return ("CUDA headers belong to osi_cuda/engine/cuda, .cu files of examples and lab, and the "
                "emulated device of the tests")
    if FLINT.match(target) and not FLINT_FILES.match(path):
        return "FLINT's and GMP's headers belong to osi_cuda/rational and to exact proofs in tests and lab"
    targetModule, _ = moduleOf(target)
    if targetModule is None:
        if mark == '"' and exists(target, path):
            return "include from the repository root"
        return None
    if mark == "<":
        return "this project's headers are included in quotes"
    seam = ("osi_cuda/engine/engine.hpp", "osi_cuda/engine/cuda_module.hpp",
            "osi_cuda/engine/device_opening.hpp")
    if targetModule == "engine" and target not in seam and module != "tests":
        return "of engine only engine.hpp is for others" if module != "engine" else None
    if targetModule in (module, "base") or allowed is None or targetModule in allowed:
        return None
    return f"{module} may include {', '.join(allowed) or 'nothing of this project'}, not {targetModule}"


def tableFaults(text):
    """Where the table of modules in docs/explanation/design.md and MODULES differ, a sentence each."""
    written = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `") or len(cells) != 4:
            continue
        folders, module, _, allowed = cells
        if module not in {name for name, _ in MODULES.values()}:
            continue
        modules = None if allowed == "everything" else set(filter(None, allowed.split(", ")))
        for folder in re.findall(r"`([^`]+)`", folders):
            written[folder] = (module, modules - {"nothing"} if modules is not None else None)
    for prefix, (module, allowed) in MODULES.items():
        said = written.pop(prefix, None)
        if said != (module, None if allowed is None else set(allowed)):
            yield (f"{prefix}: the table of modules has {describe(said)}, "
                   f"tests/check_includes.py has {describe((module, allowed))}")
    for prefix, said in written.items():
        yield f"{prefix}: the table of modules has {describe(said)}, tests/check_includes.py nothing"


def describe(said):
    if said is None:
        return "nothing"
    module, allowed = said
    return f"{module} with {'everything' if allowed is None else ', '.join(sorted(allowed)) or 'nothing'}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    files = sorted(f for folder in {p.split("/")[0] for p in MODULES} if (root / folder).is_dir()
                   for f in (root / folder).rglob("*") if f.suffix in SOURCES)
    exists = lambda target, path: ((root / path).parent / target).exists()
    faults = 0
    for file in files:
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            reason = found and fault(path, found[1], found[2], exists)
            if reason:
                print(f"{path}:{number}: {found[2]}: {reason}")
                faults += 1
    page = root / "docs/explanation/design.md"
    if page.exists():
        for sentence in tableFaults(page.read_text(encoding="utf-8")):
            print(f"docs/explanation/design.md: {sentence}")
            faults += 1
    print(f"{len(files)} files, {faults} includes in a wrong direction")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
