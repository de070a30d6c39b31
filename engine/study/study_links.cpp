#include "engine/study/study_links.hpp"

#include "engine/links/link_in_series.hpp"
#include "engine/study/coordinates.hpp"
#include "engine/study/initial_state.hpp"
#include "engine/study/massless_directions.hpp"
#include "engine/study/support_shift.hpp"
#include "physical/assembly/massless.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

/// Motion of a dof by an imposed field in addition to its coordinates: the whole field if the coordinates are
/// relative, the motion of the supports alone if the coordinates describe the absolute motion
/// (support_shift.hpp). A support without elements is not part of the model.
double motionOfDofByImposedField(Dof which, const DofMap& dofs, const ImposedField& field, bool inSpace) {
  if (const DofIndex dof = dofs.find(which); dof.exists() && !inSpace) return field.field[dof.value];
  const bool moves = std::find(field.supports.begin(), field.supports.end(), which) != field.supports.end();
  return moves ? field.direction[static_cast<std::size_t>(which.component)] : 0.0;
}

/// Components of an imposed field along the axes of a link.
std::array<double, kLinkAxes> fieldComponentsAlongLinkAxes(const LinkRequest& request, const DofMap& dofs,
                                                           const ImposedField& field, bool inSpace) {
  std::array<double, kLinkAxes> factors{};
  const auto add = [&](NodeIndex node, double sign) {
    for (std::size_t axis = 0; axis < request.axes.size(); ++axis)
      for (int c = 0; c < kComponents; ++c)
        factors[axis] += sign * request.axes[axis][static_cast<std::size_t>(c)] *
                         motionOfDofByImposedField({node, componentOfIndex(c)}, dofs, field, inSpace);
  };
  add(request.first, 1.0);
  if (request.second) add(*request.second, -1.0);
  return factors;
}

void addBaseMotionsToLink(const Study& study, const LinkRequest& request, const Simulation& simulation,
                          Link& link) {
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    if (!motion.ofSupports) continue;  // a moving frame gives no relative motion to the link
    const auto factors = fieldComponentsAlongLinkAxes(request, simulation.physical.dofs,
                                                      simulation.imposed[i], hasMovingSupports(study));
    if (factors == std::array<double, kLinkAxes>{}) continue;
    if (!motion.displacement || !motion.velocity)
      throw StudyError(
          StudyProblem{motion.displacement ? "base_motions.velocity" : "base_motions.displacement",
                       fmt::format("missing: link \"{}\" moves with these supports", request.name),
                       partName(study, motion)});
    link.drives.push_back({*motion.displacement, *motion.velocity, factors});
  }
}

/// Bounds of stiffness and damping of a link for the limit of explicit steps; for a formula, the finite
/// slopes at the initial motion.
LinkBounds slopeBoundsOf(const LinkRequest& request, const Link& link, const LinkMotion<double>& start,
                         Simulation& simulation) {
  const LinkBounds found = slopeBoundsOfLinkAt(link, linkMotionWithoutSeriesSprings(link, {}, start));
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

/// Motion of a link at the start, from the coordinates and the drives.
LinkMotion<double> linkMotionAtStart(const Link& link, const State& s) {
  LinkMotion<double> start;
  start.time = s.time;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    const auto row = link.rows.row(static_cast<Eigen::Index>(axis));
    start.x[axis] = row.dot(s.q.head(row.size()));
    start.v[axis] = row.dot(s.v.head(row.size()));
    for (const LinkDrive& drive : link.drives) {
      start.x[axis] += drive.factors[axis] * drive.displacement.at(s.time);
      start.v[axis] += drive.factors[axis] * drive.velocityAt(s.time);
    }
  }
  return start;
}

bool isComplianceIsotropic(const Eigen::Matrix2d& compliance, std::size_t axes) {
  constexpr double kRounding = 1e-12;
  return axes == 1 ||
         (compliance - compliance(0, 0) * Eigen::Matrix2d::Identity()).norm() <= kRounding * compliance(0, 0);
}

/// The law in series with a spring, if it has such a law for this link.
std::optional<AnyLinkLaw> makeLinkLawWithSpringInSeries(const AnyLinkLaw& any, bool coupled, bool isotropic,
                                                        double flexibility) {
  return std::visit(
      [&]<class Law>(const Law& law) -> std::optional<AnyLinkLaw> {
        if constexpr (Law::traits.seriesLawFor != SeriesLawFor::noLink) {
          if (Law::traits.seriesLawFor == SeriesLawFor::uncoupledLink && (coupled || !isotropic))
            return std::nullopt;
          if (const auto joined = law.lawWithSpringInSeries(flexibility)) return *joined;
        }
        return std::nullopt;
      },
      any);
}

