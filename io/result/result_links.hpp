#pragma once

#include "engine/links/link_set.hpp"
#include "engine/transient/probes.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"

#include <span>
#include <string>
#include <vector>

namespace ricochet {

/// The quantities of a link in results: those of every link, then the internal variables of its law.
std::vector<LinkProbe> linkProbes(const Deck& study, const Simulation& simulation, std::size_t link);

/// Writes groups of the links, with their laws and axes as attributes.
void describeLinks(const H5File& file, const Deck& study, const Simulation& simulation);

/// Writes the internal variables of the links to GROUP/links, one row per link.
void writeLinkMemory(const H5File& file, const std::string& group, std::span<const LinkState> links);

}  // namespace ricochet
