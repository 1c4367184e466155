# SPDX-License-Identifier: EPL-2.0
"""Exact proofs of the decimals of a file: accepted by the checker, which reads them by itself."""
import json
import random
from fractions import Fraction

import pytest

import osi_cuda
from osi_cuda import check


def model(seed: int) -> str:
    """A random problem in MPS whose numbers have up to 15 digits behind the point."""
    r = random.Random(seed)

    def number(low: float, high: float) -> str:
        return f"{r.uniform(low, high):.{r.choice((1, 2, 3, 6, 15))}f}"

    rows, columns = r.randint(1, 5), r.randint(1, 6)
    lines = ["NAME decimals", "ROWS", " N cost", *(f" {r.choice('EGL')} r{i}" for i in range(rows)), "COLUMNS"]
    for j in range(columns):
        lines.append(f" x{j} cost {number(-1, 2)}")
        lines += [f" x{j} r{i} {number(-2, 3)}" for i in range(rows) if r.random() < 0.8]
    lines += ["RHS", *(f" RHS r{i} {number(-1, 4)}" for i in range(rows)), f" RHS cost {number(-1, 1)}", "BOUNDS"]
    lines += [f" UP BND x{j} {number(0.5, 9)}" for j in range(columns) if r.random() < 0.7]
    return "\n".join([*lines, "ENDATA", ""])


@pytest.mark.parametrize("seed", range(120))
def test_proofs_of_decimals_are_accepted(tmp_path, capsys, seed):
    path = tmp_path / "model.mps"
    path.write_text(model(seed))
    problem = osi_cuda.Problem.read(path, exact="on")
    solution = problem.solve()
    assert solution.exact.proved, solution.exact
    proof = tmp_path / "proof.json"
    problem.write_proof(proof)
    assert json.loads(proof.read_text())["problem"]["numbers"] == "decimals"
    assert check.main([str(path), str(proof)]) == 0, capsys.readouterr().out
    if solution.status != osi_cuda.Status.UNBOUNDED:
        problem.write_proof(tmp_path / "proof.vipr")
        assert check.main([str(path), str(tmp_path / "proof.vipr")]) == 0, capsys.readouterr().out
    if solution.status == osi_cuda.Status.OPTIMAL:
        forged = json.loads(proof.read_text())
        forged["objective"] = str(Fraction(forged["objective"]) + Fraction(1, 10**30))
        proof.write_text(json.dumps(forged))
        assert check.main([str(path), str(proof)]) == 1


def test_the_doubles_are_taken_where_they_are_asked_for(tmp_path):
    path = tmp_path / "model.mps"
    path.write_text("NAME\nROWS\n N c\n E a\n E b\nCOLUMNS\n y c -1\n y a -0.3\n y b -3\n x a 0.1\n x b 1\n"
                    "RHS\nBOUNDS\n UP B y 1\nENDATA\n")
    problem = osi_cuda.Problem.read(path, exact="on")
    assert problem.solve().exact.objective == "-1"
    problem.set_options(exact_numbers="doubles")
    assert problem.solve().exact.objective == "0"
    arrays = osi_cuda.Problem([-1.0, 0.0], [[-0.3, 0.1], [-3.0, 1.0]], row_lower=[0.0, 0.0], row_upper=[0.0, 0.0],
                              upper=[1.0, float("inf")], exact="on")
    assert arrays.solve().exact.objective == "0"
    arrays.set_options(exact_numbers="decimals")
    assert arrays.solve().exact.objective == "-1"
