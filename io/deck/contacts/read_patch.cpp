#include "io/deck/contacts/read_patch.hpp"

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/patch_law.hpp"
#include "engine/study/parts/contact_request.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/contacts/patch_names.hpp"
#include "io/deck/contacts/read_laws.hpp"
#include "io/toml/read_fields.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

using patch::PatchMoments;
using patch::PatchShape;

/// Contact area as given by the deck: its shape, or only its moments; and its size if the size depends on the
/// load.
struct AreaRequest {
  std::optional<PatchShape> shape{};
  PatchMoments moments{};
  AreaSize size{};
};

struct BedRequest {
  double stiffness{1.0};
  patch::FrictionDrop drop{};
};

/// Reports a problem if the deck names a scheme that solves for contact reactions at points. Such a scheme
/// cannot treat an area: its test for the end of stick covers a force, but not a force with a moment.
void requireSteppedScheme(const ReadContext& context, const Section& friction) {
  if (!context.study.transient) return;
  const std::string& scheme = context.study.transient->scheme;
  const SchemeTraits* named = schemeTraits(scheme);
  if (named == nullptr || reasonAgainstScheme(*named, PatchFriction::traits).empty()) return;
  const auto able = [](bool adaptive) {
    return schemesWithTraits([adaptive](const SchemeTraits& other) {
      return other.adaptive == adaptive && reasonAgainstScheme(other, PatchFriction::traits).empty();
    });
  };
  friction.problem(
      "law", fmt::format("scheme {} cannot follow {}: it solves for the force at a point, not for force "
                         "and moment together; take {} (they choose their steps; for exact, potential, pade, "
                         "linear_fractional) or {} (with `step`; for bristle too), with `stiffness` of the "
                         "stick; an area that does not spin is a point: leave out `law` and `patch`",
                         scheme, reasonAgainstScheme(*named, PatchFriction::traits),
                         fmt::join(able(true), ", "), fmt::join(able(false), ", ")));
}

/// Reports a problem unless at least one body of the contact can rotate about the normal.
void requireRotationAboutNormal(const ReadContext& context, const Section& friction,
                                const ContactRequest& request) {
  const Vec3 axis = request.spinAxis();
  constexpr double kAcross = 1e-9;
  const auto turns = [&](NodeIndex node) {
    for (int c = 0; c < 3; ++c)
      if (std::abs(axis[c]) > kAcross && !context.hasDof({node, componentOfIndex(3 + c)})) return false;
    return true;
  };
  if (turns(request.first) || (request.second && turns(*request.second))) return;
  friction.problem("law",
                   fmt::format("node \"{}\" has no rotation about the normal, which a patch spins with; "
                               "give it an inertia ([[masses]] inertia)",
                               context.nodeName(request.first)));
}

Tangential<double> tangentialValuesOfList(const std::vector<double>& two) { return {two[0], two[1]}; }

void readPatchOutline(const Section& section, PatchShape& shape) {
  using patch::Outline;
  const Range length = rangeAbove(0.0, "m");
  switch (shape.outline) {
    case Outline::annulus:
      shape.innerRadius = section.number("inner_radius", kRequired, length);
      [[fallthrough]];
    case Outline::disc:
    case Outline::ring:
    case Outline::halfDisc:
      shape.radius = section.number("radius", kRequired, length);
      break;
    case Outline::ellipse:
    case Outline::rectangle: {
      const auto half = section.numbers("half_sides", kRequired, {2}, length);
      shape.halfSides = {half[0], half[1]};
      break;
    }
    case Outline::polygon: {
      const Matrix vertices = section.matrix("vertices", kRequired);
      if (vertices.cols() != 2 && vertices.size() > 0)
        section.problem("vertices", "must be points [[x, y], ..]");
      else
        for (Eigen::Index i = 0; i < vertices.rows(); ++i)
          shape.vertices.push_back({vertices(i, 0), vertices(i, 1)});
      break;
    }
  }
}

