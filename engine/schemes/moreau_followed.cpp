#include "engine/schemes/moreau_followed.hpp"

#include "engine/contact/followed_slip.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kGapRounding = 8e-16;  // relative rounding error of a coordinate

/// Direction of a contact force in local coordinates: a vector along e1, e2, e3 and the part along the
/// rotation, both times `factor`.
std::array<double, 4> makeContactDirectionRow(const Local<double>& v, double factor,
                                              double rotation) noexcept {
  return {factor * v[0], factor * v[1], factor * v[2], factor * rotation};
}

std::array<double, 4> localRatesWithoutRotation(const Local<double>& v) noexcept {
  return {v[0], v[1], v[2], 0.0};
}

Local<double> vectorDifference(const Local<double>& a, const Local<double>& b) noexcept {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// True if the normal jumps between two positions: the normal at the middle is then that of one end.
bool isNormalDiscontinuous(const Local<double>& first, const Local<double>& middle,
                           const Local<double>& last) noexcept {
  constexpr double kSmooth = 0.5;  // tan(angle/4) on a circle: reached at 106 degrees
  const Local<double> turn = vectorDifference(last, first);
  const Local<double> bend{first[0] + last[0] - 2.0 * middle[0], first[1] + last[1] - 2.0 * middle[1],
                           first[2] + last[2] - 2.0 * middle[2]};
  return innerProduct(bend, bend) > kSmooth * kSmooth * innerProduct(turn, turn);
}

/// Discrete gradient of the gap over a flight (see FollowedFlight): the normal at the middle, scaled where
/// the contact moves along it, and otherwise turned a little along the chord. For a contact that slides along
/// its obstacle, change and motion along the normal are rounding, and so is their quotient. A rigid contact
/// at a corner keeps its normal at the start: a normal along the chord would throw the contact back against
/// all laws.
Local<double> meanContactNormalOfFlight(const AnyObstacle& obstacle, FollowedFlight& f,
                                        bool isRigid) noexcept {
  constexpr double kLevel = 0.25;
  constexpr double kAcross = 0.1;  // motion along the normal, relative to the whole motion
  Local<double> middle;
  for (std::size_t a = 0; a < 3; ++a) middle[a] = 0.5 * (f.from.place[a] + f.to.place[a]);
  Local<double> n = gapAndNormalOf(obstacle, middle).normal;
  const Local<double> chord = vectorDifference(f.to.place, f.from.place);
  const double along = innerProduct(n, chord), change = f.end.gap - f.start.gap;
  const double missing = change - along;
  f.isKinked = false;
  if (std::abs(missing) <= kGapRounding * f.size()) return n;
  f.isKinked = isNormalDiscontinuous(f.start.normal, n, f.end.normal);
  if (isRigid && f.isKinked) return f.start.normal;
  const double way = innerProduct(chord, chord);
  if (std::abs(missing) <= kLevel * std::abs(along) && along * along > kAcross * kAcross * way) {
    for (double& each : n) each *= change / along;
    return n;
  }
  const double factor = missing / way;
  for (std::size_t a = 0; a < 3; ++a) n[a] += factor * chord[a];
  return n;
}

/// Sets the lines of both tangents: the slip is scaled by Contact::tangentScale, and the rolling of the body
/// is subtracted.
void setTangentDirectionRows(const Contact& contact, const Local<double>& first, const Local<double>& second,
                             double rolling, ContactLines& lines) noexcept {
  lines[1] = makeContactDirectionRow(first, contact.tangentScale.first, contact.isRolling() ? -rolling : 0.0);
  lines[2] = makeContactDirectionRow(second, contact.tangentScale.second, 0.0);
}

Tangential<double> componentwiseProduct(const Tangential<double>& scale,
                                        const Tangential<double>& t) noexcept {
  return {scale.first * t.first, scale.second * t.second};
}

}  // namespace

double FollowedFlight::size() const noexcept {
  double largest = 0.0;
  for (std::size_t a = 0; a < 3; ++a)
    largest = std::max({largest, std::abs(from.place[a]), std::abs(to.place[a]), std::abs(to.drift[a])});
  return largest + std::abs(start.gap);
}

Tangential<double> FollowedFlight::slipPathAtClosing(const Contact& contact) const noexcept {
  return componentwiseProduct(contact.tangentScale, tangentialComponents(to.frame, to.place));
}

