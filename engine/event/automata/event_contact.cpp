#include "engine/event/automata/event_contact.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

double sizeOf(const double* row, Eigen::Index size) {
  return row == nullptr ? 0.0 : std::sqrt(kernels::dot(row, row, size));
}

/// Lines on which a contact point moves tangentially: a single one if the two rows are parallel.
void findTangents(const ContactSet& set, const ModePlanes& planes, EventContact& c) {
  const Eigen::Index size = planes.size();
  const double* rows[2] = {planes.row(set.row(c.index, 1)), planes.row(set.row(c.index, 2))};
  const double sizes[2] = {sizeOf(rows[0], size), sizeOf(rows[1], size)};
  bool surfaceMoves[2] = {false, false};
  for (const SurfaceTerm& term : c.contact->surface) {
    surfaceMoves[0] |= term.direction.first != 0.0;
    surfaceMoves[1] |= term.direction.second != 0.0;
  }
  const auto use = [&](const Tangential<double>& axis, const double* row) {
    const auto a = static_cast<std::size_t>(c.tangents++);
    c.axis[a] = axis;
    c.tangentRow[a] = row;
    c.rowSize[a + 1] = sizeOf(row, size);
  };
  constexpr double kParallel = 1e-12;
  const bool parallel =
      rows[0] != nullptr && rows[1] != nullptr &&
      std::abs(kernels::dot(rows[0], rows[1], size)) >= (1.0 - kParallel) * sizes[0] * sizes[1];
  if (parallel && !surfaceMoves[0] && !surfaceMoves[1]) {
    const double sign = kernels::dot(rows[0], rows[1], size) > 0.0 ? 1.0 : -1.0;
    const double length = std::hypot(sizes[0], sizes[1]);
    const Tangential<double> axis{sizes[0] / length, sign * sizes[1] / length};
    c.ownRow[0] = axis.first * Eigen::Map<const Vector>(rows[0], size) +
                  axis.second * Eigen::Map<const Vector>(rows[1], size);
    use(axis, c.ownRow[0].data());
    return;
  }
  if (rows[0] != nullptr || surfaceMoves[0]) use({1.0, 0.0}, rows[0]);
  if (rows[1] != nullptr || surfaceMoves[1]) use({0.0, 1.0}, rows[1]);
}

}  // namespace

EventContact::EventContact(const ContactSet& set, const ModePlanes& planes, int which, int order)
    : index(which),
      contact(&set.contact(which)),
      normalRow(planes.row(set.row(which, 0))),
      origin{set.contact(which).offset[1], set.contact(which).offset[2]},
      imposed(set.contact(which).imposedForce) {
  rowSize[0] = sizeOf(normalRow, planes.size());
  if (normalRow != nullptr) rowBands = TaylorExpansion::bandsOf(normalRow, planes.planes());
  findTangents(set, planes, *this);
  for (const SurfaceTerm& term : contact->surface) surface.emplace_back(term.speed);
  std::visit(
      [this]<class L>(const L&) {
        imposedNormal = L::kImposed;
        setValuedNormal = L::kSetValued;
      },
      contact->normal);
  std::visit(
      [this]<class Law>(const Law& law) {
        if constexpr (Law::kLinear)
          stiffnessWhenClosed = -law.template force<LinearForm>(NormalState::closed, normalForms()).position;
      },
      contact->normal);
  readNumbers(set);
  pushesFromGeometry = visitPlanar(contact->obstacle, true, [](const auto& shape) { return shape.kHasGap; });

  const auto length = static_cast<std::size_t>(order + 3);
  constexpr std::size_t kSeries = 14;
  storage.assign(kSeries * length, 0.0);
  std::size_t next = 0;
  const auto take = [&] { return std::span<double>(storage.data() + length * next++, length); };
  along = take();
  gap = take();
  compression = take();
  prescribed = take();
  for (std::size_t a = 0; a < 2; ++a) {
    slide[a] = take();
    moved[a] = take();
    traction[a] = take();
    heading[a] = take();
    spring[a] = take();
  }
}

void EventContact::readNumbers(const ContactSet& set) {
  low = set.freeInterval(static_cast<std::size_t>(index)).low;
  high = set.freeInterval(static_cast<std::size_t>(index)).high;
  std::visit(
      [this]<class L>(const L& law) {
        carriesTraction = law.bearsTraction();
        setValuedStick = L::kSetValued && carriesTraction;
        if constexpr (requires { law.relaxation(); }) relaxation = carriesTraction ? law.relaxation() : 0.0;
      },
      contact->friction);
}

double EventContact::surfaceSpeed(std::size_t line, double t) const noexcept {
  double speed = 0.0;
  for (std::size_t i = 0; i < surface.size(); ++i)
    speed += surface[i].at(t) * dot(contact->surface[i].direction, axis[line]);
  return speed;
}

double EventContact::storedInStick(const FrictionKinematics<double>& k) const noexcept {
  return std::visit([&](const auto& law) { return law.template stored<double>(k, state.friction); },
                    contact->friction);
}

void combine(const LinearForm& form, const FormTerms& terms, std::span<double> series) noexcept {
  std::size_t written = 1;
  series[0] = form.constant;
  const auto add = [&](double factor, std::size_t count, const auto& term) {
    if (factor == 0.0) return;
    count = std::min(count, series.size());
    for (std::size_t k = 0; k < std::min(count, written); ++k) series[k] += factor * term(k);
    for (std::size_t k = written; k < count; ++k) series[k] = factor * term(k);
    written = std::max(written, count);
  };
  const auto of = [](std::span<const double> p) { return [p](std::size_t k) { return p[k]; }; };
  const auto rateOf = [](std::span<const double> p) {
    return [p](std::size_t k) { return static_cast<double>(k + 1) * p[k + 1]; };
  };
  add(form.position, terms.x.size(), of(terms.x));
  add(form.rate, std::max<std::size_t>(terms.x.size(), 1) - 1, rateOf(terms.x));
  add(form.input, terms.u.size(), of(terms.u));
  add(form.inputRate, std::max<std::size_t>(terms.u.size(), 1) - 1, rateOf(terms.u));
  add(form.reaction, terms.r.size(), of(terms.r));
  for (std::size_t k = written; k < series.size(); ++k) series[k] = 0.0;
}

}  // namespace ricochet