/// Reads a disc with the radius of Hertz's theory: R is the radius of curvature of the pair, E* its modulus.
void readHertzRadius(const Section& section, AreaRequest& area) {
  for (const std::string_view key : {"radius", "inner_radius"})
    if (section.hasKey(key))
      section.problem(key, "contradicts `curvature_radius`, which makes the radius follow the load");
  const ProblemWatch watch(section);
  const double R = section.number("curvature_radius", kRequired, rangeAbove(0.0, "m"));
  const double E = section.number("modulus", kRequired, rangeAbove(0.0, "Pa"));
  if (area.shape->outline != patch::Outline::disc || area.shape->pressure != patch::Pressure::hertz)
    section.problem("curvature_radius", "is for shape = \"disc\" with pressure = \"hertz\"");
  // Hertz's theory is valid for areas much smaller than the bodies.
  constexpr double kLargest = 0.5;
  if (watch.isFreeOfProblems()) area.size = {0.75 * R / E, kLargest * R};
}

AreaRequest readContactArea(const Section& section) {
  AreaRequest area;
  const ProblemWatch watch(section);
  const std::string key = section.onlyPresentKeyOf(kRequired, {"shape", "moments"});
  if (key == "moments") {
    const auto m = section.numbers("moments", kRequired, {3}, rangeAbove(0.0));
    area.moments = PatchMoments::forAxisymmetricPatch(m[0], m[1], m[2]);
    if (watch.isFreeOfProblems() && !patch::AxialPotential::fromMoments(area.moments).isConvex())
      section.problem("moments", "no pressure has these M0, J and K: their potential is not convex");
    return area;
  }
  if (key.empty()) return area;
  area.shape.emplace();
  PatchShape& shape = *area.shape;
  const std::string outline = section.choice("shape", kRequired, namesOfPatchOutlines());
  const std::string pressure = section.choice("pressure", "uniform", namesOfPatchPressures());
  if (!watch.isFreeOfProblems()) {
    section.acceptAllFurtherKeys();
    return area;
  }
  shape.outline = patchOutlineNamed(outline);
  shape.pressure = patchPressureNamed(pressure);
  if (section.hasKey("curvature_radius") || section.hasKey("modulus"))
    readHertzRadius(section, area);
  else
    readPatchOutline(section, shape);
  if (shape.pressure == patch::Pressure::linear)
    shape.gradient = tangentialValuesOfList(section.numbers("gradient", kRequired, {2}));
  if (!watch.isFreeOfProblems()) return area;
  if (const std::string wrong = patch::errorTextOfPatchShape(shape); !wrong.empty())
    section.problem("shape", wrong);
  else
    area.moments = patch::ExactPatch(shape).moments();
  return area;
}

template <patch::AxialKernel Kernel>
PatchLaw patchLawWithAxialKernel(const Kernel& kernel, const AreaRequest& area, const BedRequest& bed) {
  const patch::Symmetric& J = area.moments.J;
  return {AxialArea<Kernel>(kernel, bed.stiffness, J.xx + J.yy), bed.drop, area.size};
}

PatchLaw padePatchLaw(const Section& friction, const AreaRequest& area, const BedRequest& bed) {
  const auto given = friction.numbers("coefficients", {4}, rangeAtLeast(0.0));
  if (!given) return patchLawWithAxialKernel(patch::PadeKernel::fromMoments(area.moments), area, bed);
  const patch::PadeCoefficients c{(*given)[0], (*given)[1], (*given)[2], (*given)[3]};
  if (!(c.a2 > 0.0 && c.m2 > 0.0))
    friction.problem("coefficients", "a2 and m2, the second and the fourth, must be positive");
  return patchLawWithAxialKernel(patch::padeFormFromCoefficients(area.moments.M0, c), area, bed);
}

PatchLaw bristlePatchLaw(const Section& friction, const AreaRequest& area, const BedRequest& bed) {
  constexpr double kMost = 400.0;
  std::vector<double> count{8.0, 32.0};
  if (const auto given = friction.numbers("bristles", {2}, rangeWithin(1.0, kMost))) {
    count = *given;
    for (std::size_t i = 0; i < 2; ++i)
      if (count[i] != std::floor(count[i]))
        friction.problem("bristles", i, fmt::format("must be a whole number, got {}", count[i]));
  }
  return {BristleArea(patch::bristlePointsAboutPressureCentre(*area.shape, static_cast<std::size_t>(count[0]),
                                                              static_cast<std::size_t>(count[1])),
                      bed.stiffness),
          bed.drop};
}

