#include "io/app/commands/commands.hpp"
#include "io/app/commands/patch_arguments.hpp"
#include "io/app/patch_study.hpp"

#include <fmt/core.h>

#include <fstream>
#include <numbers>

namespace ricochet {
namespace {

PatchRequest requestOf(const PatchArguments& arguments) {
  PatchRequest request;
  request.models = arguments.models;
  request.direction = arguments.direction * std::numbers::pi / 180.0;
  request.points = arguments.points;
  if (!arguments.bristles.empty()) {
    request.rings = arguments.bristles[0];
    request.angles = arguments.bristles[1];
  }
  if (!arguments.coefficients.empty()) {
    const std::vector<double>& c = arguments.coefficients;
    request.coefficients = patch::PadeCoefficients{c[0], c[1], c[2], c[3]};
  }
  if (!arguments.moments.empty()) {
    if (arguments.outline) throw PatchError("give --shape or --moments, not both");
    const std::vector<double>& m = arguments.moments;
    request.moments = patch::PatchMoments::axial(m[0], m[1], m[2]);
    return request;
  }
  if (!arguments.outline) throw PatchError("say what the patch is: --shape or --moments");
  patch::PatchShape shape;
  shape.outline = patchOutline(*arguments.outline);
  shape.pressure = patchPressure(arguments.pressure);
  shape.radius = arguments.radius;
  shape.innerRadius = arguments.innerRadius;
  if (!arguments.halfSides.empty()) shape.halfSides = {arguments.halfSides[0], arguments.halfSides[1]};
  if (!arguments.gradient.empty()) shape.gradient = {arguments.gradient[0], arguments.gradient[1]};
  if (arguments.vertices.size() % 2 != 0) throw PatchError("--vertices takes pairs x y");
  for (std::size_t i = 0; i + 1 < arguments.vertices.size(); i += 2)
    shape.vertices.push_back({arguments.vertices[i], arguments.vertices[i + 1]});
  request.shape = shape;
  return request;
}

void printMoments(const PatchStudy& study) {
  const patch::PatchMoments& m = study.along;
  fmt::print("centre of pressure  ({:.12g}, {:.12g}) m\n", study.centre.first, study.centre.second);
  fmt::print("length              L = {:.12g} m\n", study.length);
  fmt::print("\nmoments over N, first axis along the sliding\n");
  fmt::print("  M0  {:.12g} m\n", m.M0);
  fmt::print("  J   {:.12g}  {:.12g}  {:.12g} m^2   (xx, xy, yy)\n", m.J.xx, m.J.xy, m.J.yy);
  fmt::print("  K   {:.12g}  {:.12g}  {:.12g} 1/m   (xx, xy, yy)\n", m.K.xx, m.K.xy, m.K.yy);
  fmt::print("  S   {:.12g}  {:.12g}   (x, y)\n", m.S.first, m.S.second);
  fmt::print("\nquadratic forms\n");
  fmt::print("  a1  {:.12g} m\n  a2  {:.12g} m^2\n", study.pade.a1, study.pade.a2);
  fmt::print("  m1  {:.12g} 1/m\n  m2  {:.12g} 1/m^2\n", study.pade.m1, study.pade.m2);
  const patch::LateralCoefficients& b = study.lateral;
  if (b.exists())
    fmt::print("  b1  {:.12g}\n  b2  {:.12g} 1/m^2\n  b3  {:.12g} 1/m\n", b.b1, b.b2, b.b3);
  else
    fmt::print("  no lateral force: b1 = 0 or the form has a pole\n");
}

void printErrors(const PatchStudy& study) {
  bool first = true;
  for (const PatchCurve& curve : study.curves) {
    if (!curve.error) continue;
    if (first)
      fmt::print("\nlargest error against exact, omega L/V from 0.001 to 1000\n  {:<18}{:>10}{:>10}{:>10}\n",
                 "law", "X", "Y", "M/L");
    first = false;
    fmt::print("  {:<18}{:>10.5f}{:>10.5f}{:>10.5f}\n", curve.model, curve.error->X, curve.error->Y,
               curve.error->M / study.length);
  }
}

/// Every so many of the points: nine lines from 1/100 to 100.
void printCurves(const PatchStudy& study) {
  fmt::print("\nforce X and moment M/L over mu N\n  {:>10}", "omega L/V");
  for (const PatchCurve& curve : study.curves) fmt::print("  {:>20}", curve.model);
  fmt::print("\n");
  constexpr std::size_t kLines = 9;
  const std::size_t last = study.ratios.size() - 1;
  for (std::size_t line = 0; line < kLines; ++line) {
    const std::size_t i = line * last / (kLines - 1);
    if (line > 0 && i == (line - 1) * last / (kLines - 1)) continue;
    fmt::print("  {:>10.4g}", study.ratios[i]);
    for (const PatchCurve& curve : study.curves)
      fmt::print("  {:>10.6f}{:>10.6f}", curve.points[i].X, curve.points[i].M / study.length);
    fmt::print("\n");
  }
}

}  // namespace

namespace {

/// A table takes the place of an earlier one, and of nothing else: it takes no --force.
void writeTable(const PatchStudy& study, const std::filesystem::path& file) {
  const std::string text = patchTable(study, ",");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    throw PatchError(fmt::format("{}: is no plain file; name another with -o", file.string()));
  if (std::ifstream earlier(file); earlier) {
    constexpr std::string_view kHead = "omega L/V,";
    std::string head;
    if (std::getline(earlier, head) && !head.starts_with(kHead))
      throw PatchError(
          fmt::format("{}: is there and is no table of patch; move it, or name another file", file.string()));
  }
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw PatchError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

int patchCommand(const PatchArguments& arguments) {
  const PatchStudy study = studyPatch(requestOf(arguments));
  if (arguments.table) writeTable(study, *arguments.table);
  if (arguments.picture) plotPatch(study, arguments.title, *arguments.picture);
  printMoments(study);
  printErrors(study);
  printCurves(study);
  return kSuccess;
}

}  // namespace ricochet
