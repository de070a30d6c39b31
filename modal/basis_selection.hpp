#pragma once

#include <optional>

namespace ricochet {

/// How many modes to extract. Exactly one of the first three is set.
struct BasisSelection {
  std::optional<int> modes{};            ///< the lowest ones, rigid-body modes included
  std::optional<double> frequencyMax{};  ///< all up to this frequency included [Hz]
  bool all{false};                       ///< the complete basis (small structures)
  bool wholeMultiplets{false};  ///< more than `modes` where they would cut a group of equal frequencies
};

}  // namespace ricochet
