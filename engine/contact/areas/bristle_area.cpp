#include "engine/contact/areas/bristle_area.hpp"

#include <cmath>

namespace ricochet {
namespace {

/// Rotates p by the angle whose cosine and sine are `by`.
Tangential<double> rotatedByAngle(const Tangential<double>& by, const Tangential<double>& p) noexcept {
  return {by.first * p.first - by.second * p.second, by.second * p.first + by.first * p.second};
}

double crossProduct(const Tangential<double>& a, const Tangential<double>& b) noexcept {
  return a.first * b.second - a.second * b.first;
}

}  // namespace

BristleArea::Turn BristleArea::rotationOfAreaInTrial(const AreaMotion& now, const AreaMemory& from) noexcept {
  const auto direction = [](double angle) { return Tangential<double>{std::cos(angle), std::sin(angle)}; };
  return {direction(now.spin), direction(from.spin)};
}

BristleArea::Point BristleArea::evaluateBristle(std::size_t i, const Turn& turn, const BedRelaxation& bed,
                                                const AreaMotion& now, const AreaMemory& from, double limit,
                                                const Bristle& bristle) const noexcept {
  const patch::Particle& particle = points_[i];
  Point point;
  point.arm = rotatedByAngle(turn.now, particle.position);
  point.most = limit * particle.weight;
  const double k = stiffness_ * particle.weight;
  const Tangential<double> rate{now.rate.first - now.spinRate * point.arm.second,
                                now.rate.second + now.spinRate * point.arm.first};
  if (bristle.slipping) {
    point.glides = now.elapsed == 0.0 && (now.dashpot == 0.0 || now.begins) && dot(rate, rate) > 0.0;
    point.travel = point.span = bed.slipRateFactor();
    point.trial = point.glides ? scaled(-1.0, rate)
                               : bed.trialForceWithoutSlip(bristle.force, bristle.held) -
                                     scaled(k * bed.slipRateFactor(), rate);
    point.byRates = point.glides ||
                    (bed.slipRateFactor() > 0.0 && dot(point.trial, point.trial) > point.most * point.most);
    point.slips = point.byRates;
    if (point.slips) return point;
  }
  point.travel = now.dashpot;
  point.span = bed.slipIncrementPerSlipRate();
  const Tangential<double> move =
      now.position - from.position + point.arm - rotatedByAngle(turn.before, particle.position);
  point.elastic = bristle.force - scaled(k, move);
  point.trial = point.elastic - scaled(k * now.dashpot, rate);
  point.slips = dot(point.trial, point.trial) > point.most * point.most;
  return point;
}

/// Force of the bristle of a slipping point at the end of the trial; f: force on the point [N].
Tangential<double> BristleArea::springForceInSlip(const Point& point, const BedRelaxation& bed,
                                                  const Bristle& from, const Tangential<double>& f) noexcept {
  if (point.glides) return f;
  return point.byRates ? bed.springForceInSlip(from.force, from.held, f)
                       : bed.springForceAtSlipStart(point.elastic, point.trial, f);
}

AreaTrial BristleArea::computeTrial(const AreaMotion& now, const AreaMemory& from,
                                    const patch::FrictionDrop& drop, std::span<const Bristle> accepted,
                                    std::span<Bristle> next) const noexcept {
  const double limit = drop.frictionCoefficientOfLimit(from.slipping, from.slipSpeed) * now.compression;
  const Turn turn = rotationOfAreaInTrial(now, from);
  const BedRelaxation bed(now.elapsed, now.dashpot);
  AreaTrial result;
  double slipping = 0.0;  // fraction of N on points that slip
  double lost = 0.0;      // power dissipated by slip [W]
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point point = evaluateBristle(i, turn, bed, now, from, limit, accepted[i]);
    const double k = stiffness_ * points_[i].weight;
    Tangential<double> f = point.trial, hooked = point.elastic;
    if (point.slips) {
      const double size = std::sqrt(dot(f, f));
      f = scaled(point.most / size, f);
      slipping += points_[i].weight;
      if (point.glides)
        lost += point.most * size;
      else if (point.span > 0.0)
        lost += point.most * (size - point.most) / (k * point.span);
      hooked = springForceInSlip(point, bed, accepted[i], f);
    }
    next[i] = {hooked, point.slips, f};
    result.wrench.force = result.wrench.force + f;
    result.wrench.moment += crossProduct(point.arm, f);
    result.storedEnergy += 0.5 * dot(hooked, hooked) / k;
  }
  if (slipping == 0.0) {  // all points stick: the anchor stays, so rounding errors do not accumulate
    for (std::size_t i = 0; i < points_.size(); ++i) next[i] = {accepted[i].force, false, next[i].held};
    result.next = from;
    result.next.slipping = result.next.yielding = false;
    result.next.slipSpeed = 0.0;
    return result;
  }
  constexpr double kMost = 0.5;
  result.next = {result.wrench,    now.position, now.spin, limit > 0.0 ? lost / limit : 0.0,
                 slipping > kMost, true};
  return result;
}

