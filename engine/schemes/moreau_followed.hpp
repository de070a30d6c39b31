#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <vector>

namespace ricochet {

/// Matrix that maps the rates of a contact along its axes e1, e2, e3 and of its rotation (columns) to the
/// rates along normal and both tangents (rows); its transpose maps impulses.
using ContactLines = std::array<std::array<double, 4>, 3>;

/// Product of a row of ContactLines with rates along the axes.
inline double rateAlongContactDirection(const std::array<double, 4>& line,
                                        const std::array<double, 4>& axes) noexcept {
  return line[0] * axes[0] + line[1] * axes[1] + line[2] * axes[2] + line[3] * axes[3];
}

/// Motion of a followed contact (followed.hpp) over a step of moreau: its flight from `from` to `to`, and the
/// impulses at its end. Rates of the contact point include what supports impose.
///
/// The lines of a flight are constant over the step, so that the work of constant forces along them is exact.
/// The normal n is the discrete gradient of the gap,
///
///     n.(x+ - x) = g(x+) - g(x),
///
/// that is, the gradient at the middle of the chord (exact on circles and spheres if the gap is constant),
/// scaled to the change of the gap, or corrected along the chord if the chord is nearly tangential (O.
/// Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467). A contact that stays closed keeps its gap and does no work;
/// the work on an undamped spring is its stored energy. The product of the tangents with the chord is the
/// path along the surface (slipPathAlongSurface).
struct FollowedFlight {
  FollowedState from, to;
  Touch<double> start, end;
  ContactLines mean{}, last{};        ///< lines of the flight, and at its end
  std::array<double, 4> freeRates{};  ///< mean rates of the node along the axes without contact forces [m/s]
  std::array<double, 3> meanCarried{};  ///< rates that supports add during the flight [m/s]
  std::array<double, 3> endCarried{};   ///< rates that supports add at its end [m/s]
  Tangential<double> meanSurface{};     ///< mean rates of the surface along the lines [m/s]
  Tangential<double> endSurface{};      ///< rates of the surface at the end [m/s]
  Local<double> startVelocity{};        ///< velocity of the supports at the start of the step [m/s]
  Local<double> endVelocity{};          ///< velocity of the supports at the end [m/s]
  Local<double> drawnFor{};             ///< normal at the end for which the lines were computed
  double side{1.0};                     ///< planar obstacle: the normal is side e1
  bool isKinked{false};                 ///< the normal jumps within the step (corner of a profile)

  /// Size of the coordinates from which a gap is computed, for its rounding error [m].
  double size() const noexcept;
  /// Rates along the mean lines of the flight, from the mean rates along the axes [m/s].
  std::array<double, 3> meanContactRatesFromAxisRates(const std::array<double, 4>& axes) const noexcept {
    return {rateAlongContactDirection(mean[0], axes) + meanCarried[0],
            rateAlongContactDirection(mean[1], axes) + meanCarried[1],
            rateAlongContactDirection(mean[2], axes) + meanCarried[2]};
  }
  /// Rates along the lines at the end of the flight, from the rates along the axes [m/s].
  std::array<double, 3> endContactRatesFromAxisRates(const std::array<double, 4>& axes) const noexcept {
    return {rateAlongContactDirection(last[0], axes) + endCarried[0],
            rateAlongContactDirection(last[1], axes) + endCarried[1],
            rateAlongContactDirection(last[2], axes) + endCarried[2]};
  }
  /// Path along the surface of a contact that closes at the end of the flight [m].
  Tangential<double> slipPathAtClosing(const Contact& contact) const noexcept;
};

/// Flights of the followed contacts of a run of moreau.
class FollowedFlights {
 public:
  FollowedFlights() = default;
  explicit FollowedFlights(const ContactSet& set);

  bool empty() const noexcept { return flights_.empty(); }
  bool hasCurvedObstacle() const noexcept { return bends_; }  ///< true if an obstacle is curved
  /// Number of axes with rows: 4 with rolling bodies, else 3.
  int axisCount() const noexcept { return axes_; }

  /// Flight of a contact; null if the contact is not followed.
  FollowedFlight* freeFlightOfContact(int contact) noexcept {
    if (flights_.empty()) return nullptr;
    const int k = index_[static_cast<std::size_t>(contact)];
    return k < 0 ? nullptr : &flights_[static_cast<std::size_t>(k)];
  }
  const FollowedFlight* freeFlightOfContact(int contact) const noexcept {
    return const_cast<FollowedFlights*>(this)->freeFlightOfContact(contact);
  }

  /// Sets the positions at the start of a run; closed contacts keep the axes of their states.
  void start(const ContactRun& run, const State& s);

  /// Prepares a step of h [s] that ends at t: positions and surface rates at its start, support motion at its
  /// end.
  void begin(const ContactRun& run, double t, double h) noexcept;

  /// Sets the positions of the contacts at the end of a flight to the displacement q.
  void setContactPositionsAtFlightEnd(const Vector& q) noexcept;

  /// Sets the rates of a flight without contact forces.
  void setRatesWithoutContactForces(const Vector& meanRates) noexcept;

  /// Computes lines and rates of the flight of one contact from its positions; `isRigid`: no spring stores
  /// its work.
  void computeContactDirections(int contact, bool isRigid) noexcept;

  /// Computes the lines of a contact at the end of the flight.
  void computeContactDirectionsAtStepEnd(int contact) noexcept;
  /// Beyond a corner of its obstacle, takes as normal at the end that of the side which the contact
  /// approaches faster: the distance turns from side to side there, and would lead the contact round the
  /// corner. `axisRates`: rates along the axes at the end [m/s].
  void setNormalOfApproachedSide(int contact, const std::array<double, 4>& axisRates) noexcept;

  /// Passes an instant at which speeds of surfaces may jump.
  void advanceTimeFunctions(double t, double tolerance) noexcept;

  /// Accepts the step: the end of each flight becomes the start of the next flight.
  void acceptStep() noexcept;

  double rowProduct(int contact, int axis, const Vector& x) const noexcept {
    const double* row = set_->row(contact, axis);
    return row == nullptr ? 0.0 : kernels::dot(row, x.data(), x.size());
  }
  std::array<double, 4> productsWithContactRows(int contact, const Vector& x) const noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("FollowedFlights");
    archive(flights_, speeds_);
  }

 private:
  void setContactDirectionsAtStepEnd(int contact, const ContactFrame<double>& frame) noexcept;
  void setPositionOfFollowedContact(int contact, const Vector& q, FollowedState& at) const noexcept;
  Tangential<double> surfaceVelocityAlongTangents(int contact, double t,
                                                  const FollowedState& at) const noexcept;

  const ContactSet* set_{nullptr};
  std::vector<int> index_;
  std::vector<int> contacts_;  // contact of each flight
  std::vector<FollowedFlight> flights_;
  std::vector<FunctionCursor> speeds_;  // speeds of the surfaces, contact after contact
  std::vector<std::size_t> firstSpeed_;
  double h_{0.0}, time_{0.0};
  int axes_{3};
  bool bends_{false};
};

}  // namespace ricochet
