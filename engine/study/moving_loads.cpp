#include "engine/study/moving_loads.hpp"

#include <algorithm>

namespace ricochet {

std::vector<WayElement> elementsOnTravelPath(const MovingLoadRequest& request, const Study& study) {
  const Eigen::Map<const Eigen::Matrix<double, kComponents, 1>> load(request.components.data());
  std::vector<WayElement> way;
  double passed = 0.0;  // length of the previous beams [m]
  for (const std::size_t which : request.beams) {
    const BeamRequest& beam = study.beams[which];
    const Eigen::Matrix<double, 12, 4> forces = beam.element.equivalentNodalForces(load);
    for (std::size_t i = 0; i + 1 < beam.nodes.size(); ++i) {
      const double length = beam.element.length();
      const double begin = way.empty() ? 0.0 : way.back().end;
      way.push_back({beam.firstElement + i, beam.nodes[i], beam.nodes[i + 1], begin,
                     passed + static_cast<double>(i + 1) * length, forces});
    }
    passed = way.back().end;
  }
  return way;
}

std::vector<WayElement> elementsOnTravelPath(const ContactRequest& request, const Study& study) {
  MovingLoadRequest unit;
  unit.beams = request.travel->beams;
  for (int c = 0; c < 3; ++c) unit.components[static_cast<std::size_t>(c)] = request.frame(0, c);
  return elementsOnTravelPath(unit, study);
}

std::optional<LoadedElement> elementUnderMovingLoad(const MovingLoadRequest& request,
                                                    const std::vector<WayElement>& way, double t) {
  const double x = request.position.at(t);
  const auto on =
      std::lower_bound(way.begin(), way.end(), x, [](const WayElement& e, double at) { return e.end < at; });
  if (on == way.end() || x < on->begin) return std::nullopt;
  const double s = (x - on->begin) / (on->end - on->begin);
  return LoadedElement{&*on, request.scale.at(t) * (on->forces * Eigen::Vector4d(1.0, s, s * s, s * s * s))};
}

std::vector<double> elementBorders(const std::vector<WayElement>& way) {
  std::vector<double> borders{0.0};
  for (const WayElement& element : way) borders.push_back(element.end);
  return borders;
}

SparseMatrix shapeFunctionsAlongPath(const std::vector<WayElement>& way, const Simulation& simulation) {
  std::vector<Dof> dofs = dofsOfNodes({way.front().first}, kComponents);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t e = 0; e < way.size(); ++e) {
    const ElementDofs next = dofsOfNodes({way[e].second}, kComponents);
    dofs.insert(dofs.end(), next.begin(), next.end());
    for (int i = 0; i < way[e].forces.rows(); ++i)
      for (int j = 0; j < MovingLoad::kTerms; ++j)
        if (way[e].forces(i, j) != 0.0)
          entries.emplace_back(static_cast<int>(e) * kComponents + i,
                               static_cast<int>(e) * MovingLoad::kTerms + j, way[e].forces(i, j));
  }
  SparseMatrix forces(static_cast<Eigen::Index>(dofs.size()),
                      MovingLoad::kTerms * static_cast<Eigen::Index>(way.size()));
  forces.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix toCoordinates = SparseMatrix(simulation.rows(dofs).transpose());
  return toCoordinates * forces;
}

std::vector<MovingLoad> movingLoads(const Study& study, const Simulation& simulation) {
  std::vector<MovingLoad> loads;
  for (const MovingLoadRequest& request : study.movingLoads) {
    const std::vector<WayElement> way = elementsOnTravelPath(request, study);
    loads.emplace_back(request.position, request.scale, elementBorders(way),
                       shapeFunctionsAlongPath(way, simulation));
  }
  return loads;
}

}  // namespace ricochet
