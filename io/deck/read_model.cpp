#include "io/deck/read_parts.hpp"
#include "physical/assembly/assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <variant>

namespace ricochet {
namespace {

std::size_t indexOfNode(NodeIndex node) { return static_cast<std::size_t>(node.value); }
std::size_t indexOfNode(Component component) { return static_cast<std::size_t>(component); }

void readRelationTerms(ReadContext& context, const Section& relation) {
  const ProblemWatch watch(relation);
  LinearRelation found;
  bool isFree = false, hasFactor = false;
  for (const Section& term : relation.sections("terms", kRequired)) {
    const std::optional<NodeIndex> node = context.readNodeIndex(term, "node");
    const std::optional<Component> component = context.readDofComponent(term, "dof");
    const double factor = term.number("factor", kRequired);
    // A term with the factor 0 relates its dof to nothing: the relation is made of the other terms.
    const bool isNothing = watch.isFreeOfProblems() && factor == 0.0;
    hasFactor = hasFactor || !isNothing;
    if (!node || !component) continue;
    const Dof dof{*node, *component};
    if (context.hasNoElements(*node)) {
      if (isNothing) continue;
      context.given[indexOfNode(*node)][indexOfNode(*component)] = true;  // this dof follows the other terms
    } else if (!context.hasDof(dof)) {
      term.problem("dof", fmt::format("node \"{}\" has no {}: no element gives it one",
                                      context.nodeName(*node), componentName(*component)));
    }
    if (isNothing) continue;
    found.terms.push_back({dof, factor});
    if (context.isFixed(dof))
      context.relationsOnFixed.push_back(dof);
    else
      isFree = true;
  }
  if (watch.isFreeOfProblems() && !hasFactor)
    relation.problem("terms",
                     "must have a factor that is not 0: with 0 alone nothing is related, leave it out");
  // A relation whose dofs are all fixed has no effect.
  if (isFree) context.study.structure.relations.push_back(std::move(found));
}

}  // namespace

void readNodes(ReadContext& context) {
  // matrices and meshes create nodes
  const bool others = context.root.hasKey("matrices") || context.root.hasKey("meshes");
  const std::vector<Section> sections =
      others ? context.root.sections("nodes") : context.root.sections("nodes", kRequired);
  if (sections.empty() && !others) context.nodes.markNamesAsIncomplete();
  for (const Section& section : sections) {
    context.nodes.declareName(section);
    context.addNode(context.nodes.all().back(), section.where());
    context.study.structure.positions.push_back(section.vector3("position", kRequired, {.unit = "m"}));
    if (context.nodes.all().back() == "all") section.problem("name", "\"all\" stands for every node");
  }
}

void readGroups(ReadContext& context) {
  const std::optional<Section> section = context.root.section("groups");
  if (!section) return;
  if (!section->exists()) context.nodes.markNamesAsIncomplete();
  std::map<std::string, std::vector<NodeIndex>, std::less<>> groups = context.groups;  // groups of meshes
  for (const Located<std::string>& name : section->keys()) {
    std::string taken;
    if (name.value == "all") taken = "\"all\" stands for every node";
    if (context.nodes.find(name.value)) taken = fmt::format("\"{}\" is the name of a node", name.value);
    if (context.groups.contains(name.value)) taken = fmt::format("\"{}\" is a group of a mesh", name.value);
    if (!taken.empty()) section->diagnostics().addProblem(name.where, name.path, taken);
    // An invalid group keeps its name.
    groups[name.value] = context.readNodesOfKey(*section, name.value).value_or(std::vector<NodeIndex>{});
  }
  context.groups = std::move(groups);
}

void readSupports(ReadContext& context) {
  context.fixed.assign(context.study.nodes.size(), {});
  constexpr std::string_view kAll = "all";
  std::vector<std::string_view> words(kComponentNames.begin(), kComponentNames.end());
  words.push_back(kAll);
  for (const Section& section : context.root.sections("supports")) {
    const auto nodes = context.readNodesOfKey(section, "nodes");
    const auto names = section.choices("fixed", kRequired, words);
    const auto isNamed = [&names](std::string_view word) {
      return std::ranges::any_of(names, [word](const auto& each) { return each.value == word; });
    };
    std::vector<Dof>* named = nullptr;
    if (section.hasKey("name")) {
      context.supports.declareName(section);
      named = &context.supportDofs.emplace_back();
    }
    if (!nodes) continue;
    for (const NodeIndex node : *nodes) {
      for (int i = 0; i < kComponents; ++i) {
        const Component component = componentOfIndex(i);
        // The dofs that relations give to a node without elements are not known yet: all six are fixed.
        const bool has =
            context.hasNoElements(node) || context.given[indexOfNode(node)][indexOfNode(component)];
        if (!isNamed(componentName(component)) && !(isNamed(kAll) && has)) continue;
        context.fixed[indexOfNode(node)][indexOfNode(component)] = true;
        context.study.structure.fixed.push_back({node, component});
        if (named != nullptr) named->push_back({node, component});
      }
    }
  }
}

void recordDofsOfElements(ReadContext& context) {
  context.given = dofsOfElements(context.study.structure);
  if (!context.nodes.areAllNamesDeclared()) context.dofsKnown = false;
  for (const ReadContext::DofFlags& flags : context.given)
    context.bare.push_back(std::none_of(flags.begin(), flags.end(), [](bool has) { return has; }));
}

bool hasNodeMass(const Structure& structure, NodeIndex node) {
  std::array<bool, 3> along{};
  const auto fill = [&](bool has) {
    if (has) along.fill(true);
  };
  for (const AnyElement& any : structure.elements) {
    if (const auto* mass = std::get_if<PointMass>(&any))
      fill(mass->node == node && mass->value > 0.0);
    else if (const auto* matrix = std::get_if<MassMatrix>(&any))
      fill(matrix->node == node && matrix->matrix.diagonal().head(3).minCoeff() > 0.0);
    else if (const auto* beam = std::get_if<Beam>(&any))
      fill((beam->first == node || beam->second == node) && beam->material.density > 0.0);
  }
  for (const MatrixBlock& block : structure.matrices) {
    const Vector diagonal = block.mass.diagonal();
    for (std::size_t i = 0; i < block.dofs.size(); ++i)
      if (const auto c = static_cast<std::size_t>(block.dofs[i].component);
          block.dofs[i].node == node && c < along.size() && diagonal[static_cast<Eigen::Index>(i)] > 0.0)
        along[c] = true;
  }
  return along[0] && along[1] && along[2];
}

void readRelations(ReadContext& context) {
  for (const Section& section : context.root.sections("relations")) readRelationTerms(context, section);
}

}  // namespace ricochet
