# SPDX-License-Identifier: EPL-2.0
"""Problem: arrays of all kinds, changes, re-solves, bases, callbacks."""

import fractions
import logging
import multiprocessing
import resource
import sys
import threading
import types

import numpy as np
import pytest

import osi_cuda
import osi_cuda.check
from osi_cuda import Problem, Proof, Status, VariableStatus

SMALL = np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 4.0]])


def as_array(problem):
    values, rows, starts = problem.matrix
    array = np.zeros(problem.shape)
    for j in range(problem.shape[1]):
        array[rows[starts[j]:starts[j + 1]], j] = values[starts[j]:starts[j + 1]]
    return array


class OnDevice:
    """An array that says it lies in a device's memory, and how it comes to the host."""

    __cuda_array_interface__ = {"version": 3}

    def __init__(self, array, method):
        self._array = array
        setattr(self, method, lambda: array)


@pytest.mark.parametrize("matrix", [
    SMALL,
    np.asfortranarray(SMALL),
    np.repeat(np.repeat(SMALL, 2, 0), 3, 1)[::2, ::3],
    SMALL[::-1, ::-1].copy()[::-1, ::-1],
    SMALL.astype(np.float32),
    SMALL.astype(">f8"),
    SMALL.astype(int),
    SMALL.tolist(),
    np.frombuffer(b"x" + SMALL.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(3, 2),
    np.rec.fromarrays([SMALL, np.zeros((3, 2), dtype="i4")], names="a,b").a,
    OnDevice(SMALL, "get"),
    OnDevice(SMALL, "copy_to_host"),
])
def test_matrices_of_all_kinds(matrix):
    problem = Problem([1, 1], matrix)
    np.testing.assert_array_equal(as_array(problem), SMALL)
    assert problem.shape == (3, 2) and problem.nonzeros == 4


@pytest.mark.parametrize("kind", ["csc_array", "csr_array", "coo_array", "csr_matrix", "lil_array"])
def test_sparse_matrices(kind):
    sparse = pytest.importorskip("scipy.sparse")
    problem = Problem([1, 1], getattr(sparse, kind)(SMALL))
    np.testing.assert_array_equal(as_array(problem), SMALL)
    problem.add_rows(getattr(sparse, kind)(SMALL))
    problem.add_columns(getattr(sparse, kind)(np.vstack([SMALL, SMALL])))
    np.testing.assert_array_equal(
        as_array(problem), np.block([[SMALL, SMALL], [SMALL, SMALL]])
    )


def test_duplicates_of_a_sparse_matrix_are_summed():
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.csr_array((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), (1, 1))
    assert as_array(Problem([1], twice))[0, 0] == 3
    assert twice.nnz == 2  # the caller's is as it was


def test_an_array_on_a_device_that_can_not_be_copied():
    with pytest.raises(TypeError, match="device's memory"):
        Problem([1, 1], OnDevice(SMALL, "elsewhere"))


def test_dlpack():
    class Tensor:
        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    np.testing.assert_array_equal(as_array(Problem([1, 1], Tensor(SMALL))), SMALL)


def test_a_start_leads_to_the_vertex_of_a_cold_solve():
    random = np.random.default_rng(1)
    problem = osi_cuda.Problem(
        random.random(40), random.random((60, 40)), row_upper=10.0, sense="max"
    )
    cold = problem.solve()
    x, y = (part + 1e-6 * random.random(part.size) for part in (cold.x, cold.duals))
    for start in ((x, y), (x, None), (None, y)):
        problem.basis = None
        solution = problem.solve(start=start)
        assert solution.optimal and solution.objective == pytest.approx(cold.objective, rel=1e-12)
        assert solution.iterations * 4 <= cold.iterations
    problem.basis = None
    assert problem.solve(start=None).iterations == cold.iterations
    with pytest.raises(ValueError, match="the start's x has length 2 instead of 40"):
        problem.solve(start=([1, 2], None))
    with pytest.raises(ValueError, match="the start's y has length 1 instead of 60"):
        problem.solve(start=(x, [1]))
    with pytest.raises(ValueError, match=r"the start's x\[0\] is not finite"):
        problem.solve(start=(np.full(40, np.nan), None))
    with pytest.raises(ValueError):
        problem.solve(start=(x,))


def test_a_solution_has_all_its_parts(furniture):
    solution = furniture.solve()
    assert solution.optimal and solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(188)
    np.testing.assert_allclose(solution.x, [4, 12])
    np.testing.assert_allclose(solution.duals, [3.5, 0.4])
    np.testing.assert_allclose(solution.activity, [40, 120])
    np.testing.assert_allclose(solution.reduced_costs, 0, atol=1e-9)
    assert solution.proof is Proof.TOLERANCE and max(solution.residuals) < 1e-9
    assert solution.ray is None and solution.farkas is None and solution.exact is None
    assert solution.engine == "host" and not solution.device_lost
    assert (solution.basis.columns == VariableStatus.BASIC).all()
    assert furniture.solution is solution
    assert "optimal" in repr(solution) and "2 rows" in repr(furniture)


def test_changes(furniture):
    furniture.solve()
    furniture.set_bounds(upper=3, columns=0)
    assert furniture.solution is None
    assert furniture.solve().objective == pytest.approx(186)
    furniture.set_costs([10], columns=[1])
    assert furniture.solve().objective == pytest.approx(200)
    furniture.set_right_hand_sides(50, rows=0)
    assert furniture.solve().objective == pytest.approx(240)
    furniture.set_costs([20, 9])
    furniture.set_bounds(upper=np.inf)
    furniture.set_right_hand_sides([40, 120])
    furniture.set_coefficients([0, 1, 1], [0, 0, 1], [5, 0, 6])
    assert furniture.nonzeros == 3
    assert furniture.solve().objective == pytest.approx(180)
    furniture.set_coefficients([0, 1, 1], [0, 0, 1], [4, 15, 5])
    furniture.add_rows([[1, 1]], upper=12)
    assert furniture.solve().objective == pytest.approx(174)
    furniture.add_columns([[1], [1], [1]], costs=8)
    assert furniture.solve().objective > 174
    furniture.delete_columns(2)
    furniture.delete_rows([2])
    assert furniture.solve().objective == pytest.approx(188)
    furniture.set_offset(2)
    assert furniture.solve().objective == pytest.approx(190) and furniture.offset == 2
    furniture.set_sense("min")
    assert furniture.sense == "min" and furniture.solve().objective == pytest.approx(2)
    furniture.set_row_bounds(lower=[-np.inf, 100], upper=[40, 100])
    lower, upper = furniture.row_bounds
    assert lower[1] == upper[1] == 100
    assert furniture.solve().activity[1] == pytest.approx(100)
    assert furniture.costs.tolist() == [20, 9]
    assert furniture.column_bounds[0].tolist() == [0, 0]


def test_a_changed_bound_takes_few_pivots(dense):
    cold = dense.solve()
    j = int(np.argmax(cold.x))
    dense.set_bounds(upper=cold.x[j] / 2, columns=j)
    warm = dense.solve()
    assert warm.iterations < cold.iterations / 2
    copy = dense.copy()
    assert copy.solve().iterations == 0
    dense.basis = None
    assert dense.solve().objective == pytest.approx(warm.objective)
    dense.basis = warm.basis
    assert dense.solve().iterations == 0


def test_infeasible_and_unbounded():
    infeasible = Problem([1, 1], [[1, 1], [1, 2]], [-np.inf, 4], [1, np.inf], upper=[9, 1]).solve()
    assert infeasible.status is Status.INFEASIBLE and infeasible.proof is Proof.EXACT
    assert infeasible.margin > 0 and infeasible.farkas[0] < 0 < infeasible.farkas[1]
    unbounded = Problem([-1, 0], [[1, -1]], row_upper=[1]).solve()
    assert unbounded.status is Status.UNBOUNDED and (unbounded.ray > 0).all()


def test_files(furniture, tmp_path):
    furniture.solve()
    for name in ("a.mps", "a.lp", "a.lps"):
        furniture.write(tmp_path / name)
        assert abs(Problem.read(tmp_path / name).solve().objective) == pytest.approx(188)
    furniture.write_basis(tmp_path / "a.bas")
    furniture.write_solution(tmp_path / "a.json")
    assert '"optimal"' in (tmp_path / "a.json").read_text()
    furniture.write_proof(tmp_path / "proof.json")
    assert osi_cuda.check.main([str(tmp_path / "a.mps"), str(tmp_path / "proof.json")]) == 0
    other = furniture.copy()
    other.basis = None
    other.read_basis(tmp_path / "a.bas")
    assert other.solve().iterations == 0
    assert furniture.row_name(0) == "R1" and furniture.column_name(1) == "C2"
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Problem.read("/nowhere/a.mps")
    (tmp_path / "bad.mps").write_text("ROWS\n Z a\n")
    with pytest.raises(osi_cuda.FileFormatError, match=r"bad\.mps:2:"):
        Problem.read(tmp_path / "bad.mps")
    with pytest.raises(OSError):
        furniture.write("/nowhere/a.mps")
    with pytest.raises(osi_cuda.NoSolution):
        other.set_offset(1)
        other.write_solution(tmp_path / "b.sol")


def test_options(furniture):
    furniture.set_options(time_limit=60, exact=True, pricing="devex", iteration_limit=None)
    assert furniture.get_option("time_limit") == "60" and furniture.get_option("exact") == "on"
    solution = furniture.solve()
    assert solution.proof is Proof.EXACT and solution.exact.objective == "188"
    with pytest.raises(ValueError, match="did you mean 'seed'"):
        furniture.set_options(sead=1)
    with pytest.raises(ValueError, match="there is no option"):
        furniture.get_option("sead")
    table = osi_cuda.option_table()
    assert {"engine", "time-limit"} <= {option.name for option in table}
    assert all(option.help and option.values for option in table)


@pytest.mark.parametrize(("change", "error", "sentence"), [
    (lambda p: p.set_bounds(upper=[1, 2, 3]), ValueError, "upper has length 3 instead of 2"),
    (lambda p: p.set_bounds(upper=1, columns=2), ValueError, r"columns\[0\] is 2"),
    (lambda p: p.set_bounds(lower=np.nan), ValueError, "not a number"),
    (lambda p: p.set_costs([np.inf, 1]), ValueError, "not finite"),
    (lambda p: p.set_costs(1, columns=[0.5]), TypeError, "columns has to be"),
    (lambda p: p.set_costs(1, columns=[2**40]), ValueError, "beyond"),
    (lambda p: p.set_sense("most"), ValueError, "sense is 'most'"),
    (lambda p: p.set_coefficients([0], [0, 1], [1]), ValueError, "columns has length 2"),
    (lambda p: p.set_coefficients(0, 7, 1), ValueError, r"columns\[0\] is 7"),
    (lambda p: p.add_rows([[1, 2, 3]]), ValueError, "A has 3 columns instead of 2"),
    (lambda p: p.add_columns([[1, 2, 3]]), ValueError, "A has 1 rows instead of 2"),
    (lambda p: p.delete_rows([1, 1]), ValueError, "names 1 twice"),
    (lambda p: setattr(p, "basis", ([0], [1])), ValueError, "the basis has 1 columns"),
    (lambda p: setattr(p, "basis", ([0, 9], [1, 1])), ValueError, "a status is from 0 to 3"),
    (lambda p: p.row_name(5), IndexError, r"rows\[0\] is 5"),
    (lambda p: p.write("a.txt"), ValueError, "says no format"),
])
def test_refusals(furniture, change, error, sentence):
    with pytest.raises(error, match=sentence):
        change(furniture)
    assert furniture.solve().objective == pytest.approx(188)


def test_none_stands_for_no_bound():
    for rows in ((None, [4.0]), ([None], [4.0]), (-np.inf, [4.0])):
        problem = Problem([-1.0, 0.0], [[1.0, 1.0]], *rows, lower=None, upper=[None, 3.0])
        assert problem.row_bounds[0].tolist() == [-np.inf]
        assert problem.column_bounds[0].tolist() == [-np.inf, -np.inf]
        assert problem.column_bounds[1].tolist() == [np.inf, 3.0]
    problem.set_bounds(lower=[None, 1.0], upper=None)
    assert problem.column_bounds[0].tolist() == [-np.inf, 1.0]
    assert problem.column_bounds[1].tolist() == [np.inf, 3.0]
    problem.set_row_bounds(upper=[None])
    assert problem.row_bounds[1].tolist() == [np.inf]
    problem.add_rows([[1.0, 2.0]], [None], [7.0])
    problem.add_columns([[1.0], [1.0]], None, np.array([None], dtype=object))
    assert problem.column_bounds[0][2] == -np.inf and problem.row_bounds[0][1] == -np.inf


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: Problem([1, np.nan], SMALL), r"^c\[1\] is nan, which is not a number$"),
    (lambda: Problem([np.inf, 1], SMALL), r"^c\[0\] is inf, which is not finite$"),
    (lambda: Problem([1, 1], [[1, 2], [3, np.inf]]), r"^A\[1, 1\] is inf"),
    (lambda: Problem([1, 1], np.asfortranarray([[1, np.nan], [3, 4]])), r"^A\[0, 1\] is nan"),
    (lambda: Problem([1, 1], SMALL, upper=[np.nan, 1]), r"^upper\[0\] is nan"),
    (lambda: Problem([1, 1], SMALL, lower=[0, np.inf]), r"^lower\[1\] is inf"),
    (lambda: Problem([1, 1], SMALL, [0, np.inf, 0]), r"^row_lower\[1\] is inf"),
    (lambda: Problem([1, 1], SMALL).set_costs([np.nan], columns=[1]), r"^costs\[0\] is nan"),
    (lambda: Problem([1, 1], SMALL).add_rows([[1, np.nan]]), r"^A\[0, 1\] is nan"),
    (lambda: Problem([1, 1], SMALL).set_coefficients([0], [0], [np.inf]), r"^values\[0\] is inf"),
])
def test_a_wrong_number_is_named_with_its_place(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("kind", ["csc_array", "csr_array"])
def test_a_wrong_number_of_a_sparse_matrix(kind):
    sparse = pytest.importorskip("scipy.sparse")
    wrong = SMALL.copy()
    wrong[1, 0] = np.nan
    with pytest.raises(ValueError, match=r"^A\[1, 0\] is nan, which is not a number$"):
        Problem([1, 1], getattr(sparse, kind)(wrong))


def test_a_matrix_beyond_all_memory_is_refused_before_it_is_touched():
    huge = np.broadcast_to(np.ones((1, 1)), (2**22, 2**22))
    with pytest.raises(MemoryError, match="4194304 x 4194304 takes 140.7 TB, this machine has"):
        Problem(np.ones(2**22), huge)
    with pytest.raises(ValueError, match="more than 2147483647 rows and columns"):
        Problem(np.ones(2), np.broadcast_to(np.ones((1, 1)), (2**31 - 1, 2)))


def test_both_parts_of_a_point_and_the_bounds_of_the_optimum(furniture):
    solution = furniture.solve()
    assert solution.x_low is None and solution.y_low is None
    assert solution.objective_lower <= 188 <= solution.objective_upper
    assert solution.objective_error >= max(
        solution.objective_upper - solution.objective, solution.objective - solution.objective_lower
    )
    A, b = np.array([[1e12, -1e12], [1.0, 2.0]]), np.array([1.0, 1.0])
    found = Problem([1, 1], A, b, b, lower=None).solve()
    assert found.optimal
    low = np.zeros(2) if found.x_low is None else found.x_low
    exact = [fractions.Fraction(high) + fractions.Fraction(part) for high, part in zip(found.x, low)]
    for row in range(2):
        activity = sum(fractions.Fraction(a) * x for a, x in zip(A[row], exact))
        assert abs(activity - 1) / 2 <= found.residuals.primal + 1e-12
    result = osi_cuda.linprog([1, 1], A_eq=A, b_eq=b, bounds=(None, None))
    assert result.success and (result.x == found.x).all()
    assert (result.x_low is None) == (found.x_low is None)
    assert result.objective_error == found.objective_error


def test_logging(furniture, caplog):
    with caplog.at_level(logging.INFO, logger="osi_cuda"):
        furniture.solve()
    assert "engine host" in caplog.text


def test_progress_and_interrupt(dense):
    seen = []
    assert dense.solve(progress=seen.append).optimal
    assert seen[-1].iterations > 0 and seen[-1].phase.split()[0] in ("primal", "dual")
    dense.basis = None
    assert dense.solve(interrupt=lambda: True).status is Status.INTERRUPTED

    def fail(progress):
        raise KeyError("mine")

    dense.basis = None
    with pytest.raises(KeyError, match="mine"):
        dense.solve(progress=fail)
    assert dense.solve().optimal

    def use(progress):
        dense.set_offset(1)

    dense.basis = None
    with pytest.raises(RuntimeError, match="in use"):
        dense.solve(progress=use)


def test_eight_threads_with_a_problem_each():
    def matrix(seed):
        return np.random.default_rng(seed).uniform(0.1, 1.0, (40, 30))

    def problem(seed):
        return Problem(np.ones(30), matrix(seed), row_upper=1.0, sense="max")

    alone = [problem(seed).solve().objective for seed in range(8)]
    together = [0.0] * 8

    def work(seed):
        for _ in range(5):
            together[seed] = problem(seed).solve().objective

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == together


def solve_in_child(queue):
    queue.put(Problem([1.0], [[1.0]], row_lower=[2.0]).solve().objective)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes(furniture, method):
    furniture.solve()
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=solve_in_child, args=(queue,))
    child.start()
    answer = queue.get(timeout=60)
    child.join()
    assert answer == pytest.approx(2)


