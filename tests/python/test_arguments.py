# SPDX-License-Identifier: EPL-2.0
"""Bad arguments of all public functions: an error that names the argument, no crash, no other meaning; and
unusual ones that mean what they say."""

import datetime
import decimal
import fractions
import inspect
import operator
import os
import pathlib
import warnings

import numpy as np
import pytest

import osi_cuda
from osi_cuda import BatchSolver, Problem, estimators, filters, games, linprog

A = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]])
REFUSED = (TypeError, ValueError, IndexError)


def problem():
    return Problem([1.0, 2.0, 3.0], A, row_upper=[4.0, 5.0], upper=2.0, sense="max", engine="host", threads=1)


def batch(**changes):
    arguments = {"c": [[1.0, 2.0]], "A": [[[1.0, 1.0]]], "row_upper": [[4.0]], "upper": [[3.0, 3.0]], "sense": "max"}
    return BatchSolver(engine="host", threads=1).solve(**{**arguments, **changes})


def searched(start):
    try:
        problem().solve_integers(integers=[True] * 3, start=start)
    except osi_cuda.EngineUnavailable:
        pass  # the module with Cbc is not here; arguments are looked at before


FIT = [[0.0], [1.0], [3.0], [4.0]], [0.0, 1.0, 5.0, 2.0]

