// A study in physical coordinates.

#include "engine/study/direct.hpp"
#include "io/prepare/contact_drift.hpp"
#include "io/prepare/equilibrium.hpp"
#include "io/prepare/moving_loads.hpp"
#include "io/prepare/push_directions.hpp"
#include "io/prepare/restart.hpp"
#include "io/prepare/simulation.hpp"
#include "io/prepare/study_links.hpp"
#include "io/prepare/support_shift.hpp"
#include "physical/assembly/massless.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>

namespace ricochet {
namespace {

using SparseRow = std::map<Eigen::Index, double>;

[[noreturn]] void refuse(const Study& study, std::string_view why) {
  throw InputError(study.direct.where, "direct", std::string(why));
}

DynamicModel condense(const Study& study, const PhysicalModel& physical) {
  try {
    return condenseMassless(physical);
  } catch (const ModelError& error) {
    std::string place;
    if (!error.dofs().empty()) {
      const Dof dof = error.dofs().front();
      place = fmt::format("{} of node {}: ", name(dof.component),
                          study.nodes[static_cast<std::size_t>(dof.node.value)].name);
    }
    refuse(study, fmt::format("{}{}; give it a mass, or a spring to one that has", place, error.what()));
  }
}

/// Each dof takes its row of M, as far as the row has the same component.
SparseMatrix lumped(const Study& study, const PhysicalModel& physical, const DynamicModel& dynamic) {
  const auto componentOf = [&](Eigen::Index i) {
    const int reduced = dynamic.kept[static_cast<std::size_t>(i)];
    return physical.dofs.dof(physical.dofs.independent()[static_cast<std::size_t>(reduced)]).component;
  };
  Vector sum = Vector::Zero(dynamic.mass.rows());
  for (Eigen::Index j = 0; j < dynamic.mass.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(dynamic.mass, j); it; ++it)
      if (componentOf(it.row()) == componentOf(it.col())) sum[it.row()] += it.value();
  if (!(sum.minCoeff() > 0.0))
    refuse(study, "mass = \"lumped\" leaves a degree of freedom without mass; take \"consistent\"");
  SparseMatrix diagonal(sum.size(), sum.size());
  diagonal.reserve(Eigen::VectorXi::Ones(sum.size()));
  for (Eigen::Index i = 0; i < sum.size(); ++i) diagonal.insert(i, i) = sum[i];
  return diagonal;
}

/// Modal damping of the basis, as far as there is any.
void addModalDamping(const DynamicModel& dynamic, const ModalBasis& basis, const std::vector<double>& ratio,
                     DirectSystem& linear) {
  const Vector omega = basis.omega();
  std::vector<Eigen::Index> damped;
  const auto ratioOf = [&](Eigen::Index i) {
    return ratio[std::min(static_cast<std::size_t>(i), ratio.size() - 1)];
  };
  for (Eigen::Index i = 0; i < omega.size(); ++i)
    if (ratioOf(i) * omega[i] > 0.0) damped.push_back(i);
  Matrix shapes(static_cast<Eigen::Index>(dynamic.kept.size()), static_cast<Eigen::Index>(damped.size()));
  linear.dampingRates.resize(shapes.cols());
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const Eigen::Index mode = damped[static_cast<std::size_t>(j)];
    linear.dampingRates[j] = 2.0 * ratioOf(mode) * omega[mode];
    for (Eigen::Index i = 0; i < shapes.rows(); ++i)
      shapes(i, j) = basis.reducedShapes(dynamic.kept[static_cast<std::size_t>(i)], mode);
  }
  linear.dampingShapes = linear.mass * shapes;
}

DirectSystem makeSystem(const Study& study, const Simulation* modal, Simulation& simulation,
                        const DynamicModel& dynamic) {
  DirectSystem linear;
  linear.mass = study.direct.lumped ? lumped(study, simulation.physical, dynamic) : dynamic.mass;
  linear.stiffness = dynamic.stiffness;
  const RayleighDamping& rayleigh = study.basis.rayleigh;
  linear.damping = dynamic.damping;
  if (rayleigh.mass != 0.0) linear.damping += rayleigh.mass * linear.mass;
  if (rayleigh.stiffness != 0.0) linear.damping += rayleigh.stiffness * linear.stiffness;
  linear.damping.prune(0.0);
  const std::vector<double>& ratio = study.basis.dampingRatio;
  if (std::any_of(ratio.begin(), ratio.end(), [](double r) { return r > 0.0; })) {
    simulation.basis = modal != nullptr ? modal->basis : extractBasis(study, simulation.physical);
    addModalDamping(dynamic, simulation.basis, ratio, linear);
  }
  linear.elimination = std::make_shared<const Elimination>(
      SparseMatrix(linear.mass.cwiseAbs() + linear.damping.cwiseAbs()) + linear.stiffness.cwiseAbs());
  return linear;
}

using ContactRows = std::array<SparseRow, ContactSet::kAxes>;

/// The three local axes of a contact in terms of the coordinates, and its rotation if it is an area.
ContactRows contactRows(const ContactRequest& request, const DofMap& dofs, const RowMajorMatrix& toDofs) {
  ContactRows rows;
  const Vec3 spin = request.friction.patch ? request.spinAxis() : Vec3::Zero();
  const auto addDof = [&](Dof which, std::size_t axis, double factor) {
    const DofIndex dof = dofs.find(which);
    if (!dof.exists() || factor == 0.0) return;
    for (RowMajorMatrix::InnerIterator it(toDofs, dof.value); it; ++it)
      if (const double entry = factor * it.value(); entry != 0.0) rows[axis][it.col()] += entry;
  };
  const auto add = [&](NodeIndex node, double sign) {
    for (int c = 0; c < 3; ++c) {
      for (int axis = 0; axis < 3; ++axis)
        addDof({node, componentAt(c)}, static_cast<std::size_t>(axis), sign * request.frame(axis, c));
      addDof({node, componentAt(3 + c)}, 3, sign * spin[c]);
    }
  };
  const auto roll = [&](NodeIndex node, double radius) {
    for (int c = 0; c < 3; ++c) addDof({node, componentAt(3 + c)}, 3, radius * request.frame(2, c));
  };
  add(request.first, 1.0);
  if (request.second) add(*request.second, -1.0);
  roll(request.first, request.rollingRadius[0]);
  if (request.second) roll(*request.second, request.rollingRadius[1]);
  return rows;
}

void requireRegular(const ContactRequest& request) {
  const auto setValued = [](const auto& law) { return law.kSetValued; };
  const auto fail = [&](std::string_view what) {
    throw InputError(
        request.where, "contacts." + request.name,
        fmt::format("the direct mode cannot follow {}; event and moreau of the modal mode can, beside forces "
                    "and obstacles that they take",
                    what));
  };
  if (std::visit(setValued, request.normal)) fail("a rigid impact: give `normal.stiffness`");
  if (std::visit(setValued, request.friction.law)) fail("true stick: give `friction.stiffness`");
}

void makeContacts(const Study& study, Simulation& simulation) {
  std::vector<ContactRows> rows;
  std::map<Eigen::Index, Eigen::Index> place;  // of each contact dof
  for (const ContactRequest& request : study.contacts) {
    requireRegular(request);
    rows.push_back(contactRows(request, simulation.physical.dofs, simulation.toDofs));
    for (const SparseRow& row : rows.back())
      for (const auto& entry : row) place.emplace(entry.first, 0);
  }
  for (const LinkRequest& request : study.links) {
    const auto links = linkRows(request, simulation);
    for (Eigen::Index i = 0; i < links.cols(); ++i)
      if (!links.col(i).isZero(0.0)) place.emplace(i, 0);
  }
  std::vector<Eigen::Index>& dofs = simulation.direct.contactDofs;
  for (auto& [dof, index] : place) {
    index = static_cast<Eigen::Index>(dofs.size());
    dofs.push_back(dof);
  }
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const ContactRequest& request = study.contacts[i];
    Contact contact = contactWithoutRows(request, study);
    if (auto chosen = dampCritically(request, simulation.physical, contact))
      simulation.choices.push_back(std::move(*chosen));
    contact.rows = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, static_cast<Eigen::Index>(dofs.size()));
    for (int axis = 0; axis < 3; ++axis)
      for (const auto& [dof, factor] : rows[i][static_cast<std::size_t>(axis)])
        contact.rows(axis, place[dof]) = factor;
    if (contact.patch) {
      contact.spinRow = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(dofs.size()));
      for (const auto& [dof, factor] : rows[i][3]) contact.spinRow[place[dof]] = factor;
    }
    if (request.rolls()) {
      contact.rollRow = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(dofs.size()));
      for (const auto& [dof, factor] : rows[i][3]) contact.rollRow[place[dof]] = factor;
    }
    addDrift(request, study, contact);
    scaleTangents(contact);
    contacts.push_back(std::move(contact));
  }
  simulation.direct.contacts = ContactSet(std::move(contacts), static_cast<Eigen::Index>(dofs.size()));
}

