#pragma once

#include "engine/links/links.hpp"
#include "physical/dof.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// A link law between two nodes, or between a node and the ground.
struct LinkRequest {
  std::string name;
  NodeIndex first;
  std::optional<NodeIndex> second;
  AnyLinkLaw law{};
  /// Direction of each axis: positive displacement of the first node along the axis, or rotation about the
  /// axis.
  std::vector<std::array<double, kComponents>> axes;

  bool isRotational() const {
    return axes.front()[3] != 0.0 || axes.front()[4] != 0.0 || axes.front()[5] != 0.0;
  }
};

}  // namespace ricochet
