// What a user of the library writes: an oscillator between two stops, from elements to a run.

#include "engine/study/run_transient.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/projection.hpp"
#include "physical/assembly/assembler.hpp"

#include <cmath>
#include <cstdio>

namespace {

/// Keeps the largest displacement that it is shown.
class Peak : public ricochet::TransientObserver {
 public:
  void archive(const ricochet::StepView& view) override {
    largest = std::fmax(largest, std::abs(view.contacts[0].position[0]));
  }
  double largest{0.0};
};

}  // namespace

int main() {
  using namespace ricochet;
  constexpr NodeIndex ball{0};
  Structure structure;
  structure.positions = {Vec3::Zero()};
  structure.elements.emplace_back(
      PointMass{.node = ball, .value = 2.0, .inertia = {}, .offset = Vec3::Zero()});
  structure.elements.emplace_back(Spring{Connector::diagonal({ball}, Vec3(2.0e4, 0.0, 0.0))});
  structure.fixed = {{ball, Component::uy}, {ball, Component::uz}};
  const PhysicalModel physical = assemble(structure);
  const ModalBasis basis = extractModes(physical, {.modes = {}, .frequencyMax = {}, .all = true});

  Contact stops;
  stops.obstacle = Slot{0.005};
  stops.normal = LinearPenalty{.stiffness = 1.0e8, .damping = 0.0, .tension = false};
  stops.rows = translationRows(basis, physical.dofs, ball);
  std::vector<Contact> contacts;
  contacts.push_back(stops);

  ModalModel model;
  model.linear = LinearSystem(basis.eigenvalue, basis.damping, basis.dampingIsDiagonal());
  model.contacts = ContactSet(std::move(contacts), basis.size());

  State state(basis.size());
  state.v[0] = std::sqrt(2.0);  // 1 m/s of 2 kg
  ModalEquation equation(model);
  Peak peak;
  TransientOptions options;
  options.end = 0.1;
  options.step = 1.0e-5;
  const Report report = run("kick_drift", equation, state, options, peak);
  std::printf("%lld steps, %lld events, largest displacement %g m\n", report.steps, report.events,
              peak.largest);
  // it would swing to v / omega = 0.01 m; the stops hold it at 0.005 m and v sqrt(m / k) = 1.4e-4 m more at
  // most
  const bool held = peak.largest > 0.005 && peak.largest < 0.00515 && report.events > 4;
  return report.status == RunStatus::complete && held ? 0 : 1;
}
