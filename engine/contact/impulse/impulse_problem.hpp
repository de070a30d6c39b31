#pragma once

#include "engine/contact/contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet {

/// Length of a tangential vector, without the care of std::hypot for the ends of the range.
inline double sizeOf(const Tangential<double>& t) noexcept { return std::sqrt(dot(t, t)); }

/// Condition between the impulse x_n of a contact and the rate y_n of its gap.
enum class NormalRule : std::uint8_t {
  unilateral,  ///< x_n >= 0, y_n >= target, and one of them an equality
  law,         ///< x_n = h times the mean of N(g, y_n) of the normal law over the step
  given        ///< x_n stays as it is
};

/// Condition between the tangential impulse x_t and the slip rate, y_t less the rate of the surface.
enum class TangentRule : std::uint8_t {
  none,     ///< x_t = 0
  disc,     ///< no slip while |x_t| <= mu x_n, else |x_t| = mu x_n against the slip
  sliding,  ///< x_t = -mu x_n e, whatever the slip rate: e is the known direction of the slip
  law       ///< x_t = h T(s + h/2 y_t, y_t, x_n/h) by the return mapping of the friction law
};

/// One contact of an impulse problem. Components: normal, e2, e3. The same equations hold at force level:
/// x [N], y [m/s^2] and W [1/kg] instead of x [N s] and y [m/s].
struct ImpulseBlock {
  int contact{0};
  NormalRule normal{NormalRule::unilateral};
  TangentRule tangent{TangentRule::none};
  bool slides{false};               ///< of a disc: x_t is at its bound
  double side{1.0};                 ///< the normal is side e1
  double target{0.0};               ///< [m/s]
  double coefficient{0.0};          ///< mu [-]
  double pressed{0.0};              ///< lower bound of the normal impulse that limits friction [N s]
  double rounding{0.0};             ///< rates below have no sign [m/s]
  Tangential<double> direction{};   ///< e of a known slip
  Tangential<double> surface{};     ///< rate of the surface [m/s]
  std::array<double, 3> impulse{};  ///< x [N s]
  std::array<double, 3> rate{};     ///< y, of the node, under all impulses [m/s]

  // of elastic laws only
  const Contact* laws{nullptr};
  double gap{0.0};                  ///< at the start of the step [m]
  double imposed{0.0};              ///< prescribed normal force [N]
  double approach{0.0};             ///< closing speed [m/s]
  FrictionMemory<double> memory{};  ///< at the start of the step
  Tangential<double> position{};    ///< against the surface, at the start of the step [m]

  Tangential<double> slip() const noexcept { return {rate[1] - surface.first, rate[2] - surface.second}; }
  Tangential<double> friction() const noexcept { return {impulse[1], impulse[2]}; }
  /// Largest tangential impulse of a disc [N s].
  double frictionLimit() const noexcept { return coefficient * std::max(pressed, impulse[0]); }
  bool isOpen() const noexcept { return !(impulse[0] > 0.0); }
};

/// Compliance of one contact by itself, along the principal axes of its tangential part [1/kg].
struct BlockCompliance {
  double normal{0.0};
  std::array<double, 2> tangential{};  ///< principal compliances, the larger first
  std::array<double, 2> across{};      ///< between the normal and each axis
  double cosine{1.0}, sine{0.0};       ///< of the first axis against e2
  bool isLine{false};                  ///< neither impulses nor the surface move the second axis

  Tangential<double> toAxes(const Tangential<double>& t) const noexcept {
    return {cosine * t.first + sine * t.second, cosine * t.second - sine * t.first};
  }
  Tangential<double> fromAxes(const Tangential<double>& t) const noexcept {
    return {cosine * t.first - sine * t.second, sine * t.first + cosine * t.second};
  }
};

/// Impulses of contacts that act on each other: y = y_free + W x, W symmetric and positive semidefinite, one
/// rule per contact along its normal and one along its tangents.
class ImpulseProblem {
 public:
  explicit ImpulseProblem(int contacts);

