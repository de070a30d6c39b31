#include "io/deck/contacts/read_link_laws.hpp"

#include "io/deck/contacts/read_laws.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using Outside = TimeFunction::Outside;
using Names = std::span<const std::string_view>;

std::optional<Formula> readFormulaOfLink(const Section& link, Names variables) {
  const ProblemWatch watch(link);
  const std::string text = link.string("formula", kRequired);
  if (!watch.isFreeOfProblems() || !link.exists()) return std::nullopt;
  try {
    return Formula::parse(text, variables);
  } catch (const FormulaError& error) {
    link.diagnostics().addProblem(link.sourceLocationInString("formula", error.offset()),
                                  link.pathOf("formula"), error.what());
  }
  return std::nullopt;
}

Outside readLinkValuesOutsideTable(const Section& link, std::string_view key) {
  const std::string written = link.choice(key, "linear", {"constant", "zero", "linear"});
  if (written == "constant") return Outside::constant;
  return written == "zero" ? Outside::zero : Outside::linear;
}

/// True if both lists have the same length and the first list increases; else reports a problem.
bool requireEqualLengthAndIncrease(const Section& link, std::string_view key,
                                   const std::vector<double>& abscissae, std::string_view other,
                                   const std::vector<double>& values) {
  const ProblemWatch watch(link);
  if (abscissae.empty()) link.problem(key, "must hold at least one value");
  if (abscissae.size() != values.size())
    link.problem(other, fmt::format("must hold as many values as `{}`, which has {}, got {}", key,
                                    abscissae.size(), values.size()));
  for (std::size_t i = 1; i < abscissae.size(); ++i)
    if (!(abscissae[i] > abscissae[i - 1]))
      link.problem(key, i, fmt::format("must increase: {} comes after {}", abscissae[i], abscissae[i - 1]));
  return watch.isFreeOfProblems();
}

/// Reads a function of `abscissa`: a table or a formula.
LinkFunction readLinkFunction(const Section& link, std::string_view abscissa, std::string_view variable) {
  const std::string key = link.onlyPresentKeyOf(kRequired, {abscissa, "formula"});
  if (key == "formula") {
    for (const std::string_view other :
         {std::string_view("force"), std::string_view("before"), std::string_view("after")})
      if (link.hasKey(other)) link.problem(other, "contradicts `formula`");
    std::optional<Formula> formula = readFormulaOfLink(link, {&variable, 1});
    return formula ? LinkFunction(std::move(*formula)) : LinkFunction();
  }
  const ProblemWatch watch(link);
  const std::vector<double> points = link.numbers(abscissa, kRequired);
  const std::vector<double> forces = link.numbers("force", kRequired);
  const Outside before = readLinkValuesOutsideTable(link, "before");
  const Outside after = readLinkValuesOutsideTable(link, "after");
  if (!watch.isFreeOfProblems() || !requireEqualLengthAndIncrease(link, abscissa, points, "force", forces))
    return {};
  return LinkFunction(TimeFunction::table(points, forces, before, after));
}

void readLawParameters(ReadContext&, const Section& link, ForceDisplacement& law) {
  law.function = readLinkFunction(link, "displacement", "x");
}

void readLawParameters(ReadContext&, const Section& link, ForceVelocity& law) {
  law.function = readLinkFunction(link, "velocity", "v");
}

void readLawParameters(ReadContext& context, const Section& link, FormulaForce& law) {
  std::optional<Formula> formula = readFormulaOfLink(link, FormulaForce::kArguments);
  if (formula) context.requireFormulaWithoutPole(link, *formula, "t", FormulaForce::kArguments);
  if (!formula) formula = Formula::parse("0", {});
  law.expression = std::make_shared<const Formula>(std::move(*formula));
}

