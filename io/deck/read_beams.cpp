#include "io/deck/deck.hpp"
#include "io/deck/mesh_lines.hpp"
#include "io/deck/read_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

/// A section as given in the deck. Its constants follow when the material is known.
struct DeclaredSection {
  AnySection shape;
  double shearCoefficient{0.0};  ///< 0: the coefficient of Cowper
  Eigen::Vector2d shearCentre{Eigen::Vector2d::Zero()};

  SectionConstants computeSectionConstants(const Material& material) const {
    SectionConstants c = sectionConstants(shape, material.poisson, shearCoefficient);
    c.shearCentre = shearCentre;
    return c;
  }
};

/// Named objects to which beams refer. An invalid object keeps its name but has no value.
template <class T>
struct Library {
  explicit Library(std::string_view kind) : names(kind) {}
  DeclaredNames names;
  std::vector<std::optional<T>> values;

  /// The object that a required key names.
  std::optional<T> findNamedObject(const Section& section, std::string_view key) const {
    const ProblemWatch watch(section);
    const Located<std::string> name = readLocatedString(section, key);
    if (!watch.isFreeOfProblems() || !section.exists()) return std::nullopt;
    const std::optional<int> index = names.resolveName(name, section.diagnostics());
    return index ? values[static_cast<std::size_t>(*index)] : std::nullopt;
  }
};

/// Reads every table of [`table`] with the function `read`.
template <class T, class Read>
Library<T> readNamedTables(const ReadContext& context, std::string_view table, std::string_view kind,
                           Read read) {
  Library<T> library(kind);
  const std::optional<Section> all = context.root.section(table);
  if (!all) return library;
  if (!all->exists()) library.names.markNamesAsIncomplete();
  for (const NamedSection& entry : all->namedSections()) {
    const ProblemWatch watch(entry.section);
    library.names.declareName(entry.name, entry.section.diagnostics());
    const T value = read(entry.section);
    library.values.push_back(watch.isFreeOfProblems() ? std::optional(value) : std::nullopt);
  }
  return library;
}

Material readMaterial(const Section& section) {
  Material material;
  material.young = section.number("young", kRequired, rangeAbove(0.0, "Pa"));
  material.poisson = section.number("poisson", kRequired, {.above = -1.0, .highest = 0.5});
  material.density = section.number("density", kRequired, rangeAtLeast(0.0, "kg/m^3"));
  return material;
}

TubeSection readTubeSection(const Section& section) {
  const ProblemWatch watch(section);
  TubeSection tube;
  tube.outerRadius = section.number("outer_radius", kRequired, rangeAbove(0.0, "m"));
  tube.thickness = section.number("thickness", kRequired, rangeAbove(0.0, "m"));
  if (watch.isFreeOfProblems() && section.exists() && tube.thickness > tube.outerRadius)
    section.problem("thickness", fmt::format("must be at most the outer radius, {} m, got {}",
                                             tube.outerRadius, tube.thickness));
  return tube;
}

GeneralSection readGeneralSection(const Section& section) {
  GeneralSection general;
  SectionConstants& c = general.given;
  c.area = section.number("area", kRequired, rangeAbove(0.0, "m^2"));
  c.inertiaY = section.number("iy", kRequired, rangeAbove(0.0, "m^4"));
  c.inertiaZ = section.number("iz", kRequired, rangeAbove(0.0, "m^4"));
  c.torsion = section.number("torsion", kRequired, rangeAbove(0.0, "m^4"));
  // Missing shear areas are an error for Timoshenko beams only.
  c.shearAreaY = section.number("shear_y", rangeAbove(0.0, "m^2")).value_or(0.0);
  c.shearAreaZ = section.number("shear_z", rangeAbove(0.0, "m^2")).value_or(0.0);
  return general;
}

