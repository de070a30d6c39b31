#include "engine/links/link_tangent.hpp"

#include <cmath>

namespace ricochet {

ContactTangent linkTangent(const Link& link, const LinkState& accepted,
                           const LinkMotion<double>& motion) noexcept {
  using Local = Dual<2 * kLinkAxes>;  // derivatives along the displacements, then along the rates
  LinkMotion<Local> varied;
  varied.time = Local(motion.time);
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    varied.x[axis] = Local(motion.x[axis], axis);
    varied.v[axis] = Local(motion.v[axis], axis + kLinkAxes);
  }
  const LinkResponse<Local> response =
      std::visit([&](const auto& law) { return law.template respond<Local>(accepted, varied); }, link.law);
  const auto finite = [](double slope) { return std::isfinite(slope) ? slope : 0.0; };
  ContactTangent tangent;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    tangent.force[axis] = -response.force[axis].value();
    for (std::size_t i = 0; i < kLinkAxes; ++i) {
      tangent.byPosition[axis][i] = finite(-response.force[axis].slope(i));
      tangent.byRate[axis][i] = finite(-response.force[axis].slope(i + kLinkAxes));
    }
  }
  return tangent;
}

}  // namespace ricochet
