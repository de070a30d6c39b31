#include "engine/contact/followed.hpp"
#include "engine/study/parts/contact_request.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/contacts/read_laws.hpp"
#include "io/deck/contacts/read_patch.hpp"
#include "io/toml/read_fields.hpp"

#include <Eigen/Geometry>
#include <fmt/core.h>

#include <cmath>

namespace ricochet {

double readStickDamping(const Section& friction, FrictionRequest& request) {
  request.criticalDamping = true;
  if (!friction.hasKey("damping")) {
    friction.string("damping", "critical");
    return 0.0;
  }
  const NumberOrString damping = friction.numberOrString(
      "damping", kRequired, allowedRange<RegularisedCoulomb>("damping"), {"critical"});
  const auto* number = std::get_if<double>(&damping);
  if (number == nullptr) return 0.0;
  request.criticalDamping = false;
  return *number;
}

namespace {

constexpr std::string_view kGiveStiffness = "give `stiffness` (an elastic stick)";

/// Reports a dashpot of a rigid stick, which cannot have one.
void refuseDampingOfRigidStick(const Section& friction) {
  if (friction.hasKey("damping")) friction.problem("damping", "is of an elastic stick: it needs `stiffness`");
}

void readFrictionCoefficients(const Section& friction, RegularisedCoulomb& law) {
  for (const std::string_view key : {"static", "dynamic"}) {
    if (friction.hasKey("coefficient") && friction.hasKey(key))
      friction.problem(key, "contradicts `coefficient`, which is both static and dynamic");
  }
  if (friction.hasKey("coefficient")) {
    law.muStatic = friction.number("coefficient", kRequired, allowedRange<RegularisedCoulomb>("static"));
    law.muDynamic = law.muStatic;
    return;
  }
  if (!friction.hasKey("static") && !friction.hasKey("dynamic")) {
    friction.problem("coefficient", "missing; give `coefficient`, or `static` and `dynamic`");
    return;
  }
  const ProblemWatch watch(friction);
  law.muStatic = friction.number("static", kRequired, allowedRange<RegularisedCoulomb>("static"));
  law.muDynamic = friction.number("dynamic", kRequired, allowedRange<RegularisedCoulomb>("dynamic"));
  if (watch.isFreeOfProblems() && law.muStatic < law.muDynamic) {
    friction.problem("static", fmt::format("must be at least the dynamic coefficient {}, got {}",
                                           law.muDynamic, law.muStatic));
  }
}

/// Rotates tangent 1 to the given direction. All data in tangent axes are rotated with the tangents.
void rotateContactTangents(const Section& friction, const Vec3& given, const Vec3& local,
                           ContactRequest& request) {
  constexpr double kAligned = 1e-9;
  if (std::abs(local[2]) > kAligned && request.isRolling())
    friction.problem("along", "must be across the axis about which the body rolls (tangent 2)");
  const Vec3 normal = request.frame.row(1).cross(request.frame.row(2));
  request.frame.row(1) = given;
  request.frame.row(2) = normal.cross(given);
  for (SurfaceTerm& term : request.surface) {
    const auto [first, second] = term.direction;
    term.direction = {first * local[1] + second * local[2], second * local[1] - first * local[2]};
  }
}

/// Reads `along` (friction in one direction only) or `across` (friction coefficient along tangent 2 divided
/// by the coefficient along tangent 1).
void readDirectionOfFriction(const Section& friction, ContactRequest& request) {
  const std::string key = friction.onlyPresentKeyOf({"along", "across"});
  if (key.empty()) return;
  const TangentKind kind = tangentKind(request.obstacle);
  if (kind == TangentKind::turning)
    friction.problem(key, "needs an obstacle whose tangents keep their directions; those of a sphere turn");
  if (key == "across") {
    request.tangentScale.second = friction.number("across", kRequired, rangeAtLeast(0.0));
    return;
  }
  constexpr double kAligned = 1e-9;
  const ProblemWatch watch(friction);
  const Vec3 given = friction.direction("along", kRequired);
  if (!watch.isFreeOfProblems()) return;
  const Vec3 local = request.frame * given;
  const bool axial = std::hypot(local[0], local[1]) < kAligned;
  if (axial) {
    request.tangentScale = {0.0, 1.0};
  } else if (kind == TangentKind::inPlane) {
    request.tangentScale = {1.0, 0.0};
    if (std::abs(local[2]) > kAligned)
      friction.problem("along", "must be along the axis of the obstacle, or across it");
  } else {
    request.tangentScale = {1.0, 0.0};
    if (std::abs(local[0]) > kAligned) friction.problem("along", "must lie in the tangent plane");
    rotateContactTangents(friction, given, local, request);
  }
}

/// Speed table of the key `velocity_law`; null if the table has problems.
std::shared_ptr<const SpeedTable> readSpeedTable(const Section& friction) {
  const Section table = friction.section("velocity_law", kRequired);
  const ProblemWatch watch(table);
  SpeedTable points;
  points.speed = table.numbers("speeds", kRequired, {}, rangeAtLeast(0.0, "m/s"));
  points.coefficient = table.numbers("coefficients", kRequired, {}, rangeAtLeast(0.0));
  if (watch.isFreeOfProblems()) {
    if (points.speed.size() < 2)
      table.problem("speeds", "must be two at least");
    else if (points.coefficient.size() != points.speed.size())
      table.problem("coefficients", fmt::format("must be one for each of the {} speeds, got {}",
                                                points.speed.size(), points.coefficient.size()));
    else if (points.speed[0] != 0.0)
      table.problem("speeds", 0, "must be 0: the coefficient at rest");
    for (std::size_t i = 1; watch.isFreeOfProblems() && i < points.speed.size(); ++i)
      if (!(points.speed[i] > points.speed[i - 1])) table.problem("speeds", i, "must increase");
  }
  return watch.isFreeOfProblems() ? std::make_shared<const SpeedTable>(std::move(points)) : nullptr;
}

void readStribeckFriction(ReadContext& context, const Section& friction, FrictionRequest& request) {
  for (const std::string_view key : {"coefficient", "static", "dynamic"})
    if (friction.hasKey(key))
      friction.problem(key, "contradicts `velocity_law`, which gives the coefficient");
  if (friction.string("law") == PatchFriction::keyword)
    friction.problem("law", "contradicts `velocity_law`, which is another law");
  if (!friction.hasKey("stiffness")) {
    refuseDampingOfRigidStick(friction);
    requireSchemeForLaw(context, friction, "velocity_law", SpeedCoulomb::traits, kGiveStiffness);
    SpeedCoulomb law;
    if (auto table = readSpeedTable(friction)) law.table = std::move(table);
    request.law = law;
    return;
  }
  requireSchemeForLaw(context, friction, "velocity_law", Stribeck::traits);
  Stribeck law;
  law.stiffness = friction.number("stiffness", kRequired, allowedRange<Stribeck>("stiffness"));
  law.damping = readStickDamping(friction, request);
  if (auto table = readSpeedTable(friction)) law.table = std::move(table);
  request.law = law;
}

void readAutomatonFriction(ReadContext& context, const Section& friction, FrictionRequest& request) {
  requireSchemeForLaw(context, friction, "law", Automaton::traits);
  const LawProblems named(friction, Automaton::keyword);
  RegularisedCoulomb coefficients;
  readFrictionCoefficients(friction, coefficients);
  Automaton law;
  law.muStatic = coefficients.muStatic;
  law.muDynamic = coefficients.muDynamic;
  law.stiffness = friction.number("stiffness", kRequired, allowedRange<Automaton>("stiffness"));
  law.damping = friction.number("damping", kRequired, allowedRange<Automaton>("damping"));
  law.threshold = friction.number("threshold", law.threshold, allowedRange<Automaton>("threshold"));
  request.law = law;
}

/// Reads a named law whose deck keys are all fields of the law.
void readFieldsOfObstacle(ReadContext& context, const Section& friction, std::string_view keyword,
                          FrictionRequest& request) {
  FrictionLaws::forEach([&]<class L>() {
    if (!kNamedInDeck<L> || L::keyword != keyword) return;
    const LawProblems named(friction, L::keyword);
    requireSchemeForLaw(context, friction, "law", L::traits);
    L law;
    readFields(friction, law);
    request.law = law;
  });
}

/// Keyword of the law that the keys of `friction` request; Coulomb if they request no other law.
std::string_view requestedFrictionLaw(const Section& friction) {
  if (friction.hasKey("velocity_law"))
    return friction.hasKey("stiffness") ? Stribeck::keyword : SpeedCoulomb::keyword;
  return friction.hasKey("stiffness") ? RegularisedCoulomb::keyword : Coulomb::keyword;
}

/// True if the key `law` alone selects the law, without other keys.
bool isLawSelectedByName(std::string_view law) {
  bool isMade = false;
  FrictionLaws::forEach([&]<class L>() { isMade = isMade || (kNamedInDeck<L> && L::keyword == law); });
  return isMade;
}

/// Reports keys that select another law than the law named by the key `law`.
void reportKeysOfOtherLaws(const Section& friction, const std::string& law) {
  if (law == requestedFrictionLaw(friction)) return;
  const bool isElastic = law == RegularisedCoulomb::keyword || law == Stribeck::keyword;
  const bool isOfSpeed = law == Stribeck::keyword || law == SpeedCoulomb::keyword;
  if (isOfSpeed != friction.hasKey("velocity_law"))
    friction.problem("law", fmt::format("\"{}\" {}", law,
                                        isOfSpeed ? "needs `velocity_law`" : "does not take `velocity_law`"));
  if (isElastic != friction.hasKey("stiffness"))
    friction.problem(
        "law",
        fmt::format("\"{}\" {}", law,
                    isElastic ? fmt::format("has an elastic stick: give its `stiffness`, or law = "
                                            "\"{}\" for a true one",
                                            isOfSpeed ? SpeedCoulomb::keyword : Coulomb::keyword)
                              : fmt::format("has a true stick: leave `stiffness` out, or give law = "
                                            "\"{}\" for an elastic one",
                                            isOfSpeed ? Stribeck::keyword : RegularisedCoulomb::keyword)));
  friction.acceptAllFurtherKeys();
}

/// Reads Coulomb friction with rigid stick, or with elastic stick if the key `stiffness` is given.
void readCoulombFriction(ReadContext& context, const Section& friction, ContactRequest& whole) {
  FrictionRequest& request = whole.friction;
  const ProblemWatch watch(friction);
  RegularisedCoulomb law;
  readFrictionCoefficients(friction, law);
  if (friction.hasKey("stiffness")) {
    readElasticStick(friction, law, request);
    request.law = law;
    return;
  }
  refuseDampingOfRigidStick(friction);
  if (watch.isFreeOfProblems() && law.muStatic == 0.0 && law.muDynamic == 0.0)
    return;  // no friction, for all schemes
  requireSchemeForLaw(context, friction, "", Coulomb::traits, kGiveStiffness, &whole);
  request.law = Coulomb{law.muStatic, law.muDynamic};
}

/// Reads friction of a contact area.
void readFrictionOfPatch(ReadContext& context, const Section& friction, ContactRequest& whole) {
  const LawProblems named(friction, PatchFriction::keyword);
  if (friction.hasKey("velocity_law")) return readStribeckFriction(context, friction, whole.friction);
  RegularisedCoulomb law;
  readFrictionCoefficients(friction, law);
  if (whole.isFollowed())
    friction.problem("law", "a patch needs a planar obstacle whose surface does not move");
  readPatchFriction(context, friction, law, whole);
}

}  // namespace

void readFriction(ReadContext& context, const Section& contact, ContactRequest& whole) {
  FrictionRequest& request = whole.friction;
  const std::optional<Section> friction = contact.section("friction");
  if (!friction) {
    context.recordDefaultValue(contact.pathOf("friction"), "none");
    return;
  }
  const std::string law = friction->choice("law", keywordsOfLaws<FrictionLaws>()).value_or("");
  if (friction->hasKey("law") && law.empty()) return friction->acceptAllFurtherKeys();
  if (law == Frictionless::keyword) return;
  if (law == Automaton::keyword) return readAutomatonFriction(context, *friction, request);
  if (law == PatchFriction::keyword) return readFrictionOfPatch(context, *friction, whole);
  if (isLawSelectedByName(law)) return readFieldsOfObstacle(context, *friction, law, request);
  const ProblemWatch watch(*friction);
  if (!law.empty()) reportKeysOfOtherLaws(*friction, law);
  if (!watch.isFreeOfProblems()) return;
  const LawProblems named(*friction, requestedFrictionLaw(*friction));
  readDirectionOfFriction(*friction, whole);
  if (friction->hasKey("velocity_law")) return readStribeckFriction(context, *friction, request);
  readCoulombFriction(context, *friction, whole);
}

}  // namespace ricochet
