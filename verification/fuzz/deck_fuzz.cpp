// Decks: the TOML reader, every section, laws, functions, batches.

#include "io/deck/bare_deck.hpp"
#include "io/toml/document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  try {
    constexpr const char* kName = "/nonexistent/deck.toml";
    readDeck(kName, Document::parse({reinterpret_cast<const char*>(data), size}, kName));
  } catch (const InputError&) {
    // refused, as it shall be
  }
  return 0;
}
