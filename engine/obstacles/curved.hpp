#pragma once

#include "engine/description.hpp"
#include "engine/obstacles/circle.hpp"
#include "engine/obstacles/disc.hpp"
#include "engine/obstacles/profile.hpp"
#include "engine/obstacles/sphere.hpp"

namespace ricochet {

using CurvedObstacles = DescribedList<Circle, Disc, Profile, Sphere>;
using AnyCurvedObstacle = CurvedObstacles::Variant;

/// A curved obstacle among the others.
struct Curved {
  AnyCurvedObstacle shape;
};

}  // namespace ricochet
