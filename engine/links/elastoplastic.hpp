#pragma once

#include "engine/links/hardening.hpp"
#include "engine/links/link_law.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// An elastoplastic link along one axis, or in the plane of two axes with a yield circle.
///
/// Along one axis the return map is exact for a monotonic motion. A step that reverses is split at the
/// turning point, which is computed from displacements and rates of its ends. In the plane the displacement
/// is assumed to be a straight line over the step: with d the angle of f - X from this line and l the length
/// K |dx| of the path,
///     R d' = -sin d,   (K + H) p' = cos d        (per l)
/// which for constant R has the solution tan(d/2) -> tan(d/2) exp(-l/R). Four substeps use R at their
/// midpoint: exact without isotropic hardening, second order with isotropic hardening (R.D. Krieg, D.B.
/// Krieg, J. Press. Vessel Technol. 99 (1977) 510-515, for the angle).
///
/// The work R dp is dissipated; the kinematic hardening stores H u^2/2.
struct Elastoplastic {
  static constexpr std::string_view keyword = "elastoplastic";
  static constexpr std::string_view title = "Elastoplastic link";
  static constexpr std::string_view formula =
      "f = K (x - u)        u plastic displacement, K slope of the curve's first part\n"
      "|f - X| <= R(p)      X = 0 and R from the curve (isotropic), or R fixed and X = H u (kinematic)\n"
      "\n"
      "x   displacement of the first node relative to the second or to the ground [m]\n"
      "f   pushes the first node by -f and the second by +f [N]\n"
      "p   length of the way of u [m];   H  slope of the curve's second part [N/m]";
  static constexpr std::string_view source = "law DIS_ECRO_TRAC of Code_Aster, R5.03.17";
  static constexpr std::string_view kEvent = "yield";

  HardeningCurve curve{};
  bool tangential{false};

