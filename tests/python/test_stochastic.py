# SPDX-License-Identifier: EPL-2.0
"""Stochastic programs in SMPS files: what is read, the deterministic equivalent beside one that is written down, and what is
refused."""

import copy
import itertools
import pathlib
import pickle
import re

import numpy as np
import pytest

import osi_cuda
from osi_cuda import stochastic
from osi_cuda.stochastic import Entry

# The farmer of Birge and Louveaux (1997, section 1.1): land for wheat, corn and beets; yields of three kinds of years.
CORE = """\
* a comment
NAME          FARMER
ROWS
 N  COST
 L  LAND
 G  WHEAT
 G  CORN
 L  BEETS
COLUMNS
    XW        COST             150.0   LAND               1.0
    XW        WHEAT              2.5
    XC        COST             230.0   LAND               1.0
    XC        CORN               3.0
    XB        COST             260.0   LAND               1.0
    XB        BEETS            -20.0
    YW        COST             238.0   WHEAT              1.0
    YC        COST             210.0   CORN               1.0
    WW        COST            -170.0   WHEAT             -1.0
    WC        COST            -150.0   CORN              -1.0
    WB        COST             -36.0   BEETS              1.0
    WM        COST             -10.0   BEETS              1.0
RHS
    RIGHT     LAND             500.0   WHEAT            200.0
    RIGHT     CORN             240.0
BOUNDS
 UP BND       WB              6000.0
ENDATA
"""
TIME = """\
TIME          FARMER
PERIODS       LP
    XW        COST                     SPRING
    YW        WHEAT                    AUTUMN
ENDATA
"""
BLOCKS = """\
STOCH         FARMER
BLOCKS        DISCRETE
 BL YIELD     AUTUMN    0.3333333333333333
    XW        WHEAT              3.0
    XC        CORN               3.6
    XB        BEETS            -24.0
 BL YIELD     AUTUMN    0.3333333333333333
    XW        WHEAT              2.5
    XC        CORN               3.0
    XB        BEETS            -20.0
 BL YIELD     AUTUMN    0.3333333333333333
    XW        WHEAT              2.0
    XC        CORN               2.4
    XB        BEETS            -16.0
ENDATA
"""
SCENARIOS = """\
STOCH         FARMER
SCENARIOS     DISCRETE
 SC GOOD      'ROOT'    0.3333333333333333   SPRING
    XW        WHEAT              3.0
    XC        CORN               3.6
    XB        BEETS            -24.0
 SC USUAL     GOOD      0.3333333333333333   AUTUMN
    XW        WHEAT              2.5
    XC        CORN               3.0
    XB        BEETS            -20.0
 SC BAD       GOOD      0.3333333333333333   AUTUMN
    XW        WHEAT              2.0
    XC        CORN               2.4
    XB        BEETS            -16.0
ENDATA
"""


@pytest.fixture
def files(tmp_path):
    def write(core=CORE, time=TIME, stoch=BLOCKS):
        for ending, text in (("cor", core), ("tim", time), ("sto", stoch)):
            (tmp_path / f"model.{ending}").write_text(text)
        return tmp_path / "model.cor"

    return write


@pytest.mark.parametrize("stoch", [BLOCKS, SCENARIOS], ids=["blocks", "scenarios"])
def test_the_farmers_two_bounds(files, stoch):
    model = stochastic.read(files(stoch=stoch))
    assert model.periods == ["SPRING", "AUTUMN"] and model.probabilities == pytest.approx([1 / 3] * 3)
    assert model.paths.tolist() == [[0, 1], [0, 2], [0, 3]]
    problem = model.equivalent()
    assert problem.shape == (10, 21)
    solution = problem.solve()
    assert solution.objective == pytest.approx(-108390)
    assert [solution.value(name) for name in ("XW", "XC", "XB")] == pytest.approx([170, 80, 250])
    assert solution.value("WB.3") == pytest.approx(4000)
    alone = model.core.variants(**model.changes()).objective
    assert model.probabilities @ alone == pytest.approx(-115405.56, abs=0.01)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))], ids=["deepcopy", "pickle"])
