#pragma once

#include "io/archive/read_curve.hpp"

#include <map>
#include <string>
#include <utility>

namespace ricochet {

/// Replaces rounding errors in histories of nodes by zero: histories below 1e-12 of the largest value of
/// their field and unit in the result, and single values below 1e-12 of the largest value of their history.
/// Each field is read once.
class RoundingFilter {
 public:
  explicit RoundingFilter(const H5File& file) : file_(file) {}

  /// Returns the note that the curve became zero; empty otherwise.
  std::string setRoundingErrorsToZero(Curve& curve);

 private:
  /// Largest size of the translations and of the rotations of a field over all nodes and rows.
  const std::pair<double, double>& largestValuesOfGroup(const std::string& group, const std::string& field);

  const H5File& file_;
  std::map<std::string, std::pair<double, double>> largest_;  // by the path of the field
};

}  // namespace ricochet
