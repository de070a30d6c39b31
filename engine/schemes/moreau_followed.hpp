#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <vector>

namespace ricochet {

/// Components (normal, two tangents) of the rate of a contact as sums of the rates along its axes e1, e2, e3
/// and of its rotation (columns); an impulse has the same sums the other way round.
using ContactLines = std::array<std::array<double, 4>, 3>;

/// Sum of a line of ContactLines.
inline double lineProduct(const std::array<double, 4>& line, const std::array<double, 4>& axes) noexcept {
  return line[0] * axes[0] + line[1] * axes[1] + line[2] * axes[2] + line[3] * axes[3];
}

/// Motion of a followed contact (followed.hpp) over a step of moreau: its flight from `from` to `to`, and the
/// impulses at its end. Rates of the contact point include what supports impose.
///
/// Lines of the flight are those of the whole step, so that the work of constant forces along them is exact:
/// the normal n is the discrete gradient of the gap,
///
///     n.(x+ - x) = g(x+) - g(x),
///
/// the gradient in the middle of the chord, which is exact on circles and spheres where the gap stays, scaled
/// or, where the chord is level, corrected along the chord (O. Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467).
/// A contact that stays closed keeps its gap and takes no work; an undamped spring takes up what it stores.
/// The tangents are those whose product with the chord is the path along the surface (surfacePath).
struct FollowedFlight {
  FollowedState from, to;
  Touch<double> start, end;
  ContactLines mean{}, last{};          ///< of the flight; at its end
  std::array<double, 4> freeRates{};    ///< mean rates along the axes without contact forces, node [m/s]
  std::array<double, 3> meanCarried{};  ///< what supports add to the rates of the flight [m/s]
  std::array<double, 3> endCarried{};   ///< and at its end [m/s]
  Tangential<double> meanSurface{};     ///< rates of the surface along the lines [m/s]
  Tangential<double> endSurface{};      ///< [m/s]
  Local<double> startVelocity{};        ///< of the supports at the start of the step [m/s]
  Local<double> endVelocity{};          ///< and at its end [m/s]
  Local<double> drawnFor{};             ///< normal at the end for which the lines of the flight were drawn
  double side{1.0};                     ///< of a planar obstacle: the normal is side e1
  bool isKinked{false};                 ///< the normal jumps within the step (corner of a profile)

  /// Size of the coordinates that make up a gap, for its rounding [m].
  double size() const noexcept;
  /// Rates of the flight under the mean rates of the axes.
  std::array<double, 3> ratesUnder(const std::array<double, 4>& axes) const noexcept {
    return {lineProduct(mean[0], axes) + meanCarried[0], lineProduct(mean[1], axes) + meanCarried[1],
            lineProduct(mean[2], axes) + meanCarried[2]};
  }
  /// Rates at the end of the flight under rates of the axes.
  std::array<double, 3> ratesAtEndUnder(const std::array<double, 4>& axes) const noexcept {
    return {lineProduct(last[0], axes) + endCarried[0], lineProduct(last[1], axes) + endCarried[1],
            lineProduct(last[2], axes) + endCarried[2]};
  }
  /// Path along the surface of a contact that closes at the end of the flight [m].
  Tangential<double> pathAtClosing(const Contact& contact) const noexcept;
};

/// The followed contacts of a run of moreau.
class FollowedFlights {
 public:
  FollowedFlights() = default;
  explicit FollowedFlights(const ContactSet& set);

  bool empty() const noexcept { return flights_.empty(); }
  bool isAnyCurved() const noexcept { return bends_; }  ///< any obstacle is curved
  int axes() const noexcept { return axes_; }           ///< axes with rows: 4 where a body rolls, else 3

  /// Null for a contact that is not followed.
  FollowedFlight* flightOf(int contact) noexcept {
    if (flights_.empty()) return nullptr;
    const int k = index_[static_cast<std::size_t>(contact)];
    return k < 0 ? nullptr : &flights_[static_cast<std::size_t>(k)];
  }
  const FollowedFlight* flightOf(int contact) const noexcept {
    return const_cast<FollowedFlights*>(this)->flightOf(contact);
  }

  /// Places at the start of a run; contacts that are closed keep the frames of their states.
  void start(const ContactRun& run, const State& s);

  /// Prepares a step of h that ends at t: what is at its start, and supports at its end.
  void begin(const ContactRun& run, double t, double h) noexcept;

  /// Places at the end of a flight to q.
  void moveEndTo(const Vector& q) noexcept;

  /// Rates of a flight without contact forces.
  void setFreeRates(const Vector& meanRates) noexcept;

  /// Lines and rates of the flight of one contact, from its places; `isRigid`: no spring takes up its work.
  void computeLines(int contact, bool isRigid) noexcept;

  /// Lines at the end of the flight.
  void computeLastLines(int contact) noexcept;

  /// Passes an instant at which speeds of surfaces may jump.
  void advance(double t, double tolerance) noexcept;

  /// The step is kept.
  void accept() noexcept;

  double alongAxis(int contact, int axis, const Vector& x) const noexcept {
    const double* row = set_->row(contact, axis);
    return row == nullptr ? 0.0 : kernels::dot(row, x.data(), x.size());
  }
  std::array<double, 4> alongAxes(int contact, const Vector& x) const noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.beginSection("FollowedFlights");
    archive(flights_, speeds_);
  }

 private:
  void setPlaceAt(int contact, const Vector& q, FollowedState& at) const noexcept;
  Tangential<double> surfaceRate(int contact, double t, const FollowedState& at) const noexcept;

  const ContactSet* set_{nullptr};
  std::vector<int> index_;
  std::vector<int> contacts_;  // of the flights
  std::vector<FollowedFlight> flights_;
  std::vector<FunctionCursor> speeds_;  // of the surfaces of all contacts, one after the other
  std::vector<std::size_t> firstSpeed_;
  double h_{0.0}, time_{0.0};
  int axes_{3};
  bool bends_{false};
};

}  // namespace ricochet
