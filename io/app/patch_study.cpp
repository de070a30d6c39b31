#include "io/app/patch_study.hpp"

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "engine/numerics/extremes.hpp"
#include "io/app/plot/gnuplot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ricochet {
namespace {

using patch::Twist;
using patch::Wrench;
using Law = std::function<Wrench<double>(const Twist<double>&)>;

struct NamedLaw {
  std::string model;
  Law law;
};

template <class L>
Law patchForceFunctionOfLaw(L law) {
  return [law = std::move(law)](const Twist<double>& q) { return law.wrench(q); };
}

Law padePatchLaw(const PatchRequest& request, const patch::PatchMoments& m) {
  if (request.coefficients)
    return patchForceFunctionOfLaw(
        patch::Axial<patch::PadeKernel>{patch::padeFormFromCoefficients(m.M0, *request.coefficients)});
  return patchForceFunctionOfLaw(patch::Pade(m));
}

Law patchLawForModel(const std::string& model, const PatchRequest& request, const patch::PatchMoments& m) {
  if (model == "potential") return patchForceFunctionOfLaw(patch::Potential(m));
  if (model == "pade") return padePatchLaw(request, m);
  if (model == "linear_fractional") return patchForceFunctionOfLaw(patch::LinearFractional(m));
  if (!request.shape) throw PatchError(fmt::format("{} needs a shape, not only moments", model));
  if (model == "exact") return patchForceFunctionOfLaw(patch::ExactPatch(*request.shape));
  return patchForceFunctionOfLaw(patch::BristlePatch(
      patch::bristlePointsAboutPressureCentre(*request.shape, request.rings, request.angles)));
}

PatchPoint patchPointAtSpinRatio(const Law& law, double direction, double ratio, double length) {
  const Tangential<double> e{std::cos(direction), std::sin(direction)};
  const Wrench<double> w = law({e, ratio / length});
  return {-dot(w.force, e), e.second * w.force.first - e.first * w.force.second, -w.moment};
}

PatchPoint patchPointOfLargestError(const Law& law, const Law& exact, double direction, double length) {
  constexpr int kPerDecade = 20;
  PatchPoint most;
  for (int i = -3 * kPerDecade; i <= 3 * kPerDecade; ++i) {
    const double ratio = std::pow(10.0, static_cast<double>(i) / kPerDecade);
    const PatchPoint a = patchPointAtSpinRatio(law, direction, ratio, length),
                     b = patchPointAtSpinRatio(exact, direction, ratio, length);
    most.X = largerValueOrNan(most.X, std::abs(a.X - b.X));
    most.Y = largerValueOrNan(most.Y, std::abs(a.Y - b.Y));
    most.M = largerValueOrNan(most.M, std::abs(a.M - b.M));
  }
  return most;
}

/// Checks the request and sets the moments and the reference length of `study` from its shape or its moments.
void setPressureMomentsAndLength(const PatchRequest& request, PatchStudy& study) {
  if (request.shape) {
    if (const std::string wrong = patch::errorTextOfPatchShape(*request.shape); !wrong.empty())
      throw PatchError(wrong);
    const patch::ExactPatch exact(*request.shape);
    study.moments = exact.moments();
    study.centre = exact.centre();
    study.length = exact.moments().reach;
  } else {
    const patch::PatchMoments& m = request.moments;
    if (!(m.M0 > 0.0 && m.J.xx > 0.0 && m.K.xx > 0.0)) throw PatchError("M0, J and K must be positive");
    if (!patch::AxialPotential::fromMoments(m).isConvex())
      throw PatchError("no pressure has these moments: their potential is not convex");
    study.moments = m;
    study.length = m.M0;
  }
  if (request.coefficients) {
    const patch::PadeCoefficients& c = *request.coefficients;
    if (!study.moments.isAxisymmetric())
      throw PatchError("given coefficients are for a patch that looks the same from all sides");
    if (!(c.a1 >= 0.0 && c.a2 > 0.0 && c.m1 >= 0.0 && c.m2 > 0.0))
      throw PatchError("a1, m1 must be at least 0 and a2, m2 positive: friction would give power");
  }
}

}  // namespace

