// Parts of the HTML page of a result: thinned histories, intervals of states, spectra, JSON.

#include "io/app/plot/contact_bands.hpp"
#include "io/app/report/page_data.hpp"
#include "io/app/report/reduction.hpp"
#include "io/app/report/spectrum.hpp"
#include "io/archive/contact_phases.hpp"
#include "io/archive/time_window.hpp"
#include "io/text/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(RowReduction, KeepsEveryRowOfAShortHistory) {
  const RowReduction reduction(6, 3);
  const std::vector<double> history{3.0, 1.0, 4.0, 1.0, 5.0, 9.0};
  EXPECT_FALSE(reduction.isHistoryReduced());
  EXPECT_EQ(reduction.drawnValues(history), history);
  EXPECT_EQ(reduction.valuesAtSharedRows(history), history);
}

TEST(RowReduction, KeepsLowestAndHighestOfEachSpanInTheirOrder) {
  const RowReduction reduction(9, 2);  // rows 0 to 3 and 4 to 8
  const std::vector<double> time{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
  const std::vector<double> history{0.0, 7.0, 1.0, -2.0, 5.0, -6.0, 8.0, 0.0, 1.0};
  EXPECT_TRUE(reduction.isHistoryReduced());
  EXPECT_THAT(reduction.drawnValues(history), ElementsAre(7.0, -2.0, -6.0, 8.0));
  EXPECT_THAT(reduction.drawnTimes(time), ElementsAre(0.0, 0.3, 0.4, 0.8));
  EXPECT_THAT(reduction.valuesAtSharedRows(history), ElementsAre(0.0, -6.0));  // every fifth row
}

TEST(RowReduction, LeavesOutWhatIsNoNumber) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> drawn = RowReduction(5, 1).drawnValues(std::vector{none, 2.0, none, 1.0, none});
  EXPECT_THAT(drawn, ElementsAre(2.0, 1.0));
}

TEST(StateSpans, EndWhereTheStateChanges) {
  const std::vector<StatePhase> spans = phasesOfContact({{0.0, 1.0, 2.0, 3.0, 4.0}, {0, 0, 2, 2, 1}}, {});
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[0].to, 2.0);
  EXPECT_EQ(spans[1].state, 2);
  EXPECT_EQ(spans[1].from, 2.0);
  EXPECT_EQ(spans[2].to, 4.0);
}

TEST(StateSpans, ManyShortOnesAreTakenTogetherAndLongOnesStay) {
  std::vector<StateSpan> all{{0.0, 0.5, 1}};  // at rest for half of the time, then changing each millisecond
  for (int i = 500; i < 1000; ++i) all.push_back({0.001 * i, 0.001 * (i + 1), i % 2});
  const std::vector<StateSpan> spans = mergeShortStateSpans(all, 50);
  EXPECT_LE(spans.size(), 50U);
  EXPECT_EQ(spans.front().state, 1);
  EXPECT_EQ(spans.front().to, 0.5);
  for (std::size_t i = 1; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i].state, kSeveralStates);
    EXPECT_EQ(spans[i].from, spans[i - 1].to);
  }
  EXPECT_EQ(spans.back().to, 1.0);
}

/// Rows every half second see nothing of two contacts of 0.3 s; the first begins to slip, the second tells
/// nothing.
TEST(ContactPhases, AreThoseOfTheEventsWhereNoRowLiesInTheContact) {
  using enum EventKind;
  const ContactStates rows{{0.0, 0.5, 1.0, 1.5}, {0, 0, 0, 0}};
  const std::vector<StatePhase> phases = phasesOfContact(
      rows, {{0.1, closing}, {0.2, stickToSlip}, {0.4, opening}, {1.1, closing}, {1.4, opening}});
  ASSERT_EQ(phases.size(), 6U);
  const std::vector<double> from{0.0, 0.1, 0.2, 0.4, 1.1, 1.4};
  const std::vector<std::int8_t> states{kOpenState, kStickState,  kSlipState,
                                        kOpenState, kClosedState, kOpenState};
  for (std::size_t i = 0; i < phases.size(); ++i) {
    EXPECT_EQ(phases[i].from, from[i]);
    EXPECT_EQ(phases[i].to, i + 1 < from.size() ? from[i + 1] : 1.5);
    EXPECT_EQ(phases[i].state, states[i]);
  }
}

TEST(ContactPhases, AreThoseOfTheRowsInTheContact) {
  using enum EventKind;
  const std::vector<StatePhase> phases =
      phasesOfContact({{0.0, 0.1, 0.25, 0.5}, {0, 0, 1, 0}}, {{0.1, closing}, {0.4, opening}});
  ASSERT_EQ(phases.size(), 3U);
  EXPECT_EQ(phases[1].state, kStickState);
  const std::vector<StatePhase> last = phasesOfContact({{0.0, 0.5}, {0, 2}}, {{0.1, closing}});
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[1].state, kSlipState);
}

/// Phases before the first row and after the last are left out, also where the state of the first row is that
/// of other phases.
TEST(ContactPhases, AreThoseOfTheTimeThatIsShown) {
  using enum EventKind;
  const ContactStates rows{{0.3, 0.6}, {0, 0}};
  const ContactEvents events{{0.1, closing}, {0.2, opening}, {0.4, closing},
                             {0.5, opening}, {0.7, closing}, {0.8, opening}};
  for (const bool slides : {true, false}) {
    const std::vector<StatePhase> phases = contactPhasesBetween(rows, events, slides, 0.3, 0.6);
    ASSERT_EQ(phases.size(), 3U);
    const std::vector<double> edges{0.3, 0.4, 0.5, 0.6};
    for (std::size_t i = 0; i < phases.size(); ++i) {
      EXPECT_EQ(phases[i].from, edges[i]);
      EXPECT_EQ(phases[i].to, edges[i + 1]);
      EXPECT_EQ(phases[i].state, i == 1 ? kClosedState : kOpenState);
    }
  }
}

