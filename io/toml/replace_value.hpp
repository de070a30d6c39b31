#pragma once

#include "io/toml/document.hpp"

namespace ricochet {

/// The document with the text `value` (TOML) in the place of one of its values; the rest of the text stays.
/// Throws InputError with the place `where` if the text is not one TOML value.
Document withValue(const Document& document, const InputValue& place, const std::string& value,
                   const std::string& where);

/// The document with a key of a table in braces, of one with a header or of the whole deck, which lacks this
/// key; other tables stay as they are. Throws InputError as `withValue`.
Document withKey(const Document& document, const InputValue& table, const std::string& key,
                 const std::string& value, const std::string& where);

}  // namespace ricochet