FollowedFlights::FollowedFlights(const ContactSet& set) : set_(&set) {
  for (int i = 0; i < set.size(); ++i) {
    const Contact& contact = set.contact(i);
    index_.push_back(set.isFollowed(i) ? static_cast<int>(flights_.size()) : -1);
    if (contact.isRolling()) axes_ = ContactSet::kAxes;
    if (!set.isFollowed(i)) continue;
    contacts_.push_back(i);
    flights_.emplace_back();
    firstSpeed_.push_back(speeds_.size());
    for (const SurfaceTerm& term : contact.surface) speeds_.emplace_back(term.speed);
    bends_ = bends_ || isCurved(contact.obstacle);
  }
}

std::array<double, 4> FollowedFlights::productsWithContactRows(int contact, const Vector& x) const noexcept {
  return {rowProduct(contact, 0, x), rowProduct(contact, 1, x), rowProduct(contact, 2, x),
          set_->isRolling(contact) ? rowProduct(contact, 3, x) : 0.0};
}

/// Computes the position of the contact point and the rotation of the body from the displacement q;
/// `at.drift`, the displacement that supports impose, must already be that of the instant.
void FollowedFlights::setPositionOfFollowedContact(int contact, const Vector& q,
                                                   FollowedState& at) const noexcept {
  const Contact& c = set_->contact(contact);
  const std::array<double, 4> axes = productsWithContactRows(contact, q);
  for (std::size_t a = 0; a < 3; ++a)
    at.place[a] = c.offset[static_cast<Eigen::Index>(a)] + axes[a] + at.drift[a];
  at.roll = axes[3];
}

Tangential<double> FollowedFlights::surfaceVelocityAlongTangents(int contact, double t,
                                                                 const FollowedState& at) const noexcept {
  const Contact& c = set_->contact(contact);
  if (c.surface.empty() && c.surfaceSpin.empty()) return {};
  const std::size_t first = firstSpeed_[static_cast<std::size_t>(index_[static_cast<std::size_t>(contact)])];
  const Local<double> velocity = surfaceVelocityFromSpeeds(
      c, at.place, at.frame.normal, [&](std::size_t i) { return speeds_[first + i].at(t); },
      [&](std::size_t i) { return c.surfaceSpin[i].rate.at(t); });
  return tangentialComponents(at.frame, velocity);
}

void FollowedFlights::start(const ContactRun& run, const State& s) {
  time_ = s.time;
  for (FunctionCursor& cursor : speeds_) {
    cursor.rewind();
    cursor.advance(s.time, 0.0);
  }
  for (std::size_t k = 0; k < flights_.size(); ++k) {
    const int i = contacts_[k];
    FollowedFlight& f = flights_[k];
    f = {};
    f.to = run.followedState(static_cast<std::size_t>(i));
    const Drift drift = supportDriftAtTime(set_->contact(i), s.time);
    f.to.drift = drift.displacement;
    f.endVelocity = drift.velocity;
    setPositionOfFollowedContact(i, s.q, f.to);
    f.end = gapAndNormalOf(set_->contact(i).obstacle, f.to.place);
    if (!run.state(static_cast<std::size_t>(i)).isClosed())
      f.to.frame =
          contactFrameAtNormal<double>(tangentKind(set_->contact(i).obstacle), f.end.normal, nullptr);
    f.to.surfaceRate = surfaceVelocityAlongTangents(i, s.time, f.to);
    computeContactDirectionsAtStepEnd(i);
  }
  acceptStep();
}

void FollowedFlights::begin(const ContactRun& run, double t, double h) noexcept {
  h_ = h;
  time_ = t;
  for (std::size_t k = 0; k < flights_.size(); ++k) {
    const int i = contacts_[k];
    const Contact& contact = set_->contact(i);
    FollowedFlight& f = flights_[k];
    f.start = gapAndNormalOf(contact.obstacle, f.from.place);
    if (!run.state(static_cast<std::size_t>(i)).isClosed())
      f.from.frame = contactFrameAtNormal<double>(tangentKind(contact.obstacle), f.start.normal, nullptr);
    f.from.surfaceRate = surfaceVelocityAlongTangents(i, t - h, f.from);
    f.to.anchor = f.from.anchor;
    f.to.push = {};
    f.to.rollForce = 0.0;
    f.to.travel = {};
    f.to.drift = {};
    f.endVelocity = {};
    if (contact.drift.empty()) continue;
    const Drift drift = supportDriftAtTime(contact, t);
    f.to.drift = drift.displacement;
    f.endVelocity = drift.velocity;
  }
}

void FollowedFlights::setContactPositionsAtFlightEnd(const Vector& q) noexcept {
  for (std::size_t k = 0; k < flights_.size(); ++k) {
    const AnyObstacle& obstacle = set_->contact(contacts_[k]).obstacle;
    FollowedFlight& f = flights_[k];
    setPositionOfFollowedContact(contacts_[k], q, f.to);
    f.end = gapAndNormalOf(obstacle, f.to.place);
    f.to.frame = contactFrameAtNormal<double>(tangentKind(obstacle), f.end.normal, &f.from.frame);
  }
}

