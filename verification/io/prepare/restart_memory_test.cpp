// Internal variables that a continued run takes from an earlier run: lengths of massless dashpots, friction.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// A scheme with its keys, and the mode of the run.
struct RestartWay {
  std::string_view scheme, keys, mode{"modal"};
  double tolerance{1e-9};

  std::string_view root() const { return mode == "direct" ? "/direct" : ""; }
};

std::string transientOf(const RestartWay& way, double duration) {
  return fmt::format("[transient]\nduration = {}\nscheme = \"{}\"\n{}\n[output]\ninterval = 0.0025\n{}",
                     duration, way.scheme, way.keys,
                     way.mode == "direct" ? fmt::format("[direct]\nscheme = \"{}\"\n", way.scheme) : "");
}

double entryAt(const H5File& file, const std::string& dataset, std::size_t row, std::size_t entry) {
  const H5Shape shape = file.shape(dataset);
  return file.readRows(dataset, row, 1, {shape.begin() + 1, shape.end()}).values[entry];
}
std::size_t lastRow(const H5File& file, const std::string& dataset) {
  return file.shape(dataset).front() - 1;
}

void runRestartDeck(const ScratchFolder& folder, const std::string& name, const std::string& text,
                    const RestartWay& way) {
  folder.write(name + ".toml", text);
  const CommandOutcome outcome =
      folder.ricochet(fmt::format("run {}.toml -q --force --mode {}", name, way.mode));
  ASSERT_EQ(outcome.status, 0) << name << ": " << outcome.output;
}

/// A pad of a spring and a parallel dashpot, k/c = 40/s, between a mass and a massless node: without a force
/// the pad relaxes as exp(-40 t).
const std::string kPad =
    "nodes = [{ name = \"m\", position = [0, 0, 0] }, { name = \"free\", position = [0, 0, 0] }]\n"
    "masses = [{ nodes = [\"m\"], mass = 1.0 }]\n"
    "springs = [{ nodes = [\"m\"], stiffness = [0, 100.0, 0] },\n"
    "           { nodes = [\"m\", \"free\"], stiffness = [0, 800.0, 0] }]\n"
    "supports = [{ nodes = \"all\", fixed = [\"ux\", \"uz\"] }]\nbasis = { all = true }\n";
const std::string kPadAsDamper = "dampers = [{ nodes = [\"m\", \"free\"], damping = [0, 20.0, 0] }]\n";
const std::string kPadAsLink =
    "links = [{ name = \"pad\", nodes = [\"free\", \"m\"], axis = [0, 1, 0], law = \"force_velocity\", "
    "velocity = [-1.0, 1.0], force = [-20.0, 20.0] }]\n";
const std::string kAfterFirst = "initial = { restart = \"first.h5\" }\n";

const std::vector<RestartWay> kWaysOfPads{{"rk54", "tolerance = { absolute = 1e-12, relative = 1e-10 }"},
                                          {"event", ""},
                                          {"kick_drift", "step = 1e-4"},
                                          {"newmark", "step = 1e-4"},
                                          {"newmark", "step = 1e-4", "direct"}};

/// Length of the pad in an archived row.
double padLength(const H5File& file, std::string_view root, std::size_t row) {
  const std::string field = fmt::format("{}/physical/displacement", root);
  return entryAt(file, field, row, 4) - entryAt(file, field, row, 1);
}

TEST(RestartMemory, PadsWithoutMassGoOnFromTheirLength) {
  const std::string start = "initial = { displacement = [{ node = \"free\", value = [0, 0.01, 0] }] }\n";
  for (const RestartWay& way : kWaysOfPads) {
    SCOPED_TRACE(fmt::format("{} {}", way.mode, way.scheme));
    const ScratchFolder folder;
    runRestartDeck(folder, "first", kPad + kPadAsDamper + start + transientOf(way, 0.02), way);
    runRestartDeck(folder, "second", kPad + kPadAsDamper + kAfterFirst + transientOf(way, 0.03), way);
    // With twice the damping the length is unchanged and its rate is halved.
    std::string stiffer = kPadAsDamper;
    stiffer.replace(stiffer.find("20.0"), 4, "40.0");
    runRestartDeck(folder, "slower", kPad + stiffer + kAfterFirst + transientOf(way, 0.03), way);
    if (HasFatalFailure()) return;
    for (const auto& [name, rate] : {std::pair{"second", 40.0}, {"slower", 20.0}}) {
      const H5File file = H5File::open(folder.path() / fmt::format("{}.h5", name));
      const std::size_t last = lastRow(file, fmt::format("{}/physical/time", way.root()));
      EXPECT_NEAR(padLength(file, way.root(), 0), 0.01 * std::exp(-0.8), 1e-11) << name;
      EXPECT_NEAR(padLength(file, way.root(), last), 0.01 * std::exp(-0.8 - rate * 0.03), 1e-9) << name;
    }
  }
}

