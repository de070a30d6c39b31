#include "engine/study/study_links.hpp"

#include "engine/study/support_shift.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <concepts>

namespace ricochet {
namespace {

/// Motion of a dof due to an imposed field beside its coordinates: the whole field if the coordinates are
/// relative, the motion of the supports alone if the coordinates describe the absolute motion
/// (support_shift.hpp). A support without elements is not part of the model.
double motionOf(Dof which, const DofMap& dofs, const ImposedField& field, bool inSpace) {
  if (const DofIndex dof = dofs.find(which); dof.exists() && !inSpace) return field.field[dof.value];
  const bool moves = std::find(field.supports.begin(), field.supports.end(), which) != field.supports.end();
  return moves ? field.direction[static_cast<std::size_t>(which.component)] : 0.0;
}

/// Components of an imposed field along the axes of a link.
std::array<double, kLinkAxes> alongAxes(const LinkRequest& request, const DofMap& dofs,
                                        const ImposedField& field, bool inSpace) {
  std::array<double, kLinkAxes> factors{};
  const auto add = [&](NodeIndex node, double sign) {
    for (std::size_t axis = 0; axis < request.axes.size(); ++axis)
      for (int c = 0; c < kComponents; ++c)
        factors[axis] += sign * request.axes[axis][static_cast<std::size_t>(c)] *
                         motionOf({node, componentAt(c)}, dofs, field, inSpace);
  };
  add(request.first, 1.0);
  if (request.second) add(*request.second, -1.0);
  return factors;
}

void addDrives(const Study& study, const LinkRequest& request, const Simulation& simulation, Link& link) {
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    if (!motion.ofSupports) continue;  // a moving frame gives no relative motion to the link
    const auto factors =
        alongAxes(request, simulation.physical.dofs, simulation.imposed[i], seesSupportsMove(study));
    if (factors == std::array<double, kLinkAxes>{}) continue;
    if (!motion.displacement || !motion.velocity)
      throw StudyError(
          StudyProblem{motion.displacement ? "base_motions.velocity" : "base_motions.displacement",
                       fmt::format("missing: link \"{}\" moves with these supports", request.name),
                       partOf(study, motion)});
    link.drives.push_back({*motion.displacement, *motion.velocity, factors});
  }
}

/// Bounds of a link for the limit of explicit steps; for a formula the slopes at the initial motion, as far
/// as they are finite.
LinkBounds boundsOf(const LinkRequest& request, const LinkMotion<double>& start, Simulation& simulation) {
  const LinkBounds found = std::visit([&](const auto& law) { return law.bounds(start); }, request.law);
  const auto sound = [](double value) { return std::isfinite(value) ? std::max(0.0, value) : 0.0; };
  const LinkBounds bounds{sound(found.stiffness), sound(found.damping)};
  const bool formula = std::visit(
      []<class L>(const L& law) {
        if constexpr (requires { law.function; }) return law.function.isFormula();
        return requires { law.expression; };
      },
      request.law);
  if (formula && simulation.mode == Mode::modal)
    simulation.choices.push_back(
        fmt::format("links.{}: the limit of explicit steps takes its slopes at the start, {:.4g} N/m and "
                    "{:.4g} N s/m; where f over x is steeper, a step is replaced by parts (devogelaere does "
                    "not); where f over v is, take a smaller step",
                    request.name, bounds.stiffness, bounds.damping));
  return bounds;
}

/// True if a function jumps between a < b: what its slopes do not explain remains in ever shorter intervals.
bool jumpsBetween(const LinkFunction& f, double a, double b) {
  constexpr int kHalvings = 100;
  constexpr double kRounding = 1e-9;
  for (int i = 0; i < kHalvings; ++i) {
    const double atA = f.at(a), atB = f.at(b);
    const double change = std::abs(atB - atA);
    if (!std::isfinite(change)) return true;
    const double steepest = std::max(std::abs(f.slope(a)), std::abs(f.slope(b)));
    if (change <= kRounding * (std::abs(atA) + std::abs(atB)) || change <= 4.0 * steepest * (b - a))
      return false;
    const double middle = 0.5 * (a + b);
    (std::abs(f.at(middle) - atA) > 0.5 * change ? b : a) = middle;
  }
  return true;
}

/// True if a function jumps, or becomes ever steeper towards 0, for arguments from 1e-9 to 1e3 of both signs.
bool isRough(const LinkFunction& f) {
  constexpr double kSmallest = 1e-9, kLargest = 1e3, kRatio = 1.12, kFar = 1e4, kSteeper = 20.0;
  if (jumpsBetween(f, -kSmallest, kSmallest)) return true;
  for (const double side : {-1.0, 1.0}) {
    const double near = std::abs(f.slope(side * kSmallest));
    if (!(near <= kSteeper * std::abs(f.slope(side * kFar * kSmallest))) && near > 0.0) return true;
    for (double x = kSmallest; x < kLargest; x *= kRatio)
      if (jumpsBetween(f, std::min(side * x, side * kRatio * x), std::max(side * x, side * kRatio * x)))
        return true;
  }
  return false;
}

}  // namespace

bool mayJump(const AnyLinkLaw& any) {
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (std::same_as<L, ForceDisplacement>) return isRough(law.function);
        if constexpr (requires { law.expression->isSmooth(); }) return !law.expression->isSmooth();
        return std::same_as<L, ForceVelocity>;
      },
      any);
}

Eigen::Matrix<double, 2, Eigen::Dynamic> linkRows(const LinkRequest& request, const Simulation& simulation) {
  Eigen::Matrix<double, 2, Eigen::Dynamic> rows =
      Eigen::Matrix<double, 2, Eigen::Dynamic>::Zero(2, simulation.size());
  const auto add = [&](NodeIndex node, double sign) {
    for (std::size_t axis = 0; axis < request.axes.size(); ++axis)
      for (int c = 0; c < kComponents; ++c)
        if (const double factor = request.axes[axis][static_cast<std::size_t>(c)]; factor != 0.0)
          rows.row(static_cast<Eigen::Index>(axis)) += sign * factor * simulation.row({node, componentAt(c)});
  };
  add(request.first, 1.0);
  if (request.second) add(*request.second, -1.0);
  return rows;
}

std::vector<Link> linksOf(const Study& study, Simulation& simulation) {
  std::vector<Link> links;
  for (const LinkRequest& request : study.links) {
    Link link;
    link.law = request.law;
    link.rows = linkRows(request, simulation);
    addDrives(study, request, simulation, link);
    const State& s = simulation.initial;
    LinkMotion<double> start;
    start.time = s.time;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto row = link.rows.row(static_cast<Eigen::Index>(axis));
      start.x[axis] = row.dot(s.q.head(row.size()));
      start.v[axis] = row.dot(s.v.head(row.size()));
      for (const LinkDrive& drive : link.drives) {
        start.x[axis] += drive.factors[axis] * drive.displacement.at(s.time);
        start.v[axis] += drive.factors[axis] * drive.velocity.at(s.time);
      }
    }
    link.bounds = boundsOf(request, start, simulation);
    links.push_back(std::move(link));
  }
  return links;
}

std::span<const LinkVariable> variablesOf(const AnyLinkLaw& any) noexcept {
  return std::visit(
      []<class L>(const L&) -> std::span<const LinkVariable> {
        static constexpr auto kAll = L::variables();
        return kAll;
      },
      any);
}

}  // namespace ricochet
