#include "engine/contact/areas/fields/exact.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::patch {
namespace {

using Point = Tangential<double>;

/// From this distance of the pole (in largest radii) on, the integrals are sums over the area: the Gauss rule
/// of order 14 has a relative error of about 1/4^26.
constexpr double kFarPole = 4.0;
constexpr std::size_t kOrder = 14;

std::variant<ExactPatch::AnyAxial, EllipticField, RimField> selectWrenchFieldOfShape(
    const PatchShape& shape) {
  using AnyAxial = ExactPatch::AnyAxial;
  const bool isDisc = shape.outline == Outline::disc;
  if (shape.outline == Outline::ring) return AnyAxial(Axial<Ring>{{shape.radius}});
  if (shape.outline == Outline::annulus) return AnyAxial(Axial<Annulus>{{shape.radius, shape.innerRadius}});
  if (isDisc && shape.pressure == Pressure::uniform) return AnyAxial(Axial<UniformDisc>{{shape.radius}});
  if (isDisc && shape.pressure == Pressure::hertz) return AnyAxial(Axial<HertzDisc>{{shape.radius}});
  if (isDisc && shape.pressure == Pressure::punch) return AnyAxial(Axial<PunchDisc>{{shape.radius}});
  if (isDisc || shape.outline == Outline::ellipse) return EllipticField(shape);
  return RimField(shape);
}

/// Largest distance of a point of the area from the centre of pressure c [m].
double largestRadius(const PatchShape& shape, const Point& c) {
  const auto from = [&](double x, double y) { return std::hypot(x - c.first, y - c.second); };
  const auto [a, b] = shape.halfSides;
  switch (shape.outline) {
    case Outline::ellipse:
      return std::max(a, b) + from(0.0, 0.0);
    case Outline::rectangle:
      return std::hypot(a, b) + from(0.0, 0.0);
    case Outline::polygon:
      break;
    default:
      return shape.radius + from(0.0, 0.0);
  }
  double most = 0.0;
  for (const Point& p : shape.vertices) most = std::max(most, from(p.first, p.second));
  return most;
}

Point rotatedByRightAngle(const Point& p) { return {-p.second, p.first}; }  // vector product z x p

}  // namespace

PatchMoments PatchMoments::momentsInRotatedAxes(double angle) const noexcept {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto tensor = [c, s](const Symmetric& t) {
    return Symmetric{c * c * t.xx + 2.0 * c * s * t.xy + s * s * t.yy,
                     c * s * (t.yy - t.xx) + (c * c - s * s) * t.xy,
                     s * s * t.xx - 2.0 * c * s * t.xy + c * c * t.yy};
  };
  PatchMoments m = *this;
  m.J = tensor(J);
  m.K = tensor(K);
  m.S = {c * S.first + s * S.second, c * S.second - s * S.first};
  m.xxx = c * c * c * xxx + 3.0 * c * c * s * xxy + 3.0 * c * s * s * xyy + s * s * s * yyy;
  m.xxy =
      -c * c * s * xxx + c * (c * c - 2.0 * s * s) * xxy + s * (2.0 * c * c - s * s) * xyy + c * s * s * yyy;
  m.xyy =
      c * s * s * xxx + s * (s * s - 2.0 * c * c) * xxy + c * (c * c - 2.0 * s * s) * xyy + c * c * s * yyy;
  m.yyy = -s * s * s * xxx + 3.0 * c * s * s * xxy - 3.0 * c * c * s * xyy + c * c * c * yyy;
  return m;
}

bool PatchMoments::isAxisymmetric() const noexcept {
  return J.xx == J.yy && J.xy == 0.0 && K.xx == K.yy && K.xy == 0.0 && S.first == 0.0 && S.second == 0.0 &&
         xxx == 0.0 && xxy == 0.0 && xyy == 0.0 && yyy == 0.0;
}

ExactPatch::ExactPatch(const PatchShape& shape) : field_(selectWrenchFieldOfShape(shape)) {
  if (axisymmetricFieldOrNull() == nullptr) {
    rule_ = integrationPoints(shape, kOrder);
    for (const Particle& p : rule_) centre_ = centre_ + scaled(p.weight, p.position);
    for (Particle& p : rule_) p.position = p.position - centre_;
  }
  moments_.reach = largestRadius(shape, centre_);
  computePatchMoments();
}

void ExactPatch::computePatchMoments() {
  if (axisymmetricFieldOrNull() != nullptr) {
    std::visit(
        [this](const auto& patch) {
          // The limits are M = eps J for eps = w/V -> 0 and X = delta K for delta = V/w -> 0.
          const double reach = moments_.reach;
          moments_ = PatchMoments::forAxisymmetricPatch(patch.kernel.spinMoment(),
                                                        patch.kernel.response(1.0, 0.0).dMdw,
                                                        patch.kernel.response(0.0, 1.0).dXdV);
          moments_.reach = reach;
        },
        *axisymmetricFieldOrNull());
    return;
  }
  PatchMoments& m = moments_;
  for (const auto& [p, w] : rule_) {
    const auto [x, y] = p;
    m.J.xx += w * x * x;
    m.J.xy += w * x * y;
    m.J.yy += w * y * y;
    m.xxx += w * x * x * x;
    m.xxy += w * x * x * y;
    m.xyy += w * x * y * y;
    m.yyy += w * y * y * y;
  }
  const PoleMeans spin = meanSlipAboutPole({}, PoleWork::meansAndSpread);
  m.M0 = spin.distance;
  m.S = spin.direction;
  m.K = spin.spread;
}

