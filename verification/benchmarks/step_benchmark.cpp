// Time of one step of the transient loop (advance, step, accept), without archiving. Each batch starts from
// the same recorded state, so that the motion does not decay and all batches have the same contact states. A
// batch (20 ms of motion) is long enough to contain openings, closings, stick and slip in their usual shares.

#include "engine/contact/areas/patch_law.hpp"
#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"

#include <benchmark/benchmark.h>

namespace ricochet {
namespace {

constexpr double kStep = 1e-5;  // [s]
constexpr int kBatch = 2000;

template <class I>
void measure(benchmark::State& bench, test::Stepper<I>& stepper) {
  long closed = 0;
  while (bench.KeepRunningBatch(kBatch)) {
    stepper.restore();
    stepper.steps(kBatch);
    benchmark::DoNotOptimize(stepper.state().q.data());
    benchmark::ClobberMemory();
  }
  bench.SetItemsProcessed(bench.iterations());

  stepper.restore();
  for (int i = 0; i < kBatch; ++i) {
    stepper.step();
    for (const ContactState& contact : stepper.equation().contacts().states())
      closed += contact.isClosed() ? 1 : 0;
  }
  bench.counters["closed"] = static_cast<double>(closed) / kBatch;  // mean number of closed contacts
}

/// Argument: contact state in which the run starts, 0 in stick, 1 in slip.
template <class I>
void sdnd106Step(benchmark::State& bench) {
  const FlushToZero flush;
  const ModalModel model = test::sdnd106().build();
  test::Stepper<I> stepper(model, kStep, State(2));
  stepper.steps(bench.range(0) == 0 ? 500 : 10000);
  stepper.mark();
  measure(bench, stepper);
}
BENCHMARK_TEMPLATE(sdnd106Step, KickDrift)->ArgName("slip")->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(sdnd106Step, CentralDifference)->ArgName("slip")->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(sdnd106Step, SymplecticEuler)->ArgName("slip")->Arg(0)->Arg(1);

/// Arguments: modes, contacts; contacts in slots, or in circles with the automaton law.
template <class I, bool round = false>
void tubeStep(benchmark::State& bench) {
  constexpr long kWarmUp = 10000;  // 0.1 s
  const FlushToZero flush;
  test::TubeData data{.modes = static_cast<int>(bench.range(0)),
                      .stations = test::positionsOfTubeSlots(static_cast<int>(bench.range(1))),
                      .round = round};
  const ModalModel whole = test::tube(data).build();
  test::Stepper<I> warmUp(whole, kStep, State(data.modes));
  warmUp.steps(kWarmUp);

  // The tables of the loads begin at the start of the batch, because restoring a run searches tables from
  // their first piece.
  data.loadsFrom = warmUp.state().time;
  data.loadsTo = data.loadsFrom + 2 * kBatch * kStep;
  const ModalModel model = test::tube(data).build();
  test::Stepper<I> stepper(model, kStep, State(data.modes));
  stepper.continueFrom(warmUp);
  measure(bench, stepper);
}
BENCHMARK_TEMPLATE(tubeStep, KickDrift)
    ->ArgNames({"m", "c"})
    ->ArgsProduct({{10, 20, 50, 100, 200}, {1, 4, 10, 40}});
BENCHMARK_TEMPLATE(tubeStep, CentralDifference)
    ->ArgNames({"m", "c"})
    ->ArgsProduct({{10, 20, 50, 100, 200}, {1, 4, 10, 40}});

BENCHMARK_TEMPLATE(tubeStep, Moreau)->ArgNames({"m", "c"})->Args({20, 1})->Args({50, 10});

BENCHMARK_TEMPLATE(tubeStep, KickDrift, true)->ArgNames({"m", "c"})->Args({50, 10})->Args({100, 40});
BENCHMARK_TEMPLATE(tubeStep, SymplecticEuler, true)->ArgNames({"m", "c"})->Args({50, 10})->Args({100, 40});

/// A body that slides and spins under a constant force, on a point or on an area. Argument: 0 point Coulomb,
/// 1 potential law, 2 exact disc.
void areaStep(benchmark::State& bench) {
  constexpr double kStiffness = 1e6;
  const FlushToZero flush;
  Contact contact =
      test::contactOf(3, NoObstacle{}, ImposedForce{}, RegularisedCoulomb{0.3, 0.3, kStiffness, 0.0});
  contact.imposedForce = TimeFunction::constant(1.0);
  contact.rows(1, 0) = contact.rows(2, 1) = 1.0;
  const patch::FrictionDrop drop{0.3, 0.3, 0.0};
  const auto make = [&](const auto& kernel) {
    PatchFriction friction;
    friction.muStatic = friction.muDynamic = 0.3;
    friction.stiffness = kStiffness;
    contact.friction = friction;
    contact.spinRow = Eigen::RowVectorXd::Zero(3);
    contact.spinRow[2] = 1.0;
    contact.patch = std::make_shared<const PatchLaw>(AxialArea(kernel, kStiffness, 0.5), drop);
  };
  if (bench.range(0) == 1) make(patch::AxialPotential{});
  if (bench.range(0) == 2) make(patch::UniformDisc{});
  const test::ModelParts parts{
      LinearSystem(Vector::Constant(3, 10.0), Matrix::Zero(3, 3), true), {}, {contact}};
  const ModalModel model = parts.build();
  State s(3);
  s.v.head(3) << 1.0, 0.5, 0.7;
  test::Stepper<KickDrift> stepper(model, kStep, s);
  stepper.steps(10);
  stepper.mark();
  measure(bench, stepper);
}
BENCHMARK(areaStep)->ArgName("law")->Arg(0)->Arg(1)->Arg(2);

}  // namespace
}  // namespace ricochet