AreaTangent BristleArea::tangentMatrix(const AreaMotion& now, const AreaMemory& from,
                                       const patch::FrictionDrop& drop,
                                       std::span<const Bristle> accepted) const noexcept {
  const double mu = drop.frictionCoefficientOfLimit(from.slipping, from.slipSpeed);
  const Turn turn = rotationOfAreaInTrial(now, from);
  const BedRelaxation bed(now.elapsed, now.dashpot);
  AreaTangent sum;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point point = evaluateBristle(i, turn, bed, now, from, mu * now.compression, accepted[i]);
    const double weight = points_[i].weight;
    const double k = stiffness_ * weight;
    // derivative of the force by the displacement of the point
    std::array<std::array<double, 2>, 2> slope{{{-k, 0.0}, {0.0, -k}}};
    Tangential<double> f = point.trial;
    if (point.slips) {
      const double size = std::sqrt(dot(f, f));
      const Tangential<double> e = scaled(1.0 / size, f);
      const double across = point.most / size * k;
      slope = {{{-across * e.second * e.second, across * e.first * e.second},
                {across * e.first * e.second, -across * e.first * e.first}}};
      f = scaled(point.most, e);
      sum.byCompression[0] += mu * weight * e.first;
      sum.byCompression[1] += mu * weight * e.second;
      sum.byCompression[2] += mu * weight * crossProduct(point.arm, e);
    }
    const Tangential<double> arm = point.arm, ahead{-arm.second, arm.first};
    const std::array<Tangential<double>, 3> moves{{{1.0, 0.0}, {0.0, 1.0}, ahead}};
    for (std::size_t j = 0; j < 3; ++j) {
      const Tangential<double>& u = moves[j];
      const Tangential<double> df{slope[0][0] * u.first + slope[0][1] * u.second,
                                  slope[1][0] * u.first + slope[1][1] * u.second};
      const std::array<double, 3> change{df.first, df.second, crossProduct(arm, df)};
      for (std::size_t row = 0; row < 3; ++row) {
        sum.byRate[row][j] += point.travel * change[row];
        if (!point.byRates) sum.byPosition[row][j] += change[row];
      }
    }
    sum.wrench.force = sum.wrench.force + f;
    sum.wrench.moment += crossProduct(arm, f);
    sum.byPosition[2][2] += crossProduct(ahead, f);  // the lever arm rotates, the force stays
  }
  return sum;
}

double BristleArea::forceDifferenceOfPoints(std::span<const Bristle> a,
                                            std::span<const Bristle> b) const noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Tangential<double> change = a[i].held - b[i].held;
    sum += dot(change, change) / (stiffness_ * points_[i].weight);
  }
  return sum;
}

double BristleArea::reversedSlipEnergyOfPoints(const AreaMotion& from, const AreaMotion& to,
                                               std::span<const Bristle> accepted,
                                               std::span<const Bristle> next) const noexcept {
  const auto rateOf = [](const AreaMotion& at, const Tangential<double>& place) {
    const Tangential<double> arm = rotatedByAngle({std::cos(at.spin), std::sin(at.spin)}, place);
    return Tangential<double>{at.rate.first - at.spinRate * arm.second,
                              at.rate.second + at.spinRate * arm.first};
  };
  double sum = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Tangential<double>& force = accepted[i].held;
    const double size = std::sqrt(dot(force, force));
    if (!accepted[i].slipping || !(size > 0.0)) continue;
    const double before = -dot(force, rateOf(from, points_[i].position)) / size;
    const double after = -dot(force, rateOf(to, points_[i].position)) / size;
    if (!(before > 0.0) || !(after < 0.0)) continue;
    const double theta = before / (before - after);
    const double way = 0.5 * to.elapsed * (next[i].slipping ? (1.0 - theta) * -after : theta * before);
    sum += stiffness_ * points_[i].weight * way * way;
  }
  return sum;
}

/// Torsional stiffness k <r^2> of the elastic bed [N m/rad].
double BristleArea::spinStiffness() const noexcept {
  double sum = 0.0;
  for (const auto& [p, weight] : points_) sum += weight * dot(p, p);
  return stiffness_ * sum;
}

}  // namespace ricochet
