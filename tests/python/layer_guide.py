# SPDX-License-Identifier: EPL-2.0
"""The programs of docs/guide/integrations.md, each with the package that it is about."""

import fractions
import pathlib
import re

import numpy as np
import pytest

import osi_cuda

PAGE = pathlib.Path(__file__).parents[2] / "docs/guide/integrations.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def run(marker, **names):
    """The program with that text in it; its names."""
    [program] = [program for program in PROGRAMS if marker in program]
    assert program.count("\n") <= 60
    exec(compile(program, str(PAGE), "exec"), names)
    return names


def prints_what_it_says(marker, capsys, **names):
    run(marker, **names)
    [program] = [program for program in PROGRAMS if marker in program]
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\) +# (.*)", program)


def test_scipy(capsys):
    pytest.importorskip("sklearn.linear_model")
    prints_what_it_says("QuantileRegressor", capsys)


def test_cvxpy(capsys):
    cvxpy = pytest.importorskip("cvxpy")
    import osi_cuda.cvxpy

    osi_cuda.cvxpy.register()
    optimization = pytest.importorskip("skfolio.optimization")
    prints_what_it_says(
        "MeanRisk", capsys, cvxpy=cvxpy, MeanRisk=optimization.MeanRisk,
        RiskMeasure=pytest.importorskip("skfolio").RiskMeasure,
        returns=np.random.default_rng(3).normal(5e-4, 0.01, (60, 5)),
    )


def test_cobra(capsys, monkeypatch):
    cobra = pytest.importorskip("cobra")
    file = pathlib.Path(cobra.__file__).parent / "data" / "textbook.xml.gz"
    monkeypatch.setattr(cobra.io, "load_model", lambda _: cobra.io.read_sbml_model(str(file)))
    prints_what_it_says("flux_variability", capsys)


def test_polytope(monkeypatch):
    polytope = pytest.importorskip("polytope")
    from polytope import polytope as functions
    from polytope import solvers

    random = np.random.default_rng(2)
    shapes = []
    for _ in range(12):
        n = random.integers(2, 5)
        A = np.vstack([random.normal(size=(14, n)), np.eye(n), -np.eye(n)])
        shapes.append((A, np.concatenate([random.uniform(0.2, 2, 14), np.full(2 * n, 3.0)])))

    def answers():
        found = []
        for A, b in shapes:
            shape, smaller = (polytope.Polytope(A, scale * b) for scale in (1, 0.9))
            center = np.asarray(polytope.cheby_ball(shape)[0])
            found += [np.ravel(polytope.bounding_box(shape)), center]
            found.append(np.sort(polytope.reduce(polytope.Polytope(A, b)).b))
            found.append([smaller <= shape, shape <= smaller, polytope.is_fulldim(shape)])
            pair = polytope.Region([shape, polytope.Polytope(A, 2 * b)])
            found.append(np.ravel(polytope.bounding_box(pair)))
        return found

    monkeypatch.setattr(solvers, "default_solver", "scipy")
    theirs = answers()
    for module, name in ((solvers, "lpsolve"), (functions, "lpsolve"), (functions, "bounding_box")):
        monkeypatch.setattr(module, name, getattr(module, name))  # put back at the end
    asked = []
    support = osi_cuda.Problem.bounds_of
    monkeypatch.setattr(
        osi_cuda.Problem, "bounds_of", lambda *a, **o: asked.append(1) or support(*a, **o)
    )
    run("def lpsolve")
    monkeypatch.setattr(polytope, "bounding_box", functions.bounding_box)
    ours = answers()
    assert asked and functions.lpsolve.__module__ != "polytope.solvers"
    for mine, his in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(np.asarray(mine, float), np.asarray(his, float), atol=1e-7)


def network(random, sizes):
    return [(random.normal(size=(m, n)) / np.sqrt(n), random.normal(size=m) / 4)
            for n, m in zip(sizes, sizes[1:])]