def test_results_like_an_array(furniture, monkeypatch):
    used = []

    class Device:
        def __enter__(self):
            used.append("entered")

        def __exit__(self, *_):
            used.append("left")

    class Array:
        def __init__(self, numbers):
            self.numbers, self.device = numbers, Device()

    library = types.ModuleType("cupy")
    library.array = Array
    monkeypatch.setitem(sys.modules, "cupy", library)
    Array.__module__ = "cupy"
    theirs = Array(SMALL)
    solution = furniture.solve()
    moved = solution.like(theirs)
    for name in ("x", "activity", "duals", "reduced_costs"):
        assert (getattr(moved, name).numbers == getattr(solution, name)).all()
    assert moved.ray is None and moved.basis is solution.basis and moved.objective == 188
    assert used == ["entered", "left"] * 4
    assert isinstance(furniture.solution.x, np.ndarray)  # the problem's own stays

    result = osi_cuda.linprog([-20, -9], [[4, 2], [15, 5]], [40, 120])
    moved = result.like(theirs)
    assert (moved.x.numbers == result.x).all() and moved.fun == result.fun
    assert (moved.ineqlin.marginals.numbers == result.ineqlin.marginals).all()
    assert (result.like(result.x).x == result.x).all()
    with pytest.raises(TypeError, match="arrays like list"):
        result.like([1.0])


