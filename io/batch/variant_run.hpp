#pragma once

#include "engine/event/event_run.hpp"
#include "io/batch/law_binding.hpp"
#include "io/batch/output_recorder.hpp"
#include "io/batch/variant_plan.hpp"
#include "io/simulation.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// Runs variants one after the other, on one thread. A variant gives the same bits whatever ran before it.
///
/// Variants of a group share the basis. If all that varies in a group is numbers of contact laws, they are
/// changed in place and nothing is read or allocated.
class VariantRunner {
 public:
  explicit VariantRunner(const VariantPlan& plan);

  VariantOutcome run(std::size_t variant, const VariantResult& result);

  /// Instants of the histories; empty before the first variant.
  const std::vector<double>& historyTimes() const noexcept { return historyTimes_; }

 private:
  struct Machine;

  void takeUp(std::size_t variant);
  VariantOutcome integrate(const VariantResult& result);

  const VariantPlan& plan_;
  Document document_;
  std::unique_ptr<Simulation> simulation_;  // with the basis of the group
  std::optional<std::uint32_t> group_;
  std::optional<LawBindings> bindings_;
  bool bindingsKnown_{false};
  std::unique_ptr<Machine> machine_;
  std::vector<double> historyTimes_;

 public:
  VariantRunner(const VariantRunner&) = delete;
  VariantRunner& operator=(const VariantRunner&) = delete;
  VariantRunner(VariantRunner&&) = delete;
  VariantRunner& operator=(VariantRunner&&) = delete;
  ~VariantRunner();
};

}  // namespace ricochet
