#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// What `ricochet patch` is told, lengths in m.
struct PatchArguments {
  std::optional<std::string> outline;
  std::string pressure{"uniform"};
  double radius{1.0};
  double innerRadius{0.0};
  std::vector<double> halfSides;     ///< two
  std::vector<double> vertices;      ///< x y of each
  std::vector<double> gradient;      ///< two [1/m]
  std::vector<double> moments;       ///< M0, J, K, instead of a shape
  std::vector<double> coefficients;  ///< a1, a2, m1, m2
  double direction{0.0};             ///< [deg]
  std::vector<std::string> models;
  std::vector<std::size_t> bristles;  ///< rings, angles
  std::size_t points{61};
  std::optional<std::filesystem::path> table;
  std::optional<std::filesystem::path> picture;
  std::string title;
};

/// Prints moments, coefficients and curves of a contact area, and the error of each law.
int patchCommand(const PatchArguments& arguments);

}  // namespace ricochet
