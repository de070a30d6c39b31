#include "engine/study/checks/field_ranges.hpp"
#include "engine/study/checks/study_checks.hpp"
#include "engine/study/parts/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace ricochet {
namespace {

/// Adds a problem if results cannot tell a contact or link from an earlier one of its name.
void addNameProblem(const std::string& name, const std::string& path, std::set<std::string_view>& names,
                    StudyProblems& problems) {
  if (!name.empty() && !names.insert(name).second)
    problems.push_back({path, "is the name of two of them; give each contact and link its own name"});
}

void addFrameProblem(const ContactRequest& contact, const std::string& path, StudyProblems& problems) {
  constexpr double kRounding = 1e-9;
  const Mat3 product = contact.frame * contact.frame.transpose();
  if (!((product - Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding))
    problems.push_back({path + ".frame",
                        "must have three unit vectors that are orthogonal to each other as its rows; "
                        "contactFrame(normal) makes them"});
  if (!contact.origin.allFinite()) problems.push_back({path + ".origin", "must be finite numbers"});
}

/// Adds a problem if an obstacle without a gap has a law of the gap, or the other way round.
void addObstacleAndLawProblem(const ContactRequest& contact, const std::string& path,
                              StudyProblems& problems) {
  const bool isImposed = traitsOf(contact.normal).imposed;
  if (hasGap(contact.obstacle) != isImposed) return;
  problems.push_back(
      {path + ".normal", isImposed
                             ? fmt::format("an imposed force is for NoObstacle; a {} takes a law of the gap, "
                                           "such as LinearPenalty",
                                           obstacleKeyword(contact.obstacle))
                             : std::string("NoObstacle has no gap: its normal force is imposed by "
                                           "ImposedForce")});
}

/// Adds the problems of a friction law. The force at which a body begins to slip must not be less than the
/// force that then resists; only the limit of LuGre may grow with the speed.
template <class L>
void addFrictionProblems(const L& law, const std::string& path, StudyProblems& problems) {
  const std::size_t before = problems.size();
  addRangeProblems(law, path, problems);
  if constexpr (L::traits.coefficients && !std::is_same_v<L, LuGre>)
    if (problems.size() == before && law.muStatic < law.muDynamic)
      problems.push_back(
          {path + ".static", fmt::format("must be at least the dynamic coefficient {:g}, got {:g}",
                                         law.muDynamic, law.muStatic)});
}

void addContactProblems(const ContactRequest& contact, const std::string& path, StudyProblems& problems) {
  addFrameProblem(contact, path, problems);
  addObstacleAndLawProblem(contact, path, problems);
  visitObstacleShape(contact.obstacle,
                     [&](const auto& shape) { addRangeProblems(shape, path + ".obstacle", problems); });
  std::visit([&](const auto& law) { addRangeProblems(law, path + ".normal", problems); }, contact.normal);
  std::visit([&](const auto& law) { addFrictionProblems(law, path + ".friction", problems); },
             contact.friction.law);
}

}  // namespace

void addBodyProblems(const Study& study, StudyProblems& problems) {
  std::set<std::string_view> names;
  for (const ContactRequest& contact : study.contacts) {
    const std::string path = "contacts." + contact.name;
    addNameProblem(contact.name, path, names, problems);
    addContactProblems(contact, path, problems);
  }
  for (const LinkRequest& link : study.links) {
    const std::string path = "links." + link.name;
    addNameProblem(link.name, path, names, problems);
    std::visit([&](const auto& law) { addRangeProblems(law, path, problems); }, link.law);
  }
}

}  // namespace ricochet
