#pragma once

#include "engine/contact/contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet {

/// Length of a tangential vector, without the protection of std::hypot against overflow and underflow.
inline double lengthOfTangentialVector(const Tangential<double>& t) noexcept { return std::sqrt(dot(t, t)); }

/// Condition between the impulse x_n of a contact and the rate y_n of its gap.
enum class NormalRule : std::uint8_t {
  unilateral,  ///< x_n >= 0, y_n >= target, one of them an equality
  law,         ///< x_n = h times the mean of N(g, y_n) of the normal law over the step
  given        ///< x_n is given and stays unchanged
};

/// Condition between the tangential impulse x_t and the slip rate y_t - (rate of the surface).
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
  bool slides{false};               ///< true: |x_t| of a disc is at its bound mu x_n
  double side{1.0};                 ///< sign of the normal, which is side e1: 1 or -1
  double target{0.0};               ///< least gap rate after the impulse [m/s]
  double coefficient{0.0};          ///< friction coefficient mu [-]
  double pressed{0.0};              ///< lower bound of the normal impulse that limits friction [N s]
  double rounding{0.0};             ///< a smaller rate has no significant sign [m/s]
  Tangential<double> direction{};   ///< direction e of a known slip
  Tangential<double> surface{};     ///< rate of the surface [m/s]
  std::array<double, 3> impulse{};  ///< impulse x [N s]
  std::array<double, 3> rate{};     ///< rate y of the node under all impulses [m/s]

  // Data of elastic laws only.
  const Contact* laws{nullptr};
  double gap{0.0};                  ///< gap at the start of the step [m]
  double imposed{0.0};              ///< prescribed normal force [N]
  double approach{0.0};             ///< closing speed [m/s]
  FrictionMemory<double> memory{};  ///< friction memory at the start of the step
  Tangential<double> position{};    ///< position on the surface at the start of the step [m]

  Tangential<double> slipRate() const noexcept { return {rate[1] - surface.first, rate[2] - surface.second}; }
  Tangential<double> frictionImpulse() const noexcept { return {impulse[1], impulse[2]}; }
  /// Largest tangential impulse on the friction disc of the block [N s].
  double frictionLimit() const noexcept { return coefficient * std::max(pressed, impulse[0]); }
  bool isOpen() const noexcept { return !(impulse[0] > 0.0); }
};

/// Compliance of a contact to its own impulses, along the principal axes of its tangential part [1/kg].
struct BlockCompliance {
  double normal{0.0};
  std::array<double, 2> tangential{};  ///< principal compliances, the larger first
  std::array<double, 2> across{};      ///< compliance between the normal and each axis
  double cosine{1.0}, sine{0.0};       ///< angle of the first axis to e2
  bool isLine{false};  ///< true: friction acts along the first axis only, because neither impulses nor the
                       ///< surface move along the second

  Tangential<double> toPrincipalAxes(const Tangential<double>& t) const noexcept {
    return {cosine * t.first + sine * t.second, cosine * t.second - sine * t.first};
  }
  Tangential<double> fromPrincipalAxes(const Tangential<double>& t) const noexcept {
    return {cosine * t.first - sine * t.second, sine * t.first + cosine * t.second};
  }
};

/// Impulses x of contacts that act on each other. The rates are y = y_free + W x, with W symmetric and
/// positive semidefinite; each contact has a rule along its normal and another one along its tangents.
class ImpulseProblem {
 public:
  explicit ImpulseProblem(int contacts);

  void clear() noexcept { blocks_.clear(); }
  ImpulseBlock& addBlock() { return blocks_.emplace_back(); }
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
  /// True if impulses of one block change the rates of the other.
  bool doBlocksAffectEachOther(std::size_t block, std::size_t other) const noexcept;

  // ---- called by the solvers ----

  /// Prepares the compliances of the blocks and the scale of the rates for a step of h [s]. Returns the index
  /// of the first block with a rate or compliance that is not finite, or the number of blocks if there is no
  /// such block.
  std::size_t begin(double h) noexcept;
  double stepLength() const noexcept { return step_; }
  const BlockCompliance& complianceOfBlock(std::size_t block) const noexcept { return own_[block]; }

  /// Sets an impulse and updates all rates by its change.
  void setImpulse(std::size_t block, std::size_t axis, double impulse) noexcept {
    const double difference = impulse - blocks_[block].impulse[axis];
    if (difference == 0.0) return;
    blocks_[block].impulse[axis] = impulse;
    const double* entry = compliance_.col(static_cast<Eigen::Index>(3 * block + axis)).data();
    for (ImpulseBlock& each : blocks_)
      for (double& rate : each.rate) rate += difference * *entry++;
  }
  /// Computes the rates y = y_free + W x again, which removes the rounding errors of large intermediate
  /// impulses.
  void recomputeRates() noexcept;
  /// Adds a shift to a rate without impulses, y_free.
  void shiftRateWithoutImpulses(std::size_t block, std::size_t axis, double shift) noexcept;

  /// Violation of the rules of a block by its impulses and rates, as a rate [m/s]; 0 at a solution.
  /// Inequalities are included: x_n >= 0, r >= 0, x_n r = 0 is equivalent to x_n = max(0, x_n - r/w) for any
  /// w > 0.
  double residual(std::size_t block) const noexcept;
  /// Largest residual of all blocks; `worst` receives the index of its block.
  double residual(std::size_t* worst = nullptr) const noexcept;
  /// Residual [m/s] below which impulses count as a solution: the rounding error of the rates, at most 1e-9
  /// of the initial rates of the problem, however large the impulses.
  double residualTolerance() const noexcept;
  bool isSolved() const noexcept;

  /// True if the impulse and the rate of a contact close it: w x_n > y_n - target.
  bool isContactPressedClosed(std::size_t block) const noexcept;
  /// Tangential projection point of a disc or a line, x_t - y_t/w in rates [m/s] (Alart-Curnier).
  Tangential<double> frictionProjectionPoint(std::size_t block) const noexcept;
  /// Sets `slides` from impulses and rates, and the impulses of open contacts to 0.
  void updateBlockStates() noexcept;

  void saveImpulses() noexcept;
  void restoreImpulses() noexcept;

 private:
  void addRatesCausedByImpulse(std::array<double, 3>* rates, std::size_t block, std::size_t axis,
                               double impulse) const noexcept;
  double residualOfNormalLaw(std::size_t block) const noexcept;
  double residualOfFrictionLaw(std::size_t block) const noexcept;

  std::vector<ImpulseBlock> blocks_;
  std::vector<BlockCompliance> own_;
  std::vector<std::array<double, 3>> free_, work_;  // rates without impulses [m/s]
  std::vector<std::array<double, 6>> saved_;        // saved impulses and rates
  Matrix compliance_;
  double step_{0.0};   // step h [s]
  double scale_{0.0};  // largest initial rate of the problem [m/s]
};

}  // namespace ricochet
