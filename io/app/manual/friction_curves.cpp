#include "engine/study/parts/contact_request.hpp"
#include "io/app/manual/law_curves.hpp"
#include "io/deck/bare_deck.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

constexpr int kPoints = 500;
constexpr double kTurns = 1.25;   // number of cycles of the reversing slip
constexpr double kPeriod = 10.0;  // long period, for a slow slip [s]

/// Slip along tangent 1 and its rate at a part of the path: s = A sin(2 pi turns).
struct Path {
  double amplitude;
  double slipPositionOnPath(double part) const {
    return amplitude * std::sin(2.0 * std::numbers::pi * kTurns * part);
  }
  double slipRateOnPath(double part) const {
    return 2.0 * std::numbers::pi / kPeriod * amplitude * std::cos(2.0 * std::numbers::pi * kTurns * part);
  }
};

/// Amplitude that is large compared with the elastic slip of a stick: 10 N/k_t, or 1 mm without a spring.
double slipAmplitudeBeyondStick(double compression, double stiffness) {
  return stiffness > 0.0 ? 10.0 * compression / stiffness : 1e-3;
}

FrictionKinematics<double> slipMotionAlongPath(double place, double rate, double compression,
                                               double elapsed) {
  FrictionKinematics<double> k;
  k.position = {place, 0.0};
  k.slipRate = {rate, 0.0};
  k.compression = compression;
  k.elapsed = elapsed;
  return k;
}

LawPicture pictureOfReversingSlip(double compression) {
  return {.name = "force",
          .caption = fmt::format("Traction on the node over a slip that goes to and fro slowly, N = {} N.",
                                 deckNumber(compression)),
          .abscissa = "s [m]",
          .ordinate = "T [N]"};
}

template <class L>
LawCurve tractionOverReversingSlip(const L& law, double compression) {
  LawCurve curve{"T"};
  const Path path{slipAmplitudeBeyondStick(compression, law.contactStiffness())};
  FrictionMemory<double> memory{};
  for (int i = 0; i <= kPoints; ++i) {
    const double part = static_cast<double>(i) / kPoints;
    const auto k = slipMotionAlongPath(path.slipPositionOnPath(part), path.slipRateOnPath(part), compression,
                                       i == 0 ? 0.0 : kTurns * kPeriod / kPoints);
    const FrictionTrial<double> trial = law.template computeTrial<double>(k, memory);
    memory = trial.next;
    curve.add(path.slipPositionOnPath(part), trial.traction.first);
  }
  return curve;
}

/// Steady traction over the slip speed.
template <class L>
LawPicture pictureOfTractionOverSpeed(const L& law, double compression) {
  LawPicture picture{
      .name = "speed",
      .caption = fmt::format("Traction on the node over the rate of a slip that goes on, N = {} N.",
                             deckNumber(compression)),
      .abscissa = "s' [m/s]",
      .ordinate = "T [N]",
      .curves = {{"T"}}};
  constexpr double kFastest = 1.5;  // largest slip speed [m/s]
  const double length = 4.0 * slipAmplitudeBeyondStick(compression, law.contactStiffness());
  for (int i = 0; i <= kPoints; ++i) {
    const double v = kFastest * (2.0 * i / kPoints - 1.0);
    if (2 * i == kPoints) {  // zero speed: the contact sticks, any traction between the limits is possible
      picture.curves[0].add(0.0, std::nan(""));
      continue;
    }
    FrictionMemory<double> memory{};
    constexpr int kSteps = 200;
    const double h = length / std::abs(v) / kSteps;
    double traction = 0.0;
    for (int n = 1; n <= kSteps; ++n) {
      const auto trial =
          law.template computeTrial<double>(slipMotionAlongPath(n * h * v, v, compression, h), memory);
      memory = trial.next;
      traction = trial.traction.first;
    }
    picture.curves[0].add(v, traction);
  }
  return picture;
}

/// The largest traction in stick, found with the guard (event function) of the law.
template <class L>
double largestStickTraction(const L& law, FrictionKinematics<double> k) {
  double inside = 0.0, outside = 1e6 * k.compression;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (inside + outside);
    k.reaction = {middle, 0.0};
    (law.template guard<double>(FrictionState::stick, k, {}) >= 0.0 ? inside : outside) = middle;
  }
  return inside;
}

