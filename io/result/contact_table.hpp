#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/deck/deck.hpp"

namespace ricochet {

class ContactRun;
class H5File;
struct Simulation;

/// Results of very many contacts. A group and some datasets for each cost 250 kB of memory and 12 kB of file;
/// beyond `kMostContactGroups` contacts the same quantities are columns of tables in one group instead, in
/// the order of its dataset `name`.
inline constexpr std::size_t kMostContactGroups = 256;

/// Whether the contacts of a study are kept so. Areas, which have quantities of their own, have groups
/// always.
bool keepsContactTable(const Deck& study) noexcept;

/// Names (in the group contactTable), frames and truncation indicators of the contacts; their laws are in
/// /deck.
void describeContactTable(const H5File& file, const Deck& study, const Simulation& simulation);

/// Impacts, impulses, dissipated energies and largest forces of the run; infinite ones of a run that failed
/// are left out.
void writeContactTableTotals(const H5File& file, const Deck& study, Mode mode, const ContactRun& contacts);

}  // namespace ricochet
