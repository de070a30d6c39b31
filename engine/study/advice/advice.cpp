#include "engine/study/advice/advice.hpp"

#include "engine/contact/laws/laws.hpp"
#include "engine/study/parts/study.hpp"

#include <Eigen/QR>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace ricochet {
namespace {

using Texts = std::vector<std::string>;

void adviseOnDamping(const ModalBasis& basis, Texts& texts) {
  constexpr double kMostUsual = 0.5;
  const Vector ratio = basis.dampingRatio();
  Eigen::Index worst = 0;
  if (ratio.size() == 0 || !(ratio.maxCoeff(&worst) > kMostUsual)) return;
  const auto above = (ratio.array() > kMostUsual).count();
  texts.push_back(fmt::format(
      "the damping ratio of mode {} ({:.4g} Hz) is {:.4g}{}: structures have less than {}; was a percentage "
      "meant, or a damper in other units?",
      worst + 1, basis.frequency()[worst], ratio[worst],
      above > 1 ? fmt::format(", and that of {} others is above {}", above - 1, kMostUsual) : "",
      kMostUsual));
}

/// Directions in the space of the rigid modes along which nothing holds the structure: no contact by its
/// normal or its friction, and no link. Orthonormal columns.
Matrix unheldRigidDirections(const Simulation& simulation) {
  const Eigen::Index rigid = simulation.basis.rigidModes;
  const ContactSet& contacts = simulation.model.contacts;
  std::vector<const double*> rows;
  for (int i = 0; i < contacts.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (axis == 0 || isCurved(contacts.contact(i).obstacle) ||
          traitsOf(contacts.contact(i).friction).traction)
        rows.push_back(contacts.row(i, axis));
  const LinkSet& links = simulation.model.links;
  for (int i = 0; i < links.size(); ++i)
    for (std::size_t axis = 0; axis < links.link(i).axisCount(); ++axis) rows.push_back(links.row(i, axis));
  Matrix held = Matrix::Zero(rigid, static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] != nullptr) held.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Vector>(rows[k], rigid);
  if (held.cols() == 0) return Matrix::Identity(rigid, rigid);
  Eigen::ColPivHouseholderQR<Matrix> qr(held);
  constexpr double kRounding = 1e-9;
  qr.setThreshold(kRounding);
  const Matrix all = qr.householderQ();
  return all.rightCols(rigid - qr.rank());
}

/// Adds advice about forces along motions that nothing holds: a support or a spring may be missing, unless
/// the structure is to fly.
void adviseOnRigidMotions(const Study& study, const Simulation& simulation, Texts& texts) {
  if (simulation.basis.rigidModes == 0) return;
  const Matrix free = unheldRigidDirections(simulation);
  if (free.cols() == 0) return;
  constexpr double kShare = 1e-6;
  Vector pushed = Vector::Zero(simulation.basis.rigidModes);
  for (const Load& load : simulation.model.loads.loads()) {
    const Vector along = free * (free.transpose() * load.shape.head(pushed.size()));
    if (along.norm() > kShare * load.shape.norm()) pushed += along.cwiseAbs();
  }
  if (pushed.isZero(0.0)) return;
  texts.push_back(fmt::format(
      "{} along a rigid motion that no support, spring or contact holds: the structure flies off; is a "
      "[[supports]] or a [[springs]] missing?",
      study.baseMotions.empty() ? "loads push" : "the motion of the base or the loads push"));
}

/// True if the structure is held on the ground: by a support that fixes a translation, or by a spring or a
/// link of one node. Supports of every node only make a plane model and hold nothing.
bool isSupportedOnGround(const Study& study) {
  std::array<std::set<int>, 3> fixed;
  for (const Dof dof : study.structure.fixed)
    if (dof.component < Component::rx) fixed[static_cast<std::size_t>(dof.component)].insert(dof.node.value);
  for (const std::set<int>& nodes : fixed)
    if (!nodes.empty() && nodes.size() < study.nodes.size()) return true;
  for (const AnyElement& element : study.structure.elements)
    if (const auto* spring = std::get_if<Spring>(&element);
        spring != nullptr && spring->connector.nodes.size() == 1)
      return true;
  return std::ranges::any_of(study.links, [](const LinkRequest& link) { return !link.second; });
}

/// Adds advice about a structure of beams, or of matrices, that only its contacts hold: a support may be
/// missing. There is no advice about point masses: a deck lets them fly or fall onto contacts on purpose.
void adviseOnMissingSupports(const Study& study, const Simulation& simulation, Texts& texts) {
  const bool isStructure = !study.beams.empty() || !study.structure.matrices.empty();
  if (!isStructure || simulation.basis.rigidModes == 0 || simulation.model.contacts.size() == 0 ||
      isSupportedOnGround(study))
    return;
  texts.push_back(
      fmt::format("no [[supports]], and no spring or link to the ground: nothing but contacts holds the "
                  "structure in its {} rigid "
                  "motions; is a [[supports]] missing, such as nodes = [\"{}\"], fixed = \"all\"?",
                  simulation.basis.rigidModes, study.nodes.front().name));
}

/// Adds advice about units that do not belong to one system. A deck may have any consistent system; the speed
/// of longitudinal waves, sqrt(E/rho), of solids is 30 to 3e4 m/s, in a system of mm 3e4 to 3e7 mm/s.
void adviseOnUnits(const Study& study, Texts& texts) {
  constexpr double kSlowest = 30.0, kSlowestInMillimetres = 3e4, kFastest = 3e7, kStrongestGravity = 1e3;
  std::set<std::string> judged;
  std::string inMetres, inMillimetres;
  for (const BeamRequest& beam : study.beams) {
    const Material& material = beam.element.material;
    if (!(material.density > 0.0) || !judged.insert(beam.material).second) continue;
    const double speed = std::sqrt(material.young / material.density);
    (speed < kSlowestInMillimetres ? inMetres : inMillimetres) = beam.material;
    if (speed < kSlowest || speed > kFastest)
      texts.push_back(fmt::format(
          "material {}: E = {:.4g} and a density of {:.4g} do not seem to belong to one system of units "
          "(waves would run at {:.3g}): in SI E is in Pa and the density in kg/m^3",
          beam.material, material.young, material.density, speed));
    else if (speed > kSlowestInMillimetres)
      texts.push_back(fmt::format(
          "material {}: E = {:.4g} and a density of {:.4g} look like a system of mm: lengths, forces and "
          "gravity "
          "must be of the same system, and so are the results, whatever units (m, N) are written with them",
          beam.material, material.young, material.density));
  }
  if (!study.gravity || inMetres.empty() == inMillimetres.empty()) return;
  const double gravity = Vec3(study.gravity->data()).norm();
  if ((gravity > kStrongestGravity) != inMetres.empty())
    texts.push_back(fmt::format("gravity of {:.4g} is of another system of units than material {}", gravity,
                                inMetres.empty() ? inMillimetres : inMetres));
}

void adviseOnFrequencies(const ModalBasis& basis, Texts& texts) {
  constexpr double kLowest = 1e-4, kHighest = 1e7;
  if (basis.modes() == basis.rigidModes) return;
  const double first = basis.frequency()[basis.rigidModes];
  if (first >= kLowest && first <= kHighest) return;
  texts.push_back(
      fmt::format("the first elastic frequency is {:.4g} Hz: are masses, lengths and stiffness of one system "
                  "of units (kg, m, "
                  "N/m)?",
                  first));
}

std::set<NodeIndex> spinningNodes(const Study& study) {
  std::set<NodeIndex> nodes;
  const auto add = [&](const AnyElement& element) {
    std::visit(
        [&](const auto& each) {
          for (const Dof& dof : each.dofs()) nodes.insert(dof.node);
        },
        element);
  };
  for (const AnyElement& element : study.structure.elements)
    if (std::visit(
            [](const auto& each) {
              if constexpr (requires { each.spin; }) return each.spin != 0.0;
              return false;
            },
            element))
      add(element);
  for (const SpinRequest& spin : study.spins)
    for (const std::size_t element : spin.elements) add(study.structure.elements[element]);
  return nodes;
}

/// True if a node has a rotation rate of its own at the start, or may have one from an earlier run.
bool hasInitialRotation(const Study& study, NodeIndex node) {
  return study.earlierRun ||
         std::any_of(
             study.initialVelocity.begin(), study.initialVelocity.end(), [&](const InitialValue& value) {
               return value.node == node && std::any_of(value.components.begin() + 3, value.components.end(),
                                                        [](double rate) { return rate != 0.0; });
             });
}

/// True if a support fixes the rotation of a node about the axis e3 of a contact.
bool isRotationFixedBySupport(const Study& study, NodeIndex node, const ContactRequest& contact) {
  Eigen::Index axis = 0;
  contact.frame.row(2).cwiseAbs().maxCoeff(&axis);
  return std::ranges::any_of(study.structure.fixed, [&](const Dof& dof) {
    return dof.node == node && static_cast<Eigen::Index>(dof.component) == axis + 3;
  });
}

/// Adds advice about contacts with friction at a rotor whose surface is at rest: their slip is that of the
/// whirl alone. The slip of a rolling body includes the rotation of its node, which `spin` does not contain.
void adviseOnSpins(const Study& study, Texts& texts) {
  const std::string moving =
      "`surface_spin` (for a spin W, the radius R of the rotor as `thickness`: in a circle whose `gap` is "
      "the "
      "clearance c, -W R/(R + c), so that the speed of the rim is W R; at a disc of radius r, W R/r) or "
      "`surface_velocity`, the speed of the rim turned round";
  const std::set<NodeIndex> spinning = spinningNodes(study);
  for (const ContactRequest& contact : study.contacts) {
    if (!traitsOf(contact.friction.law).traction) continue;
    const auto missesSpin = [&](NodeIndex node) {
      return spinning.contains(node) && !(contact.isRolling() && hasInitialRotation(study, node));
    };
    const bool first = missesSpin(contact.first);
    if (!first && !(contact.second && missesSpin(*contact.second))) continue;
    const NodeIndex node = first ? contact.first : *contact.second;
    if (contact.isRolling() && isRotationFixedBySupport(study, node, contact))
      texts.push_back(fmt::format(
          "contact {}: its node spins, but a support fixes its rotation, and the slip of a contact with "
          "`rolling_radius` has the rotation of the node alone; leave out `rolling_radius` and give the "
          "obstacle {}",
          contact.name, moving));
    else if (contact.isRolling())
      texts.push_back(fmt::format(
          "contact {}: its node spins, but turns from rest, and the slip of a contact with `rolling_radius` "
          "has the rotation of the node alone; give `initial.velocity` of the node the speed of the spin",
          contact.name));
    else if (contact.surface.empty() && contact.surfaceSpin.empty())
      texts.push_back(fmt::format(
          "contact {}: its node spins, but nothing of the spin is in its slip; give the obstacle {}",
          contact.name, moving));
  }
}

double largestFrictionCoefficient(const AnyFrictionLaw& any) {
  if (const SpeedTable* table = frictionSpeedTableOrNull(any)) return std::ranges::max(table->coefficient);
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (L::traits.coefficients)
          return std::max(law.muStatic, law.muDynamic);
        else
          return 0.0;
      },
      any);
}

