#pragma once

#include <optional>

namespace ricochet {

/// Number of modes to extract. Exactly one of the first three members is set.
struct BasisSelection {
  std::optional<int> modes{};            ///< the lowest modes, including rigid-body modes
  std::optional<double> frequencyMax{};  ///< all modes up to and including this frequency [Hz]
  bool all{false};                       ///< all modes, for small structures
  bool wholeMultiplets{false};  ///< true: adds modes to `modes` so that no group of equal frequencies is cut
};

}  // namespace ricochet
