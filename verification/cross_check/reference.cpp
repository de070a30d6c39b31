#include "verification/cross_check/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet::cross {
namespace {

constexpr double kPerturbation = 1e-12;  // relative to the scales of length and speed
constexpr double kExact = 1e-8;          // relative to the largest displacement
// Relative to the largest velocity: bounces end at 1e-8 of the fastest approach.
constexpr double kExactSpeed = 1e-7;
constexpr double kGrowth = 100.0;    // rounding of a run, in units of the perturbation
constexpr double kSensitive = 1e-4;  // largest tolerance over the motion at which a comparison is meaningful
constexpr double kCalm = 1e3;        // limit of the growth of errors

}  // namespace

Reference::Reference(const RigidSystem& system, const std::vector<double>& instants, const Effort& effort)
    : run_(computeOracleMotion(system, instants, {.parts = effort.parts, .judgeAt = effort.judgeAt})),
      spread_(instants.size(), 0.0),
      speedSpread_(instants.size(), 0.0) {
  double until = run_.end == OracleRun::End::complete ? std::numeric_limits<double>::infinity() : run_.until;
  std::vector<OracleVariant> variants{{.factor = 8.0}};
  for (std::uint64_t sample = 0; sample < effort.samples; ++sample)
    variants.push_back({.perturbation = kPerturbation,
                        .sample = sample,
                        .factor = std::ldexp(1.0, -static_cast<int>(sample % 5))});
  for (const OracleVariant& variant : variants) {
    const OracleRun other = computeOracleMotion(system, instants, variant);
    if (other.end != OracleRun::End::complete) until = std::min(until, other.until);
    addSpreadOfMotions(other, instants, until);
  }
  // A finer run that ends early gives no tolerance: it would only increase the spread.
  for (const OracleVariant& variant : kFiner) {
    const OracleRun finer = computeOracleMotion(system, instants, variant);
    addSpreadOfMotions(finer, instants,
                       finer.end == OracleRun::End::complete ? until : std::min(until, finer.until));
  }
  while (known_ < instants.size() && instants[known_] < until) ++known_;
  measure(system);
}

void Reference::addSpreadOfMotions(const OracleRun& other, const std::vector<double>& instants,
                                   double until) {
  for (std::size_t i = 0; i < instants.size() && instants[i] < until; ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const auto difference = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
      return (a.col(column) - b.col(column)).cwiseAbs().maxCoeff();
    };
    spread_[i] = std::max(spread_[i], difference(other.positions, run_.positions));
    speedSpread_[i] = std::max(speedSpread_[i], difference(other.velocities, run_.velocities));
  }
}

void Reference::measure(const RigidSystem& system) {
  constexpr double kAtRest = 1e-4;  // fraction of the scales, to which small motions are compared
  length_ = kAtRest * system.lengthScale;
  speed_ = kAtRest * system.speedScaleOfSlipRate;
  const auto count = static_cast<Eigen::Index>(known_);
  if (count > 0) {
    length_ = std::max(length_, run_.positions.leftCols(count).cwiseAbs().maxCoeff());
    speed_ = std::max(speed_, run_.velocities.leftCols(count).cwiseAbs().maxCoeff());
  }
  for (std::size_t i = 1; i < known_; ++i) spread_[i] = std::max(spread_[i], spread_[i - 1]);
  while (decisive_ < known_ && tolerance(decisive_) <= kSensitive * length_) ++decisive_;
  while (calm_ < known_ && spread_[calm_] <= kCalm * kPerturbation * system.lengthScale) ++calm_;
}

double Reference::tolerance(std::size_t instant) const {
  return kExact * length_ + kGrowth * spread_[instant];
}

double Reference::speedTolerance(std::size_t instant) const {
  constexpr double kNear = 1e-7;  // [s]
  const double t = run_.times[instant];
  const bool jumps = std::ranges::any_of(run_.jumps, [&](double jump) { return std::abs(t - jump) < kNear; });
  const double limit = kExactSpeed * speed_ + kGrowth * speedSpread_[instant];
  return jumps || limit > kSensitive * speed_ ? std::numeric_limits<double>::infinity() : limit;
}

}  // namespace ricochet::cross
