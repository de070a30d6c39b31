#pragma once

#include "engine/numerics/dual.hpp"
#include "engine/numerics/series.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// Largest number of axes of a link, and largest number of its internal variables.
inline constexpr std::size_t kLinkAxes = 2;
inline constexpr std::size_t kLinkMemory = 6;

/// Motion of node 1 of a link relative to node 2, or to the ground, along the axes of the link: [m] and
/// [m/s], or [rad] and [rad/s].
template <class Real>
struct LinkMotion {
  std::array<Real, kLinkAxes> x{};
  std::array<Real, kLinkAxes> v{};
  Real time{0.0};  ///< instant of the motion [s]
  /// Upper limit of the damping of a law [N s/m], for schemes that use the force of the step before: a larger
  /// impulse of a dashpot would reverse the motion.
  double mostDamping{std::numeric_limits<double>::infinity()};
  /// True: the displacement is linear in time over the step. It follows from the force of the link, and a
  /// cubic through rates that follow from earlier forces would not be stable where the springs there are
  /// stiff.
  bool isStraight{false};
};

/// Response of a law to a motion: force, new internal variables, and event and force jump inside the step.
/// The force f acts on node 1 as -f and on node 2 as +f.
template <class Real>
struct LinkResponse {
  std::array<Real, kLinkAxes> force{};       ///< force f [N] or moment [N m]
  std::array<double, kLinkMemory> memory{};  ///< internal variables of the law
  double event{-1.0};  ///< fraction of the step at which the event of the law happens; -1: no event
  std::array<double, kLinkAxes> jump{};  ///< jump of the force inside the step [N]
  double jumpAt{0.0};                    ///< fraction of the step at which the force jumps
};

/// State of a link at one instant of a run. Energies count from the start.
struct LinkState : LinkResponse<double> {
  LinkMotion<double> motion{};
  double stored{0.0};      ///< recoverable energy [J]
  double dissipated{0.0};  ///< dissipated energy [J]
  double external{0.0};    ///< external work done by the law itself [J]
  /// Force rates f' [N/s] and f'' [N/s^2] in the views of links on dofs without inertia (link_in_series.hpp);
  /// 0 for other links.
  std::array<std::array<double, kLinkAxes>, 2> forceRates{};

  /// Sets motion, force and internal variables from the response of the law; energies are unchanged.
  void setResponse(const LinkMotion<double>& to, const LinkResponse<double>& response) noexcept {
    LinkResponse::operator=(response);
    motion = to;
  }
};

/// Description of one internal variable of a law, for results.
struct LinkVariable {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
};

/// Largest stiffness and damping of a law along one axis, for the step limit of explicit schemes.
struct LinkBounds {
  double stiffness{0.0};  ///< largest stiffness [N/m] or [N m/rad]
  double damping{0.0};    ///< largest damping [N s/m] or [N m s/rad]
};

/// Destination of the work of a law that its state alone does not account for.
enum class LinkWork : std::uint8_t {
  stored,  ///< the work is stored energy
  dissipated,
  external  ///< external work, done by the drive of the law
};

/// Links whose law in series with a spring without mass is again a law of the list: such a law has a member
/// function `lawWithSpringInSeries(flexibility)`, which returns the law of the series if this law exists.
enum class SeriesLawFor : std::uint8_t {
  noLink,
  uncoupledLink,  ///< links whose force is not coupled to other forces through the part without mass
  everyLink       ///< coupled links too
};

/// What other code asks of a law beside its force.
struct LinkTraits {
  LinkWork work;  ///< destination of the work that `addEnergiesOfStep` integrates by quadrature
  bool forceFollowsRate{false};  ///< needs a spring in series where its nodes have no inertia
  bool hidesRates{false};        ///< its pieces may differ in the rates of internal variables alone
  bool integratesForce{false};   ///< has `forceIntegral(from, to)`, the integral of f(x) [J]
  /// A dashpot in series relaxes: the law has `lawAfterRelaxation()`, the law of the force that remains at
  /// rest, and `internalVariablesAtRest(x)`, the internal variables at rest.
  bool relaxes{false};
  SeriesLawFor seriesLawFor{SeriesLawFor::noLink};
  bool actsOnRotations{false};  ///< across an axis it acts on rotations, not on displacements
};

