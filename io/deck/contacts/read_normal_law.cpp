#include "engine/study/parts/contact_request.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/contacts/read_laws.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/core.h>

#include <optional>

namespace ricochet {
namespace {

/// Reads the points of a force over the penetration; the first point is (0, 0).
void readNormalForceTable(const Section& normal, ForceTable& table) {
  const ProblemWatch watch(normal);
  ForcePieces pieces;
  pieces.penetration = normal.numbers("penetration", kRequired, {}, rangeAtLeast(0.0, "m"));
  pieces.force = normal.numbers("force", kRequired, {}, rangeAtLeast(0.0, "N"));
  if (!watch.isFreeOfProblems()) return;
  if (pieces.force.size() != pieces.penetration.size())
    normal.problem("force", fmt::format("must be one for each of the {} penetrations, got {}",
                                        pieces.penetration.size(), pieces.force.size()));
  else if (pieces.force.size() < 2)
    normal.problem("penetration", "must be two points at least");
  else if (pieces.penetration[0] != 0.0 || pieces.force[0] != 0.0)
    normal.problem(pieces.force[0] != 0.0 ? "force" : "penetration", 0,
                   "must be 0: no force without penetration");
  for (std::size_t i = 1; watch.isFreeOfProblems() && i < pieces.force.size(); ++i) {
    if (!(pieces.penetration[i] > pieces.penetration[i - 1]))
      normal.problem("penetration", i, "must increase");
    if (!(pieces.force[i] >= pieces.force[i - 1])) normal.problem("force", i, "must not decrease");
  }
  if (watch.isFreeOfProblems()) table.pieces = std::make_shared<const ForcePieces>(std::move(pieces));
}

/// Reads a law whose deck keys are its fields.
template <class L>
void readNormalForceTable(const Section& normal, L& law) {
  readFields(normal, law);
}

/// Reads the law that the key `law` names, other than a penalty and an imposed force.
void readNormalLawByName(ReadContext& context, const Section& normal, const std::string& keyword,
                         ContactRequest& request) {
  NormalLaws::forEach([&]<class L>() {
    if (!kNamedInDeck<L> || keyword != L::keyword) return;
    requireSchemeForLaw(context, normal, "law", L::traits,
                        L::traits.setValued ? "give `stiffness` (a penalty)" : "",
                        L::traits.setValued ? &request : nullptr);
    const LawProblems named(normal, L::keyword);
    L law{};
    readNormalForceTable(normal, law);
    request.normal = std::move(law);
  });
}

/// Key that selects between a penalty and an imposed force. If the deck names one of the two in `law`, the
/// key of the other one contradicts this choice.
std::string keyThatSelectsNormalLaw(const Section& normal, const std::string& law) {
  if (law.empty()) return normal.onlyPresentKeyOf({"stiffness", "force"});
  const bool isForce = law == ImposedForce::keyword;
  const char* const other = isForce ? "stiffness" : "force";
  if (normal.hasKey(other))
    normal.problem(other, fmt::format("contradicts `law` = \"{}\" of line {}, which takes `{}`", law,
                                      normal.where("law").line, isForce ? "force" : "stiffness"));
  return isForce ? "force" : "stiffness";
}

}  // namespace

bool mayContactMoveWithoutInertia(const ReadContext& context, const ContactRequest& request) {
  const Structure& structure = context.study.structure;
  const std::optional<Section> basis = context.root.section("basis");
  return !hasNodeMass(structure, request.first) ||
         (request.second && !hasNodeMass(structure, *request.second)) ||
         (basis && basis->hasKey("residual_inertia"));
}

void readNormalLaw(ReadContext& context, const Section& contact, const std::string& obstacle,
                   ContactRequest& request) {
  const Section normal = contact.section("normal", kRequired);
  const std::string law = normal.choice("law", keywordsOfLaws<NormalLaws>()).value_or("");
  if (normal.hasKey("law") && law.empty()) return normal.acceptAllFurtherKeys();
  const bool isNone = obstacle == NoObstacle::keyword;
  if (!law.empty() && law != ImposedForce::keyword) {
    if (isNone)
      normal.problem("law", "obstacle type \"none\" has no gap: its normal force is imposed by `force`");
    if (law != LinearPenalty::keyword) return readNormalLawByName(context, normal, law, request);
    if (isNone) return normal.acceptAllFurtherKeys();
  }
  const std::string key = keyThatSelectsNormalLaw(normal, law);
  if (key == "force" && !isNone && !obstacle.empty()) {
    normal.problem("force", fmt::format("is for obstacle type \"none\"; a {} takes `stiffness`", obstacle));
  }
  if (key != "force" && isNone) {
    normal.problem(key.empty() ? "force" : key,
                   fmt::format("{}obstacle type \"none\" has no gap: its normal force is imposed by `force`",
                               key.empty() ? "missing; " : ""));
  }
  if (key == "force") {
    const LawProblems named(normal, ImposedForce::keyword);
    for (const std::string_view other : {"damping", "tension"})
      if (normal.hasKey(other)) normal.problem(other, "contradicts `force`, which is imposed");
    request.imposedForce = context.readNumberOrFunction(normal, "force", rangeAtLeast(0.0, "N"));
    request.normal = ImposedForce{};
    return;
  }
  if (key.empty() && isNone) return;
  const LawProblems named(normal, LinearPenalty::keyword);
  LinearPenalty penalty;
  readFields(normal, penalty);
  request.normal = penalty;
}

}  // namespace ricochet
