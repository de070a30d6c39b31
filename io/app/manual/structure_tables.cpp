#include "io/app/manual/deck_tables.hpp"

#include <iterator>

namespace ricochet {
namespace {

constexpr std::string_view kReader = "this program";

constexpr DeckKey kNodes =
    DeckKey::optional("nodes", "-", "[\"body\"]", "\"all\", a name of a node or a group, or several [names]")
        .required();
constexpr DeckKey kEnds =
    DeckKey::optional(
        "nodes", "-", "[\"body\"]",
        "one node (to the ground) or two (between them; to the ground each has an entry of its own)")
        .required();
constexpr DeckKey kAxisX =
    DeckKey::optional("axes.x", "-", "[0, 1, 0]", "first axis of the element, in the axes of the deck")
        .defaultsTo("x")
        .givenWith("axes.y = [0, 0, 1]");
constexpr DeckKey kAxisY =
    DeckKey::optional("axes.y", "-", "[0, 0, 1]", "second axis, made orthogonal to the first")
        .defaultsTo("y")
        .givenWith("axes.x = [0, 1, 0]");
constexpr DeckKey kSpin = DeckKey::optional(
    "spin", "rad/s", "100.0",
    "turning, a number or a function of time: gyroscopic moments alone, no part of the slip of contacts");

DeckTable nodesTableDescription() {
  return {
      .keyword = "nodes",
      .head = "[[nodes]]",
      .title = "Points of the structure",
      .formula =
          "A node has the degrees of freedom that its elements give it: displacements ux, uy, uz [m]\n"
          "for masses and springs of three numbers, rotations rx, ry, rz [rad] too for inertias, springs\n"
          "of six numbers and beams. What has neither mass nor stiffness and is not fixed is refused.\n"
          "[groups] names several nodes at once: [groups] with a line line = [\"a\", \"b\"].",
      .source = kReader,
      .keys = {DeckKey::optional("name", "-", "\"tip\"", "by which others refer to it; free, but not \"all\"")
                   .required(),
               DeckKey::optional("position", "m", "[1.0, 0.0, 0.0]", "x, y, z of the undeformed structure")
                   .required()}};
}

DeckTable massesTableDescription() {
  return {
      .keyword = "masses",
      .head = "[[masses]]",
      .title = "Masses and inertias at nodes",
      .formula =
          "kinetic energy T = 1/2 m |u' + r' x e|^2 + 1/2 r' . J r', with the rotations r of the node and\n"
          "the offset e of the centre of mass; a spin W turns it by the gyroscopic moment W J_axis axis x "
          "r'.",
      .source = "rigid body dynamics",
      .keys = {
          kNodes,
          DeckKey::optional("mass", "kg", "2.0", "m; 0 is for an inertia alone").required().allows(">= 0"),
          DeckKey::optional("inertia", "kg m^2", "[0.1, 0.1, 0.2, 0, 0, 0]",
                            "Jxx, Jyy, Jzz, Jxy, Jyz, Jxz about the centre of mass"),
          DeckKey::optional("offset", "m", "[0.01, 0, 0]", "e, from the node to the centre of mass")
              .defaultsTo("0"),
          kSpin.givenWith("spin_axis = [0, 0, 1]; inertia = [0.1, 0.1, 0.2, 0, 0, 0]"),
          DeckKey::optional("spin_axis", "-", "[0, 0, 1]", "axis of the spin")
              .givenWith("spin = 100.0; inertia = [0.1, 0.1, 0.2, 0, 0, 0]"),
          DeckKey::optional("matrix", "kg, kg m, kg m^2", "[[2, 0, 0], [0, 2, 0], [0, 0, 3]]",
                            "whole mass matrix, 3 x 3 or 6 x 6")
              .insteadOf("mass")}};
}

DeckTable springsTableDescription() {
  return {.keyword = "springs",
          .head = "[[springs]]",
          .title = "Springs to the ground or between two nodes",
          .formula =
              "force on the first node f = -K (u1 - u2), of one node f = -K u; K is diagonal along `axes`.",
          .source = "linear elasticity",
          .keys = {kEnds,
                   DeckKey::optional("stiffness", "N/m, N m/rad", "[1e4, 0, 0]",
                                     "along x, y, z; six numbers: about x, y, z too")
                       .required()
                       .allows(">= 0"),
                   kAxisX, kAxisY,
                   DeckKey::optional("matrix", "N/m, N, N m", "[[1e4, 0, 0], [0, 1e4, 0], [0, 0, 0]]",
                                     "symmetric: 3 x 3 or 6 x 6 of one node, 6 x 6 or 12 x 12 of two")
                       .insteadOf("stiffness")}};
}

DeckTable dampersTableDescription() {
  return {.keyword = "dampers",
          .head = "[[dampers]]",
          .title = "Dashpots to the ground or between two nodes",
          .formula = "force on the first node f = -C (u1' - u2'), of one node f = -C u'.",
          .source = "linear viscosity",
          .keys = {kEnds,
                   DeckKey::optional("damping", "N s/m, N m s/rad", "[10, 0, 0]",
                                     "along x, y, z; six numbers: about x, y, z too")
                       .required()
                       .allows(">= 0"),
                   kAxisX, kAxisY,
                   DeckKey::optional("matrix", "N s/m, N s, N m s", "[[1, 2, 0], [-2, 1, 0], [0, 0, 0]]",
                                     "of the sizes of a spring's; may be unsymmetric, as gyroscopic ones are")
                       .insteadOf("damping")}};
}

DeckTable materialsTableDescription() {
  return {
      .keyword = "materials",
      .head = "[materials.steel]",
      .title = "Materials of beams",
      .formula = "shear modulus G = E/(2 (1 + nu))",
      .source = "linear elasticity",
      .keys = {DeckKey::optional("young", "Pa", "2.1e11", "E").required().allows("> 0"),
               DeckKey::optional("poisson", "-", "0.3", "nu").required().allows("> -1, <= 0.5"),
               DeckKey::optional("density", "kg/m^3", "7800", "mass per volume").required().allows(">= 0")}};
}

constexpr std::string_view kRound = "outer_radius thickness";
constexpr DeckKey kSectionKeys[] = {
    DeckKey::optional("type", "-", "\"tube\"", "its shape")
        .required()
        .allows("tube, circle, rectangle, general"),
    DeckKey::optional("outer_radius", "m", "0.01", "of a tube").required().allows("> 0"),
    DeckKey::optional("thickness", "m", "0.0012", "of the wall of a tube").required().allows("> 0"),
    DeckKey::optional("radius", "m", "0.01", "of a circle")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"circle\""),
    DeckKey::optional("height_y", "m", "0.02", "of a rectangle along the local y")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"rectangle\"; height_z = 0.04"),
    DeckKey::optional("height_z", "m", "0.04", "of a rectangle along the local z")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"rectangle\"; height_y = 0.02"),
    DeckKey::optional("area", "m^2", "1e-4", "A of a general section")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; iy = 1e-9; iz = 1e-9; torsion = 2e-9"),
    DeckKey::optional("iy", "m^4", "1e-9", "of a general section")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; area = 1e-4; iz = 1e-9; torsion = 2e-9"),
    DeckKey::optional("iz", "m^4", "1e-9", "of a general section")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; area = 1e-4; iy = 1e-9; torsion = 2e-9"),
    DeckKey::optional("torsion", "m^4", "2e-9", "constant of torsion of a general section")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; area = 1e-4; iy = 1e-9; iz = 1e-9"),
    DeckKey::optional("shear_y", "m^2", "8e-5", "shear area of a general section along the local y")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; area = 1e-4; iy = 1e-9; iz = 1e-9; torsion = 2e-9"),
    DeckKey::optional("shear_z", "m^2", "8e-5", "along the local z")
        .allows("> 0")
        .insteadOf(kRound)
        .givenWith("type = \"general\"; area = 1e-4; iy = 1e-9; iz = 1e-9; torsion = 2e-9"),
    DeckKey::optional("shear_coefficient", "-", "0.5", "kappa, in place of Cowper's").allows("> 0, <= 1"),
    DeckKey::optional("shear_center", "m", "[0.001, 0]", "from the centroid along the local y, z")
        .defaultsTo("[0, 0]")};

