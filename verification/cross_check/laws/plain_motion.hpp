#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Motion by the equations of the manual alone: no code of the engine. Columns are instants; rows are ux, uy,
/// uz of the nodes in `nodes`.
struct PlainMotion {
  std::vector<std::string> nodes;
  Eigen::MatrixXd positions;
};

/// Integrates a model whose equations are plain ordinary differential equations: masses, springs and dampers;
/// planes, slots, holes and spheres with penalty, Hertz, Hunt-Crossley or table; LuGre friction; links of
/// tables, formulas, antiseismic and Zener devices; loads and moving bases. Nothing for other models, or
/// where the steps become too short.
std::optional<PlainMotion> plainMotion(const PartModel& model, const std::vector<double>& instants,
                                       double tolerance);

}  // namespace ricochet::cross
