#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Files that NumPy and SciPy write, through the program, and files of the program through NumPy.

usage: numpy_archives.py OSI_CUDA_PROGRAM

Exit status 77 (skipped) without NumPy.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed: skipped")
    sys.exit(77)
try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None

PROGRAM = sys.argv[1]


def solve(path):
    run = subprocess.run([PROGRAM, "solve", str(path), "--engine", "host", "--json"],
                         capture_output=True, text=True, check=False)
    return run.returncode, json.loads(run.stdout)


def check(condition, what):
    if not condition:
        raise SystemExit("failed: " + what)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        random = np.random.default_rng(3)
        a = random.integers(0, 5, (12, 8)).astype(float)
        # Every column costs at most what rows allow: bounded by the box.
        model = {"c": -np.arange(1.0, 9.0), "row_upper": np.full(12, 20.0), "upper": np.full(8, 6.0),
                 "sense": "min", "offset": 2.5,
                 "row_names": np.array([f"row{i}" for i in range(12)]),
                 "column_names": np.array(["x\u00e4"] + [f"x{j}" for j in range(1, 8)])}
        objectives = []

        def solved(label, write, **arrays):
            path = folder / (label + ".npz")
            write(path, **arrays)
            status, result = solve(path)
            check(status == 0 and result["status"] == "optimal", f"{label}: {result}")
            check(result["nonzeros"] == np.count_nonzero(a), f"{label}: {result['nonzeros']}")
            objectives.append(result["objective"])
            return path

        path = solved("c-order", np.savez, A=a, **model)
        solved("fortran-order", np.savez, A=np.asfortranarray(a), **model)
        solved("compressed", np.savez_compressed, A=a, **model)
        for kind in ("float32", ">f8", "int8", "uint16", ">i4", "int64"):
            solved("kind-" + kind.strip(">"), np.savez, A=a.astype(kind), **model)
        if sparse is not None:
            for form in ("csc", "csr"):
                matrix = getattr(sparse, form + "_matrix")(a)
                part = folder / "part.npz"
                sparse.save_npz(part, matrix)
                with np.load(part) as arrays:
                    solved(form, np.savez, **{key: arrays[key] for key in arrays.files}, **model)
        check(max(objectives) - min(objectives) < 1e-9, f"objectives differ: {objectives}")

        # What the program writes, NumPy reads.
        out = folder / "out.npz"
        subprocess.run([PROGRAM, "convert", str(path), str(out)], check=True)
        with np.load(out) as arrays:
            back = (arrays["A"] if "A" in arrays.files else
                    sparse.csc_matrix((arrays["data"], arrays["indices"], arrays["indptr"]),
                                      shape=arrays["shape"]).toarray() if sparse is not None else a)
            check(np.array_equal(back, a), "A comes back")
            check(np.array_equal(arrays["c"], model["c"]), "c comes back")
            check(arrays["offset"] == 2.5, "offset comes back")
            check(arrays["column_names"][0].decode() == "x\u00e4", "names come back")

        # What is wrong is refused with a sentence.
        def refused(part, bad):
            status, result = solve(bad)
            check(status == 65 and part in result["message"], f"{bad.name}: {result}")

        def refused_arrays(part, **arrays):
            bad = folder / "bad.npz"
            np.savez(bad, **{"A": a, **model, **arrays})
            refused(part, bad)

        refused_arrays("Python objects",
                       column_names=np.array([f"x{j}" for j in range(8)], dtype=object))
        refused_arrays("expected 12 numbers, found 11", row_upper=np.ones(11))
        refused_arrays("expected two dimensions", A=a[0])
        refused_arrays("<c16", A=a.astype(complex))
        for order in "CF":
            holed = np.array(a, order=order)
            holed[7, 3] = np.nan
            refused_arrays("array A: expected finite numbers, found another one in row 7, column 3",
                           A=holed)
        for source in (path, folder / "compressed.npz"):
            short = folder / ("short-" + source.name)
            for size in (source.stat().st_size // 3, source.stat().st_size - 1):
                short.write_bytes(source.read_bytes()[:size])
                refused("expected a whole zip archive", short)
        other = bytearray((folder / "c-order.npz").read_bytes())
        other[other.index(a.tobytes()) + 9] ^= 1
        (folder / "other.npz").write_bytes(other)
        refused("expected data with the check sum of the archive", folder / "other.npz")
    print(f"{len(objectives)} archives of NumPy solved, objective {objectives[0]}")


if __name__ == "__main__":
    main()