DeclaredSection readSection(const Section& section) {
  DeclaredSection declared;
  const std::string type = section.choice(
      "type", kRequired,
      {TubeSection::keyword, CircleSection::keyword, RectangleSection::keyword, GeneralSection::keyword});
  if (type.empty()) section.acceptAllFurtherKeys();
  if (type == TubeSection::keyword) declared.shape = readTubeSection(section);
  if (type == CircleSection::keyword)
    declared.shape = CircleSection{section.number("radius", kRequired, rangeAbove(0.0, "m"))};
  if (type == RectangleSection::keyword) {
    RectangleSection rectangle;
    rectangle.heightY = section.number("height_y", kRequired, rangeAbove(0.0, "m"));
    rectangle.heightZ = section.number("height_z", kRequired, rangeAbove(0.0, "m"));
    declared.shape = rectangle;
  }
  if (type == GeneralSection::keyword)
    declared.shape = readGeneralSection(section);
  else if (!type.empty())
    declared.shearCoefficient =
        section.number("shear_coefficient", {.above = 0.0, .highest = 1.0}).value_or(0.0);
  if (const auto centre = section.numbers("shear_center", {2}))
    declared.shearCentre = {(*centre)[0], (*centre)[1]};
  return declared;
}

/// Reports missing constants of the section that a Timoshenko beam or a spinning beam needs.
void requireSectionConstants(const Section& section, const Beam& beam, std::string_view name, bool spins) {
  const SectionConstants& c = beam.section;
  const bool timoshenko = beam.theory == BeamTheory::timoshenko;
  if (timoshenko && (c.shearAreaY == 0.0 || c.shearAreaZ == 0.0))
    section.problem("section", fmt::format("\"{}\" has no `shear_y` or no `shear_z`, which theory "
                                           "\"timoshenko\" needs",
                                           name));
  constexpr double kRounding = 1e-9;  // relative rounding of printed numbers
  const auto differ = [](double a, double b) { return std::abs(a - b) > kRounding * std::max(a, b); };
  const bool round = !differ(c.inertiaY, c.inertiaZ) &&
                     (!timoshenko || !differ(c.shearAreaY, c.shearAreaZ)) && c.shearCentre.isZero(0.0);
  if (spins && !round)
    section.problem("spin",
                    fmt::format("needs a section that bends alike about y and z, with its shear centre "
                                "at the centroid; \"{}\" does not",
                                name));
}

/// The two end nodes; empty if they are invalid.
std::optional<std::vector<NodeIndex>> readEndNodesOfBeam(ReadContext& context, const Section& section) {
  std::optional<std::vector<NodeIndex>> ends = context.readDifferentNodes(section, "nodes");
  if (ends && ends->size() != 2) {
    section.problem("nodes", fmt::format("must be the two ends of the beam, got {}", ends->size()));
    return std::nullopt;
  }
  if (!ends) return ends;
  for (const NodeIndex node : *ends)
    if (!context.requirePosition(section, "nodes", node)) return std::nullopt;
  const auto& positions = context.study.structure.positions;
  if (positions[static_cast<std::size_t>((*ends)[0].value)] ==
      positions[static_cast<std::size_t>((*ends)[1].value)]) {
    section.problem("nodes", "both ends are at the same place");
    return std::nullopt;
  }
  return ends;
}

/// Reads all properties of a beam except its nodes.
Beam readBeamProperties(const Section& section, const Library<Material>& materials,
                        const Library<DeclaredSection>& sections) {
  Beam beam;
  const std::optional<Material> material = materials.findNamedObject(section, "material");
  const std::optional<DeclaredSection> shape = sections.findNamedObject(section, "section");
  beam.theory = section.choice("theory", "timoshenko", {"timoshenko", "euler_bernoulli"}) == "timoshenko"
                    ? BeamTheory::timoshenko
                    : BeamTheory::eulerBernoulli;
  const std::string mass = section.choice("mass", "consistent", kBeamMassNames);
  beam.massKind = static_cast<BeamMass>(std::find(kBeamMassNames.begin(), kBeamMassNames.end(), mass) -
                                        kBeamMassNames.begin());
  const Spin spin = readSpin(section);
  beam.spin = spin.speed;
  if (!material || !shape) return beam;
  beam.material = *material;
  beam.section = shape->computeSectionConstants(*material);
  requireSectionConstants(section, beam, section.string("section").value_or(""),
                          spin.varies || spin.speed != 0.0);
  return beam;
}

