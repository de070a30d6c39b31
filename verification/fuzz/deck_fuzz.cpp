// Reads random decks: the TOML reader, all sections, laws, functions and batches.

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
    // An invalid deck is refused with an error, which is correct.
  }
  return 0;
}
