#pragma once

#include "engine/links/link_function.hpp"
#include "engine/links/link_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>

namespace ricochet {

/// A spring with a general force-displacement curve. The spring stores the integral of f and dissipates
/// nothing.
struct ForceDisplacement {
  static constexpr std::string_view keyword = "force_displacement";
  static constexpr std::string_view title = "Spring of any characteristic";
  static constexpr std::string_view formula =
      "f = f(x)\n"
      "\n"
      "x   displacement of the first node relative to the second or to the ground, along the axis [m]\n"
      "f   pushes the first node by -f and the second by +f [N]; straight between the points of a table";
  static constexpr std::string_view source =
      "the deck; RELA_EFFO_DEPL of Code_Aster, R5.06.03, with the opposite sign";
  static constexpr std::string_view kEvent{};

  LinkFunction function{};

  static constexpr auto numericParameters() { return std::array<Field<ForceDisplacement>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional("displacement", "m", "[-0.02, 0, 0.01, 0.02]", "x of the points of a table")
            .required()
            .allows("increasing"),
        DeckKey::optional("force", "N", "[-200, 0, 100, 400]", "f there").required(),
        DeckKey::optional("formula", "N", "\"1e4*x + 2e7*x^3\"", "f as a formula in x")
            .insteadOf("displacement force"),
        deckKeyForArgumentsOutsideTable("before", "below the table"),
        deckKeyForArgumentsOutsideTable("after", "beyond the table")};
  }
  static constexpr auto internalVariables() { return std::array<LinkVariable, 0>{}; }
  static constexpr LinkTraits traits{.work = LinkWork::stored, .integratesForce = true};
  static constexpr std::string_view reasonAgainstPowerSeriesOfLaw() noexcept { return ""; }
  static constexpr std::string_view reasonAgainstSpringInSeries() noexcept { return ""; }
  std::size_t axisCount() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.force[0] = function.at(to.x[0]);
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    to.stored = from.stored + forceIntegral(from.motion.x[0], to.motion.x[0]);
  }

  double forceIntegral(double from, double to) const noexcept { return function.integral(from, to); }

  LinkBounds slopeBounds(const LinkMotion<double>& at) const noexcept {
    return {function.isFormula() ? function.slope(at.x[0]) : function.largestSlope(), 0.0};
  }
};

}  // namespace ricochet
