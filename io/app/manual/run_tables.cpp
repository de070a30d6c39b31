#include "io/app/manual/deck_tables.hpp"

#include <iterator>

namespace ricochet {
namespace {

constexpr std::string_view kProgram = "this program";
constexpr std::string_view kShortRun = "[transient]\nduration = 0.1\n\n";

DeckTable transientTableDescription() {
  return {
      .keyword = "transient",
      .head = "[transient]",
      .title = "The run in time",
      .formula =
          "M u'' + C u' + K u + contacts + links = f(t) from `start` for `duration`. Each scheme has a page\n"
          "with its own keys; without `scheme` the program takes one that follows all laws of the deck.",
      .source = kProgram,
      .keys = {
          DeckKey::optional("duration", "s", "0.5", "of the run").required().allows("> 0"),
          DeckKey::optional("start", "s", "0.1", "instant of the start").defaultsTo("0"),
          DeckKey::optional("step", "s", "1e-5", "fixed, or the first of schemes that choose theirs")
              .allows("> 0")
              .defaultsTo("automatic"),
          DeckKey::optional("scheme", "-", "\"kick_drift\"", "how it is integrated")
              .allows("event, kick_drift, central_difference, symplectic_euler, newmark, hht, devogelaere, "
                      "rk32, rk54, adaptive_central, moreau")
              .defaultsTo("one that suits")}};
}

DeckTable directTableDescription() {
  return {
      .keyword = "direct",
      .head = "[direct]",
      .title = "The run in physical coordinates",
      .formula = "The same model, contacts and loads without a modal basis: `run --mode direct`, `compare`.",
      .source =
          "N.M. Newmark, J. Eng. Mech. Div. 85 (1959) 67; H.M. Hilber, T.J.R. Hughes, R.L. Taylor, "
          "Earthquake Eng. Struct. Dyn. 5 (1977) 283",
      .around = kShortRun,
      .keys = {
          DeckKey::optional("scheme", "-", "\"hht\"", "how it is integrated")
              .allows("newmark, hht, central_difference")
              .defaultsTo("\"newmark\""),
          DeckKey::optional("step", "s", "1e-4", "fixed").allows("> 0").defaultsTo("that of [transient]"),
          DeckKey::optional("mass", "-", "\"lumped\"", "as assembled, or sums of its rows")
              .allows("consistent, lumped")
              .defaultsTo("\"consistent\""),
          DeckKey::optional("alpha", "-", "-0.05", "of hht, from -1/3 to 0")
              .defaultsTo("-0.05")
              .givenWith("scheme = \"hht\""),
          DeckKey::optional("beta", "-", "0.25", "of newmark, from 0 to 1")
              .defaultsTo("0.25")
              .givenWith("scheme = \"newmark\""),
          DeckKey::optional("gamma", "-", "0.5", "of newmark, from 0.5 to 1")
              .defaultsTo("0.5")
              .givenWith("scheme = \"newmark\"")}};
}

DeckTable outputTableDescription() {
  return {
      .keyword = "output",
      .head = "[output]",
      .title = "What the result holds",
      .formula =
          "rows at t0, t0 + interval, ... and at the end. `ricochet restore` makes histories of other nodes "
          "later.",
      .source = kProgram,
      .around =
          "[transient]\nduration = 0.1\n\n[[base_motions]]\ndirection = [1, 0, 0]\nacceleration = 0.0\n"
          "velocity = 0.0\ndisplacement = 0.0\n\n",
      .keys = {
          DeckKey::optional("interval", "s", "1e-3", "between rows")
              .allows("> 0")
              .defaultsTo("every step; under event even instants and every event"),
          DeckKey::optional("file", "-", "\"study.h5\"", "path from the deck")
              .defaultsTo("the deck's name: snippet.h5 of snippet.toml"),
          DeckKey::optional("every", "-", "10", "one step of so many, an integer")
              .allows(">= 1")
              .insteadOf("interval"),
          DeckKey::optional("times", "s", "[0.0, 0.05, 0.1]", "instants of the rows").insteadOf("interval"),
          DeckKey::optional("nodes", "-", "[\"body\"]",
                            "\"all\", a name of a node or a group, or several [names]")
              .defaultsTo("\"all\""),
          DeckKey::optional("fields", "-", "[\"displacement\"]",
                            "one of displacement, velocity, acceleration, or several [names]")
              .defaultsTo("[displacement, velocity, acceleration]"),
          DeckKey::optional("absolute_motion", "-", "true", "with the motion of the base")
              .defaultsTo("false"),
          DeckKey::optional("checksums", "-", "false", "of every block of the result").defaultsTo("true")}};
}

DeckTable statisticsTableDescription() {
  return {
      .keyword = "statistics",
      .head = "[statistics]",
      .title = "Statistics of contacts, in windows of time",
      .formula =
          "Of each contact: time of contact, impacts, rms and peak of forces and slips, wear work, "
          "histograms.",
      .source = kProgram,
      .around =
          "[transient]\nduration = 0.1\n\n[[contacts]]\nname = \"stop\"\nnode = \"body\"\nobstacle = { type "
          "= "
          "\"circle\", axis = [0, 0, 1], gap = 0.01 }\nnormal = { stiffness = 1e6 }\n\n",
      .keys = {
          DeckKey::optional("windows", "s", "[[0.0, 0.05], [0.05, 0.1]]", "from, to of each")
              .defaultsTo("the whole run"),
          DeckKey::optional("contacts", "-", "[\"stop\"]", "a name of a contact, or several [names]")
              .defaultsTo("all"),
          DeckKey::optional(
              "threshold", "N", "0.5",
              "force up to which a contact counts as open: in impacts, shares of time and the force "
              "while closed")
              .allows(">= 0")
              .defaultsTo("0"),
          DeckKey::optional("rest_time", "s", "1e-3", "impacts closer than this are one")
              .allows(">= 0")
              .defaultsTo("0"),
          DeckKey::optional("impact_table", "-", "true", "a row per impact").defaultsTo("false"),
          DeckKey::optional("bins", "-", "100", "of histograms, an integer that is a multiple of 4")
              .defaultsTo("0: none"),
          DeckKey::optional("ranges.impact_peak", "N", "[0.0, 1.0]", "low and high of its histogram")
              .defaultsTo("found during the run")
              .givenWith("bins = 100"),
          DeckKey::optional("ranges.impact_velocity", "m/s", "[0.0, 1.0]", "low and high of its histogram")
              .defaultsTo("found during the run")
              .givenWith("bins = 100"),
          DeckKey::optional("ranges.impact_duration", "s", "[0.0, 1.0]", "low and high of its histogram")
              .defaultsTo("found during the run")
              .givenWith("bins = 100"),
          DeckKey::optional("ranges.normal_force", "N", "[0.0, 1.0]", "low and high of its histogram")
              .defaultsTo("found during the run")
              .givenWith("bins = 100"),
          DeckKey::optional("ranges.gap", "m", "[0.0, 1.0]", "low and high of its histogram")
              .defaultsTo("found during the run")
              .givenWith("bins = 100"),
          DeckKey::optional("sectors", "-", "8", "of the angle about the axis, an integer")
              .defaultsTo("0: none")}};
}

DeckTable batchTableDescription() {
  return {
      .keyword = "batch",
      .head = "[batch]",
      .title = "Many variants of the deck",
      .formula =
          "Each case puts values into numbers of the deck, runs, and records outputs. A parameter is the "
          "path\n"
          "of a number: \"contacts.stop.normal.stiffness\", \"masses.0.mass\", \"functions.pull.values.0\"; "
          "its levels\n"
          "have a page, `ricochet manual batch.parameters`. [batch.parameters], [batch.outputs] and\n"
          "[batch.histories] may be tables of their own. Outputs are formulas: `ricochet manual quantities`.",
      .source = "M.D. McKay, R.J. Beckman, W.J. Conover, Technometrics 21 (1979) 239 (latin_hypercube)",
      .around = "[transient]\nduration = 0.1\n\n[output]\ninterval = 0.01\n\n",
      .keys = {
          DeckKey::optional("method", "-", "\"grid\"",
                            "how cases are made: all combinations, a sample, or rows of a file")
              .allows("grid, latin_hypercube, table")
              .defaultsTo("\"grid\""),
          DeckKey::optional("parameters", "-", "{ \"masses.0.mass\" = { from = 1.0, to = 2.0, count = 3 } }",
                            "path of a number = its levels")
              .required(),
          DeckKey::optional("outputs", "-", "{ peak = \"max(abs(displacement(body, ux)))\" }",
                            "name = formula of reductions")
              .required(),
          DeckKey::optional("histories", "-", "{ path = \"displacement(body, ux)\" }",
                            "name = formula, at the instants of [output]"),
          DeckKey::optional("samples", "-", "100", "cases of latin_hypercube, an integer")
              .allows(">= 1")
              .givenWith(
                  "method = \"latin_hypercube\"; parameters = { \"masses.0.mass\" = { from = 1.0, to = "
                  "2.0 } }"),
          DeckKey::optional("seed", "-", "3", "of latin_hypercube, an integer")
              .allows(">= 0")
              .defaultsTo("1")
              .givenWith("method = \"latin_hypercube\"; samples = 100; parameters = { \"masses.0.mass\" = { "
                         "from = 1.0, to = 2.0 } }"),
          DeckKey::optional("file", "-", "\"cases.csv\"",
                            "of table: a row per case, columns by path or `column`")
              .givenWith("method = \"table\"; parameters = { \"masses.0.mass\" = { column = \"mass\" } }")}};
}

DeckTable batchParametersTableDescription() {
  return {
      .keyword = "batch.parameters",
      .head = "[batch.parameters.\"masses.0.mass\"]",
      .title = "Levels of a parameter of a batch",
      .formula =
          "linear: from + (to - from) i/(count - 1); logarithmic: from (to/from)^(i/(count - 1)).\n"
          "latin_hypercube takes `from`, `to`, `scale`; table takes `column`.",
      .source = kProgram,
      .around = "[transient]\nduration = 0.1\n\n[batch.outputs]\npeak = \"max(displacement(body, ux))\"\n\n",
      .keys = {DeckKey::optional("from", "-", "1.0", "first level, in the unit of the number").required(),
               DeckKey::optional("to", "-", "2.0", "last level").required(),
               DeckKey::optional("count", "-", "5", "how many, an integer").required().allows(">= 1"),
               DeckKey::optional("scale", "-", "\"logarithmic\"", "how levels lie between")
                   .allows("linear, logarithmic")
                   .defaultsTo("\"linear\""),
               DeckKey::optional("values", "-", "[1.0, 1.5, 3.0]", "the levels themselves")
                   .insteadOf("from to count")}};
}

constexpr std::string_view kOfNode = "node dof time";
constexpr DeckKey kCheckKeys[] = {
    DeckKey::optional("quantity", "-", "\"displacement\"",
                      "what is checked, or a formula: max(abs(displacement(body, ux)))")
        .required(),
    DeckKey::optional("node", "-", "\"body\"", "of a motion").required(),
    DeckKey::optional("dof", "-", "\"ux\"", "of a motion").required().allows("ux, uy, uz, rx, ry, rz"),
    DeckKey::optional("time", "s", "0.05", "instant of a history").required(),
    DeckKey::optional("reference", "-", "1.8e-3", "what it must be, in its SI unit").required(),
    DeckKey::optional("absolute", "-", "1e-6", "largest difference").required().allows(">= 0"),
    DeckKey::optional("relative", "-", "1e-3", "largest difference over the reference")
        .allows(">= 0")
        .insteadOf("absolute"),
    DeckKey::optional("source", "-", "\"closed form\"", "where the reference is from"),
    DeckKey::optional("published", "-", "1.81e-3", "number that a document prints; shown beside"),
    DeckKey::optional("statistic", "-", "\"rms\"", "of the history, in place of an instant")
        .allows("max, min, max_abs, mean, rms, peak_to_peak")
        .insteadOf("time"),
    DeckKey::optional("from", "s", "0.01", "start of what is looked at")
        .insteadOf("time")
        .givenWith("statistic = \"rms\""),
    DeckKey::optional("to", "s", "0.09", "its end").insteadOf("time").givenWith("statistic = \"rms\""),
    DeckKey::optional("at.kind", "-", "\"closing\"", "instant of an event of this kind")
        .insteadOf("time")
        .givenWith("at.contact = \"stop\""),
    DeckKey::optional("at.contact", "-", "\"stop\"", "of this contact")
        .insteadOf("time")
        .givenWith("at.kind = \"closing\""),
    DeckKey::optional("at.link", "-", "\"spring\"", "of this link")
        .insteadOf("time")
        .givenWith("at.kind = \"yield\""),
    DeckKey::optional("at.index", "-", "2", "which of them, an integer")
        .allows(">= 1")
        .defaultsTo("1")
        .insteadOf("time")
        .givenWith("at.contact = \"stop\"; at.kind = \"closing\""),
    DeckKey::optional("node2", "-", "\"ground\"", "motion relative to it"),
    DeckKey::optional("absolute_motion", "-", "true", "with the motion of the base").defaultsTo("false"),
    DeckKey::optional("contact", "-", "\"stop\"", "of a quantity of a contact")
        .insteadOf("node dof")
        .givenWith("quantity = \"gap\""),
    DeckKey::optional("component", "-", "1",
                      "an integer: 1 or 2 along a tangent; or a word of a beam: N1, Vy1 ... Mz2")
        .insteadOf("node dof")
        .givenWith("quantity = \"tangential_force\"; contact = \"stop\""),
    DeckKey::optional("index", "-", "1", "which event or impact, an integer")
        .allows(">= 1")
        .defaultsTo("1")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"impact_peak\"; contact = \"stop\""),
    DeckKey::optional("kind", "-", "\"closing\"", "of an event of a contact, or buckling or yield of a link")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"event\"; contact = \"stop\""),
    DeckKey::optional("state", "-", "\"stick\"", "of a time_share")
        .allows("open, closed, stick, slip")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"time_share\"; contact = \"stop\""),
    DeckKey::optional("link", "-", "\"spring\"", "of a quantity of a link")
        .insteadOf("node dof")
        .givenWith("quantity = \"link_force\""),
    DeckKey::optional("variable", "-", "\"plastic_displacement_1\"", "internal variable of the law of a link")
        .insteadOf("node dof")
        .givenWith("quantity = \"link_variable\"; link = \"spring\""),
    DeckKey::optional("part", "-", "\"stored\"",
                      "of link_energy; of energy: kinetic, elastic, damping, contact, friction, external")
        .insteadOf("node dof")
        .givenWith("quantity = \"link_energy\"; link = \"spring\""),
    DeckKey::optional("beam", "-", "\"rod\"", "of beam_force")
        .insteadOf("node dof")
        .givenWith("quantity = \"beam_force\"; element = 1; component = \"Mz2\""),
    DeckKey::optional("element", "-", "1", "of the beam, an integer")
        .allows(">= 1")
        .insteadOf("node dof")
        .givenWith("quantity = \"beam_force\"; beam = \"rod\"; component = \"Mz2\""),
    DeckKey::optional("name", "-", "\"impacts\"", "of contact_statistic")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"contact_statistic\"; contact = \"stop\""),
    DeckKey::optional("window", "-", "1", "of [statistics], an integer")
        .allows(">= 1")
        .defaultsTo("the whole run")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"contact_statistic\"; contact = \"stop\"; name = \"impacts\""),
    DeckKey::optional("sector", "-", "1", "of [statistics], an integer")
        .allows(">= 1")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"contact_statistic\"; contact = \"stop\"; name = \"sector_wear_work\""),
    DeckKey::optional("after", "s", "3.15e7", "of wear_volume: extrapolated to it")
        .allows("> 0")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"wear_volume\"; contact = \"stop\""),
    DeckKey::optional("mode", "-", "1", "an integer: of the basis; or \"direct\": a check of that run")
        .insteadOf(kOfNode)
        .givenWith("quantity = \"frequency\"")};

