"""A model made in Python. It says what a deck says, with the keys of io/deck/KEYS.md."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._deck import Comparison, Deck, Output, Preview, _located_errors, compare, run, run_batch
from ._errors import Problem
from ._formula import formula_of_function
from ._result import Result
from ._toml import toml_key, toml_value

Numbers = Sequence[float]
Nodes = Union[str, Sequence[str]]
Law = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Series:
    """A function of time by points; see `series`."""

    times: np.ndarray
    values: np.ndarray
    before: Optional[str] = None
    after: Optional[str] = None

    def keys(self) -> Dict[str, Any]:
        return {"times": self.times, "values": self.values, "before": self.before, "after": self.after}


@dataclass(frozen=True, eq=False)
class Formula:
    """A function of time by a formula; see `formula`."""

    text: str

    def keys(self) -> Dict[str, Any]:
        return {"formula": self.text}


def series(times: Any, values: Any, before: Optional[str] = None, after: Optional[str] = None) -> Series:
    """A function of time through points: times [s], shape (n,), not decreasing; values, shape (n,).

    A time that occurs twice is a jump. before, after: "constant", "zero", "linear" or "error", the default.
    """
    return Series(np.asarray(times, dtype=float), np.asarray(values, dtype=float), before, after)


def formula(text: str) -> Formula:
    """A function of time t [s] by a formula, such as ``"100*sin(2*pi*20*t)"``."""
    return Formula(text)


TimeDependent = Union[float, str, Series, Formula, Callable[[Any], Any]]


@dataclass
class _Part:
    """An entry of the deck, and the line of Python that added it."""

    header: str
    keys: Dict[str, Any]
    place: Tuple[str, int]


def _caller_location() -> Tuple[str, int]:
    """File and line that called this package."""
    folder = os.path.dirname(__file__)
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _node_or_nodes_key(node: Optional[str], nodes: Optional[Nodes]) -> Dict[str, Any]:
    return {"node": node} if nodes is None else {"nodes": [nodes] if isinstance(nodes, str) else list(nodes)}


class Study:
    """A model, its excitation, its contacts and its run.

    Units are SI: m, kg, s, N, Pa, rad. Each method adds a part with the keys of a deck; further keys go by name. What
    may depend on time (``scale`` of a load, a velocity of a surface ...) is a number, a `series`, a `formula`, the name
    of a `function`, or a function of Python of t, which is noted as a formula before the run.

    >>> study = Study("Shoe")
    >>> study.node("shoe"); study.node("puller", (1, 0, 0))
    >>> study.mass(["shoe", "puller"], 5.0)
    >>> study.spring(["shoe", "puller"], [1e4, 0, 0])
    >>> study.support("all", ["uy", "uz"])
    >>> study.load("puller", force=[3000, 0, 0], scale=series([0, 0.2, 0.2], [1, 1, 0], after="constant"))
    >>> study.contact("sole", "shoe", {"type": "none", "normal": [0, 0, 1]}, {"force": 1e4},
    ...               {"static": 0.3, "dynamic": 0.2})
    >>> study.transient(0.4)
    >>> study.run().event("sole", "stick_to_slip")
    """

    def __init__(self, title: str = ""):
        self.title = title
        self._parts: List[_Part] = []

    def add(self, header: str, **keys: Any) -> None:
        """Adds an entry by the name of its table: ``add("[[masses]]", nodes=["a"], mass=1.0)``, ``add("[gravity]", ...)``."""
        self._parts.append(_Part(header, {key: value for key, value in keys.items() if value is not None}, _caller_location()))

    def _add_keys_to_table(self, header: str, keys: Mapping[str, Any]) -> None:
        """Adds keys to a table that a deck has once."""
        for part in self._parts:
            if part.header == header:
                part.keys.update(keys)
                part.place = _caller_location()
                return
        self.add(header, **keys)

    # the structure

    def node(self, name: str, position: Numbers = (0.0, 0.0, 0.0)) -> str:
        """A node at a position (x, y, z) [m]; returns its name."""
        self.add("[[nodes]]", name=name, position=position)
        return name

    def group(self, name: str, nodes: Sequence[str]) -> str:
        """A name for several nodes."""
        self._add_keys_to_table("[groups]", {name: list(nodes)})
        return name

    def mass(self, nodes: Nodes, mass: Optional[float] = None, **keys: Any) -> None:
        """A mass [kg] on each node; ``inertia`` [kg m^2] (Ixx, Iyy, Izz, Ixy, Iyz, Ixz), ``offset``, ``spin`` [rad/s]."""
        self.add("[[masses]]", nodes=_node_list(nodes), mass=mass, **keys)

    def spring(self, nodes: Nodes, stiffness: Optional[Numbers] = None, **keys: Any) -> None:
        """A spring between two nodes, or of one to the ground: 3 [N/m] or 6 stiffnesses along global axes, or ``matrix``."""
        self.add("[[springs]]", nodes=_node_list(nodes), stiffness=stiffness, **keys)

    def dashpot(self, nodes: Nodes, damping: Optional[Numbers] = None, **keys: Any) -> None:
        """A dashpot between two nodes, or of one to the ground: 3 [N s/m] or 6 dampings along global axes, or ``matrix``."""
        self.add("[[dampers]]", nodes=_node_list(nodes), damping=damping, **keys)

    def material(self, name: str, young: float, poisson: float, density: float) -> str:
        """A material: Young's modulus [Pa], Poisson's ratio [-], density [kg/m^3]; returns its name."""
        self.add(f"[materials.{toml_key(name)}]", young=young, poisson=poisson, density=density)
        return name

    def section(self, name: str, type: str, **keys: float) -> str:
        """A section of beams: tube (``outer_radius``, ``thickness``), circle (``radius``), rectangle, general [m]."""
        self.add(f"[sections.{toml_key(name)}]", type=type, **keys)
        return name

    def beam(self, name: str, nodes: Optional[Sequence[str]] = None, elements: Optional[int] = None, *, material: str,
             section: str, **keys: Any) -> str:
        """A straight beam between two nodes, with nodes NAME.1 ... between its elements; or ``mesh`` and ``group``."""
        self.add("[[beams]]", name=name, nodes=nodes, elements=elements, material=material, section=section, **keys)
        return name

    def mesh(self, name: str, file: Union[str, "os.PathLike[str]"], **keys: Any) -> str:
        """A mesh of gmsh (.msh) or Salome (.med), for beams; ``scale`` [m per unit of the file]."""
        self.add(f"[meshes.{toml_key(name)}]", file=file, **keys)
        return name

    def support(self, nodes: Nodes, fixed: Union[str, Sequence[str]], name: Optional[str] = None) -> None:
        """Fixes dofs (ux, uy, uz, rx, ry, rz, or "all" that a node has) of nodes, or of "all"."""
        self.add("[[supports]]", nodes=_node_list(nodes), fixed=fixed if isinstance(fixed, str) else list(fixed), name=name)

    def relation(self, terms: Sequence[Mapping[str, Any]]) -> None:
        """A linear relation: the sum of factor times dof is zero; terms are dicts of ``node``, ``dof``, ``factor``."""
        self.add("[[relations]]", terms=terms)

    # what moves it

    def function(self, name: str, of: Union[Series, Formula, None] = None, **keys: Any) -> str:
        """A function of time with a name, which it returns: a `series`, a `formula`, or the keys of ``[functions]``."""
        self.add(f"[functions.{toml_key(name)}]", **{**(of.keys() if of is not None else {}), **keys})
        return name

    def load(self, nodes: Optional[Nodes] = None, force: Optional[Numbers] = None, moment: Optional[Numbers] = None,
             scale: Optional[TimeDependent] = None, **keys: Any) -> None:
        """A force [N] and a moment [N m] on each node, times a function of time; ``beam`` instead for one that travels."""
        self.add("[[loads]]", nodes=None if nodes is None else _node_list(nodes), force=force, moment=moment, scale=scale, **keys)

    def gravity(self, acceleration: Numbers = (0.0, 0.0, -9.81)) -> None:
        """The acceleration of gravity [m/s^2]."""
        self._add_keys_to_table("[gravity]", {"acceleration": acceleration})

    def base_motion(self, direction: Numbers, acceleration: Optional[TimeDependent] = None,
                    velocity: Optional[TimeDependent] = None, displacement: Optional[TimeDependent] = None,
                    supports: Optional[Sequence[str]] = None) -> None:
        """A motion of the whole base, or of supports by their names, along a direction [m/s^2], [m/s], [m]."""
        self.add("[[base_motions]]", direction=direction, acceleration=acceleration, velocity=velocity,
                 displacement=displacement, supports=supports)

    def initial(self, displacement: Optional[Mapping[str, Numbers]] = None,
                velocity: Optional[Mapping[str, Numbers]] = None, **keys: Any) -> None:
        """Displacement [m], [rad] and velocity by node at the start; ``equilibrium=True``, ``with_friction=True`` with it, or
        ``restart="first.h5"``."""
        for name, values in (("displacement", displacement), ("velocity", velocity)):
            if values is not None:
                keys[name] = [{"node": node, "value": value} for node, value in values.items()]
        self._add_keys_to_table("[initial]", keys)

    # contacts and links

    def contact(self, name: str, node: Optional[str] = None, obstacle: Optional[Law] = None, normal: Optional[Law] = None,
                friction: Optional[Law] = None, *, nodes: Optional[Sequence[str]] = None, **keys: Any) -> str:
        """A contact of a node with an obstacle, or of two nodes; returns its name.

        obstacle: ``{"type": ...}``, which is none, plane, slot, circle, disc, sphere, profile or torus.
        normal: ``{"stiffness": k}`` [N/m] with ``damping``; ``{"force": N}`` [N] with obstacle none; or ``{"law": ...}``,
        which is rigid, hertz, hunt_crossley, flores or table.
        friction: ``{"static": mu_s, "dynamic": mu_d}`` or ``{"coefficient": mu}``, with ``stiffness`` [N/m] for an elastic
        stick; or ``{"law": ...}``, which is patch, lugre or automaton.
        ``beam`` with ``speed`` [m/s] or ``position`` [m]: the node travels along beams, as a wheel does.
        ``thickness``, ``rolling_radius`` [m] and all that io/deck/KEYS.md lists go by name.
        """
        self.add("[[contacts]]", name=name, **_node_or_nodes_key(node, nodes), obstacle=obstacle, normal=normal, friction=friction, **keys)
        return name

    def link(self, name: str, nodes: Nodes, law: Union[str, Callable[..., Any]], **keys: Any) -> str:
        """A law between two nodes or of one to the ground, along ``axis`` or ``dof``; returns its name.

        law: its keyword (engine/links/README.md) with its keys by name; or a function of the displacement x [m], its
        rate v [m/s] and the time t [s] (or of the first of them) that gives the force [N] against x. The function is
        called once and noted as a formula, so that the run is not slowed down: take functions of numpy, and
        ``numpy.where`` instead of ``if``.
        """
        if callable(law):
            keys["formula"] = formula_of_function(law, ("x", "v", "t"))
            law = "force"
        self.add("[[links]]", name=name, nodes=_node_list(nodes), law=law, **keys)
        return name

    # the run

    def basis(self, modes: Optional[int] = None, **keys: Any) -> None:
        """The modes that are kept: a number, ``frequency_max`` [Hz] or ``all=True``; ``damping_ratio`` [-], ``residual``."""
        self._add_keys_to_table("[basis]", {**({} if modes is None else {"modes": modes}), **keys})

    def transient(self, duration: float, **keys: Any) -> None:
        """The run: its duration [s]; ``scheme``, ``step`` [s], ``start`` [s], ``tolerance`` ..."""
        self._add_keys_to_table("[transient]", {"duration": duration, **keys})

    def direct(self, **keys: Any) -> None:
        """The run in physical coordinates: ``scheme``, ``step`` [s], ``mass``."""
        self._add_keys_to_table("[direct]", keys)

    def output(self, **keys: Any) -> None:
        """What is archived: ``interval`` [s], ``times`` [s] or ``every``; ``nodes``, ``fields``, ``absolute_motion``."""
        self._add_keys_to_table("[output]", keys)

    def statistics(self, **keys: Any) -> None:
        """Statistics of the contacts."""
        self._add_keys_to_table("[statistics]", keys)

    def expect(self, quantity: str, **keys: Any) -> None:
        """A check of the result (``[[checks]]``): ``reference``, ``absolute`` or ``relative``, where and when."""
        self.add("[[checks]]", quantity=quantity, **keys)

    def batch(self, parameters: Mapping[str, Mapping[str, Any]], outputs: Mapping[str, str],
              histories: Optional[Mapping[str, str]] = None, method: str = "grid", **keys: Any) -> None:
        """The variants that `run_batch` runs: dotted path -> ``{"values": [...]}`` or ``{"from", "to", "count"}``."""
        self._add_keys_to_table("[batch]", {"method": method, "parameters": parameters, "outputs": outputs,
                              **({} if histories is None else {"histories": histories}), **keys})

    # as a deck

    def to_toml(self) -> str:
        """The study as a deck, which the program runs too."""
        return self._deck_text_and_places()[0]

    def _deck_text_and_places(self) -> Tuple[str, List[Tuple[str, int]]]:
        """The deck, and the place of each of its parts."""
        functions: Dict[int, Tuple[str, Any]] = {}
        taken = {part.header for part in self._parts}

        def name_of_function(value: Any) -> Optional[str]:
            if not isinstance(value, (Series, Formula)) and not callable(value):
                return None
            if id(value) not in functions:
                number = len(functions) + 1
                while f"[functions.function_{number}]" in taken:
                    number += 1
                taken.add(f"[functions.function_{number}]")
                functions[id(value)] = (f"function_{number}", value)
            return functions[id(value)][0]

        lines: List[str] = []
        places: List[Tuple[str, int]] = []

        def write_part(part: _Part) -> None:
            lines.append("")
            places.append(part.place)
            lines.append(part.header)
            lines.extend(f"{toml_key(key)} = {toml_value(value, name_of_function)}" for key, value in part.keys.items())

        if self.title:
            lines.append(f"title = {toml_value(self.title)}")
        for part in self._parts:
            before = set(functions)
            write_part(part)
            for key in [key for key in functions if key not in before]:
                name, value = functions[key]
                made = value if isinstance(value, (Series, Formula)) else Formula(formula_of_function(value, ("t",)))
                keys = {key: each for key, each in made.keys().items() if each is not None}
                write_part(_Part(f"[functions.{name}]", keys, part.place))
        return "\n".join(lines) + "\n", places

    def deck(self) -> Deck:
        """The study, read as a deck. Throws `DeckError` with the lines of Python that made the mistakes."""
        text, places = self._deck_text_and_places()

        def relocate(problem: Problem, text: str) -> Problem:
            if problem.file != "<study>":
                return problem
            # a part begins with its header, and no other line with a bracket
            number = sum(line.startswith("[") for line in text.splitlines()[:problem.line])
            file, line = places[number - 1] if problem.line > 1 and number else ("<study>", 0)
            return problem._replace(file=file, line=line, column=0)

        with _located_errors(relocate, text):
            return Deck(_core.parse_deck(text, "study.toml", "<study>", []), relocate)

    def check(self) -> Preview:
        """What the study says, without a run; see `Deck.check`."""
        return self.deck().check()

    def run(self, output: Output = None, **options: Any) -> Result:
        """Runs the study; see `ricochet.run`."""
        return run(self.deck(), output, **options)

    def run_batch(self, output: Output = None, **options: Any) -> Result:
        """Runs the variants of the study; see `ricochet.run_batch`."""
        return run_batch(self.deck(), output, **options)

    def compare(self, **options: Any) -> Comparison:
        """Runs the study in both modes; see `ricochet.compare`."""
        return compare(self.deck(), **options)

    def __repr__(self) -> str:
        return f"<ricochet.Study {self.title}: {len(self._parts)} parts>"


def _node_list(nodes: Nodes) -> Any:
    """Names of nodes as a deck lists them; "all" and groups stay a name."""
    return nodes if nodes == "all" else [nodes] if isinstance(nodes, str) else list(nodes)
