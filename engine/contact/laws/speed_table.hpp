#pragma once

#include "engine/numerics/description.hpp"
#include "engine/numerics/real.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace ricochet {

/// Part of a speed table: between two speeds the coefficient is linear, mu = coefficient + slope v.
struct SpeedPiece {
  double coefficient{0.0};  ///< coefficient at v = 0 of the line [-]
  double slope{0.0};        ///< slope of the coefficient [s/m]
  double from{0.0};         ///< lower speed of the piece [m/s]
  double to{0.0};           ///< upper speed of the piece [m/s]
};

/// Coefficient of friction as a function of the slip speed, piecewise linear, constant beyond the last point.
struct SpeedTable {
  std::vector<double> speed;        ///< slip speeds [m/s], from 0, increasing
  std::vector<double> coefficient;  ///< friction coefficients [-]

  template <class Real>
  Real coefficientAt(const Real& v) const noexcept {
    Real mu(coefficient.back());
    for (std::size_t i = speed.size() - 1; i-- > 0;) {
      const double slope = (coefficient[i + 1] - coefficient[i]) / (speed[i + 1] - speed[i]);
      mu = select(Real(speed[i + 1]) > v, coefficient[i] + slope * (v - speed[i]), mu);
    }
    return mu;
  }

  /// The piece of the table at a slip speed v, positive against the traction; the coefficient at a negative v
  /// is that at |v|.
  SpeedPiece tablePieceAtSlipSpeed(double v) const noexcept {
    if (v < 0.0) return speedPieceOfOppositeSlip(tablePieceAtSlipSpeed(-v));
    const auto above = std::upper_bound(speed.begin() + 1, speed.end(), v);
    const auto i = static_cast<std::size_t>(above - speed.begin()) - 1;
    if (above == speed.end())
      return {coefficient.back(), 0.0, speed.back(), std::numeric_limits<double>::infinity()};
    const double slope = (coefficient[i + 1] - coefficient[i]) / (speed[i + 1] - speed[i]);
    return {coefficient[i] - slope * speed[i], slope, speed[i], speed[i + 1]};
  }

  /// Piece of the table beyond the speed `end`, where another piece ends; upwards (`way` 1) or downwards
  /// (`way` -1).
  SpeedPiece tablePieceBeyondSlipSpeed(double end, int way) const noexcept {
    if (end < 0.0 || (end == 0.0 && way < 0))
      return speedPieceOfOppositeSlip(tablePieceBeyondSlipSpeed(-end, -way));
    return tablePieceAtSlipSpeed(way > 0 ? end : std::nextafter(end, 0.0));
  }

  bool bearsTraction() const noexcept {
    return std::ranges::any_of(coefficient, [](double mu) { return mu > 0.0; });
  }

  static std::shared_ptr<const SpeedTable> makeExample() {
    static const auto table =
        std::make_shared<const SpeedTable>(SpeedTable{{0.0, 0.1, 1.0}, {0.3, 0.2, 0.25}});
    return table;
  }

  static SpeedPiece speedPieceOfOppositeSlip(const SpeedPiece& piece) noexcept {
    return {piece.coefficient, -piece.slope, -piece.to, -piece.from};
  }

  /// Deck keys that give a speed table.
  static constexpr std::array<DeckKey, 2> deckKeys() {
    return {DeckKey{.name = "velocity_law.speeds",
                    .unit = "m/s",
                    .example = "[0, 0.1, 1]",
                    .need = Need::required,
                    .meaning = "|s'| of the points of the table, from 0",
                    .allowed = "increasing"},
            DeckKey{.name = "velocity_law.coefficients",
                    .unit = "-",
                    .example = "[0.3, 0.2, 0.25]",
                    .need = Need::required,
                    .meaning = "mu there",
                    .allowed = ">= 0"}};
  }
};

}  // namespace ricochet
