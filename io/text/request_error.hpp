#pragma once

#include <stdexcept>

namespace ricochet {

/// A command cannot be executed: an unknown name, a file that cannot be written. what() gives the reason.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ricochet