/// Simulates a law with a rigid stick as an automaton: the node rests until its traction leaves the friction
/// cone; at a reversal of the slip the guard ends the slip, and the reverse slip begins when the traction
/// leaves the cone again.
template <class L>
LawCurve setValuedFrictionCurve(const L& law, double compression) {
  LawCurve curve{"T"};
  const Path path{slipAmplitudeBeyondStick(compression, 0.0)};
  FrictionMemory<double> memory{};
  curve.add(0.0, 0.0);
  bool slips = false;
  for (int i = 0; i <= kPoints; ++i) {
    const double part = static_cast<double>(i) / kPoints;
    FrictionKinematics<double> k =
        slipMotionAlongPath(path.slipPositionOnPath(part), path.slipRateOnPath(part), compression, 0.0);
    if (!slips || law.template guard<double>(FrictionState::slip, k, memory) < 0.0) {
      const double most = largestStickTraction(law, k);
      k.reaction = {k.slipRate.first > 0.0 ? -most : most, 0.0};
      curve.add(k.position.first, k.reaction.first);
      memory = law.template frictionMemoryAtStateStart<double>(FrictionState::slip, k, memory);
      slips = true;
    }
    curve.add(k.position.first, law.template force<double>(FrictionState::slip, k, memory).first);
  }
  return curve;
}

/// Pictures of force and moment of an area with reversing slip and spin.
std::vector<LawPicture> patchFrictionPictures(const PatchLaw& law, double stiffness, double compression) {
  LawPicture force = pictureOfReversingSlip(compression);
  force.caption += " The area spins by so many radians per metre of slip.";
  LawPicture moment = force;
  moment.name = "moment";
  moment.ordinate = "M [N m]";
  moment.caption = "The moment about the normal in the same motion.";
  const Path path{slipAmplitudeBeyondStick(compression, stiffness)};
  for (const double perMetre : {0.0, 100.0, 400.0}) {
    LawCurve forces{fmt::format("{} rad/m", deckNumber(perMetre))};
    LawCurve moments = forces;
    AreaMemory memory{};
    std::vector<Bristle> kept(law.bristleCount()), next(law.bristleCount());
    patch::Wrench<double> held{};
    for (int i = 0; i <= kPoints; ++i) {
      const double part = static_cast<double>(i) / kPoints;
      AreaMotion now;
      now.position = {path.slipPositionOnPath(part), 0.0};
      now.rate = {path.slipRateOnPath(part), 0.0};
      now.spin = perMetre * path.slipPositionOnPath(part);
      now.spinRate = perMetre * path.slipRateOnPath(part);
      now.compression = compression;
      now.elapsed = kTurns * kPeriod / kPoints;
      now.held = held;
      now.begins = i == 0;
      const AreaTrial trial = law.computeTrial(now, memory, kept, next);
      memory = trial.next;
      held = trial.wrench;
      kept.swap(next);
      forces.add(path.slipPositionOnPath(part), trial.wrench.force.first);
      moments.add(path.slipPositionOnPath(part), trial.wrench.moment);
    }
    force.curves.push_back(std::move(forces));
    moment.curves.push_back(std::move(moments));
  }
  return {force, moment};
}

}  // namespace

std::vector<LawPicture> frictionLawPictures(const Deck& study) {
  const ContactRequest& contact = study.contacts[0];
  const double compression = contact.imposedForce.at(0.0);
  return std::visit(
      [&]<class L>(const L& law) -> std::vector<LawPicture> {
        if constexpr (!L::traits.traction) {
          return {};
        } else if constexpr (L::traits.ofArea) {
          return patchFrictionPictures(*contact.friction.patch, law.contactStiffness(), compression);
        } else {
          LawPicture picture = pictureOfReversingSlip(compression);
          if constexpr (L::traits.setValued)
            picture.curves.push_back(setValuedFrictionCurve(law, compression));
          else
            picture.curves.push_back(tractionOverReversingSlip(law, compression));
          std::vector<LawPicture> pictures{std::move(picture)};
          if constexpr (L::traits.asksRate) pictures.push_back(pictureOfTractionOverSpeed(law, compression));
          return pictures;
        }
      },
      contact.friction.law);
}

}  // namespace ricochet
