// SDND106: a shoe that sticks, slips and sticks again.
#include <ricochet/study.hpp>

#include <cmath>
#include <cstdio>

using namespace ricochet;

int main() {
  Study study;
  const NodeIndex shoe = study.addNode("shoe"), puller = study.addNode("puller", {1.0, 0.0, 0.0});
  study.addMass({shoe, puller}, 5.0);
  study.addSpring(shoe, puller, {1.0e4, 0.0, 0.0});
  study.fix({shoe, puller}, {Component::uy, Component::uz});

  NodalLoad pull{.node = puller, .components = {3.0e3}};
  pull.scale = TimeFunction::steps({{0.0, 1.0}, {0.2, 0.0}});
  study.loads.push_back(pull);

  ContactRequest sole{.name = "sole", .first = shoe, .frame = contactFrame(Vec3::UnitZ())};
  sole.obstacle = NoObstacle{};
  sole.normal = ImposedForce{};
  sole.imposedForce = TimeFunction::constant(1.0e4);
  sole.friction.law = Coulomb{.muStatic = 0.3, .muDynamic = 0.2};
  study.contacts.push_back(sole);
  study.transient = TransientRequest{.duration = 0.4};

  const Result result = run(study);
  const double slips = result.event("sole", EventKind::stickToSlip);
  const double sticks = result.event("sole", EventKind::slipToStick);
  std::printf("slips at %.9f s, sticks again at %.9f s\n", slips, sticks);
  // exact solution of rigid friction: verification/cases/sdnd106-rigid.toml
  const bool right =
      std::abs(slips - 0.03512407365520363) < 1e-12 && std::abs(sticks - 0.3149232754474865) < 1e-11;
  return result.report().status == RunStatus::complete && right ? 0 : 1;
}
