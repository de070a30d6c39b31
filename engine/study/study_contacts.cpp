#include "engine/study/study_contacts.hpp"

#include "engine/study/massless_forces.hpp"
#include "engine/study/moving_loads.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/study_links.hpp"
#include "engine/study/supports.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ricochet {
namespace {

/// Bound of the rounding error of the gap of a contact due to the coordinates that are subtracted [m]: along
/// the normal of a planar obstacle, in all directions for a curved one.
double roundingErrorOfContactOffset(const ContactRequest& request, const std::vector<Vec3>& positions) {
  // units in the last place, for the subtraction and for coordinates that a program has computed
  constexpr double kUnits = 16.0 * std::numeric_limits<double>::epsilon();
  Vec3 size = positions[static_cast<std::size_t>(request.first.value)].cwiseAbs() + request.origin.cwiseAbs();
  if (request.second) size += positions[static_cast<std::size_t>(request.second->value)].cwiseAbs();
  const Vec3 local = request.frame.cwiseAbs() * size;
  return kUnits * (isCurved(request.obstacle) ? local.norm() : local[0]);
}

Contact makeContactWithoutRows(const ContactRequest& request, const AnyFrictionLaw& friction,
                               const Study& study) {
  Contact contact;
  contact.obstacle = request.obstacle;
  contact.normal = request.normal;
  contact.imposedForce = request.imposedForce;
  contact.friction = friction;
  contact.patch = request.friction.patch;
  contact.surface = request.surface;
  contact.surfaceSpin = request.surfaceSpin;
  contact.tangentScale = request.tangentScale;
  const auto& positions = study.structure.positions;
  Vec3 point = positions[static_cast<std::size_t>(request.first.value)] - request.origin;
  if (request.second) point -= positions[static_cast<std::size_t>(request.second->value)];
  contact.offset = request.frame * point;
  contact.offsetRoundingError = roundingErrorOfContactOffset(request, positions);
  return contact;
}

/// Throws if the direct mode does not support a law; the message gives the key of a law for all schemes.
void requireDirectModeSupport(const ContactRequest& request, const Contact& contact,
                              const SchemeTraits& scheme) {
  const auto require = [&](std::string_view why, std::string_view remedy) {
    if (why.empty()) return;
    throw StudyError(StudyProblem{
        "contacts." + request.name,
        fmt::format("the direct mode cannot follow {}: give `{}`; event and moreau of the modal mode can, "
                    "beside forces and obstacles that they take",
                    why, remedy)});
  };
  require(reasonAgainstScheme(scheme, traitsOf(contact.normal)), "normal.stiffness");
  require(reasonAgainstScheme(scheme, traitsOf(contact.friction)), "friction.stiffness");
}

std::vector<Dof> dofTripleOfNode(NodeIndex node, int first) {
  return {{node, componentOfIndex(first)},
          {node, componentOfIndex(first + 1)},
          {node, componentOfIndex(first + 2)}};
}

/// Row a^t r of the rows r projected on the vector a: 1 x coordinates.
RowMajorMatrix projectRowsOnDirection(const Vec3& a, const RowMajorMatrix& r) {
  return RowMajorMatrix(a.transpose().sparseView(1.0, 0.0)) * r;
}

/// Puts the laws of a contact in series with the part of the flexibility of its point that they can contain,
/// and stores the compliance. Returns the text that reports this compliance. To be called before the tangents
/// are scaled.
std::optional<std::string> applyContactCompliance(const ContactRequest& request,
                                                  const MasslessForces::OfContact& forces,
                                                  bool residualInertia, Contact& contact) {
  const std::string_view cause = residualInertia ? "its node has no mass"
                                                 : "the modes leave out a part of the static response, which "
                                                   "has no inertia";
  contact.offset += forces.offset;
  contact.drift.insert(contact.drift.end(), forces.drift.begin(), forces.drift.end());
  contact.coupled = forces.coupled;
  if (forces.compliance.isZero(0.0) && !forces.coupled) return std::nullopt;
  const double along = forces.alongTangents.value_or(0.0);
  addNormalFlexibility(contact, forces.compliance(0, 0));
  if (traitsOf(request.friction.law).traction) addFrictionFlexibility(contact, along);
  if (forces.coupled)
    return fmt::format(
        "contacts.{}: {}: its forces are solved together with the displacement there and all other forces "
        "that cause it",
        request.name, cause);
  contact.compliance = forces.compliance;
  contact.crossCompliance = forces.others;
  return fmt::format(
      "contacts.{}: {}: the contact is in series with {:.6g} m/N along the normal and {:.6g} m/N along the "
      "surface",
      request.name, cause, forces.compliance(0, 0), along);
}

/// Rows of a contact over the coordinates.
struct ContactRows {
  RowMajorMatrix axes;  ///< local axes of the contact, 3 x coordinates
  RowMajorMatrix
      /// Rotation of an area about its normal, or of rolling bodies, 1 x coordinates; empty: none.
      turn;
  /// Shapes of the path of a travelling contact, coordinates x 4 elements (shapeFunctionsAlongPath); else
  /// empty.
  SparseMatrix way;
};

ContactRows contactRowsOf(const ContactRequest& request, const Study& study, const Simulation& simulation) {
  ContactRows rows;
  if (request.isTravelling())
    rows.way = shapeFunctionsAlongPath(elementsOnTravelPath(request, study), simulation);
  RowMajorMatrix places = simulation.rows(dofTripleOfNode(request.first, 0));
  if (request.second) places = RowMajorMatrix(places - simulation.rows(dofTripleOfNode(*request.second, 0)));
  rows.axes = RowMajorMatrix(request.frame.sparseView(1.0, 0.0)) * places;
  const auto rotations = [&](NodeIndex node) { return simulation.rows(dofTripleOfNode(node, 3)); };
  if (request.friction.patch) {
    RowMajorMatrix turns = rotations(request.first);
    if (request.second) turns = RowMajorMatrix(turns - rotations(*request.second));
    rows.turn = projectRowsOnDirection(request.spinAxis(), turns);
  } else if (request.isRolling()) {
    RowMajorMatrix rolled = request.rollingRadius[0] * rotations(request.first);
    if (request.second)
      rolled = RowMajorMatrix(rolled + request.rollingRadius[1] * rotations(*request.second));
    rows.turn = projectRowsOnDirection(request.rollAxis(), rolled);
  }
  return rows;
}

/// Marks the coordinates (columns) that have a nonzero entry in `rows`.
void markNonzeroColumns(const RowMajorMatrix& rows, std::vector<char>& touched) {
  for (Eigen::Index i = 0; i < rows.outerSize(); ++i)
    for (RowMajorMatrix::InnerIterator it(rows, i); it; ++it)
      if (it.value() != 0.0) touched[static_cast<std::size_t>(it.col())] = 1;
}

/// Independent dofs that contacts and links move, increasing.
std::vector<Eigen::Index> dofsOfContacts(const Study& study, const std::vector<ContactRows>& contacts,
                                         const Simulation& simulation) {
  std::vector<char> touched(static_cast<std::size_t>(simulation.size()), 0);
  for (const ContactRows& each : contacts) {
    markNonzeroColumns(each.axes, touched);
    markNonzeroColumns(each.turn, touched);
    markNonzeroColumns(RowMajorMatrix(each.way.transpose()), touched);
  }
  for (const LinkRequest& request : study.links) {
    const auto links = linkRows(request, simulation);
    for (Eigen::Index i = 0; i < links.cols(); ++i)
      if (!links.col(i).isZero(0.0)) touched[static_cast<std::size_t>(i)] = 1;
  }
  for (const MasslessLink& dashpot : simulation.masslessLinks)
    for (Eigen::Index i = 0; i < dashpot.row.size(); ++i)
      if (dashpot.row[i] != 0.0) touched[static_cast<std::size_t>(i)] = 1;
  std::vector<Eigen::Index> dofs;
  for (Eigen::Index i = 0; i < simulation.size(); ++i)
    if (touched[static_cast<std::size_t>(i)] != 0) dofs.push_back(i);
  return dofs;
}

/// Selects `count` columns of `rows`: place[i] is the new column of coordinate i, -1: column i is left out.
Matrix selectColumns(const RowMajorMatrix& rows, const std::vector<Eigen::Index>& place, Eigen::Index count) {
  Matrix picked = Matrix::Zero(rows.rows(), count);
  for (Eigen::Index i = 0; i < rows.outerSize(); ++i)
    for (RowMajorMatrix::InnerIterator it(rows, i); it; ++it)
      if (const Eigen::Index column = place[static_cast<std::size_t>(it.col())]; column >= 0)
        picked(i, column) = it.value();
  return picked;
}

/// Throws if a travelling contact passes an end of its beams that moves along the normal: beyond this end the
/// surface is at rest, so that there would be a step.
void requireNoStepInTravelledSurface(const ContactRequest& request, const Study& study,
                                     const ContactTravelPath& way) {
  if (!study.transient || (!way.doesChainStartMoveAlongNormal() && !way.doesChainEndMoveAlongNormal()))
    return;
  constexpr int kInstants = 4096;  // number of checked instants of the path
  constexpr double kRounding = 1e-9;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (int i = 0; i <= kInstants; ++i) {
    const double t = study.transient->start + study.transient->duration * i / kInstants;
    lowest = std::min(lowest, way.position().at(t));
    highest = std::max(highest, way.position().at(t));
  }
  const double rounding = kRounding * way.length();
  const bool leavesBegin = way.doesChainStartMoveAlongNormal() && lowest < -rounding;
  if (!leavesBegin && !(way.doesChainEndMoveAlongNormal() && highest > way.length() + rounding)) return;
  throw StudyError(StudyProblem{
      "contacts." + request.name,
      fmt::format("its place on the beams goes from {:.6g} m to {:.6g} m, over an end of their {:.6g} m that "
                  "moves along the normal, and beyond there is nothing that moves with it; keep the place "
                  "on the beams, or hold that end",
                  lowest, highest, way.length())});
}

/// Throws if supports move a node of the beams: the node has no coordinate, so that the contact would not
/// follow its motion.
void requireRestingSupports(const ContactRequest& request, const Study& study,
                            const std::vector<WayElement>& way) {
  for (const BaseMotion& motion : study.baseMotions)
    for (const WayElement& element : way)
      for (const Dof& dof : motion.supports)
        if (motion.ofSupports && (dof.node == element.first || dof.node == element.second))
          throw StudyError(StudyProblem{
              "contacts." + request.name,
              fmt::format("travels over node {}, which [[base_motions]] moves as a support: move the whole "
                          "base (leave out `supports`), or put a stiff spring between support and beam",
                          study.nodes[static_cast<std::size_t>(dof.node.value)].name)});
}

/// Sets the beams along which a contact travels; its first row becomes the row of largest norm along them.
void addTravelPath(const ContactRequest& request, const Study& study, const SparseMatrix& shapes,
                   Contact& contact) {
  const std::vector<WayElement> way = elementsOnTravelPath(request, study);
  requireRestingSupports(request, study, way);
  contact.way = std::make_shared<const ContactTravelPath>(request.travel->position, elementBorders(way),
                                                          shapes, contact.rows.row(0));
  requireNoStepInTravelledSurface(request, study, *contact.way);
  contact.rows.row(0) = contact.way->rowAlongNormalOfLargestNorm();
}

/// Translation of a node per unit of a base motion, if the node is a moving support (which has no
/// coordinates).
Vec3 translationByBaseMotion(NodeIndex node, const BaseMotion& motion) {
  Vec3 value = Vec3::Zero();
  for (const Dof& dof : motion.supports)
    if (const auto c = static_cast<Eigen::Index>(dof.component); dof.node == node && c < 3)
      value[c] = motion.direction[static_cast<std::size_t>(c)];
  return value;
}

/// Instants of the run at which a comparison of motions sees each piece of their tables, and samples between.
std::vector<double> instantsToCompareMotions(const Study& study,
                                             const std::vector<const BaseMotion*>& motions) {
  constexpr int kSamples = 4096;  // enough for formulas, which have no pieces
  if (!study.transient) return {0.0};
  const double start = study.transient->start, end = start + study.transient->duration;
  std::vector<double> instants;
  for (int i = 0; i <= kSamples; ++i) instants.push_back(start + (end - start) * i / kSamples);
  for (const BaseMotion* motion : motions)
    for (const auto* function : {&motion->displacement, &motion->velocity})
      for (const double t : (*function)->breakpoints())
        if (t > start && t < end) instants.push_back(t);
  return instants;
}

/// Supports that carry an obstacle: for each translation that they fix, the motions of one of its dofs.
class ObstacleCarriers {
 public:
  ObstacleCarriers(const ContactRequest& request, const Study& study) : request_(request), study_(study) {
    if (request.carriers.empty()) return;
    for (const BaseMotion& motion : study.baseMotions)
      std::ranges::sort(moved_.emplace_back(motion.supports));
    for (const Dof& dof : request.carriers) {
      const std::vector<const BaseMotion*> motions = motionsOf(dof);
      isMoved_ |= !motions.empty();
      const auto c = static_cast<std::size_t>(dof.component);
      if (c >= 3) {
        if (!motions.empty())
          throwObstacleProblem(
              "these supports turn too (base_motions.direction): an obstacle follows translations only");
        continue;
      }
      if (!motions_[c]) motions_[c] = motions;
      if (!doMotionsAgreeAlongTranslation(c, *motions_[c], motions))
        throwObstacleProblem(
            fmt::format("these supports move differently in {}, and an obstacle cannot follow both: name "
                        "one of them, or give all the same [[base_motions]]",
                        componentName(dof.component)));
    }
    if (!isMoved_) throwObstacleProblem("no [[base_motions]] with `supports` moves these supports");
  }

