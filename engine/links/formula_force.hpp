#pragma once

#include "engine/functions/formula.hpp"
#include "engine/links/link_law.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <memory>
#include <span>

namespace ricochet {

/// A force given by a formula of x, v and t. Stored and dissipated parts cannot be separated, so all of its
/// work counts as external work.
struct FormulaForce {
  static constexpr std::string_view keyword = "force";
  static constexpr std::string_view title = "Force by a formula";
  static constexpr std::string_view formula =
      "f = f(x, v, t)\n"
      "\n"
      "x, v  displacement of the first node relative to the second or to the ground [m], its rate [m/s]\n"
      "t     time [s]\n"
      "f     pushes the first node by -f and the second by +f [N]";
  static constexpr std::string_view source = "the deck";
  static constexpr std::string_view kEvent{};
  static constexpr std::array<std::string_view, 3> kArguments{"x", "v", "t"};

  std::shared_ptr<const Formula> expression{};

  static constexpr auto numericParameters() { return std::array<Field<FormulaForce>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional("formula", "N", "\"1e4*x + 50*v*abs(v)\"", "f as a formula in x, v, t").required()};
  }
  static constexpr auto internalVariables() { return std::array<LinkVariable, 0>{}; }
  static constexpr LinkTraits traits{.work = LinkWork::external};
  static constexpr std::string_view reasonAgainstPowerSeriesOfLaw() noexcept { return ""; }
  std::string_view reasonAgainstSpringInSeries() const noexcept {
    return expression->containsVariable(1) ? "its force depends on the velocity" : "";
  }
  std::size_t axisCount() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    const std::array<Real, 3> at{to.x[0], to.v[0], Real(to.time)};
    LinkResponse<Real> response;
    response.force[0] = expression->evaluate(std::span<const Real>(at));
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const auto power = [&](const LinkMotion<double>& at) {
      return computeResponse(from, at).force[0] * at.v[0];
    };
    to.external = from.external - workOfPowerOverStep(power, from.motion, to.motion);
  }

  LinkBounds slopeBounds(const LinkMotion<double>& at) const noexcept {
    const std::array<Dual<2>, 3> near{Dual<2>(at.x[0], 0), Dual<2>(at.v[0], 1), Dual<2>(at.time)};
    const Dual<2> force = expression->evaluate(std::span<const Dual<2>>(near));
    return {force.slope(0), force.slope(1)};
  }
};

}  // namespace ricochet
