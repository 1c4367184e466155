# SPDX-License-Identifier: EPL-2.0
"""osi_cuda.cobra beside cobrapy's own functions, on models of its wheel and on random ones."""

import doctest
import gc
import importlib.resources
import logging
import weakref

import numpy as np
import pytest

cobra = pytest.importorskip("cobra")
from cobra.flux_analysis import (  # noqa: E402
    double_gene_deletion,
    flux_variability_analysis,
    single_gene_deletion,
)

import osi_cuda.cobra  # noqa: E402
from osi_cuda.cobra import flux_variability, gene_deletions  # noqa: E402


def model_of(name):
    logging.getLogger("cobra").setLevel(logging.ERROR)
    file = importlib.resources.files("cobra") / "data" / f"{name}.xml.gz"
    return cobra.io.read_sbml_model(str(file))


@pytest.fixture(scope="module")
def textbook():
    return model_of("textbook")


def random_model(seed):
    """Chains, branches and loops of twenty reactions; bounds of all kinds; rules of genes."""
    random = np.random.default_rng(seed)
    model = cobra.Model(f"random{seed}")
    pool = [cobra.Metabolite(f"m{i}") for i in range(12)]
    reactions = []
    for j in range(24):
        reaction = cobra.Reaction(f"r{j}")
        taking = random.choice(12, size=random.integers(1, 4), replace=False)
        values = random.choice([-3, -2, -1, -1, -1, 1, 1, 1, 2, 0.5, 0.3], size=taking.size)
        reaction.add_metabolites({pool[i]: float(v) for i, v in zip(taking, values)})
        reaction.bounds = [(0, 50), (-50, 50), (-20, 0), (0, 0), (0.5, 9), (0, 7.3)][
            random.choice(6, p=[0.4, 0.35, 0.1, 0.03, 0.02, 0.1])
        ]
        genes = [f"g{k}" for k in random.choice(8, size=3, replace=False)]
        reaction.gene_reaction_rule = [
            "", genes[0], "({} and {}) or {}".format(*genes), "{} or {}".format(*genes)
        ][random.integers(4)]
        reactions.append(reaction)
    model.add_reactions(reactions)
    model.objective = {reaction: 1.0 for reaction in random.choice(reactions, 2, replace=False)}
    model.objective.direction = ["max", "min"][seed % 2]
    return model


def by_ids(table):
    table = table.assign(key=[",".join(sorted(ids)) for ids in table["ids"]])
    return table.drop_duplicates("key").set_index("key").sort_index()


def same_deletions(ours, theirs):
    ours, theirs = by_ids(ours), by_ids(theirs)
    assert ours.index.tolist() == theirs.index.tolist()
    assert ours["status"].tolist() == theirs["status"].tolist()
    np.testing.assert_allclose(ours["growth"], theirs["growth"], atol=1e-7)


def test_tables_are_cobrapys(textbook):
    for arguments in ({}, {"fraction_of_optimum": 0.7}, {"reaction_list": ["PFK", "ATPM"]}):
        ours = flux_variability(textbook, **arguments)
        theirs = flux_variability_analysis(textbook, processes=1, **arguments)
        assert ours.columns.tolist() == theirs.columns.tolist()
        assert ours.index.tolist() == theirs.index.tolist()
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
    chosen = textbook.reactions[3:6]
    assert flux_variability(textbook, chosen).index.tolist() == [r.id for r in chosen]
    ours, theirs = gene_deletions(textbook), single_gene_deletion(textbook, processes=1)
    assert ours.columns.tolist() == theirs.columns.tolist() and len(ours) == len(theirs)
    same_deletions(ours, theirs)
    pair = [("b0727", "b0116"), textbook.genes[0], "b0008"]
    ours = gene_deletions(textbook, pair)
    assert ours["ids"].tolist()[0] == {"b0727", "b0116"}
    theirs = double_gene_deletion(textbook, ["b0727"], ["b0116"], processes=1)
    same_deletions(ours[:1], theirs)


def test_the_model_does_not_change(textbook):
    def kept():
        bounds = [reaction.bounds for reaction in textbook.reactions]
        return bounds, str(textbook.objective), len(textbook.constraints), len(textbook.variables)

    before = kept()
    flux_variability(textbook)
    gene_deletions(textbook, processes=1)
    assert all(gene.functional for gene in textbook.genes)
    assert kept() == before


@pytest.mark.parametrize("seed", range(40))
def test_random_models(seed):
    model = random_model(seed)
    same_deletions(gene_deletions(model), single_gene_deletion(model, processes=1))
    model.genes[0].knock_out()
    same_deletions(gene_deletions(model), single_gene_deletion(model, processes=1))
    if np.isnan(model.slim_optimize()):
        with pytest.raises(cobra.exceptions.OptimizationError):
            flux_variability(model)
        return
    # cobrapy scales a negative optimum away from what can be reached.
    fraction = 0.9 if (model.objective.direction == "max") == (model.slim_optimize() >= 0) else 1.0
    ours = flux_variability(model, fraction_of_optimum=fraction)
    theirs = flux_variability_analysis(model, fraction_of_optimum=fraction, processes=1)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_what_is_kept_of_a_model_ends_with_its_numbers():
    model = random_model(4)
    r = model.reactions
    changes = [
        lambda: None,
        lambda: setattr(r.r0, "bounds", (0, 5)),
        lambda: r.r1.add_metabolites({model.metabolites[0]: -0.5}),
        lambda: setattr(model, "objective", {r.r2: 1.0}),
        lambda: setattr(model.objective, "direction", "min"),
        lambda: setattr(model.metabolites[1].constraint, "lb", -1.0),
        lambda: model.add_cons_vars([model.problem.Variable("spare", lb=0, ub=3)]),
        lambda: model.remove_reactions([r.r3]),
    ]
    for change in changes:
        change()
        for turn in range(2):
            fresh = model.copy()
            pairs = gene_deletions(model), gene_deletions(fresh)
            np.testing.assert_allclose(pairs[0]["growth"], pairs[1]["growth"], atol=1e-12)
            assert pairs[0]["status"].tolist() == pairs[1]["status"].tolist()
            if not np.isnan(model.slim_optimize()):
                np.testing.assert_allclose(flux_variability(model), flux_variability(fresh), atol=1e-9)
    known = weakref.ref(model)
    assert known() in osi_cuda.cobra._kept
    del model, r, changes, change
    gc.collect()
    assert known() is None


