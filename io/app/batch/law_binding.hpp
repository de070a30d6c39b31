#pragma once

#include "engine/contact/contact_set.hpp"
#include "io/app/batch/variant_plan.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Parameters of a batch that only set numbers of contact laws: their values can be written into a model
/// without reading the deck again.
///
/// The numbers are found by comparison: the deck is read with the smallest and the largest value of the
/// parameter, and every number of a law or an obstacle that equals this value is bound to the parameter. If
/// anything else of a contact has changed too, there is no binding.
class LawBindings {
 public:
  /// Empty unless every parameter that does not change the basis is bound. With `fixedSteps`, numbers that
  /// determine the stable step are not bound.
  static std::optional<LawBindings> bindingsOfParameters(const VariantPlan& plan, bool fixedSteps);

  /// Writes the values of a variant into the contacts of a model. False if the values contradict each other,
  /// so that the deck would be rejected.
  bool applyToContactLaws(std::span<const double> values, ContactSet& contacts) const;

 private:
  struct Place {
    std::size_t parameter;
    int contact;
    int part;  ///< 0 obstacle, 1 normal law, 2 friction law
    std::size_t field;
  };
  std::vector<Place> places_;
};

}  // namespace ricochet
