#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct Curve;
class H5File;

/// Events between the rows of a history that a picture of the rows cannot show.
struct MissedBetweenRows {
  std::string brief;               ///< text for the key of the picture; empty: nothing is missed
  std::vector<std::string> notes;  ///< one sentence per note, for the terminal
};

/// The first and the last instant that are shown [s].
struct ShownTime {
  double from, to;
};

/// Compares the rows of a contact quantity with the totals and the events of the run: finds a peak of the
/// normal force that no row holds, and contact times without a row among those in the time that is shown.
MissedBetweenRows extremesBetweenRows(const H5File& file, const Curve& curve, const ShownTime& shown);

}  // namespace ricochet