def test_copies_have_the_scenarios(files, way):
    model = way(stochastic.read(files()))
    assert model.periods == ["SPRING", "AUTUMN"] and model.core.shape[1] > 0
    assert model.equivalent().solve().objective == pytest.approx(-108390)


def test_what_is_independent_is_combined(files):
    stoch = """STOCH FARMER
INDEP DISCRETE
    RIGHT     WHEAT            200.0   0.5
    RIGHT     WHEAT            300.0   0.5
    YC        COST             210.0   AUTUMN   0.75
    YC        COST             400.0   AUTUMN   0.25
INDEP DISCRETE MULTIPLY
 UP BND       WB               1.0     AUTUMN   0.5
 UP BND       WB               0.5     AUTUMN   0.5
INDEP DISCRETE ADD
    XC        BEETS            0.5     AUTUMN   0.1
    XC        BEETS            0.0     AUTUMN   0.9
ENDATA
"""
    model = stochastic.read(files(stoch=stoch))
    assert len(model.scenarios) == 16 and model.probabilities.sum() == pytest.approx(1)
    core = model.core
    row, column = core.row_index, core.column_index
    assert model.scenarios[0] == {
        Entry("rhs", row("WHEAT"), -1): 200, Entry("cost", -1, column("YC")): 210,
        Entry("upper", -1, column("WB")): 6000, Entry("coefficient", row("BEETS"), column("XC")): 0.5,
    }
    # Written down: the first period's columns, then the second's once for each way to combine.
    A, lower, upper = dense(core), *core.row_bounds
    first, second = [0, 1, 2], [3, 4, 5, 6, 7, 8]
    costs = [core.costs[first]]
    blocks, low, high, tops = [np.hstack([A[:1, first], np.zeros((1, 96))])], [lower[:1]], [upper[:1]], [np.full(3, np.inf)]
    cases = itertools.product((200, 300), ((210, 0.75), (400, 0.25)), (6000, 3000), ((0.5, 0.1), (0.0, 0.9)))
    for k, (wheat, (price, p), quota, (more, q)) in enumerate(cases):
        weight, own, changed, l, c, top = 0.25 * p * q, np.zeros((3, 96)), A[1:].copy(), lower[1:].copy(), core.costs.copy(), np.full(9, np.inf)
        changed[2, 1], l[0], c[4], top[7] = more, wheat, price, quota
        own[:, 6 * k:6 * k + 6] = changed[:, second]
        blocks.append(np.hstack([changed[:, first], own]))
        low.append(l), high.append(upper[1:]), costs.append(weight * c[second]), tops.append(top[second])
    written = osi_cuda.Problem(*map(np.concatenate, (costs, blocks, low, high)), 0, np.concatenate(tops)).solve()
    found = model.equivalent().solve()
    assert found.objective == pytest.approx(written.objective) and found.x[:3] == pytest.approx(written.x[:3])


def dense(problem):
    values, rows, starts = problem.matrix
    A = np.zeros(problem.shape)
    A[rows, np.repeat(np.arange(A.shape[1]), np.diff(starts))] = values
    return A


THREE = """NAME STORE
ROWS
 N COST
 G DEMAND1
 G DEMAND2
 G DEMAND3
COLUMNS
 M1 'MARKER' 'INTORG'
 BUY1 COST 1 DEMAND1 1
 M2 'MARKER' 'INTEND'
 KEEP1 COST .1 DEMAND1 -1
 KEEP1 DEMAND2 1
 BUY2 COST 2 DEMAND2 1
 KEEP2 COST .1 DEMAND2 -1
 KEEP2 DEMAND3 1
 BUY3 COST 4 DEMAND3 1
RHS
 RHS DEMAND1 1 DEMAND2 1
 RHS DEMAND3 1
BOUNDS
 PL BND BUY1
ENDATA
"""
THREE_TIME = """TIME STORE
PERIODS EXPLICIT
 ONE
 TWO
 THREE
ROWS
 DEMAND1 ONE
 DEMAND2 TWO
 DEMAND3 THREE
COLUMNS
 BUY1 ONE
 KEEP1 ONE
 BUY2 TWO
 KEEP2 TWO
 BUY3 THREE
ENDATA
"""


