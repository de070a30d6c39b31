#include "engine/study/direct.hpp"

#include "engine/model/direct_system.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/study/run_transient.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A row of 25 masses that move in x and z: 50 dofs, three masses on stops with friction, one under a
/// constant normal force, a dashpot, a harmonic load and a load that jumps inside steps.
std::string rowOfMasses(std::string_view more) {
  std::string deck = "nodes = [\n";
  for (int i = 0; i < 25; ++i) deck += fmt::format("  {{ name = \"n{}\", position = [{}, 0, 0] }},\n", i, i);
  deck += "]\nmasses = [ { nodes = \"all\", mass = 2.0 } ]\nsprings = [\n";
  for (int i = 0; i < 24; ++i)
    deck += fmt::format("  {{ nodes = [\"n{}\", \"n{}\"], stiffness = [4e5, 0, 1e5] }},\n", i, i + 1);
  deck += R"deck(
  { nodes = ["n0"], stiffness = [4e5, 0, 1e5] },
  { nodes = ["n24"], stiffness = [4e5, 0, 1e5] },
]
dampers = [ { nodes = ["n3", "n9"], damping = [5, 0, 20] } ]
[[supports]]
nodes = "all"
fixed = ["uy"]
[functions.sine]
formula = "sin(2*pi*11*t)"
[[loads]]
nodes = ["n8"]
force = [220.0, 0, -90.0]
scale = "sine"
[functions.cuts]
times = [0, 0.0301, 0.0301, 0.05335, 0.05335, 0.10072, 0.10072, 0.15031, 0.15031, 1]
values = [1, 1, 0, 0, -1, -1, 1, 1, 0.5, 0.5]
[[loads]]
nodes = ["n12"]
force = [40.0, 0, 25.0]
scale = "cuts"
)deck";
  return deck + std::string(more);
}

constexpr const char* kContacts = R"(
[[contacts]]
name = "pressed"
node = "n6"
obstacle = { type = "slot", axis = [0, 1, 0], direction = [0, 0, 1], center = [6, 0, 0.02], gap = 0.0 }
normal = { stiffness = 3e4, damping = 15.0 }
friction = { static = 0.3, dynamic = 0.2, stiffness = 2e5, damping = "critical" }
[[contacts]]
name = "stop"
node = "n16"
obstacle = { type = "plane", normal = [0, 0, 1], gap = 2e-4 }
normal = { stiffness = 2e5, damping = 30.0 }
friction = { coefficient = 0.4, stiffness = 1e5, damping = 10.0 }
[[contacts]]
name = "pair"
nodes = ["n20", "n21"]
thickness = [0.4, 0.4]
obstacle = { type = "plane", normal = [1, 0, 0] }
normal = { stiffness = 1e5 }
)";

/// Records displacements of chosen dofs at instants.
class Watcher : public TransientObserver {
 public:
  Watcher(const Simulation& simulation, std::size_t instants) {
    for (int node = 0; node < 25; ++node)
      for (const Component c : {Component::ux, Component::uz})
        rows_.push_back(simulation.row({NodeIndex{node}, c}));
    values = Matrix::Zero(static_cast<Eigen::Index>(rows_.size()), static_cast<Eigen::Index>(instants));
  }
  void archive(const StepView&) override {}
  void onInstant(std::size_t index, const StepView& view) override {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(index)) =
          rows_[i].dot(view.state.q.head(rows_[i].size()));
  }
  Matrix values;

 private:
  std::vector<Eigen::RowVectorXd> rows_;
};

struct DirectOutcome {
  Report report;
  Matrix displacements;
};

DirectOutcome outcomeOf(const Simulation& simulation, std::string_view scheme, double step, double end,
                        const SchemeOptions& scheme_options = {}) {
  TransientOptions options;
  options.end = end;
  options.step = step;
  options.scheme = scheme_options;
  constexpr int kInstants = 101;
  for (int i = 0; i < kInstants; ++i) options.instants.push_back(end * i / (kInstants - 1));
  Watcher watcher(simulation, kInstants);
  State state = simulation.initial;
  Report report;
  if (simulation.mode == Mode::direct) {
    DirectEquation equation(simulation.direct);
    report = run(scheme, equation, state, options, watcher);
  } else {
    ModalEquation equation(simulation.model);
    report = run(scheme, equation, state, options, watcher);
  }
  return {report, watcher.values};
}

double distance(const DirectOutcome& a, const DirectOutcome& b) {
  return (a.displacements - b.displacements).norm() / b.displacements.norm();
}

