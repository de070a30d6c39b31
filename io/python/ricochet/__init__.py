"""Transient response of structures that knock and rub.

>>> import ricochet
>>> result = ricochet.run("shoe.toml")             # a deck: the result stays in memory
>>> result.contact("sole").normal_force.plot()     # xarray, with units
>>> ricochet.open("shoe.h5").modes                 # a result of the program

`Study` builds a model without a deck.
"""

from ._core import version as __version__
from ._deck import Comparison, Deck, Preview, compare, manual, read_deck, run, run_batch
from ._errors import AlreadyComplete, DeckError, FileError, Problem, RicochetError, RunError
from ._result import Result, open
from ._study import Study, formula, series

__all__ = ["AlreadyComplete", "Comparison", "Deck", "DeckError", "FileError", "Preview", "Problem", "Result",
           "RicochetError", "RunError", "Study", "compare", "formula", "manual", "open", "read_deck", "run", "run_batch", "series"]