def test_three_periods_share_what_is_not_known_yet(files, tmp_path, capsys):
    independent = """STOCH STORE
INDEP DISCRETE
 RHS DEMAND3 0 THREE .5
 RHS DEMAND3 4 THREE .5
 RHS DEMAND2 1 TWO .5
 RHS DEMAND2 3 TWO .5
ENDATA
"""
    tree = """STOCH STORE
SCENARIOS DISCRETE
 SC A ROOT .25 ONE
 RHS DEMAND2 1 DEMAND3 0
 SC B A .25 THREE
 RHS DEMAND3 4
 SC C A .25 TWO
 RHS DEMAND2 3
 SC D C .25 THREE
 RHS DEMAND3 4
ENDATA
"""
    objectives = []
    for stoch in (independent, tree):
        model = stochastic.read(files(THREE, THREE_TIME, stoch))
        assert [len(set(nodes)) for nodes in model.paths.T] == [1, 2, 4]
        problem = model.equivalent()
        assert problem.shape == (7, 2 + 2 * 2 + 4)
        objectives.append(problem.solve_integers().objective)
        whole = problem._integers()
        assert whole.sum() == 1 and problem.column_name(int(whole.argmax())) == "BUY1"
    assert objectives[0] == pytest.approx(objectives[1])
    # By hand: all is bought in the first period, 8 pieces and 8 prices of keeping, or some of it later.
    best = min(
        first + 0.1 * (first - 1) + sum(
            0.5 * min(
                2 * second + 0.1 * kept + sum(0.5 * 4 * max(0, d3 - kept) for d3 in (0, 4))
                for second in np.arange(0, 9, 0.5) for kept in [first - 1 + second - d2] if kept >= 0
            ) for d2 in (1, 3)
        ) for first in range(1, 9)
    )
    assert objectives[0] == pytest.approx(best)
    out = tmp_path / "all.mps"
    assert stochastic.main([str(tmp_path / "model.cor"), "-o", str(out)]) == 0
    assert "4 scenarios, 3 periods, 7 nodes" in capsys.readouterr().out
    assert osi_cuda.Problem.read(out).solve_integers().objective == pytest.approx(best)


@pytest.mark.parametrize(("part", "old", "new", "message"), [
    ("time", "YW        WHEAT", "YX        WHEAT", r'tim:4:5: expected a column of the core, found "YX"'),
    ("time", "XW        COST", "XC        COST", r"tim:3:5: expected periods in the order"),
    ("time", "YW        WHEAT", "YW        CORN", r"tim:5:1: expected rows without columns of later periods, found column \w+ in"),
    ("time", TIME, "TIME\nENDATA\n", r"tim:2:1: expected PERIODS, found none"),
    ("time", "PERIODS       LP", "PERIDOS", r'tim:2:1: expected TIME, PERIODS, ROWS, COLUMNS or ENDATA, found "PERIDOS"'),
    ("time", "ENDATA", "", r"tim:\d+:\d+: expected ENDATA, found the end of the file"),
    ("stoch", "BLOCKS        DISCRETE", "INDEP NORMAL", r"sto:2:1: expected INDEP, BLOCKS or SCENARIOS, DISCRETE"),
    ("stoch", "0.3333333333333333\n    XW        WHEAT              2.0", "0.3\n    XW        WHEAT              2.0",
     r"expected probabilities of block YIELD that sum to 1, found 0.96"),
    ("stoch", "WHEAT              3.0", "WHAET              3.0", r'sto:4:15: expected a row of the core, found "WHAET"'),
    ("stoch", "WHEAT              3.0", "WHEAT              three", r'sto:4:34: expected a number, found "three"'),
    ("stoch", "WHEAT              3.0", "LAND              3.0", r"sto:4:\d+: expected a number of period AUTUMN or later, found one of SPRING"),
    ("stoch", "BL YIELD     AUTUMN", "BL YIELD     WINTER", r'sto:3:\d+: expected a period of the time file, found "WINTER"'),
    ("stoch", "    XW        WHEAT              3.0", "    XW        WHEAT", r'sto:4:5: expected COLUMN ROW VALUE, found "XW'),
    ("stoch", "    XW        WHEAT              3.0", "    RIGHT     COST  3.0", r'sto:4:\d+: expected a row of the core, found "COST"'),
    ("stoch", "AUTUMN    0.3333333333333333\n    XW        WHEAT              3.0", "AUTUMN    1.5\n    XW        WHEAT              3.0",
     r'sto:3:\d+: expected a probability from 0 to 1, found "1.5"'),
])
def test_what_is_refused(files, tmp_path, capsys, part, old, new, message):
    texts = {"time": TIME, "stoch": BLOCKS}
    assert old in texts[part]
    core = files(**{part: texts[part].replace(old, new, 1)})
    with pytest.raises(osi_cuda.FileFormatError, match=message):
        stochastic.read(core)
    assert stochastic.main([str(core), "-o", str(tmp_path / "out.mps")]) == 65
    assert re.search(message, capsys.readouterr().err) and not (tmp_path / "out.mps").exists()


