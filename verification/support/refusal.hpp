#pragma once

#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"

#include <string>

namespace ricochet::test {

/// Problems for which a deck with this text is refused before the run; "none" if the deck can run.
inline std::string problemsOfRefusedDeck(const std::string& text) {
  try {
    prepare(studyOf(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace ricochet::test