DeckTable sectionsTableDescription() {
  return {.keyword = "sections",
          .head = "[sections.tube]",
          .title = "Sections of beams",
          .formula =
              "iz = integral y^2 dA bends in the local plane x, y; iy = integral z^2 dA in x, z.\n"
              "Shear areas are kappa A with Cowper's kappa for the shapes that have one.",
          .source = "G.R. Cowper, J. Appl. Mech. 33 (1966) 335",
          .keys = {std::begin(kSectionKeys), std::end(kSectionKeys)}};
}

DeckTable beamsTableDescription() {
  return {
      .keyword = "beams",
      .head = "[[beams]]",
      .title = "Beams of straight elements",
      .formula =
          "bending E I w'''' + rho A w'' = f; euler_bernoulli: cubic shapes, timoshenko: shapes that are\n"
          "exact in statics with shear; both stretch and twist. Nodes \"NAME.1\" ... \"NAME.N-1\" are made\n"
          "between the ends; \"NAME.0\" and \"NAME.N\" name the ends too. The local x runs along the beam.",
      .source = "Z. Friedman, J.B. Kosmatka, Computers & Structures 47 (1993) 473",
      .around =
          "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n\n[sections.tube]\n"
          "type = \"tube\"\nouter_radius = 0.01\nthickness = 0.0012\n\n[meshes.frame]\nfile = "
          "\"frame.msh\"\n\n",
      .keys = {
          DeckKey::optional("name", "-", "\"tube\"", "of the beam and its nodes").required(),
          DeckKey::optional("nodes", "-", "[\"ground\", \"body\"]", "two ends").required(),
          DeckKey::optional("elements", "-", "10", "how many, an integer").required().allows(">= 1"),
          DeckKey::optional("mesh", "-", "\"frame\"", "whose lines the beam takes")
              .insteadOf("nodes elements"),
          DeckKey::optional("group", "-", "\"columns\"", "of lines of the mesh")
              .insteadOf("nodes elements")
              .givenWith("mesh = \"frame\"")
              .defaultsTo("all lines"),
          DeckKey::optional("material", "-", "\"steel\"", "of [materials]").required(),
          DeckKey::optional("section", "-", "\"tube\"", "of [sections]").required(),
          DeckKey::optional("theory", "-", "\"euler_bernoulli\"", "without or with shear")
              .allows("timoshenko, euler_bernoulli")
              .defaultsTo("\"timoshenko\""),
          DeckKey::optional("mass", "-", "\"lumped\"", "how the mass is shared; corrected: of fourth order")
              .allows("consistent, lumped, corrected")
              .defaultsTo("\"consistent\""),
          DeckKey::optional("axis_y", "-", "[0, 0, 1]",
                            "direction of the local y, made orthogonal to the beam")
              .defaultsTo("y of the deck, or z for a beam along y"),
          kSpin}};
}