/// A law of a link: force and internal variables as functions of the motion.
///
///     computeResponse   force and new internal variables at a motion, from an accepted state, which is not
///               changed. On dual numbers the result has the consistent tangent.
///     account   energies of an accepted step
///     bounds    stiffness and damping for the limit of explicit steps; evaluated at a motion if the law has
///               no global bound
///     kEvent    name of the event of the law, or empty
///     reasonAgainstPowerSeriesOfLaw   why the event scheme does not follow the law; empty: between the
///     instants at which
///               comparisons of `computeResponse` change, its force is a function of motion and time, which
///               `computeResponse` evaluates on series too
///     reasonAgainstSpringInSeries   why the law has no form in series with a spring without mass
///     (link_in_series.hpp);
///               empty: its force is a function of displacement, time and memory alone
///     kFirstDegree  if f(c x) = c f(x) for c > 0, optional: f may have no series where x = 0; event divides
///     the
///               motion by a power of the time there
///     traits    what other code asks of the law (`LinkTraits`)
template <class L>
concept LinkLaw = requires(const L law, const LinkState from, LinkState to, const LinkMotion<double> motion,
                           const LinkMotion<Dual<4>> varied) {
  { law.template computeResponse<double>(from, motion) }
  noexcept->std::same_as<LinkResponse<double>>;
  { law.template computeResponse<Dual<4>>(from, varied) }
  noexcept->std::same_as<LinkResponse<Dual<4>>>;
  law.addEnergiesOfStep(from, to);
  { law.slopeBounds(motion) } -> std::same_as<LinkBounds>;
  { law.axisCount() } -> std::convertible_to<std::size_t>;
  { law.reasonAgainstPowerSeriesOfLaw() } -> std::same_as<std::string_view>;
  { law.reasonAgainstSpringInSeries() } -> std::same_as<std::string_view>;
  { L::traits } -> std::convertible_to<LinkTraits>;
  L::keyword;
  L::numericParameters();
  L::internalVariables();
};

/// Motion at the middle of a step, on the cubics through displacements and rates of its ends.
inline LinkMotion<double> motionAtMidstep(const LinkMotion<double>& from,
                                          const LinkMotion<double>& to) noexcept {
  const double h = to.time - from.time;
  LinkMotion<double> middle;
  middle.time = 0.5 * (from.time + to.time);
  middle.mostDamping = to.mostDamping;
  middle.isStraight = to.isStraight;
  const double bend = to.isStraight ? 0.0 : 0.125 * h;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    middle.x[axis] = 0.5 * (from.x[axis] + to.x[axis]) + bend * (from.v[axis] - to.v[axis]);
    middle.v[axis] = 1.5 * (to.x[axis] - from.x[axis]) / h - 0.25 * (from.v[axis] + to.v[axis]);
  }
  return middle;
}

/// Reversal of the motion along an axis inside a step, on the cubic through displacements and rates of its
/// ends.
template <class Real>
struct TurningPoint {
  bool exists{false};
  double theta{0.0};  ///< fraction of the step at which the rate is zero
  Real x{};
};
/// Turning point inside a step, so that a law with the memory of an extreme value misses none in a long step.
/// By the envelope theorem the derivatives of the extreme equal the derivatives at a fixed fraction of the
/// step.
template <class Real>
TurningPoint<Real> turningPointOfMotionInStep(const LinkMotion<double>& from, const LinkMotion<Real>& to,
                                              std::size_t axis) noexcept {
  // The event scheme ends a step at a turning point.
  if constexpr (std::is_same_v<Real, Series>) return {};
  const double h = valueOf(to.time) - from.time;
  const double v0 = from.v[axis];
  const double v1 = valueOf(to.v[axis]);
  if (!(h > 0.0) || !(v0 * v1 < 0.0)) return {};
  // The velocity in the step is taken as v0 + b t + a t^2 with t in [0, 1].
  const double mean = (valueOf(to.x[axis]) - from.x[axis]) / h;
  const double a = 3.0 * (v0 + v1 - 2.0 * mean);
  const double b = 6.0 * mean - 4.0 * v0 - 2.0 * v1;
  const double q = -0.5 * (b + std::copysign(std::sqrt(b * b - 4.0 * a * v0), b));
  const double first = v0 / q;
  const double t = first > 0.0 && first < 1.0 ? first : q / a;
  if (!(t > 0.0 && t < 1.0)) return {};
  const double s = 1.0 - t;
  return {true, t,
          s * s * (1.0 + 2.0 * t) * from.x[axis] + t * t * (3.0 - 2.0 * t) * to.x[axis] + h * t * s * s * v0 -
              h * t * t * s * to.v[axis]};
}

/// Largest of `before` and x - gap along the first axis, inside a step too. For a series, the rate decides as
/// well: the value is no longer the largest after its turning point.
template <class Real>
Real largestPenetrationInStep(double before, double gap, const LinkMotion<double>& from,
                              const LinkMotion<Real>& to) noexcept(!std::is_same_v<Real, Series>) {
  const auto isRising = [&] { return !std::is_same_v<Real, Series> || to.v[0] > Real(0.0); };
  Real largest = Real(before);
  if (const Real x = to.x[0] - gap; x > largest && isRising()) largest = x;
  const TurningPoint<Real> peak = turningPointOfMotionInStep(from, to, 0);
  return peak.exists && peak.x - gap > largest ? peak.x - gap : largest;
}

/// Integral over a step of a power that is a function of the motion, by Simpson's rule [J].
template <class Power>
double workOfPowerOverStep(const Power& power, const LinkMotion<double>& from,
                           const LinkMotion<double>& to) noexcept {
  const double h = to.time - from.time;
  if (!(h > 0.0)) return 0.0;
  return h / 6.0 * (power(from) + 4.0 * power(motionAtMidstep(from, to)) + power(to));
}

}  // namespace ricochet
