#pragma once

#include <string>

namespace ricochet {

/// A default that was taken because the deck does not give the key.
struct DefaultTaken {
  std::string path;
  std::string value;  ///< text of the value as in a deck
  std::string unit;
};

}  // namespace ricochet
