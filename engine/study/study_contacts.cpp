#include "engine/study/study_contacts.hpp"

#include "engine/study/massless_forces.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/study_links.hpp"
#include "engine/study/supports.hpp"

#include <fmt/core.h>

#include <variant>

namespace ricochet {
namespace {

Contact contactWithoutRows(const ContactRequest& request, const Study& study) {
  Contact contact;
  contact.obstacle = request.obstacle;
  contact.normal = request.normal;
  contact.imposedForce = request.imposedForce;
  contact.friction = request.friction.law;
  contact.patch = request.friction.patch;
  contact.surface = request.surface;
  contact.surfaceSpin = request.surfaceSpin;
  contact.tangentScale = request.tangentScale;
  const auto& positions = study.structure.positions;
  Vec3 point = positions[static_cast<std::size_t>(request.first.value)] - request.origin;
  if (request.second) point -= positions[static_cast<std::size_t>(request.second->value)];
  contact.offset = request.frame * point;
  return contact;
}

/// Throws if the direct mode does not support a law; the message gives the key of a law for all schemes.
void requireRegular(const ContactRequest& request, const Contact& contact, const SchemeTraits& scheme) {
  const auto require = [&](std::string_view why, std::string_view remedy) {
    if (why.empty()) return;
    throw StudyError(StudyProblem{
        "contacts." + request.name,
        fmt::format("the direct mode cannot follow {}: give `{}`; event and moreau of the modal mode can, "
                    "beside forces and obstacles that they take",
                    why, remedy)});
  };
  require(whyNot(scheme, traitsOf(contact.normal)), "normal.stiffness");
  require(whyNot(scheme, traitsOf(contact.friction)), "friction.stiffness");
}

std::vector<Dof> dofsFrom(NodeIndex node, int first) {
  return {{node, componentAt(first)}, {node, componentAt(first + 1)}, {node, componentAt(first + 2)}};
}

/// a^t r for the rows r: 1 x coordinates.
RowMajorMatrix projectedRows(const Vec3& a, const RowMajorMatrix& r) {
  return RowMajorMatrix(a.transpose().sparseView(1.0, 0.0)) * r;
}

/// Puts the laws of a contact in series with the flexibility of its point and stores the compliance. Returns
/// the text that reports the laws that changed. Throws StudyError for a law, or a combination of laws, that
/// has no form in series. To be called before the tangents are scaled.
std::optional<std::string> applyCompliance(const ContactRequest& request,
                                           const MasslessForces::OfContact& forces, Contact& contact) {
  contact.offset += forces.offset;
  contact.drift.insert(contact.drift.end(), forces.drift.begin(), forces.drift.end());
  if (forces.compliance.isZero(0.0)) return std::nullopt;
  const std::string path = "contacts." + request.name;
  const auto refuse = [&](std::string_view key, std::string_view why) {
    throw StudyError(
        StudyProblem{fmt::format("{}.{}", path, key),
                     fmt::format("{}; give the node of the contact a mass, however small", why)});
  };
  const double along = forces.alongTangents.value_or(0.0);
  const bool bears = traitsOf(request.friction.law).traction;
  if (!putNormalInSeries(contact, forces.compliance(0, 0)))
    refuse("normal",
           "the node has no mass, so that the contact is in series with the springs that hold the "
           "node, and this law with its parameters has no form in series with a spring: take "
           "`stiffness` without `damping`");
  if (bears && !putFrictionInSeries(contact, along))
    refuse("friction",
           "the node has no mass along the surface, so that its stick is in series with the springs "
           "that hold the node, and this law with its parameters has no form in series with a "
           "spring: take `stiffness` without `damping`, or true stick");
  const NormalTraits& normal = traitsOf(contact.normal);
  const bool slides = bears && along != 0.0;
  const bool hasRates =
      normal.imposed || ((normal.form == ForceForm::linear || normal.form == ForceForm::pieces) &&
                         !normal.setValued && closedContact(contact).normalDamping == 0.0);
  if (slides && !hasRates)
    refuse("normal",
           "the node has no mass along the surface, and friction there needs a normal force with a rate: "
           "take `stiffness` without `damping`, or a given `force`");
  for (const SurfaceTerm& term : contact.surface)
    if (slides && (term.speed.formulaOrNull() != nullptr || !term.speed.breakpoints().empty() ||
                   term.speed.piece(term.speed.lastPiece()).slope != 0.0))
      refuse("surface", "the node has no mass along the surface, which moves with a speed that varies");
  contact.compliance = forces.compliance;
  contact.crossCompliance = forces.others;
  return fmt::format(
      "{}: its node has no mass: the contact is in series with the springs that hold the node, "
      "of {:.6g} m/N along the normal and {:.6g} m/N along the surface",
      path, forces.compliance(0, 0), along);
}

/// Rows of a contact over the coordinates.
struct ContactRows {
  RowMajorMatrix axes;  ///< local axes of the contact, 3 x coordinates
  RowMajorMatrix
      turn;  ///< rotation of an area about its normal, or of bodies that roll, 1 x coordinates; or empty
};

ContactRows rowsOf(const ContactRequest& request, const Simulation& simulation) {
  ContactRows rows;
  RowMajorMatrix places = simulation.rows(dofsFrom(request.first, 0));
  if (request.second) places = RowMajorMatrix(places - simulation.rows(dofsFrom(*request.second, 0)));
  rows.axes = RowMajorMatrix(request.frame.sparseView(1.0, 0.0)) * places;
  const auto rotations = [&](NodeIndex node) { return simulation.rows(dofsFrom(node, 3)); };
  if (request.friction.patch) {
    RowMajorMatrix turns = rotations(request.first);
    if (request.second) turns = RowMajorMatrix(turns - rotations(*request.second));
    rows.turn = projectedRows(request.spinAxis(), turns);
  } else if (request.rolls()) {
    RowMajorMatrix rolled = request.rollingRadius[0] * rotations(request.first);
    if (request.second)
      rolled = RowMajorMatrix(rolled + request.rollingRadius[1] * rotations(*request.second));
    rows.turn = projectedRows(request.frame.row(2).transpose(), rolled);
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
std::vector<Eigen::Index> touchedDofs(const Study& study, const std::vector<ContactRows>& contacts,
                                      const Simulation& simulation) {
  std::vector<char> touched(static_cast<std::size_t>(simulation.size()), 0);
  for (const ContactRows& each : contacts) {
    markNonzeroColumns(each.axes, touched);
    markNonzeroColumns(each.turn, touched);
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
Matrix columnsOf(const RowMajorMatrix& rows, const std::vector<Eigen::Index>& place, Eigen::Index count) {
  Matrix picked = Matrix::Zero(rows.rows(), count);
  for (Eigen::Index i = 0; i < rows.outerSize(); ++i)
    for (RowMajorMatrix::InnerIterator it(rows, i); it; ++it)
      if (const Eigen::Index column = place[static_cast<std::size_t>(it.col())]; column >= 0)
        picked(i, column) = it.value();
  return picked;
}

}  // namespace

std::vector<Contact> contactsOf(const Study& study, Simulation& simulation) {
  MasslessForces massless = masslessForces(study, simulation);
  simulation.contactFields = std::move(massless.fields);
  simulation.linkFields = std::move(massless.linkFields);
  simulation.masslessLinks = std::move(massless.links);
  simulation.unknown = std::move(massless.unknown);
  const bool direct = simulation.mode == Mode::direct;
  std::vector<ContactRows> rows;
  for (const ContactRequest& request : study.contacts) rows.push_back(rowsOf(request, simulation));
  if (direct) simulation.direct.contactDofs = touchedDofs(study, rows, simulation);
  std::vector<Eigen::Index> place(static_cast<std::size_t>(simulation.size()), direct ? -1 : 0);
  const auto count =
      direct ? static_cast<Eigen::Index>(simulation.direct.contactDofs.size()) : simulation.size();
  for (Eigen::Index i = 0; i < count; ++i)
    place[static_cast<std::size_t>(direct ? simulation.direct.contactDofs[static_cast<std::size_t>(i)] : i)] =
        i;
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ContactRequest& request = study.contacts[i];
    Contact contact = contactWithoutRows(request, study);
    contact.rows = columnsOf(rows[i].axes, place, count);
    if (contact.patch) contact.spinRow = columnsOf(rows[i].turn, place, count).row(0);
    if (request.rolls()) contact.rollRow = columnsOf(rows[i].turn, place, count).row(0);
    addDrift(request, study, contact);
    if (auto series = applyCompliance(request, massless.contacts[i], contact))
      simulation.choices.push_back(std::move(*series));
    if (direct) requireRegular(request, contact, *schemeTraits(study.direct.scheme));
    scaleTangents(contact);
    // a node without mass along the surface has no critical damping: c_t = 2 sqrt(m k_t) = 0
    const bool hasMass = massless.contacts[i].alongTangents.value_or(0.0) == 0.0;
    if (auto chosen = hasMass ? dampCritically(request, simulation.physical, contact) : std::nullopt)
      simulation.choices.push_back(std::move(*chosen));
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace ricochet
