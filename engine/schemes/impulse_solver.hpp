#pragma once

#include "engine/contact/contact.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// What a contact asks of its impulse x and the rate y of its motion, along the normal.
enum class NormalRule : std::uint8_t {
  unilateral,  ///< x >= 0, y >= target, and one of them an equality
  law,         ///< x = h N(g + h y, y), never less than 0 unless the law lets it pull
  given        ///< x stays as it is
};

/// And along the tangents, y less the rate of the surface.
enum class TangentRule : std::uint8_t {
  none,  ///< no tangential impulse
  disc,  ///< y = 0 while |x| <= mu x_n, else |x| = mu x_n against y
  law    ///< x = h T(s + h y, y, x_n/h) by the law's return mapping
};

/// One contact of an impulse problem. Components: normal, e2, e3.
struct ImpulseBlock {
  int contact{0};
  const Contact* laws{nullptr};
  NormalRule normal{NormalRule::unilateral};
  TangentRule tangent{TangentRule::none};
  bool slides{false};               ///< of a disc: x is at its bound
  bool slipping{false};             ///< the coefficient is the dynamic one
  bool retried{false};              ///< a slip that turned has been given the chance to stick
  double side{1.0};                 ///< the normal is side e1
  double target{0.0};               ///< [m/s]
  double coefficient{0.0};          ///< mu [-]
  double pressed{0.0};              ///< normal impulse that friction counts on at least [N s]
  double gap{0.0};                  ///< at the start of the step [m]
  double imposed{0.0};              ///< prescribed normal force [N]
  FrictionMemory<double> memory{};  ///< at the start of the step
  Tangential<double> position{};    ///< against the surface, at the start of the step [m]
  Tangential<double> surface{};     ///< rate of the surface [m/s]
  std::array<double, 3> impulse{};  ///< x [N s]
  std::array<double, 3> rate{};     ///< y, of the node, that goes with all impulses [m/s]

  Tangential<double> slip() const noexcept { return {rate[1] - surface.first, rate[2] - surface.second}; }
  Tangential<double> friction() const noexcept { return {impulse[1], impulse[2]}; }
};

/// Impulses of contacts that all act on each other: y = y_free + W x, with one rule per contact.
///
/// Projected Gauss-Seidel by contact: each is solved exactly while the others wait, its normal first (a
/// projection, or Newton on the law), then its tangents (the disc-constrained quadratic of two unknowns by
/// its secular equation, or Newton on the return mapping). Source: M. Jean, Comput. Methods Appl. Mech. Eng.
/// 177 (1999) 235-257; the secular equation, J.J. More, D.C. Sorensen, SIAM J. Sci. Stat. Comput. 4 (1983)
/// 553-572.
class ImpulseSolver {
 public:
  static constexpr int kSweeps = 20000;
  static constexpr double kTolerance = 1e-13;  ///< change of rate in a sweep, over the largest rate met

  explicit ImpulseSolver(int contacts);

  void clear() noexcept { blocks_.clear(); }
  ImpulseBlock& add() { return blocks_.emplace_back(); }
  std::span<ImpulseBlock> blocks() noexcept { return blocks_; }
  std::span<const ImpulseBlock> blocks() const noexcept { return blocks_; }

  /// Entry of W [1/kg] between axes of blocks, symmetric: to be set before `solve`.
  double& compliance(std::size_t block, std::size_t axis, std::size_t other, std::size_t otherAxis) noexcept {
    return compliance_(static_cast<Eigen::Index>(3 * block + axis),
                       static_cast<Eigen::Index>(3 * other + otherAxis));
  }

  /// Solves over a step of h [s] from the impulses and rates that the blocks hold. False: not converged;
  /// `troubled` is the contact that still changes.
  bool solve(double h) noexcept;
  int troubled() const noexcept { return troubled_; }

 private:
  void solveNormal(std::size_t block, double h) noexcept;
  void solveTangents(std::size_t block, double h) noexcept;
  void push(std::size_t block, std::size_t axis, double impulse) noexcept;

  std::vector<ImpulseBlock> blocks_;
  Matrix compliance_;
  double change_{0.0};  // largest of the sweep [m/s]
  double scale_{0.0};   // largest rate, or rate that an impulse makes [m/s]
  int changed_{-1};     // where
  int troubled_{-1};
};

/// Minimises 1/2 x.D x + c.x over |x| <= limit, D = {d11, d12, d22} positive semidefinite. `slides` tells
/// whether x is at the bound.
struct DiscSolution {
  Tangential<double> x;
  bool slides;
};
DiscSolution solveOnDisc(const std::array<double, 3>& d, const Tangential<double>& c, double limit) noexcept;

}  // namespace ricochet
