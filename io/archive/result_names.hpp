#pragma once

#include "engine/study/parts/mode.hpp"

#include <string>
#include <string_view>

namespace ricochet {

/// Where the groups of a run are: "" or "/direct".
std::string_view rootOf(Mode mode) noexcept;

/// Group of a contact: its name, with '/' (which HDF5 reserves) as '_'.
std::string contactGroup(std::string_view name, Mode mode = Mode::modal);

/// Group of a link, named likewise.
std::string linkGroup(std::string_view name, Mode mode = Mode::modal);

/// Group of the tables of very many contacts: "/contact_table", of a direct run "/direct/contact_table".
std::string contactTable(Mode mode);

}  // namespace ricochet
