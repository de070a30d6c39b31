#pragma once

#include "engine/event/event_run.hpp"
#include "verification/support/models.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ricochet::test {

/// SDND106 as in reference/problems/F01_sdnd106.json: set-valued stick, state at 0.34 s.
struct ShoeProblem {
  static constexpr double kMass = 5.0;          ///< both [kg]
  static constexpr double kStiffness = 1e4;     ///< [N/m]
  static constexpr double kPull = 3000.0;       ///< force on the second mass until kCut [N]
  static constexpr double kCut = 0.2;           ///< end of the force [s]
  static constexpr double kBreakaway = 3000.0;  ///< mu_s N [N]
  static constexpr double kSliding = 2000.0;    ///< mu_d N [N]
  static constexpr double kEnd = 0.34;          ///< [s]

  /// Largest error of the two displacements [m].
  static double error(double x1, double x2) {
    return std::max(std::abs(x1 - 3.9556057734976027), std::abs(x2 - 3.9681246343005347));
  }
};

/// An observer that records nothing.
class QuietObserver : public TransientObserver {
 public:
  void archive(const StepView&) override {}
};

/// SDND106 as a model of the engine (modes, rows, laws), without special treatment. The model and the memory
/// of its runs are allocated once, as for the other codes; a run starts from rest.
class ShoeRun {
 public:
  ShoeRun() : model_(parts().build()), equation_(model_) {}
  /// Adds the steps of every run to statistics of the velocities of both bodies.
  explicit ShoeRun(bool withExtremes) : ShoeRun() {
    if (withExtremes) run_.recordStatisticsInto(extremes_);
  }
  ShoeRun(const ShoeRun&) = delete;  // the equation points to the model
  ShoeRun& operator=(const ShoeRun&) = delete;

  Report operator()() {
    state_.time = 0.0;
    state_.q.setZero();
    state_.v.setZero();
    return run_.run();
  }
  double error() const {
    return ShoeProblem::error(modeShapeOfSdnd106Mass(1).dot(state_.q.head(2)),
                              modeShapeOfSdnd106Mass(2).dot(state_.q.head(2)));
  }

 private:
  static std::vector<SeriesChannel> velocities() {
    std::vector<SeriesChannel> channels;
    for (const int body : {1, 2}) {
      Vector row = Vector::Zero(paddedSize(2));
      row.head(2) = modeShapeOfSdnd106Mass(body);
      channels.push_back(
          {.row = row, .ofDisplacement = false, .offset = 0.0, .highest = true, .lowest = true});
    }
    return channels;
  }
  static ModelParts parts() {
    ModelParts parts = sdnd106();
    parts.contacts[0].friction = Coulomb{0.3, 0.2};
    return parts;
  }
  ModalModel model_;
  ModalEquation equation_;
  State state_{2};
  TransientOptions options_{.end = ShoeProblem::kEnd, .step = 1.0, .archiveEvery = 1 << 30};
  QuietObserver observer_;
  SeriesStatistics extremes_{velocities()};
  EventRun run_{equation_, state_, options_, observer_};
};

}  // namespace ricochet::test