  /// Translation of the obstacle per unit of a base motion. Several motions of one support add up; supports
  /// that move alike move the obstacle once.
  Vec3 translationBy(const BaseMotion& motion) const {
    Vec3 way = Vec3::Zero();
    for (std::size_t c = 0; c < 3; ++c)
      if (motions_[c] && std::ranges::find(*motions_[c], &motion) != motions_[c]->end())
        way[static_cast<Eigen::Index>(c)] = motion.direction[c];
    return way;
  }

 private:
  [[noreturn]] void throwObstacleProblem(std::string problem) const {
    throw StudyError(StudyProblem{"contacts." + request_.name + ".obstacle.carried_by", std::move(problem)});
  }

  std::vector<const BaseMotion*> motionsOf(const Dof& dof) const {
    std::vector<const BaseMotion*> motions;
    for (const BaseMotion& motion : study_.baseMotions)
      if (motion.ofSupports &&
          std::ranges::binary_search(moved_[static_cast<std::size_t>(&motion - study_.baseMotions.data())],
                                     dof))
        motions.push_back(&motion);
    return motions;
  }

  /// True if the sums of the motions are equal in displacement and velocity along a translation.
  bool doMotionsAgreeAlongTranslation(std::size_t component, const std::vector<const BaseMotion*>& a,
                                      const std::vector<const BaseMotion*>& b) const {
    constexpr double kRounding = 1e-12;
    if (a == b) return true;
    std::vector<const BaseMotion*> both = a;
    both.insert(both.end(), b.begin(), b.end());
    const std::vector<double> instants = instantsToCompareMotions(study_, both);
    for (const auto kind : {&BaseMotion::displacement, &BaseMotion::velocity}) {
      double size = 0.0, apart = 0.0;
      for (const double t : instants)
        for (const auto value : {&TimeFunction::at, &TimeFunction::valueJustBefore}) {
          if (value == &TimeFunction::valueJustBefore && t == instants.front()) continue;  // before the run
          double difference = 0.0;
          for (std::size_t i = 0; i < both.size(); ++i) {
            const double term = both[i]->direction[component] * ((*(both[i]->*kind)).*value)(t);
            size = std::max(size, std::abs(term));
            difference += i < a.size() ? term : -term;
          }
          apart = std::max(apart, std::abs(difference));
        }
      if (apart > kRounding * size) return false;
    }
    return true;
  }

