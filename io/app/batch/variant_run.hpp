#pragma once

#include "engine/event/event_run.hpp"
#include "io/app/batch/law_binding.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/batch/output_recorder.hpp"
#include "io/quantities/batch/variant_outcome.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace ricochet {

class VariantLanes;

/// Runs variants on one thread, one after another or in lanes. The result of a variant is bit for bit
/// independent of the variants that ran before or beside it.
///
/// Variants of a group share the basis. If only parameters of contact laws vary in a group, these are changed
/// in place, and nothing is read or allocated.
class VariantRunner {
 public:
  explicit VariantRunner(const VariantPlan& plan);

  VariantOutcome runVariant(std::size_t variant, const VariantResult& result);

  /// Runs consecutive variants of one group; after Ctrl-C the remaining variants stay pending.
  void runVariants(std::size_t first, std::size_t count, VariantSink& sink);

  // Functions for the lanes, to be called after a variant of the group has been run.

  const VariantPlan& variantPlan() const noexcept { return plan_; }
  const Simulation& simulation() const noexcept { return *simulation_; }
  const OutputRecorder& outputRecorder() const noexcept;
  const TransientOptions& optionsOfVariantRun() const noexcept;
  /// Builds the model and returns the initial state of a variant. Throws InputError.
  State buildVariantModel(std::size_t variant, ModalModel& model);
  /// Options of the variant that was projected last.
  const TransientOptions& optionsOfBuiltVariant() const noexcept { return projectedOptions_; }
  /// Changes the model of another variant into the model of this variant; returns false if the variants
  /// differ in more than parameters of laws.
  bool changeModelToVariant(std::size_t variant, ModalModel& model) const;
  VariantOutcome outcomeOfVariantRun(const Report& report, OutputRecorder& recorder,
                                     std::span<const ContactTotals> totals,
                                     const VariantResult& result) const;

 private:
  struct Machine;

  void prepareVariant(std::size_t variant);
  VariantOutcome integrateVariant(const VariantResult& result);

  const VariantPlan& plan_;
  Document document_;
  std::unique_ptr<Simulation> simulation_;  // simulation with the basis of the group
  std::optional<std::uint32_t> group_;
  std::optional<LawBindings> bindings_;
  bool bindingsKnown_{false};
  std::unique_ptr<Machine> machine_;
  TransientOptions projectedOptions_;
  std::unique_ptr<VariantLanes> lanes_;  // lanes of the group; null: not usable, or not made yet
  bool lanesKnown_{false};

 public:
  VariantRunner(const VariantRunner&) = delete;
  VariantRunner& operator=(const VariantRunner&) = delete;
  VariantRunner(VariantRunner&&) = delete;
  VariantRunner& operator=(VariantRunner&&) = delete;
  ~VariantRunner();
};

}  // namespace ricochet
