// Properties that every listed probe must have.

#include "engine/transient/probes.hpp"
#include "verification/support/models.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// All variants of a kind of probe on a model of three modes.
template <class P>
std::vector<P> variants() {
  std::vector<P> all;
  for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration}) {
    if constexpr (std::is_same_v<P, GeneralizedProbe>) all.push_back({kind, 3});
    if constexpr (std::is_same_v<P, RestoredProbe>) all.push_back({kind, Matrix::Constant(2, 3, 0.5)});
    if constexpr (std::is_same_v<P, PickedProbe>)
      all.push_back({kind, Matrix(Matrix::Constant(2, 3, 0.5)).sparseView()});
  }
  if constexpr (requires { P::kAll; })
    for (const auto kind : P::kAll) all.push_back(P{kind});
  return all;
}

template <class P>
class ProbeTest : public ::testing::Test {
 protected:
  ProbeTest() : state(3) {
    state.q.head(3) << 1.0, 2.0, 3.0;
    state.v.head(3) << 0.1, 0.2, 0.3;
    state.a.head(3) << -1.0, -2.0, -4.0;
    contacts[0].normalForce = 7.0;
  }
  State state;
  std::vector<ContactView> contacts{1};
  EnergyLedger ledger;
  std::vector<LinkState> links{1};
  StepView view{state, contacts, ledger, links};
};

struct ProbeName {
  template <class P>
  static std::string GetName(int) {
    return std::is_same_v<P, GeneralizedProbe> ? "generalized"
           : std::is_same_v<P, RestoredProbe>  ? "restored"
           : std::is_same_v<P, PickedProbe>    ? "picked"
           : std::is_same_v<P, ContactProbe>   ? "contact"
           : std::is_same_v<P, LinkProbe>      ? "link"
           : std::is_same_v<P, EnergyProbe>    ? "energy"
                                               : "other";
  }
};
TYPED_TEST_SUITE(ProbeTest, test::TypesOf<Probes>::type, ProbeName);

TYPED_TEST(ProbeTest, DescribesItself) {
  static_assert(Probe<TypeParam>);
  ASSERT_FALSE(variants<TypeParam>().empty()) << "list the variants of this probe";
  for (const TypeParam& probe : variants<TypeParam>()) {
    EXPECT_FALSE(probe.name().empty());
    EXPECT_FALSE(probe.unit().empty()) << probe.name();
    EXPECT_FALSE(probe.meaning().empty()) << probe.name();
    EXPECT_GT(probe.size(), 0U) << probe.name();
  }
}

TYPED_TEST(ProbeTest, HasDistinctNames) {
  std::vector<std::string> names;
  for (const TypeParam& probe : variants<TypeParam>()) names.emplace_back(probe.name());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TYPED_TEST(ProbeTest, FillsItsRowAndNothingElse) {
  constexpr double kUntouched = 1234.5;
  for (const TypeParam& probe : variants<TypeParam>()) {
    std::vector<double> row(probe.size() + 1, std::nan(""));
    row.back() = kUntouched;
    probe.sample(this->view, std::span<double>(row.data(), probe.size()));
    for (std::size_t i = 0; i < probe.size(); ++i)
      EXPECT_TRUE(std::isfinite(row[i])) << probe.name() << "[" << i << "]";
    EXPECT_EQ(row.back(), kUntouched) << probe.name();
  }
}

TEST(RestoredProbe, IsRowsTimesGeneralizedCoordinates) {
  State state(3);
  state.v.head(3) << 1.0, 2.0, 3.0;
  const EnergyLedger ledger;
  const StepView view{state, {}, ledger};
  Matrix rows(3, 3);
  rows << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 10.0, 100.0;
  std::vector<double> row(3);
  RestoredProbe{Kinematic::velocity, rows}.sample(view, row);
  EXPECT_EQ(row, (std::vector<double>{1.0, 0.0, 321.0}));
}

TEST(PickedProbe, IsTheRestoredOneWithFewEntries) {
  State state(3);
  state.v.head(3) << 1.0, 2.0, 3.0;
  const EnergyLedger ledger;
  const StepView view{state, {}, ledger};
  Matrix rows(2, 3);
  rows << 0.0, 0.0, 1.0, -1.0, 0.0, 10.0;
  std::vector<double> row(2);
  const PickedProbe probe{Kinematic::velocity, rows.sparseView()};
  probe.sample(view, row);
  EXPECT_EQ(row, (std::vector<double>{3.0, 29.0}));
  EXPECT_EQ(probe.unit(), (RestoredProbe{Kinematic::velocity, rows}.unit()));
}

TEST(EnergyProbe, ShowsEachPartOfTheLedger) {
  const State state(1);
  EnergyLedger ledger;
  ledger.kinetic = 1.0;
  ledger.elastic = 2.0;
  ledger.damping = 4.0;
  ledger.contact = 8.0;
  ledger.friction = 16.0;
  ledger.external = 32.0;
  ledger.initial = 64.0;
  const StepView view{state, {}, ledger};
  std::vector<double> values;
  for (const EnergyProbe::Part part : EnergyProbe::kAll) {
    double value = 0.0;
    EnergyProbe{part}.sample(view, std::span<double>(&value, 1));
    values.push_back(value);
  }
  // The energy balance is 1 + 2 + 4 + 8 + 16 - 32 - 64.
  EXPECT_EQ(values, (std::vector<double>{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, -65.0}));
}

}  // namespace
}  // namespace ricochet
