// One run on one core compared with the memory bandwidth: the tube with all contacts closed and sticking
// against the time of reading its rows, and the tube with changing contacts against the same step written
// plainly in Eigen.
//
// A closed contact reads its two rows that move (of the gap and of one tangent) twice, for its displacements
// and for its forces: 32 c m bytes per step for c contacts and m modes. `roofline` is the time of reading
// these bytes over the time of the step. Each mode needs 14 numbers that a step has to read or write, 112 m
// bytes: displacement, velocity and force before and after, four numbers of the drift, and four loads. Rows
// are most of the data from c = 4 on. `whole` is the time of reading rows and modes over the time of the
// step, without the energy accounts of the step.

#include "engine/numerics/flush_to_zero.hpp"
#include "verification/benchmarks/relative_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace ricochet {
namespace {

constexpr double kStep = 1e-5;  // [s]
constexpr int kSteps = 200;     // duration of one measurement [s]

test::TubeData tubeDataOf(const benchmark::State& bench) {
  return {.modes = static_cast<int>(bench.range(0)),
          .stations = test::positionsOfTubeSlots(static_cast<int>(bench.range(1))),
          .loadsTo = 1.0};
}

/// Slots that the tube cannot leave, and friction that never slips.
test::ModelParts clamped(const benchmark::State& bench) {
  test::ModelParts parts = test::tube(tubeDataOf(bench));
  for (Contact& contact : parts.contacts) {
    contact.obstacle = Slot{-1e-3};
    contact.normal = LinearPenalty{1e3, 0.0};
    std::get<RegularisedCoulomb>(contact.friction).muStatic = 1e9;
    std::get<RegularisedCoulomb>(contact.friction).muDynamic = 1e9;
  }
  return parts;
}

void tubeAllActive(benchmark::State& bench) {
  const FlushToZero flush;
  const test::ModelParts parts = clamped(bench);
  const ModalModel model = parts.build();
  test::Stepper<KickDrift> stepper(model, kStep, State(model.linear.modes));
  stepper.steps(kSteps);
  stepper.mark();
  const auto steps = [&] {
    stepper.restore();
    stepper.steps(kSteps);
  };
  // the same rows as in a run, of the gaps and of one tangent each, are read twice
  const ContactSet& set = model.contacts;
  const auto count = static_cast<Eigen::Index>(set.size());
  const Vector& q = stepper.state().q;
  constexpr Eigen::Index kOfModes = 14;
  const Matrix ofModes = Matrix::Ones(q.size(), kOfModes);
  Vector products(std::max(count, kOfModes));
  const auto readRows = [&] {
    for (Eigen::Index pass = 0; pass < 4; ++pass) {
      // Rows of axis 0, then of axis 2.
      const auto first = (pass % 2) * 2 * static_cast<Eigen::Index>(set.rowStride());
      const double* rows = set.gapRows() + first * q.size();
      kernels::dotProductsOfRows(rows, count, q.data(), q.size(), products.data());
      benchmark::DoNotOptimize(products.data());
    }
  };
  const auto reads = [&] {
    for (int i = 0; i < kSteps; ++i) readRows();
  };
  const auto readsAll = [&] {
    for (int i = 0; i < kSteps; ++i) {
      readRows();
      kernels::dotProductsOfRows(ofModes.data(), kOfModes, q.data(), q.size(), products.data());
      benchmark::DoNotOptimize(products.data());
    }
  };
  long closed = 0;
  for (const ContactState& contact : stepper.equation().contacts().states())
    closed += contact.isClosed() ? 1 : 0;
  for (auto _ : bench) steps();
  bench.SetItemsProcessed(bench.iterations() * kSteps);
  bench.counters["closed"] = static_cast<double>(closed);
  bench.counters["roofline"] = 1.0 / test::relativeTime(steps, reads);
  bench.counters["whole"] = 1.0 / test::relativeTime(steps, readsAll);
}
BENCHMARK(tubeAllActive)->ArgNames({"m", "c"})->ArgsProduct({{10, 20, 50, 100, 200}, {1, 4, 10, 40}});

/// Central differences of the tube as a user would write them with Eigen: dense matrices, all contacts
/// evaluated in every step, laws written in the loop. There are no events, accounts or statistics.
class PlainTube {
 public:
  explicit PlainTube(const test::ModelParts& parts)
      : loads_(parts.loads),
        omegaSquared_(parts.linear.omegaSquared),
        damping_(parts.linear.dampingDiagonal) {
    const Eigen::Index modes = omegaSquared_.size();
    const auto count = static_cast<Eigen::Index>(parts.contacts.size());
    rows_ = Matrix::Zero(3 * count, modes);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Contact& contact = parts.contacts[static_cast<std::size_t>(i)];
      rows_.block(3 * i, 0, 3, contact.rows.cols()) = contact.rows;
      gap_.push_back(std::get<Slot>(contact.obstacle).clearance);
      normal_.push_back(std::get<LinearPenalty>(contact.normal).stiffness);
      friction_.push_back(std::get<RegularisedCoulomb>(contact.friction));
    }
    anchor_.resize(gap_.size());
    closed_.resize(gap_.size());
    q_ = v_ = a_ = Vector::Zero(modes);
    forces_ = Vector::Zero(3 * count);
  }

