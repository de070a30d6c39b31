#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ricochet {

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

/// Where a variant's numbers go.
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
