#include "io/contact_drift.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet {
namespace {

Vec3 fieldAt(const Vector& field, const DofMap& dofs, NodeIndex node) {
  Vec3 value = Vec3::Zero();
  for (int c = 0; c < 3; ++c)
    if (const DofIndex i = dofs.find({node, componentAt(c)}); i.exists()) value[c] = field[i.value];
  return value;
}

bool carries(const ContactRequest& request, const BaseMotion& motion) {
  return std::any_of(motion.supports.begin(), motion.supports.end(), [&](const Dof& dof) {
    return std::find(request.carriers.begin(), request.carriers.end(), dof) != request.carriers.end();
  });
}

Vec3 translation(const ContactRequest& request, const BaseMotion& motion) {
  if (std::any_of(motion.direction.begin() + 3, motion.direction.end(), [](double x) { return x != 0.0; }))
    throw InputError(
        request.where, "contacts." + request.name + ".obstacle.carried_by",
        "these supports turn too (base_motions.direction): an obstacle follows translations only");
  return {motion.direction[0], motion.direction[1], motion.direction[2]};
}

}  // namespace

void addDrift(const ContactRequest& request, const Study& study, const PhysicalModel& physical,
              const std::vector<ImposedField>& imposed, Contact& contact) {
  bool carried = false;
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    if (!motion.ofSupports) continue;
    Vec3 way = fieldAt(imposed[i].field, physical.dofs, request.first);
    if (request.second) way -= fieldAt(imposed[i].field, physical.dofs, *request.second);
    if (carries(request, motion)) {
      carried = true;
      way -= translation(request, motion);
    }
    constexpr double kRounding = 1e-14;  // of static modes of order one
    way = request.frame * way;
    if (way.cwiseAbs().maxCoeff() <= kRounding) continue;
    if (!motion.displacement || !motion.velocity)
      throw InputError(motion.where,
                       motion.displacement ? "base_motions.velocity" : "base_motions.displacement",
                       fmt::format("missing: contact \"{}\" feels this motion", request.name));
    contact.drift.push_back({*motion.displacement, *motion.velocity, way});
  }
  if (!request.carriers.empty() && !carried)
    throw InputError(request.where, "contacts." + request.name + ".obstacle.carried_by",
                     "no [[base_motions]] with `supports` moves these supports");
}

}  // namespace ricochet
