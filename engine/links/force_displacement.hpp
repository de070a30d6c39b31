#pragma once

#include "engine/field.hpp"
#include "engine/links/link_function.hpp"
#include "engine/links/link_law.hpp"

#include <array>

namespace ricochet {

/// A spring of any characteristic:  f = f(x), by a table or a formula in x.
///
/// It stores the integral of f and dissipates nothing.
struct ForceDisplacement {
  static constexpr std::string_view keyword = "force_displacement";
  static constexpr std::string_view kEvent{};

  LinkFunction function{};

  static constexpr auto fields() { return std::array<Field<ForceDisplacement>, 0>{}; }
  static constexpr auto variables() { return std::array<LinkVariable, 0>{}; }
  std::size_t axes() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> respond(const LinkState& /*from*/, const LinkMotion<Real>& to) const noexcept {
    LinkResponse<Real> response;
    response.force[0] = function.at(to.x[0]);
    return response;
  }

  void account(const LinkState& from, LinkState& to) const noexcept {
    to.stored = from.stored + function.integral(from.motion.x[0], to.motion.x[0]);
  }

  LinkBounds bounds(const LinkMotion<double>& at) const noexcept {
    return {function.isFormula() ? function.slope(at.x[0]) : function.steepest(), 0.0};
  }
};

}  // namespace ricochet
