#include "io/deck/deck.hpp"

namespace ricochet {

Deck::Deck() = default;
Deck::Deck(const Deck&) = default;
Deck::Deck(Deck&&) noexcept = default;
Deck& Deck::operator=(const Deck&) = default;
Deck& Deck::operator=(Deck&&) noexcept = default;
Deck::~Deck() = default;

}  // namespace ricochet