def test_names_are_set_and_looked_up(furniture):
    furniture.basis = furniture.solve().basis
    furniture.set_names(["hours", "wood"], ["tables", "chairs"], name="furniture")
    assert furniture.row_index("wood") == 1 and furniture.column_index("tables") == 0
    furniture.set_names(columns=["t\u00fcr", "chairs"])
    assert furniture.row_name(0) == "hours" and furniture.column_index("t\u00fcr") == 0
    with pytest.raises(KeyError, match="no column 'tables'"):
        furniture.column_index("tables")
    with pytest.raises(ValueError, match="rows has length 1 instead of 2"):
        furniture.set_names(["hours"])
    assert furniture.solve().iterations == 0  # the basis stays
    furniture.delete_columns([0])
    assert furniture.column_index(furniture.column_name(0)) == 0
    furniture.set_names([])
    assert furniture.row_index("R2") == 1


@pytest.mark.parametrize("density", [1.0, 0.3])
@pytest.mark.parametrize("order", ["C", "F"])
def test_single_rows_and_columns(density, order):
    random = np.random.default_rng(4)
    matrix = random.uniform(1, 2, (7, 5)) * (random.random((7, 5)) < density)
    problem = Problem(np.ones(5), np.asarray(matrix, order=order), copy=False)
    for i in range(7):
        np.testing.assert_array_equal(problem.row(i), matrix[i])
    for j in range(5):
        np.testing.assert_array_equal(problem.column(j), matrix[:, j])
    with pytest.raises(ValueError, match=r"rows\[0\] is 7, but there are 7 rows"):
        problem.row(7)


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("options", [{}, {"representation": "factors"}, {"presolve": "on"}])
def test_rows_of_the_basis_inverse(solved, options):
    random = np.random.default_rng(5)
    matrix = random.uniform(0.1, 1, (12, 9))
    problem = Problem(np.ones(9), matrix, None, 1.0, sense="max", engine="host", **options)
    if solved:
        problem.solve()
    whole = np.hstack([matrix, np.eye(12)])
    inverse = np.linalg.inv(whole[:, problem.basic_variables()])
    for k in range(12):
        row, entries = problem.inverse_row(k)
        np.testing.assert_allclose(row, inverse[k], atol=1e-10)
        np.testing.assert_allclose(entries, inverse[k] @ matrix, atol=1e-10)
    with pytest.raises(ValueError, match="12"):
        problem.inverse_row(12)


