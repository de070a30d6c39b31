#include "engine/schemes/stability.hpp"
#include "engine/study/massless_directions.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/supports.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/runs/run_advice.hpp"
#include "io/prepare/prepare.hpp"
#include "io/text/counted.hpp"
#include "io/text/progress.hpp"
#include "modal/basis_properties.hpp"
#include "modal/complex_modes.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Text of a mass as a fraction of another mass.
std::string percentageText(double part, double whole) {
  return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "nothing";
}

void printModelSummary(const Deck& study, const Simulation& simulation) {
  const DofMap& dofs = simulation.physical.dofs;
  int fixed = 0;
  for (int i = 0; i < dofs.totalDofCount(); ++i) fixed += dofs.isFixed(DofIndex{i}) ? 1 : 0;
  fmt::print("model     {} nodes, {} elements, {} dofs: {} fixed, {} given by relations, {} free\n",
             study.nodes.size(), study.structure.elements.size(), dofs.totalDofCount(), fixed,
             dofs.totalDofCount() - fixed - dofs.independentDofCount(), dofs.independentDofCount());
  const Vec3 all = translationalMass(simulation.physical);
  const Vec3 moved = simulation.basis.effectiveMass.colwise().sum();
  fmt::print(
      "mass      {:.6g} kg along x, {:.6g} along y, {:.6g} along z; the basis moves {}, {}, {} of it\n",
      all.x(), all.y(), all.z(), percentageText(moved.x(), all.x()), percentageText(moved.y(), all.y()),
      percentageText(moved.z(), all.z()));
}

/// Prints the dimensions of the structure in a file: such files have no units, and the dimensions show a
/// wrong scale.
void printDimensions(const Vec3& lowest, const Vec3& highest, const char* remedy) {
  constexpr double kLarge = 100.0;  // larger dimensions are unusual for a structure [m]
  const Vec3 size = highest - lowest;
  fmt::print("          {:.6g} by {:.6g} by {:.6g} m, from ({:.6g}, {:.6g}, {:.6g}) m{}\n", size.x(),
             size.y(), size.z(), lowest.x(), lowest.y(), lowest.z(), size.norm() > kLarge ? remedy : "");
}

void printMeshes(const Deck& study) {
  for (const MeshRequest& mesh : study.meshes) {
    fmt::print("mesh      {}: {}, {} lines", mesh.name, mesh.file, mesh.lines);
    if (mesh.others > 0) fmt::print(" and {} other elements, which are left out", mesh.others);
    fmt::print("; {} nodes of it are taken", mesh.nodes);
    if (mesh.joined > 0) fmt::print(", {} at the same places joined to them", mesh.joined);
    fmt::print("\n");
    printDimensions(mesh.lowest, mesh.highest, "  (a file in millimetres takes `scale = 0.001`)");
    if (mesh.groups.empty()) continue;
    std::vector<std::string> groups;
    for (const MeshRequest::Group& group : mesh.groups)
      groups.push_back(fmt::format("{} ({})", group.name, group.nodes.size()));
    fmt::print("          groups (nodes): {}\n", fmt::join(groups, ", "));
  }
}