/// The links, with rows on the contact dofs.
void makeLinks(const Study& study, Simulation& simulation) {
  std::vector<Link> links = linksOf(study, simulation);
  const std::vector<Eigen::Index>& dofs = simulation.direct.contactDofs;
  for (Link& link : links) {
    Eigen::Matrix<double, 2, Eigen::Dynamic> rows(2, static_cast<Eigen::Index>(dofs.size()));
    for (std::size_t i = 0; i < dofs.size(); ++i)
      rows.col(static_cast<Eigen::Index>(i)) = link.rows.col(dofs[i]);
    link.rows = std::move(rows);
  }
  simulation.direct.links = LinkSet(std::move(links), static_cast<Eigen::Index>(dofs.size()));
}

/// Static modes of supports that contacts see move, on the dofs with mass.
std::vector<SupportShift> shiftsOf(const Study& study, const Simulation& simulation,
                                   const DynamicModel& dynamic) {
  const std::vector<DofIndex>& independent = simulation.physical.dofs.independent();
  return supportShifts(
      study, simulation.physical, simulation.imposed,
      [&](const Vector& field) -> Vector {
        Vector part(simulation.size());
        for (Eigen::Index i = 0; i < part.size(); ++i) {
          const int kept = dynamic.kept[static_cast<std::size_t>(i)];
          part[i] = field[independent[static_cast<std::size_t>(kept)].value];
        }
        return part;
      },
      [&](const Vector& part) -> Vector { return simulation.toDofs * part; });
}

