#include "io/result/result_links.hpp"

#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_axes.hpp"

#include <fmt/core.h>

#include <variant>
#include <vector>

namespace ricochet {

std::vector<LinkProbe> linkProbes(const Deck& study, const Simulation& simulation, std::size_t link) {
  const Link& of = simulation.links().link(static_cast<int>(link));
  LinkProbe probe{.link = link, .axes = of.axisCount(), .turns = study.links[link].isRotational()};
  std::vector<LinkProbe> probes;
  for (const LinkProbe::Kind kind : LinkProbe::kAll) {
    probe.kind = kind;
    probes.push_back(probe);
  }
  probe.kind = LinkProbe::Kind::variable;
  std::visit(
      [&]<class L>(const L&) {
        for (const LinkVariable& each : L::internalVariables()) {
          probe.internal = each;
          probes.push_back(probe);
          ++probe.memory;
        }
      },
      of.law);
  return probes;
}

void describeLinks(const H5File& file, const Deck& study, const Simulation& simulation) {
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    const LinkRequest& request = study.links[i];
    NewGroup group = newGroupOfContactOrLink(linkGroupPath(request.name, simulation.mode), request.name);
    std::visit(
        [&]<class L>(const L& law) {
          group.setAttribute("law", std::string_view(L::keyword));
          for (const auto& field : L::numericParameters())
            group.setAttribute(fmt::format("law_{}", field.name), law.*field.member);
        },
        request.law);
    for (std::size_t axis = 0; axis < request.axes.size(); ++axis)
      group.setAttribute(fmt::format("axis_{}", axis + 1),
                         std::vector<double>(request.axes[axis].begin(), request.axes[axis].end()));
    for (const LinkProbe& probe : linkProbes(study, simulation, i)) group.reserveLink(probe.name());
    if (request.axes.size() > 1) group.reserveLink("axis");
    group.create(file);
  }
}

void writeLinkMemory(const H5File& file, const std::string& group, std::span<const LinkState> links) {
  std::vector<double> memory;
  for (const LinkState& s : links) {
    memory.insert(memory.end(), s.memory.begin(), s.memory.end());
    memory.insert(memory.end(), {s.stored, s.dissipated, s.external});
  }
  file.write(group + "/links", {links.size(), kLinkMemory + 3}, memory,
             {"1", "memory of each link's law, then stored, dissipated and external energy [J]"});
  labelAxes(file, group + "/links", {{"link", "number of the link"}, {"link_column", "number of the value"}});
}

}  // namespace ricochet