/// Prints the models of other codes, and their dofs that are not displacements of a point.
void printMatrices(const Deck& study) {
  for (std::size_t i = 0; i < study.structure.matrices.size(); ++i) {
    const MatrixBlock& block = study.structure.matrices[i];
    std::set<int> nodes, unplaced;
    for (const Dof dof : block.dofs) nodes.insert(dof.node.value);
    for (const NodeIndex node : study.structure.unplaced)
      if (nodes.contains(node.value)) unplaced.insert(node.value);
    fmt::print("matrices  {} and {}: {} dofs of {} nodes\n",
               std::filesystem::path(block.stiffnessFile).filename().string(),
               std::filesystem::path(block.massFile).filename().string(), block.dofs.size(), nodes.size());
    constexpr double kFar = std::numeric_limits<double>::max();
    Vec3 lowest = Vec3::Constant(kFar), highest = Vec3::Constant(-kFar);
    for (const int node : nodes) {
      if (unplaced.contains(node)) continue;
      const Vec3& place = study.structure.positions[static_cast<std::size_t>(node)];
      lowest = lowest.cwiseMin(place);
      highest = highest.cwiseMax(place);
    }
    if (unplaced.size() < nodes.size())
      printDimensions(
          lowest, highest,
          "  (is it a model in millimetres, tonnes and seconds? Then add this line to its [[matrices]]:\n"
          "          units = { length = 1e-3, mass = 1e3 })");
    if (!unplaced.empty())
      fmt::print(
          "          {} of these nodes have no place (inside elements, or coordinates of modes); \"all\" "
          "leaves them out\n",
          unplaced.size());
  }
}

std::string textOfBeamMesh(const BeamRequest& beam) {
  if (beam.mesh.empty()) return "";
  return " of mesh " + beam.mesh + (beam.group.empty() ? "" : ", group " + beam.group);
}

void printBeams(const Deck& study) {
  for (const BeamRequest& beam : study.beams) {
    const SectionConstants& c = beam.element.section;
    const bool timoshenko = beam.element.theory == BeamTheory::timoshenko;
    fmt::print("beam      {}: {} {}{} elements{}, {} of {}, {:.6g} m, {:.6g} kg{}\n", beam.name,
               beam.elements(), timoshenko ? "Timoshenko" : "Euler-Bernoulli",
               beam.element.massKind == BeamMass::consistent
                   ? ""
                   : fmt::format(" {}-mass", kBeamMassNames[static_cast<std::size_t>(beam.element.massKind)]),
               textOfBeamMesh(beam), beam.section, beam.material, beam.length(), beam.mass(),
               beam.element.spin != 0.0 ? fmt::format(", spins at {:.6g} rad/s", beam.element.spin) : "");
    if (beam.higherOrder > 0)
      fmt::print("          lines of higher order, straight from end to end without their middle nodes: {}\n",
                 beam.higherOrder);
    fmt::print("          area {:.6g} m^2, iy {:.6g}, iz {:.6g}, torsion {:.6g} m^4", c.area, c.inertiaY,
               c.inertiaZ, c.torsion);
    if (timoshenko) fmt::print(", shear areas {:.6g} and {:.6g} m^2", c.shearAreaY, c.shearAreaZ);
    const Mat3& axes = beam.element.axes;
    fmt::print("; y{} along ({:.4g}, {:.4g}, {:.4g})\n", beam.mesh.empty() ? "" : " of the first",
               axes(1, 0) + 0.0, axes(1, 1) + 0.0, axes(1, 2) + 0.0);
  }
}

void printModalBasis(const ModalBasis& basis) {
  const Vector frequency = basis.frequency();
  constexpr Eigen::Index kShown = 12;
  const auto list = [&](Eigen::Index from, Eigen::Index end) {
    for (Eigen::Index i = from; i < std::min(from + kShown, end); ++i) fmt::print(" {:.6g}", frequency[i]);
    if (end - from > kShown) fmt::print(" ... {:.6g}", frequency[end - 1]);
  };
  fmt::print("basis     {}{}{}; frequencies [Hz]:", numberWithNoun(basis.modes(), "mode"),
             basis.complete ? " (complete)" : "",
             basis.rigidModes > 0 ? fmt::format(", {} rigid", basis.rigidModes) : "");
  list(0, basis.modes());
  if (basis.residualVectors > 0) {
    fmt::print("\n          {}; pseudo-frequencies [Hz]:",
               numberWithNoun(basis.residualVectors, "residual vector"));
    list(basis.modes(), basis.size());
  }
  fmt::print("\n          damping: {}; largest residual {:.1e}, orthogonality error {:.1e}\n",
             basis.damping.isZero(0.0) ? "none"
             : basis.isDampingDiagonal()
                 ? fmt::format("ratios {:.4g} to {:.4g}, modes uncoupled", basis.dampingRatio().minCoeff(),
                               basis.dampingRatio().maxCoeff())
                 : "dampers or spins that couple the modes",
             basis.residual.head(basis.modes()).maxCoeff(), basis.orthogonalityError);
}

