#pragma once

#include "engine/model/implicit_contact.hpp"
#include "engine/model/spin_run.hpp"
#include "physical/dense_solvers.hpp"

namespace ricochet {

/// A = I + dv C + dq Omega^2 in generalized coordinates, and its inverse: one number per mode, or a
/// factorization if C couples modes.
class ModalBalance : public ContactCompliance {
 public:
  explicit ModalBalance(const LinearSystem& linear);

  void prepareCompliance(double dq, double dv) override;
  void computeUnitForceResponse(const double* row, double* response) noexcept override;

  /// Sets the instant t at which the next `prepare` evaluates the spin speeds.
  void setTime(double t, SpinRun& spins) noexcept {
    time_ = t;
    spins_ = &spins;
  }

  /// Solves A a = b in place: a <- A^-1 a.
  void applyInverse(Vector& a) noexcept;

 private:
  const LinearSystem* linear_;
  SpinRun* spins_{nullptr};  // null: no spin speed varies
  double time_{0.0};
  Matrix system_;
  Vector inverse_;                      // inverse per mode, for uncoupled modes
  Eigen::PartialPivLU<Matrix> factor_;  // factorization, for coupled modes
  Vector coupled_;
};

}  // namespace ricochet
