#include "io/archive/result_names.hpp"

#include "io/toml/read_names.hpp"

#include <fmt/core.h>

namespace ricochet {

std::string_view runGroupPrefix(Mode mode) noexcept { return mode == Mode::modal ? "" : "/direct"; }

std::string contactGroup(std::string_view name, Mode mode) {
  return fmt::format("{}/contacts/{}", runGroupPrefix(mode), objectName(name));
}

std::string linkGroup(std::string_view name, Mode mode) {
  return fmt::format("{}/links/{}", runGroupPrefix(mode), objectName(name));
}

std::string contactTable(Mode mode) { return std::string(runGroupPrefix(mode)) + "/contact_table"; }

}  // namespace ricochet
