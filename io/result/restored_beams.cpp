#include "io/result/restored_beams.hpp"

#include "io/archive/read_curve.hpp"
#include "io/archive/recorded_columns.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/quantities/checks/not_finite.hpp"
#include "io/toml/read_names.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <variant>

namespace ricochet {
namespace {

constexpr std::array<const char*, 2> kPaths{"/beams/force", "/beams/elastic_force"};
constexpr std::size_t kForces = kSectionForces.size();
constexpr std::size_t kSix = kComponents;

const TimeFunction* timeFunctionOfImposedField(const ImposedField& field, Kinematic kind) {
  const auto& of = field.of[static_cast<std::size_t>(kind)];
  return of ? &*of : nullptr;
}

/// Side of a slot, +1 or -1, that is in contact in each archived row of a contact.
std::vector<double> readContactSides(const H5File& result, const ContactRequest& contact, std::size_t rows) {
  std::vector<double> sides(rows, 1.0);
  if (!contactFreeIntervalOfObstacle(contact.obstacle).isBounded()) return sides;
  const std::string group = contactGroupPath(contact.name, Mode::modal);
  if (!result.exists(group))
    throw RestoreError(
        fmt::format("contact {} travels along a beam in a slot, and among so many contacts the "
                    "result does not hold which side of it pushes: forces of beams and "
                    "reactions cannot be restored",
                    contact.name));
  const HistoryColumn place = readColumn(result, group, "position", 0, {3});
  for (std::size_t i = 0; i < std::min(rows, place.values.size()); ++i)
    sides[i] = visitPlanarObstacle(contact.obstacle, 1.0,
                                   [&](const auto& shape) { return shape.normalSign(place.values[i]); });
  return sides;
}

}  // namespace

void addLoadsOfTravellingContacts(const H5File& result, Deck& study) {
  for (const ContactRequest& contact : study.contacts) {
    if (!contact.isTravelling()) continue;
    const Curve force = readCurve(result, fmt::format("normal_force({})", contact.name));
    const std::vector<double> side = readContactSides(result, contact, force.time.size());
    std::vector<double> times, pushes;
    for (std::size_t i = 0; i < force.time.size(); ++i) {
      if (!times.empty() && !(force.time[i] > times.back())) continue;  // rows of one instant
      times.push_back(force.time[i]);
      pushes.push_back(-side[i] * force.values[i]);
    }
    if (times.size() < 2) continue;
    MovingLoadRequest load;
    load.beams = contact.travel->beams;
    load.position = contact.travel->position;
    load.scale =
        TimeFunction::table(times, pushes, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
    for (int c = 0; c < 3; ++c) load.components[static_cast<std::size_t>(c)] = contact.frame(0, c);
    study.movingLoads.push_back(std::move(load));
  }
}

RestoredBeams::RestoredBeams(const H5File& result, const Deck& study, const PhysicalModel& physical,
                             const std::vector<ImposedField>& imposed, const std::vector<std::string>& names,
                             BeamForceFields fields)
    : fields_(fields), rayleigh_(study.basis.rayleigh) {
  if (fields.force && !study.spins.empty())
    throw RestoreError("forces of beams are not supported yet where a spin varies; beam_elastic_force is");
  selectElements(study, names);
  findNodesOfElements(result, study);
  addImposedMotion(study, physical, imposed);
  for (const MovingLoadRequest& load : study.movingLoads)
    travelling_.push_back({load, elementsOnTravelPath(load, study)});
}

void RestoredBeams::selectElements(const Deck& study, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto known = [&](const BeamRequest& beam) { return beam.name == name; };
    if (std::any_of(study.beams.begin(), study.beams.end(), known)) continue;
    std::vector<std::string> all;
    for (const BeamRequest& beam : study.beams) all.push_back(beam.name);
    throw RestoreError("there is " + unknownNameMessage("beam", name, all));
  }
  for (const BeamRequest& beam : study.beams) {
    if (!names.empty() && std::find(names.begin(), names.end(), beam.name) == names.end()) continue;
    names_.push_back(beam.name);
    for (int i = 0; i < beam.elements(); ++i) {
      const std::size_t index = beam.firstElement + static_cast<std::size_t>(i);
      places_.emplace(index, elements_.size());
      Element& made = elements_.emplace_back();
      made.beamElement = std::get<Beam>(study.structure.elements[index]);
      made.beam = names_.size() - 1;
      made.number = beam.numbers.empty() ? i + 1 : beam.numbers[static_cast<std::size_t>(i)];
      spins_ = spins_ || made.beamElement.spin != 0.0;
    }
  }
  if (elements_.empty()) throw RestoreError("the deck has no [[beams]]: there is no force of a beam");
}

void RestoredBeams::findNodesOfElements(const H5File& result, const Deck& study) {
  std::vector<std::string> names;
  std::unordered_map<int, Eigen::Index> places;
  for (Element& element : elements_) {
    const std::array<NodeIndex, 2> ends{element.beamElement.first, element.beamElement.second};
    for (std::size_t end = 0; end < 2; ++end) {
      const auto [found, isNew] =
          places.try_emplace(ends[end].value, static_cast<Eigen::Index>(names.size()));
      if (isNew) names.push_back(study.nodes[static_cast<std::size_t>(ends[end].value)].name);
      element.nodes[end] = found->second;
    }
  }
  nodes_ = ricochet::findNodesByName(result, names);
  shapes_ = modeShapesAtNodes(result, nodes_);
}

void RestoredBeams::addImposedMotion(const Deck& study, const PhysicalModel& physical,
                                     const std::vector<ImposedField>& imposed) {
  const auto size = static_cast<Eigen::Index>(kSix * nodes_.size());
  if (study.gravity) {
    const Vec3 g(study.gravity->data());
    Vector field = Vector::Zero(size);
    for (Eigen::Index node = 0; node < size; node += kComponents) field.segment<3>(node) = -g;
    imposed_.push_back({Kinematic::acceleration, std::move(field), TimeFunction::constant(1.0), false, true});
  }
  for (const ImposedField& base : imposed) {
    Vector field = Vector::Zero(size);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      for (std::size_t c = 0; c < kSix; ++c) {
        const DofIndex dof = physical.dofs.find({nodes_.nodes[node], componentOfIndex(static_cast<int>(c))});
        if (dof.exists()) field[static_cast<Eigen::Index>(kSix * node + c)] = base.field[dof.value];
      }
    const bool strains = !base.supports.empty() || !base.isBase;
    if (strains && timeFunctionOfImposedField(base, Kinematic::displacement) == nullptr)
      throw RestoreError(
          "forces of beams whose supports move need the `displacement` of these, which the deck does not "
          "give");
    if (strains && fields_.force && rayleigh_.stiffness != 0.0 &&
        timeFunctionOfImposedField(base, Kinematic::velocity) == nullptr && base.isBase)
      throw RestoreError(
          "forces of beams whose supports move need the `velocity` of these beside `rayleigh.stiffness`, "
          "which "
          "the deck does not give");
    for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration})
      if (const TimeFunction* of = timeFunctionOfImposedField(base, kind))
        imposed_.push_back({kind, field, *of, strains, base.isBase});
  }
}

