#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Motion by the equations of the manual, without code of the engine. Columns are instants; rows are ux, uy,
/// uz of the nodes in `nodes`.
struct PlainMotion {
  std::vector<std::string> nodes;
  Eigen::MatrixXd positions;
};

/// Integrates a model whose equations are ordinary differential equations: masses, springs and dampers;
/// planes, slots, holes and spheres with penalty, Hertz, Hunt-Crossley or table; LuGre friction; links with
/// tables, formulas, antiseismic and Zener devices; loads and moving bases. Empty for other models, or if the
/// steps become too short.
std::optional<PlainMotion> integratePlainModel(const PartModel& model, const std::vector<double>& instants,
                                               double tolerance);

}  // namespace ricochet::cross
