#include "io/python/modal_table.hpp"

#include "io/python/numpy_arrays.hpp"
#include "modal/modal_basis.hpp"

#include <algorithm>
#include <vector>

namespace ricochet {
namespace {

namespace py = pybind11;

std::vector<double> toStdVector(const Vector& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

/// Adds a dataset to the table.
void addDatasetToDict(py::dict& table, const char* name, const py::tuple& axes, const py::object& values,
                      const char* unit, const char* meaning) {
  py::dict attributes;
  attributes["units"] = unit;
  attributes["long_name"] = meaning;
  table[name] = py::make_tuple(axes, values, attributes);
}

}  // namespace

py::dict modesAsDict(const ModalBasis& basis) {
  py::dict table;
  const py::tuple modes = py::make_tuple("mode");
  std::vector<double> mass;  // matrix values, row after row
  for (Eigen::Index i = 0; i < basis.effectiveMass.rows(); ++i)
    for (Eigen::Index axis = 0; axis < 3; ++axis) mass.push_back(basis.effectiveMass(i, axis));
  std::vector<std::uint8_t> marks;
  for (int i = 0; i < basis.size(); ++i) marks.push_back(basis.isResidualVector(i) ? 1 : 0);
  addDatasetToDict(table, "frequency", modes, moveToNumpyArray(toStdVector(basis.frequency())), "Hz",
                   "frequency");
  addDatasetToDict(table, "damping_ratio", modes, moveToNumpyArray(toStdVector(basis.dampingRatio())), "1",
                   "damping ratio");
  addDatasetToDict(table, "residual", modes, moveToNumpyArray(toStdVector(basis.residual)), "1",
                   "residual of the mode");
  addDatasetToDict(table, "is_residual_vector", modes, moveToNumpyArray(std::move(marks)), "1",
                   "1 for a residual vector");
  const py::list directions = py::cast<py::list>(py::make_tuple("x", "y", "z"));
  addDatasetToDict(table, "direction", py::make_tuple("direction"), directions, "1", "global direction");
  addDatasetToDict(table, "effective_mass", py::make_tuple("mode", "direction"),
                   moveToNumpyArray(std::move(mass), {basis.size(), 3}), "kg", "effective mass");
  return table;
}

}  // namespace ricochet
