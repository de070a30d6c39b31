#pragma once

#include "engine/obstacles/circle.hpp"
#include "engine/obstacles/disc.hpp"
#include "engine/obstacles/profile.hpp"
#include "engine/obstacles/sphere.hpp"
#include "engine/type_list.hpp"

namespace ricochet {

using CurvedObstacles = TypeList<Circle, Disc, Profile, Sphere>;
using AnyCurvedObstacle = CurvedObstacles::Variant;

/// A curved obstacle among the others.
struct Curved {
  AnyCurvedObstacle shape;
};

}  // namespace ricochet