/// The rows of a contact without friction call it slipping.
TEST(ContactPhases, WithoutFrictionAreClosed) {
  const ContactStates rows{{0.0, 1.0, 2.0}, {0, 2, 2}};
  EXPECT_EQ(contactPhasesBetween(rows, {}, true, 0.0, 2.0).back().state, kSlipState);
  EXPECT_EQ(contactPhasesBetween(rows, {}, false, 0.0, 2.0).back().state, kClosedState);
}

/// Rows at sums of steps are those of the instants that a user writes; their neighbours are not.
TEST(TimeWindow, HoldsRowsWithinRounding) {
  const std::vector<double> rows{0.33, 0.34, 0.35000000000000003, 0.36};
  const TimeWindow window(0.34000000000000002, 0.35, rows);
  EXPECT_FALSE(window.contains(0.33));
  EXPECT_TRUE(window.contains(rows[1]));
  EXPECT_TRUE(window.contains(rows[2]));
  EXPECT_FALSE(window.contains(0.36));
  EXPECT_FALSE(TimeWindow({}, 1e-9, std::vector{0.0, 1.0}).contains(1e-8));
  EXPECT_TRUE(TimeWindow({}, {}, rows).contains(0.36));
}

/// (-1)^i has its whole amplitude at the last frequency, which stands for both +f and -f.
TEST(Spectrum, ShowsTheAmplitudeAtTheLastFrequency) {
  std::vector<double> time, values;
  for (int i = 0; i < 256; ++i) {
    time.push_back(0.001 * i);
    values.push_back(i % 2 == 0 ? 0.7 : -0.7);
  }
  const Spectrum spectrum(time);
  EXPECT_NEAR(spectrum.frequencies().back(), 500.0, 1e-9);
  EXPECT_NEAR(spectrum.amplitudes(values).back(), 0.7, 1e-12);
}

/// Instants of `rows` rows, 1 ms apart.
std::vector<double> milliseconds(std::size_t rows) {
  std::vector<double> time;
  for (std::size_t i = 0; i < rows; ++i) time.push_back(1e-3 * static_cast<double>(i));
  return time;
}

TEST(Spectrum, ShowsTheAmplitudeOfASine) {
  const std::vector<double> time = milliseconds(1024);
  const double frequency = 40.0 / 1.024;  // the fortieth line of the spectrum
  std::vector<double> history;
  for (const double t : time)
    history.push_back(5.0 + 3.0 * std::sin(2.0 * std::numbers::pi * frequency * t + 0.3));
  const Spectrum spectrum(time);
  EXPECT_FALSE(spectrum.isHistoryInterpolated());
  EXPECT_EQ(spectrum.segmentCount(), 1U);
  const std::vector<double> lines = spectrum.frequencies(), amplitudes = spectrum.amplitudes(history);
  ASSERT_EQ(lines.size(), amplitudes.size());
  EXPECT_THAT(lines[39], DoubleNear(frequency, 1e-9));
  EXPECT_THAT(amplitudes[39], DoubleNear(3.0, 1e-9));
  // The Hann window gives half of the value in the next line.
  EXPECT_THAT(amplitudes[38], DoubleNear(1.5, 1e-9));
  EXPECT_THAT(amplitudes[45], DoubleNear(0.0, 1e-9));
}

TEST(Spectrum, InterpolatesRowsOfEventsAndAveragesSegments) {
  std::vector<double> time = milliseconds(3073);
  time.insert(time.begin() + 100, 0.0994);  // a row for an event
  std::vector<double> history;
  for (const double t : time) history.push_back(2.0 * std::cos(2.0 * std::numbers::pi * 10.0 * t));
  const Spectrum spectrum(time);
  EXPECT_TRUE(spectrum.isHistoryInterpolated());
  EXPECT_EQ(spectrum.segmentCount(), 2U);
  const std::vector<double> amplitudes = spectrum.amplitudes(history);
  EXPECT_THAT(*std::max_element(amplitudes.begin(), amplitudes.end()),
              DoubleNear(2.0, 0.3));  // frequency between two lines of the spectrum
}

TEST(Spectrum, IsEmptyForFewRows) {
  const std::vector<double> time = milliseconds(10);
  EXPECT_TRUE(Spectrum(time).empty());
}

TEST(Json, TextsCannotEndTheirElement) {
  EXPECT_EQ(jsonString("</script>\"\\\n&"), R"("\u003c/script\u003e\"\\\u000a\u0026")");
  EXPECT_EQ(jsonNumber(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(jsonNumber(0.1), "0.1");
}

TEST(PageData, TakesDoublesWhereFloatsWouldShowSteps) {
  PageData data;
  EXPECT_THAT(data.appendReals(std::vector{0.0, 1.0}), testing::HasSubstr("\"f4\""));
  EXPECT_THAT(data.appendReals(std::vector{1.0, 1.0 + 1e-6}), testing::HasSubstr("\"f8\""));
  EXPECT_THAT(data.appendReals(std::vector{0.0, 1e-40}), testing::HasSubstr("\"f8\""));
  EXPECT_EQ(data.appendDoubles(std::vector{1.0}), R"({"at":40,"n":1,"type":"f8"})");
}

TEST(PageData, IsBase64) {
  PageData data;
  data.appendBytes(std::vector<std::int8_t>{77, 97, 110, 77});  // "ManM"
  EXPECT_EQ(data.base64(), "TWFuTQ==");
}

}  // namespace
}  // namespace ricochet