# By the argument's name: a call with it, and a good value, an array of doubles.
VECTORS = {
    "Problem c": (lambda v: Problem(v, A), [1.0, 2.0, 3.0]),
    "Problem row_lower": (lambda v: Problem([1, 2, 3], A, v), [1.0, 2.0]),
    "Problem row_upper": (lambda v: Problem([1, 2, 3], A, None, v), [1.0, 2.0]),
    "Problem lower": (lambda v: Problem([1, 2, 3], A, lower=v), [1.0, 2.0, 3.0]),
    "Problem upper": (lambda v: Problem([1, 2, 3], A, upper=v), [1.0, 2.0, 3.0]),
    "set_bounds lower": (lambda v: problem().set_bounds(v), [1.0, 2.0, 3.0]),
    "set_bounds upper": (lambda v: problem().set_bounds(upper=v), [1.0, 2.0, 3.0]),
    "set_row_bounds lower": (lambda v: problem().set_row_bounds(v), [1.0, 2.0]),
    "set_row_bounds upper": (lambda v: problem().set_row_bounds(upper=v), [1.0, 2.0]),
    "set_right_hand_sides values": (lambda v: problem().set_right_hand_sides(v), [1.0, 2.0]),
    "set_costs costs": (lambda v: problem().set_costs(v), [1.0, 2.0, 3.0]),
    "set_coefficients values": (lambda v: problem().set_coefficients([0, 1], [0, 1], v), [1.0, 2.0]),
    "add_rows lower": (lambda v: problem().add_rows(A, v), [1.0, 2.0]),
    "add_rows upper": (lambda v: problem().add_rows(A, None, v), [1.0, 2.0]),
    "add_columns lower": (lambda v: problem().add_columns(np.eye(2), v), [1.0, 2.0]),
    "add_columns upper": (lambda v: problem().add_columns(np.eye(2), 0, v), [1.0, 2.0]),
    "add_columns costs": (lambda v: problem().add_columns(np.eye(2), costs=v), [1.0, 2.0]),
    "solve start's x": (lambda v: problem().solve(start=(v, None)), [1.0, 1.0, 1.0]),
    "solve start's y": (lambda v: problem().solve(start=(None, v)), [1.0, 1.0]),
    "solve_integers start": (lambda v: searched(v), [1.0, 1.0, 1.0]),
    "solve_ranked costs": (lambda v: problem().solve_ranked([v]), [1.0, 2.0, 3.0]),
    "linprog c": (lambda v: linprog(v, A, [1, 2], method="dual"), [1.0, 2.0, 3.0]),
    "linprog b_ub": (lambda v: linprog([1, 2, 3], A, v), [1.0, 2.0]),
    "linprog b_eq": (lambda v: linprog([1, 2, 3], None, None, A, v), [1.0, 2.0]),
    "linprog integrality": (lambda v: linprog([1, 2, 3], A, [1, 2], integrality=v), [0.0, 0.0, 0.0]),
    "batch offset": (lambda v: batch(offset=v), [1.0]),
    "filters bands": (lambda v: filters.chebyshev(3, v, [1.0, 0.0]), [0.0, 0.1, 0.2, 0.5]),
    "filters desired": (lambda v: filters.chebyshev(3, [0, 0.1, 0.2, 0.5], v), [1.0, 0.0]),
    "filters weight": (lambda v: filters.chebyshev(3, [0, 0.1, 0.2, 0.5], [1, 0], weight=v), [1.0, 2.0]),
    "estimators y": (lambda v: estimators.LADRegressor().fit(FIT[0], v), FIT[1]),
    "estimators sample_weight": (lambda v: estimators.LADRegressor().fit(*FIT, v), [1.0, 2.0, 1.0, 1.0]),
}
TABLES = {
    "Problem A": (lambda v: Problem([1, 2, 3], v), A),
    "add_rows A": (lambda v: problem().add_rows(v), A),
    "add_columns A": (lambda v: problem().add_columns(v), A),
    "linprog A_ub": (lambda v: linprog([1, 2, 3], v, [1, 2]), A),
    "linprog A_eq": (lambda v: linprog([1, 2, 3], None, None, v, [1, 2]), A),
    "linprog bounds": (lambda v: linprog([1, 2, 3], A, [1, 2], bounds=v), [[0.0, 1.0]] * 3),
    "variants costs": (lambda v: problem().variants(costs=v), A),
    "variants lower": (lambda v: problem().variants(lower=v), A),
    "variants upper": (lambda v: problem().variants(upper=v), A),
    "variants row_lower": (lambda v: problem().variants(row_lower=v), A[:, :2]),
    "variants row_upper": (lambda v: problem().variants(row_upper=v), A[:, :2]),
    "variants rhs": (lambda v: problem().variants(rhs=v), A[:, :2]),
    "support directions": (lambda v: problem().support(v), A),
    "batch A": (lambda v: batch(A=[v]), [[1.0, 1.0]]),
    "batch c": (lambda v: batch(c=v), [[1.0, 2.0]]),
    "batch row_lower": (lambda v: batch(row_lower=v), [[1.0]]),
    "batch row_upper": (lambda v: batch(row_upper=v), [[1.0]]),
    "batch lower": (lambda v: batch(lower=v), [[0.0, 1.0]]),
    "batch upper": (lambda v: batch(upper=v), [[2.0, 1.0]]),
    "games A": (lambda v: games.solve(v), A),
    "estimators X": (lambda v: estimators.LADRegressor().fit(v, FIT[1]), FIT[0]),
    "predict X": (lambda v: estimators.LADRegressor().fit(*FIT).predict(v), FIT[0]),
}
ARRAYS = {**VECTORS, **TABLES}
NAN_MEANS_NONE = {"linprog bounds"} | {name for name in TABLES if name.startswith("variants")}
NAN_MEANS_NONE.add("solve_integers start")  # of columns that don't matter
INVALID_ALONE = {name for name in TABLES if name.startswith("batch")} | {"batch offset"}

