// SDND106 with CVODE of SUNDIALS: Adams method, root finding of CVODE, a restart at each event.

#include "verification/benchmarks/relative_time.hpp"
#include "verification/benchmarks/shoe_run.hpp"

#include <benchmark/benchmark.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>

namespace ricochet {
namespace {

using Problem = test::ShoeProblem;

enum class Iteration { fixedPoint, newton };

class CvodeShoe {
 public:
  CvodeShoe(double tolerance, Iteration iteration) {
    SUNContext_Create(nullptr, &context_);
    u_ = N_VNew_Serial(4, context_);
    N_VConst(0.0, u_);
    solver_ = CVodeCreate(CV_ADAMS, context_);
    CVodeInit(solver_, rightHandSide, 0.0, u_);
    CVodeSStolerances(solver_, tolerance, tolerance);
    CVodeSetUserData(solver_, this);
    constexpr long kMostSteps = 100'000;
    CVodeSetMaxNumSteps(solver_, kMostSteps);
    if (iteration == Iteration::newton) {
      matrix_ = SUNDenseMatrix(4, 4, context_);
      linear_ = SUNLinSol_Dense(u_, matrix_, context_);
      CVodeSetLinearSolver(solver_, linear_, matrix_);
    } else {
      nonlinear_ = SUNNonlinSol_FixedPoint(u_, 0, context_);
      CVodeSetNonlinearSolver(solver_, nonlinear_);
    }
    CVodeRootInit(solver_, 1, guard);
  }
  CvodeShoe(const CvodeShoe&) = delete;
  CvodeShoe& operator=(const CvodeShoe&) = delete;
  ~CvodeShoe() {
    CVodeFree(&solver_);
    if (nonlinear_ != nullptr) SUNNonlinSolFree(nonlinear_);
    if (linear_ != nullptr) SUNLinSolFree(linear_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    N_VDestroy(u_);
    SUNContext_Free(&context_);
  }

  void operator()() {
    N_VConst(0.0, u_);
    time_ = 0.0;
    direction_ = 0.0;
    failed_ = false;
    load_ = Problem::kPull;
    integrate(Problem::kCut);
    load_ = 0.0;
    integrate(Problem::kEnd);
  }
  double error() const {
    const double* u = NV_DATA_S(u_);
    return failed_ ? INFINITY : Problem::error(u[0], u[1]);
  }

 private:
  static int rightHandSide(double, N_Vector u, N_Vector rate, void* data) {
    const auto& self = *static_cast<CvodeShoe*>(data);
    const double* x = NV_DATA_S(u);
    double* dx = NV_DATA_S(rate);
    const double spring = Problem::kStiffness * (x[1] - x[0]);
    const bool sticks = self.direction_ == 0.0;
    dx[0] = sticks ? 0.0 : x[2];
    dx[1] = x[3];
    dx[2] = sticks ? 0.0 : (spring - self.direction_ * Problem::kSliding) / Problem::kMass;
    dx[3] = (self.load_ - spring) / Problem::kMass;
    return 0;
  }
  static int guard(double, N_Vector u, double* g, void* data) {
    const auto& self = *static_cast<CvodeShoe*>(data);
    const double* x = NV_DATA_S(u);
    const double spring = Problem::kStiffness * (x[1] - x[0]);
    g[0] = self.direction_ == 0.0 ? Problem::kBreakaway - std::abs(spring) : self.direction_ * x[2];
    return 0;
  }
  void changeState() {
    double* x = NV_DATA_S(u_);
    const double spring = Problem::kStiffness * (x[1] - x[0]);
    const bool stops = direction_ != 0.0 && std::abs(spring) <= Problem::kBreakaway;
    direction_ = stops ? 0.0 : std::copysign(1.0, spring);
    x[2] = 0.0;
  }
  void integrate(double until) {
    while (time_ < until && !failed_) {
      CVodeReInit(solver_, time_, u_);
      CVodeSetStopTime(solver_, until);
      const int flag = CVode(solver_, until, u_, &time_, CV_NORMAL);
      failed_ = flag < 0;
      if (flag == CV_ROOT_RETURN) changeState();
    }
  }

  SUNContext context_{nullptr};
  N_Vector u_{nullptr};  // x1, x2 [m], v1, v2 [m/s]
  void* solver_{nullptr};
  SUNNonlinearSolver nonlinear_{nullptr};
  SUNMatrix matrix_{nullptr};
  SUNLinearSolver linear_{nullptr};
  double time_{0.0};
  double load_{0.0};
  double direction_{0.0};  // direction of the slip of the first mass; 0: stick
  bool failed_{false};
};

/// Argument: digits of the tolerances. `event_faster`: time of this run over the time of `event`.
template <Iteration kIteration>
void timeCvodeShoe(benchmark::State& bench) {
  CvodeShoe peer(std::pow(10.0, -static_cast<double>(bench.range(0))), kIteration);
  for (auto _ : bench) {
    peer();
    benchmark::ClobberMemory();
  }
  test::ShoeRun event;
  bench.counters["error"] = peer.error();
  bench.counters["event_faster"] = test::relativeTime(peer, event);
}
BENCHMARK(timeCvodeShoe<Iteration::fixedPoint>)
    ->Name("sdnd106/cvode_adams_fixed_point")
    ->ArgName("digits")
    ->Arg(8)
    ->Arg(12)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(timeCvodeShoe<Iteration::newton>)
    ->Name("sdnd106/cvode_adams_newton")
    ->ArgName("digits")
    ->Arg(8)
    ->Arg(12)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ricochet
