#pragma once

#include "engine/links/link_function.hpp"
#include "engine/links/link_law.hpp"
#include "engine/links/zener.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>

namespace ricochet {

/// A dashpot with a general force-velocity curve. All of its work is dissipated.
struct ForceVelocity {
  static constexpr std::string_view keyword = "force_velocity";
  static constexpr std::string_view title = "Dashpot of any characteristic";
  static constexpr std::string_view formula =
      "f = f(v)\n"
      "\n"
      "v   rate of the displacement of the first node relative to the second or to the ground [m/s]\n"
      "f   pushes the first node by -f and the second by +f [N]; straight between the points of a table";
  static constexpr std::string_view source =
      "the deck; RELA_EFFO_VITE of Code_Aster, R5.06.03, with the opposite sign";
  static constexpr std::string_view kEvent{};

  LinkFunction function{};

  static constexpr auto numericParameters() { return std::array<Field<ForceVelocity>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{DeckKey::optional("velocity", "m/s", "[-1, 0, 0.05, 1]", "v of the points of a table")
                          .required()
                          .allows("increasing"),
                      DeckKey::optional("force", "N", "[-200, 0, 100, 300]", "f there").required(),
                      DeckKey::optional("formula", "N", "\"3*v + 200*abs(v)*v\"", "f as a formula in v")
                          .insteadOf("velocity force"),
                      deckKeyForArgumentsOutsideTable("before", "below the table"),
                      deckKeyForArgumentsOutsideTable("after", "beyond the table")};
  }
  static constexpr auto internalVariables() { return std::array<LinkVariable, 0>{}; }
  static constexpr LinkTraits traits{
      .work = LinkWork::dissipated, .forceFollowsRate = true, .seriesLawFor = SeriesLawFor::everyLink};
  static constexpr std::string_view reasonAgainstPowerSeriesOfLaw() noexcept { return ""; }
  static constexpr std::string_view reasonAgainstSpringInSeries() noexcept {
    return "its force depends on the velocity, and not in proportion to it";
  }
  std::size_t axisCount() const noexcept { return 1; }
  std::optional<Zener> lawWithSpringInSeries(double flexibility) const noexcept {
    const std::optional<double> damping = function.proportionalFactor();
    return damping ? std::optional(Zener::makeMaxwell(*damping, flexibility)) : std::nullopt;
  }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.force[0] = function.at(to.v[0]);
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const auto power = [this](const LinkMotion<double>& at) { return function.at(at.v[0]) * at.v[0]; };
    to.dissipated = from.dissipated + workOfPowerOverStep(power, from.motion, to.motion);
  }

  LinkBounds slopeBounds(const LinkMotion<double>& at) const noexcept {
    return {0.0, function.isFormula() ? function.slope(at.v[0]) : function.largestSlope()};
  }
};

}  // namespace ricochet