# What NumPy, or a conversion to doubles, would take for something else.
MISREAD = {
    "complex": lambda v: v + 1j,
    "a complex list": lambda v: (v + 1j).tolist(),
    "complex objects": lambda v: (v + 1j).astype(object),
    "dates": lambda v: v.astype("M8[D]"),
    "spans of time": lambda v: v.astype("m8[s]"),
    "objects of dates": lambda v: np.full(v.shape, datetime.date(2020, 1, 1), dtype=object),
    "masked": lambda v: np.ma.array(v, mask=v == v.flat[-1]),
    "text": lambda v: v.astype(str),
    "texts in a list": lambda v: v.astype(str).tolist(),
    "objects of text": lambda v: v.astype(str).astype(object),
    "objects of spans": lambda v: np.array([np.timedelta64(int(x), "ns") for x in v.flat], dtype=object).reshape(v.shape),
    "a structure": lambda v: v.astype([("a", float)]),
    "beyond doubles": lambda v: v.astype(np.longdouble) * 0 + np.longdouble("1e4000"),
    "large integers": lambda v: np.full(v.shape, 10**400, dtype=object),
    "large decimals": lambda v: np.full(v.shape, decimal.Decimal("1e400"), dtype=object),
}
# Of another length or shape.
SHAPES = {
    "one more": lambda v: np.concatenate([v, v[:1]]),
    "one less": lambda v: v[:-1],
    "deeper": lambda v: np.stack([v, v]),
    "three times": lambda v: np.concatenate([v, v, v], axis=-1),
}
# The same numbers in other clothes.
CLOTHES = {
    "a list": np.ndarray.tolist, "float32": lambda v: v.astype(np.float32), "float16": lambda v: v.astype(np.float16),
    "longdouble": lambda v: v.astype(np.longdouble), "big-endian": lambda v: v.astype(">f8"),
    "integers": lambda v: v.astype(int) if (v == v.astype(int)).all() else v,
    "uint64": lambda v: v.astype(np.uint64) if (v == v.astype(int)).all() else v,
    "objects": lambda v: v.astype(object),
    "fractions": lambda v: np.array([fractions.Fraction(x) for x in v.flat], dtype=object).reshape(v.shape),
    "steps": lambda v: np.repeat(v, 2, axis=-1)[..., ::2],
    "backwards": lambda v: np.ascontiguousarray(v[::-1])[::-1],
    "by columns": np.asfortranarray,
    "unaligned": lambda v: np.frombuffer(b"x" + v.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(v.shape),
    "unmasked": lambda v: np.ma.array(v), "a subclass": lambda v: v.view(type("Own", (np.ndarray,), {})),
}


@pytest.mark.parametrize("how", MISREAD)
@pytest.mark.parametrize("name", ARRAYS)
def test_what_would_be_misread(name, how):
    call, good = ARRAYS[name]
    value = MISREAD[how](np.array(good))
    if how == "beyond doubles" and np.isinf(np.float64(value.flat[0])) is np.isinf(value.flat[0]):
        pytest.skip("long doubles are doubles here")
    with pytest.raises(REFUSED) as caught:
        call(value)
    word = name.split()[-1]
    assert word in str(caught.value) or name.split()[0] in ("estimators", "predict"), caught.value


# What is another good argument.
OTHER_GOOD = {
    (name, how) for name in TABLES for how in ("one more", "one less") if name.split()[0] in ("variants", "support", "games", "predict")
} | {(name, how) for name in ("Problem A", "add_rows A") for how in ("one more", "one less")} | {
    ("add_columns A", "three times"), ("games A", "three times"), ("estimators X", "three times"),
}
IN_OTHER_WORDS = ("Found array", "Expected 2D array", "inconsistent numbers", "1d array", "1D array", "features", "upper[0]", "has length")


@pytest.mark.parametrize("how", SHAPES)
@pytest.mark.parametrize("name", ARRAYS)
def test_other_lengths_and_shapes(name, how):
    call, good = ARRAYS[name]
    value = SHAPES[how](np.array(good))
    if (name, how) in OTHER_GOOD:
        call(value)
        return
    with pytest.raises(REFUSED) as caught:
        call(value)
    assert name.split()[-1] in str(caught.value) or any(words in str(caught.value) for words in IN_OTHER_WORDS), caught.value


@pytest.mark.parametrize("name", ARRAYS)
def test_numbers_that_are_none(name):
    call, good = ARRAYS[name]
    value = np.array(good)
    value.flat[-1] = np.nan
    if name in NAN_MEANS_NONE:
        call(value)
    elif name in INVALID_ALONE:
        assert call(value).status.tolist() == [osi_cuda.Status.INVALID]
    else:
        with pytest.raises(REFUSED):
            call(value)


@pytest.mark.parametrize("how", CLOTHES)
@pytest.mark.parametrize("name", ARRAYS)
def test_the_same_numbers(name, how):
    """Read-only ones too, and none is written to."""
    call, good = ARRAYS[name]
    value = CLOTHES[how](np.array(good))
    before = np.array(value).tobytes()
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    call(value)
    assert np.array(value).tobytes() == before


def test_clothes_do_not_change_the_numbers():
    for clothe in CLOTHES.values():
        made = Problem(clothe(np.array([1.0, 2.0, 3.0])), clothe(A), row_upper=clothe(np.array([4.0, 5.0])))
        assert made.costs.tolist() == [1, 2, 3] and np.array([made.row(0), made.row(1)]).tolist() == A.tolist()
    assert Problem([2**64 - 1], [[True]]).costs.tolist() == [2.0**64]


def test_a_masked_element_in_a_list_and_a_mask_of_nothing():
    for wrong in ([1.0, np.ma.masked, 2.0], [np.ma.array([1.0, 2.0, 3.0], mask=[0, 0, 1])]):
        with pytest.raises(TypeError, match="masked"):
            Problem([1, 2, 3], A, lower=wrong) if len(wrong) == 3 else Problem([1, 2, 3], wrong)


# By the argument's name: a call with it, a good list of numbers, how many there are.
INDICES = {
    "set_bounds columns": (lambda v: problem().set_bounds(upper=1.0, columns=v), 3),
    "set_row_bounds rows": (lambda v: problem().set_row_bounds(upper=1.0, rows=v), 2),
    "set_right_hand_sides rows": (lambda v: problem().set_right_hand_sides(1.0, rows=v), 2),
    "set_costs columns": (lambda v: problem().set_costs(1.0, columns=v), 3),
    "set_coefficients rows": (lambda v: problem().set_coefficients(v, np.zeros(np.size(v), int), np.ones(np.size(v))), 2),
    "set_coefficients columns": (lambda v: problem().set_coefficients(np.zeros(np.size(v), int), v, np.ones(np.size(v))), 3),
    "delete_rows rows": (lambda v: problem().delete_rows(v), 2),
    "delete_columns columns": (lambda v: problem().delete_columns(v), 3),
    "bounds_of variables": (lambda v: problem().bounds_of(v), 3),
    "tighten variables": (lambda v: osi_cuda.tighten(problem(), v), 3),
    "variants variants": (lambda v: problem().variants(
        coefficients=(v, *np.zeros((2, np.size(v)), int), np.ones(np.size(v))), count=2), 2),
}
WRONG_INDICES = [
    [-1], [99], [2**31], [2**32], [2**63], [-(2**63)], [2**70], [0.0], [0.5], [np.nan], ["0"], [None], [True],
    np.array([2**64 - 1], dtype=np.uint64), np.array([0j]), np.array(["2020"], dtype="M8[Y]"), [[0]],
    np.ma.array([0, 1], mask=[0, 1]), np.array([0], dtype=object), "0", b"0", {"a": 0},
]


@pytest.mark.parametrize("wrong", WRONG_INDICES, ids=repr)
@pytest.mark.parametrize("name", INDICES)
def test_indices(name, wrong):
    call, count = INDICES[name]
    with pytest.raises(REFUSED) as caught:
        call(wrong)
    assert name.split()[1] in str(caught.value)
    for good in ([0], np.array([count - 1]), np.array([0], dtype=np.uint64), np.array([1, 0], dtype=">i8")[1:], 0, []):
        call(good)


SCALARS = {
    "row": (lambda p, v: p.row(v), 2), "column": (lambda p, v: p.column(v), 3),
    "row_name": (lambda p, v: p.row_name(v), 2), "column_name": (lambda p, v: p.column_name(v), 3),
    "inverse_row": (lambda p, v: p.inverse_row(v), 2),
    "x_of": (lambda p, v: batch().x_of(v), 1), "y_of": (lambda p, v: batch().y_of(v), 1),
    "basis_of": (lambda p, v: batch().basis_of(v), 1), "certificate_of": (lambda p, v: batch().certificate_of(v), 1),
}


@pytest.mark.parametrize("wrong", [-1, 99, 2**32, -(2**32), 2**64, 1.0, "0", None, [0, 1]], ids=repr)
@pytest.mark.parametrize("name", SCALARS)
def test_a_single_index(name, wrong):
    call, count = SCALARS[name]
    with pytest.raises(REFUSED):
        call(problem(), wrong)
    for good in (0, np.int64(count - 1), np.uint8(0)):
        call(problem(), good)


NUMBERS = {
    "offset": lambda v: problem().set_offset(v), "Problem offset": lambda v: Problem([1.0], offset=v),
    "loss": lambda v: problem().solve_ranked([osi_cuda.Objective([1, 2, 3], loss=v), [1, 2, 3]]),
    "offset of objective": lambda v: problem().solve_ranked([osi_cuda.Objective([1, 2, 3], offset=v)]),
    "cutoff": lambda v: osi_cuda.tighten(problem(), cutoff=v),
    "time-limit": lambda v: problem().set_options(time_limit=v),
    "option time-limit": lambda v: BatchSolver(time_limit=v),
    "numtaps": lambda v: filters.chebyshev(v, [0, 0.5], [1]), "fs": lambda v: filters.chebyshev(3, [0, 0.5], [1], fs=v),
    "grid_density": lambda v: filters.chebyshev(3, [0, 0.5], [1], grid_density=v),
    "alpha": lambda v: estimators.LADRegressor(alpha=v).fit(*FIT), "C": lambda v: estimators.L1SVC(C=v).fit(FIT[0], [0, 1, 0, 1]),
    "quantile": lambda v: estimators.QuantileRegressor(quantile=v).fit(*FIT),
    "count": lambda v: problem().variants(costs=A, count=v),
    "take no memory": lambda v: osi_cuda.device_memory(4, 4, v),
}


@pytest.mark.parametrize("wrong", [np.nan, 1j, "x", [1, 2], {}, -1j, np.datetime64("2020")], ids=repr)
@pytest.mark.parametrize("name", NUMBERS)
def test_a_single_number(name, wrong):
    with pytest.raises(REFUSED):
        NUMBERS[name](wrong)


@pytest.mark.parametrize("sizes", [(2**32 + 4, 4), (4, 2**32 + 4), (4, 4, 2**64), (4, 4, 1, 2**64), (-(2**32) + 4, 4), (4.5, 4)])
def test_sizes(sizes):
    with pytest.raises(REFUSED):
        osi_cuda.device_memory(*sizes)


@pytest.mark.parametrize("text", ["a\0b", "\0", "a\0"])
def test_a_nul_is_no_end(tmp_path, text):
    solved = problem()
    solved.solve()
    path = f"{tmp_path}/one.mps\0.lp"
    for call in (
        Problem.read, solved.write, solved.write_basis, solved.read_basis, solved.write_solution, solved.write_proof,
    ):
        for name in (path, path.encode(), pathlib.Path(path)):
            with pytest.raises(ValueError, match="path has a NUL"):
                call(name)
    for call, word in (
        (lambda: solved.set_names(columns=["x", text, "z"]), r"columns\[1\]"), (lambda: solved.set_names(rows=[text, "b"]), r"rows\[0\]"),
        (lambda: solved.set_names(name=text), "name"), (lambda: solved.set_names(objective=text), "objective"),
        (lambda: solved.set_options(algorithm="dual" + text), "algorithm"), (lambda: solved.get_option("seed" + text), "name"),
        (lambda: solved.set_options(**{"seed" + text: 1}), "name"), (lambda: BatchSolver(engine="host" + text), "engine"),
        (lambda: BatchSolver(**{"seed" + text: 1}), "name"),
        (lambda: linprog([1.0], options={"algorithm": "dual" + text}), "algorithm"),
    ):
        with pytest.raises(ValueError, match=word + ".*NUL"):
            call()
    assert list(tmp_path.iterdir()) == [] and solved.row_name(0) == "R1"


def test_names_are_texts():
    for wrong in ({"columns": [1, 2, 3]}, {"columns": "abc"}, {"rows": [b"a", "b"]}, {"name": 5}, {"objective": None, "rows": [None, "b"]}):
        with pytest.raises(TypeError, match=next(iter(name for name in wrong if wrong[name] is not None))):
            problem().set_names(**wrong)
    for path in (5, None, 1.5, ["a"]):
        with pytest.raises(TypeError):
            Problem.read(path)


def test_integers_are_marks():
    for wrong in ([256, 0, 0], [0.5, 0, 0], [np.nan, 0, 0], [-1, 0, 0], [2, 0, 0], [0, 1], [0, 2, 1], [1], "110", [1j, 0, 0], None and 0):
        if wrong is not None:
            with pytest.raises((TypeError, ValueError), match="integers"):
                problem().solve_integers(integers=wrong)
    two = Problem([1.0, 1.0], [[2.0, 2.0]], row_lower=3.0, upper=5.0, engine="host")
    for wrong in ([0, 1], [1, 0], (0, 1), np.array([1, 0], dtype=np.uint8)):
        with pytest.raises(ValueError, match="integers is .* or numbers of columns: say .*True"):
            two.solve_integers(integers=wrong)
    with pytest.raises(ValueError, match="integers is"):
        Problem([1.0], [[1.0]]).solve_integers(integers=[0])


@pytest.mark.parametrize("marks", [[True, False], [0.0, 1.0], [1, 1], [0, 0], True, np.array([False, True])], ids=repr)
def test_marks_that_are_clear(marks):
    from osi_cuda._arrays import integer_marks

    assert integer_marks(marks, 2).tolist() == np.broadcast_to(np.asarray(marks, dtype=int), 2).tolist()


def test_a_basis_has_statuses():
    for wrong in (([0, 0, 0], [256, 1]), ([0, 0, -1], [3, 3]), ([0, 0.5, 0], [3, 3]), ([0, 0, 0], [np.nan, 3]), ([0, 0, 0], ["3", 3]),
                  ([0, 0, 0],), ([0] * 3, [3] * 2, [0]), (np.zeros(3), np.array([259, 3])), (["a"] * 3, [3, 3])):
        made = problem()
        before = [part.tolist() for part in made.basis]
        with pytest.raises(REFUSED, match="basis|status"):
            made.basis = wrong
        assert [part.tolist() for part in made.basis] == before
    with pytest.raises(ValueError, match="start has to be a pair"):
        problem().solve(start=([1.0] * 3,))
    with pytest.raises(ValueError, match="four arrays"):
        problem().variants(coefficients=([0], [0], [0]))
    with pytest.raises(ValueError, match="sense"):
        batch(sense=["most"])


# ---- sparse matrices ---------------------------------------------------------------------------------------

SPARSE = {name: TABLES[name] for name in (
    "Problem A", "add_rows A", "add_columns A", "linprog A_ub", "linprog A_eq", "variants costs", "variants lower",
    "variants row_upper", "variants rhs", "support directions", "estimators X", "predict X",
)}


def spoiled(kind, part, change):
    def made(value):
        sparse = pytest.importorskip("scipy.sparse")
        matrix = getattr(sparse, f"{kind}_array")(np.array(value))
        matrix.has_canonical_format  # noqa: B018  (which is remembered)
        setattr(matrix, part, change(getattr(matrix, part)))
        return matrix

    return made


def put(place, number):
    def change(array):
        array = array.astype(np.int64)
        array[place] = number
        return array

    return change


SPOILED = {
    f"{kind}: {part} {what}": spoiled(kind, part, change)
    for kind in ("csr", "csc")
    for part, what, change in [
        ("indptr", "short", lambda a: a[:-1]), ("indptr", "empty", lambda a: a[:0]), ("indptr", "beyond", put(-1, 10**6)),
        ("indptr", "far beyond", put(-1, 2**62)), ("indptr", "negative", put(0, -5)), ("indptr", "descends", put(1, 99)),
        ("indptr", "of floats", lambda a: a + 0.5), ("indptr", "too long", lambda a: np.append(a, a[-1])),
        ("indices", "short", lambda a: a[:-1]), ("indices", "negative", put(0, -1)), ("indices", "too large", put(-1, 77)),
        ("indices", "wrap", put(0, 2**32)), ("indices", "wrap to negative", put(0, 2**31)), ("indices", "of floats", lambda a: a + 0.5),
        ("data", "short", lambda a: a[:-1]), ("data", "empty", lambda a: a[:0]), ("data", "complex", lambda a: a + 1j),
        ("data", "of text", lambda a: a.astype(str)), ("data", "of dates", lambda a: a.astype("M8[D]")),
        ("data", "masked", lambda a: np.ma.array(a, mask=a == a[0])),
    ]
} | {
    f"coo: {part} {what}": spoiled("coo", part, change)
    for part, what, change in [
        ("row", "negative", put(0, -1)), ("row", "too large", put(0, 10**7)), ("col", "negative", put(0, -1)),
        ("col", "too large", put(0, 10**7)), ("data", "short", lambda a: a[:-1]),
        ("data", "complex", lambda a: a + 1j),
    ]
}


@pytest.mark.parametrize("how", SPOILED)
@pytest.mark.parametrize("name", SPARSE)
def test_a_sparse_matrix_is_not_read_beyond_its_arrays(name, how):
    call, good = SPARSE[name]
    with pytest.raises(REFUSED):
        call(SPOILED[how](good))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("name", SPARSE)
def test_all_sparse_formats(name, kind):
    sparse = pytest.importorskip("scipy.sparse")
    call, good = SPARSE[name]
    for family in ("array", "matrix"):
        call(getattr(sparse, f"{kind}_{family}")(np.array(good)))


def test_what_a_sparse_matrix_says():
    """Duplicates are summed in doubles, in any order, and entries behind the last are none."""
    sparse = pytest.importorskip("scipy.sparse")
    small = sparse.csr_array((np.array([100, 100, 1], dtype=np.int8), np.array([2, 2, 0]), np.array([0, 2, 3])), (2, 3))
    longer = sparse.csr_array(A)
    longer.data, longer.indices = np.append(longer.data, 9.0), np.append(longer.indices, 1)
    unsorted = sparse.csc_array((np.array([3.0, 2.0]), np.array([1, 0]), np.array([0, 2])), (2, 1))

    class Own(sparse.csr_matrix):
        pass

    for matrix, numbers in (
        (small, [[0, 0, 200], [1, 0, 0]]), (small.tocoo(), [[0, 0, 200], [1, 0, 0]]), (longer, A.tolist()), (unsorted, [[2], [3]]),
        (Own(A), A.tolist()), (sparse.csr_array(A.astype(np.longdouble)), A.tolist()), (sparse.coo_array(A.astype(np.uint8)), A.tolist()),
    ):
        made = Problem(np.ones(matrix.shape[1]), matrix)
        assert [made.row(0).tolist(), made.row(1).tolist()] == numbers
    costs = sparse.coo_array(([1.0, 4.0], ([0, 0], [1, 1])), (1, 3))
    assert problem().variants(costs=costs).objective == pytest.approx(problem().variants(costs=costs.toarray() + [[1, 0, 3]]).objective)


def test_a_stale_mark_of_duplicates_is_seen_by_the_library():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(A)
    assert matrix.has_canonical_format
    matrix.indices[1] = matrix.indices[0]
    with pytest.raises(ValueError, match="twice"):
        Problem([1, 2, 3], matrix)


def test_random_arguments():
    """Several changes at once: an error or an answer, nothing else. OSI_CUDA_ARGUMENTS="SEED COUNT" draws others."""
    seed, count = map(int, os.environ.get("OSI_CUDA_ARGUMENTS", "1 1500").split())
    rng = np.random.default_rng(seed)
    ways = [*MISREAD.values(), *SHAPES.values(), *CLOTHES.values(), *SPOILED.values(), *(
        lambda v, number=number: np.where(rng.random(np.shape(v)) < 0.3, number, v)
        for number in (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, 2.0**63, -1.0)
    ), lambda v: v[..., None], lambda v: v[:0], lambda v: np.float64(3.0), lambda v: None, lambda v: v.tolist() + [None]]
    refused = 0
    for _ in range(count):
        name = list(ARRAYS)[rng.integers(len(ARRAYS))]
        call, good = ARRAYS[name]
        value = np.array(good)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(rng.integers(1, 4)):
                if not isinstance(value, np.ndarray):  # SciPy's own functions read beyond spoiled arrays
                    break
                try:
                    value = ways[rng.integers(len(ways))](value)
                except Exception:  # which does not apply to the one before
                    break
            try:
                call(value)
            except (*REFUSED, osi_cuda.Error):
                refused += 1
    assert 0 < refused < count


# ---- that nothing is forgotten -----------------------------------------------------------------------------

# Public callables, and the arguments of arrays, indices, paths and numbers that no table above has, with the reason.
WITHOUT = {
    "A": "a table", "self": "", "progress": "a function", "interrupt": "a function", "incumbent": "a function", "callback": "a function",
    "options": "by name", "arguments": "by name", "method": "a word", "goal": "a word", "what": "a word", "sense": "a word", "name": "a name",
    "objective": "a name", "disp": "a flag", "pool": "a flag", "copy": "a flag", "x0": "without effect", "out": "test_device_arrays",
    "integers": "test_integers_are_marks", "basis": "test_a_basis_has_statuses", "start": "test_a_basis_has_statuses", "path": "a NUL",
    "coefficients": "INDICES", "objectives": "solve_ranked costs", "problem": "an object", "array": "test_device_arrays",
    "bounds": "positional", "constraints": "test_milp", "exact": "a flag", "changes": "test_sizes",
    "sos": "test_ordered_sets", "sets": "test_ordered_sets", "semicontinuous": "test_semicontinuous_columns_by_arguments",
    "on": "test_semicontinuous_columns_by_arguments",
}


def arguments_of(function):
    return [name for name in inspect.signature(function).parameters if name not in WITHOUT]


def test_every_argument_is_in_a_table():
    known = " ".join([*ARRAYS, *INDICES, *SCALARS, *NUMBERS, *SPARSE]).replace("'s ", " ").split()
    functions = [
        (owner.__name__, function)
        for owner in (Problem, BatchSolver) for name, function in inspect.getmembers(owner, callable) if not name.startswith("_")
    ]
    functions += [(module.__name__, function) for module, function in (
        (osi_cuda, linprog), (osi_cuda, osi_cuda.milp), (osi_cuda, osi_cuda.tighten), (osi_cuda, osi_cuda.device_memory), (games, games.solve),
        (filters, filters.chebyshev), (osi_cuda, Problem.__init__),
    )]
    missing = {
        f"{owner}.{function.__name__}({argument})" for owner, function in functions for argument in arguments_of(function)
        if argument not in known and function.__name__ not in ("row_index", "column_index", "get_option")
    }
    assert not missing - {
        "osi_cuda.__init__(names)", "osi_cuda.__init__(row_names)", "osi_cuda.device_memory(rows)", "osi_cuda.device_memory(columns)", "Problem.row(row)", "Problem.inverse_row(position)",
    }


def test_index_like_objects():
    class Two:
        def __index__(self):
            return 2

    assert problem().column(Two()).tolist() == problem().column(2).tolist()
    assert operator.index(np.int64(1)) == 1
