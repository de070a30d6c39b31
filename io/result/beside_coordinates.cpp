#include "io/result/beside_coordinates.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Names of the nodes without mass that forces of contacts, links and dashpots move in addition to the
/// coordinates.
std::vector<std::string> nodesMovedByForces(const Study& study, const Simulation& simulation) {
  std::vector<std::string> names;
  for (std::size_t node = 0; node < study.nodes.size(); ++node)
    for (int c = 0; c < kComponents; ++c) {
      const Dof dof{NodeIndex{static_cast<int>(node)}, componentOfIndex(c)};
      ImposedMotion motion;
      motion.addContacts(simulation.contactFields, simulation.physical.dofs, dof, Kinematic::displacement);
      motion.addLinks(simulation.linkFields, simulation.physical.dofs, dof, Kinematic::displacement);
      if (motion.empty()) continue;
      names.push_back(study.nodes[node].name);
      break;
    }
  return names;
}

}  // namespace

bool doLoadsMoveMasslessDofs(const Simulation& simulation) {
  return std::any_of(simulation.imposed.begin(), simulation.imposed.end(),
                     [](const ImposedField& field) { return field.isDifferentiated; });
}

void writeNodesMovedByForces(const H5File& file, const Study& study, const Simulation& simulation) {
  if (!simulation.contactFields.empty() || !simulation.linkFields.empty())
    file.writeStrings(kStaticNodes, nodesMovedByForces(study, simulation),
                      {"1", "node that forces of contacts and links move at once, beside the coordinates"});
}

}  // namespace ricochet
