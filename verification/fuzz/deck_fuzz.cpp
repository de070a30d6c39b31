// Decks: the TOML reader, every section, laws, functions, batches.

#include "io/deck/bare_deck.hpp"
#include "io/toml/document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  try {
    Diagnostics diagnostics;
    const Document deck =
        Document::parse({reinterpret_cast<const char*>(data), size}, "/nonexistent/deck.toml", diagnostics);
    diagnostics.throwIfAny();
    readDeck("/nonexistent/deck.toml", deck);
  } catch (const InputError&) {
    // refused, as it shall be
  }
  return 0;
}
