#pragma once

#include "engine/contact/contact.hpp"

#include <string_view>
#include <vector>

namespace ricochet {

/// All schemes of the modal mode by their keywords, event first.
std::vector<std::string_view> schemeKeywords();

/// Why a scheme cannot follow a contact as it is, in words ("true stick"); empty: it follows the contact. The
/// traits of laws and obstacles decide, and the scheme's.
std::string_view whyNot(std::string_view scheme, const Contact& contact);
inline bool supports(std::string_view scheme, const Contact& contact) {
  return whyNot(scheme, contact).empty();
}

/// Whether a scheme follows links.
bool supportsLinks(std::string_view scheme);

}  // namespace ricochet
