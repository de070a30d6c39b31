#include "verification/support/study.hpp"

#include "engine/study/run_transient.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

namespace ricochet::test {
namespace {

class StudyFeed : public batch::LaneFeed {
 public:
  explicit StudyFeed(StudyVariants& study) : study_(study) {}
  bool nextVariant(batch::LaneCase& variant) override {
    if (next_ == study_.size()) return false;
    StudyVariant& v = study_[next_++];
    variant = {v.equation.get(), &v.state, &v.observer};
    return true;
  }
  void receiveReportOfVariant(const batch::LaneCase& variant, const Report& report) override {
    for (StudyVariant& v : study_) {
      if (v.equation.get() != variant.equation) continue;
      EXPECT_FALSE(v.ended) << "told twice";
      v.ended = true;
      v.report = report;
    }
  }

 private:
  StudyVariants& study_;
  std::size_t next_{0};
};

/// Collects the names of the quantities that differ.
class Difference {
 public:
  void operator()(std::string_view name, double a, double b) {
    if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return;
    if (count_++ < 8)
      text_ += std::string(name) + " " + ::testing::PrintToString(a) + " and alone " +
               ::testing::PrintToString(b) + "; ";
  }
  void operator()(std::string_view name, const Vector& a, const Vector& b) {
    (*this)(name, static_cast<double>(a.size()), static_cast<double>(b.size()));
    for (Eigen::Index i = 0; i < std::min(a.size(), b.size()); ++i) (*this)(name, a[i], b[i]);
  }
  void operator()(std::string_view name, const State& a, const State& b) {
    (*this)(name, a.time, b.time);
    (*this)(name, a.q, b.q);
    (*this)(name, a.v, b.v);
    (*this)(name, a.a, b.a);
  }
  void operator()(std::string_view name, const EnergyLedger& a, const EnergyLedger& b) {
    (*this)(name, a.kinetic, b.kinetic);
    (*this)(name, a.elastic, b.elastic);
    (*this)(name, a.contact, b.contact);
    (*this)(name, a.damping, b.damping);
    (*this)(name, a.friction, b.friction);
    (*this)(name, a.external, b.external);
    (*this)(name, a.initial, b.initial);
  }
  void operator()(std::string_view name, const ContactView& a, const ContactView& b) {
    (*this)(name, a.gap, b.gap);
    (*this)(name, a.gapRate, b.gapRate);
    (*this)(name, a.normalForce, b.normalForce);
    (*this)(name, a.tangentialForce.first, b.tangentialForce.first);
    (*this)(name, a.tangentialForce.second, b.tangentialForce.second);
    (*this)(name, a.slipVelocity.first, b.slipVelocity.first);
    (*this)(name, a.slipVelocity.second, b.slipVelocity.second);
    (*this)(name, static_cast<double>(a.phase), static_cast<double>(b.phase));
    for (int axis = 0; axis < 3; ++axis) (*this)(name, a.position[axis], b.position[axis]);
  }
  void operator()(std::string_view name, const Recorder::Row& a, const Recorder::Row& b) {
    (*this)(name, a.state, b.state);
    (*this)(name, a.ledger, b.ledger);
    for (std::size_t i = 0; i < a.contacts.size(); ++i) (*this)(name, a.contacts[i], b.contacts[i]);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int count_{0};
};

void compareRecordedRuns(Difference& differ, const Recorder& a, const Recorder& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) differ("row", a.rows[i], b.rows[i]);
  ASSERT_EQ(a.shown.size(), b.shown.size());
  for (std::size_t i = 0; i < a.shown.size(); ++i) {
    EXPECT_EQ(a.shown[i].first, b.shown[i].first);
    differ("instant", a.shown[i].second, b.shown[i].second);
  }
  ASSERT_EQ(a.all.size(), b.all.size());
  for (std::size_t i = 0; i < a.all.size(); ++i) {
    differ("event", a.all[i].time, b.all[i].time);
    differ("contact of an event", a.all[i].contact, b.all[i].contact);
    differ("kind of an event", static_cast<double>(a.all[i].kind), static_cast<double>(b.all[i].kind));
  }
}

void compareReports(Difference& differ, const Report& a, const Report& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.contact, b.contact);
  differ("time", a.time, b.time);
  differ("energy error", a.energyError, b.energyError);
  differ("energy", a.energy, b.energy);
}

}  // namespace

void runInLanes(StudyVariants& study, std::string_view scheme, const TransientOptions& options,
                const batch::LaneOptions& lanes) {
  ASSERT_EQ(batch::reasonAgainstLanes(scheme, *study.front().model, options), "");
  for (const StudyVariant& variant : study)
    ASSERT_EQ(batch::reasonAgainstSharingLanes(*study.front().model, *variant.model), "");
  StudyFeed feed(study);
  batch::LaneRun(scheme, *study.front().model, options, lanes).run(feed);
}

void runVariantsAlone(StudyVariants& study, std::string_view scheme, const TransientOptions& options) {
  for (StudyVariant& v : study) {
    v.report = run(scheme, *v.equation, v.state, options, v.observer);
    v.ended = true;
  }
}

void expectSameBits(const StudyVariant& lanes, const StudyVariant& alone, std::size_t what) {
  SCOPED_TRACE("variant " + std::to_string(what));
  Difference differ;
  ASSERT_TRUE(lanes.ended);
  compareReports(differ, lanes.report, alone.report);
  differ("state", lanes.state, alone.state);
  compareRecordedRuns(differ, lanes.observer, alone.observer);
  const auto a = lanes.equation->contacts().runTotals();
  const auto b = alone.equation->contacts().runTotals();
  for (std::size_t i = 0; i < b.size(); ++i) {
    differ("impacts", a[i].impacts, b[i].impacts);
    differ("impulse", a[i].impulse, b[i].impulse);
    differ("friction energy", a[i].frictionEnergy, b[i].frictionEnergy);
    differ("peak force", a[i].peakForce, b[i].peakForce);
  }
  if (const StepStatistics* statistics = lanes.observer.statistics.get())
    for (std::size_t i = 0; i < statistics->channels().size(); ++i) {
      differ("largest", statistics->largest(i), alone.observer.statistics->largest(i));
      differ("smallest", statistics->smallest(i), alone.observer.statistics->smallest(i));
      differ("mean", statistics->mean(i), alone.observer.statistics->mean(i));
      differ("rms", statistics->rootMeanSquare(i), alone.observer.statistics->rootMeanSquare(i));
    }
  EXPECT_EQ(differ.text(), "");
}

}  // namespace ricochet::test