/// Reads the unloading lines of the stop: `crush`, `crush_stiffness` and optionally `crush_damping`.
void readCrushingOfStop(const Section& link, Buckling& law) {
  const auto crush = link.numbers("crush", {}, rangeAtLeast(0.0, "m"));
  const auto stiffness = link.numbers("crush_stiffness", {}, rangeAbove(0.0, "N/m"));
  const auto damping = link.numbers("crush_damping", {}, rangeAtLeast(0.0, "N s/m"));
  if (!crush && !stiffness && !damping) return;
  if (!crush || !stiffness) {
    link.problem(crush ? "crush_stiffness" : "crush",
                 "missing; `crush` and `crush_stiffness` go together, one stiffness for each crush");
    return;
  }
  const ProblemWatch watch(link);
  if (crush->empty()) link.problem("crush", "must hold at least one value");
  for (const auto& [key, list] :
       {std::pair("crush_stiffness", &*stiffness), std::pair("crush_damping", damping ? &*damping : &*crush)})
    if (list->size() != crush->size())
      link.problem(key, fmt::format("must hold as many values as `crush`, which has {}, got {}",
                                    crush->size(), list->size()));
  if (!(law.postBucklingForce > 0.0))
    link.problem("crush", "needs a `post_buckling_force` above 0: the stop unloads from it");
  if (!watch.isFreeOfProblems()) return;
  const double dropEnds = law.criticalForce / law.stiffness + law.plateau + law.drop;
  for (std::size_t i = 0; i < crush->size(); ++i) {
    const double total = (*crush)[i] + law.postBucklingForce / (*stiffness)[i];
    const double before = i == 0 ? dropEnds : law.crush.back().total;
    constexpr double kSumRounding = 1e-12;
    if (total < before * (1.0 - kSumRounding) || (i > 0 && total == before))
      link.problem("crush", i,
                   fmt::format("crush + post_buckling_force/stiffness must {}: {:g} m comes after {:g} m",
                               i == 0 ? "not be inside the drop" : "increase", total, before));
    if (i > 0 && (*crush)[i] < (*crush)[i - 1])
      link.problem("crush", i, "must not decrease: what is crushed stays so");
    law.crush.push_back({total, (*crush)[i], damping ? (*damping)[i] : law.damping});
  }
}

void readLawParameters(ReadContext&, const Section& link, Buckling& law) {
  const ProblemWatch watch(link);
  readFields(link, law);
  law.dampingInCriterion = link.boolean("damping_in_criterion", true);
  if (watch.isFreeOfProblems() && law.postBucklingForce > law.criticalForce)
    link.problem("post_buckling_force", fmt::format("must be at most the critical force, {:g} N, got {:g}",
                                                    law.criticalForce, law.postBucklingForce));
  readCrushingOfStop(link, law);
}

/// Reads the points of the force limit. Its slope must be below the stiffness, so that crushing never
/// decreases.
void readLawParameters(ReadContext&, const Section& link, Crushing& law) {
  const ProblemWatch watch(link);
  readFields(link, law);
  const std::vector<double> points = link.numbers("penetration", kRequired, {}, rangeAtLeast(0.0, "m"));
  const std::vector<double> forces = link.numbers("force", kRequired, {}, rangeAtLeast(0.0, "N"));
  if (!watch.isFreeOfProblems() ||
      !requireEqualLengthAndIncrease(link, "penetration", points, "force", forces))
    return;
  if (!(forces.front() > 0.0))
    link.problem("force", 0, "must be above 0: the stop carries it when it is new");
  for (std::size_t i = 1; i < points.size(); ++i)
    if (const double slope = (forces[i] - forces[i - 1]) / (points[i] - points[i - 1]);
        !(slope < law.stiffness))
      link.problem("force", i,
                   fmt::format("rises by {:g} N/m, which must be below the stiffness, {:g} N/m", slope,
                               law.stiffness));
  law.limit = LinkFunction(TimeFunction::table(points, forces, Outside::constant, Outside::constant));
}

/// Reads a law whose deck keys are its fields.
template <class L>
void readLawParameters(ReadContext&, const Section& link, L& law) {
  readFields(link, law);
}