def test_options_are_reset(furniture):
    furniture.set_options(algorithm="dual", time_limit=3, exact=True)
    furniture.reset_options()
    assert all(furniture.get_option(o.name) == o.default for o in osi_cuda.option_table())


def test_a_problem_is_closed_by_with(furniture):
    with furniture as problem:
        assert problem.solve().optimal
    with pytest.raises(ValueError, match="the problem is closed"):
        furniture.solve()
    with pytest.raises(ValueError, match="the problem is closed"):
        furniture.shape
    furniture.interrupt()
    furniture.close()


def test_a_live_log(dense, capsys, caplog):
    dense.solve()
    assert capsys.readouterr().out == ""
    dense.basis = None
    with caplog.at_level("INFO", logger="osi_cuda"):
        dense.solve(disp=True)
    assert "objective" in capsys.readouterr().out
    assert any("iterations" in line and "objective" in line for line in caplog.messages)


def test_none_is_no_bound_in_a_batch():
    free = osi_cuda.solve_batch([[1.0, 1.0]], [[[1.0, 1.0]]], [[2.0]], [[None]], [None, 0.0], [3.0, None])
    assert free.status[0] == osi_cuda.Status.OPTIMAL and free.objective[0] == pytest.approx(2.0)
    found = osi_cuda.solve_batch([[1.0]], [[[1.0]]], None, None, [[None]], [[None]])
    assert found.status[0] == osi_cuda.Status.UNBOUNDED


