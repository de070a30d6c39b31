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

/// Runs variants on one thread, one after the other or in lanes. A variant gives the same bits whatever ran
/// before it or beside it.
///
/// Variants of a group share the basis. If all that varies in a group is numbers of contact laws, they are
/// changed in place and nothing is read or allocated.
class VariantRunner {
 public:
  explicit VariantRunner(const VariantPlan& plan);

  VariantOutcome run(std::size_t variant, const VariantResult& result);

  /// Consecutive variants of one group, as many as there is time for: Ctrl-C leaves some pending.
  void run(std::size_t first, std::size_t count, VariantSink& sink);

  // for lanes, after the run of a variant of their group

  const VariantPlan& plan() const noexcept { return plan_; }
  const Simulation& simulation() const noexcept { return *simulation_; }
  const OutputRecorder& recorder() const noexcept;
  const TransientOptions& options() const noexcept;
  /// The model and the initial state of a variant. Throws InputError.
  State project(std::size_t variant, ModalModel& model);
  /// Of the variant that was projected last.
  const TransientOptions& projectedOptions() const noexcept { return projectedOptions_; }
  /// Makes the model of a variant out of that of another, if only numbers of laws differ.
  bool change(std::size_t variant, ModalModel& model) const;
  VariantOutcome outcomeOf(const Report& report, OutputRecorder& recorder,
                           std::span<const ContactTotals> totals, const VariantResult& result) const;

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
  TransientOptions projectedOptions_;
  std::unique_ptr<VariantLanes> lanes_;  // of the group; null: none, or not yet
  bool lanesKnown_{false};

 public:
  VariantRunner(const VariantRunner&) = delete;
  VariantRunner& operator=(const VariantRunner&) = delete;
  VariantRunner(VariantRunner&&) = delete;
  VariantRunner& operator=(VariantRunner&&) = delete;
  ~VariantRunner();
};

}  // namespace ricochet
