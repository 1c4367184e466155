# SPDX-License-Identifier: EPL-2.0
"""The library's options and their values as text."""

from __future__ import annotations

import difflib
import functools
import numbers
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ._library import library


class Option(NamedTuple):
    """A row of the table of options."""

    name: str
    values: str
    default: str
    help: str


def option_table() -> list[Option]:
    """All options: names, what they may be, defaults, what they do."""
    return list(_options())


@functools.cache
def _options() -> tuple[Option, ...]:
    lib = library()
    columns = (lib.option_name, lib.option_values, lib.option_default, lib.option_help)
    return tuple(Option(*(column(k).decode() for column in columns)) for k in range(lib.option_count()))


@functools.cache
def option_names() -> frozenset[str]:
    """Names of all options as keywords, with ``_`` for ``-``."""
    return frozenset(option.name.replace("-", "_") for option in _options())


def suggestion(name: str, known: Iterable[str]) -> str:
    """ "; did you mean 'threads'?", or nothing."""
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def option_text(value: object) -> str:
    """True is "on", 1e-9 "1e-09", None "none", [0, 2] "0,2": what the option's own table reads."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if value is None or (isinstance(value, float) and value == np.inf):
        return "none"
    if isinstance(value, (list, tuple)):
        return ",".join(map(option_text, value))
    if not isinstance(value, (str, numbers.Real)):
        raise TypeError(f"an option has to be a text, a number, a flag or None, not {value!r}")
    return str(value) if isinstance(value, (str, numbers.Integral)) else repr(float(value))
