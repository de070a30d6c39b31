// Runs only steps of the transient loop, for instructions.py, perf and callgrind.
//
//    steps_driver sdnd106 SCHEME STEPS
//    steps_driver tube|round SCHEME STEPS MODES CONTACTS

#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using ricochet::test::Stepper;

constexpr double kStep = 1e-5;  // [s]

template <class I>
void runSteps(const ricochet::ModalModel& model, long steps) {
  const ricochet::FlushToZero flush;
  Stepper<I> stepper(model, kStep, ricochet::State(model.linear.modes));
  const auto begin = std::chrono::steady_clock::now();
  stepper.steps(steps);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
  std::printf("%.1f ns per step, q[0] = %.17g\n", elapsed.count() / static_cast<double>(steps),
              stepper.state().q[0]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3 || (words[0] != "sdnd106" && words.size() < 5)) {
    std::fputs(
        "usage: steps_driver sdnd106 SCHEME STEPS | steps_driver tube|round SCHEME STEPS MODES CONTACTS\n",
        stderr);
    return 2;
  }
  ricochet::test::ModelParts parts = ricochet::test::sdnd106();
  if (words[0] != "sdnd106")
    parts =
        ricochet::test::tube({.modes = std::atoi(words[3].c_str()),
                              .stations = ricochet::test::positionsOfTubeSlots(std::atoi(words[4].c_str())),
                              .round = words[0] == "round"});
  const ricochet::ModalModel model = parts.build();
  ricochet::Integrators::forEach([&]<class I>() {
    if (words[1] == I::keyword) runSteps<I>(model, std::atol(words[2].c_str()));
  });
  return 0;
}
