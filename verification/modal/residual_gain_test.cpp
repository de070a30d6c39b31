// Gain in accuracy by the residual vector of a contact: five modes with and without this vector, compared
// with all modes of the mesh.

#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "modal/projection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// Histories of the contact and of one dof in a run.
struct Shown : TransientObserver {
  explicit Shown(Eigen::RowVectorXd dof) : row(std::move(dof)) {}
  void archive(const StepView&) override {}
  void onInstant(std::size_t, const StepView& view) override {
    displacement.push_back(row.dot(view.state.q.head(row.size())));  // q is padded
    force.push_back(view.contacts[0].normalForce);
  }
  Eigen::RowVectorXd row;
  std::vector<double> displacement, force;
  double peak{0.0}, impulse{0.0};
};

double valueOf(const RunSummary& summary, const std::string& quantity) {
  for (const CheckResult& check : summary.checks)
    if (check.quantity.rfind(quantity, 0) == 0) return check.computed.value_or(NAN);
  return NAN;
}

Shown motionAndForceOf(const Deck& study, NodeIndex node) {
  const auto simulation = prepare(study);
  Shown shown(modeShapeRow(simulation->basis, simulation->physical.dofs, {node, Component::uy}));
  std::vector<double> instants;
  constexpr int kInstants = 2000;
  for (int i = 1; i <= kInstants; ++i) instants.push_back(study.transient->duration * i / kInstants);
  const RunSummary summary = runStudy(study, *simulation, nullptr, false, {instants, &shown});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  EXPECT_EQ(shown.force.size(), instants.size());
  shown.peak = valueOf(summary, "impact_peak");
  shown.impulse = valueOf(summary, "impulse");
  return shown;
}

double rmsOfDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

struct Gain {
  double peak, impulse, displacement, force;  ///< error without the vector over error with the vector
};

/// Gain by the residual vector of a deck; `completeSize`: number of modes of its complete basis, the
/// reference.
Gain gainOf(const std::string& deck, const std::string& node, int completeSize) {
  Deck study = readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / deck);
  const auto named = std::find_if(study.nodes.begin(), study.nodes.end(),
                                  [&](const NamedNode& each) { return each.name == node; });
  const NodeIndex index{static_cast<int>(named - study.nodes.begin())};
  const Shown with = motionAndForceOf(study, index);
  study.basis.contactResiduals = false;
  const Shown without = motionAndForceOf(study, index);
  study.basis.selection = {.modes = {}, .frequencyMax = {}, .all = true};
  EXPECT_EQ(prepare(study)->basis.size(), completeSize);
  const Shown truth = motionAndForceOf(study, index);

  const auto error = [&](auto&& of) { return std::pair(of(without), of(with)); };
  const auto ratio = [](const char* what, std::pair<double, double> errors, double scale) {
    std::printf("  %-12s without %.2e, with %.2e of %.6g\n", what, errors.first / scale,
                errors.second / scale, scale);
    return errors.first / errors.second;
  };
  const auto largest = [](const std::vector<double>& values) {
    return std::abs(*std::max_element(values.begin(), values.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); }));
  };
  Gain gain{};
  gain.peak =
      ratio("peak force", error([&](const Shown& s) { return std::abs(s.peak - truth.peak); }), truth.peak);
  gain.impulse = ratio("impulse", error([&](const Shown& s) { return std::abs(s.impulse - truth.impulse); }),
                       truth.impulse);
  gain.displacement =
      ratio("displacement",
            error([&](const Shown& s) { return rmsOfDifference(s.displacement, truth.displacement); }),
            largest(truth.displacement));
  gain.force = ratio("force", error([&](const Shown& s) { return rmsOfDifference(s.force, truth.force); }),
                     largest(truth.force));
  return gain;
}

/// A vector with the flexibility that five modes omit at the stop makes every error at least five times
/// smaller.
constexpr double kLeast = 5.0;

TEST(ResidualGain, OfACantileverOnATipStop) {
  const Gain gain = gainOf("residual-cantilever.toml", "tip", 100);
  EXPECT_GT(gain.peak, kLeast);
  EXPECT_GT(gain.impulse, kLeast);
  EXPECT_GT(gain.displacement, kLeast);
  EXPECT_GT(gain.force, kLeast);
}

/// The sphere has no stiffness: its mode is rigid, and there is no flexibility to compare with that of the
/// contact.
TEST(ResidualGain, KnowsAMassThatNothingHolds) {
  const auto simulation =
      prepare(readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / "residual-sphere-beam.toml"));
  EXPECT_EQ(simulation->basis.rigidModes, 1);
  EXPECT_EQ(simulation->basis.eigenvalue[0], 0.0);
  EXPECT_EQ(simulation->basis.residualVectors, 1);
  EXPECT_LT(simulation->truncation[0].largest(), 1e-9);
}

/// 100 modes of the beam and the rigid mode of the sphere.
TEST(ResidualGain, OfASphereOnABeam) {
  const Gain gain = gainOf("residual-sphere-beam.toml", "middle", 101);
  EXPECT_GT(gain.peak, kLeast);
  EXPECT_GT(gain.impulse, kLeast);
  EXPECT_GT(gain.displacement, kLeast);
  EXPECT_GT(gain.force, kLeast);
}

}  // namespace
}  // namespace ricochet
