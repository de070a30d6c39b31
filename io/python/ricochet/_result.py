"""Results: one `xarray.Dataset` for each group of a result file."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

import h5py
import numpy as np
import xarray as xr

from ._errors import FileError

_SKIPPED = ("checkpoint",)
_NO_NUMBER = -1e300  # replaces NaN in a result file; the description of a dataset that may hold it names it


def _xarray_dataset(variables: Mapping[str, tuple], attrs: Optional[Mapping[str, Any]] = None) -> xr.Dataset:
    """The dataset of variables name -> (axes, array, attributes); those named like their axis are coordinates."""
    coordinates = {name: each for name, each in variables.items() if tuple(each[0]) == (name,)}
    data = {name: each for name, each in variables.items() if name not in coordinates}
    lengths = {axis: size for axes, values, _ in variables.values() for axis, size in zip(axes, np.shape(values))}
    for axis in ("mode", "tangent", "axis"):
        if axis in lengths and axis not in coordinates:
            coordinates[axis] = ((axis,), np.arange(1, lengths[axis] + 1), {"units": "1"})
    return xr.Dataset(data, coordinates, dict(attrs or {}))


def _python_value(value: Any) -> Any:
    """An attribute of HDF5 as a value of Python."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray) and value.dtype.kind in "SO":
        return [_python_value(each) for each in value.tolist()]
    return value.item() if isinstance(value, np.generic) else value


def _decoded_text(value: Any) -> str:
    """A text of HDF5; a long one is an array of one, because a scalar is stored in the header of its dataset."""
    return (value[0] if isinstance(value, np.ndarray) else value).decode()


def _first_names(names: List[str]) -> str:
    """Names for a message, the first ones of many."""
    return ", ".join(names[:8]) + (f" ... {names[-1]}" if len(names) > 8 else "")


class _FileGroups:
    """The groups of a result file. The file is open only while something is read."""

    _HIDDEN = ("CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid")

    def __init__(self, path: Path):
        self.path = path
        self.names: List[str] = []
        try:
            with h5py.File(path, "r") as file:
                self.attrs = self._attribute_values(file)
                file.visititems(self._record_group_name)
                self.deck = _decoded_text(file["deck"][()]) if "deck" in file else ""
        except FileNotFoundError:
            raise FileError(f"{path}: there is no such result") from None
        except OSError as error:
            raise FileError(f"{path}: is no result (or a damaged one): {error}") from None
        if "format_version" not in self.attrs:
            raise FileError(f"{path}: is no result of ricochet")

    def _record_group_name(self, name: str, found: Any) -> None:
        if isinstance(found, h5py.Group) and name.split("/")[0] not in _SKIPPED:
            if any(isinstance(each, h5py.Dataset) for each in found.values()):
                self.names.append(name)

    def _attribute_values(self, of: Any) -> Dict[str, Any]:
        return {name: _python_value(value) for name, value in of.attrs.items() if name not in self._HIDDEN}

    def read_group(self, name: str) -> xr.Dataset:
        with h5py.File(self.path, "r") as file:
            group = file[name]
            variables: Dict[str, tuple] = {}
            for key, each in group.items():
                if isinstance(each, h5py.Dataset):
                    self._add_with_axes(variables, key, each)
            return _xarray_dataset(variables, self._attribute_values(group))

    def _add_with_axes(self, variables: Dict[str, tuple], key: str, dataset: Any) -> None:
        if dataset.attrs.get("CLASS") == b"DIMENSION_SCALE":
            return self._add_variable(variables, key, dataset, [key])
        axes = []
        for number, dimension in enumerate(dataset.dims):
            scales = list(dimension.values())
            axis = scales[0].name.split("/")[-1] if scales else f"{key}_{number}"
            if scales and axis not in variables and axis not in dataset.parent:
                self._add_variable(variables, axis, scales[0], [axis])
            axes.append(axis)
        self._add_variable(variables, key, dataset, axes)

    def _add_variable(self, variables: Dict[str, tuple], key: str, dataset: Any, axes: List[str]) -> None:
        attributes = self._attribute_values(dataset)
        names = h5py.check_enum_dtype(dataset.dtype)
        values = dataset[()]
        if h5py.check_string_dtype(dataset.dtype):
            values = np.char.decode(values.astype("S"), "utf-8") if dataset.ndim else values.decode()
        elif names and key == "kind":
            texts = {number: text for text, number in names.items()}
            values = np.array([texts[int(each)] for each in values], dtype=str)
        elif names:
            attributes["flag_values"] = sorted(names.values())
            attributes["flag_meanings"] = " ".join(sorted(names, key=names.__getitem__))
            values = values.astype(np.int8)
        elif "-1e300" in attributes.get("long_name", ""):
            attributes["long_name"] = attributes["long_name"].replace("-1e300", "NaN")
            values = np.where(values == _NO_NUMBER, np.nan, values)
        elif key == "passed":
            values = values.astype(bool)
        variables[key] = (tuple(axes), values, attributes)


