#include "io/app/commands/patch_options.hpp"

#include "io/app/patch_study.hpp"

namespace ricochet {

void addPatch(CLI::App& app, PatchArguments& arguments) {
  CLI::App* patch = app.add_subcommand(
      "patch",
      "Print moments, coefficients and force and moment curves of a contact area that slides and spins");
  patch->add_option("--shape", arguments.outline, "Outline of the area")
      ->check(CLI::IsMember(patchOutlines()));
  patch
      ->add_option("--pressure", arguments.pressure,
                   "hertz and punch: disc, ellipse; linear: neither annulus nor ring (default uniform)")
      ->check(CLI::IsMember(patchPressures()));
  patch->add_option("--radius", arguments.radius, "Of disc, annulus, ring, half disc [m] (default 1)");
  patch->add_option("--inner-radius", arguments.innerRadius, "Of the annulus [m]");
  patch->add_option("--half-sides", arguments.halfSides, "Of ellipse and rectangle [m]")->expected(2);
  patch->add_option("--vertices", arguments.vertices, "Of the polygon, x y x y ... in order [m]");
  patch->add_option("--gradient", arguments.gradient, "Of a linear pressure, over its mean [1/m]")
      ->expected(2);
  patch->add_option("--moments", arguments.moments, "M0 [m], J [m^2], K [1/m] instead of a shape")
      ->expected(3);
  patch
      ->add_option(
          "--coefficients", arguments.coefficients,
          "a1 [m], a2 [m^2], m1 [1/m], m2 [1/m^2] of the quadratic forms, instead of those of moments")
      ->expected(4);
  patch->add_option("--direction", arguments.direction,
                    "Of sliding, in the axes of the patch [deg] (default 0)");
  patch->add_option("--models", arguments.models, "Laws to compare (default: all that the patch allows)")
      ->check(CLI::IsMember(patchModels()));
  patch->add_option("--bristles", arguments.bristles, "Rings and angles of the bristles (default 8 32)")
      ->expected(2)
      ->check(CLI::Range(1, 200));
  patch->add_option("--points", arguments.points, "Of a curve, omega L/V from 0.01 to 100 (default 61)")
      ->check(CLI::Range(2, 100000));
  patch->add_option("--csv", arguments.table, "Write the curves as a table");
  patch->add_option("-o,--output", arguments.picture, "Draw the curves, .svg or .png");
  patch->add_option("-t,--title", arguments.title, "Title of the picture");
}

}  // namespace ricochet
