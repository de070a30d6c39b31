#include "engine/links/cracked_rotor.hpp"

#include <algorithm>
#include <limits>

namespace ricochet {

/// Response of the crack on one piece of the spline, whose ends are compared with phi. If phi equals an end
/// within rounding, the end is moved by this rounding, so that the comparisons show that phi is on this
/// piece.
LinkResponse<Series> CrackedRotor::computeResponseSeries(const LinkMotion<Series>& to) const {
  LinkResponse<Series> response;
  const auto& [r1, r2] = to.x;
  if (r1.value() == 0.0 && r2.value() == 0.0) return response;
  const Series phi = atan2(r1, r2) + initialAngleDegrees * (std::numbers::pi / 180.0) + speed * to.time;
  const double now = phi.value();
  const AngleFunction::Piece piece = stiffness.splinePieceAtAngle(now);
  const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + std::abs(now));
  static_cast<void>(std::min(piece.begin, now - rounding) < phi);
  static_cast<void>(phi < std::max(piece.end, now + rounding));
  const Series y = phi - piece.begin;
  const auto& k = piece.terms;
  const Series value = k[0] + y * (k[1] + y * (k[2] + k[3] * y));
  const Series slope = k[1] + y * (2.0 * k[2] + 3.0 * k[3] * y);
  response.force[0] = value * r1 + 0.5 * slope * r2;
  response.force[1] = value * r2 - 0.5 * slope * r1;
  return response;
}

}  // namespace ricochet
