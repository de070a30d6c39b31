#pragma once

#include <string>

namespace ricochet {

/// A default that was taken because the deck does not give the key.
struct DefaultTaken {
  std::string path;
  std::string value;  ///< text of the value as in a deck
  std::string unit;
  bool isTold{false};  ///< the heading of a run tells it too: the deck's own data may mean something else
};

}  // namespace ricochet