void adviseOnFriction(const Study& study, Texts& texts) {
  constexpr double kMostUsual = 2.0;
  for (const ContactRequest& contact : study.contacts)
    if (const double largest = largestFrictionCoefficient(contact.friction.law); largest > kMostUsual)
      texts.push_back(fmt::format(
          "contact {}: a friction coefficient of {:.4g}: dry surfaces have less than {}; was a percentage "
          "meant?",
          contact.name, largest, kMostUsual));
}

/// Largest difference between the change of a function, without its jumps, which no derivative contains, and
/// the integral of its supposed derivative over the run, relative to the largest change of either. Both are
/// compared at the ends of even parts of the run, which are integrated between breakpoints by Simpson's rule:
/// exact for tables.
double differenceFromIntegralOfDerivative(const TimeFunction& function, const TimeFunction& derivative,
                                          double start, double end) {
  constexpr int kParts = 20000;
  std::vector<double> instants = derivative.breakpoints();
  for (int i = 0; i <= kParts; ++i) instants.push_back(start + (end - start) * i / kParts);
  std::erase_if(instants, [&](double t) { return t < start || t > end; });
  std::ranges::sort(instants);
  const std::vector<double> jumps = function.jumpInstants();
  double integral = 0.0, largest = 0.0, departure = 0.0, jumped = 0.0;
  auto next = std::ranges::upper_bound(jumps, start);
  for (std::size_t i = 1; i < instants.size(); ++i) {
    const double from = instants[i - 1], to = instants[i];
    integral +=
        (to - from) / 6.0 *
        (derivative.at(from) + 4.0 * derivative.at(0.5 * (from + to)) + derivative.valueJustBefore(to));
    for (; next != jumps.end() && *next < to; ++next)
      jumped += function.at(*next) - function.valueJustBefore(*next);
    const double change = function.valueJustBefore(to) - function.at(start) - jumped;
    largest = std::max({largest, std::abs(change), std::abs(integral)});
    departure = std::max(departure, std::abs(change - integral));
  }
  return largest > 0.0 ? departure / largest : 0.0;
}

