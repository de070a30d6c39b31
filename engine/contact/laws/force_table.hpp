#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// Piecewise linear force over the penetration, starting at (0, 0).
struct ForcePieces {
  std::vector<double> penetration;  ///< [m], from 0, increasing
  std::vector<double> force;        ///< [N], from 0, not decreasing

  double slope(std::size_t i) const noexcept {
    return (force[i + 1] - force[i]) / (penetration[i + 1] - penetration[i]);
  }
};

/// Elastic contact given by a table that was measured or computed elsewhere.
struct ForceTable {
  static constexpr std::string_view keyword = "table";
  static constexpr std::string_view title = "Table of the force over the penetration";
  static constexpr std::string_view formula =
      "N = F(d),   d = max(0, -g)\n"
      "\n"
      "g   gap [m], negative in penetration\n"
      "F   table [N], not decreasing, F(0) = 0; straight between its points and beyond the last one";
  static constexpr std::string_view source = "the deck: measured or computed elsewhere";
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = false,
                                       .form = ForceForm::pieces,
                                       .asksRate = false,
                                       .spring = false,
                                       .remembersApproach = false,
                                       .stiffens = false,
                                       .numbersOnly = false,
                                       .lanes = false};

  std::shared_ptr<const ForcePieces> pieces{makeExample()};

  static constexpr auto numericParameters() { return std::array<Field<ForceTable>, 0>{}; }
  static constexpr auto deckKeys() {
    return std::array{DeckKey{.name = "penetration",
                              .unit = "m",
                              .example = "[0, 1.5e-3, 3e-3]",
                              .need = Need::required,
                              .meaning = "d of the points of the table, from 0",
                              .allowed = "increasing"},
                      DeckKey{.name = "force",
                              .unit = "N",
                              .example = "[0, 150, 1650]",
                              .need = Need::required,
                              .meaning = "F there, from 0",
                              .allowed = "not decreasing"}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    if (state != NormalState::closed) return Real(0.0);
    return select(k.gap > Real(0.0), Real(0.0), interpolatedForce(-k.gap));
  }
  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return {state == NormalState::closed ? -k.gap : k.gap, Real(1.0)};
  }
  NormalState stateAfterTransition(NormalState state, std::size_t) const noexcept {
    return state == NormalState::closed ? NormalState::open : NormalState::closed;
  }
  /// Elastic energy: integral of the tabulated force from 0 to the penetration [J].
  template <class Real>
  Real storedEnergy(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    if (state == NormalState::open) return Real(0.0);
    const Real d = -k.gap;
    Real energy(0.0);
    for (std::size_t i = 0; i + 1 < pieces->force.size(); ++i) {
      const double start = pieces->penetration[i];
      const bool last = i + 2 == pieces->force.size();
      const Real within =
          last ? d : select(d > Real(pieces->penetration[i + 1]), Real(pieces->penetration[i + 1]), d);
      const Real x = within - start;
      energy =
          energy + select(d > Real(start), x * (pieces->force[i] + (0.5 * pieces->slope(i)) * x), Real(0.0));
    }
    return energy;
  }

  std::span<const double> penetrationsAtTableKinks() const noexcept {
    return std::span(pieces->penetration).subspan(1, pieces->penetration.size() - 2);
  }

  double contactStiffness() const noexcept {
    double steepest = 0.0;
    for (std::size_t i = 0; i + 1 < pieces->force.size(); ++i)
      steepest = std::max(steepest, pieces->slope(i));
    return steepest;
  }
  double contactDamping() const noexcept { return 0.0; }
  bool doesForceDependOnGapRate() const noexcept { return false; }

  /// The law in series with a spring: the same forces at the penetrations d + S F of both springs.
  std::optional<ForceTable> lawWithSpringInSeries(double flexibility) const {
    auto both = std::make_shared<ForcePieces>(*pieces);
    for (std::size_t i = 0; i < both->force.size(); ++i) both->penetration[i] += flexibility * both->force[i];
    return ForceTable{std::move(both)};
  }

  /// Example: a spring of 1e5 N/m whose stiffness is 1e6 N/m beyond 1.5 mm.
  static std::shared_ptr<const ForcePieces> makeExample() {
    static const auto pieces =
        std::make_shared<const ForcePieces>(ForcePieces{{0.0, 1.5e-3, 3e-3}, {0.0, 1.5e2, 1.65e3}});
    return pieces;
  }

 private:
  template <class Real>
  Real interpolatedForce(const Real& d) const noexcept {
    Real result = pieces->force[0] + pieces->slope(0) * (d - pieces->penetration[0]);
    for (std::size_t i = 1; i + 1 < pieces->force.size(); ++i)
      result = select(d > Real(pieces->penetration[i]),
                      pieces->force[i] + pieces->slope(i) * (d - pieces->penetration[i]), result);
    return result;
  }
};

}  // namespace ricochet