bool RestoredBeams::isCoordinateKindNeeded(Kinematic kind) const noexcept {
  if (kind == Kinematic::displacement) return true;
  return fields_.force && (kind == Kinematic::acceleration || spins_ || isDamped());
}

std::size_t RestoredBeams::valuesPerInstant() const noexcept {
  return kSix * nodes_.size() * kKinematicNames.size() + kForces * elements_.size();
}

void RestoredBeams::createBeamGroup(const H5File& to, std::size_t instants) {
  std::vector<std::string> names, first, second;
  std::vector<std::int64_t> numbers;
  std::vector<double> axes, lengths;
  for (const Element& element : elements_) {
    names.push_back(names_[element.beam]);
    numbers.push_back(element.number);
    first.push_back(nodes_.names[static_cast<std::size_t>(element.nodes[0])]);
    second.push_back(nodes_.names[static_cast<std::size_t>(element.nodes[1])]);
    lengths.push_back(element.beamElement.length());
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) axes.push_back(element.beamElement.axes(row, column));
  }
  to.writeStrings("/beams/beam", names, {"1", "beam that the element is of"});
  to.makeDatasetScale("/beams/beam", "element");
  to.linkObject("/beams/time", "/physical/time");  // xarray does not find axes of another group
  to.write("/beams/number", {size()}, numbers,
           {"1", "number of the element: in its mesh, or along the beam from 1"});
  to.writeStrings("/beams/first_node", first, {"1", "node of end 1"});
  to.writeStrings("/beams/second_node", second, {"1", "node of end 2"});
  to.write("/beams/length", {size()}, lengths, {"m", "length of the element"});
  to.write("/beams/axes", {size(), 3, 3}, axes, {"1", "local axes x, y, z of the element, as rows"});
  for (const char* each : {"number", "first_node", "second_node", "length", "axes"})
    labelAxes(to, std::string("/beams/") + each, {{"beam"}});
  labelAxis(to, "/beams/axes", 1, {"local_axis", "axis of the element", {"x", "y", "z"}});
  labelAxis(to, "/beams/axes", 2, globalAxes());
  to.writeStrings("/beams/component", {kSectionForces.begin(), kSectionForces.end()},
                  {"1", "force of the section at end 1 or 2 that looks along local x, in local axes"});
  to.makeDatasetScale("/beams/component", "component");
  const std::array<bool, 2> wanted{fields_.force, fields_.elasticForce};
  const std::array<const char*, 2> meanings{"forces of end sections, in balance with inertia and weight",
                                            "forces of end sections, stiffness times displacements"};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    datasets_[i] = GrowingDataset::createNumbers(to, kPaths[i], {"N or N m for moments", meanings[i]},
                                                 {.rowShape = {size(), kForces}, .expectedRows = instants});
    labelAxes(to, kPaths[i], {{"time"}, {"beam"}, {"component"}});
  }
}

