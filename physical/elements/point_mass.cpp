#include "physical/elements/point_mass.hpp"

namespace ricochet {

ElementMatrix PointMass::mass() const {
  if (!hasRotations()) return value * Mat3::Identity();
  Mat3 cross;
  cross << 0.0, -offset.z(), offset.y(), offset.z(), 0.0, -offset.x(), -offset.y(), offset.x(), 0.0;
  ElementMatrix m = ElementMatrix::Zero(6, 6);
  m.topLeftCorner<3, 3>() = value * Mat3::Identity();
  m.topRightCorner<3, 3>() = -value * cross;
  m.bottomLeftCorner<3, 3>() = value * cross;
  m.bottomRightCorner<3, 3>() = inertia.value_or(Mat3::Zero()) - value * cross * cross;
  return m;
}

ElementMatrix PointMass::gyroscopicMatrix() const {
  const Eigen::Index size = hasRotations() ? 6 : 3;
  ElementMatrix g = ElementMatrix::Zero(size, size);
  if (spin == 0.0 || !inertia) return g;
  const Vec3 h = spin * spinAxis.dot(*inertia * spinAxis) * spinAxis;  // angular momentum
  g.bottomRightCorner<3, 3>() << 0.0, h.z(), -h.y(), -h.z(), 0.0, h.x(), h.y(), -h.x(), 0.0;
  return g;
}

}  // namespace ricochet
