#pragma once

#include "physical/elements/beam.hpp"
#include "verification/support/structures.hpp"

#include <string_view>
#include <vector>

namespace ricochet::test {

/// The beam of problem L03: bending in x-y, 23625 N m^2, 11.7 kg/m, 1.5 m.
inline constexpr Material kSteel{2.1e11, 0.3, 7800.0};
inline constexpr RectangleSection kBar{0.03, 0.05};
inline constexpr double kBarLength = 1.5;

/// The beam of problems L04 and NAFEMS FV5: length 10 m, square section of 2 m.
inline constexpr Material kDeepMaterial{2.0e11, 0.3, 8000.0};
inline constexpr RectangleSection kDeep{2.0, 2.0};
inline constexpr double kDeepLength = 10.0;

/// A straight beam of equal elements from the origin along `direction`, without supports.
struct StraightBeam {
  int elements{1};
  double length{1.0};
  Material material;
  SectionConstants section;
  BeamTheory theory{BeamTheory::timoshenko};
  Vec3 direction{Vec3::UnitX()};
  double spin{0.0};
  BeamMass mass{BeamMass::consistent};

  Structure structure() const {
    Structure s;
    const Vec3 span = direction.normalized() * length / elements;
    for (int i = 0; i <= elements; ++i) s.positions.push_back(i * span);
    for (int i = 0; i < elements; ++i) {
      Beam beam;
      beam.first = NodeIndex{i};
      beam.second = NodeIndex{i + 1};
      beam.span = span;
      beam.axes = *localAxesOfBeam(span);
      beam.material = material;
      beam.section = section;
      beam.theory = theory;
      beam.massKind = mass;
      beam.spin = spin;
      s.elements.emplace_back(beam);
    }
    return s;
  }
};

inline void fix(Structure& structure, int node, const std::vector<Component>& components) {
  for (const Component c : components) structure.fixed.push_back(dofOf(node, c));
}

/// Fixes all motions but bending in x-y.
inline void restrictToPlanarBending(Structure& structure) {
  for (int node = 0; node < static_cast<int>(structure.positions.size()); ++node)
    fix(structure, node, {Component::ux, Component::uz, Component::rx, Component::ry});
}

/// Fixes the ends by the names in the table of exact frequencies: "clamped-pinned", for bending in x-y.
inline void fixEndsOfBeam(Structure& structure, std::string_view ends) {
  const auto hold = [&](int node, std::string_view how) {
    if (how != "free") fix(structure, node, {Component::uy});
    if (how == "clamped") fix(structure, node, {Component::rz});
  };
  const std::size_t dash = ends.find('-');
  hold(0, ends.substr(0, dash));
  hold(static_cast<int>(structure.positions.size()) - 1, ends.substr(dash + 1));
}

}  // namespace ricochet::test
