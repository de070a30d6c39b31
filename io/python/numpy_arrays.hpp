#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {

/// An array of NumPy that owns the memory of a vector: nothing is copied.
template <class T>
pybind11::array_t<T> moveToNumpyArray(std::vector<T>&& values, const std::vector<pybind11::ssize_t>& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const pybind11::capsule owner(owned.release(),
                                [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return pybind11::array_t<T>(shape, data, owner);
}

template <class T>
pybind11::array_t<T> moveToNumpyArray(std::vector<T>&& values) {
  const std::vector<pybind11::ssize_t> shape{static_cast<pybind11::ssize_t>(values.size())};
  return moveToNumpyArray(std::move(values), shape);
}

}  // namespace ricochet
