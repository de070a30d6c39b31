#include "engine/links/link_tangent.hpp"

#include "engine/links/link_in_series.hpp"

#include <Eigen/LU>

namespace ricochet {

ContactTangent linkTangentMatrix(const Link& link, const LinkState& accepted,
                                 const LinkMotion<double>& motion, bool followsRates) noexcept {
  LinkMotion<double> own = linkMotionWithoutSeriesSprings(link, accepted, motion);
  own.isStraight = own.isStraight && !followsRates;
  LinkSlopes slopes = forceAndDerivativesOfLinkLaw(link.law, accepted, own);
  if (link.inSeries == InSeries::solved) {
    // Tangent of a link in series: df = K dx + D dx',  dx = dx_free - S df,  dx' = (1 + S K)^-1 dx_free'.
    const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
    const Eigen::Matrix2d force = (one + slopes.byPosition * link.compliance).inverse();
    const Eigen::Matrix2d motionOfLink = (one + link.compliance * slopes.byPosition).inverse();
    slopes.byRate = force * slopes.byRate * motionOfLink;
    slopes.byPosition = force * slopes.byPosition;
  }
  ContactTangent tangent;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    const auto row = static_cast<Eigen::Index>(axis);
    tangent.force[axis] = -slopes.force[row];
    for (std::size_t i = 0; i < kLinkAxes; ++i) {
      tangent.byPosition[axis][i] = -slopes.byPosition(row, static_cast<Eigen::Index>(i));
      tangent.byRate[axis][i] = -slopes.byRate(row, static_cast<Eigen::Index>(i));
    }
  }
  return tangent;
}

}  // namespace ricochet
