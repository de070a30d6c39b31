// Contacts, links and dashpots that share a massless node, and contacts there whose laws have no closed form
// in series.

#include "verification/engine/study/massless_tip.hpp"

namespace ricochet::test::tip {
namespace {

class MasslessCoupling : public MasslessTip {};

void addSpringLink(Study& study, double stiffness) {
  constexpr std::array<std::string_view, 1> kPlace{"x"};
  LinkRequest link;
  link.name = "link";
  link.first = kTipNode;
  link.axes = {{1.0}};
  link.law =
      ForceDisplacement{.function = LinkFunction(Formula::parse(std::to_string(stiffness) + " * x", kPlace))};
  study.links.push_back(link);
}

TEST_P(MasslessCoupling, TwoStopsShareTheForce) {
  Study study = struck(LinearPenalty{.stiffness = kStop});
  study.contacts.push_back(study.contacts.front());
  study.contacts.back().name = "other";
  study.contacts.back().normal = LinearPenalty{.stiffness = 2.0 * kStop};
  const Result result = expectMotion(std::move(study), {.tipOf = [](const auto& u, double) {
                                       const double pressed =
                                           (kSpring * u[0] + 3.0 * kStop * kGap) / (kSpring + 3.0 * kStop);
                                       return std::array{u[0] > kGap ? pressed : u[0], 0.0};
                                     }});
  const auto stop = result.contact("stop"), other = result.contact("other");
  const auto tip = result.displacement(kTipNode, Component::ux);
  for (std::size_t i = 0; i < stop.size(); ++i) {
    EXPECT_NEAR(other[i].normalForce, 2.0 * stop[i].normalForce, 1e-6);
    EXPECT_NEAR(stop[i].gap, kGap - tip[i], 1e-12);
  }
}

TEST_P(MasslessCoupling, AStopBesideALink) {
  Study study = struck(LinearPenalty{.stiffness = kStop});
  addSpringLink(study, 5e4);
  expectMotion(std::move(study), {.tipOf = [](const auto& u, double) {
                 const double free = kSpring * u[0] / (kSpring + 5e4);
                 const double pressed = (kSpring * u[0] + kStop * kGap) / (kSpring + 5e4 + kStop);
                 return std::array{free > kGap ? pressed : free, 0.0};
               }});
}

TEST_P(MasslessCoupling, ARigidStopBesideALink) {
  Study study = struck(Rigid{.restitution = 0.7});
  addSpringLink(study, 5e4);
  const Result result =
      expectMotion(std::move(study), {.tipOf = [](const auto& u, double) {
                     return std::array{std::min(kGap, kSpring * u[0] / (kSpring + 5e4)), 0.0};
                   }});
  const auto mass = result.displacement(kMassNode, Component::ux);
  const auto stop = result.contact("stop");
  for (std::size_t i = 0; i < stop.size(); ++i)
    EXPECT_NEAR(stop[i].normalForce, std::max(0.0, kSpring * (mass[i] - kGap) - 5e4 * kGap), 1.0);
}

TEST_P(MasslessCoupling, AStopBesideADashpot) {
  constexpr double kDamping = 300.0;  // [N s/m]
  Study study = struck(LinearPenalty{.stiffness = kStop});
  study.addDashpot(kTipNode, {kDamping, 0.0, 0.0});
  const auto drift = [](const std::array<double, 2>& u, double y) {
    return (kSpring * (u[0] - y) - kStop * std::max(0.0, y - kGap)) / kDamping;
  };
  const Reference reference{.tipOf =
                                [](const auto&, double y) {
                                  return std::array{y, 0.0};
                                },
                            .drift = drift};
  const Result result = expectMotion(std::move(study), reference);
  const Motion2 expected = reference.run();
  const auto rate = result.velocity(kTipNode, Component::ux);
  for (std::size_t i = 0; i < rate.size(); ++i)
    EXPECT_NEAR(rate[i], drift(expected.mass[i], expected.tip[i][0]), 20.0 * GetParam().tolerance)
        << result.time()[i];
}

TEST_P(MasslessCoupling, AHertzStop) {
  constexpr double kHertz = 1e8;  // [N/m^1.5]
  expectMotion(struck(Hertz{.stiffness = kHertz}), {.tipOf = [](const auto& u, double) {
                 if (u[0] <= kGap) return std::array{u[0], 0.0};
                 double low = kGap, high = u[0];
                 for (int i = 0; i < 60; ++i) {
                   const double y = 0.5 * (low + high);
                   (kSpring * (u[0] - y) > kHertz * std::pow(y - kGap, 1.5) ? low : high) = y;
                 }
                 return std::array{0.5 * (low + high), 0.0};
               }});
}

TEST_P(MasslessCoupling, ASlantingStopThatSticks) {
  constexpr double kStick = 3e5;  // [N/m]
  // The tip touches where n.u = gap, during its motion along x.
  const double anchor = -kSine * kGap / kCosine;
  expectMotion(slanting(RegularisedCoulomb{10.0, 10.0, kStick}),
               {.springs = {kSpring, kAcross},
                .tipOf = [&](const auto& u, double) { return slantingTip(u, 0.0, kStick, anchor); }});
}

TEST_P(MasslessCoupling, ASlantingStopThatSlips) {
  // The tip slides along (sin, -cos), so that the traction is along (-sin, cos).
  constexpr double kFriction = 0.1;
  const Result result = expectMotion(slanting(Coulomb{kFriction, kFriction}),
                                     {.springs = {kSpring, kAcross}, .tipOf = [](const auto& u, double) {
                                        return slantingTip(u, kFriction, 0.0, 0.0);
                                      }});
  for (const ContactView& view : result.contact("stop")) EXPECT_NE(view.phase, ContactPhase::stick);
}

INSTANTIATE_TEST_SUITE_P(Schemes, MasslessCoupling, steppingSchemes(), nameOf);

TEST(MasslessCouplings, TakeASchemeThatStepsByDefault) {
  Study study = struck(LinearPenalty{.stiffness = kStop});
  addSpringLink(study, 5e4);
  EXPECT_EQ(prepare(study)->scheme, "kick_drift");
  study.transient->scheme = "event";
  try {
    static_cast<void>(prepare(study));
    FAIL() << "event took it";
  } catch (const StudyError& error) {
    EXPECT_NE(std::string(error.what()).find("part without mass"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ricochet::test::tip
