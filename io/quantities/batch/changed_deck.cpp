#include "io/quantities/batch/changed_deck.hpp"

#include "io/quantities/batch/parameter_path.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/replace_value.hpp"

#include <fmt/core.h>

namespace ricochet {

namespace {

/// The deck with a new key in one of its tables, and the value of this key. A key that the table does not
/// know is refused when the deck is read.
Document deckWithAddedKey(const Document& document, const std::string& path, const std::string& value,
                          const std::string& where) {
  const std::size_t dot = path.rfind('.');
  const InputValue* table = dot == std::string::npos
                                ? &document.root
                                : findTableAtPath(document, std::string_view(path).substr(0, dot));
  if (table != nullptr && findTableOrListAtPath(document, path) == nullptr) {
    Document changed = documentWithAddedKey(
        document, *table, path.substr(dot == std::string::npos ? 0 : dot + 1), value, where);
    if (findValueAtPath(changed, path) != nullptr || findTableAtPath(changed, path) != nullptr)
      return changed;
    throw InputError(
        {where, 0, 0}, path,
        "cannot be added: the deck writes its table with dotted keys or in parts; write the table "
        "as one, NAME = { ... }, or under a header of its own");
  }
  if (findTableOrListAtPath(document, path) != nullptr)
    throw InputError(
        {where, 0, 0}, path,
        fmt::format("is a table that the deck does not write in braces, so that no value replaces it; its "
                    "keys can be replaced and added: {}.KEY=VALUE",
                    path));
  throw InputError({where, 0, 0}, path, describeMissingValue(document, path));
}

}  // namespace

Document deckWithChanges(Document document, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const std::string where = "--set " + change;
    const std::size_t sign = change.find('=');
    if (sign == std::string::npos) throw InputError({where, 0, 0}, "", "has the form PATH=VALUE");
    std::string path = change.substr(0, sign);
    while (path.ends_with(' ')) path.pop_back();
    if (path.empty() || path.ends_with('.'))
      throw InputError({where, 0, 0}, "", "names no key before the =; it has the form PATH=VALUE");
    const InputValue* place = findValueAtPath(document, path);
    const std::string value = change.substr(sign + 1);
    document = place == nullptr ? deckWithAddedKey(document, path, value, where)
                                : documentWithReplacedValue(document, *place, value, where);
  }
  return document;
}

Document loadChangedDeck(const std::filesystem::path& deck, const std::vector<std::string>& changes) {
  return deckWithChanges(Document::load(deck), changes);
}

}  // namespace ricochet