DeckTable supportsTableDescription() {
  return {.keyword = "supports",
          .head = "[[supports]]",
          .title = "Degrees of freedom that do not move",
          .formula = "u = 0. A support that has a name can be moved by [[base_motions]].",
          .source = kReader,
          .keys = {kNodes,
                   DeckKey::optional(
                       "fixed", "-", "[\"ux\", \"uy\", \"uz\"]",
                       "one of ux, uy, uz, rx, ry, rz, or several [names]; \"all\": all that the node has")
                       .required(),
                   DeckKey::optional("name", "-", "\"floor\"",
                                     "by which [[base_motions]] and obstacles refer to it")}};
}

DeckTable relationsTableDescription() {
  return {
      .keyword = "relations",
      .head = "[[relations]]",
      .title = "Linear relations of degrees of freedom",
      .formula =
          "sum of factor x dof = 0, eliminated exactly. A node without elements has the dofs that\n"
          "relations name: such are points of rigid bodies.",
      .source = kReader,
      .keys = {
          DeckKey::optional(
              "terms", "-",
              "[{ node = \"body\", dof = \"ux\", factor = 1.0 }, { node = \"body\", dof = \"uy\", factor = "
              "-2.0 }]",
              "terms of the sum")
              .required()}};
}

DeckTable meshesTableDescription() {
  return {.keyword = "meshes",
          .head = "[meshes.frame]",
          .title = "Meshes of lines from gmsh (.msh) or Salome (.med)",
          .formula = "Beams take the lines. Nodes are \"MESH.NUMBER\", groups of points \"MESH.NAME\".",
          .source = kReader,
          .keys = {DeckKey::optional("file", "-", "\"frame.msh\"", "path from the deck").required(),
                   DeckKey::optional("scale", "m", "0.001", "length of a unit of the file")
                       .allows("> 0")
                       .defaultsTo("1"),
                   DeckKey::optional("coincident", "-", "\"join\"", "what to do with nodes at one place")
                       .allows("refuse, join, keep")
                       .defaultsTo("\"refuse\"")}};
}