/// Damping given to the deck in all possible forms.
const char* const kDampings[] = {"[basis]\nall = true\nrayleigh = { mass = 0.3, stiffness = 2e-5 }\n",
                                 "[basis]\nall = true\ndamping_ratio = 0.01\n"};

TEST(DirectMode, IsTheModalModeOfACompleteBasis) {
  // The same scheme and step on the same equation, 1000 steps: the results differ by rounding.
  for (const char* damping : kDampings) {
    const Deck study = test::studyOf(rowOfMasses(kContacts) + "[transient]\nduration = 0.2\n" + damping +
                                     "[direct]\nscheme = \"newmark\"\nstep = 2e-4\n");
    const auto modal = prepare(study);
    const auto direct = prepareDirectSimulation(study);
    ASSERT_EQ(modal->basis.size(), 50);
    ASSERT_EQ(direct->size(), 50);
    for (const std::string_view scheme : {"newmark", "hht", "central_difference"}) {
      const DirectOutcome a = outcomeOf(*modal, scheme, 2e-4, 0.2);
      const DirectOutcome b = outcomeOf(*direct, scheme, 2e-4, 0.2);
      ASSERT_EQ(a.report.status, RunStatus::complete) << scheme;
      ASSERT_EQ(b.report.status, RunStatus::complete) << scheme;
      EXPECT_GE(a.report.steps, 1000) << scheme;
      EXPECT_EQ(a.report.steps, b.report.steps) << scheme;
      EXPECT_EQ(a.report.events, b.report.events) << scheme;
      EXPECT_GE(a.report.events, 8) << scheme;
      EXPECT_LT(distance(b, a), 1e-10) << scheme << ' ' << damping;
      EXPECT_NEAR(b.report.energy.kinetic, a.report.energy.kinetic, 1e-9 * a.report.energy.kinetic);
      EXPECT_NEAR(b.report.energy.elastic, a.report.energy.elastic, 1e-9 * a.report.energy.elastic);
      EXPECT_NEAR(b.report.energyError, a.report.energyError, 1e-9);
      EXPECT_NEAR(b.report.energy.friction, a.report.energy.friction, 1e-9 * a.report.energy.external);
      EXPECT_NEAR(b.report.energy.damping, a.report.energy.damping, 1e-9 * a.report.energy.external);
      EXPECT_NEAR(b.report.energy.external, a.report.energy.external, 1e-9 * a.report.energy.external);
    }
  }
}

TEST(DirectMode, BothModesConvergeToTheEventScheme) {
  // Contacts that stay closed and sticking keep the order of the schemes.
  std::string contacts = kContacts;
  const Deck study = test::studyOf(rowOfMasses(contacts.substr(0, contacts.find("[[contacts]]", 5))) +
                                   "[transient]\nduration = 0.1\n" + kDampings[0]);
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study);
  SchemeOptions event;
  const DirectOutcome exact = outcomeOf(*modal, kEventScheme, 1e-4, 0.1, event);
  ASSERT_EQ(exact.report.status, RunStatus::complete);
  for (const std::string_view scheme : {"newmark", "hht", "central_difference"})
    for (const Simulation* simulation : {modal.get(), direct.get()}) {
      SchemeOptions options;
      std::vector<double> errors;
      for (const double step : {2e-4, 1e-4, 5e-5, 2.5e-5}) {
        const DirectOutcome outcome = outcomeOf(*simulation, scheme, step, 0.1, options);
        ASSERT_EQ(outcome.report.status, RunStatus::complete) << scheme;
        errors.push_back(distance(outcome, exact));
      }
      const double order = std::log2(errors.front() / errors.back()) / 3.0;
      EXPECT_GT(order, 1.7) << scheme << ' ' << errors.front() << ' ' << errors.back();
      EXPECT_LT(errors.back(), 0.1 * errors.front()) << scheme;
    }
}

TEST(DirectMode, CondensesWhatHasNoMass) {
  // A mass on two springs in series: the node between them has no mass.
  const char* kDeck = R"(
nodes = [ { name = "m", position = [0, 0, 0] }, { name = "between", position = [-1, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 2.0 } ]
springs = [ { nodes = ["m", "between"], stiffness = [300, 0, 0] }, { nodes = ["between"], stiffness = [600, 0, 0] } ]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[initial]
displacement = [ { node = "m", value = [0.01, 0, 0] } ]
[transient]
duration = 1.0
[direct]
step = 1e-3
)";
  const Deck study = test::studyOf(kDeck);
  const auto direct = prepareDirectSimulation(study);
  ASSERT_EQ(direct->size(), 1);
  EXPECT_NEAR(direct->direct.linear.stiffness.coeff(0, 0), 200.0, 1e-12);
  // The stiffer spring has a third of the displacement.
  EXPECT_NEAR(direct->row({NodeIndex{1}, Component::ux})[0], 1.0 / 3.0, 1e-15);
}

