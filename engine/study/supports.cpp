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
  if (traitsOf(contact.normal).setValued) return "a rigid contact";
  if (traitsOf(contact.friction).setValued) return "true stick";
  return {};
}

bool supportsLinks(std::string_view scheme) {
  return scheme != kEventScheme && !schemeTraits(scheme).setValued;
}

}  // namespace ricochet