def test_stars_hold_what_a_network_does():
    Star = run("class Star")["Star"]
    random = np.random.default_rng(4)
    layers = network(random, (5, 12, 12, 3))
    lower, upper = np.full(5, -0.3), np.full(5, 0.4)
    star, x = Star.box(lower, upper), random.uniform(lower, upper, (3000, 5))
    for k, (W, b) in enumerate(layers):
        star, x = star.affine(W, b), x @ W.T + b
        low, high = star.ranges()
        assert (low <= x.min(axis=0) + 1e-12).all() and (high >= x.max(axis=0) - 1e-12).all()
        if k == 0:  # exact so far
            assert low == pytest.approx(b + np.minimum(W * lower, W * upper).sum(axis=1))
        if k < 2:
            star, x = star.relu(), np.maximum(x, 0)


def test_starv_itself():
    """With StarV (github.com/V2A2/StarV) in the path, and what it imports."""
    starv = pytest.importorskip("StarV.set.star")
    import osi_cuda.scipy

    Star = run("class Star")["Star"]
    random = np.random.default_rng(5)
    V, C, d = random.normal(size=(6, 5)), random.normal(size=(7, 4)), random.uniform(0.3, 1, 7)
    their = starv.Star(V, C, d, -np.ones(4), np.ones(4))
    expected = their.getRanges(lp_solver="linprog")
    with osi_cuda.scipy.installed():
        np.testing.assert_allclose(their.getRanges(lp_solver="linprog"), expected, atol=1e-9)
    ours = Star(V[:, 0], V[:, 1:], C, d, -np.ones(4), np.ones(4)).ranges()
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_pyepo():
    torch, pyepo = pytest.importorskip("torch"), pytest.importorskip("pyepo")
    names = run("class LinearModel")
    random = np.random.default_rng(6)
    knapsack = names["LinearModel"](
        random.uniform(1, 5, (3, 10)), row_upper=np.full(3, 12.0), sense=pyepo.EPO.MAXIMIZE
    )
    features, costs = pyepo.data.knapsack.genData(40, 4, 10, seed=1)[1:]
    data = pyepo.data.dataset.optDataset(knapsack, features, costs)
    A, _, b, *_ = knapsack._arguments
    for c, value in zip(costs, data.objs.numpy().ravel()):
        best = osi_cuda.linprog(-np.asarray(c, float), A, b, bounds=(0, 1)).fun
        assert value == pytest.approx(-best, rel=1e-6)
    losses = []
    for together in (False, True):
        torch.manual_seed(1)
        predictor = torch.nn.Linear(4, 10)
        optimizer = torch.optim.Adam(predictor.parameters(), lr=1e-2)
        loss = pyepo.func.SPOPlus(knapsack)
        if together:
            run("loss.pool", loss=loss, pyepo=pyepo, model=knapsack, Batches=names["Batches"])
            loss.processes, loss.pool = 0, names["Batches"](knapsack)
        trail = []
        for _ in range(20):
            value = loss(predictor(data.feats), data.costs, data.sols, data.objs)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            trail.append(value.item())
        losses.append(trail)
    assert losses[1][-1] < losses[1][0]
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-3)


def test_bounds_of_neurons_hold_in_exact_arithmetic(monkeypatch):
    """docs/examples/digits.py, on a network of three layers."""
    pytest.importorskip("sklearn")
    monkeypatch.syspath_prepend(str(PAGE.parents[1] / "examples"))
    import digits

    random, asked = np.random.default_rng(7), []
    layers = network(random, (6, 10, 10, 10, 3))
    lower, upper = np.full(6, 0.1), np.full(6, 0.5)

    def bounds_of(problem, columns):
        asked.append((problem.copy(), columns, problem.bounds_of(columns)))
        return asked[-1][2]

    found = digits.bounds_of_network(layers, lower, upper, bounds_of)
    for point in (lower, upper, *random.uniform(lower, upper, (20, 6))):
        assert digits.holds_exactly(layers, point, found)
    corner = np.where(layers[0][0][0] > 0, lower, upper)  # of the least value of the first neuron
    assert digits.holds_exactly(layers, corner, found)
    found[0][0][0] += 1e-12
    assert not digits.holds_exactly(layers, corner, found)
    for problem, columns, bounds in asked:
        for sign, bound in zip((1, -1), bounds):
            costs = np.zeros(problem.shape[1])
            costs[columns[0]] = sign
            problem.set_costs(costs)
            problem.set_options(exact="on")
            exact = sign * fractions.Fraction(problem.solve().exact.objective)
            assert sign * fractions.Fraction(bound[0]) <= sign * exact
            assert bound[0] == pytest.approx(float(exact), abs=1e-9)