def test_more_that_is_refused(files, tmp_path):
    def refused(message, **texts):
        with pytest.raises(osi_cuda.FileFormatError, match=message):
            stochastic.read(files(**texts))

    refused('ROOT or a scenario before this one, found "GODO"', stoch=SCENARIOS.replace("USUAL     GOOD", "USUAL     GODO"))
    refused('a new name, found "GOOD"', stoch=SCENARIOS.replace("SC USUAL ", "SC GOOD  "))
    refused("that sum to 1, found 1.16", stoch=SCENARIOS.replace("0.3333333333333333   SPRING", "0.5   SPRING"))
    refused("SCENARIOS alone", stoch=SCENARIOS.replace("ENDATA", BLOCKS.partition("\n")[2]))
    refused("at most 1000000 scenarios", stoch="STOCH X\nINDEP DISCRETE\n" + "".join(
        f" {column} COST {value} AUTUMN .1\n" for column in ("YW", "YC", "WW", "WC", "WB", "WM") for value in range(10)
    ) + " RIGHT CORN 1 .5\n RIGHT CORN 2 .5\nENDATA\n")
    core = files()
    (tmp_path / "model.sto").unlink()
    with pytest.raises(FileNotFoundError, match="model.sto: No such file"):
        stochastic.read(core)
    assert stochastic.main([str(core), "-o", str(tmp_path / "out.mps")]) == 66
    assert stochastic.main([str(core), str(tmp_path / "model.tim"), str(tmp_path / "none"), "-o", "x.mps"]) == 66


def test_no_bytes_crash_it(files, tmp_path):
    random = np.random.default_rng(5)
    for k in range(300):
        text = {"time": TIME, "stoch": (BLOCKS, SCENARIOS)[k % 2]}
        part = ("time", "stoch")[k % 4 > 0]
        letters = list(text[part])
        for at in random.integers(0, len(letters), 3):
            letters[at] = chr(random.integers(32, 300))
        try:
            model = stochastic.read(files(**{**text, part: "".join(letters)}))
        except osi_cuda.FileFormatError as error:
            assert re.match(rf"{tmp_path}/model.(tim|sto):\d+:\d+: expected ", str(error))
        else:
            model.equivalent()


def test_the_pages_program_prints_what_it_says(files, tmp_path, monkeypatch, capsys):
    page = (pathlib.Path(__file__).parents[2] / "docs/guide/stochastic.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    core = files()
    for ending in ("cor", "tim", "sto"):
        core.with_suffix(f".{ending}").rename(tmp_path / f"farm.{ending}")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "docs/guide/stochastic.md", "exec"), {})
    assert capsys.readouterr().out.split() == re.search(r"print\(.*\) +# (.*)", program)[1].split()