PatchStudy computePatchForces(const PatchRequest& request) {
  PatchStudy study;
  setPressureMomentsAndLength(request, study);
  study.along = study.moments.momentsInRotatedAxes(request.direction);
  study.pade = request.coefficients.value_or(patch::padeCoefficientsOfPatch(study.along));
  study.lateral = patch::lateralForceCoefficients(study.along);

  std::vector<std::string> models = request.models;
  if (models.empty()) models = namesOfPatchModels();
  if (request.models.empty() && !request.shape) models = {"potential", "pade", "linear_fractional"};
  const double last = static_cast<double>(std::max<std::size_t>(request.points, 2) - 1);
  for (std::size_t i = 0; i < std::max<std::size_t>(request.points, 2); ++i)
    study.ratios.push_back(std::pow(10.0, -2.0 + 4.0 * static_cast<double>(i) / last));

  const std::optional<Law> exact =
      request.shape ? std::optional(patchLawForModel("exact", request, study.moments)) : std::nullopt;
  for (const std::string& model : namesOfPatchModels()) {
    if (std::find(models.begin(), models.end(), model) == models.end()) continue;
    const Law law = patchLawForModel(model, request, study.moments);
    PatchCurve curve{model, {}, std::nullopt};
    for (const double ratio : study.ratios)
      curve.points.push_back(patchPointAtSpinRatio(law, request.direction, ratio, study.length));
    if (exact && model != "exact")
      curve.error = patchPointOfLargestError(law, *exact, request.direction, study.length);
    study.curves.push_back(std::move(curve));
  }
  return study;
}

std::string patchForceTable(const PatchStudy& study, std::string_view separator) {
  std::string text = "omega L/V";
  for (const PatchCurve& curve : study.curves)
    for (const char* what : {"X", "Y", "M/L"}) text += fmt::format("{}{} {}", separator, curve.model, what);
  text += '\n';
  for (std::size_t i = 0; i < study.ratios.size(); ++i) {
    text += fmt::format("{:.17g}", study.ratios[i]);
    for (const PatchCurve& curve : study.curves)
      text += fmt::format("{0}{1:.17g}{0}{2:.17g}{0}{3:.17g}", separator, curve.points[i].X,
                          curve.points[i].Y, curve.points[i].M / study.length);
    text += '\n';
  }
  return text;
}

void plotPatchForces(const PatchStudy& study, const std::string& title,
                     const std::filesystem::path& picture) {
  Gnuplot gnuplot(picture);
  std::FILE* out = gnuplot.inputStream();
  gnuplot.beginPicture(title, "omega L/V", "X (full), M/M0 (dashed)");
  double top = 1.0;
  for (const PatchCurve& curve : study.curves)
    for (const auto& point : curve.points) top = std::max({top, point.X, point.M / study.moments.M0});
  fmt::print(out, "set logscale x\nset yrange [:{:.7g}]\n", 1.05 * top);
  std::string plot = "plot ";
  for (std::size_t i = 0; i < study.curves.size(); ++i)
    plot += fmt::format(
        "{0}'-' with lines lw 2 lc rgb '{1}' title {2}, '-' with lines lw 2 dt 2 lc rgb '{1}' notitle",
        i > 0 ? ", " : "", curveColour(i), gnuplotString(study.curves[i].model));
  fmt::print(out, "{}\n", plot);
  for (const PatchCurve& curve : study.curves)
    for (const double scale : {0.0, 1.0 / study.moments.M0}) {
      for (std::size_t i = 0; i < study.ratios.size(); ++i)
        fmt::print(out, "{:.7g} {:.7g}\n", study.ratios[i],
                   scale > 0.0 ? scale * curve.points[i].M : curve.points[i].X);
      fmt::print(out, "e\n");
    }
  gnuplot.finishPicture();
}

}  // namespace ricochet