/// Adds advice about motions of a base whose velocity is not the integral of the acceleration, or whose
/// displacement is not that of the velocity: recorded motions are corrected and rounded, but not by a tenth.
void adviseOnBaseMotions(const Study& study, Texts& texts) {
  constexpr double kMost = 0.1;
  if (!study.transient) return;
  const double start = study.transient->start, end = start + study.transient->duration;
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    const auto advise = [&](std::string_view name, const std::optional<TimeFunction>& function,
                            std::string_view of, const std::optional<TimeFunction>& derivative) {
      if (!function || !derivative) return;
      const double departure = differenceFromIntegralOfDerivative(*function, *derivative, start, end);
      if (departure <= kMost) return;
      texts.push_back(
          fmt::format("base_motions.{}: `{}` is not the integral of `{}` over the time: it departs by {:.2g} "
                      "of the larger of both",
                      i, name, of, departure));
    };
    advise("velocity", motion.velocity, "acceleration", motion.acceleration);
    advise("displacement", motion.displacement, "velocity", motion.velocity);
  }
}

/// Adds advice about gaps whose digits are lost in the coordinates of which they are differences. A gap that
/// may be rounding itself is zero, unless coordinates are so large that a zero would be written as one.
void adviseOnCoordinates(const Study& study, const Simulation& simulation, Texts& texts) {
  constexpr double kDigits = 1e-6;  // fraction of the gap
  constexpr double kUnits =
      16.0;  // offset rounding in units of the last place (Contact::offsetRoundingError)
  constexpr double kComputed = 1e-9;  // rounding of a computed coordinate [m]
  const ContactSet& contacts = simulation.model.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts.contact(i);
    if (!hasGap(contact.obstacle) || contact.isTravelling()) continue;
    const Local<double> start{contact.offset[0], contact.offset[1], contact.offset[2]};
    const double gap = std::abs(gapAndNormalOf(contact.obstacle, start).gap);
    const double place = contact.offsetRoundingError / kUnits;
    if (!(place > kDigits * gap) || !(gap > 0.0) || (gap <= contact.offsetRoundingError && place < kComputed))
      continue;
    texts.push_back(fmt::format(
        "the gap of contact {} at the start, {:.4g} m, is a difference of coordinates that double precision "
        "resolves to {:.1g} m here: count positions from an origin near the contact",
        study.contacts[static_cast<std::size_t>(i)].name, gap, place));
    return;
  }
}

}  // namespace

