// Reactions of supports contain the forces of contacts and links: momentum, statics, Newton's third law.

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "io/result/restore.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace ricochet {
namespace {

using SixValues = std::array<double, 6>;

/// Histories of the nodes in a restored file: instants x nodes, six components.
struct SupportedRun {
  std::size_t nodes{0};
  std::vector<double> times;
  std::vector<SixValues> reaction, displacement, acceleration;

  const SixValues& at(const std::vector<SixValues>& values, std::size_t i, std::size_t node) const {
    return values[i * nodes + node];
  }
};

std::vector<SixValues> sixValuesOf(const H5File& file, const char* path, std::size_t components) {
  const std::vector<double> read = file.readAny(path).values;
  std::vector<SixValues> rows(read.size() / components, SixValues{});
  for (std::size_t i = 0; i < read.size(); ++i) rows[i / components][i % components] = read[i];
  return rows;
}

SupportedRun supportedRun(const std::string& deck, RestoreRequest request = {}) {
  const test::ScratchFolder folder;
  const Deck study = test::studyOf(deck);
  const auto simulation = prepare(study);
  const std::filesystem::path result = folder.path() / "run.h5";
  const RunSummary summary =
      runStudy(study, *simulation, {.result = result, .force = true, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  request.output = folder.path() / "restored.h5";
  request.fields = {Kinematic::displacement, Kinematic::acceleration};
  request.reactions = true;
  request.progress = false;
  restoreHistoriesOfResult(result, request);
  const H5File file = H5File::open(request.output);
  const H5Shape shape = file.shape("/physical/reaction");
  return {shape[1], file.readAny("/physical/time").values, sixValuesOf(file, "/physical/reaction", shape[2]),
          sixValuesOf(file, "/physical/displacement", shape[2]),
          sixValuesOf(file, "/physical/acceleration", shape[2])};
}

constexpr double kBodyMass = 1.3, kBodyInertia = 0.02, kBodyTurning = 5.0;  // [kg], [kg m^2], [N m/rad]
constexpr std::array kBodySprings{300.0, 200.0, 100.0};                     // [N/m]

/// A body on springs from the ground, connected by contacts and links to a node `w` with a support and
/// without an element.
std::string bodyBeside(const std::string& place, const std::string& velocity, const std::string& held,
                       const std::string& more) {
  return fmt::format(R"deck(
[[nodes]]
name = "m"
position = {}
[[nodes]]
name = "w"
position = [0, 0, 0]
[[masses]]
nodes = ["m"]
mass = {}
inertia = [{}, {}, {}, 0, 0, 0]
[[springs]]
nodes = ["m"]
stiffness = [300.0, 200.0, 100.0, 5.0, 5.0, 5.0]
[[supports]]
nodes = ["w"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
{}
[basis]
all = true
[initial]
velocity = [{{ node = "m", value = {} }}]
[transient]
duration = 0.3
step = 2.5e-5
scheme = "kick_drift"
[output]
interval = 2.5e-3
{}
)deck",
                     place, kBodyMass, kBodyInertia, kBodyInertia, kBodyInertia,
                     held.empty() ? held : fmt::format("[[supports]]\nnodes = [\"m\"]\nfixed = {}\n", held),
                     velocity, more);
}

/// Force and moment along one axis that contacts and links exert on the body, without its springs.
double forceOnBody(const SupportedRun& run, std::size_t i, std::size_t c) {
  return kBodyMass * run.at(run.acceleration, i, 0)[c] + kBodySprings[c] * run.at(run.displacement, i, 0)[c];
}
double momentOnBody(const SupportedRun& run, std::size_t i, std::size_t c) {
  return kBodyInertia * run.at(run.acceleration, i, 0)[3 + c] +
         kBodyTurning * run.at(run.displacement, i, 0)[3 + c];
}

/// The reaction at `w` balances the force on the body, because the parts between them have no mass.
void expectForceCarried(const SupportedRun& run, const std::string& what) {
  double largest = 0.0;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) largest = std::max(largest, std::abs(forceOnBody(run, i, c)));
  ASSERT_GT(largest, 5.0) << what;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      ASSERT_NEAR(run.at(run.reaction, i, 1)[c], forceOnBody(run, i, c), 1e-10 * largest)
          << what << " " << run.times[i] << " " << c;
}

/// If the surface turns, the direction of the force follows from the archived position.
TEST(RestoredContactReaction, BalancesTheBodyOnEveryObstacle) {
  struct Pair {
    const char *obstacle, *place, *thickness;
  };
  const Pair pairs[] = {
      {"type = \"disc\", axis = [0.1, 0, 1]", "[0.55, 0.1, 0.0]", "thickness = [0.3, 0.2]"},
      {"type = \"sphere\"", "[0.5, 0.15, -0.1]", "thickness = [0.3, 0.2]"},
      {"type = \"circle\", axis = [0.2, 0, 1], gap = 0.2", "[0.1, 0.02, 0.0]", ""},
      {"type = \"slot\", axis = [0, 0.3, 1], direction = [1, 0, 0], gap = 0.2", "[0.1, 0.02, 0.0]", ""},
      {"type = \"sphere\", radius = 0.2, side = \"inside\"", "[0.1, 0.02, 0.1]", ""},
      {"type = \"torus\", axis = [0.1, 0, 1], ring_radius = 0.3, radius = 0.1", "[0.43, 0.02, 0.02]", ""},
      {"type = \"profile\", axis = [0, 0, 1], reference = [1, 0, 0], angles_deg = [0, 72, 144, 216, 288], "
       "radii "
       "= [0.2, 0.2, 0.25, 0.2, 0.2]",
       "[0.1, 0.02, 0.02]", ""},
      {"type = \"plane\", normal = [1, 0.2, 0.1]", "[0.4, 0.02, 0.02]", "thickness = [0.2, 0.1]"}};
  for (const Pair& pair : pairs)
    for (const char* order : {"[\"m\", \"w\"]", "[\"w\", \"m\"]"}) {
      const bool swaps = std::string(order).starts_with("[\"w");
      if (swaps && std::string(pair.obstacle).find("plane") != std::string::npos) continue;
      const std::string contact = fmt::format(
          "[[contacts]]\nname = \"c\"\nnodes = {}\nobstacle = {{ {} }}\n{}\nnormal = {{ stiffness = "
          "2e4, damping = 5.0 }}\nfriction = {{ coefficient = 0.3, stiffness = 1e5 }}\n",
          order, pair.obstacle, pair.thickness);
      expectForceCarried(supportedRun(bodyBeside(pair.place, "[-2, 0.5, 0.7]", "", contact)),
                         std::string(pair.obstacle) + order);
    }
}

/// A wheel beside a wheel, and in a ring: friction drives two wheels in the same sense, wheel and ring in
/// opposite senses, in the ratio of their radii; and nothing is lost if only the second is requested.
TEST(RestoredContactReaction, HasTheMomentOfRolling) {
  for (const auto& [speed, obstacle, momentRatio] :
       {std::tuple{
            "-2",
            "{ type = \"disc\", axis = [0, 0, 1] }\nthickness = [0.3, 0.2]\nrolling_radius = [0.3, 0.2]",
            -0.2 / 0.3},
        std::tuple{"2", "{ type = \"circle\", axis = [0, 0, 1], gap = 0.5 }\nrolling_radius = [0.3, 0.8]",
                   0.8 / 0.3}}) {
    SCOPED_TRACE(obstacle);
    const std::string deck =
        bodyBeside("[0.5, 0, 0]", fmt::format("[{}, 0.5, 0, 0, 0, 3]", speed), "[\"uz\", \"rx\", \"ry\"]",
                   fmt::format("[[contacts]]\nname = \"c\"\nnodes = [\"m\", \"w\"]\nobstacle = {}\n"
                               "normal = {{ stiffness = 2e4, damping = 5.0 }}\n"
                               "friction = {{ coefficient = 0.3, stiffness = 1e5 }}\n",
                               obstacle));
    const SupportedRun both = supportedRun(deck);
    RestoreRequest only;
    only.nodes = {"w"};
    const SupportedRun one = supportedRun(deck, only);
    double largest = 0.0;
    for (std::size_t i = 0; i < both.times.size(); ++i)
      largest = std::max(largest, std::abs(momentOnBody(both, i, 2)));
    ASSERT_GT(largest, 1.0);
    for (std::size_t i = 0; i < both.times.size(); ++i) {
      const double expected = momentRatio * momentOnBody(both, i, 2);
      EXPECT_NEAR(both.at(both.reaction, i, 1)[5], expected, 1e-12 * largest);
      EXPECT_NEAR(one.at(one.reaction, i, 0)[5], expected, 1e-12 * largest);
    }
  }
}

/// An area that spins on a plane, and a link about an axis: the moment on the support is that on the body.
TEST(RestoredContactReaction, HasMomentsOfAreasAndLinks) {
  const char* area =
      "[[contacts]]\nname = \"c\"\nnodes = [\"{}\", \"{}\"]\nobstacle = {{ type = \"plane\", normal = [{}, "
      "0, 0] "
      "}}\nthickness = [0.25, 0.24]\nnormal = {{ stiffness = 2e4 }}\nfriction = {{ law = \"patch\", "
      "coefficient = "
      "0.4, stiffness = 1e5, patch = {{ shape = \"disc\", radius = 0.05 }} }}\n";
  const std::string link =
      "[[links]]\nname = \"t\"\nnodes = [\"m\", \"w\"]\ndof = \"rx\"\nlaw = \"force_velocity\"\nvelocity = "
      "[0.0, "
      "1.0]\nforce = [0.0, 0.3]\n";
  for (const std::string& more :
       {fmt::format(fmt::runtime(area), "m", "w", 1), fmt::format(fmt::runtime(area), "w", "m", -1), link}) {
    const SupportedRun run = supportedRun(
        bodyBeside("[0.5, 0, 0]", "[-2, 0, 0, 4, 0, 0]", "[\"uy\", \"uz\", \"ry\", \"rz\"]", more));
    double largest = 0.0;
    for (std::size_t i = 0; i < run.times.size(); ++i)
      largest = std::max(largest, std::abs(momentOnBody(run, i, 0)));
    ASSERT_GT(largest, 0.5) << more;
    for (std::size_t i = 0; i < run.times.size(); ++i)
      ASSERT_NEAR(run.at(run.reaction, i, 1)[3], momentOnBody(run, i, 0), 1e-12 * largest) << more;
  }
}

/// Links along one axis and in a plane, in both orders of their nodes.
TEST(RestoredContactReaction, HasForcesOfLinks) {
  for (const char* link :
       {"nodes = [\"m\", \"w\"]\naxis = [0.6, 0, 0.8]\nlaw = \"force_displacement\"\ndisplacement = [0.0, "
        "1.0]\n"
        "force = [0.0, 400.0]\n",
        "nodes = [\"w\", \"m\"]\naxis = [0.6, 0.8, 0]\nlaw = \"force_velocity\"\nvelocity = [0.0, 1.0]\n"
        "force = [0.0, 30.0]\n",
        "nodes = [\"w\", \"m\"]\naxis = [0.6, 0, 0.8]\nplane = \"tangential\"\nlaw = \"elastoplastic\"\n"
        "displacement = [0.0, 0.04, 1.0]\nforce = [0.0, 20.0, 30.0]\nhardening = \"isotropic\"\n"})
    expectForceCarried(supportedRun(bodyBeside("[0.5, 0, 0]", "[-2, 1, 1]", "",
                                               fmt::format("[[links]]\nname = \"l\"\n{}", link))),
                       link);
}

/// With so many contacts in one table, each support has the reaction of its own contact.
TEST(RestoredContactReaction, ReadsTheTableOfManyContacts) {
  constexpr std::size_t kPairs = 260;
  std::string nodes, masses, velocities, walls, contacts;
  for (std::size_t i = 0; i < kPairs; ++i) {
    nodes += fmt::format("[[nodes]]\nname = \"m{0}\"\nposition = [1, {0}, 0]\n", i);
    walls += fmt::format("[[nodes]]\nname = \"w{0}\"\nposition = [0, {0}, 0]\n", i);
    masses += fmt::format("[[springs]]\nnodes = [\"m{}\"]\nstiffness = [{}, 200.0, 100.0]\n", i, 300 + i);
    velocities += fmt::format("{{ node = \"m{}\", value = [{}, 0.5, 0.3] }}, ", i, -1.0 - 0.01 * double(i));
    contacts += fmt::format(
        "[[contacts]]\nname = \"c{0}\"\nnodes = [\"m{0}\", \"w{0}\"]\nobstacle = {{ type = \"disc\", axis = "
        "[0, 0, "
        "1] }}\nthickness = [0.5, 0.4]\nnormal = {{ stiffness = 2e4 }}\nfriction = {{ coefficient = 0.3, "
        "stiffness "
        "= 1e5 }}\n",
        i);
  }
  std::string bodies, fixed;
  for (std::size_t i = 0; i < kPairs; ++i) {
    bodies += fmt::format("\"m{}\", ", i);
    fixed += fmt::format("\"w{}\", ", i);
  }
  const std::string deck =
      nodes + walls + masses + fmt::format("[[masses]]\nnodes = [{}]\nmass = 1.3\n", bodies) +
      fmt::format("[[supports]]\nnodes = [{}]\nfixed = [\"ux\", \"uy\", \"uz\"]\n", fixed) +
      fmt::format("[initial]\nvelocity = [{}]\n", velocities) + contacts +
      "[basis]\nall = true\n[transient]\nduration = 0.12\nstep = 2e-4\nscheme = "
      "\"kick_drift\"\n[output]\ninterval = 4e-3\n";
  RestoreRequest request;
  request.from = 0.05;
  request.every = 3;
  const SupportedRun run = supportedRun(deck, request);
  ASSERT_EQ(run.nodes, 2 * kPairs);
  double largest = 0.0;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (std::size_t n = 0; n < kPairs; ++n) {
      const SixValues &u = run.at(run.displacement, i, n), &a = run.at(run.acceleration, i, n);
      const SixValues& r = run.at(run.reaction, i, kPairs + n);
      const double expected[] = {kBodyMass * a[0] + (300.0 + double(n)) * u[0],
                                 kBodyMass * a[1] + 200.0 * u[1], kBodyMass * a[2] + 100.0 * u[2]};
      for (std::size_t c = 0; c < 3; ++c) {
        largest = std::max(largest, std::abs(expected[c]));
        ASSERT_NEAR(r[c], expected[c], 1e-9) << n << " " << run.times[i];
      }
    }
  EXPECT_GT(largest, 50.0);
}

/// 10 kg on an incline of 45 degrees that a support holds laterally, by a spring, and on a node, by a spring
/// or rigidly: statics.
TEST(RestoredContactReaction, CarriesWeights) {
  const std::string common =
      "[[masses]]\nnodes = [\"m\"]\nmass = 10.0\n[[supports]]\nnodes = [\"m\"]\nfixed = [\"ux\", \"uy\"]\n"
      "[gravity]\nacceleration = [0, 0, -9.81]\n[basis]\nall = true\n[initial]\nequilibrium = true\n"
      "[transient]\nduration = 0.1\n[output]\ninterval = 0.02\n";
  const SupportedRun incline = supportedRun("[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n" + common +
                                            "[[contacts]]\nname = \"c\"\nnode = \"m\"\nobstacle = { type = "
                                            "\"plane\", normal = [1, 0, 1], gap = 0.0 }\n"
                                            "normal = { stiffness = 1e5, damping = 1e3 }\n");
  for (std::size_t i = 0; i < incline.times.size(); ++i) {
    EXPECT_NEAR(incline.at(incline.reaction, i, 0)[0], -98.1, 1e-9);
    EXPECT_NEAR(incline.at(incline.reaction, i, 0)[1], 0.0, 1e-9);
  }
  for (const char* law : {"stiffness = 1e5", "law = \"rigid\", restitution = 0.0"}) {
    const SupportedRun pair = supportedRun(
        "[[nodes]]\nname = \"m\"\nposition = [0, 0, 1]\n[[nodes]]\nname = \"w\"\nposition = [0, 0, 0]\n" +
        common +
        "[[supports]]\nnodes = [\"w\"]\nfixed = [\"ux\", \"uy\", \"uz\"]\n"
        "[[contacts]]\nname = \"c\"\nnodes = [\"w\", \"m\"]\nobstacle = { type = \"plane\", normal = [0, 0, "
        "1] }\n"
        "thickness = [0.5, 0.5]\nnormal = { " +
        law + " }\n");
    EXPECT_NEAR(pair.at(pair.reaction, pair.times.size() - 1, 1)[2], 98.1, 1e-9) << law;
  }
}

const std::string kHeldWheel = R"deck(
[[nodes]]
name = "h"
position = [0, 0.1, 0]
[[nodes]]
name = "l"
position = [0, 0, 0]
[[nodes]]
name = "r"
position = [1, 0, 0]
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0
[sections.bar]
type = "circle"
radius = 0.03
[[beams]]
name = "shaft"
nodes = ["l", "r"]
elements = 1
material = "steel"
section = "bar"
theory = "euler_bernoulli"
[[supports]]
nodes = ["l", "r"]
fixed = "all"
[[supports]]
nodes = ["h"]
fixed = ["ux", "uy", "uz"]
[[masses]]
nodes = ["free"]
mass = 1.0
[[nodes]]
name = "free"
position = [0, 0, 5]
[[springs]]
nodes = ["free"]
stiffness = [1.0, 1.0, 1.0]
[[contacts]]
name = "c"
node = "h"
beam = "shaft"
speed = 10.0
obstacle = { type = "plane", normal = [0, 1, 0], gap = -1e-4 }
normal = { stiffness = 1e6 }
[basis]
all = true
[transient]
duration = 0.09
step = 1e-4
[output]
interval = 0.01
)deck";

/// A wheel on a support presses with 100 N on a beam of one element that is clamped at both ends, so that no
/// dof on its path can move: the supports of the beam share its force as those of a clamped beam.
TEST(RestoredContactReaction, HoldsAWheel) {
  const SupportedRun run = supportedRun(kHeldWheel);
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double x = 10.0 * run.times[i];
    EXPECT_NEAR(run.at(run.reaction, i, 0)[1], -100.0, 1e-9) << i;
    EXPECT_NEAR(run.at(run.reaction, i, 1)[1], 100.0 * (1.0 - x) * (1.0 - x) * (1.0 + 2.0 * x), 1e-9) << i;
    EXPECT_NEAR(run.at(run.reaction, i, 2)[1], 100.0 * x * x * (3.0 - 2.0 * x), 1e-9) << i;
  }
}