  void clear() noexcept { blocks_.clear(); }
  ImpulseBlock& add() { return blocks_.emplace_back(); }
  std::span<ImpulseBlock> blocks() noexcept { return blocks_; }
  std::span<const ImpulseBlock> blocks() const noexcept { return blocks_; }
  std::size_t size() const noexcept { return blocks_.size(); }

  /// Entry of W [1/kg], the rate along an axis of a block per impulse along an axis of another; W is
  /// symmetric. The caller sets both entries before the problem is solved.
  double& compliance(std::size_t block, std::size_t axis, std::size_t other, std::size_t otherAxis) noexcept {
    return compliance_(static_cast<Eigen::Index>(3 * block + axis),
                       static_cast<Eigen::Index>(3 * other + otherAxis));
  }
  const Matrix& compliances() const noexcept { return compliance_; }

  // ---- for the solvers ----

  /// Prepares compliances of the blocks and the scale of the rates for a step of h [s]. Returns the first
  /// block whose rates or compliances are no finite numbers; the number of blocks: none.
  std::size_t begin(double h) noexcept;
  double step() const noexcept { return step_; }
  const BlockCompliance& ownCompliance(std::size_t block) const noexcept { return own_[block]; }

  /// Sets an impulse, and the rates that it changes.
  void setImpulse(std::size_t block, std::size_t axis, double impulse) noexcept {
    const double difference = impulse - blocks_[block].impulse[axis];
    if (difference == 0.0) return;
    blocks_[block].impulse[axis] = impulse;
    const double* entry = compliance_.col(static_cast<Eigen::Index>(3 * block + axis)).data();
    for (ImpulseBlock& each : blocks_)
      for (double& rate : each.rate) rate += difference * *entry++;
  }
  /// Rates of the impulses afresh: what large impulses on the way here have left of rounding is gone.
  void recomputeRates() noexcept;
  /// Adds to a rate without impulses.
  void shiftRate(std::size_t block, std::size_t axis, double shift) noexcept;

  /// Violation of the rules of a block by its impulses and rates, as a rate [m/s]: 0 is a solution. Every
  /// inequality enters, since x_n >= 0, r >= 0, x_n r = 0 is x_n = max(0, x_n - r/w) for any w > 0.
  double residual(std::size_t block) const noexcept;
  /// Largest residual over the blocks; `worst` is its block.
  double residual(std::size_t* worst = nullptr) const noexcept;
  /// Residual up to which impulses are a solution [m/s]: rounding of the rates, and never more than a 1e-9
  /// part of the rates that the problem began with, however large the impulses.
  double tolerance() const noexcept;
  bool isSolved() const noexcept;

  /// Whether a contact is closed by its impulse and rate: w x_n exceeds y_n - target.
  bool isPressed(std::size_t block) const noexcept;
  /// Tangential projection point of a disc or a line, x_t - y_t/w in rates [m/s] (Alart-Curnier).
  Tangential<double> frictionTrial(std::size_t block) const noexcept;
  /// Sets `slides` from impulses and rates, and impulses of contacts that are open to 0.
  void updateBlockStates() noexcept;

  void saveImpulses() noexcept;
  void restoreImpulses() noexcept;

 private:
  void addRateOfImpulse(std::array<double, 3>* rates, std::size_t block, std::size_t axis,
                        double impulse) const noexcept;
  double normalResidual(std::size_t block) const noexcept;
  double tangentResidual(std::size_t block) const noexcept;

  std::vector<ImpulseBlock> blocks_;
  std::vector<BlockCompliance> own_;
  std::vector<std::array<double, 3>> free_, work_;  // rates without impulses
  std::vector<std::array<double, 6>> saved_;        // impulses and rates
  Matrix compliance_;
  double step_{0.0};   // [s]
  double scale_{0.0};  // largest rate that the problem began with [m/s]
};

}  // namespace ricochet
