#include "io/archive/result_names.hpp"

#include "io/toml/read_names.hpp"

#include <fmt/core.h>

namespace ricochet {

std::string_view runGroupPrefix(Mode mode) noexcept { return mode == Mode::modal ? "" : "/direct"; }

std::string contactGroupPath(std::string_view name, Mode mode) {
  return fmt::format("{}/contacts/{}", runGroupPrefix(mode), hdf5ObjectName(name));
}

std::string linkGroupPath(std::string_view name, Mode mode) {
  return fmt::format("{}/links/{}", runGroupPrefix(mode), hdf5ObjectName(name));
}

std::string contactTablePath(Mode mode) { return std::string(runGroupPrefix(mode)) + "/contact_table"; }

NewGroup newGroupOfContactOrLink(const std::string& group, const std::string& name) {
  NewGroup made(group);
  made.reserveLink("time");
  if (name != hdf5ObjectName(name)) made.setAttribute("name", std::string_view(name));
  return made;
}

std::string deckNameOfGroup(const H5File& file, const std::string& group) {
  return file.hasAttribute(group, "name") ? file.stringAttribute(group, "name")
                                          : group.substr(group.rfind('/') + 1);
}

}  // namespace ricochet
