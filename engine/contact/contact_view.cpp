#include "engine/contact/contact_view.hpp"

namespace ricochet {
namespace {

/// Gap, side and positions of a contact at a state; the slip velocity when it is wanted.
double fillKinematics(const ContactSet& set, int i, const State& s, bool closed, ContactView& view) {
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  const double* row = set.row(i, 0);
  const double along = row == nullptr ? 0.0 : kernels::dot(row, s.q.data(), set.rowSize());
  const ModalCoordinates coordinates(set, i, motion, along);
  for (int axis = 0; axis < 3; ++axis) view.position[axis] = coordinates.position(axis);
  const double side = std::visit(
      [&](const auto& shape) {
        view.gap = shape.gap(view.position[0]);
        return shape.side(view.position[0]);
      },
      set.contact(i).obstacle);
  view.gapRate = side * coordinates.rate(0);
  view.slipVelocity = {};
  if (closed) {
    Tangential<double> rate{coordinates.rate(1), coordinates.rate(2)};
    for (const SurfaceTerm& term : set.contact(i).surface)
      rate = rate - scaled(term.speed.at(s.time), term.direction);
    view.slipVelocity = {side * rate.first, rate.second};
  }
  return side;
}

}  // namespace

void viewContacts(const ContactRun& contacts, const State& s, std::vector<ContactView>& views) {
  const ContactSet& set = contacts.set();
  views.resize(static_cast<std::size_t>(set.size()));
  for (int i = 0; i < set.size(); ++i) {
    const ContactState& state = contacts.state(static_cast<std::size_t>(i));
    ContactView& view = views[static_cast<std::size_t>(i)];
    const double side = fillKinematics(set, i, s, state.closed(), view);
    view.normalForce = state.closed() ? state.compression : 0.0;
    view.tangentialForce = {};
    if (state.closed()) view.tangentialForce = {side * state.traction.first, state.traction.second};
    view.spinMoment = view.slipSpeed = 0.0;
    if (state.closed() && set.isArea(i)) {
      const AreaState& area = contacts.area(static_cast<std::size_t>(i));
      view.spinMoment = side * area.moment;
      view.slipSpeed = area.memory.slipSpeed;
    }
    view.frictionEnergy = contacts.totals()[static_cast<std::size_t>(i)].frictionEnergy;
    view.phase = state.phase(set.hasTraction(i));
  }
}

void viewBetween(const ContactSet& set, std::span<const ContactView> from, std::span<const ContactView> to,
                 double theta, const State& s, std::vector<ContactView>& views) {
  views.resize(from.size());
  for (int i = 0; i < set.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto blend = [theta](double a, double b) { return a + theta * (b - a); };
    ContactView& view = views[k];
    view.phase = from[k].phase;
    fillKinematics(set, i, s, view.phase != ContactPhase::open, view);
    view.spinMoment = blend(from[k].spinMoment, to[k].spinMoment);
    view.slipSpeed = blend(from[k].slipSpeed, to[k].slipSpeed);
    view.frictionEnergy = blend(from[k].frictionEnergy, to[k].frictionEnergy);
    view.normalForce = blend(from[k].normalForce, to[k].normalForce);
    view.tangentialForce = {blend(from[k].tangentialForce.first, to[k].tangentialForce.first),
                            blend(from[k].tangentialForce.second, to[k].tangentialForce.second)};
  }
}

}  // namespace ricochet
