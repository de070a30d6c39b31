#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace ricochet {

/// Marks an output or a history that a variant does not have: NaN, which cannot be mistaken for a result.
inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Final state of a variant.
enum class VariantStatus : std::int8_t {
  pending,
  complete,
  diverged,
  notConverged,
  stepTooSmall,
  stalled,
  badInput  ///< the values contradict each other: the deck with these values would be rejected
};

/// Outcome of one variant (status, message); its outputs and histories are stored separately.
struct VariantOutcome {
  VariantStatus status{VariantStatus::pending};  ///< pending: not run, or interrupted
  double time{0.0};                              ///< instant reached [s]
  double seconds{0.0};                           ///< wall time [s]
  std::string reason{};                          ///< why the variant did not complete
};

/// Memory for the outputs and histories of a variant; kNoValue marks missing values.
struct VariantResult {
  std::span<double> outputs;
  std::span<std::uint8_t> defined;
  std::span<double> histories;  ///< histories, one after another
};

/// Receives the outcomes of variants.
class VariantSink {
 public:
  virtual ~VariantSink() = default;
  virtual VariantResult resultOfVariant(std::size_t variant) = 0;
  virtual void receiveVariantOutcome(std::size_t variant, const VariantOutcome& outcome) = 0;
};

}  // namespace ricochet
