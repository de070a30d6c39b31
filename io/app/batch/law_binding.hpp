#pragma once

#include "engine/contact/contact_set.hpp"
#include "io/app/batch/variant_plan.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// A parameter that is nothing but numbers of contact laws: it can be put into a model without reading the
/// deck again.
///
/// Which numbers these are is found out and not assumed: the deck is read with the parameter's smallest and
/// largest value, and whatever number of a law or an obstacle has become that value is one of them. If
/// anything else of a contact has changed with it, there is no binding.
class LawBindings {
 public:
  /// Nothing unless every parameter that leaves the basis alone is bound. With `fixedSteps`, numbers that
  /// decide on the stable step are not.
  static std::optional<LawBindings> find(const VariantPlan& plan, bool fixedSteps);

  /// Puts the values of a variant into the contacts of a model. False if they contradict each other, so that
  /// the deck would be refused.
  bool apply(std::span<const double> values, ContactSet& contacts) const;

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
