#include "engine/study/parts/study_error.hpp"
#include "engine/study/study_contacts.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

/// Translation of a node per unit of a base motion, if the node is a moving support (which has no
/// coordinates).
Vec3 motionOf(NodeIndex node, const BaseMotion& motion) {
  Vec3 value = Vec3::Zero();
  for (const Dof& dof : motion.supports)
    if (const auto c = static_cast<Eigen::Index>(dof.component); dof.node == node && c < 3)
      value[c] = motion.direction[static_cast<std::size_t>(c)];
  return value;
}

bool carries(const ContactRequest& request, const BaseMotion& motion) {
  return std::any_of(motion.supports.begin(), motion.supports.end(), [&](const Dof& dof) {
    return std::find(request.carriers.begin(), request.carriers.end(), dof) != request.carriers.end();
  });
}

Vec3 translation(const ContactRequest& request, const BaseMotion& motion) {
  if (std::any_of(motion.direction.begin() + 3, motion.direction.end(), [](double x) { return x != 0.0; }))
    throw StudyError(StudyProblem{
        "contacts." + request.name + ".obstacle.carried_by",
        "these supports turn too (base_motions.direction): an obstacle follows translations only"});
  return {motion.direction[0], motion.direction[1], motion.direction[2]};
}

}  // namespace

void addDrift(const ContactRequest& request, const Study& study, Contact& contact) {
  bool carried = false;
  for (const BaseMotion& motion : study.baseMotions) {
    if (!motion.ofSupports) continue;
    Vec3 way = motionOf(request.first, motion);
    if (request.second) way -= motionOf(*request.second, motion);
    if (carries(request, motion)) {
      carried = true;
      way -= translation(request, motion);
    }
    if (way.isZero(0.0)) continue;
    contact.drift.push_back({*motion.displacement, *motion.velocity, request.frame * way});
  }
  if (!request.carriers.empty() && !carried)
    throw StudyError(StudyProblem{"contacts." + request.name + ".obstacle.carried_by",
                                  "no [[base_motions]] with `supports` moves these supports"});
}

}  // namespace ricochet
