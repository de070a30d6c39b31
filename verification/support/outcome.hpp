#pragma once

#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ricochet::test {

/// Computed values of the checks of a deck, in their order, and the energy error.
struct StudyOutcome {
  std::vector<double> values;
  double energyError{0.0};
};

inline StudyOutcome outcomeOf(const Deck& study, Simulation& simulation) {
  const RunSummary summary = runStudy(study, simulation, {.result = {}, .force = false, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  StudyOutcome outcome{{}, summary.report.energyError};
  for (const CheckResult& check : summary.checks) outcome.values.push_back(check.computed.value());
  return outcome;
}

/// Largest difference of the numbers with the same index.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a.at(i) - b.at(i)));
  return largest;
}

}  // namespace ricochet::test