class _MemoryGroups:
    """The groups of a run in memory; its arrays are those of the engine."""

    path = None

    def __init__(self, groups: Mapping[str, Mapping[str, tuple]], deck: str):
        self._groups = groups
        self.names = list(groups)
        self.attrs: Dict[str, Any] = {}
        self.deck = deck

    def read_group(self, name: str) -> xr.Dataset:
        return _xarray_dataset(self._groups[name])


_CHECK_TEXTS = {
    "quantity": "what is checked",
    "where": "node and component, contact, link or mode",
    "source": "where the reference is from",
}
_CHECK_NUMBERS = {
    "time": "instant of the check; NaN where it has none",
    "reference": "what the value must be, in SI units",
    "published": "published value, in SI units; NaN where there is none",
    "computed": "value of the run, in SI units; NaN where it has none",
    "limit": "largest |computed - reference| that passes, in SI units",
}


def _checks_as_dataset(rows: List[Dict[str, Any]]) -> xr.Dataset:
    """The checks of a run in memory, as a result file has them."""
    columns = {key: np.array([row[key] for row in rows], dtype=str) for key in _CHECK_TEXTS}
    for key in _CHECK_NUMBERS:
        columns[key] = np.array([np.nan if row[key] is None else row[key] for row in rows], dtype=float)
    columns["passed"] = np.array([row["passed"] for row in rows], dtype=bool)
    columns["check"] = np.arange(1, len(rows) + 1, dtype=np.int32)
    names = {**_CHECK_TEXTS, **_CHECK_NUMBERS, "passed": "1 for a check that passed", "check": "number of the check"}
    return _xarray_dataset(
        {key: (("check",), each, {"units": "s" if key == "time" else "1", "long_name": names[key]}) for key, each in columns.items()}
    )