constexpr std::string_view kPunched = "stiffness = \"all.pch\"; mass = \"all.pch\"; damping = \"all.pch\"";

DeckTable matricesTableDescription() {
  return {
      .keyword = "matrices",
      .head = "[[matrices]]",
      .title = "Mass, damping and stiffness of another code",
      .formula =
          "M u'' + C u' + K u = f of sparse files (Matrix Market, DMIG, Abaqus, DUMP of CalculiX ...).",
      .source = kReader,
      .around =
          "[[nodes]]\nname = \"11\"\nposition = [0, 0, 0]\n\n[[nodes]]\nname = \"12\"\nposition = [1, 0, "
          "0]\n\n",
      .keys = {
          DeckKey::optional("stiffness", "-", "\"k.mtx\"", "file of K").required(),
          DeckKey::optional("mass", "-", "\"m.mtx\"", "file of M").required(),
          DeckKey::optional("damping", "-", "\"c.mtx\"", "file of C; may be unsymmetric"),
          DeckKey::optional("dofs", "-", "\"dofs.csv\"",
                            "what the rows are: row, node, dof and perhaps x, y, z")
              .required(),
          DeckKey::optional("positions", "-", "\"places.inp\"",
                            "file with *NODE: where the nodes of files that name them are")
              .insteadOf("dofs")
              .givenWith("stiffness = \"node_k.mtx\"; mass = \"node_m.mtx\""),
          DeckKey::optional("names.stiffness", "-", "\"KAAX\"", "which matrix of a file that holds several")
              .insteadOf("dofs")
              .givenWith(kPunched),
          DeckKey::optional("names.mass", "-", "\"MAAX\"", "the same").insteadOf("dofs").givenWith(kPunched),
          DeckKey::optional("names.damping", "-", "\"BAAX\"", "the same")
              .insteadOf("dofs")
              .givenWith(kPunched),
          DeckKey::optional("units.length", "m", "1e-3", "length of a unit of the files, places of nodes too")
              .allows("> 0")
              .defaultsTo("1"),
          DeckKey::optional("units.mass", "kg", "1e3", "mass of a unit of the files")
              .allows("> 0")
              .defaultsTo("1"),
          DeckKey::optional("units.time", "s", "1.0", "time of a unit of the files")
              .allows("> 0")
              .defaultsTo("1")}};
}

}  // namespace

std::vector<DeckTable> structureDeckTables() {
  return {nodesTableDescription(),    massesTableDescription(),    springsTableDescription(),
          dampersTableDescription(),  materialsTableDescription(), sectionsTableDescription(),
          beamsTableDescription(),    meshesTableDescription(),    matricesTableDescription(),
          supportsTableDescription(), relationsTableDescription()};
}

}  // namespace ricochet
