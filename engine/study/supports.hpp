#pragma once

#include "engine/contact/contact.hpp"
#include "engine/event/event_scheme.hpp"
#include "engine/links/links.hpp"
#include "engine/schemes/integrators.hpp"

#include <string_view>
#include <vector>

namespace ricochet {

/// List of all schemes of the modal mode.
using Schemes = Integrators::After<EventScheme>;

/// Keywords of the schemes whose traits satisfy a condition.
template <class Condition>
std::vector<std::string_view> schemesWithTraits(Condition&& meets) {
  std::vector<std::string_view> found;
  Schemes::forEach([&]<class S>() {
    if (meets(S::traits)) found.push_back(S::keyword);
  });
  return found;
}
inline std::vector<std::string_view> schemeKeywords() {
  return schemesWithTraits([](const SchemeTraits&) { return true; });
}

/// Traits of the scheme with a keyword; null if no scheme has this keyword.
const SchemeTraits* schemeTraits(std::string_view keyword);

/// Reason, as a text ("true stick"), why a scheme does not support a law or a contact; empty if it does. The
/// traits of laws, obstacles and schemes decide.
std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const NormalTraits& law);
std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const FrictionTraits& law);
std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const Contact& contact);
std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const AnyLinkLaw& law);
inline bool isContactSupported(const SchemeTraits& scheme, const Contact& contact) {
  return reasonAgainstScheme(scheme, contact).empty();
}

}  // namespace ricochet
