#pragma once

#include "engine/field.hpp"
#include "engine/links/link_function.hpp"
#include "engine/links/link_law.hpp"

#include <array>

namespace ricochet {

/// A dashpot of any characteristic:  f = f(v), by a table or a formula in v. All of its work is dissipated.
struct ForceVelocity {
  static constexpr std::string_view keyword = "force_velocity";
  static constexpr std::string_view kEvent{};

  LinkFunction function{};

  static constexpr auto fields() { return std::array<Field<ForceVelocity>, 0>{}; }
  static constexpr auto variables() { return std::array<LinkVariable, 0>{}; }
  std::size_t axes() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> respond(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.force[0] = function.at(to.v[0]);
    return response;
  }

  void account(const LinkState& from, LinkState& to) const noexcept {
    const auto power = [this](const LinkMotion<double>& at) { return function.at(at.v[0]) * at.v[0]; };
    to.dissipated = from.dissipated + workOf(power, from.motion, to.motion);
  }

  LinkBounds bounds(const LinkMotion<double>& at) const noexcept {
    return {0.0, function.isFormula() ? function.slope(at.v[0]) : function.steepest()};
  }
};

}  // namespace ricochet
