#pragma once

#include "physical/assembly/assembler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace ricochet::test {

inline constexpr double kEpsilon = 2.220446049250313e-16;  ///< spacing of doubles at 1

inline constexpr Component ux = Component::ux, uy = Component::uy, uz = Component::uz;

inline Dof dofOf(int node, Component component) { return {NodeIndex{node}, component}; }

/// A spring between two nodes, or to the ground if second < 0, with equal or different stiffness along x, y
/// and z.
inline Spring springBetween(int first, int second, const Vec3& stiffness) {
  std::vector<NodeIndex> nodes{NodeIndex{first}};
  if (second >= 0) nodes.push_back(NodeIndex{second});
  return {Connector::connectorFromDiagonal(std::move(nodes), stiffness)};
}
inline Dashpot dashpotBetween(int first, int second, const Vec3& coefficients) {
  return {springBetween(first, second, coefficients).connector};
}

inline void fixAllComponentsExcept(Structure& structure, Component kept) {
  for (int node = 0; node < static_cast<int>(structure.positions.size()); ++node)
    for (const Component c : {Component::ux, Component::uy, Component::uz})
      if (c != kept) structure.fixed.push_back(dofOf(node, c));
}

enum class Ends { freeFree, fixedFree, fixedFixed };

/// n equal masses m in a row along x, joined by equal springs k, held by springs k to the ground at fixed
/// ends:
///
///     omega_j = 2 sqrt(k/m) sin(theta_j),  j = 1..n
///     theta_j = j pi / (2 (n + 1)) fixed-fixed, (2 j - 1) pi / (2 (2 n + 1)) fixed-free, (j - 1) pi / (2 n)
///     free
///
/// Source: R.D. Blevins, Formulas for Natural Frequency and Mode Shape, 1979, chapter 6.
struct Chain {
  int size{0};
  double stiffness{1.0};
  double mass{1.0};
  Ends ends{Ends::fixedFixed};

  Structure structure() const {
    Structure s;
    const Vec3 k{stiffness, 0.0, 0.0};
    for (int i = 0; i < size; ++i) {
      s.positions.push_back({static_cast<double>(i), 0.0, 0.0});
      s.elements.emplace_back(PointMass{NodeIndex{i}, mass, {}, Vec3::Zero()});
      if (i > 0) s.elements.emplace_back(springBetween(i - 1, i, k));
    }
    if (ends != Ends::freeFree) s.elements.emplace_back(springBetween(0, -1, k));
    if (ends == Ends::fixedFixed) s.elements.emplace_back(springBetween(size - 1, -1, k));
    fixAllComponentsExcept(s, Component::ux);
    return s;
  }

  /// Eigenvalue omega_j^2, j from 1.
  double eigenvalue(int j) const {
    const double n = size;
    double theta = (j - 1) * std::numbers::pi / (2.0 * n);
    if (ends == Ends::fixedFree) theta = (2 * j - 1) * std::numbers::pi / (2.0 * (2.0 * n + 1.0));
    if (ends == Ends::fixedFixed) theta = j * std::numbers::pi / (2.0 * (n + 1.0));
    return 4.0 * stiffness / mass * std::pow(std::sin(theta), 2);
  }

  /// Upper bound of the eigenvalues of a chain, to which the rounding of an eigenvalue is relative.
  double bound() const { return 4.0 * stiffness / mass; }
};

/// A box of nx x ny x nz equal masses; neighbours along axis a are joined by springs k_a in all three
/// directions. Unsupported, so that each direction of motion is the same free lattice: every eigenvalue is
/// (at least) triple,
///
///     omega^2 = sum_a 4 k_a / m sin^2(j_a pi / (2 n_a)),   j_a = 0 .. n_a - 1
struct Lattice {
  std::array<int, 3> counts{1, 1, 1};
  std::array<double, 3> stiffness{1.0, 1.0, 1.0};
  double mass{1.0};

  Structure structure() const {
    Structure s;
    const auto [nx, ny, nz] = counts;
    const std::array<int, 3> stride{1, nx, nx * ny};
    for (int i = 0; i < nx * ny * nz; ++i) {
      const std::array<int, 3> at{i % nx, i / nx % ny, i / (nx * ny)};
      s.positions.push_back(
          {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
      s.elements.emplace_back(PointMass{NodeIndex{i}, mass, {}, Vec3::Zero()});
      for (std::size_t a = 0; a < 3; ++a)
        if (at[a] > 0) s.elements.emplace_back(springBetween(i - stride[a], i, Vec3::Constant(stiffness[a])));
    }
    return s;
  }

  /// All eigenvalues in increasing order, repeated by their multiplicity.
  std::vector<double> eigenvalues() const;
  double bound() const { return 4.0 * (stiffness[0] + stiffness[1] + stiffness[2]) / mass; }
};

inline std::vector<double> Lattice::eigenvalues() const {
  const auto term = [this](std::size_t axis, int j) {
    const double s = std::sin(j * std::numbers::pi / (2.0 * counts[axis]));
    return 4.0 * stiffness[axis] / mass * s * s;
  };
  std::vector<double> values;
  for (int i = 0; i < counts[0]; ++i)
    for (int j = 0; j < counts[1]; ++j)
      for (int k = 0; k < counts[2]; ++k)
        values.insert(values.end(), 3, term(0, i) + term(1, j) + term(2, k));
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace ricochet::test