PoleMeans ExactPatch::meanSlipAboutPole(const Point& pole, PoleWork work) const noexcept {
  const Point q = centre_ + pole;
  if (const auto* field = std::get_if<EllipticField>(&field_)) return field->meanSlipAboutPole(q, work);
  return std::get_if<RimField>(&field_)->meanSlipAboutPole(q, work);
}

bool ExactPatch::isSpinPoleFarFromPatch(const Twist<double>& q) const noexcept {
  const double limit = kFarPole * moments_.reach * q.spin;
  return dot(q.sliding, q.sliding) >= limit * limit;
}

Wrench<double> ExactPatch::wrench(const Twist<double>& q) const noexcept {
  if (axisymmetricFieldOrNull() != nullptr)
    return std::visit([&](const auto& patch) { return patch.wrench(q); }, *axisymmetricFieldOrNull());
  if (isSpinPoleFarFromPatch(q)) return wrenchFarFromSpinPole(q);
  const double sign = q.spin < 0.0 ? -1.0 : 1.0;
  const Point pole = scaled(1.0 / q.spin, rotatedByRightAngle(q.sliding));
  const PoleMeans means = meanSlipAboutPole(pole, PoleWork::means);
  return {scaled(-sign, rotatedByRightAngle(means.direction)),
          -sign * (means.distance + dot(pole, means.direction))};
}

/// Wrench on the area for a pole far outside, |V| >= 4 r_max |omega|. With |V| = 1 along x, eps = omega/|V|,
/// g = |v|^2 - 1 = eps^2 r^2 - 2 eps y:
///     X = 1 - int sigma (1 - (1 - eps y)/|v|),
///     M = eps int sigma [r^2/|v| - y (2 y - eps r^2)/(|v| (1 + |v|))]
/// The second form uses int sigma y = 0, so that nothing cancels as eps vanishes.
Wrench<double> ExactPatch::wrenchFarFromSpinPole(const Twist<double>& q) const noexcept {
  const double V = std::sqrt(dot(q.sliding, q.sliding));
  if (V == 0.0) return {};
  const Point along = scaled(1.0 / V, q.sliding);
  const double eps = q.spin / V;
  double X = 0.0, Y = 0.0, M = 0.0;
  for (const auto& [p, weight] : rule_) {
    const double x = dot(p, along), y = along.first * p.second - along.second * p.first;
    const double rr = x * x + y * y;
    const double excess = eps * (eps * rr - 2.0 * y);
    const double v = std::sqrt(1.0 + excess);
    const double w = weight / v;
    X += w * (1.0 - eps * y);
    Y += w * x * excess / (1.0 + v);
    M += w * (rr - y * (2.0 * y - eps * rr) / (1.0 + v));
  }
  // int sigma x/|v| = -int sigma x (|v| - 1)/|v|
  const Point force = scaled(-X, along) + scaled(eps * Y, rotatedByRightAngle(along));
  return {force, -eps * M};
}

WrenchTangent ExactPatch::tangentMatrixFarFromSpinPole(const Twist<double>& q) const noexcept {
  WrenchTangent t{};
  for (const auto& [p, weight] : rule_) {
    const Point arm = rotatedByRightAngle(p);
    const Point v = q.sliding + scaled(q.spin, arm);
    const double speed = std::sqrt(dot(v, v));
    if (speed == 0.0) return {};
    // Only the component of a velocity change normal to v changes v/|v|: its gradient is (n, n.(z x p)).
    const Point n = scaled(1.0 / speed, rotatedByRightAngle(v));
    const std::array<double, 3> across{n.first, n.second, dot(n, arm)};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) t[i][j] -= weight / speed * across[i] * across[j];
  }
  return t;
}

WrenchTangent ExactPatch::tangentMatrix(const Twist<double>& q) const noexcept {
  if (axisymmetricFieldOrNull() != nullptr)
    return std::visit([&](const auto& patch) { return patch.tangentMatrix(q); }, *axisymmetricFieldOrNull());
  if (isSpinPoleFarFromPatch(q)) return tangentMatrixFarFromSpinPole(q);
  const Point pole = scaled(1.0 / q.spin, rotatedByRightAngle(q.sliding));
  const Symmetric s = meanSlipAboutPole(pole, PoleWork::meansAndSpread).spread;
  const Point arm = rotatedByRightAngle(pole);
  const double scale = -1.0 / std::abs(q.spin);
  const Point turned{s.xx * arm.first + s.xy * arm.second, s.xy * arm.first + s.yy * arm.second};
  // The pole is at rest, v = omega z x (p - q): the gradient of |v| changes along e = (p - q)/rho.
  return {{{scale * s.xx, scale * s.xy, scale * turned.first},
           {scale * s.xy, scale * s.yy, scale * turned.second},
           {scale * turned.first, scale * turned.second, scale * dot(arm, turned)}}};
}

}  // namespace ricochet::patch