class Result(Mapping[str, xr.Dataset]):
    """A run: group name -> `xarray.Dataset`, with the names of the result file (io/result/LAYOUT.md).

    The groups ``transient``, ``contacts/NAME``, ``links/NAME``, ``physical``, ``energy``, ``events``, ``modal`` and
    ``checks`` (of decks that have some), of a batch ``batch``. Each variable has ``units`` and ``long_name``.
    """

    def __init__(self, groups: Union[_FileGroups, _MemoryGroups], summary: Optional[Dict[str, Any]] = None):
        self._groups = groups
        self._read: Dict[str, xr.Dataset] = {}
        self.summary: Dict[str, Any] = dict(summary or {})
        """How the run ended: status, time [s], steps, events, energy_error, seconds, totals of each contact, the table of
        statistics (their numbers are in the groups of a result file)."""
        rows = self.summary.pop("checks", None)
        if rows and "checks" not in groups.names:
            self._read["checks"] = _checks_as_dataset(rows)

    @property
    def path(self) -> Optional[Path]:
        """The result file; None for a run in memory."""
        return self._groups.path

    @property
    def attrs(self) -> Dict[str, Any]:
        """Attributes of the result file: status, software_version ..."""
        return self._groups.attrs

    @property
    def deck_text(self) -> str:
        """The deck that was run."""
        return self._groups.deck

    def __getitem__(self, name: str) -> xr.Dataset:
        name = name.strip("/")
        if name not in self._read:
            if name not in self._groups.names:
                raise KeyError(f"{name}: the groups are {', '.join(self)}")
            self._read[name] = self._groups.read_group(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._groups.names, *self._read]))  # the checks of a run in memory are read, not kept

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _modal_or_direct_group(self, name: str) -> xr.Dataset:
        """A group of the modal run, or of the direct one where there is no other."""
        return self[name if name in set(self) or "direct/" + name not in set(self) else "direct/" + name]

    @property
    def transient(self) -> xr.Dataset:
        """Generalized coordinates and their rates: (time, mode)."""
        return self["transient"]

    @property
    def physical(self) -> xr.Dataset:
        """Displacement [m], [rad], velocity and acceleration of nodes: (time, node, component)."""
        return self._modal_or_direct_group("physical")

    @property
    def energy(self) -> xr.Dataset:
        """Terms of the energy ledger [J]: (time,)."""
        return self._modal_or_direct_group("energy")

    @property
    def events(self) -> xr.Dataset:
        """Changes of state: instant [s], contact or link, kind."""
        return self._modal_or_direct_group("events")

    @property
    def modes(self) -> xr.Dataset:
        """The modal basis: frequency [Hz], damping ratio, effective mass [kg] ..."""
        return self["modal"]

    @property
    def checks(self) -> xr.Dataset:
        """The checks of the deck: reference, computed, limit (in SI units), passed; NaN for a number that there is not.
        A run that is complete keeps them in its file."""
        return self["checks"]

    @property
    def batch(self) -> xr.Dataset:
        """The cases of a batch: parameters and outputs."""
        return self["batch"]

    def contact(self, name: str) -> xr.Dataset:
        """Histories of a contact: gap [m], normal_force [N], tangential_force [N] (time, tangent), state ...; its
        ``attrs`` have what the contact did in the whole run: impacts, impulse [N s], peak_force [N] ..."""
        try:
            histories = self._modal_or_direct_group("contacts/" + name.replace("/", "_"))
        except KeyError:
            if not {"contact_table", "direct/contact_table"} & set(self):
                raise
            histories = self._modal_or_direct_group("contact_table").sel(name=name)  # a file with more than 256 contacts
            return histories.assign_attrs({key: each.item() for key, each in histories.items() if each.ndim == 0})
        if self.path is None:
            return histories.assign_attrs(self.summary.get("totals", {}).get(name, {}))
        return histories

    def link(self, name: str) -> xr.Dataset:
        """Histories of a link: displacement, velocity, force, energies."""
        return self._modal_or_direct_group("links/" + name.replace("/", "_"))

    def history(self, node: str, component: str, quantity: str = "displacement") -> xr.DataArray:
        """Displacement, velocity or acceleration of a node along ux, uy, uz, rx, ry, rz: (time,)."""
        histories = self.physical
        for what, name, held in (
            ("quantity", quantity, list(histories.data_vars)),
            ("node", node, histories["node"].values.tolist()),
            ("component", component, histories["component"].values.tolist()),
        ):
            if name not in held:
                raise KeyError(f"no histories of {what} {name}; the result holds {_first_names(held)}")
        chosen = histories[quantity].sel(node=node, component=component)
        linear, _, turning = chosen.attrs.get("units", "").partition(" or ")
        if turning and component.startswith("r"):
            linear = "N m" if turning.startswith("N m") else linear.replace("m", "rad", 1)
        return chosen.assign_attrs(units=linear)

    def event(self, name: str, kind: str, number: int = 1) -> float:
        """Instant of the n-th event of a kind, such as stick_to_slip, of a contact or link [s]; n counts from 1."""
        events = self.events
        times = events["time"].values[(events["contact"].values == name) & (events["kind"].values == kind)]
        if not 1 <= number <= len(times):
            raise LookupError(f"{name} has {len(times)} events {kind}, number {number} was asked for")
        return float(times[number - 1])

    def __repr__(self) -> str:
        return f"<ricochet.Result {self.path or 'in memory'}: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = []
        for name in self:
            sizes = ", ".join(f"{axis}: {size}" for axis, size in self[name].sizes.items())
            content = ", ".join(map(str, self[name].data_vars))
            rows.append("".join(f"<td style='text-align:left'>{html.escape(each)}</td>" for each in (name, sizes, content)))
        known = {**self.attrs, **self.summary}
        status = ", ".join(f"{key} {known[key]}" for key in ("status", "time", "steps", "energy_error") if key in known)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        title = html.escape(f"{self.path or 'in memory'}: {status}")
        return f"<table><caption>ricochet.Result, {title}</caption><tr><th>group</th><th>sizes</th><th>content</th></tr>{body}</table>"


def open(path: Union[str, os.PathLike]) -> Result:  # noqa: A001 - the name that users expect
    """Opens a result file. Groups are read when they are asked for. Throws `FileError`."""
    return Result(_FileGroups(Path(path)))


def result_in_memory(groups: Mapping[str, Mapping[str, tuple]], deck: str, summary: Dict[str, Any]) -> Result:
    return Result(_MemoryGroups(groups, deck), summary)


def result_of_file(path: Path, summary: Dict[str, Any]) -> Result:
    return Result(_FileGroups(path), summary)


