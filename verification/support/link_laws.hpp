#pragma once

#include "engine/links/links.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace ricochet::test {

/// An example of each link law with valid parameters.
template <class L>
L exampleLinkLaw() {
  if constexpr (L::numericParameters().size() > 0) return exampleOfType<L>();
  return L{};
}

inline LinkFunction formulaOf(std::string_view text, std::string_view variable) {
  return LinkFunction(Formula::parse(text, std::span<const std::string_view>(&variable, 1)));
}

template <>
inline ForceDisplacement exampleLinkLaw() {
  return {formulaOf("100*x + 4e4*x^3", "x")};
}
template <>
inline ForceVelocity exampleLinkLaw() {
  return {formulaOf("3*v + 2*abs(v)*v", "v")};
}
template <>
inline FormulaForce exampleLinkLaw() {
  return {
      std::make_shared<const Formula>(Formula::parse("100*x + 2*v*x^2 + sin(t)", FormulaForce::kArguments))};
}
template <>
inline Zener exampleLinkLaw() {
  return {1.0 / 120.0, 10.0, 1.0 / 60.0, 1.7, 0.5};
}
template <>
inline Crushing exampleLinkLaw() {
  Crushing law;
  law.stiffness = 1e4;
  law.damping = 2.0;
  law.gap = 0.005;
  const std::vector<double> points{0.0, 0.02, 0.03}, forces{100.0, 160.0, 60.0};
  constexpr auto kOutside = TimeFunction::Outside::constant;
  law.limit = LinkFunction(TimeFunction::table(points, forces, kOutside, kOutside));
  return law;
}
template <>
inline Elastoplastic exampleLinkLaw() {
  return {HardeningCurve({0.5, 1.5, 4.5}, {200.0, 300.0, 350.0}, false), false};
}
template <>
inline CrackedRotor exampleLinkLaw() {
  std::vector<double> angles, values;
  constexpr int kPoints = 36;
  for (int i = 0; i < kPoints; ++i) {
    angles.push_back(2.0 * std::numbers::pi * i / kPoints);
    values.push_back(100.0 + 30.0 * std::cos(angles.back()));
  }
  return {AngleFunction(angles, values), 20.0, 3.0};
}

/// Motion at the displacement x with the rate v along the first axis.
inline LinkMotion<double> motionAlong(double t, double x, double v) { return {{x, 0.0}, {v, 0.0}, t}; }

/// Moves a link through given motions and accepts each of them.
template <class L>
class DrivenLink {
 public:
  explicit DrivenLink(const L& law) : law_(law) {}

  const LinkState& state() const { return state_; }

  /// Starts from rest at zero and moves to a motion.
  void start(const LinkMotion<double>& motion) {
    LinkState rest{};
    rest.motion.time = motion.time;
    state_ = rest;
    take(motion);
    state_.dissipated = state_.external = 0.0;
  }

  LinkState stateAfterTrialMotion(const LinkMotion<double>& motion) const {
    LinkState next = state_;
    next.setResponse(motion, law_.template computeResponse<double>(state_, motion));
    return next;
  }

  void take(const LinkMotion<double>& motion) {
    LinkState next = stateAfterTrialMotion(motion);
    law_.addEnergiesOfStep(state_, next);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      work_ += 0.5 * (state_.force[axis] + next.force[axis]) * (motion.x[axis] - state_.motion.x[axis]);
    state_ = next;
  }

  /// Work done on the link since its construction, by the trapezoidal rule [J].
  double work() const { return work_; }

 private:
  L law_;
  LinkState state_{};
  double work_{0.0};
};

}  // namespace ricochet::test