  static constexpr auto numericParameters() { return std::array<Field<Elastoplastic>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional(
            "displacement", "m", "[0.004, 0.02]",
            "x of the points of the hardening curve after (0, 0); the first ends the elastic part")
            .required()
            .allows("> 0, increasing"),
        DeckKey::optional("force", "N", "[400, 600]", "f there; slopes below that of the elastic part")
            .required()
            .allows("> 0, not decreasing"),
        DeckKey::optional("curve", "-", "\"hardening\"",
                          "the curve as a table of [functions] over the displacement")
            .insteadOf("displacement force")
            .refersToTables(
                "[functions.hardening]\ntimes = [0.0, 0.004, 0.02]\nvalues = [0.0, 400.0, 600.0]"),
        DeckKey::optional("hardening", "-", "\"kinematic\"", "what grows or moves; kinematic: two points")
            .allows("isotropic, kinematic")
            .defaultsTo("\"isotropic\""),
        DeckKey::optional("plane", "-", "\"tangential\"",
                          "along the axis, or both directions across it with one yield circle")
            .allows("axial, tangential")
            .defaultsTo("\"axial\"")};
  }
  static constexpr auto internalVariables() {
    return std::array{LinkVariable{"plastic_displacement_1", "m", "plastic displacement along axis 1"},
                      LinkVariable{"plastic_displacement_2", "m", "plastic displacement along axis 2"},
                      LinkVariable{"accumulated_plastic_displacement", "m", "length of its way"},
                      LinkVariable{"yielding", "1", "1 where the last step flowed"}};
  }
  static constexpr std::size_t kPlastic = 0, kAccumulated = 2, kYielding = 3, kLost = 4;
  static constexpr LinkTraits traits{.work = LinkWork::dissipated,
                                     .seriesLawFor = SeriesLawFor::uncoupledLink};
  std::string_view reasonAgainstPowerSeriesOfLaw() const noexcept {
    return tangential ? "a yield circle in the plane" : "";
  }
  static constexpr std::string_view reasonAgainstSpringInSeries() noexcept { return ""; }
  std::size_t axisCount() const noexcept { return tangential ? 2 : 1; }
  std::optional<Elastoplastic> lawWithSpringInSeries(double flexibility) const {
    Elastoplastic law = *this;
    law.curve = law.curve.curveWithSpringInSeries(flexibility);
    return law;
  }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& from, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.memory = from.memory;
    response.memory[kYielding] = 0.0;
    if constexpr (std::is_same_v<Real, Series>)
      computeForceSeriesOnBranch(from, to, response);
    else if (tangential)
      computeResponseInPlane(from, to, response);
    else
      computeResponseAlongAxis(from, to, response);
    if (response.memory[kYielding] == 0.0 || (tangential && from.memory[kYielding] != 0.0))
      response.event = -1.0;
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const std::array<double, kLinkMemory>& m = to.memory;
    const double square = to.force[0] * to.force[0] + to.force[1] * to.force[1];
    to.stored = 0.5 * square / curve.stiffness() + curve.kinematicHardeningEnergy(m[0] * m[0] + m[1] * m[1]);
    to.dissipated = from.dissipated + (m[kLost] - from.memory[kLost]);
  }

  /// Force by which a link along one axis is below its yield force at a displacement that it reaches without
  /// flow [N].
  double forceBelowYield(const LinkState& from, double x) const noexcept {
    const double u = from.memory[kPlastic];
    const double trial = curve.stiffness() * (x - u) - curve.kinematicHardeningModulus() * u;
    return curve.yieldForce(from.memory[kAccumulated]) - std::abs(trial);
  }

  LinkBounds slopeBounds(const LinkMotion<double>& /*at*/) const noexcept { return {curve.stiffness(), 0.0}; }

 private:
  template <class Real>
  using Plane = std::array<Real, 2>;

  /// Force along one axis as a series: elastic, or plastic flow as long as the direction of the motion and
  /// the piece of the yield curve do not change.
  void computeForceSeriesOnBranch(const LinkState& from, const LinkMotion<Series>& to,
                                  LinkResponse<Series>& response) const {
    const double u = from.memory[kPlastic], p = from.memory[kAccumulated];
    const double k = curve.stiffness();
    response.force[0] = k * (to.x[0] - Series(u));
    const Series trial = response.force[0] - Series(curve.kinematicHardeningModulus() * u);
    const double side = trial.value() < 0.0 ? -1.0 : 1.0;
    const Series excess = side * trial - Series(curve.yieldForce(p));
    static_cast<void>(-side * trial < Series(curve.yieldForce(p)));
    // After a flow that turned back, the force equals the yield force within rounding, on either side.
    constexpr double kRounding = 1e-12;
    const double margin = kRounding * curve.yieldForce(p);
    const bool outward = side * to.v[0].value() > 0.0;
    if (excess < Series(outward ? -margin : margin) || !outward) return;
    static_cast<void>(side * to.v[0] > Series(0.0));
    response.force[0] = response.force[0] - (k * side) * curve.plasticIncrement(Series(p), excess);
    response.memory[kYielding] = 1.0;
  }

  template <class Real>
  void computeResponseAlongAxis(const LinkState& from, const LinkMotion<Real>& to,
                                LinkResponse<Real>& response) const noexcept {
    Real u = Real(from.memory[kPlastic]);
    Real p = Real(from.memory[kAccumulated]);
    const TurningPoint<Real> turn = turningPointOfMotionInStep(from.motion, to, 0);
    bool flowed = from.memory[kYielding] != 0.0;
    if (turn.exists) {
      const double reached =
          returnToYieldForceOnSegment(Real(from.motion.x[0]), turn.x, flowed, u, p, response);
      if (reached >= 0.0) response.event = reached * turn.theta;
      flowed = false;
    }
    const double begin = turn.exists ? turn.theta : 0.0;
    const double reached = returnToYieldForceOnSegment(turn.exists ? turn.x : Real(from.motion.x[0]), to.x[0],
                                                       flowed, u, p, response);
    if (reached >= 0.0 && response.event < 0.0) response.event = begin + reached * (1.0 - begin);
    response.force[0] = curve.stiffness() * (to.x[0] - u);
    response.memory[kPlastic] = valueOf(u);
    response.memory[kAccumulated] = valueOf(p);
  }

  /// Return map for a monotonic segment. Returns the fraction of the segment at which yielding begins, or -1
  /// where none does: the flow is rounding, or it goes on from the segment before (`flowed`).
  template <class Real>
  double returnToYieldForceOnSegment(const Real& from, const Real& to, bool flowed, Real& u, Real& p,
                                     LinkResponse<Real>& response) const noexcept {
    constexpr double kRounding = 1e-12;  // relative to the yield force
    const double k = curve.stiffness();
    const Real limit = curve.yieldForce(p);
    const Real centre = curve.kinematicHardeningModulus() * u;
    const Real trial = k * (to - u) - centre;
    const double side = valueOf(trial) < 0.0 ? -1.0 : 1.0;
    const Real excess = side * trial - limit;
    if (!(excess > Real(0.0))) return -1.0;
    const double before = valueOf(side * (k * (from - u) - centre) - limit);
    const Real flow = curve.plasticIncrement(p, excess);
    response.memory[kLost] += curve.plasticWork(valueOf(p), valueOf(p + flow));
    u = u + side * flow;
    p = p + flow;
    const double rounding = kRounding * valueOf(limit);
    if (!(valueOf(excess) > rounding)) return -1.0;
    response.memory[kYielding] = 1.0;
    if (flowed && before > -rounding) return -1.0;
    return std::clamp(before / (before - valueOf(excess)), 0.0, 1.0);
  }

  template <class Real>
  void computeResponseInPlane(const LinkState& from, const LinkMotion<Real>& to,
                              LinkResponse<Real>& response) const noexcept {
    const double k = curve.stiffness();
    const double h = curve.kinematicHardeningModulus();
    const Plane<double> u{from.memory[0], from.memory[1]};
    const double limit = curve.yieldForce(from.memory[kAccumulated]);
    Plane<double> begin{};
    Plane<Real> way{}, end{};
    for (std::size_t i = 0; i < 2; ++i) {
      begin[i] = k * (from.motion.x[i] - u[i]) - h * u[i];
      way[i] = k * (to.x[i] - from.motion.x[i]);
      end[i] = begin[i] + way[i];
      response.force[i] = k * (to.x[i] - u[i]);
    }
    if (!(end[0] * end[0] + end[1] * end[1] > Real(limit * limit))) return;
    const Real length = sqrt(way[0] * way[0] + way[1] * way[1]);
    if (!(length > Real(0.0))) return;
    const Plane<Real> straight{way[0] / length, way[1] / length};
    // distance along the path to the yield circle; `begin` lies inside the circle up to rounding
    const Real along = begin[0] * straight[0] + begin[1] * straight[1];
    const double inside = std::max(0.0, limit * limit - begin[0] * begin[0] - begin[1] * begin[1]);
    const Real root = sqrt(along * along + inside);
    Real free = along > Real(0.0) ? inside / (along + root) : root - along;
    if (free > length) free = length;
    Turning<Real> state{.cosine = (along + free) / limit,
                        .sine = (straight[0] * begin[1] - straight[1] * begin[0]) / limit,
                        .plastic = Real(from.memory[kAccumulated])};
    rotateYieldForce(length - free, state);

    const Real radius = curve.yieldForce(state.plastic);
    const Plane<Real> held{radius * (state.cosine * straight[0] - state.sine * straight[1]),
                           radius * (state.cosine * straight[1] + state.sine * straight[0])};
    for (std::size_t i = 0; i < 2; ++i) {
      const Real plastic = (k * to.x[i] - held[i]) / (k + h);
      response.force[i] = k * (to.x[i] - plastic);
      response.memory[i] = valueOf(plastic);
    }
    response.memory[kAccumulated] = valueOf(state.plastic);
    response.memory[kYielding] = 1.0;
    response.memory[kLost] += curve.plasticWork(from.memory[kAccumulated], valueOf(state.plastic));
    response.event = std::clamp(valueOf(free) / valueOf(length), 0.0, 1.0);
  }

  /// Cosine and sine of the angle between f - X and the displacement path, and the accumulated plastic
  /// displacement.
  template <class Real>
  struct Turning {
    Real cosine;
    Real sine;
    Real plastic;
  };

  template <class Real>
  void rotateYieldForce(const Real& length, Turning<Real>& state) const noexcept {
    using std::exp;
    constexpr int kSubsteps = 4;
    const Real part = (1.0 / kSubsteps) * length;
    for (int i = 0; i < kSubsteps; ++i) {
      const Real half =
          state.sine /
          (1.0 + state.cosine);  // tan(d/2) at the start of the substep; d: angle from the path to f - X
      const Real before = curve.yieldForce(state.plastic);
      const Real middle = half * exp(-0.5 * part / before);
      const Real push = part * (1.0 - middle * middle) / (1.0 + middle * middle);
      if (push > Real(0.0)) state.plastic = state.plastic + curve.plasticIncrement(state.plastic, push);
      const Real radius = 0.5 * (before + curve.yieldForce(state.plastic));
      const Real after = half * exp(-part / radius);
      state.cosine = (1.0 - after * after) / (1.0 + after * after);
      state.sine = 2.0 * after / (1.0 + after * after);
    }
  }
};

}  // namespace ricochet
