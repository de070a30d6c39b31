#include "engine/study/checks/study_checks.hpp"
#include "engine/study/parts/study.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace ricochet {
namespace {

/// Adds a problem for each index of a part that the study does not have.
class PartChecks {
 public:
  PartChecks(const Study& study, StudyProblems& problems) : study_(study), problems_(problems) {}

  void checkStructure();
  void checkExcitation();
  void checkBodies();

 private:
  void add(std::string path, std::string problem) {
    problems_.push_back({std::move(path), std::move(problem)});
  }
  bool hasNode(NodeIndex node) const {
    return node.value >= 0 && static_cast<std::size_t>(node.value) < study_.nodes.size();
  }
  void requireNode(NodeIndex node, const std::string& path) {
    if (!hasNode(node))
      add(path, fmt::format("node {} does not exist: the study has {} nodes, numbered from 0", node.value,
                            study_.nodes.size()));
  }
  template <class Dofs>
  void requireNodes(const Dofs& dofs, const std::string& path) {
    for (const Dof dof : dofs)
      if (!hasNode(dof.node)) return requireNode(dof.node, path);
  }
  void requireExistingParts(const std::vector<std::size_t>& indices, std::size_t count, std::string_view what,
                            const std::string& path) {
    for (const std::size_t index : indices)
      if (index >= count)
        add(path, fmt::format("{} {} does not exist: the study has {}", what, index, count));
  }
  void checkElement(const AnyElement& any, const std::string& path);

  const Study& study_;
  StudyProblems& problems_;
};

void PartChecks::checkElement(const AnyElement& any, const std::string& path) {
  std::visit(
      [&]<class E>(const E& element) {
        if constexpr (requires { element.connector; }) {
          const std::size_t nodes = element.connector.nodes.size();
          if (nodes != 1 && nodes != 2)
            return add(path, fmt::format("connects one node to the ground or two nodes, got {}", nodes));
        }
        requireNodes(element.dofs(), path);
      },
      any);
}

void PartChecks::checkStructure() {
  const Structure& structure = study_.structure;
  if (structure.positions.size() != study_.nodes.size())
    add("structure.positions", fmt::format("must be one for each of the {} nodes, got {}; addNode adds both",
                                           study_.nodes.size(), structure.positions.size()));
  for (std::size_t i = 0; i < structure.positions.size(); ++i)
    if (!structure.positions[i].allFinite())
      add(fmt::format("structure.positions[{}]", i), "must be finite numbers");
  for (const NodeIndex node : structure.unplaced) requireNode(node, "structure.unplaced");
  for (std::size_t i = 0; i < structure.elements.size(); ++i)
    checkElement(structure.elements[i], fmt::format("structure.elements[{}]", i));
  for (std::size_t i = 0; i < structure.matrices.size(); ++i)
    requireNodes(structure.matrices[i].dofs, fmt::format("structure.matrices[{}]", i));
  for (std::size_t i = 0; i < structure.fixed.size(); ++i)
    requireNode(structure.fixed[i].node, fmt::format("structure.fixed[{}]", i));
  for (std::size_t i = 0; i < structure.relations.size(); ++i)
    for (const LinearRelation::Term& term : structure.relations[i].terms)
      requireNode(term.dof.node, fmt::format("structure.relations[{}]", i));
}

void PartChecks::checkExcitation() {
  for (std::size_t i = 0; i < study_.loads.size(); ++i)
    requireNode(study_.loads[i].node, fmt::format("loads[{}]", i));
  for (std::size_t i = 0; i < study_.movingLoads.size(); ++i)
    requireExistingParts(study_.movingLoads[i].beams, study_.beams.size(), "beam",
                         fmt::format("movingLoads[{}]", i));
  for (std::size_t i = 0; i < study_.spins.size(); ++i)
    requireExistingParts(study_.spins[i].elements, study_.structure.elements.size(), "element",
                         fmt::format("spins[{}]", i));
  for (const BaseMotion& motion : study_.baseMotions) requireNodes(motion.supports, partName(study_, motion));
  for (std::size_t i = 0; i < study_.initialDisplacement.size(); ++i)
    requireNode(study_.initialDisplacement[i].node, fmt::format("initial.displacement[{}]", i));
  for (std::size_t i = 0; i < study_.initialVelocity.size(); ++i)
    requireNode(study_.initialVelocity[i].node, fmt::format("initial.velocity[{}]", i));
}

void PartChecks::checkBodies() {
  for (const ContactRequest& contact : study_.contacts) {
    const std::string path = "contacts." + contact.name;
    requireNode(contact.first, path);
    if (contact.second) requireNode(*contact.second, path);
    if (contact.second == contact.first) add(path, "is between a node and itself; name two nodes, or one");
    requireNodes(contact.carriers, path);
    if (contact.travel) requireExistingParts(contact.travel->beams, study_.beams.size(), "beam", path);
  }
  for (const LinkRequest& link : study_.links) {
    const std::string path = "links." + link.name;
    requireNode(link.first, path);
    if (link.second) requireNode(*link.second, path);
    if (link.axes.empty() || link.axes.size() > kLinkAxes)
      add(path, fmt::format("must have 1 or {} axes, got {}", kLinkAxes, link.axes.size()));
  }
}

}  // namespace

void addPartProblems(const Study& study, StudyProblems& problems) {
  PartChecks checks(study, problems);
  checks.checkStructure();
  checks.checkExcitation();
  checks.checkBodies();
}

}  // namespace ricochet
