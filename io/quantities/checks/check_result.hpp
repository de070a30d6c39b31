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
  std::optional<double> computed;  ///< absent: there is no such value (an event that did not happen)
  double limit{0.0};               ///< on the absolute difference
  bool passed{false};
  std::string source;
  std::optional<double> published;

  std::optional<double> difference() const {
    return computed ? std::optional(*computed - reference) : std::nullopt;
  }
};

/// The table of results: one row per check, then nothing. For a terminal or a log.
std::string formatChecks(const std::vector<CheckResult>& results);

/// The same rows as JSON.
std::string checksAsJson(const std::vector<CheckResult>& results);

}  // namespace ricochet
