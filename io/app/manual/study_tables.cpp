#include "io/app/manual/deck_tables.hpp"

namespace ricochet {
namespace {

constexpr std::string_view kThisProgram = "this program";
constexpr std::string_view kOutside = "constant, zero, linear, error";
constexpr std::string_view kRunAround = "[transient]\nduration = 0.1\n\n";
DeckTable basisTableDescription() {
  return {
      .keyword = "basis",
      .head = "[basis]",
      .title = "Modes that carry the motion",
      .formula =
          "u = sum of phi_i q_i, K phi = omega^2 M phi. Damping: 2 xi omega of each mode, and the projected\n"
          "a M + b K and dampers. `residual` adds the static responses that the modes leave out.\n"
          "\n"
          "The truncation indicator of a contact, which `check` and `compare` print, is t = k d: d is the "
          "static\n"
          "flexibility [m/N] of the structure at the contact that the modes leave out, k the stiffness of "
          "the contact's\n"
          "spring, along the normal and each tangent. What is left out deforms in series with the spring: "
          "forces of\n"
          "impacts can err by t/(1 + t) of their size. Below 0.1 the basis is good enough for most; above it "
          "take more\n"
          "modes, or residual = \"contacts\", which makes t zero at rest (0.1 and more without residual "
          "vectors: more\n"
          "modes for sharp impacts).",
      .source = "S. Rubin, AIAA J. 13 (1975) 995 (residual flexibility)",
      .keys = {
          DeckKey::optional("modes", "-", "2", "how many of the lowest, an integer")
              .required()
              .allows(">= 1"),
          DeckKey::optional("frequency_max", "Hz", "500.0", "all modes up to it")
              .allows("> 0")
              .insteadOf("modes"),
          DeckKey::optional("all", "-", "true", "the complete basis, of small models").insteadOf("modes"),
          DeckKey::optional("damping_ratio", "-", "0.01", "xi, a number or one per mode [numbers]")
              .allows(">= 0")
              .defaultsTo("0"),
          DeckKey::optional("rayleigh.mass", "1/s", "0.5", "a").allows(">= 0").defaultsTo("0"),
          DeckKey::optional("rayleigh.stiffness", "s", "1e-5", "b").allows(">= 0").defaultsTo("0"),
          DeckKey::optional("residual", "-", "\"contacts\"",
                            "static responses that are added; loads: also of gravity and motions of the base")
              .allows("none, contacts, loads, both")
              .defaultsTo("\"none\""),
          DeckKey::optional(
              "residual_inertia", "-", "\"none\"",
              "none: those of contacts yield at once, in series with contacts and links, instead of "
              "becoming modes of a high frequency")
              .allows("kept, none")
              .givenWith("residual = \"contacts\"")
              .defaultsTo("\"kept\"")}};
}

DeckTable functionsTableDescription() {
  return {
      .keyword = "functions",
      .head = "[functions.pull]",
      .title = "Functions of time",
      .formula =
          "A table, straight between its points (a repeated instant is a jump); a formula in t; a file; a\n"
          "sample of a random process of one-sided density S(f); or a history of an earlier result.",
      .source = kThisProgram,
      .around = kRunAround,
      .keys = {DeckKey::optional("times", "s", "[0.0, 0.05, 0.05, 0.1]", "instants of a table").required(),
               DeckKey::optional("values", "-", "[1.0, 1.0, 0.0, 0.0]", "values there").required(),
               DeckKey::optional(
                   "formula", "-", "\"100*sin(2*pi*20*t)\"",
                   "a formula in t, with pi, + - * / ^, comparisons, if(c, a, b) and sin cos tan asin "
                   "acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign pow min max")
                   .insteadOf("times values"),
               DeckKey::optional("file", "-", "\"quake.csv\"", "a file with named columns")
                   .insteadOf("times values")
                   .givenWith("columns = [\"time\", \"ax\"]"),
               DeckKey::optional("columns", "-", "[\"time\", \"ax\"]", "instants and values of the file")
                   .insteadOf("times values")
                   .givenWith("file = \"quake.csv\""),
               DeckKey::optional("psd.frequency", "Hz", "[0.0, 50.0]",
                                 "of the points of S(f), straight between them")
                   .allows(">= 0, increasing")
                   .insteadOf("times values")
                   .givenWith("psd.density = [1.0, 1.0]"),
               DeckKey::optional("psd.density", "unit^2/Hz", "[1.0, 1.0]", "S there, one-sided")
                   .allows(">= 0")
                   .insteadOf("times values")
                   .givenWith("psd.frequency = [0.0, 50.0]"),
               DeckKey::optional("seed", "-", "7", "of the random sample, an integer")
                   .allows(">= 0")
                   .defaultsTo("1")
                   .insteadOf("times values")
                   .givenWith("psd.frequency = [0.0, 50.0]; psd.density = [1.0, 1.0]"),
               DeckKey::optional("result", "-", "\"earlier.h5\"", "result of an earlier run")
                   .insteadOf("times values")
                   .givenWith("quantity = \"displacement(body, ux)\""),
               DeckKey::optional("quantity", "-", "\"displacement(body, ux)\"",
                                 "history of that result, as `plot` takes it")
                   .insteadOf("times values")
                   .givenWith("result = \"earlier.h5\""),
               DeckKey::optional("before", "-", "\"constant\"", "before the first instant")
                   .allows(kOutside)
                   .defaultsTo("\"error\""),
               DeckKey::optional("after", "-", "\"constant\"", "after the last instant")
                   .allows(kOutside)
                   .defaultsTo("\"error\"")}};
}

DeckTable loadsTableDescription() {
  const std::string_view beam =
      "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n\n[sections.tube]\ntype = "
      "\"circle\"\n"
      "radius = 0.01\n\n[[beams]]\nname = \"tube\"\nnodes = [\"ground\", \"body\"]\nelements = 2\n"
      "material = \"steel\"\nsection = \"tube\"\n\n[functions.pull]\nformula = \"sin(100*t)\"\n\n";
  const std::string_view moving = "beam = \"tube\"; speed = 20.0";
  return {
      .keyword = "loads",
      .head = "[[loads]]",
      .title = "Forces and moments at nodes, or along beams",
      .formula =
          "f(t) = scale(t) (force, moment) at each of the nodes; on a beam at x(t) = position(t), or\n"
          "from + speed (t - start), and zero off the beams.",
      .source = kThisProgram,
      .around = beam,
      .keys = {
          DeckKey::optional("nodes", "-", "[\"body\"]",
                            "\"all\", a name of a node or a group, or several [names]")
              .required(),
          DeckKey::optional("force", "N", "[1.0, 0.0, 0.0]", "along x, y, z").required(),
          DeckKey::optional("moment", "N m", "[0.0, 0.0, 1.0]", "about x, y, z").insteadOf("force"),
          DeckKey::optional("scale", "-", "\"pull\"", "factor, a number or a function of time")
              .defaultsTo("1"),
          DeckKey::optional("static_correction", "-", "true",
                            "shows displacements and their rates with what the basis leaves out of the load")
              .defaultsTo("false"),
          DeckKey::optional("beam", "-", "\"tube\"",
                            "a name of a beam that the load is on, or several from end to end [names]")
              .insteadOf("nodes")
              .givenWith("speed = 20.0"),
          DeckKey::optional("position", "m", "0.5", "from the first end, a number or a function of time")
              .insteadOf("nodes speed")
              .givenWith("beam = \"tube\""),
          DeckKey::optional("speed", "m/s", "20.0", "at which it travels")
              .insteadOf("nodes")
              .givenWith("beam = \"tube\""),
          DeckKey::optional("start", "s", "0.01", "instant at which it comes onto its place")
              .defaultsTo("0")
              .insteadOf("nodes")
              .givenWith(moving),
          DeckKey::optional("from", "m", "0.1", "place at which it starts")
              .defaultsTo("0")
              .insteadOf("nodes")
              .givenWith(moving)}};
}

DeckTable gravityTableDescription() {
  return {.keyword = "gravity",
          .head = "[gravity]",
          .title = "Weight of all masses",
          .formula = "f = M g",
          .source = "Newton",
          .keys = {DeckKey::optional("acceleration", "m/s^2", "[0, 0, -9.81]", "g").required()}};
}

DeckTable baseMotionsTableDescription() {
  return {
      .keyword = "base_motions",
      .head = "[[base_motions]]",
      .title = "A base or supports that move",
      .formula =
          "M u'' + C u' + K u = f - M r a(t) - G r v(t) in a frame that moves with the acceleration a and\n"
          "the velocity v along r, with G the gyroscopic matrix of parts that spin; of\n"
          "named supports relative to their static mode u_s: f - M u_s s'' - C_d u_s s', with C_d of\n"
          "dashpots, spins and [[matrices]]; `rayleigh` and `damping_ratio` damp the relative motion.",
      .source = "R.W. Clough, J. Penzien, Dynamics of Structures (1975)",
      .around = "[functions.quake]\nformula = \"3*sin(10*t)\"\n\n",
      .keys = {
          DeckKey::optional(
              "direction", "-", "[1, 0, 0]",
              "r: along x, y, z; six numbers: about the origin too, and with `supports` about each "
              "support by itself; its length counts, [9.81, 0, 0] for a in g")
              .required(),
          DeckKey::optional("acceleration", "m/s^2", "\"quake\"", "a, a number or a function of time")
              .required(),
          DeckKey::optional(
              "velocity", "m/s", "0.0",
              "its integral, a number or a function of time; needed for absolute motion, where a frame "
              "turns with parts that spin, and of `supports` beside contacts, with links at them and with "
              "dashpots that are no multiple of the springs; where its table jumps (a time twice), masses "
              "keep "
              "their velocity in space"),
          DeckKey::optional(
              "displacement", "m", "0.0",
              "the integral of that, a number or a function of time; needed for absolute motion, and "
              "of `supports` beside contacts and with links at them; where its table jumps, masses keep "
              "their "
              "place, and [[dampers]] give them the impulse c times the jump"),
          DeckKey::optional(
              "supports", "-", "[\"wall\"]",
              "a name of a support that moves, or several [names]; beside a spin that varies no "
              "support moves, and no frame turns")
              .defaultsTo("the whole frame")}};
}

DeckTable initialTableDescription() {
  return {
      .keyword = "initial",
      .head = "[initial]",
      .title = "State at the start",
      .formula =
          "u(t0), u'(t0) of nodes, projected on the basis by mass; or static equilibrium; or an earlier run.",
      .source = kThisProgram,
      .keys = {
          DeckKey::optional("displacement", "m, rad", "[{ node = \"body\", value = [1e-3, 0, 0] }]",
                            "of some nodes, 3 or 6 numbers each; node: a name, that of a group, or \"all\""),
          DeckKey::optional("velocity", "m/s, rad/s", "[{ node = \"body\", value = [0.1, 0, 0] }]",
                            "the same"),
          DeckKey::optional("equilibrium", "-", "true", "static equilibrium under the loads at the start")
              .insteadOf("displacement")
              .defaultsTo("false"),
          DeckKey::optional(
              "with_friction", "-", "true",
              "friction holds in the equilibrium: it resists the way from the places of the nodes; "
              "the run starts with the forces of elastic sticks")
              .givenWith("equilibrium = true")
              .insteadOf("displacement")
              .defaultsTo("false"),
          DeckKey::optional("restart", "-", "\"earlier.h5\"", "result of a complete run to go on from")
              .insteadOf("displacement"),
          DeckKey::optional("restart_time", "s", "0.1", "an archived instant of it")
              .defaultsTo("its end")
              .insteadOf("displacement")
              .givenWith("restart = \"earlier.h5\"")}};
}

constexpr std::string_view kContactsAround =
    "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n\n[sections.rail]\ntype = "
    "\"circle\"\nradius = 0.01\n\n[[nodes]]\nname = \"far\"\nposition = [2, 0, 0]\n\n[[beams]]\nname = "
    "\"rail\"\nnodes = [\"other\", \"far\"]\nelements = 2\n"
    "material = \"steel\"\nsection = \"rail\"\n\n"
    "[[nodes]]\nname = \"other\"\nposition = [1, 0, 0]\n\n[[masses]]\nnodes = [\"other\"]\nmass = "
    "1.0\ninertia = "
    "[1.0, 1.0, 1.0, 0, 0, 0]\n\n";

DeckTable contactsTableDescription() {
  const std::string_view onRail =
      "obstacle = { type = \"plane\", normal = [0, 1, 0], gap = 0.0 }; beam = \"rail\"; speed = 20.0";
  const std::string_view withSpeed =
      "obstacle = { type = \"plane\", normal = [0, 1, 0], gap = 0.0 }; speed = 20.0";
  const std::string_view withBeam =
      "obstacle = { type = \"plane\", normal = [0, 1, 0], gap = 0.0 }; beam = \"rail\"";
  return {
      .keyword = "contacts",
      .head = "[[contacts]]",
      .title = "Contacts: obstacle, normal law, friction law, wear",
      .formula =
          "Of one node on an obstacle, of two nodes on each other, or of a node on a beam along which it\n"
          "travels at x(t) = position(t) or from + speed (t - start), with a plane or a slot that bends with "
          "the\n"
          "beam and is at rest beyond its ends. `ricochet manual` lists obstacles, normal laws, friction "
          "laws "
          "and\n"
          "wear laws; each has a page.",
      .source = kThisProgram,
      .around = kContactsAround,
      .keys = {
          DeckKey::optional("name", "-", "\"stop\"", "of the contact").required(),
          DeckKey::optional("node", "-", "\"body\"", "that touches the obstacle").required(),
          DeckKey::optional("nodes", "-", "[\"body\", \"other\"]", "two that touch each other")
              .insteadOf("node")
              .givenWith("obstacle = { type = \"plane\" }"),
          DeckKey::optional("obstacle", "-", "{ type = \"circle\", axis = [0, 0, 1], gap = 0.001 }",
                            "its shape and place")
              .required(),
          DeckKey::optional("normal", "-", "{ stiffness = 1e6 }", "normal law").required(),
          DeckKey::optional("friction", "-", "{ coefficient = 0.2 }", "friction law").defaultsTo("none"),
          DeckKey::optional("wear", "-", "{ coefficient = 1e-15 }", "wear law").defaultsTo("none"),
          DeckKey::optional("thickness", "m", "0.005", "matter on the node; of a pair [da, db]")
              .allows(">= 0")
              .defaultsTo("0")
              .givenWith("obstacle = { type = \"plane\", normal = [1, 0, 0], gap = 0.01 }"),
          DeckKey::optional("rolling_radius", "m", "0.005",
                            "where the body touches: its rotation about the axis enters the slip; of a pair "
                            "[ra, rb], in a hole the larger is that of the hole")
              .allows(">= 0")
              .defaultsTo("no rolling"),
          DeckKey::optional("beam", "-", "\"rail\"",
                            "along which it travels: a name of a beam, or several from end to end [names]")
              .defaultsTo("it does not travel")
              .givenWith(withSpeed),
          DeckKey::optional("position", "m", "0.5", "on the beam, a number or a function of time")
              .insteadOf("speed")
              .givenWith(withBeam),
          DeckKey::optional("speed", "m/s", "20.0", "at which it travels").givenWith(withBeam),
          DeckKey::optional("start", "s", "0.01", "instant at which it leaves its first place")
              .defaultsTo("0")
              .givenWith(onRail),
          DeckKey::optional("from", "m", "0.1", "its first place").defaultsTo("0").givenWith(onRail)}};
}

}  // namespace

std::vector<DeckTable> studyDeckTables() {
  return {basisTableDescription(),   functionsTableDescription(),   loadsTableDescription(),
          gravityTableDescription(), baseMotionsTableDescription(), initialTableDescription(),
          contactsTableDescription()};
}

}  // namespace ricochet
