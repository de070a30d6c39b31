#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/contact/followed.hpp"
#include "engine/event/series/mode_planes.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/numerics/series.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// What decides on a contact whose force is no linear function of the motion: a curved obstacle, a surface or
/// supports that move, a normal law with a power of the penetration or a table.
struct NonlinearContact {
  NonlinearContact(const ContactSet& set, const ModePlanes& planes, int index, int order);
  NonlinearContact(const NonlinearContact&) = delete;
  NonlinearContact& operator=(const NonlinearContact&) = delete;
  NonlinearContact(NonlinearContact&&) = default;
  NonlinearContact& operator=(NonlinearContact&&) = delete;
  ~NonlinearContact() = default;

  int index;
  const Contact* contact;
  ContactState state{};      ///< position: what is covered along the surface
  FollowedState followed{};  ///< where it touches

  // geometry
  std::array<const double*, 3> row{};  ///< along e1, e2, e3; null: no mode moves the contact along it
  std::array<double, 3> rowSize{};     ///< Euclidean norms
  double reach{0.0};                   ///< the place moves by no more than this times the path of q
  double compliance{0.0};              ///< bound of the acceleration per force [1/kg]
  TangentKind kind{TangentKind::fixed};
  int lines{0};                              ///< along which it slides, 0 to 2
  std::array<Tangential<double>, 2> axis{};  ///< their directions along the frame's tangents

  // what the laws are
  bool hasTraction{false};
  bool setValuedStick{false};
  bool usesGapRate{false};
  bool isPower{false};  ///< the force starts as a power of the penetration
  bool isSteep{false};  ///< ... above the first
  bool hasKinks{false};
  double relaxation{0.0};  ///< of a damped stick's spring while it slips [1/s]

  // functions of time
  std::vector<FunctionCursor> drift, surface, spin;

  // of the present step
  std::array<int, 3> channel{-1, -1, -1};
  bool fresh{false};           ///< closed at this very instant
  bool graded{false};          ///< its force is given as a polynomial, since it has no series: see `fit`
  int pass{0};                 ///< of finding that polynomial
  bool ends{false};            ///< up to the end of the contact, not from its start
  double most{0.0};            ///< the longest that this interval may be, if there is one [s]
  double horizon{0.0};         ///< end of the interval on which it is one [s]
  double scale{0.0};           ///< size of what makes up its place [m]
  double offsetPastKink{0.0};  ///< by which the gap that its law sees is past a kink [m]
  bool endsAtKink{false};      ///< the step that was looked at last
  double drifts{0.0};          ///< slip rate of a stick before the impact going on, none of its doing [m/s]
  bool drops{false};           ///< its traction fell as its slip began, which starts the motion
  Tangential<double>
      tractionAtPullOff{};  ///< traction of a true stick under which N < 0 opened it at this very instant
  KnownRoots known{};       ///< roots known to lie at the start, per guard slot
  int turns{0};             ///< how often its friction changed at this very instant

  // series over the step: `order` + 3 coefficients each
  std::vector<double> storage;
  std::array<std::span<double>, 3> place;    ///< x
  std::array<std::span<double>, 3> carried;  ///< the part of it that is not the structure's
  std::array<std::span<double>, 3> push;     ///< force along e1, e2, e3
  std::span<double> gap, compression;
  std::array<std::span<double>, 2> path, moved;   ///< covered along the lines, by the contact, by the surface
  std::array<std::span<double>, 2> surfaceSpeed;  ///< along the lines
  std::array<std::span<double>, 2> traction, spring;
  std::span<double> spinRate;  ///< of a surface that turns about the normal of a plane

  /// Takes the numbers of the laws, which may have changed since the run before.
  void readNumbers() noexcept;

  /// The polynomial is to be found from the beginning, for another motion.
  void forgetInterval() noexcept {
    pass = 0;
    most = 0.0;
  }

  bool closed() const noexcept { return state.closed(); }
  bool slips() const noexcept { return hasTraction && state.friction.slipping; }
  /// Slips with a spring that does not carry all of the traction.
  bool relaxes() const noexcept { return relaxation > 0.0 && state.friction.slipping; }
  bool holds() const noexcept { return hasTraction && setValuedStick && !state.friction.slipping; }
  bool moves() const noexcept { return !surface.empty() || !spin.empty(); }

  /// What there is to know at q, v and t: the place, its frame, gap, slip rate. Only the path is not found.
  void locate(const State& s) noexcept;
  /// The same in local time t of a step, path, forces and energies too; `orders` coefficients of forces.
  void bring(double t, double time, std::size_t orders) noexcept;

  /// Of the gap, a few units in the last place of what makes it up [m].
  double rounding() const noexcept;

  FrictionKinematics<double> kinematics() const noexcept;
  double storedInStick() const noexcept;
  double storedNormal(double gap) const noexcept;
  /// N at a gap and its rate.
  double pressed(double gapAt, double gapRate) const noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("NonlinearContact");
    archive(state, followed, drift, surface, spin, fresh, drops, tractionAtPullOff, scale, offsetPastKink,
            known, turns);
  }

 private:
  void findLines(Eigen::Index size);
  void press(const Local<double>& x, const Local<double>& v, double time) noexcept;
};

}  // namespace ricochet
