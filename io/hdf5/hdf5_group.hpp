#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {

/// A group whose attributes and links are known before it is created: its header has room for all of them.
/// What has none lies in further parts of the header, which take some bytes each.
class NewGroup {
 public:
  explicit NewGroup(std::string path) : path_(std::move(path)) {}

  void setAttribute(std::string name, double value) { attributes_.emplace_back(std::move(name), value); }
  void setAttribute(std::string name, std::string_view value) {
    attributes_.emplace_back(std::move(name), std::string(value));
  }
  void setAttribute(std::string name, std::vector<double> values) {
    attributes_.emplace_back(std::move(name), std::move(values));
  }
  /// Reserves room for numbers that become attributes later, and for links.
  void reserveNumber(std::string_view name);
  void reserveLink(std::string_view name);

  void create(const H5File& file) const;

 private:
  using Value = std::variant<double, std::string, std::vector<double>>;

  std::string path_;
  std::vector<std::pair<std::string, Value>> attributes_;
  std::size_t numbers_{0};  // that come later
  std::size_t laterBytes_{0};
};

}  // namespace ricochet
