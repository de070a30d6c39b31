#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string_view>

namespace ricochet {

/// A node of the structure, numbered from 0 in the order of declaration. Names of nodes are used in `io`
/// only.
struct NodeIndex {
  int value{-1};
  auto operator<=>(const NodeIndex&) const = default;
};

/// A row of the assembled matrices, numbered from 0, in full numbering if not stated otherwise.
struct DofIndex {
  int value{-1};
  bool exists() const noexcept { return value >= 0; }
  auto operator<=>(const DofIndex&) const = default;
};

/// Displacement components of a node: translations [m], rotations [rad], global axes.
enum class Component : unsigned char { ux, uy, uz, rx, ry, rz };

inline constexpr int kComponents = 6;
inline constexpr std::array<std::string_view, kComponents> kComponentNames{"ux", "uy", "uz",
                                                                           "rx", "ry", "rz"};

constexpr std::string_view componentName(Component c) noexcept {
  return kComponentNames[static_cast<std::size_t>(c)];
}
constexpr Component componentOfIndex(int i) noexcept { return static_cast<Component>(i); }

/// One degree of freedom of one node.
struct Dof {
  NodeIndex node;
  Component component{Component::ux};
  auto operator<=>(const Dof&) const = default;
};

}  // namespace ricochet
