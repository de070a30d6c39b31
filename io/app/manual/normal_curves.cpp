#include "io/app/manual/law_curves.hpp"
#include "io/app/manual/law_snippet.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kDepth = 3e-3;  // largest penetration [m]
constexpr int kSamples = 200;

/// The force along the penetration d = D sin(theta), theta from 0 to pi, with the approach speed v [m/s].
template <class L>
LawCurve forceOverLoadingAndUnloading(const L& law, double v) {
  LawCurve curve{v == 0.0 ? "at rest" : fmt::format("v = {} m/s", deckNumber(v))};
  NormalState state = NormalState::open;
  for (int i = 0; i <= kSamples; ++i) {
    const double theta = std::numbers::pi * i / kSamples;
    const double depth = kDepth * std::sin(theta);
    const NormalKinematics<double> k{-depth, -v * std::cos(theta), 0.0, 0.0, v};
    state = nextStateOfNormalLaw(law, state, k);
    curve.add(depth, law.template force<double>(state, k));
  }
  return curve;
}

/// The lowest of the speeds 1, 2, 5, 10, ... mm/s at which the rate contributes a third of the force at half
/// the depth.
template <class L>
double lowestRelevantSpeed(const L& law) {
  const auto force = [&law](double v) {
    const NormalKinematics<double> k{-0.5 * kDepth, -v, 0.0, 0.0, v};
    return law.template force<double>(NormalState::closed, k);
  };
  for (double decade = 1e-3; decade < 1e6; decade *= 10.0)
    for (const double v : {1.0, 2.0, 5.0})
      if (force(decade * v) - force(0.0) > force(0.0) / 3.0) return decade * v;
  return 1.0;
}

template <class L>
LawPicture pictureOfNormalForce(const L& law) {
  LawPicture picture{.name = "force",
                     .caption = "Force over the penetration d = -g, pressed in and released.",
                     .abscissa = "d [m]",
                     .ordinate = "N [N]"};
  picture.curves.push_back(forceOverLoadingAndUnloading(law, 0.0));
  if (!law.doesForceDependOnGapRate()) return picture;
  picture.caption += " v is the speed at which the bodies meet.";
  const double v = lowestRelevantSpeed(law);
  for (const double speed : {0.5 * v, v}) picture.curves.push_back(forceOverLoadingAndUnloading(law, speed));
  return picture;
}

template <class L>
LawPicture pictureOfImposedForce(const L& law, double largest) {
  LawPicture picture{.name = "force",
                     .caption = "Force that acts over the force that is prescribed.",
                     .abscissa = "F [N]",
                     .ordinate = "N [N]",
                     .curves = {{"N"}}};
  NormalState state = NormalState::open;
  for (int i = 0; i <= kSamples; ++i) {
    const NormalKinematics<double> k{0.0, 0.0, largest * (2.0 * i / kSamples - 1.0), 0.0};
    state = nextStateOfNormalLaw(law, state, k);
    picture.curves[0].add(k.imposed, law.template force<double>(state, k));
  }
  return picture;
}

/// Records the gap rate of the first contact.
class RateObserver : public TransientObserver {
 public:
  double rate{0.0};
  void archive(const StepView&) override {}
  void onInstant(std::size_t, const StepView& view) override { rate = view.contacts[0].gapRate; }
};

/// Picture of the rebound of a body of 1 kg that hits the obstacle at several speeds.
LawPicture reboundPicture(const Deck& thrown) {
  LawPicture picture{.name = "rebound",
                     .caption = "There is no force to draw: the speed after an impact over the speed before.",
                     .abscissa = "speed before [m/s]",
                     .ordinate = "speed after [m/s]",
                     .curves = {{"-g'"}}};
  constexpr int kSpeeds = 20;
  for (int i = 1; i <= kSpeeds; ++i) {
    const double speed = 0.1 * i;
    Deck study = thrown;
    const ContactRequest& contact = study.contacts[0];
    const Vec3 velocity = -speed * contact.frame.row(0).transpose();
    study.initialVelocity.push_back({contact.first, {velocity[0], velocity[1], velocity[2]}});
    const double gap = (contact.frame * -contact.origin)[0];  // gap of the body at the origin
    study.transient = TransientRequest{};
    study.transient->duration = 2.0 * gap / speed;
    study.transient->scheme = kEventScheme;
    const auto simulation = prepare(study);
    RateObserver observer;
    runStudy(study, *simulation, nullptr, false, {{1.5 * gap / speed}, &observer});
    picture.curves[0].add(speed, observer.rate);
  }
  return picture;
}

}  // namespace

std::vector<LawPicture> normalLawPictures(const Deck& study) {
  return std::visit(
      [&study]<class L>(const L& law) -> std::vector<LawPicture> {
        if constexpr (L::traits.setValued)
          return {reboundPicture(study)};
        else if constexpr (L::traits.imposed)
          return {pictureOfImposedForce(law, study.contacts[0].imposedForce.at(0.0))};
        else
          return {pictureOfNormalForce(law)};
      },
      study.contacts[0].normal);
}

}  // namespace ricochet
