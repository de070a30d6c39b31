#include "engine/study/parts/contact_request.hpp"

#include <Eigen/Geometry>

namespace ricochet {

Vec3 defaultTangent(const Vec3& normal) {
  constexpr double kAlongX = 1e-6;
  const Vec3 alongX = Vec3::UnitX() - normal.x() * normal;
  if (alongX.norm() > kAlongX) return alongX.normalized();
  return (Vec3::UnitY() - normal.y() * normal).normalized();
}

Mat3 contactFrame(const Vec3& normal) {
  const Vec3 e1 = normal.normalized(), e2 = defaultTangent(e1);
  Mat3 frame;
  frame << e1.transpose(), e2.transpose(), e1.cross(e2).transpose();
  return frame;
}

Vec3 ContactRequest::spinAxis() const { return frame.row(1).cross(frame.row(2)); }

Vec3 ContactRequest::rollAxis() const { return frame.row(0).cross(frame.row(1)); }

}  // namespace ricochet