  const ContactRequest& request_;
  const Study& study_;
  std::vector<std::vector<Dof>> moved_;  // dofs of each base motion, sorted
  /// Motions of one dof along each translation; none: the supports do not fix this translation.
  std::array<std::optional<std::vector<const BaseMotion*>>, 3> motions_;
  bool isMoved_{false};
};

}  // namespace

void addSupportDrift(const ContactRequest& request, const Study& study, Contact& contact) {
  const ObstacleCarriers carriers(request, study);
  for (const BaseMotion& motion : study.baseMotions) {
    if (!motion.ofSupports) continue;
    Vec3 way = translationByBaseMotion(request.first, motion) - carriers.translationBy(motion);
    if (request.second) way -= translationByBaseMotion(*request.second, motion);
    if (way.isZero(0.0)) continue;
    contact.drift.push_back({*motion.displacement, *motion.velocity, request.frame * way});
  }
}

std::vector<Contact> makeContactsOfStudy(const Study& study, Simulation& simulation) {
  MasslessForces massless = findForcesOnMasslessDofs(study, simulation);
  simulation.contactFields = std::move(massless.fields);
  simulation.linkFields = std::move(massless.linkFields);
  simulation.masslessLinks = std::move(massless.links);
  simulation.unknown = std::move(massless.unknown);
  const bool direct = simulation.mode == Mode::direct;
  (direct ? simulation.direct.coupling : simulation.model.coupling) = std::move(massless.coupling);
  std::vector<ContactRows> rows;
  for (const ContactRequest& request : study.contacts)
    rows.push_back(contactRowsOf(request, study, simulation));
  if (direct) simulation.direct.contactDofs = dofsOfContacts(study, rows, simulation);
  std::vector<Eigen::Index> place(static_cast<std::size_t>(simulation.size()), direct ? -1 : 0);
  const auto count =
      direct ? static_cast<Eigen::Index>(simulation.direct.contactDofs.size()) : simulation.size();
  for (Eigen::Index i = 0; i < count; ++i)
    place[static_cast<std::size_t>(direct ? simulation.direct.contactDofs[static_cast<std::size_t>(i)] : i)] =
        i;
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ContactRequest& request = study.contacts[i];
    Contact contact = makeContactWithoutRows(request, massless.sticks[i].law, study);
    contact.rows = selectColumns(rows[i].axes, place, count);
    if (request.isTravelling()) {
      const Matrix shapes = selectColumns(RowMajorMatrix(rows[i].way.transpose()), place, count).transpose();
      addTravelPath(request, study, SparseMatrix(shapes.sparseView(1.0, 0.0)), contact);
    }
    if (contact.patch) contact.spinRow = selectColumns(rows[i].turn, place, count).row(0);
    if (request.isRolling()) contact.rollRow = selectColumns(rows[i].turn, place, count).row(0);
    addSupportDrift(request, study, contact);
    if (auto series =
            applyContactCompliance(request, massless.contacts[i], study.basis.residualInertia, contact))
      simulation.choices.push_back(std::move(*series));
    if (direct) requireDirectModeSupport(request, contact, *schemeTraits(study.direct.scheme));
    scaleTangentialRowsOfContact(contact);
    if (auto chosen = reportOfCriticalDamping(request.name, massless.sticks[i]))
      simulation.choices.push_back(std::move(*chosen));
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace ricochet