void addShiftLoads(const DirectSystem& linear, double start, std::vector<SupportShift>& shifts,
                   std::vector<Load>& loads) {
  for (SupportShift& each : shifts) {
    Vector damping = linear.damping * each.part;
    if (linear.dampingShapes.cols() > 0)
      damping += linear.dampingShapes *
                 (linear.dampingRates.asDiagonal() * (linear.dampingShapes.transpose() * each.part));
    each.addLoads(linear.mass * each.part, damping, linear.stiffness * each.part, start, loads);
  }
}

/// One load for each entry of the deck, however many nodes it has. Returns what the initial state is shifted
/// by.
std::vector<SupportShift> makeLoads(const Study& study, const DynamicModel& dynamic, Simulation& simulation) {
  std::vector<Load> loads;
  for (const std::span<const NodalLoad> entry : loadsByEntry(study)) {
    Vector force = Vector::Zero(simulation.toDofs.rows());
    for (const NodalLoad& load : entry)
      for (int c = 0; c < kComponents; ++c) {
        const DofIndex dof = simulation.physical.dofs.find({load.node, componentAt(c)});
        if (dof.exists()) force[dof.value] += load.components[static_cast<std::size_t>(c)];
      }
    loads.push_back({simulation.toDofs.transpose() * force, entry.front().scale});
  }
  for (FieldLoad& load : inertiaLoads(study, simulation.physical, simulation.imposed))
    loads.push_back({simulation.toDofs.transpose() * load.force, std::move(load.scale)});
  std::vector<SupportShift> shifts = shiftsOf(study, simulation, dynamic);
  addShiftLoads(simulation.direct.linear, study.transient->start, shifts, loads);
  simulation.direct.loads = Excitation(std::move(loads), simulation.size(), movingLoads(study, simulation));
  return shifts;
}