  void step(double h) {
    v_ += 0.5 * h * a_;
    q_ += h * v_;
    time_ += h;
    const Vector u = rows_ * q_;
    const Vector w = rows_ * v_;
    for (std::size_t i = 0; i < gap_.size(); ++i) contact(i, u, w);
    Vector f = rows_.transpose() * forces_;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      cursors_[i].advance(time_ - h, 1e-9 * h);
      f.head(loads_[i].shape.size()) += loads_[i].shape * cursors_[i].at(time_);
    }
    a_ = (f - damping_.cwiseProduct(v_) - omegaSquared_.cwiseProduct(q_))
             .cwiseQuotient(Vector::Ones(q_.size()) + 0.5 * h * damping_);
    v_ += 0.5 * h * a_;
  }
  const Vector& q() const { return q_; }

  void continueFrom(const State& s, const ContactRun& contacts) {
    q_ = s.q;
    v_ = s.v;
    a_ = s.a;
    time_ = s.time;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const ContactState& c = contacts.state(i);
      closed_[i] = c.isClosed();
      // position at which the spring has no force
      const Tangential<double> at = c.friction.anchorPosition;
      const Tangential<double> force = c.friction.anchorForce;
      anchor_[i] = {at.first + force.first / friction_[i].stiffness,
                    at.second + force.second / friction_[i].stiffness};
    }
    for (const Load& load : loads_) cursors_.emplace_back(load.scale);
  }

 private:
  void contact(std::size_t i, const Vector& u, const Vector& w) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    forces_.segment<3>(at).setZero();
    const double gap = gap_[i] - std::abs(u[at]);
    if (gap >= 0.0) {
      closed_[i] = false;
      return;
    }
    const Eigen::Vector2d place = u.segment<2>(at + 1);
    if (!closed_[i]) anchor_[i] = place;
    closed_[i] = true;
    const double push = -normal_[i] * gap;
    const RegularisedCoulomb& law = friction_[i];
    Eigen::Vector2d t = -law.stiffness * (place - anchor_[i]) - law.damping * w.segment<2>(at + 1);
    const double size = t.norm();
    if (size > law.muStatic * push) {
      t *= law.muDynamic * push / size;
      anchor_[i] = place + t / law.stiffness;
    }
    forces_[at] = u[at] > 0.0 ? -push : push;
    forces_.segment<2>(at + 1) = t;
  }

  std::vector<Load> loads_;
  std::vector<FunctionCursor> cursors_;
  Vector omegaSquared_, damping_;
  Matrix rows_;
  std::vector<double> gap_, normal_;
  std::vector<RegularisedCoulomb> friction_;
  std::vector<Eigen::Vector2d> anchor_;
  std::vector<bool> closed_;
  Vector q_, v_, a_, forces_;
  double time_{0.0};
};

/// `faster`: time of the plain step over the time of the engine, which includes accounts and events.
void timePlainEigenStep(benchmark::State& bench) {
  const FlushToZero flush;
  constexpr int kWarmUp = 10000;
  test::TubeData data = tubeDataOf(bench);
  const ModalModel whole = test::tube(data).build();
  test::Stepper<CentralDifference> warmUp(whole, kStep, State(data.modes));
  warmUp.steps(kWarmUp);

  // The tables of the loads begin at this instant, because restoring a run searches tables from their first
  // piece.
  data.loadsFrom = warmUp.state().time;
  data.loadsTo = data.loadsFrom + 2 * kSteps * kStep;
  const test::ModelParts parts = test::tube(data);
  const ModalModel model = parts.build();
  test::Stepper<CentralDifference> stepper(model, kStep, State(data.modes));
  stepper.continueFrom(warmUp);
  PlainTube plain(parts);
  plain.continueFrom(stepper.state(), stepper.equation().contacts());
  const PlainTube warm = plain;
  const auto engine = [&] {
    stepper.restore();
    stepper.steps(kSteps);
  };
  const auto eigen = [&] {
    plain = warm;
    for (int i = 0; i < kSteps; ++i) plain.step(kStep);
    benchmark::DoNotOptimize(plain.q().data());
  };
  eigen();
  engine();
  const double apart = (plain.q() - stepper.state().q).norm() / stepper.state().q.norm();
  for (auto _ : bench) eigen();
  bench.SetItemsProcessed(bench.iterations() * kSteps);
  bench.counters["faster"] = test::relativeTime(eigen, engine);
  // Both are the same scheme except for the instants at which friction starts to slip.
  bench.counters["apart"] = apart;
}
BENCHMARK(timePlainEigenStep)->ArgNames({"m", "c"})->ArgsProduct({{10, 20, 50, 100, 200}, {1, 4, 10, 40}});

}  // namespace
}  // namespace ricochet
