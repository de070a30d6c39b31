#pragma once

#include "io/app/runs/comparison.hpp"
#include "io/hdf5/hdf5.hpp"

namespace ricochet {

/// Writes the histories, events and causes of a comparison to the group /comparison of a result.
void writeComparison(const H5File& file, const Comparison& comparison, const Deck& study);

}  // namespace ricochet