void printContacts(const Deck& study, const Simulation& simulation) {
  ModalEquation equation(simulation.model);
  const State& s = simulation.initial;
  equation.start(s);
  std::vector<ContactView> views;
  std::vector<LinkState> links;
  fillContactViews(equation.contacts(), s, views);
  equation.links().writeLinkStates(s, links);
  equation.addCoupledMotion(s, views, links);
  const MasslessDirections directions(study, simulation);
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const ContactRequest& request = study.contacts[i];
    const Contact& contact = simulation.model.contacts.contact(static_cast<int>(i));
    const auto keyword = [](const auto& part) { return part.keyword; };
    const auto nodeName = [&](NodeIndex n) { return study.nodes[static_cast<std::size_t>(n.value)].name; };
    fmt::print("contact   {}: {}{} on {}; normal {}, friction {}\n", request.name, nodeName(request.first),
               request.second ? " against " + nodeName(*request.second) : "",
               obstacleKeyword(contact.obstacle), std::visit(keyword, contact.normal),
               std::visit(keyword, contact.friction));
    const bool nearest = views[i].phase != ContactPhase::open || isCurved(contact.obstacle);
    const Vec3 normal = request.frame.transpose() * (nearest ? views[i].normal : Vec3(Vec3::UnitX()));
    fmt::print("          starts {}: {}normal force {:.6g} N along ({:.4g}, {:.4g}, {:.4g}){}\n",
               views[i].phase == ContactPhase::open ? "open" : "closed",
               hasGap(contact.obstacle) ? fmt::format("gap {:.6g} m, ", views[i].gap) : "",
               views[i].normalForce, normal.x() + 0.0, normal.y() + 0.0, normal.z() + 0.0,
               views[i].gap < 0.0 && hasGap(contact.obstacle)
                   ? "  (inside the obstacle: a frozen penetration, if it is meant)"
                   : "");
    const auto mass = [&](int axis) {
      // A force that moves dofs without mass meets no inertia at first, whatever mass they are tied to.
      if (directions.movesWithoutInertia(contactDirection(request, axis, simulation.physical)))
        return std::string("0 kg");
      const std::optional<double> m = reducedMassOfContact(request, axis, simulation.physical);
      if (!m) return std::string("unknown");
      return std::isfinite(*m) ? fmt::format("{:.6g} kg", *m) : std::string("none (fixed)");
    };
    fmt::print("          mass of the node: {} along the normal, {} and {} along the tangents\n", mass(0),
               mass(1), mass(2));
    const Truncation& truncation = simulation.truncation[i];
    if (!simulation.basis.complete || simulation.basis.residualVectors > 0)
      fmt::print("          truncation indicator {:.3g}{} (see `ricochet manual basis`)\n",
                 shareRoundedToZero(truncation.largest()),
                 simulation.basis.residualVectors > 0 ? fmt::format(" ({:.3g} without the residual vectors)",
                                                                    truncation.withoutResidual.maxCoeff())
                                                      : "");
  }
}