def test_messages_name_the_argument_and_the_place(furniture):
    with pytest.raises(TypeError, match="offset has to be a number"):
        furniture.set_offset([1, 2])
    with pytest.raises(ValueError, match=r"columns\[1\] is 9, but there are 2 columns"):
        furniture.set_coefficients([0, 0], [0, 9], [1.0, 1.0])
    furniture.set_row_bounds(0.0)
    with pytest.raises(ValueError, match=r"values\[0\] is for row 0, which has two different bounds"):
        furniture.set_right_hand_sides([1, 2])
    with pytest.raises(ValueError, match="no option 'time-limt'; did you mean 'time-limit'"):
        osi_cuda.BatchSolver(time_limt=3)


def test_an_array_that_repeats_itself_is_refused_in_place_too():
    with pytest.raises(MemoryError, match="takes 140.7 TB"):
        Problem(np.ones(2**22), np.broadcast_to(np.ones((1, 1)), (2**22, 2**22)), copy=False)


def test_phases_are_listed():
    problem = Problem([3, 2], [[1, 1], [1, 3]], row_upper=[4, 6], sense="max", algorithm="primal")
    solution = problem.solve()
    assert [(ran.algorithm, ran.phase) for ran in solution.phases] == [("primal", 2)]
    assert sum(ran.iterations for ran in solution.phases) == solution.iterations
    assert all(ran.seconds >= 0 for ran in solution.phases)
    raced = Problem([3, 2], [[1, 1], [1, 3]], row_upper=[4, 6], sense="max", algorithm="race").solve()
    assert raced.objective == solution.objective


def test_a_full_disk_leaves_the_old_file(dense, tmp_path):
    dense.set_options(exact="on")
    dense.solve()
    writers = {
        "a.mps": dense.write, "a.lp": dense.write, "a.npz": dense.write, "a.bas": dense.write_basis,
        "a.sol": dense.write_solution, "a.json": dense.write_proof,
    }
    for name, write in writers.items():
        path = tmp_path / name
        path.write_text("old")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                write(path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_text() == "old"
        assert sorted(entry.name for entry in tmp_path.iterdir())[-1] == name
        path.unlink()
    assert not list(tmp_path.iterdir())