/// An archived row has the coordinates of the mass and the place of the massless node, from which the pad
/// goes on as from the end of a run.
TEST(RestartMemory, PadsGoOnFromTheirLengthInARow) {
  const std::string start = "initial = { displacement = [{ node = \"free\", value = [0, 0.01, 0] }] }\n";
  const std::string row = "initial = { restart = \"first.h5\", restart_time = 0.02 }\n";
  for (const RestartWay& way : kWaysOfPads) {
    if (way.mode == "direct") continue;  // a direct run keeps its state at its end only
    SCOPED_TRACE(way.scheme);
    const ScratchFolder folder;
    runRestartDeck(folder, "first", kPad + kPadAsDamper + start + transientOf(way, 0.05), way);
    runRestartDeck(folder, "second", kPad + kPadAsDamper + row + transientOf(way, 0.03), way);
    const RestartWay direct{"newmark", "step = 1e-4", "direct"};
    runRestartDeck(folder, "direct", kPad + kPadAsDamper + row + transientOf(direct, 0.03), direct);
    if (HasFatalFailure()) return;
    for (const std::string name : {"second", "direct"}) {
      const std::string_view root = name == "direct" ? direct.root() : way.root();
      const H5File file = H5File::open(folder.path() / (name + ".h5"));
      const std::size_t last = lastRow(file, fmt::format("{}/physical/time", root));
      EXPECT_NEAR(padLength(file, root, 0), 0.01 * std::exp(-0.8), 1e-9) << name;
      EXPECT_NEAR(padLength(file, root, last), 0.01 * std::exp(-2.0), 1e-8) << name;
    }
  }
}

TEST(RestartMemory, PadsGoOnWhenTheirLoadIsGone) {
  // 8 N lengthen the pad to 0.01 m (1 - exp(-40 t)); without this force the pad relaxes, as a damper and as a
  // link.
  const std::string load = "loads = [{ nodes = [\"free\"], force = [0, 8.0, 0] }]\n";
  std::string none = load;
  none.replace(none.find(" }]"), 3, ", scale = 0.0 }]");
  for (const std::string& dashpot : {kPadAsDamper, kPadAsLink})
    for (const RestartWay& way : kWaysOfPads) {
      SCOPED_TRACE(fmt::format("{} {}, {}", way.mode, way.scheme, dashpot));
      const ScratchFolder folder;
      runRestartDeck(folder, "first", kPad + dashpot + load + transientOf(way, 0.05), way);
      runRestartDeck(folder, "without", kPad + dashpot + kAfterFirst + transientOf(way, 0.05), way);
      runRestartDeck(folder, "zero", kPad + dashpot + none + kAfterFirst + transientOf(way, 0.05), way);
      if (HasFatalFailure()) return;
      for (const char* name : {"without", "zero"}) {
        const H5File file = H5File::open(folder.path() / fmt::format("{}.h5", name));
        const std::size_t last = lastRow(file, fmt::format("{}/physical/time", way.root()));
        const double reached = 0.01 * (1.0 - std::exp(-2.0));
        EXPECT_NEAR(padLength(file, way.root(), 0), reached, 1e-8) << name;
        EXPECT_NEAR(padLength(file, way.root(), last), reached * std::exp(-2.0), 1e-8) << name;
      }
    }
}