void printLinks(const Deck& study, const Simulation& simulation) {
  LinkRun links(simulation.model.links, simulation.model.contacts.size());
  const State& s = simulation.initial;
  links.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    const LinkRequest& request = study.links[i];
    const auto nodeName = [&](NodeIndex n) { return study.nodes[static_cast<std::size_t>(n.value)].name; };
    const LinkState& state = links.state(static_cast<int>(i));
    const LinkBounds& bounds = simulation.model.links.link(static_cast<int>(i)).bounds;
    fmt::print("link      {}: {} between {} and {}; starts with a force of {:.6g} {}\n", request.name,
               std::visit([](const auto& law) { return law.keyword; }, request.law), nodeName(request.first),
               request.second ? nodeName(*request.second) : "the ground", state.force[0],
               request.isRotational() ? "N m" : "N");
    fmt::print("          counts with {:.6g} N/m and {:.6g} N s/m in the limit of explicit steps\n",
               bounds.stiffness, bounds.damping);
  }
}

void printRunSettings(const Deck& study, const Simulation& simulation) {
  const TransientRequest& t = *study.transient;
  const double limit = simulation.safeStep;
  std::string steps = "steps as long as the tolerance allows";
  if (simulation.step > 0.0)
    steps = schemeTraits(simulation.scheme)->adaptive
                ? fmt::format("a first step of {:.4g} s", simulation.step)
                : fmt::format("a step of {:.4g} s ({:.0f} steps)", simulation.step,
                              std::ceil(t.duration / simulation.step));
  fmt::print("run       {:.6g} to {:.6g} s, {} with {}; {}\n", t.start, t.start + t.duration,
             simulation.scheme, steps,
             std::isfinite(limit) ? fmt::format("largest stable step {:.4g} s", limit)
                                  : std::string("no step is unstable"));
  std::string loads = fmt::format("{} on nodes", study.loads.size());
  if (!study.movingLoads.empty()) loads += fmt::format(", {} along beams", study.movingLoads.size());
  if (study.gravity)
    loads += fmt::format(", gravity ({:.6g}, {:.6g}, {:.6g}) m/s^2", (*study.gravity)[0], (*study.gravity)[1],
                         (*study.gravity)[2]);
  for (const BaseMotion& motion : study.baseMotions)
    loads +=
        fmt::format(", {} along ({:.4g})",
                    motion.ofSupports ? fmt::format("{} dofs of supports that move", motion.supports.size())
                                      : std::string("a frame that moves"),
                    fmt::join(motion.direction, ", "));
  fmt::print("loads     {}; result {}\n", loads, study.output.file.string());
}

void printDirectRun(const Deck& study, const Simulation& simulation) {
  const double limit = simulation.safeStep;
  fmt::print("direct    {} dofs with mass, {} with a step of {:.4g} s ({:.0f} steps); {}\n",
             simulation.size(), simulation.scheme, simulation.step,
             std::ceil(study.transient->duration / simulation.step),
             std::isfinite(limit) ? fmt::format("largest stable step {:.4g} s", limit)
                                  : std::string("no step is unstable"));
  for (const std::string& warning : simulation.warnings) fmt::print("warning   direct: {}\n", warning);
}

/// Prints the complex modes, if spins or dampers couple the real modes.
void printComplexModes(const ModalBasis& basis) {
  if (basis.isDampingDiagonal()) return;
  fmt::print("{:>5} {:>15} {:>12}   of the coupled modes; negative: backward whirl\n", "mode",
             "frequency [Hz]", "damping [-]");
  int number = 0;
  for (const ComplexMode& mode : complexModes(basis))
    fmt::print("{:>5} {:>15.8g} {:>12.5g}\n", ++number, mode.frequency, mode.dampingRatio);
}

