#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/contact/impulse/lemke.hpp"

namespace ricochet {

/// States of all contacts by complementary pivots. Friction along a line is linear exactly; a disc becomes an
/// octagon, one corner against the slip found last:
///
///     y_n - target >= 0  and  x_n >= 0,   d_k.y_t + lambda >= 0  and  beta_k >= 0,
///     mu x_n - sum beta_k >= 0  and  lambda >= 0,   x_t = sum d_k beta_k
///
/// A penalty is a compliance h^-1 (dN/dy)^-1 of its contact where it pushes; tractions of elastic laws stay
/// as they are. Source: D.E. Stewart, J.C. Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673-2691; M.
/// Anitescu, F.A. Potra, Nonlinear Dynamics 14 (1997) 231-247.
class ImpulsePivoting {
 public:
  static constexpr int kMostContacts = 40;

  explicit ImpulsePivoting(int contacts);

  /// Replaces the impulses by a solution of the linear form. False: none was found, and the impulses are to
  /// be restored.
  bool solveLinearForm(ImpulseProblem& problem) noexcept;

 private:
  enum class Kind : std::uint8_t { normal, friction, slipBound, excess };
  struct Variable {
    Kind kind;
    std::size_t block;
    std::array<double, 3> direction{};  // of the impulse
    std::array<double, 3> row{};        // of the rate
    double compliance{0.0};             // of an elastic normal law [1/kg]
    double constant{0.0};               // beside the rate [m/s]
    double limit{0.0};                  // of the impulse [N s]
    double unit{1.0};                   // of the impulse, [N s] / [m/s]
  };

  void addVariables(ImpulseProblem& problem, std::size_t block) noexcept;
  void addFriction(const ImpulseProblem& problem, std::size_t block, double unit, bool isPressFree) noexcept;
  void fillRow(const ImpulseProblem& problem, std::size_t row, double largest) noexcept;

  std::vector<Variable> variables_;
  Lemke lemke_;
};

}  // namespace ricochet
