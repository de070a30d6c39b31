#include "io/deck/check_request.hpp"

#include <algorithm>

namespace ricochet {
namespace {

template <class Names>
int indexOfPart(const Names& names, std::string_view part) {
  return static_cast<int>(std::find(names.begin(), names.end(), part) - names.begin());
}

}  // namespace

QuantityAt CheckRequest::history() const {
  QuantityAt seen{quantity};
  if (node && dof) seen.dof = {*node, *dof};
  seen.body = link ? *link : contact.value_or(0);
  if (quantity->place == QuantityPlace::energyPart)
    seen.part = indexOfPart(EnergyProbe::kNames, part);
  else if (quantity->place == QuantityPlace::linkPart)
    seen.part = indexOfPart(kLinkParts, part);
  else if (seen.isLinkQuantity() && quantity->place != QuantityPlace::linkAxes)
    seen.part = static_cast<int>(memory);
  else
    seen.part = component.value_or(0);
  return seen;
}

}  // namespace ricochet