int checkDeck(const DeckArgument& deck) {
  const Deck study = deck.readStudy();
  const auto simulation =
      runWhileShowingWaiting(true, "extracting the basis", [&] { return prepare(study); });
  requireKnownNodeMotions(study, *simulation, !study.batch);  // a batch has no rows of nodes
  if (!study.title.empty()) fmt::print("{}\n", study.title);
  printModelSummary(study, *simulation);
  printMeshes(study);
  printMatrices(study);
  printBeams(study);
  printModalBasis(simulation->basis);
  printContacts(study, *simulation);
  printLinks(study, *simulation);
  if (study.transient) {
    printRunSettings(study, *simulation);
    for (const std::string& estimate : estimateTextsOfRun(study, *simulation))
      fmt::print("          {}\n", estimate);
  }
  if (study.transient && study.direct.given)
    printDirectRun(study, *prepareDirectSimulation(study, simulation.get()));
  for (const DefaultTaken& taken : study.defaults)
    if (!taken.isTold)  // else it is among the choices
      fmt::print("default   {} = {}{}{}\n", taken.path, taken.value, taken.unit.empty() ? "" : " ",
                 taken.unit);
  for (const std::string& choice : simulation->choices) fmt::print("default   {}\n", choice);
  for (const std::string& warning : simulation->warnings) fmt::print("warning   {}\n", warning);
  for (const std::string& advice : adviceOnRun(study, *simulation)) fmt::print("look at   {}\n", advice);
  return kSuccess;
}

int printModes(const DeckArgument& deck) {
  const Deck study = deck.readStudy();
  const PhysicalModel physical = assembleStudy(study);
  const ModalBasis basis = runWhileShowingWaiting(true, "extracting the basis",
                                                  [&] { return computeModalBasisOfStudy(study, physical); });
  const Vector frequency = basis.frequency();
  const Vector ratio = basis.dampingRatio();
  fmt::print("{:>5} {:>15} {:>12} {:>11} {:>11} {:>11} {:>9}\n", "mode", "frequency [Hz]", "damping [-]",
             "mass x [kg]", "mass y [kg]", "mass z [kg]", "residual");
  for (Eigen::Index i = 0; i < basis.size(); ++i)
    fmt::print("{:>5} {:>15.8g} {:>12.5g} {:>11.4g} {:>11.4g} {:>11.4g} {:>9.1e}{}\n", i + 1, frequency[i],
               ratio[i], basis.effectiveMass(i, 0), basis.effectiveMass(i, 1), basis.effectiveMass(i, 2),
               basis.residual[i], basis.isResidualVector(i) ? "  residual vector" : "");
  const Vec3 all = translationalMass(physical);
  const Vec3 moved = basis.effectiveMass.colwise().sum();
  const auto row = [](const char* name, const auto& x, const auto& y, const auto& z) {
    fmt::print("{:>34} {:>11} {:>11} {:>11}\n", name, x, y, z);
  };
  const auto number = [](double mass) { return fmt::format("{:.4g}", mass); };
  row("sum", number(moved.x()), number(moved.y()), number(moved.z()));
  row("of", number(all.x()), number(all.y()), number(all.z()));
  row("", percentageText(moved.x(), all.x()), percentageText(moved.y(), all.y()),
      percentageText(moved.z(), all.z()));
  const std::string added =
      basis.residualVectors > 0
          ? fmt::format(", and {}", numberWithNoun(basis.residualVectors, "residual vector"))
          : "";
  fmt::print("{} of {} free dofs{}{}; {} missed below the last frequency of a mode\n", basis.modes(),
             physical.size(), basis.complete ? " (complete)" : "", added, basis.missedModes);
  printComplexModes(basis);
  return kSuccess;
}

/// Adds a command whose only argument is a deck.
Command addCommandOnDeck(CLI::App& app, const char* name, const char* what, int (*run)(const DeckArgument&)) {
  CLI::App* command = app.add_subcommand(name, what);
  const auto deck = std::make_shared<DeckArgument>();
  addDeckArgument(*command, *deck);
  return {command, [deck, run] { return run(*deck); }};
}

}  // namespace

Command addCheckCommand(CLI::App& app) {
  return addCommandOnDeck(app, "check", "Print the model as understood, without running it", checkDeck);
}

Command addModesCommand(CLI::App& app) {
  return addCommandOnDeck(app, "modes", "Print the modal basis of a deck", printModes);
}

}  // namespace ricochet
