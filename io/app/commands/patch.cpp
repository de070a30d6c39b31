#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/patch_study.hpp"
#include "io/result/result_target.hpp"

#include <fmt/core.h>

#include <memory>
#include <numbers>

namespace ricochet {
namespace {

/// Arguments of the command `ricochet patch` as the command line gives them; lengths in m.
struct PatchArguments {
  std::optional<std::string> outline;
  std::string pressure{"uniform"};
  double radius{1.0};
  double innerRadius{0.0};
  std::vector<double> halfSides;      // half sides of a rectangle along axes 1 and 2
  std::vector<double> vertices;       // x and y of each vertex
  std::vector<double> gradient;       // gradient of the pressure along axes 1 and 2 [1/m]
  std::vector<double> moments;        // moments M0, J, K of the pressure, given instead of a shape
  std::vector<double> coefficients;   // coefficients a1, a2, m1, m2 of the Pade law
  double degrees{0.0};                // sliding direction [deg]
  std::vector<std::size_t> bristles;  // number of rings, and number of bristles on a ring
  PatchRequest request;               // request built from these arguments and the other options
  std::optional<std::filesystem::path> table;
  std::optional<std::filesystem::path> picture;
  bool force{false};  // an existing picture is replaced
  std::string title;
};

PatchRequest patchRequest(const PatchArguments& arguments) {
  PatchRequest request = arguments.request;
  request.direction = arguments.degrees * std::numbers::pi / 180.0;
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
    request.moments = patch::PatchMoments::forAxisymmetricPatch(m[0], m[1], m[2]);
    return request;
  }
  if (!arguments.outline) throw PatchError("say what the patch is: --shape or --moments");
  patch::PatchShape shape;
  shape.outline = patchOutlineNamed(*arguments.outline);
  shape.pressure = patchPressureNamed(arguments.pressure);
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

void printPressureMoments(const PatchStudy& study) {
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

void printErrorsOfPatchLaws(const PatchStudy& study) {
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

/// Prints force and moment of every law at nine ratios omega L/V of spin to slip, from 1/100 to 100.
void printCurvesOfPatchLaws(const PatchStudy& study) {
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

/// Throws TargetError unless the table and the picture may be written. Only a picture needs --force to
/// replace an existing file; a table is replaced without this option.
void requireWritableTargets(const PatchArguments& arguments) {
  if (arguments.table) requireFileMayBeWritten(*arguments.table, OutputKind::patchTable, true);
  if (!arguments.picture) return;
  requireFileMayBeWritten(*arguments.picture, OutputKind::picture, arguments.force);
  if (arguments.table && isSameTargetFile(*arguments.table, *arguments.picture))
    throw TargetError(fmt::format("{}: would be table and picture at once; give one of them another name",
                                  arguments.picture->string()));
}

int runPatchCommand(const PatchArguments& arguments) {
  requireWritableTargets(arguments);
  const PatchStudy study = computePatchForces(patchRequest(arguments));
  if (arguments.table)
    writeTextFile(*arguments.table,
                  [&study](std::FILE* out) { fmt::print(out, "{}", patchForceTable(study, ",")); });
  if (arguments.picture) plotPatchForces(study, arguments.title, *arguments.picture);
  printPressureMoments(study);
  printErrorsOfPatchLaws(study);
  printCurvesOfPatchLaws(study);
  return kSuccess;
}

}  // namespace

Command addPatchCommand(CLI::App& app) {
  CLI::App* patch = app.add_subcommand(
      "patch",
      "Print moments, coefficients and force and moment curves of a contact area that slides and spins");
  const auto arguments = std::make_shared<PatchArguments>();
  patch->add_option("--shape", arguments->outline, "Outline of the area")
      ->check(CLI::IsMember(namesOfPatchOutlines()));
  patch
      ->add_option("--pressure", arguments->pressure,
                   "hertz and punch: disc, ellipse; linear: neither annulus nor ring (default uniform)")
      ->check(CLI::IsMember(namesOfPatchPressures()));
  patch->add_option("--radius", arguments->radius, "Of disc, annulus, ring, half disc [m] (default 1)");
  patch->add_option("--inner-radius", arguments->innerRadius, "Of the annulus [m]");
  patch->add_option("--half-sides", arguments->halfSides, "Of ellipse and rectangle [m]")->expected(2);
  patch->add_option("--vertices", arguments->vertices, "Of the polygon, x y x y ... in order [m]");
  patch->add_option("--gradient", arguments->gradient, "Of a linear pressure, over its mean [1/m]")
      ->expected(2);
  patch->add_option("--moments", arguments->moments, "M0 [m], J [m^2], K [1/m] instead of a shape")
      ->expected(3);
  patch
      ->add_option(
          "--coefficients", arguments->coefficients,
          "a1 [m], a2 [m^2], m1 [1/m], m2 [1/m^2] of the quadratic forms, instead of those of moments")
      ->expected(4);
  patch->add_option("--direction", arguments->degrees,
                    "Of sliding, in the axes of the patch [deg] (default 0)");
  patch
      ->add_option("--models", arguments->request.models,
                   "Laws to compare (default: all that the patch allows)")
      ->check(CLI::IsMember(namesOfPatchModels()));
  patch->add_option("--bristles", arguments->bristles, "Rings and angles of the bristles (default 8 32)")
      ->expected(2)
      ->check(CLI::Range(1, 200));
  patch
      ->add_option("--points", arguments->request.points,
                   "Of a curve, omega L/V from 0.01 to 100 (default 61)")
      ->check(CLI::Range(2, 100000));
  patch->add_option("--csv", arguments->table, "Write the curves as a table");
  patch->add_option("-o,--output", arguments->picture, "Draw the curves, .svg or .png");
  patch->add_flag("-f,--force", arguments->force, "Replace a picture that is already there");
  patch->add_option("-t,--title", arguments->title, "Title of the picture");
  return {patch, [arguments] { return runPatchCommand(*arguments); }};
}

}  // namespace ricochet