/// Creates the nodes between the ends; "NAME.0" and "NAME.N" also name the end nodes.
std::vector<NodeIndex> makeInnerNodesOfBeam(ReadContext& context, const Section& section,
                                            const std::string& name, const std::vector<NodeIndex>& ends,
                                            int elements) {
  Structure& structure = context.study.structure;
  const Vec3 begin = structure.positions[static_cast<std::size_t>(ends[0].value)];
  const Vec3 end = structure.positions[static_cast<std::size_t>(ends[1].value)];
  std::vector<NodeIndex> nodes;
  for (int i = 0; i <= elements; ++i) {
    const Located<std::string> made{fmt::format("{}.{}", name, i), section.where("name"),
                                    section.pathOf("name")};
    if (i == 0 || i == elements) {
      nodes.push_back(ends[i == 0 ? 0 : 1]);
      context.nodes.declareAlias(made, nodes.back().value, section.diagnostics());
      continue;
    }
    nodes.push_back(NodeIndex{context.nodes.declareName(made, section.diagnostics())});
    context.addNode(made.value, made.where);
    structure.positions.push_back(begin + (end - begin) * (static_cast<double>(i) / elements));
  }
  return nodes;
}

/// Adds the elements between two ends, if the beam has no problem.
void addGeneratedBeam(ReadContext& context, const Section& section, const std::string& name, Beam beam,
                      const std::optional<Vec3>& axisY, const ProblemWatch& watch) {
  const auto ends = readEndNodesOfBeam(context, section);
  constexpr double kMostElements = 1e6;
  const int elements = section.integer("elements", kRequired, rangeWithin(1.0, kMostElements));
  if (!watch.isFreeOfProblems() || !ends || !section.exists()) return context.nodes.markNamesAsIncomplete();
  const auto position = [&](std::size_t end) {
    return context.study.structure.positions[static_cast<std::size_t>((*ends)[end].value)];
  };
  beam.span = (position(1) - position(0)) / elements;
  const std::optional<Mat3> axes = localAxesOfBeam(beam.span, axisY);
  if (!axes) {
    section.problem("axis_y", "must not be parallel to the beam");
    return context.nodes.markNamesAsIncomplete();
  }
  beam.axes = *axes;
  const std::size_t first = context.study.structure.elements.size();
  BeamRequest request;
  request.name = name;
  request.material = section.string("material").value_or("");
  request.section = section.string("section").value_or("");
  request.firstElement = context.study.structure.elements.size();
  request.count = elements;
  request.totalLength = elements * beam.length();
  request.nodes = makeInnerNodesOfBeam(context, section, name, *ends, elements);
  for (std::size_t i = 0; i + 1 < request.nodes.size(); ++i) {
    beam.first = request.nodes[i];
    beam.second = request.nodes[i + 1];
    if (i == 0) request.element = beam;
    context.study.structure.elements.emplace_back(beam);
  }
  recordVaryingSpin(context, section, first);
  context.study.beams.push_back(std::move(request));
}

/// Reads a beam. If the beam is invalid, its nodes are unknown to later parts.
void readBeam(ReadContext& context, const Section& section, const Library<Material>& materials,
              const Library<DeclaredSection>& sections) {
  const ProblemWatch watch(section);
  context.beams.declareName(section);
  const std::string name = context.beams.all().back();
  const Beam beam = readBeamProperties(section, materials, sections);
  const std::optional<Vec3> axisY = section.direction("axis_y");
  if (section.onlyPresentKeyOf({"mesh", "nodes"}) == "mesh")
    addMeshBeam(context, section, name, beam, axisY, watch);
  else
    addGeneratedBeam(context, section, name, beam, axisY, watch);
}

}  // namespace

void readBeams(ReadContext& context) {
  const auto materials = readNamedTables<Material>(context, "materials", "material", readMaterial);
  const auto sections = readNamedTables<DeclaredSection>(context, "sections", "section", readSection);
  for (const Section& section : context.root.sections("beams"))
    readBeam(context, section, materials, sections);
}

}  // namespace ricochet
