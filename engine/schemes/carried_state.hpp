#pragma once

#include "engine/numerics/state.hpp"

#include <type_traits>

namespace ricochet {

/// Copy of the vectors that a scheme carries from step to step beside the state, so that a step can be
/// repeated: everything for a scheme with a memory of earlier steps, the force for any other scheme.
template <class I>
class CarriedState {
 public:
  void saveCarriedState(I& scheme, State& s) { kept_ = dataCarriedBetweenSteps(scheme, s); }
  void restore(I& scheme, State& s) const { dataCarriedBetweenSteps(scheme, s) = kept_; }

 private:
  static constexpr bool kRemembers = requires(I & scheme, State& s) { scheme.storeStateBeforeLoadJump(s); };
  using Carried = std::conditional_t<kRemembers, I, Vector>;
  static Carried& dataCarriedBetweenSteps(I& scheme, State& s) noexcept {
    if constexpr (kRemembers)
      return scheme;
    else
      return scheme.vectorChangedByLoadJump(s);
  }

  Carried kept_{};
};

}  // namespace ricochet
