#pragma once

#include "engine/accounts/events.hpp"
#include "engine/functions/formula.hpp"
#include "physical/dof.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A quantity of a run that has a value at every instant: `displacement(shoe, ux)`, `gap(sole)`.
struct OutputChannel {
  enum class Kind : unsigned char {
    displacement,  ///< of a node along a dof [m], [rad]
    velocity,
    acceleration,
    gap,              ///< of a contact [m]
    normalForce,      ///< [N]
    tangentialForce,  ///< along tangent 1 or 2, or its size [N]
    slipVelocity,     ///< likewise [m/s]
    linkForce,        ///< of a link, along an axis or its size [N]
    linkDisplacement  ///< likewise [m]
  };
  Kind kind{Kind::displacement};
  Dof dof{};
  int contact{0};    ///< or link
  int component{0};  ///< 1 or 2; 0: the norm

  bool isKinematic() const noexcept { return kind <= Kind::acceleration; }
  bool isOfLink() const noexcept { return kind >= Kind::linkForce; }
  bool operator==(const OutputChannel&) const = default;
};

/// A formula over channels: `abs(displacement(shoe, ux) - 0.001)`.
struct HistoryExpression {
  std::string text;
  Formula formula;
  std::vector<OutputChannel> channels;  ///< the formula's variables
};

/// One number that a run leaves: a history reduced to a number, or something that is told at the end.
struct OutputTerm {
  enum class Kind : unsigned char {
    max,
    min,
    mean,
    rms,
    peakToPeak,
    at,    ///< value at `time`
    last,  ///< value at the end
    eventTime,
    eventCount,
    impulse,         ///< of a contact's normal force [N s]
    frictionEnergy,  ///< dissipated by slip [J]
    wearPower,       ///< mean of N times the slip speed, as of checks and statistics [W]
    energyError      ///< largest residual of the energy ledger over the largest energy
  };
  Kind kind{Kind::last};
  std::optional<HistoryExpression> history{};
  double time{0.0};
  std::optional<double> from{}, to{};  ///< part of the run that a statistic looks at [s]
  int contact{0};                      ///< as of an Event
  EventKind event{EventKind::closing};
  int index{1};  ///< of an event, from 1

  /// Whether it looks at the whole history.
  bool isStatistic() const noexcept { return kind <= Kind::peakToPeak; }
};

/// A formula over terms: `max(abs(displacement(shoe, ux)))/0.001`.
struct OutputExpression {
  Formula formula;
  std::vector<OutputTerm> terms;  ///< the formula's variables
};

/// What a formula makes of its first variable.
enum class FormulaShape : unsigned char { other, variable, absolute };
FormulaShape shapeOf(const Formula& formula);

/// What an expression may name, in the order of their indices.
struct ExpressionNames {
  std::vector<std::string> nodes;
  std::vector<std::string> contacts;
  std::vector<std::string> links{};
  std::map<std::string, int, std::less<>> otherNodes{};  ///< other names of nodes
  std::function<bool(const Dof&)> hasDof{};              ///< empty: every node has every dof
};

/// Reads an expression. Histories become numbers by max, min, mean, rms, peak_to_peak, last or at(x, t);
/// everything around them is the formula language of functions. Throws FormulaError.
OutputExpression parseOutput(std::string_view text, const ExpressionNames& names);

/// The same of a history. Throws FormulaError.
HistoryExpression parseHistory(std::string_view text, const ExpressionNames& names);

}  // namespace ricochet