/// `text` with the first occurrence of `from` replaced by `to`.
std::string withReplacedText(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(RestartMemory, PadsBeforeAStopGoOnWhileTheyPressIt) {
  // Comparison with the run in one piece, which its case checks by SciPy; the pad before the stop is a
  // damper, or a link.
  const std::string file = test::readText(RICOCHET_CASES_DIR "/pad-of-spring-and-dashpot.toml");
  const std::string damped = file.substr(0, file.find("[[checks]]")) + "[output]\ninterval = 0.01\n";
  const std::string linked =
      withReplacedText(damped, "[[dampers]]\nnodes = [\"m\", \"p\"]\ndamping = [20.0, 0, 0]",
                       "[[links]]\nname = \"pad\"\nnodes = [\"p\", \"m\"]\naxis = [1, 0, 0]\n"
                       "law = \"force_velocity\"\nvelocity = [-1.0, 1.0]\nforce = [-20.0, 20.0]");
  const std::size_t from = damped.find("displacement = ");
  const std::string start = damped.substr(from, damped.find('\n', from) - from);
  for (const std::string& whole : {damped, linked}) {
    const ScratchFolder folder;
    runRestartDeck(folder, "whole", whole, {});
    runRestartDeck(folder, "first", withReplacedText(whole, "duration = 0.5", "duration = 0.2"), {});
    runRestartDeck(folder, "second",
                   withReplacedText(withReplacedText(whole, "duration = 0.5", "duration = 0.3"), start,
                                    "restart = \"first.h5\""),
                   {});
    if (HasFatalFailure()) return;
    const H5File first = H5File::open(folder.path() / "first.h5"),
                 second = H5File::open(folder.path() / "second.h5");
    const std::string field = "/physical/displacement", force = "/contacts/stop/normal_force";
    const std::size_t end = lastRow(first, field), last = lastRow(second, field);
    for (const std::size_t entry : {0, 3, 7})  // ux of m and p, uy of free
      EXPECT_NEAR(entryAt(second, field, 0, entry), entryAt(first, field, end, entry), 1e-12) << entry;
    const double pressed = first.readRows(force, end, 1).values.front();
    EXPECT_GT(pressed, 1.0);
    EXPECT_NEAR(second.readRows(force, 0, 1).values.front(), pressed, 1e-9);
    const H5File uninterrupted = H5File::open(folder.path() / "whole.h5");
    for (const std::size_t entry : {0, 3, 7})
      EXPECT_NEAR(entryAt(second, field, last, entry),
                  entryAt(uninterrupted, field, lastRow(uninterrupted, field), entry), 1e-7);
  }
}

TEST(RestartMemory, RefusesPadsOfUnknownLength) {
  const ScratchFolder folder;
  const RestartWay way = kWaysOfPads.front();
  const std::string load = "loads = [{ nodes = [\"free\"], force = [0, 8.0, 0] }]\n";
  const std::string text = kPad + kPadAsDamper + load + transientOf(way, 0.02);
  const auto refused = [&](const std::string& deck, const std::string& why) {
    folder.write("second.toml", deck);
    const CommandOutcome outcome = folder.ricochet("run second.toml -q");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.output, HasSubstr(why));
  };
  runRestartDeck(folder, "first", text, way);
  std::string others = text;
  others.replace(others.find("[output]\n"), 9, "[output]\nnodes = [\"m\"]\n");
  runRestartDeck(folder, "first", others, way);
  const std::string fromRow = kPad + kPadAsDamper +
                              "initial = { restart = \"first.h5\", restart_time = 0.01 }\n" +
                              transientOf(way, 0.02);
  refused(fromRow, "has no displacement of node \"free\", which tells how long a dashpot without mass");
  const std::string base =
      "base_motions = [{ direction = [0, 1, 0], acceleration = 1.0, velocity = 0.0, displacement = 0.0 }]\n";
  std::string absolute = base + text;
  absolute.replace(absolute.find("[output]\n"), 9, "[output]\nabsolute_motion = true\n");
  runRestartDeck(folder, "first", absolute, way);
  refused(base + fromRow, "leave out its `absolute_motion`");
  runRestartDeck(folder, "first", kPad + load + transientOf(way, 0.02), way);
  refused(kAfterFirst + text, "has no dashpots on nodes without mass");
}

