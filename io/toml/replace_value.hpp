#pragma once

#include "io/toml/document.hpp"

namespace ricochet {

/// The document with the text `value` (TOML) instead of one of its values; the rest of the text is unchanged.
/// Throws InputError with the place `where` if the text is not one TOML value.
Document documentWithReplacedValue(const Document& document, const InputValue& place,
                                   const std::string& value, const std::string& where);

/// The document with a new key and its value in one of its tables: a table in braces, a table with a header,
/// or the whole deck. The table must not have the key; other tables are unchanged. Throws InputError as
/// `documentWithReplacedValue`.
Document documentWithAddedKey(const Document& document, const InputValue& table, const std::string& key,
                              const std::string& value, const std::string& where);

}  // namespace ricochet
