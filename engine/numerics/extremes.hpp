#pragma once

namespace ricochet {

/// The larger of two numbers, or NaN where either is no number: std::max drops a NaN that comes second, and
/// what is watched for its largest value would look well.
constexpr double larger(double largest, double value) noexcept {
  return value > largest || value != value ? value : largest;
}

/// The smaller of two numbers, or NaN where either is no number.
constexpr double smaller(double least, double value) noexcept {
  return value < least || value != value ? value : least;
}

}  // namespace ricochet
