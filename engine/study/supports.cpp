#include "engine/study/supports.hpp"

#include "engine/event/event_scheme.hpp"
#include "engine/schemes/integrators.hpp"

#include <variant>

namespace ricochet {

std::vector<std::string_view> schemeKeywords() {
  std::vector<std::string_view> all{kEventScheme};
  Integrators::forEach([&]<class I>() { all.push_back(I::keyword); });
  return all;
}

std::string_view whyNot(std::string_view scheme, const Contact& contact) {
  if (scheme == kEventScheme) return whyNotByEvents(contact);
  if (schemeTraits(scheme).setValued) return whyNotByMoreau(contact);
  const auto setValued = [](const auto& law) { return law.kSetValued; };
  if (std::visit(setValued, contact.normal)) return "a rigid contact";
  if (std::visit(setValued, contact.friction)) return "true stick";
  return {};
}

bool supportsLinks(std::string_view scheme) {
  return scheme != kEventScheme && !schemeTraits(scheme).setValued;
}

}  // namespace ricochet
