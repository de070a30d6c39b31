#pragma once

#include "engine/numerics/trait.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace ricochet {

/// Form in which a scheme evaluates the laws of a contact.
enum class ContactForm : std::uint8_t {
  trial,    ///< trial evaluation in each step: all laws except set-valued laws
  impulse,  ///< impulse over a step: forces that are linear in the motion, and set-valued laws
  series    ///< contact states between events: forces with a power series in time, and set-valued laws
};

/// Properties of a scheme. No property has a default value.
struct SchemeTraits {
  Trait<int> order;      ///< order in smooth motion with contacts; 0: given by the tolerance
  Trait<bool> adaptive;  ///< the scheme chooses its steps
  Trait<bool> implicit;  ///< contacts act at the end of a step, which may have no solution
  Trait<ContactForm> contacts;
  Trait<bool> links;        ///< the scheme supports links
  Trait<bool> varyingSpin;  ///< the matrices of the structure may vary in time
  Trait<bool> direct;       ///< the scheme also runs in physical coordinates
  Trait<bool> lanes;        ///< the scheme also runs eight variants at a time
  Trait<bool> forecasts;    ///< the state at the end of a step shows that a stick ended inside the step
  Trait<bool> exactDrift;   ///< free modes move exactly within a step, however long it is
  /// Deck keys of this scheme in addition to those of all schemes.
  Trait<std::span<const std::string_view>> keys;
};

}  // namespace ricochet