/// Puts a link in series with the springs that hold its dofs without inertia. Throws StudyError for a law
/// that has no form in series.
void addSeriesFlexibilityToLink(const LinkRequest& request, const MasslessLink& massless,
                                Simulation& simulation, Link& link) {
  link.drives.insert(link.drives.end(), massless.drives.begin(), massless.drives.end());
  link.coupled = massless.coupled;
  if (massless.compliance.isZero(0.0) && !massless.coupled) return;
  link.compliance = massless.compliance;
  link.inSeries = InSeries::solved;
  const double flexibility = massless.compliance(0, 0);
  std::string_view why =
      std::visit([](const auto& law) { return law.reasonAgainstSpringInSeries(); }, request.law);
  const std::optional<AnyLinkLaw> joined = makeLinkLawWithSpringInSeries(
      request.law, massless.coupled, isComplianceIsotropic(massless.compliance, link.axisCount()),
      flexibility);
  if (joined) {
    link.law = *joined;
    link.inSeries = InSeries::withinLaw;
    why = "";
  }
  if (massless.coupled) {  // the shift of its point is not part of the link
    link.compliance.setZero();
    link.inSeries = InSeries::none;
  }
  if (!why.empty())
    throw StudyError(StudyProblem{
        "links." + request.name,
        fmt::format(
            "a node of this link has no mass, so that the link is in series with the springs that hold "
            "the node, and this law has no form in series with a spring: {}; give the node a mass, "
            "however small",
            why)});
  simulation.choices.push_back(
      massless.coupled
          ? fmt::format("links.{}: a node of it has no mass: its force is solved together with the "
                        "displacement of the part and all other forces there",
                        request.name)
          : fmt::format(
                "links.{}: a node of it has no mass: the link is in series with the springs that hold "
                "the node, of {:.6g} m/N",
                request.name, flexibility));
}

/// Link of a dashpot of 1 N s/m on dofs without inertia. Its length at the start follows from the initial
/// displacement of the independent dofs.
Link makeLinkOfDashpotInSeries(const MasslessLink& massless, const Vector& initialDisplacement) {
  Link link;
  link.initialMemory[0] = massless.force.dot(initialDisplacement);
  link.law = Zener::makeMaxwell(1.0, massless.compliance(0, 0));
  link.rows = Eigen::Matrix<double, 2, Eigen::Dynamic>::Zero(2, massless.row.size());
  link.rows.row(0) = massless.row;
  link.drives = massless.drives;
  link.coupled = massless.coupled;
  if (!link.coupled) {
    link.inSeries = InSeries::withinLaw;
    link.compliance = massless.compliance;
  }
  link.bounds = slopeBoundsOfLinkAt(link, {});
  return link;
}

void reportDashpotsInSeries(const Study& study, Simulation& simulation) {
  // time constants of the dashpot and the springs S [s]
  double shortest = std::numeric_limits<double>::infinity(), longest = 0.0;
  for (std::size_t i = study.links.size(); i < simulation.masslessLinks.size(); ++i) {
    shortest = std::min(shortest, simulation.masslessLinks[i].compliance(0, 0));
    longest = std::max(longest, simulation.masslessLinks[i].compliance(0, 0));
  }
  if (longest > 0.0)
    simulation.choices.push_back(
        fmt::format("{}: dashpots act on nodes without mass, which move by equations of first order, of time "
                    "constants from {:.4g} to {:.4g} s; the damping of the modes does not contain them",
                    sourcesOfDashpotColumns(study).path, shortest, longest));
}

/// True if a function jumps between a < b: a difference that its slopes do not explain remains in ever
/// shorter intervals.
bool doesFunctionJumpBetween(const LinkFunction& f, double a, double b) {
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

/// True if a function jumps, or becomes infinitely steep towards 0, for arguments from 1e-9 to 1e3 of both
/// signs.
bool doesFunctionJumpOrSteepenWithoutBound(const LinkFunction& f) {
  constexpr double kSmallest = 1e-9, kLargest = 1e3, kRatio = 1.12, kFar = 1e4, kSteeper = 20.0;
  if (doesFunctionJumpBetween(f, -kSmallest, kSmallest)) return true;
  for (const double side : {-1.0, 1.0}) {
    const double near = std::abs(f.slope(side * kSmallest));
    if (!(near <= kSteeper * std::abs(f.slope(side * kFar * kSmallest))) && near > 0.0) return true;
    for (double x = kSmallest; x < kLargest; x *= kRatio)
      if (doesFunctionJumpBetween(f, std::min(side * x, side * kRatio * x),
                                  std::max(side * x, side * kRatio * x)))
        return true;
  }
  return false;
}

}  // namespace