DeckTable checksTableDescription() {
  return {.keyword = "checks",
          .head = "[[checks]]",
          .title = "What the answer must be",
          .formula =
              "|computed - reference| <= absolute, or relative |reference|. `run` and `verify` judge all "
              "checks.\n"
              "`ricochet manual quantities` lists quantities and their keys; a reduction of a formula is one "
              "too.",
          .source = kProgram,
          .around =
              "[transient]\nduration = 0.1\n\n[[contacts]]\nname = \"stop\"\nnode = \"body\"\n"
              "obstacle = { type = \"circle\", axis = [0, 0, 1], gap = 0.01 }\nnormal = { stiffness = 1e6 }\n"
              "friction = { coefficient = 0.2, stiffness = 1e6 }\nwear = { coefficient = 1e-15 }\n\n"
              "[[links]]\nname = \"spring\"\nnodes = [\"body\"]\naxis = [1, 0, 0]\nlaw = \"elastoplastic\"\n"
              "displacement = [0.004, 0.02]\nforce = [400, 600]\n\n"
              "[statistics]\nwindows = [[0.0, 0.1]]\nsectors = 8\n\n"
              "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n\n[sections.rod]\ntype = "
              "\"circle\"\n"
              "radius = 0.01\n\n[[beams]]\nname = \"rod\"\nnodes = [\"body\", \"ground\"]\nelements = 2\n"
              "material = \"steel\"\nsection = \"rod\"\n\n"
              "[[base_motions]]\ndirection = [1, 0, 0]\nacceleration = 0.0\nvelocity = 0.0\ndisplacement = "
              "0.0\n\n",
          .keys = {std::begin(kCheckKeys), std::end(kCheckKeys)}};
}

}  // namespace

std::vector<DeckTable> runDeckTables() {
  return {transientTableDescription(),  directTableDescription(), outputTableDescription(),
          statisticsTableDescription(), batchTableDescription(),  batchParametersTableDescription(),
          checksTableDescription()};
}

}  // namespace ricochet
