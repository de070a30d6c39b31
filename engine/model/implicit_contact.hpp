#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/contact/contact_tangent.hpp"
#include "engine/links/link_set.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// The balance that an implicit scheme puts at the end of its step: an acceleration a such that
///
///     a = base + share f(t, q + dq a, v + dv a),   f = loads + contacts - C v - Omega^2 q
struct ImplicitBalance {
  double share{1.0};
  double dq{0.0};  ///< [s^2]
  double dv{0.0};  ///< [s]
};

/// The linear part of a balance, as contacts see it: A = M + dv C + dq K, where M = I in generalized
/// coordinates. `row` and `response` are in the space of the contact rows (padded).
class ContactCompliance {
 public:
  virtual ~ContactCompliance() = default;

  /// Sets A; called when it changes.
  virtual void prepare(double dq, double dv) = 0;

  /// response = A^-1 row^t
  virtual void respond(const double* row, double* response) noexcept = 0;
};

/// Newton's method for contacts that act at the end of a step.
///
///     A = M + share (dv C + dq K)                a = a_free + Y lambda,   Y = share A^-1 B^t
///     w = B a = w_free + W lambda(w),            W = B Y: reduced compliance
///
/// All vectors are in the space of the contact rows: all generalized coordinates, or in physical coordinates
/// those dofs that contacts touch.
///
/// The unknowns are the accelerations w of the contact points along their local axes, so that a step costs a
/// dense system of the size of the contacts touched: (I - W K) dw = w_free + W lambda - w, with K = dq
/// d(lambda)/dx + dv d(lambda)/dx' from the laws themselves (contact_tangent.hpp). Piecewise linear laws take
/// one iteration per change of branch; others converge quadratically. Converged when the forces of the laws
/// equal those that the balance asks for. A contact that is open closes when it penetrates by more than
/// rounding: a dashpot's force jumps there, and no balance exists at a gap of zero.
///
/// Links act beside the contacts, numbered after them, all of them in every step.
///
/// Newton on the return mapping: J.C. Simo, T.A. Laursen, Comput. Struct. 42 (1992) 97-116.
class ImplicitContact {
 public:
  static constexpr int kIterations = 40;
  static constexpr double kTolerance = 1e-10;  ///< of the force residual over the largest contact force

  /// `links` of the run, tried along with its contacts; null: there are none.
  ImplicitContact(ContactCompliance& linear, const ContactSet& set, LinkRun* links = nullptr);

  /// Sets A; keeps what was made for it when it is the same as last time.
  void prepare(const ImplicitBalance& balance);

  /// A is another one, though the balance may be the same.
  void renew() noexcept { balance_.share = 0.0; }

  /// Solves for `a` from the guess that it holds. `run` holds a trial at the guess on entry and one at the
  /// solution on return. False: no solution found; `troubled` says where.
  bool solve(ContactRun& run, double t, const Vector& q, const Vector& v, const Vector& free,
             Vector& a) noexcept;

  /// What the contacts of the solution push along their rows, B^t lambda.
  void addForces(Vector& force) const noexcept;
  bool pushes() const noexcept;

  /// The contact, or link, whose forces were furthest from balance; -1: none.
  int troubled() const noexcept { return troubled_; }

  /// Largest force residual after each iteration of the last solve [N].
  std::span<const double> residuals() const noexcept {
    return {residuals_.data(), static_cast<std::size_t>(iterations_)};
  }

 private:
  struct Active {
    int contact;
    double imposed;
    std::size_t firstRow;  // of its axes, into the system
    std::size_t axes;
    ContactTangent law;
    std::array<double, 4> predicted;  // force that the linearised law gave
  };
  struct Row {
    std::size_t active;
    std::size_t axis;
    const double* coefficients;
    Eigen::Index index;  // into the caches
    double position;     // without the step's acceleration
    double rate;
  };

  // contacts and links by one number
  bool isLink(int body) const noexcept { return body >= set_->size(); }
  int linkOf(int body) const noexcept { return body - set_->size(); }
  int bodies() const noexcept { return set_->size() + (links_ != nullptr ? links_->set().size() : 0); }
  const double* rowOf(int body, int axis) const noexcept;
  double offsetOf(int body, std::size_t axis) const noexcept;
  ContactTangent tangentOf(const Active& active, const LocalMotion& motion) const noexcept;
  std::array<double, 4> keptForce(const Active& active, ContactRun& run) const noexcept;

  void gather(const ContactRun& run, const Vector& q, const Vector& v);
  void gatherLinks(const Vector& q, const Vector& v);
  void addRow(std::size_t active, int axis, const Vector& q, const Vector& v);
  double compliance(const Row& i, const Row& j) noexcept;
  const double* response(const Row& row) noexcept;
  void evaluateLaws(const ContactRun& run) noexcept;
  bool newton(const ContactRun& run) noexcept;
  void assemble() noexcept;
  bool eliminate() noexcept;
  void move(double factor) noexcept;
  double residual() noexcept;
  bool isBalanced(const Active& active, const std::array<double, 4>& force) const noexcept;
  bool isGrazing(const ContactRun& run, int contact, const LocalMotion& motion) const noexcept;
  bool isKept(ContactRun& run) noexcept;
  void superpose(const Vector& free, Vector& a) noexcept;
  bool covers(const ContactRun& run) const noexcept;

  ContactCompliance* linear_;
  const ContactSet* set_;
  LinkRun* links_;
  ImplicitBalance balance_{.share = 0.0};
  Vector norms_;      // |b| of every row
  Matrix responses_;  // Y, made when asked for
  std::vector<char> hasResponse_;
  Matrix compliance_;  // W, not a number where nobody asked yet

  std::vector<Active> active_;
  std::vector<Row> rows_;
  std::vector<int> slot_;  // of every contact: into active_, or -1
  Vector w_, free_, step_;
  Matrix jacobian_;
  Vector qTrial_, vTrial_;
  std::array<double, kIterations> residuals_{};
  double time_{0.0};                  // at which the contacts act [s]
  double largestForce_{0.0};          // of the last iteration [N]
  double scaleQ_{0.0}, scaleV_{0.0};  // norms of q and v, for the rounding of local motion
  int iterations_{0};
  int troubled_{-1};
};

}  // namespace ricochet