/// y = (T^t M T)^-1 T^t M u, as a basis takes its part of a field.
void setInitialState(const Study& study, Simulation& simulation, const DynamicModel& dynamic) {
  Diagnostics diagnostics;
  simulation.initial = State(simulation.size());
  simulation.initial.time = study.transient->start;
  if (study.initialDisplacement.empty() && study.initialVelocity.empty()) return;
  // lumped or not, fields are shared out alike
  const auto mass = simulation.direct.linear.elimination->factorize(dynamic.mass, 0.0);
  if (!mass) throw std::runtime_error("the mass matrix is singular");
  const auto project = [&](const std::vector<InitialValue>& values, std::string_view what, Vector& target) {
    if (values.empty()) return;
    const Vector field = initialField(values, simulation.physical, what, diagnostics);
    const SparseMatrix& full = simulation.physical.fullMass;
    Matrix part = simulation.toDofs.transpose() * (full * field);
    mass->solve(part);
    target.head(simulation.size()) = part;
    const Vector missing = field - simulation.toDofs * target.head(simulation.size());
    const double norm = std::sqrt(field.dot(full * field));
    constexpr double kNoticeable = 1e-6;
    if (std::sqrt(std::max(0.0, missing.dot(full * missing))) > kNoticeable * norm)
      simulation.warnings.push_back(
          fmt::format("relations and supports do not allow the initial {} as given", what));
  };
  project(study.initialDisplacement, "displacement", simulation.initial.q);
  project(study.initialVelocity, "velocity", simulation.initial.v);
  diagnostics.throwIfAny();
}

void chooseStep(const Study& study, Simulation& simulation) {
  const DirectRequest& direct = study.direct;
  simulation.scheme = direct.scheme;
  simulation.safeStep = std::numeric_limits<double>::infinity();
  const bool given = direct.step || study.transient->step;
  if (given && !hasStepLimit(direct.scheme, direct.options)) {
    simulation.step = direct.step ? *direct.step : *study.transient->step;
    return;
  }
  const StiffnessBounds bounds = stiffnessBounds(simulation.direct);
  simulation.safeStep = largestSafeStep(bounds, direct.scheme, direct.options);
  if (given) {
    simulation.step = direct.step ? *direct.step : *study.transient->step;
    if (simulation.step <= simulation.safeStep) return;
    throw InputError(
        direct.stepWhere, "direct.step",
        fmt::format("{:g} s is unstable with {} when the contacts are closed and sticking; take at "
                    "most {:.4g} s",
                    simulation.step, simulation.scheme, simulation.safeStep));
  }
  constexpr double kShareOfLimit = 0.1;
  constexpr double kStepsAtLeast = 1000.0;
  simulation.step = std::min(study.transient->duration / kStepsAtLeast,
                             kShareOfLimit * largestSafeStep(bounds, CentralDifference::keyword));
  simulation.choices.push_back(
      fmt::format("direct.step = {:.3g} s: a tenth of the largest stable step of central_difference and a "
                  "thousandth of the duration at most",
                  simulation.step));
}

}  // namespace

std::unique_ptr<Simulation> prepareDirect(const Study& study, const Simulation* modal) {
  if (!study.spins.empty())
    throw InputError(study.spins.front().where, "direct",
                     "the direct mode cannot follow a spin that varies; the modal mode can");
  auto simulation = std::make_unique<Simulation>();
  simulation->mode = Mode::direct;
  simulation->physical = modal != nullptr ? modal->physical : assembleStudy(study);
  const DynamicModel dynamic = condense(study, simulation->physical);
  simulation->toDofs = dynamic.transformation;
  simulation->direct.linear = makeSystem(study, modal, *simulation, dynamic);
  try {
    static_cast<void>(DirectFactor(simulation->direct.linear, 0.0, 0.0));  // throws when M is singular
    simulation->imposed = imposedFields(study, simulation->physical, nullptr, {});
    makeContacts(study, *simulation);
    const std::vector<SupportShift> shifts = makeLoads(study, dynamic, *simulation);
    if (study.restart)
      restartState(study, *simulation);
    else
      setInitialState(study, *simulation, dynamic);
    makeLinks(study, *simulation);
    if (!study.restart)
      for (const SupportShift& each : shifts) each.shift(simulation->initial);
    findEquilibrium(study, shifts, *simulation);
    chooseStep(study, *simulation);
    if (study.restart) restartMemory(study, *simulation);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    refuse(study, fmt::format("{}; the modal mode takes such a structure", error.what()));
  }
  return simulation;
}

}  // namespace ricochet