/// A block of 2 kg on a belt at 0.3 m/s that moves the block by an elastic stick, against a spring of 200
/// N/m.
constexpr double kBeltSpeed = 0.3, kBeltBlock = 2.0, kBeltSpring = 200.0, kBeltStick = 1e5,
                 kBeltDamping = 20.0;
std::string beltDeck(const RestartWay& way, double duration, const std::string& initial) {
  return fmt::format(
      "nodes = [{{ name = \"b\", position = [0, 0, 0] }}]\nmasses = [{{ nodes = [\"b\"], mass = {:.1f} }}]\n"
      "springs = [{{ nodes = [\"b\"], stiffness = [{:.1f}, 300.0, 1000.0] }}]\n"
      "[[contacts]]\nname = \"belt\"\nnode = \"b\"\nnormal = {{ force = 40.0 }}\n"
      "obstacle = {{ type = \"none\", normal = [0, 0, 1], surface_velocity = [{}, 0, 0] }}\n"
      "friction = {{ coefficient = 0.3, stiffness = {:.1f}, damping = {:.1f} }}\n"
      "[basis]\nall = true\n[initial]\n{}\n{}",
      kBeltBlock, kBeltSpring, kBeltSpeed, kBeltStick, kBeltDamping, initial, transientOf(way, duration));
}

/// Friction force on this block, which starts with the belt: y = x - v t satisfies m y'' + c y' + (k + k_t) y
/// = -k v t, T = -k_t y - c y'.
double beltForce(double t) {
  const double stiffness = kBeltSpring + kBeltStick, slope = -kBeltSpring * kBeltSpeed / stiffness;
  const double decay = 0.5 * kBeltDamping / kBeltBlock, lag = kBeltDamping / stiffness;
  const double omega = std::sqrt(stiffness / kBeltBlock - decay * decay);
  const double cosine = slope * lag, sine = (decay * cosine - slope) / omega;
  const double turn = std::exp(-decay * t), c = turn * std::cos(omega * t), s = turn * std::sin(omega * t);
  const double y = slope * (t - lag) + cosine * c + sine * s;
  const double rate = slope - decay * (cosine * c + sine * s) + omega * (sine * c - cosine * s);
  return -kBeltStick * y - kBeltDamping * rate;
}

TEST(RestartMemory, ElasticFrictionOnABeltGoesOnUnderAnotherScheme) {
  const RestartWay event{"event", "", "modal", 1e-8};
  const std::vector<RestartWay> others{
      event,
      {"moreau", "step = 1e-5", "modal", 1e-3},
      {"rk54", "tolerance = { absolute = 1e-12, relative = 1e-10 }", "modal", 1e-6},
      {"kick_drift", "step = 1e-5", "modal", 1e-4},
      {"newmark", "step = 1e-5", "modal", 1e-4},
      {"hht", "step = 1e-5", "modal", 1e-4}};
  const std::string start = "velocity = [{ node = \"b\", value = [0.3, 0, 0] }]";
  for (const RestartWay& other : others)
    for (const auto& [before, after] : {std::pair{event, other}, {other, event}}) {
      SCOPED_TRACE(fmt::format("{} -> {}", before.scheme, after.scheme));
      const ScratchFolder folder;
      runRestartDeck(folder, "first", beltDeck(before, 0.1, start), before);
      runRestartDeck(folder, "second", beltDeck(after, 0.05, "restart = \"first.h5\""), after);
      if (HasFatalFailure()) return;
      const H5File file = H5File::open(folder.path() / "second.h5");
      const std::string force = "/contacts/belt/tangential_force";
      const std::size_t last = lastRow(file, force);
      EXPECT_NEAR(std::abs(entryAt(file, force, 0, 0)), beltForce(0.1), other.tolerance);
      EXPECT_NEAR(std::abs(entryAt(file, force, last, 0)), beltForce(0.15), other.tolerance);
      EXPECT_EQ(file.shape("/events/time").front(), 0u);
    }
}

