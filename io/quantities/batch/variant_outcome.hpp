#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace ricochet {

/// What stands for an output or a history that a variant does not have: not a number, so that nothing takes
/// it for one.
inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// What became of a variant.
enum class VariantStatus : std::int8_t {
  pending,
  complete,
  diverged,
  notConverged,
  stepTooSmall,
  stalled,
  badInput  ///< its values contradict each other: the deck with them would be refused
};

/// What a variant left behind; outputs and histories beside it.
struct VariantOutcome {
  VariantStatus status{VariantStatus::pending};  ///< pending: interrupted
  double time{0.0};                              ///< instant reached [s]
  double seconds{0.0};                           ///< wall time [s]
  std::string reason{};                          ///< why it did not complete
};

/// Where a variant's numbers go; `kNoValue` where there is none.
struct VariantResult {
  std::span<double> outputs;
  std::span<std::uint8_t> defined;
  std::span<double> histories;  ///< history after history
};

/// Takes what variants leave behind.
class VariantSink {
 public:
  virtual ~VariantSink() = default;
  virtual VariantResult resultOf(std::size_t variant) = 0;
  virtual void take(std::size_t variant, const VariantOutcome& outcome) = 0;
};

}  // namespace ricochet
