# SPDX-License-Identifier: EPL-2.0
"""The programs of README.md and pages of docs/ run, and print what is said beside them."""

import dataclasses
import enum
import inspect
import pathlib
import re

import pytest

import osi_cuda

ROOT = pathlib.Path(__file__).parents[2]


def programs(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/guide/python.md"])
def test_the_first_program_prints_what_it_says(page, capsys):
    first = programs(page)[0]
    exec(compile(first, page, "exec"), {})
    said = " ".join(re.findall(r"print\(.*\)\s+# (.*)", first))
    assert capsys.readouterr().out.split() == said.split()


def test_the_program_of_batches_prints_what_it_says(capsys):
    program = next(text for text in programs("docs/guide/python.md") if "solve_batch(" in text)
    exec(compile(program, "docs/guide/python.md", "exec"), {})
    said = re.search(r"print\(.*\)\s+# (.*)", program)[1]
    assert capsys.readouterr().out.split() == said.split()


def test_the_program_of_variants_prints_what_it_says(capsys):
    first, second, third, _ = programs("docs/guide/variants.md")
    names = {}
    exec(compile(first, "docs/guide/variants.md", "exec"), names)
    assert capsys.readouterr().out.strip() == re.search(r"print\(.*\)\s+# (.*)", first)[1]
    exec(compile(second, "docs/guide/variants.md", "exec"), names)
    assert names["largest"] == pytest.approx([20, 8])
    assert names["upper"] == pytest.approx([8, 20])
    exec(compile(third, "docs/guide/variants.md", "exec"), names)
    assert names["problem"].column_bounds[0] == pytest.approx([0, 60 / 7])


def test_the_second_program_solves_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problem = osi_cuda.Problem([-1.0] * 8, [[1.0] * 8], row_upper=[20.0], upper=4.0)
    problem.write("model.mps")
    names = {}
    exec(compile(programs("docs/guide/python.md")[1], "docs/guide/python.md", "exec"), names)
    assert names["solution"].objective == pytest.approx(-20)
    assert names["solution"].x[[0, 7]].max() <= 3


def test_the_page_names_every_method():
    page = (ROOT / "docs/guide/python.md").read_text(encoding="utf-8")
    public = [name for name in vars(osi_cuda.Problem) if not name.startswith("_")]
    assert [name for name in public if name not in page and name != "copy"] == []


def callables():
    """Public functions and methods with their names; a class stands for what makes its objects."""
    for name in osi_cuda.__all__:
        thing = getattr(osi_cuda, name)
        if not inspect.isclass(thing):
            yield name, thing
            continue
        if not (dataclasses.is_dataclass(thing) or issubclass(thing, (tuple, dict, Exception, enum.Enum))):
            yield name, thing
        for member, function in vars(thing).items():
            function = getattr(function, "__func__", function)
            if inspect.isfunction(function) and not member.startswith("_"):
                yield f"{name}.{member}", function


@pytest.mark.parametrize(("name", "function"), list(callables()))
def test_every_parameter_has_a_description(name, function):
    """In the section Parameters, or by name in the sentence that says what the function does."""
    text = inspect.getdoc(function) or ""
    parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
    assert [p for p in parameters if not re.search(rf"\b{p}\b", text)] == [], text


@pytest.mark.parametrize(("name", "function"), list(callables()))
def test_every_entry_of_a_section_of_parameters_says_something(name, function):
    lines = (inspect.getdoc(function) or "").splitlines()
    if "Parameters" not in lines:
        return
    begin = lines.index("Parameters") + 2
    end = next((k - 1 for k in range(begin, len(lines)) if lines[k].startswith("---")), len(lines))
    section = [line for line in lines[begin:end] if line.strip()]
    bare = [line for line, after in zip(section, [*section[1:], "-"])
            if not line.startswith(" ") and not after.startswith(" ")]
    assert bare == []
