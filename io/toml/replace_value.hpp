#pragma once

#include "io/toml/document.hpp"

namespace ricochet {

/// The document with the text `value` (TOML) in the place of one of its values; the rest of the text stays.
/// Throws InputError with the place `where` if the text is not one TOML value.
Document withValue(const Document& document, const InputValue& place, const std::string& value,
                   const std::string& where);

}  // namespace ricochet