TEST(DirectMode, SolvesColumnsOfAnUnsymmetricSystem) {
  // Gyroscopic damping of three dofs; the columns have the padding of generalized vectors.
  DirectSystem system;
  const auto sparse = [](const Matrix& dense) { return SparseMatrix(dense.sparseView(1.0, 0.0)); };
  system.mass = sparse(Matrix::Identity(3, 3));
  system.stiffness = sparse(Matrix{{300.0, -100.0, 0.0}, {-100.0, 200.0, -50.0}, {0.0, -50.0, 80.0}});
  system.damping = sparse(Matrix{{0.0, 20.0, 0.0}, {-20.0, 0.0, 5.0}, {0.0, -5.0, 0.0}});
  const Matrix matrix = Matrix(system.mass) + 0.01 * Matrix(system.damping) + 1e-4 * Matrix(system.stiffness);
  Matrix columns = Matrix::Zero(paddedSize(3), 3);
  columns.topRows(3) = Matrix{{1.0, 0.0, 2.0}, {0.0, 1.0, -1.0}, {0.5, 0.0, 3.0}};
  const Matrix given = columns.topRows(3);
  DirectFactor(system, 1e-4, 0.01).solve(columns);
  EXPECT_LT((matrix * columns.topRows(3) - given).norm(), 1e-14);
}

TEST(DirectMode, LimitOfTheStepIsTheOneOfTheChain) {
  // omega_max = 2 sqrt(k/m) sin(n pi / (2 (n + 1))), central differences are stable below 2/omega_max.
  const Deck study =
      test::studyOf(rowOfMasses("[transient]\nduration = 0.1\n[direct]\nscheme = "
                                "\"central_difference\"\nstep = 1e-4\n"));
  Deck bare = study;
  std::erase_if(bare.structure.elements,
                [](const AnyElement& e) { return std::holds_alternative<Dashpot>(e); });
  const auto direct = prepareDirectSimulation(bare);
  const double omega = 2.0 * std::sqrt(4e5 / 2.0) * std::sin(25.0 * M_PI / 52.0);
  EXPECT_LT(direct->safeStep, 2.0 / omega);
  EXPECT_GT(direct->safeStep, 0.998 * 2.0 / omega);
  bare.direct.step = 1.001 * 2.0 / omega;
  EXPECT_THROW(prepareDirectSimulation(bare), InputError);
}

TEST(DirectMode, LumpedMassIsTheSumOfARow) {
  const char* kDeck = R"(
nodes = [ { name = "a", position = [0, 0, 0] }, { name = "b", position = [1, 0, 0] } ]
[[masses]]
nodes = ["a"]
matrix = [[2.0, 0, 0], [0, 2.0, 0], [0, 0, 2.0]]
[[masses]]
nodes = ["b"]
mass = 1.0
[[springs]]
nodes = ["a", "b"]
stiffness = [100, 100, 100]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[[relations]]
terms = [ { node = "a", dof = "ux", factor = 1.0 }, { node = "b", dof = "ux", factor = 1.0 } ]
[transient]
duration = 1.0
[direct]
mass = "lumped"
step = 1e-3
)";
  const auto direct = prepareDirectSimulation(test::studyOf(kDeck));
  ASSERT_EQ(direct->size(), 1);
  EXPECT_DOUBLE_EQ(direct->direct.linear.mass.coeff(0, 0), 3.0);
}

TEST(DirectMode, StepsDoNotAllocate) {
  const Deck study = test::studyOf(rowOfMasses(kContacts) + "[transient]\nduration = 0.2\n" + kDampings[1]);
  const auto simulation = prepareDirectSimulation(study);
  DirectEquation equation(simulation->direct);
  State s = simulation->initial;
  equation.start(s);
  Newmark newmark;
  newmark.start(equation, s, 2e-4);
  const auto step = [&] {
    ASSERT_TRUE(newmark.step(equation, s, 2e-4));
    equation.acceptStep(s, 2e-4);
    equation.contacts().events().clear();
  };
  for (int i = 0; i < 50; ++i) step();
  const test::AllocationCounter counter;
  for (int i = 0; i < 400; ++i) step();
  EXPECT_EQ(counter.count(), 0U);
  // Factorizations of M and of the matrix of a whole step, for all contact states.
  EXPECT_EQ(equation.factorizations(), 2);
}

}  // namespace
}  // namespace ricochet
