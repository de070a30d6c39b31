#include "io/push_directions.hpp"

#include <variant>

namespace ricochet {
namespace {

Vector loadDirection(const NodalLoad& load, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < kComponents; ++c)
    if (const double value = load.components[static_cast<std::size_t>(c)]; value != 0.0)
      direction += value * physical.reducedForce({load.node, componentAt(c)});
  return direction;
}

}  // namespace

Vector contactDirection(const ContactRequest& request, int axis, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < 3; ++c) {
    direction += request.frame(axis, c) * physical.reducedForce({request.first, componentAt(c)});
    if (request.second)
      direction -= request.frame(axis, c) * physical.reducedForce({*request.second, componentAt(c)});
  }
  return direction;
}

std::vector<Vector> residualDirections(const Study& study, const PhysicalModel& physical) {
  std::vector<Vector> directions;
  if (study.basis.contactResiduals)
    for (const ContactRequest& request : study.contacts) {
      const bool slides = std::holds_alternative<Frictionless>(request.friction.law);
      for (int axis = 0; axis < (slides ? 1 : 3); ++axis)
        directions.push_back(contactDirection(request, axis, physical));
    }
  if (study.basis.loadResiduals)
    for (std::size_t i = 0; i < study.loads.size(); ++i) {
      const Vector direction = loadDirection(study.loads[i], physical);
      // the nodes of one entry follow one another
      if (i > 0 && study.loads[i].where == study.loads[i - 1].where)
        directions.back() += direction;
      else
        directions.push_back(direction);
    }
  return directions;
}

}  // namespace ricochet
