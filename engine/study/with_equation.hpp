#pragma once

#include "engine/study/direct.hpp"
#include "engine/study/run_transient.hpp"
#include "engine/study/simulation.hpp"

#include <utility>

namespace ricochet {

/// Creates the equation of motion of a simulation, modal or direct, and calls f with this equation.
template <class F>
auto callWithEquationOfMotion(const Simulation& simulation, F&& f) {
  if (simulation.mode == Mode::direct) {
    DirectEquation equation(simulation.direct);
    return std::forward<F>(f)(equation);
  }
  ModalEquation equation(simulation.model);
  return std::forward<F>(f)(equation);
}

}  // namespace ricochet