/// Motion of the nodes, six components each, one row per instant.
RestoredBeams::RowMajor RestoredBeams::motionOfNodes(Kinematic kind, Motion part,
                                                     const Coordinates& coordinates,
                                                     std::span<const double> times) const {
  RowMajor values = coordinates[static_cast<std::size_t>(kind)] * shapes_.transpose();
  for (const Imposed& imposed : imposed_) {
    if (imposed.kind != kind || (part == Motion::relative && imposed.isBase) ||
        (part == Motion::straining && !imposed.strains))
      continue;
    for (std::size_t i = 0; i < times.size(); ++i)
      values.row(static_cast<Eigen::Index>(i)) += imposed.of.at(times[i]) * imposed.field.transpose();
  }
  return values;
}

/// Subtracts the consistent nodal forces of loads that travel within an element, which are not forces of its
/// end sections.
void RestoredBeams::subtractForcesOfTravellingLoads(std::span<const double> times, RowMajor& force) const {
  for (const Travelling& travelling : travelling_)
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto loaded = elementUnderMovingLoad(travelling.load, travelling.way, times[i]);
      const auto place = loaded ? places_.find(loaded->on->element) : places_.end();
      if (place == places_.end()) continue;
      const Eigen::Matrix<double, 12, 1> taken =
          sectionForceMatrix(elements_[place->second].beamElement) * loaded->forces;
      force.row(static_cast<Eigen::Index>(i))
          .segment<12>(static_cast<Eigen::Index>(kForces * place->second)) -= taken.transpose();
    }
}

/// The forces K_e u ("elastic"), and the whole ones, from the motions of the nodes at some instants.
void RestoredBeams::addBeamForces(const Motions& motions, RowMajor& elastic, RowMajor& force) const {
  Eigen::Matrix<double, Eigen::Dynamic, 12> ends(elastic.rows(), 12);
  const auto gather = [&](const RowMajor& motion, const Element& element) -> const auto& {
    for (std::size_t end = 0; end < 2; ++end)
      ends.middleCols<kComponents>(static_cast<Eigen::Index>(kSix * end)) =
          motion.middleCols<kComponents>(kComponents * element.nodes[end]);
    return ends;
  };
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Beam& beam = elements_[e].beamElement;
    const Matrix12 toForces = sectionForceMatrix(beam);
    const auto place = static_cast<Eigen::Index>(kForces * e);
    elastic.middleCols<12>(place).noalias() =
        gather(motions.u, elements_[e]) * (toForces * beam.stiffness()).transpose();
    if (!fields_.force) continue;
    force.middleCols<12>(place) = elastic.middleCols<12>(place);
    const auto add = [&](const RowMajor& motion, const ElementMatrix& matrix) {
      force.middleCols<12>(place).noalias() += gather(motion, elements_[e]) * (toForces * matrix).transpose();
    };
    add(motions.a, beam.mass());
    if (beam.spin != 0.0) add(motions.v, beam.gyroscopicMatrix());
    if (rayleigh_.stiffness != 0.0) add(motions.strainingV, rayleigh_.stiffness * beam.stiffness());
    if (rayleigh_.mass != 0.0) add(motions.relativeV, rayleigh_.mass * beam.mass());
  }
}

void RestoredBeams::appendInstants(const Coordinates& coordinates, std::span<const double> times) {
  const auto motionOf = [&](Kinematic kind, Motion part) {
    return motionOfNodes(kind, part, coordinates, times);
  };
  Motions motions;
  motions.u = motionOf(Kinematic::displacement, Motion::straining);
  if (fields_.force) {
    motions.a = motionOf(Kinematic::acceleration, Motion::absolute);
    if (spins_) motions.v = motionOf(Kinematic::velocity, Motion::absolute);
    if (rayleigh_.stiffness != 0.0) motions.strainingV = motionOf(Kinematic::velocity, Motion::straining);
    if (rayleigh_.mass != 0.0) motions.relativeV = motionOf(Kinematic::velocity, Motion::relative);
  }
  const auto instants = static_cast<Eigen::Index>(times.size());
  const auto width = static_cast<Eigen::Index>(kForces * size());
  RowMajor elastic(instants, width), force(fields_.force ? instants : 0, width);
  addBeamForces(motions, elastic, force);
  if (fields_.force) subtractForcesOfTravellingLoads(times, force);
  const RowMajor* const forces[] = {&force, &elastic};
  for (std::size_t i = 0; i < datasets_.size(); ++i) {
    if (!datasets_[i]) continue;
    const auto count = static_cast<std::size_t>(forces[i]->size());
    requireFiniteRows(datasets_[i]->path(), {forces[i]->data(), count}, times);
    datasets_[i]->append(forces[i]->data(), times.size());
  }
}

}  // namespace ricochet
