#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5_history.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ricochet {

class ContactRun;
class H5File;
struct Simulation;

/// Largest number of contacts with a group of their own. A group with its datasets costs 250 kB of memory and
/// up to 4 kB of file beside its values per contact; the quantities of more contacts are columns of tables in
/// a common group, in the order of its dataset `name`.
inline constexpr std::size_t kMostContactGroups = 256;

/// True if the contacts of a study are stored in a table. Contact areas, which have further quantities,
/// always have groups.
bool areContactsStoredInTable(const Deck& study) noexcept;

/// Axis of the values of a contact that are so many in each row: its tangents, or the axes of its frame.
Axis contactAxis(std::size_t size);
/// Histories of the states of a contact, or of all contacts of a table.
History historyOfContactStates(const std::string& group, H5Shape rowShape = {},
                               std::vector<Axis> axes = {{"time"}});

/// Writes names (into the group contactTable), frames and truncation indicators of the contacts; the contact
/// laws are in /deck.
void describeContactTable(const H5File& file, const Deck& study, const Simulation& simulation);

/// Writes impacts, impulses, dissipated energies and largest forces of the run; infinite values of a failed
/// run are omitted.
void writeContactTableTotals(const H5File& file, const Deck& study, Mode mode, const ContactRun& contacts);

}  // namespace ricochet
