"""Functions of Python as formulas of a deck.

The function is called once, with symbols that note what is done with them. The run then evaluates the formula and
never calls Python.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, Sequence

import numpy as np

_UFUNCS = {
    "add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "true_divide": "({} / {})",
    "divide": "({} / {})", "power": "({} ^ {})", "float_power": "({} ^ {})", "negative": "(-{})", "positive": "{}",
    "absolute": "abs({})", "fabs": "abs({})", "square": "({} ^ 2)", "arctan2": "atan2({}, {})", "arcsin": "asin({})",
    "arccos": "acos({})", "arctan": "atan({})", "minimum": "min({}, {})", "maximum": "max({}, {})",
    "fmin": "min({}, {})", "fmax": "max({}, {})", "less": "({} < {})", "less_equal": "({} <= {})",
    "greater": "({} > {})", "greater_equal": "({} >= {})",
}
_UFUNCS.update({name: name + "({})" for name in "sin cos tan sinh cosh tanh exp log log10 sqrt sign".split()})


class Expression(np.lib.mixins.NDArrayOperatorsMixin):
    """A number that is known only in the run."""

    def __init__(self, text: str):
        self.text = text

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> "Expression":
        pattern = _UFUNCS.get(ufunc.__name__)
        if method != "__call__" or pattern is None or options:
            raise TypeError(f"a formula has no numpy.{ufunc.__name__}; it has {', '.join(sorted(_UFUNCS))}, where")
        return Expression(pattern.format(*map(formula_text, inputs)))

    def __array_function__(self, function: Callable, types: Any, args: Sequence, kwargs: dict) -> "Expression":
        if function is not np.where or len(args) != 3 or kwargs:
            raise TypeError(f"a formula has no numpy.{function.__name__}")
        return Expression("if({}, {}, {})".format(*map(formula_text, args)))

    def __bool__(self) -> bool:
        raise TypeError("a law is noted once, before the run: write numpy.where(condition, a, b) instead of if, "
                        "and numpy.minimum or numpy.maximum instead of min or max")

    def __float__(self) -> float:
        raise TypeError("a law is noted once, before the run: take functions of numpy instead of those of math")


def formula_text(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"a formula takes finite numbers, got {number}")
    return repr(number) if number >= 0 else f"({number!r})"


def formula_of_function(function: Callable, variables: Sequence[str]) -> str:
    """The formula of a function of the first of these variables, or of all of them."""
    count = len(inspect.signature(function).parameters)
    if not 1 <= count <= len(variables):
        raise TypeError(f"the function must take {', '.join(variables)}, or the first of them; it takes {count}")
    return formula_text(function(*map(Expression, variables[:count])))
