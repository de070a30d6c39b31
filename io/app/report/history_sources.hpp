#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/hdf5/hdf5.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// Location of a history in a result: one column of a dataset.
struct HistorySource {
  std::string kind;      ///< "node", "contact", "link", "energy" or "coordinate"
  std::string owner;     ///< name of the node, contact or link; empty for the energy
  std::string quantity;  ///< "displacement"
  std::string part;      ///< component of a vector, "ux", or number of a tangent or mode; empty for a scalar
  std::string unit;
  std::string meaning;
  std::string group;   ///< group of the dataset, which holds its instants as `time`
  std::string path;    ///< the dataset
  H5Shape row;         ///< shape of its rows
  std::size_t offset;  ///< place of the column in a row

  /// Label as in expressions: "displacement(shoe, ux)".
  std::string labelOfHistory() const;
};

/// The contacts of a run that a page shows: their names, and the locations of their histories.
struct ShownContacts {
  std::vector<std::string> names;
  std::vector<std::size_t> numbers;  ///< places in a table of contacts
  std::string table;                 ///< group of the table; empty: each contact has a group of its own
  std::size_t all{0};                ///< contacts of the run
  std::string contactGroupPathOf(std::size_t i, Mode mode) const;
};

/// The contacts with the largest normal forces, at most `most` of them.
ShownContacts mostLoadedContacts(const H5File& file, Mode mode, std::size_t most);

/// Histories that a page shows, and sentences about omitted histories.
struct ShownHistories {
  std::vector<HistorySource> sources;
  ShownContacts contacts;
  std::vector<std::string> notes;
};

/// Chooses the histories of a run: the dofs with the largest displacements, the contacts with the largest
/// normal forces, links, energies.
ShownHistories selectShownHistories(const H5File& file, Mode mode);

}  // namespace ricochet
