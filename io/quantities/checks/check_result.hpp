#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// One row of the verification table.
struct CheckResult {
  std::string deck;
  std::string quantity;  ///< "displacement", "event stick_to_slip #1", ...
  std::string where;     ///< "puller ux", "sole", "mode 1"
  std::optional<double> time;
  double reference{0.0};
  std::optional<double> computed;  ///< absent: no such value exists (an event that did not happen)
  double limit{0.0};               ///< limit of the absolute difference
  bool passed{false};
  std::string source;
  std::optional<double> published;

  std::optional<double> differenceFromReference() const {
    return computed ? std::optional(*computed - reference) : std::nullopt;
  }
};

/// The table of results for a terminal or a log: one line per check, and an empty line at the end.
std::string formatChecks(const std::vector<CheckResult>& results);

/// The results as JSON, one object per check.
std::string checksAsJson(const std::vector<CheckResult>& results);

}  // namespace ricochet