TEST(RestartMemory, AStuckBlockGoesOnWhereItsForceVanishes) {
  // N vanishes repeatedly, with zero slope, on a block that sticks 15 mm from the start of its run: the small
  // force of the stick spring is the difference of forces of 15 kN.
  const std::string file = test::readText(RICOCHET_CASES_DIR "/block-set-down-while-it-slides.toml");
  const std::string whole = file.substr(0, file.find("[[checks]]"));
  const std::size_t from = whole.find("velocity = ");
  const std::string start = whole.substr(from, whole.find('\n', from) - from);
  for (const double split : {0.017, 0.066, 0.1185, 0.1208, 0.1395, 0.171}) {
    SCOPED_TRACE(split);
    const ScratchFolder folder;
    const auto lasting = [&](double duration, const std::string& text) {
      return withReplacedText(text, "duration = 0.3", fmt::format("duration = {}", duration));
    };
    runRestartDeck(folder, "first", lasting(split, whole), {});
    runRestartDeck(folder, "second",
                   lasting(0.3 - split, withReplacedText(whole, start, "restart = \"first.h5\"")), {});
    runRestartDeck(folder, "whole", whole, {});
    if (HasFatalFailure()) return;
    const H5File uninterrupted = H5File::open(folder.path() / "whole.h5"),
                 second = H5File::open(folder.path() / "second.h5");
    for (const std::string field : {"/transient/displacement", "/transient/velocity"})
      for (const std::size_t entry : {0, 1, 2})
        EXPECT_NEAR(entryAt(second, field, lastRow(second, field), entry),
                    entryAt(uninterrupted, field, lastRow(uninterrupted, field), entry), 1e-11)
            << field;
  }
}

TEST(RestartMemory, LinksOfPartsWithoutMassGoOnInTheTableOfTheirLoad) {
  // The tables of such loads end with their run: that of the second run has other pieces, and another jump.
  const std::string deck =
      "nodes = [{ name = \"m\", position = [0, 0, 0] }, { name = \"free\", position = [0, 0, 0] }]\n"
      "masses = [{ nodes = [\"m\"], mass = 2.0 }]\n"
      "springs = [{ nodes = [\"m\"], stiffness = [0, 700.0, 0] },\n"
      "           { nodes = [\"m\", \"free\"], stiffness = [0, 400.0, 0] }]\n"
      "supports = [{ nodes = \"all\", fixed = [\"ux\", \"uz\"] }]\nbasis = { all = true }\n"
      "links = [{ name = \"yields\", nodes = [\"free\"], axis = [0, 1, 0], law = \"elastoplastic\", "
      "displacement = [0.004, 0.012], force = [1.0, 1.4] }]\n"
      "loads = [{ nodes = [\"free\"], force = [0, 6.0, 0], scale = \"f\" }]\n";
  const std::vector<std::string> tables{
      "times = [0, 0.01, 0.02, 0.05, 0.06, 1], values = [0, 1, 0, 1, 0.5, 0.5]",
      "times = [0, 0.02, 0.02, 0.06, 0.06, 1], values = [0, 0, 1, 1, 0, 0]"};
  for (const std::string& table : tables)
    for (const RestartWay& way : {RestartWay{"event", ""}, RestartWay{"newmark", "step = 2e-5"},
                                  RestartWay{"moreau", "step = 2e-5"}}) {
      SCOPED_TRACE(fmt::format("{}, {}", way.scheme, table));
      const ScratchFolder folder;
      const std::string loaded = deck + "functions = { f = { " + table + " } }\n";
      runRestartDeck(folder, "whole", loaded + transientOf(way, 0.06), way);
      runRestartDeck(folder, "first", loaded + transientOf(way, 0.03), way);
      runRestartDeck(folder, "second", loaded + kAfterFirst + transientOf(way, 0.03), way);
      if (HasFatalFailure()) return;
      const std::string field = "/physical/displacement";
      const H5File whole = H5File::open(folder.path() / "whole.h5");
      const H5File second = H5File::open(folder.path() / "second.h5");
      EXPECT_NEAR(entryAt(second, field, lastRow(second, field), 4),
                  entryAt(whole, field, lastRow(whole, field), 4), 1e-9);
    }
}

}  // namespace
}  // namespace ricochet
