#include "engine/study/parts/study.hpp"

#include <string>

namespace ricochet {

Study::Study() = default;
Study::Study(const Study&) = default;
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(const Study&) = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

NodeIndex Study::addNode(std::string name, const std::array<double, 3>& position) {
  nodes.push_back({std::move(name)});
  structure.positions.emplace_back(position.data());
  return NodeIndex{static_cast<int>(nodes.size()) - 1};
}

void Study::addMass(const std::vector<NodeIndex>& to, double mass) {
  for (const NodeIndex node : to) {
    PointMass point;
    point.node = node;
    point.value = mass;
    structure.elements.emplace_back(point);
  }
}

void Study::addSpring(NodeIndex first, NodeIndex second, const std::array<double, 3>& stiffness) {
  structure.elements.emplace_back(
      Spring{Connector::connectorFromDiagonal({first, second}, Vec3(stiffness.data()))});
}

void Study::addSpring(NodeIndex node, const std::array<double, 3>& stiffness) {
  structure.elements.emplace_back(Spring{Connector::connectorFromDiagonal({node}, Vec3(stiffness.data()))});
}

void Study::addDashpot(NodeIndex first, NodeIndex second, const std::array<double, 3>& damping) {
  structure.elements.emplace_back(
      Dashpot{Connector::connectorFromDiagonal({first, second}, Vec3(damping.data()))});
}

void Study::addDashpot(NodeIndex node, const std::array<double, 3>& damping) {
  structure.elements.emplace_back(Dashpot{Connector::connectorFromDiagonal({node}, Vec3(damping.data()))});
}

void Study::fix(const std::vector<NodeIndex>& at, const std::vector<Component>& components) {
  for (const NodeIndex node : at)
    for (const Component component : components) structure.fixed.push_back({node, component});
}

std::string partName(NodeIndex node) { return "node[" + std::to_string(node.value) + "]"; }

std::string partName(const Study& study, const BaseMotion& motion) {
  return "base_motions[" + std::to_string(&motion - study.baseMotions.data()) + "]";
}

std::string partName(const NodalLoad& load) { return "loads[" + std::to_string(load.entry) + "]"; }

const std::string& bodyName(const Study& study, int contact) {
  static const std::string dashpot = "[[dampers]]";  // made from the dampers of nodes without mass
  const auto i = static_cast<std::size_t>(contact);
  if (i < study.contacts.size()) return study.contacts[i].name;
  const std::size_t link = i - study.contacts.size();
  return link < study.links.size() ? study.links[link].name : dashpot;
}

}  // namespace ricochet
