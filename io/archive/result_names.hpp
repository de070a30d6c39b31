#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_group.hpp"

#include <string>
#include <string_view>

namespace ricochet {

/// Parent group of the groups of a run: "" or "/direct".
std::string_view runGroupPrefix(Mode mode) noexcept;

/// Group of a contact: its name with '_' for '/', which HDF5 reserves.
std::string contactGroupPath(std::string_view name, Mode mode = Mode::modal);

/// Group of a link: its name with '_' for '/'.
std::string linkGroupPath(std::string_view name, Mode mode = Mode::modal);

/// Group of the tables of numerous contacts: "/contact_table", for a direct run "/direct/contact_table".
std::string contactTablePath(Mode mode);

/// A group of a contact or link with room for its time; its attribute `name` holds the name if the group has
/// another.
NewGroup newGroupOfContactOrLink(const std::string& group, const std::string& name);

/// Name that the deck gives the contact or link of a group.
std::string deckNameOfGroup(const H5File& file, const std::string& group);

}  // namespace ricochet