TEST(RestoredContactReaction, SaysWhatItCannotDo) {
  const auto refusal = [](std::string deck) -> std::string {
    const std::string scheme = "scheme = \"kick_drift\"";
    deck.replace(deck.find(scheme), scheme.size(), "scheme = \"moreau\"");
    try {
      supportedRun(deck);
    } catch (const RestoreError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(bodyBeside(
                  "[0, 0, 0]", "[0, 0, 1]", "",
                  "[[contacts]]\nname = \"c\"\nnodes = [\"m\", \"w\"]\nobstacle = { type = \"slot\", axis "
                  "= [0, 0, 1], direction = [1, 0, 0], gap = 0.0 }\nnormal = { law = \"rigid\", "
                  "restitution = 0.5 }\n")),
              testing::HasSubstr("contact c holds a node of these rigidly and without clearance"));
  EXPECT_THAT(refusal(bodyBeside(
                  "[0, 0, 0]", "[1, 0, 0]", "",
                  "[[nodes]]\nname = \"s\"\nposition = [1, 0, 0]\n[[springs]]\nnodes = [\"m\", \"s\"]\n"
                  "stiffness = [100.0, 0, 0]\n[[supports]]\nnodes = [\"s\"]\nfixed = [\"uy\", \"uz\"]\n"
                  "[[relations]]\nterms = [{ node = \"s\", dof = \"ux\", factor = 1.0 }, { node = \"w\", "
                  "dof = \"ux\", factor = -1.0 }]\n")),
              testing::HasSubstr("ux of node w is fixed and a term of a relation"));
}

}  // namespace
}  // namespace ricochet
