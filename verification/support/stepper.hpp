#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/schemes/integrators.hpp"

#include <optional>
#include <vector>

namespace ricochet::test {

/// The steps of the loop of `run` (transient_loop.hpp) without archiving, for tests and benchmarks that count
/// or time them: one run, one scheme, a constant step. The run can be reset to the state at the call of
/// `mark`.
template <class I>
class Stepper {
 public:
  Stepper(const ModalModel& model, double h, State initial, const SchemeOptions& options = {})
      : equation_(model),
        integrator_(makeIntegrator<I>(model.linear, options)),
        state_(std::move(initial)),
        h_(h) {
    startIntegrator(integrator_, equation_, state_, h_);
    mark();
  }

  void step() {
    advanceStateOverJumpInstant(integrator_, equation_, state_, kSnap * h_, h_);
    const double end = origin_.time + static_cast<double>(++count_) * h_;
    found_ = takeStep() && found_;
    state_.time = end;
    acceptStep(integrator_, equation_, state_, h_, impacts_);
    if (equation_.contacts().events().size() > kEventsHandedOver) equation_.contacts().events().clear();
  }
  void steps(long n) {
    for (long i = 0; i < n; ++i) step();
  }

  /// Continues another run of a model with the same contacts from its present state.
  void continueFrom(const Stepper& other) {
    state_ = other.state_;
    equation_.start(state_);
    const ContactRun& contacts = other.equation_.contacts();
    equation_.contacts().restore(contacts.states(), contacts.acceptedAreaStates(),
                                 contacts.followedContacts());
    integrator_.vectorChangedByLoadJump(state_) = other.integrator_.vectorChangedByLoadJump(state_);
    mark();
  }

  /// True if every step found a solution.
  bool found() const { return found_; }

  void mark() {
    origin_ = state_;
    started_.emplace(integrator_);
    const auto states = equation_.contacts().states();
    contacts_.assign(states.begin(), states.end());
    areas_ = equation_.contacts().acceptedAreaStates();
    followed_ = equation_.contacts().followedContacts();
    count_ = 0;
  }
  /// This function allocates no memory.
  void restore() {
    state_ = origin_;
    equation_.start(state_);
    equation_.contacts().restore(contacts_, areas_, followed_);
    integrator_ = *started_;
    count_ = 0;
  }

  State& state() { return state_; }
  ModalEquation& equation() { return equation_; }
  I& integrator() { return integrator_; }

 private:
  static constexpr double kSnap = 1e-9;
  static constexpr std::size_t kEventsHandedOver = 1000;

  ModalEquation equation_;
  mutable I integrator_;
  mutable State state_;
  double h_;
  long count_{0};
  ImpactCounts impacts_;

  bool takeStep() {
    if constexpr (I::traits.implicit) return integrator_.step(equation_, state_, h_);
    integrator_.step(equation_, state_, h_);
    return true;
  }

  bool found_{true};
  State origin_;
  std::optional<I> started_;
  std::vector<ContactState> contacts_;
  ContactAreas areas_;
  FollowedContacts followed_;
};

}  // namespace ricochet::test
