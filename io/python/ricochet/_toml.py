"""Values of Python as text of a deck (TOML)."""

from __future__ import annotations

import os
import re
from typing import Any, Callable, Mapping, Optional

import numpy as np

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def toml_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else toml_string(key)


def toml_string(text: str) -> str:
    quoted = "".join(_ESCAPES.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text)
    return f'"{quoted}"'


def toml_value(value: Any, named: Optional[Callable[[Any], Optional[str]]] = None) -> str:
    """The value as TOML; numbers keep all their bits. ``named`` gives a name to values that a deck declares apart."""
    if named is not None:
        name = named(value)
        if name is not None:
            return toml_string(name)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, os.PathLike):
        return toml_string(os.fspath(value))
    if isinstance(value, Mapping):
        items = (f"{toml_key(k)} = {toml_value(v, named)}" for k, v in value.items() if v is not None)
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, np.ndarray):
        value = value.tolist()
        if isinstance(value, list) and all(type(each) is float for each in value):  # long series take no detour
            return "[" + ", ".join(map(repr, value)) + "]"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(toml_value(each, named) for each in value) + "]"
    raise TypeError(f"a deck takes numbers, texts, lists and dicts, not {type(value).__name__}")
