#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct Curve;
class H5File;

/// What happened between the rows of a history, so that no picture of these rows can show it.
struct MissedBetweenRows {
  std::string brief;               ///< for the key of the picture; empty: nothing is missed
  std::vector<std::string> notes;  ///< a sentence each, for the terminal
};

/// Compares the rows of a quantity of a contact with the totals and the events of the run: a peak of the
/// normal force that no row holds, and times of contact without a row.
MissedBetweenRows missedBetweenRows(const H5File& file, const Curve& curve);

}  // namespace ricochet
