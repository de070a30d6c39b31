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

/// A curved obstacle among the others.
struct Curved {
  AnyCurvedObstacle shape;
};

}  // namespace ricochet
