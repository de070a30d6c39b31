#pragma once

#include <stdexcept>

namespace ricochet {

/// What a command is asked for cannot be done: an unknown name, a file that may not be written. what() says
/// why.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ricochet