/// Reads 1/K of one of the springs of a Zener damper, given as a stiffness K or as a flexibility 1/K.
double readSpringFlexibility(const Section& link, int number) {
  const std::string stiffness = fmt::format("stiffness_{}", number);
  const std::string flexibility = fmt::format("flexibility_{}", number);
  const std::string key = link.onlyPresentKeyOf(kRequired, {stiffness, flexibility});
  if (key == stiffness) return 1.0 / link.number(stiffness, kRequired, rangeAbove(0.0, "N/m"));
  return key.empty() ? 1.0 : link.number(flexibility, kRequired, rangeAtLeast(0.0, "m/N"));
}

void readLawParameters(ReadContext&, const Section& link, Zener& law) {
  const ProblemWatch watch(link);
  law.flexibility1 = readSpringFlexibility(link, 1);
  law.flexibility3 = readSpringFlexibility(link, 3);
  const std::string key = link.onlyPresentKeyOf(kRequired, {"stiffness_2", "flexibility_2"});
  if (key == "stiffness_2") law.stiffness2 = link.number(key, kRequired, allowedRange<Zener>(key));
  if (key == "flexibility_2")
    law.stiffness2 = 1.0 / link.number("flexibility_2", kRequired, rangeAbove(0.0, "m/N"));
  law.damping = link.number("damping", kRequired, allowedRange<Zener>("damping"));
  law.exponent = link.number("exponent", kRequired, allowedRange<Zener>("exponent"));
  if (watch.isFreeOfProblems() && law.flexibility1 == 0.0 && law.flexibility3 == 0.0)
    link.problem("flexibility_3",
                 "must not be 0 beside `flexibility_1` = 0: the dashpot would have no spring before it");
}

struct Points {
  std::vector<double> displacement, force;
};

/// Points of a table of `[functions]`.
Points pointsOfFunctionTable(const TimeFunction& table) {
  Points points;
  for (std::size_t k = 1; k <= table.lastPiece(); ++k) {
    points.displacement.push_back(table.piece(k).begin);
    points.force.push_back(table.piece(k).value);
  }
  return points;
}

/// Reads a hardening curve, given by lists or by the name of a function; its first point may be (0, 0).
Points readHardeningCurve(ReadContext& context, const Section& link, std::string& key) {
  key = link.onlyPresentKeyOf(kRequired, {"displacement", "curve"});
  const ProblemWatch watch(link);
  Points points;
  if (key == "curve") {
    if (link.hasKey("force")) link.problem("force", "contradicts `curve`");
    const std::optional<TimeFunction> table = context.readFunctionOfKey(link, "curve");
    if (!table) return {};
    if (table->formulaOrNull() != nullptr) link.problem("curve", "must be a table: its points are needed");
    points = pointsOfFunctionTable(*table);
  } else {
    points.displacement = link.numbers("displacement", kRequired, {}, rangeAtLeast(0.0, "m"));
    points.force = link.numbers("force", kRequired, {}, rangeAtLeast(0.0, "N"));
    if (watch.isFreeOfProblems())
      requireEqualLengthAndIncrease(link, "displacement", points.displacement, "force", points.force);
  }
  if (!watch.isFreeOfProblems() || !link.exists()) return {};
  if (points.displacement.front() == 0.0 && points.force.front() == 0.0) {
    points.displacement.erase(points.displacement.begin());
    points.force.erase(points.force.begin());
  }
  return points;
}