bool isFormulaWithDecisions(const AnyLinkLaw& any) {
  return std::visit(
      []<class L>(const L& law) {
        const Formula* formula = nullptr;
        if constexpr (requires { law.function.formulaOrNull(); }) formula = law.function.formulaOrNull();
        if constexpr (requires { law.expression->isSmooth(); }) formula = law.expression.get();
        return formula != nullptr && !formula->isSmooth();
      },
      any);
}

bool canForceJump(const AnyLinkLaw& any) {
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (std::same_as<L, ForceDisplacement>)
          return doesFunctionJumpOrSteepenWithoutBound(law.function);
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
          rows.row(static_cast<Eigen::Index>(axis)) +=
              sign * factor * simulation.row({node, componentOfIndex(c)});
  };
  add(request.first, 1.0);
  if (request.second) add(*request.second, -1.0);
  return rows;
}

std::vector<Link> makeLinksOfStudy(const Study& study, Simulation& simulation) {
  std::vector<Link> links;
  for (const LinkRequest& request : study.links) {
    Link link;
    link.law = request.law;
    link.rows = linkRows(request, simulation);
    addBaseMotionsToLink(study, request, simulation, link);
    addSeriesFlexibilityToLink(request, simulation.masslessLinks[links.size()], simulation, link);
    link.bounds = slopeBoundsOf(request, link, linkMotionAtStart(link, simulation.initial), simulation);
    links.push_back(std::move(link));
  }
  reportDashpotsInSeries(study, simulation);
  if (simulation.masslessLinks.size() <= study.links.size()) return links;
  const Vector initial = initialDisplacementOf(study, simulation);
  for (std::size_t i = study.links.size(); i < simulation.masslessLinks.size(); ++i)
    links.push_back(makeLinkOfDashpotInSeries(simulation.masslessLinks[i], initial));
  return links;
}

Vector displacementWithDashpotLengths(const Study& study, const Simulation& simulation, const Vector& q,
                                      std::span<const LinkState> links) {
  const PhysicalModel& physical = simulation.physical;
  const Vector field = displacementFieldOfCoordinates(simulation, q.head(simulation.size()));
  Vector moved(physical.size());
  for (Eigen::Index i = 0; i < moved.size(); ++i)
    moved[i] = field[physical.dofs.independentDofs()[static_cast<std::size_t>(i)].value];
  // The columns of the dashpots D on these dofs are orthogonal (separateMasslessDashpots).
  const Matrix& all = physical.masslessDashpots;
  const std::vector<int> massless = MasslessPart(physical).dofs();
  const Matrix there = all(massless, Eigen::all);
  const Vector squares = there.colwise().squaredNorm();
  Vector lengths = Vector::Zero(all.cols());
  for (std::size_t i = study.links.size(); i < links.size(); ++i) {
    const Vector turned = there.transpose() * Vector(simulation.masslessLinks[i].force(massless));
    lengths += links[i].memory[0] * turned.cwiseQuotient(squares);
  }
  const Vector missing = lengths - all.transpose() * moved;
  moved(massless) += there * missing.cwiseQuotient(squares);
  return moved;
}

void requireForcesAtStart(const Study& study, const Simulation& simulation) {
  std::vector<StudyProblem> problems;
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    Link link = simulation.links().link(static_cast<int>(i));
    if (link.coupled) continue;  // the displacement of its point is known only with all forces there
    link.rows = linkRows(study.links[i], simulation);
    LinkState from{};
    from.motion.time = simulation.initial.time;
    from.memory = link.initialMemory;
    const LinkMotion<double> at =
        linkMotionWithoutSeriesSprings(link, from, linkMotionAtStart(link, simulation.initial));
    const auto force = std::visit(
        [&](const auto& law) { return law.template computeResponse<double>(from, at).force; }, link.law);
    const double sum = force[0] + force[1], motion = at.x[0] + at.x[1] + at.v[0] + at.v[1];
    if (std::isfinite(sum) || !std::isfinite(motion)) continue;
    problems.push_back(
        {"links." + study.links[i].name,
         fmt::format(
             "its force is no finite number at the start, x = {:.6g}, v = {:.6g}, t = {:.6g} s: write "
             "its law so that it has a value there, in a formula by if(c, a, b)",
             at.x[0], at.v[0], at.time)});
  }
  if (!problems.empty()) throw StudyError(std::move(problems));
}

std::span<const LinkVariable> internalVariablesOf(const AnyLinkLaw& any) noexcept {
  return std::visit(
      []<class L>(const L&) -> std::span<const LinkVariable> {
        static constexpr auto kAll = L::internalVariables();
        return kAll;
      },
      any);
}

}  // namespace ricochet
