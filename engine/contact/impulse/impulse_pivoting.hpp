#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/contact/impulse/lemke.hpp"

namespace ricochet {

/// States of all contacts by complementary pivots. Friction along a line is exactly linear; the friction disc
/// becomes an octagon with one corner opposite to the latest slip direction:
///
///     y_n - target >= 0  and  x_n >= 0,   d_k.y_t + lambda >= 0  and  beta_k >= 0,
///     mu x_n - sum beta_k >= 0  and  lambda >= 0,   x_t = sum d_k beta_k
///
/// A penalty law adds the compliance h^-1 (dN/dy)^-1 to its contact while it is closed; tractions of elastic
/// friction laws stay unchanged. Source: D.E. Stewart, J.C. Trinkle, Int. J. Numer. Methods Eng. 39 (1996)
/// 2673-2691; M. Anitescu, F.A. Potra, Nonlinear Dynamics 14 (1997) 231-247.
class ImpulsePivoting {
 public:
  static constexpr int kMostContacts = 40;

  explicit ImpulsePivoting(int contacts);

  /// Replaces the impulses by a solution of the linear form. Returns false if no solution was found; the
  /// caller must then restore the impulses.
  bool solveComplementarity(ImpulseProblem& problem) noexcept;

 private:
  enum class Kind : std::uint8_t { normal, friction, slipBound, excess };
  struct Variable {
    Kind kind;
    std::size_t block;
    std::array<double, 3> direction{};  // components of the impulse per unit of the variable
    std::array<double, 3> row{};        // weights of the rates in the equation of the variable
    double compliance{0.0};             // compliance of an elastic normal law [1/kg]
    double constant{0.0};               // constant term of the equation [m/s]
    double limit{0.0};                  // limit of the impulse [N s]
    double unit{1.0};                   // scale of the impulse per rate [N s] / [m/s]
  };

  void addComplementarityVariablesOfBlock(ImpulseProblem& problem, std::size_t block) noexcept;
  void addComplementarityVariablesOfFriction(const ImpulseProblem& problem, std::size_t block, double unit,
                                             bool isPressFree) noexcept;
  void fillMatrixRow(const ImpulseProblem& problem, std::size_t row, double largest) noexcept;

  std::vector<Variable> variables_;
  Lemke lemke_;
};

}  // namespace ricochet
