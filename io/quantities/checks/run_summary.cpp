#include "io/quantities/checks/run_summary.hpp"

#include <algorithm>

namespace ricochet {

bool RunSummary::haveAllChecksPassed() const {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& r) { return r.passed; });
}

}  // namespace ricochet