def test_constraints_and_variables_besides(textbook):
    with textbook as model:
        r = model.reactions
        spare = model.problem.Variable("spare", lb=0, ub=3)
        ratio = model.problem.Constraint(r.PFK.flux_expression - 2 * r.PGI.flux_expression + spare,
                                         lb=0, ub=1, name="ratio")
        model.add_cons_vars([spare, ratio])
        model.metabolites.atp_c.constraint.lb = -0.5
        model.objective = model.problem.Objective(
            r.Biomass_Ecoli_core.flux_expression - 0.01 * spare + 2, direction="max"
        )
        np.testing.assert_allclose(
            flux_variability(model, fraction_of_optimum=0.9),
            flux_variability_analysis(model, fraction_of_optimum=0.9, processes=1), atol=1e-8,
        )
        same_deletions(gene_deletions(model), single_gene_deletion(model, processes=1))
        model.objective = 0
        np.testing.assert_allclose(
            flux_variability(model), flux_variability_analysis(model, processes=1), atol=1e-8
        )


def test_what_is_refused(textbook):
    with pytest.raises(ValueError, match="loopless"):
        flux_variability(textbook, loopless="fastSNP")
    with pytest.raises(ValueError, match="pfba_factor"):
        flux_variability(textbook, pfba_factor=1.1)
    with pytest.raises(ValueError, match="method is 'moma'"):
        gene_deletions(textbook, method="moma")
    with pytest.raises(KeyError):
        flux_variability(textbook, ["no such reaction"])
    with textbook as model:
        cobra.flux_analysis.parsimonious.add_pfba(model)
        with pytest.raises(ValueError, match="two directions"):
            flux_variability(model)
    with textbook as model:
        model.objective = model.problem.Objective(model.reactions.PGI.forward_variable)
        with pytest.raises(ValueError, match="two directions"):
            flux_variability(model)
    with textbook as model:
        model.add_cons_vars([model.problem.Variable("on", type="binary")])
        with pytest.raises(ValueError, match="variable on is not continuous"):
            gene_deletions(model)
    with textbook as model:
        model.reactions.ATPM.lower_bound = 1000
        with pytest.raises(cobra.exceptions.Infeasible):
            flux_variability(model)


def test_fluxes_without_an_end_and_after_a_limit(textbook):
    loop = cobra.Model("loop")
    a, b = cobra.Metabolite("a"), cobra.Metabolite("b")
    there, back, out = (cobra.Reaction(name) for name in ("there", "back", "out"))
    there.add_metabolites({a: -1, b: 1})
    back.add_metabolites({b: -1, a: 1})
    out.add_metabolites({a: -1})
    loop.add_reactions([there, back, out])
    for reaction in (there, back):
        reaction.bounds = 0, np.inf
    table = flux_variability(loop)
    assert table["maximum"].tolist() == [np.inf, np.inf, 0] and (table["minimum"] == 0).all()
    loop.remove_reactions([there, back])
    assert flux_variability(loop).values.tolist() == [[0, 0]]
    assert flux_variability(textbook, iteration_limit=1).isna().any(axis=None)


def test_a_genome_scale_model_within_proved_bounds():
    """Some reactions of iJO1366, beside rigorous bounds in the model's own columns and rows."""
    model = model_of("iJO1366")
    chosen = np.random.default_rng(1).choice(len(model.reactions), 30, replace=False)
    ours = flux_variability(model, [model.reactions[j] for j in chosen], fraction_of_optimum=0.9)
    matrix = cobra.util.create_stoichiometric_matrix(model, array_type="dok").tocsc()
    lower, upper = np.array([reaction.bounds for reaction in model.reactions]).T
    costs = np.array([reaction.objective_coefficient for reaction in model.reactions])
    whole = osi_cuda.Problem(costs, matrix, 0.0, 0.0, lower, upper, sense="max")
    whole.add_rows(costs[np.newaxis], 0.9 * whole.solve().objective)
    least, largest = whole.bounds_of(chosen)
    np.testing.assert_allclose(ours["minimum"], least, atol=1e-9)
    np.testing.assert_allclose(ours["maximum"], largest, atol=1e-9)
    genes = model.genes[::60]
    same_deletions(gene_deletions(model, genes), single_gene_deletion(model, genes, processes=1))


def test_the_docstrings_program(monkeypatch):
    monkeypatch.setattr(cobra.io, "load_model", model_of)  # which may ask the network
    assert doctest.testmod(osi_cuda.cobra).failed == 0
