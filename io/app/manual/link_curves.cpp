#include "engine/study/parts/link_request.hpp"
#include "io/app/manual/law_curves.hpp"
#include "io/deck/bare_deck.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kAmplitude = 0.02;  // amplitude [m] or [rad]
constexpr int kCyclePoints = 400;    // number of points per cycle
constexpr double kTurn = 2.0 * std::numbers::pi;

/// Computes the forces of a link along a motion, step by step as in a run.
template <class L>
class LinkDriver {
 public:
  explicit LinkDriver(const L& law) : law_(law) {}

  const LinkState& moveLinkTo(const LinkMotion<double>& to) {
    LinkState next = state_;
    next.setResponse(to, law_.template computeResponse<double>(state_, to));
    law_.addEnergiesOfStep(state_, next);
    state_ = next;
    return state_;
  }

 private:
  L law_;
  LinkState state_{};
};

LinkMotion<double> cyclicLinkMotion(double amplitude, double frequency, double cycles) {
  const double phase = kTurn * cycles;
  LinkMotion<double> motion;
  motion.x[0] = amplitude * std::sin(phase);
  motion.v[0] = kTurn * frequency * amplitude * std::cos(phase);
  motion.time = cycles / frequency;
  return motion;
}

/// Displacement x, rate x' and force f over cycles with given amplitudes.
struct Cycle {
  std::vector<double> x, v, f;
};
template <class L>
Cycle forceOverDisplacementCycle(const L& law, double frequency, const std::vector<double>& amplitudes) {
  LinkDriver<L> driver(law);
  Cycle cycle;
  for (std::size_t turn = 0; turn < amplitudes.size(); ++turn)
    for (int i = turn == 0 ? 0 : 1; i <= kCyclePoints; ++i) {
      const double cycles = static_cast<double>(turn) + static_cast<double>(i) / kCyclePoints;
      const LinkState& state = driver.moveLinkTo(cyclicLinkMotion(amplitudes[turn], frequency, cycles));
      cycle.x.push_back(state.motion.x[0]);
      cycle.v.push_back(state.motion.v[0]);
      cycle.f.push_back(state.force[0]);
    }
  return cycle;
}

bool haveCyclesSameForces(const Cycle& a, const Cycle& b) {
  double largest = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < a.f.size(); ++i) {
    largest = std::max(largest, std::abs(a.f[i]));
    apart = std::max(apart, std::abs(a.f[i] - b.f[i]));
  }
  constexpr double kRounding = 1e-9;
  return apart <= kRounding * largest;
}

/// Pictures of a law along one axis: three cycles with growing amplitude, or three frequencies if the law
/// depends on the rate.
template <class L>
std::vector<LawPicture> axialLinkPictures(const L& law) {
  const std::vector<double> growing{kAmplitude / 3.0, 2.0 * kAmplitude / 3.0, kAmplitude};
  LawPicture force{.name = "force",
                   .caption = "Force over a displacement that comes and goes, in cycles that grow.",
                   .abscissa = "x [m]",
                   .ordinate = "f [N]"};
  const Cycle slow = forceOverDisplacementCycle(law, 1.0, growing);
  if (haveCyclesSameForces(slow, forceOverDisplacementCycle(law, 4.0, growing))) {
    force.curves.push_back({"f", slow.x, slow.f});
    return {force};
  }
  force.caption = "Force over the second of two cycles of a displacement that comes and goes.";
  LawPicture speed{.name = "speed",
                   .caption = "The same over the rate of the displacement.",
                   .abscissa = "x' [m/s]",
                   .ordinate = "f [N]"};
  for (const double frequency : {0.25, 1.0, 4.0}) {
    const Cycle cycle = forceOverDisplacementCycle(law, frequency, {kAmplitude, kAmplitude});
    const auto second = [](const std::vector<double>& both) {
      return std::vector<double>(both.begin() + kCyclePoints, both.end());
    };
    const std::string label = fmt::format("{} Hz", frequency);
    force.curves.push_back({label, second(cycle.x), second(cycle.f)});
    speed.curves.push_back({label, second(cycle.v), second(cycle.f)});
  }
  return {force, speed};
}

/// Picture of a law across an axis: a displacement of constant magnitude that rotates by one turn.
template <class L>
LawPicture whirlPicture(const L& law) {
  LawPicture picture{.name = "force",
                     .caption = fmt::format("Moment along and across a bend of {} rad that goes once around "
                                            "the shaft at t = 0.",
                                            kAmplitude),
                     .abscissa = "atan2(r1, r2) [deg]",
                     .ordinate = "f [N m]",
                     .curves = {{"along"}, {"across"}}};
  for (int i = 0; i <= kCyclePoints; ++i) {
    const double angle = kTurn * i / kCyclePoints;
    const double c = std::cos(angle), s = std::sin(angle);
    LinkMotion<double> motion;
    motion.x = {kAmplitude * s, kAmplitude * c};
    const auto force = law.template computeResponse<double>(LinkState{}, motion).force;
    for (LawCurve& curve : picture.curves) curve.x.push_back(angle * 180.0 / std::numbers::pi);
    picture.curves[0].y.push_back(s * force[0] + c * force[1]);
    picture.curves[1].y.push_back(c * force[0] - s * force[1]);
  }
  return picture;
}

}  // namespace

std::vector<LawPicture> linkLawPictures(const Deck& study) {
  return std::visit(
      []<class L>(const L& law) -> std::vector<LawPicture> {
        if (law.axisCount() == 1) return axialLinkPictures(law);
        return {whirlPicture(law)};
      },
      study.links[0].law);
}

}  // namespace ricochet
