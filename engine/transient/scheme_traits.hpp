#pragma once

#include "engine/numerics/trait.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace ricochet {

/// In which form a scheme takes the laws of a contact.
enum class ContactForm : std::uint8_t {
  trial,    ///< by trials, step by step: all but set-valued laws
  impulse,  ///< by impulses over a step: forces that are linear in the motion, and set-valued laws
  series    ///< state by state between events: forces with a series in time, and set-valued laws
};

/// What a scheme says of itself. No answer has a default.
struct SchemeTraits {
  Trait<int> order;      ///< in smooth motion with contacts; 0: as high as the tolerance asks for
  Trait<bool> adaptive;  ///< it chooses its steps
  Trait<bool> implicit;  ///< contacts act at the end of a step, which may find no solution
  Trait<ContactForm> contacts;
  Trait<bool> links;        ///< it follows links
  Trait<bool> varyingSpin;  ///< the matrices of the structure may change with time
  Trait<bool> direct;       ///< it also runs in physical coordinates
  Trait<bool> lanes;        ///< it also runs eight variants at a time
  Trait<bool> forecasts;    ///< the end of a step tells of a stick that broke away inside
  Trait<std::span<const std::string_view>> keys;  ///< keys of decks beside those that all schemes take
};

}  // namespace ricochet
