#pragma once

#include "engine/model/modal_equation.hpp"

#include <numbers>
#include <vector>

namespace ricochet::test {

/// State of one generalized coordinate q with its rate v.
inline State stateOf(double q, double v) {
  State s(1);
  s.q[0] = q;
  s.v[0] = v;
  return s;
}

/// A model that is assembled by hand in generalized coordinates. Its parts can be changed before `build`,
/// which may be called several times.
struct ModelParts {
  LinearSystem linear;
  std::vector<Load> loads;
  std::vector<Contact> contacts;
  std::vector<Link> links{};

  ModalModel build() const {
    return {linear, Excitation(loads, linear.modes), ContactSet(contacts, linear.modes),
            LinkSet(links, linear.modes)};
  }
};

/// A mass on a spring and a dashpot to the ground; x = q / sqrt(m).
struct OscillatorData {
  double mass{1.0};       ///< [kg]
  double stiffness{0.0};  ///< [N/m]
  double damping{0.0};    ///< [N s/m]
};
ModelParts oscillator(const OscillatorData& data);

/// Masses on a line, neighbours joined by equal springs, the first one also to the ground when `grounded`.
struct ModalChainData {
  std::vector<double> masses;  ///< [kg]
  double stiffness{0.0};       ///< [N/m]
  bool grounded{false};
};
/// Modes of the chain: u = shapes q.
struct ModalChain {
  ModelParts parts;  ///< undamped, without loads and contacts
  Matrix shapes;     ///< masses x modes [kg^-1/2]
};
ModalChain modalChain(const ModalChainData& data);

/// A contact whose rows are zero: no mode moves this contact until its rows are set.
Contact contactOf(Eigen::Index modes, AnyObstacle obstacle, AnyNormalLaw normal,
                  AnyFrictionLaw friction = Frictionless{});

/// A mass m on a spring that moves along e1 of a contact: the simplest model with impacts.
ModelParts bouncer(const OscillatorData& data, AnyObstacle obstacle, LinearPenalty law);

/// A mass that slides along e2 of a contact pressed by N = `load`.
ModelParts slider(const OscillatorData& data, double load, RegularisedCoulomb law);

/// SDND106: two masses of 5 kg joined by 1e4 N/m. Friction acts on the first under N = 1e4 N (mu 0.3, 0.2,
/// k_t = 5e7 N/m); a force of 3000 N acts on the second until 0.2 s.
ModelParts sdnd106(double stickDamping = 0.0);
Vector modeShapeOfSdnd106Mass(int mass);  ///< phi at mass 1 or 2 [kg^-1/2]

/// SDND100: 1 kg on 1e4 N/m with friction under N = 10 N (mu 0.1, k_t = 4e5 N/m), released from 0.85 mm at
/// rest.
ModelParts sdnd100();
inline constexpr double kSdnd100Start = 0.85e-3;  ///< [m]

/// The tube of reference/incumbent-tube: pinned, 10 m long, in its exact modes (pairs of bending in y and in
/// z), with slots (0.5 mm along z, k_n 1e6, k_t 1e5 N/m, mu 0.2) instead of its circles and four tabulated
/// harmonic forces.
struct TubeData {
  int modes{20};
  std::vector<double> stations{};  ///< abscissae of the supports [m]
  bool round{false};               ///< true: circles as obstacles, and the automaton law of the reference
  double loadsFrom{0.0};           ///< first instant of the tables of the loads [s]
  double loadsTo{1.0};             ///< last instant of the tables of the loads [s]
};
ModelParts tube(const TubeData& data);

/// Positions of `count` slots along the tube: those of the reference for 1, 10 and 40, else equally spaced
/// [m].
std::vector<double> positionsOfTubeSlots(int count);

}  // namespace ricochet::test
