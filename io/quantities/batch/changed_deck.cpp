#include "io/quantities/batch/changed_deck.hpp"

#include "io/quantities/batch/parameter_path.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/replace_value.hpp"

namespace ricochet {

Document loadChanged(const std::filesystem::path& deck, const std::vector<std::string>& changes) {
  Document document = Document::load(deck);
  for (const std::string& change : changes) {
    const std::string where = "--set " + change;
    const std::size_t sign = change.find('=');
    if (sign == std::string::npos) throw InputError({where, 0, 0}, "", "has the form PATH=VALUE");
    std::string path = change.substr(0, sign);
    while (path.ends_with(' ')) path.pop_back();
    const InputValue* place = findValue(document, path);
    if (place == nullptr) throw InputError({where, 0, 0}, path, noSuchValue(document, path));
    document = withValue(document, *place, change.substr(sign + 1), where);
  }
  return document;
}

}  // namespace ricochet