void FollowedFlights::setRatesWithoutContactForces(const Vector& meanRates) noexcept {
  for (std::size_t k = 0; k < flights_.size(); ++k)
    flights_[k].freeRates = productsWithContactRows(contacts_[k], meanRates);
}

void FollowedFlights::computeContactDirections(int contact, bool isRigid) noexcept {
  FollowedFlight& f = *freeFlightOfContact(contact);
  const Contact& c = set_->contact(contact);
  const TangentKind kind = tangentKind(c.obstacle);
  f.drawnFor = f.end.normal;
  if (kind == TangentKind::fixed) {
    f.mean[0] = {f.side, 0.0, 0.0, 0.0};
    setTangentDirectionRows(c, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, f.side, f.mean);
  } else {
    f.mean[0] = makeContactDirectionRow(meanContactNormalOfFlight(c.obstacle, f, isRigid), 1.0, 0.0);
    Local<double> first, second;
    for (std::size_t a = 0; a < 3; ++a) {
      Local<double> unit{};
      unit[a] = 1.0;
      const Tangential<double> path = slipPathAlongSurface<double>(kind, f.from.frame, {}, f.to.frame, unit);
      first[a] = path.first;
      second[a] = path.second;
    }
    setTangentDirectionRows(c, first, second,
                            0.5 * (rollingSlipFactor(f.from.frame) + rollingSlipFactor(f.to.frame)), f.mean);
  }
  const double perStep = 1.0 / h_;
  const Local<double> carried = vectorDifference(f.to.drift, f.from.drift);
  for (std::size_t i = 0; i < 3; ++i)
    f.meanCarried[i] = perStep * rateAlongContactDirection(f.mean[i], localRatesWithoutRotation(carried));
  f.to.surfaceRate = surfaceVelocityAlongTangents(contact, time_, f.to);
  f.to.travel = scaled(0.5 * h_, f.from.surfaceRate + f.to.surfaceRate);
  f.meanSurface = componentwiseProduct(c.tangentScale, scaled(perStep, f.to.travel));
}

void FollowedFlights::computeContactDirectionsAtStepEnd(int contact) noexcept {
  FollowedFlight& f = *freeFlightOfContact(contact);
  setContactDirectionsAtStepEnd(contact, f.to.frame);
  f.to.surfaceRate = surfaceVelocityAlongTangents(contact, time_, f.to);
  f.endSurface = componentwiseProduct(set_->contact(contact).tangentScale, f.to.surfaceRate);
}

void FollowedFlights::setNormalOfApproachedSide(int contact,
                                                const std::array<double, 4>& axisRates) noexcept {
  const FollowedFlight& f = *freeFlightOfContact(contact);
  const auto normals = normalsOfSidesAtCorner(set_->contact(contact).obstacle, f.to.place);
  if (!normals) return;
  const Local<double> velocity{axisRates[0] + f.endVelocity[0], axisRates[1] + f.endVelocity[1],
                               axisRates[2] + f.endVelocity[2]};
  const double first = innerProduct((*normals)[0], velocity), second = innerProduct((*normals)[1], velocity);
  if (!(std::min(first, second) < 0.0)) return;
  setContactDirectionsAtStepEnd(
      contact,
      contactFrameAtNormal<double>(TangentKind::inPlane, (*normals)[first < second ? 0 : 1], nullptr));
}

void FollowedFlights::setContactDirectionsAtStepEnd(int contact, const ContactFrame<double>& frame) noexcept {
  FollowedFlight& f = *freeFlightOfContact(contact);
  f.last[0] = makeContactDirectionRow(frame.normal, 1.0, 0.0);
  setTangentDirectionRows(set_->contact(contact), frame.first, frame.second, rollingSlipFactor(frame),
                          f.last);
  for (std::size_t i = 0; i < 3; ++i)
    f.endCarried[i] = rateAlongContactDirection(f.last[i], localRatesWithoutRotation(f.endVelocity));
}

void FollowedFlights::advanceTimeFunctions(double t, double tolerance) noexcept {
  for (FunctionCursor& cursor : speeds_) cursor.advance(t, tolerance);
}

void FollowedFlights::acceptStep() noexcept {
  for (FollowedFlight& f : flights_) {
    f.from = f.to;
    f.startVelocity = f.endVelocity;
  }
}

}  // namespace ricochet