/// Reads the name of the model; reports a problem and returns an empty string if this area does not allow the
/// model.
std::string readPatchModel(const Section& friction, const AreaRequest& area) {
  const bool round = area.shape && patch::ExactPatch(*area.shape).axisymmetricFieldOrNull() != nullptr;
  const bool axial = area.moments.isAxisymmetric();
  const std::string model =
      friction.choice("model", round || !area.shape ? "potential" : "bristle", namesOfPatchModels());
  std::string_view problem;
  if (model == "bristle" && !area.shape) problem = "bristle needs a shape, not only moments";
  if (model == "bristle" && area.size.doesSizeDependOnNormalForce())
    problem = "bristle has a constant radius; take exact or potential";
  if (model == "exact" && !round)
    problem = area.shape ? "exact is for disc, annulus and ring; take bristle"
                         : "exact needs a shape, not only moments";
  if (!problem.empty() || axial || model == "bristle" || model == "exact") {
    if (!problem.empty()) friction.problem("model", std::string(problem));
    return problem.empty() ? model : "";
  }
  friction.problem("model",
                   fmt::format("{} is for an area that looks the same from all sides; take bristle", model));
  return {};
}

std::shared_ptr<const PatchLaw> makePatchFrictionLaw(const Section& friction, const std::string& model,
                                                     const AreaRequest& area, const BedRequest& bed) {
  const auto shared = [](PatchLaw law) { return std::make_shared<const PatchLaw>(std::move(law)); };
  if (model != "pade" && friction.hasKey("coefficients"))
    friction.problem("coefficients", "are of model = \"pade\"");
  if (model != "bristle" && friction.hasKey("bristles"))
    friction.problem("bristles", "are of model = \"bristle\"");
  if (model == "pade") return shared(padePatchLaw(friction, area, bed));
  if (model == "linear_fractional")
    return shared(patchLawWithAxialKernel(patch::LinearKernel::fromMoments(area.moments), area, bed));
  if (model == "potential")
    return shared(patchLawWithAxialKernel(patch::AxialPotential::fromMoments(area.moments), area, bed));
  if (model == "bristle") return shared(bristlePatchLaw(friction, area, bed));
  const patch::ExactPatch exact(*area.shape);
  return std::visit([&](const auto& law) { return shared(patchLawWithAxialKernel(law.kernel, area, bed)); },
                    *exact.axisymmetricFieldOrNull());
}

}  // namespace

void readElasticStick(const Section& friction, RegularisedCoulomb& law, FrictionRequest& request) {
  law.stiffness = friction.number("stiffness", kRequired, allowedRange<RegularisedCoulomb>("stiffness"));
  law.damping = readStickDamping(friction, request);
}

void readPatchFriction(ReadContext& context, const Section& friction, const RegularisedCoulomb& coefficients,
                       ContactRequest& request) {
  requireSteppedScheme(context, friction);
  requireRotationAboutNormal(context, friction, request);
  PatchFriction handle;
  handle.muStatic = coefficients.muStatic;
  handle.muDynamic = coefficients.muDynamic;
  RegularisedCoulomb stick;
  readElasticStick(friction, stick, request.friction);
  handle.stiffness = stick.stiffness;
  handle.damping = stick.damping;
  if (friction.hasKey("drop_speed")) {
    if (friction.hasKey("coefficient"))
      friction.problem("drop_speed", "is of `static` and `dynamic`, which `coefficient` makes equal");
    handle.dropSpeed = friction.number("drop_speed", kRequired, rangeAbove(0.0, "m/s"));
  }
  request.friction.law = handle;
  const ProblemWatch watch(friction);
  const Section section = friction.section("patch", kRequired);
  const AreaRequest area = section.exists() ? readContactArea(section) : AreaRequest{};
  if (!watch.isFreeOfProblems()) {
    friction.acceptAllFurtherKeys();
    return;
  }
  const std::string model = readPatchModel(friction, area);
  if (model.empty() || !(handle.stiffness > 0.0)) {
    friction.acceptAllFurtherKeys();
    return;
  }
  const BedRequest bed{handle.stiffness, {handle.muStatic, handle.muDynamic, handle.dropSpeed}};
  request.friction.patch = makePatchFrictionLaw(friction, model, area, bed);
}

}  // namespace ricochet
