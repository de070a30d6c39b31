#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "verification/support/stepper.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace ricochet::test {

/// Compares a run with a run whose contacts are all evaluated in every step, without screening by distance.
template <class I>
void compareWithUnscreenedContacts(const ModalModel& model, double h, int steps) {
  Stepper<I> lazy(model, h, State(model.linear.modes));
  Stepper<I> woken(model, h, State(model.linear.modes));
  long events = 0;
  for (int n = 0; n < steps; ++n) {
    woken.equation().contacts().restore(woken.equation().contacts().states());
    lazy.step();
    woken.step();
    ASSERT_EQ(lazy.state().q, woken.state().q) << I::keyword << ", step " << n;
    ASSERT_EQ(lazy.state().v, woken.state().v);
    auto& mine = lazy.equation().contacts().events();
    auto& other = woken.equation().contacts().events();
    ASSERT_EQ(mine.size(), other.size());
    for (std::size_t k = 0; k < mine.size(); ++k) {
      ASSERT_EQ(mine[k].time, other[k].time) << "step " << n;
      ASSERT_EQ(mine[k].contact, other[k].contact);
      ASSERT_EQ(mine[k].kind, other[k].kind);
    }
    events += static_cast<long>(mine.size());
    mine.clear();
    other.clear();
  }
  EXPECT_GT(events, 20) << I::keyword;
  const EnergyLedger a = lazy.equation().ledger(lazy.state());
  const EnergyLedger b = woken.equation().ledger(woken.state());
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.external, b.external);
}

}  // namespace ricochet::test