ShortestImpact shortestImpact(const Simulation& simulation) {
  ShortestImpact shortest{.duration = std::numeric_limits<double>::infinity()};
  const ContactSet& contacts = simulation.model.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts.contact(i);
    const double stiffness = stiffnessAndDampingOfClosedContact(contact).stiffness[0];
    const double* row = contacts.row(i, 0);
    if (!hasGap(contact.obstacle) || !(stiffness > 0.0) || row == nullptr) continue;
    const double inverseMass = Eigen::Map<const Vector>(row, simulation.basis.size()).squaredNorm();
    const double duration = std::numbers::pi / std::sqrt(stiffness * inverseMass);
    if (duration < shortest.duration) shortest = {static_cast<std::size_t>(i), duration};
  }
  return shortest;
}

std::vector<std::string> adviceOnStudy(const Study& study, const Simulation& simulation) {
  Texts texts;
  adviseOnUnits(study, texts);
  adviseOnFrequencies(simulation.basis, texts);
  adviseOnDamping(simulation.basis, texts);
  adviseOnRigidMotions(study, simulation, texts);
  adviseOnMissingSupports(study, simulation, texts);
  adviseOnFriction(study, texts);
  adviseOnSpins(study, texts);
  adviseOnBaseMotions(study, texts);
  adviseOnCoordinates(study, simulation, texts);
  return texts;
}

}  // namespace ricochet