void readLawParameters(ReadContext& context, const Section& link, Elastoplastic& law) {
  const ProblemWatch watch(link);
  std::string key;
  const Points points = readHardeningCurve(context, link, key);
  const bool kinematic = link.choice("hardening", "isotropic", {"isotropic", "kinematic"}) == "kinematic";
  law.tangential = link.choice("plane", "axial", {"axial", "tangential"}) == "tangential";
  if (!watch.isFreeOfProblems() || !link.exists()) return;
  if (points.force.empty() || !(points.displacement.front() > 0.0) || !(points.force.front() > 0.0)) {
    link.problem(key, "must hold the end of the elastic part: a displacement and a force above 0");
    return;
  }
  const double elastic = points.force.front() / points.displacement.front();
  for (std::size_t i = 1; i < points.force.size(); ++i) {
    const double slope =
        (points.force[i] - points.force[i - 1]) / (points.displacement[i] - points.displacement[i - 1]);
    if (slope >= 0.0 && slope < elastic) continue;
    link.problem(key, fmt::format("point {}: the slope must be from 0 to below that of the elastic part, "
                                  "{:g} N/m, got {:g}",
                                  i + 1, elastic, slope));
    return;
  }
  if (kinematic && points.force.size() != 2)
    link.problem(key, fmt::format("kinematic hardening is linear: two points beside (0, 0), got {}",
                                  points.force.size()));
  else
    law.curve = HardeningCurve(points.displacement, points.force, kinematic);
}

/// Points of a function of the angle over one turn. Its value after a full turn must be the value before: the
/// point there is left out.
Points readPointsOverTurn(const Section& link, const TimeFunction& given) {
  constexpr double kFullTurn = 2.0 * std::numbers::pi;
  constexpr int kAngles = 720;
  constexpr double kSame = 1e-4;  // tolerance of an angle [rad] and of a value; a deck may give few digits
  Points points;
  if (given.formulaOrNull() == nullptr) {
    points = pointsOfFunctionTable(given);
  } else {
    for (int i = 0; i <= kAngles; ++i) {
      points.displacement.push_back(kFullTurn * i / kAngles);
      points.force.push_back(given.at(points.displacement.back()));
    }
  }
  if (points.displacement.empty()) return points;
  const double begin = points.displacement.front(), end = points.displacement.back();
  if (std::abs(end - begin - kFullTurn) > kSame) return points;
  const double first = points.force.front(), last = points.force.back();
  if (std::abs(last - first) > kSame * std::max(std::abs(first), std::abs(last)))
    link.problem("stiffness", fmt::format("must have the same value after a full turn; it is {:g} N m/rad at "
                                          "{:g} rad, and {:g} at {:g} rad",
                                          first, begin, last, end));
  points.displacement.pop_back();
  points.force.pop_back();
  return points;
}

void readLawParameters(ReadContext& context, const Section& link, CrackedRotor& law) {
  const ProblemWatch watch(link);
  const std::optional<TimeFunction> given = context.readFunctionOfKey(link, "stiffness");
  readFields(link, law);
  if (!given || !watch.isFreeOfProblems()) return;
  Points points = readPointsOverTurn(link, *given);
  if (!watch.isFreeOfProblems()) return;
  constexpr double kFullTurn = 2.0 * std::numbers::pi;
  bool sound = points.displacement.size() >= 3 && points.displacement.front() >= 0.0 &&
               points.displacement.back() < kFullTurn;
  for (std::size_t i = 1; i < points.displacement.size(); ++i)
    sound = sound && points.displacement[i] > points.displacement[i - 1];
  for (const double k : points.force) sound = sound && std::isfinite(k) && k >= 0.0;
  if (!sound)
    link.problem("stiffness",
                 "must be a function of the angle over one turn: three angles at least, increasing, from 0 "
                 "to 2 pi rad, and values that are not negative");
  else
    law.stiffness = AngleFunction(std::move(points.displacement), std::move(points.force));
}

}  // namespace

AnyLinkLaw readLinkLaw(ReadContext& context, const Section& link) {
  const std::string keyword = link.choice("law", kRequired, keywordsOfLaws<LinkLaws>());
  AnyLinkLaw law;
  if (keyword.empty()) {
    link.acceptAllFurtherKeys();
    return law;
  }
  LinkLaws::forEach([&]<class L>() {
    if (keyword != L::keyword) return;
    const LawProblems named(link, L::keyword);
    L made{};
    readLawParameters(context, link, made);
    law = std::move(made);
  });
  return law;
}

}  // namespace ricochet
