#pragma once

#include "engine/contact/obstacles/circle.hpp"
#include "engine/contact/obstacles/disc.hpp"
#include "engine/contact/obstacles/profile.hpp"
#include "engine/contact/obstacles/sphere.hpp"
#include "engine/contact/obstacles/torus.hpp"
#include "engine/numerics/description.hpp"

namespace ricochet {

using CurvedObstacles = DescribedList<Circle, Disc, Profile, Sphere, Torus>;
using AnyCurvedObstacle = CurvedObstacles::Variant;

static_assert(doesEachTypeDefineTraits(CurvedObstacles{}));

/// A curved obstacle as an alternative of AnyObstacle; its parameters are those of `shape`.
struct Curved {
  AnyCurvedObstacle shape;
  static constexpr auto numericParameters() { return std::array<Field<Curved>, 0>{}; }
};

}  // namespace ricochet
