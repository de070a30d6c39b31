#pragma once

#include "io/app/runs/comparison.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// One number of a contact over the whole run, in both modes.
struct ComparedTotal {
  std::string quantity;  ///< "impacts", "peak force" ...
  std::string contact;
  std::string unit;
  double modal{0.0}, direct{0.0};
  /// Largest difference that sampling explains, two standard deviations; absent for a number that has no such
  /// estimate (the peak force), and for fewer than ten impacts.
  std::optional<double> sampling{};
};

/// Impacts, peak force, impulse and friction energy of the contacts. The sampling error takes the n impacts
/// of a contact as independent events (a Poisson process) that each add a random part, with a standard
/// deviation of its mean, to its impulse and energy: the variances are n and 2 S^2 / n of a sum S.
std::vector<ComparedTotal> compareTotals(const Study& study, const Comparison& comparison);

/// Sentence that states whether both modes agree and, if not, the cause: the step of the direct run, missing
/// modes, or a motion that is sensitive to both (chaos), whose statistics are then compared.
std::string comparisonVerdictText(const Study& study, const Comparison& comparison);

}  // namespace ricochet
