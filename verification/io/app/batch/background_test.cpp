// Work of a run in another thread: work in order, returned failures, rows as they were archived.

#include "io/result/background.hpp"

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/quantities/row_pages.hpp"
#include "verification/support/program.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ricochet {
namespace {

TEST(Background, DoesOneWorkAfterTheOther) {
  std::vector<int> done;  // only the order of the work protects this variable
  Background background;
  for (int i = 0; i < 50; ++i) background.startTask([&done, i] { done.push_back(i); });
  background.waitForTask();
  ASSERT_EQ(done.size(), 50U);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
  EXPECT_FALSE(background.isTaskRunning());
}

TEST(Background, IsBusyWhileItWorksOnAnotherThread) {
  std::atomic<bool> mayEnd{false};
  std::thread::id worker;
  Background background;
  EXPECT_FALSE(background.isTaskRunning());
  background.startTask([&] {
    worker = std::this_thread::get_id();
    mayEnd.wait(false);
  });
  EXPECT_TRUE(background.isTaskRunning());
  mayEnd = true;
  mayEnd.notify_all();
  background.waitForTask();
  EXPECT_FALSE(background.isTaskRunning());
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Background, GivesAFailureToWhoeverSettlesNext) {
  Background background;
  background.startTask([] { throw std::runtime_error("the disk is full"); });
  bool began = false;
  EXPECT_THROW(background.startTask([&] { began = true; }), std::runtime_error);
  EXPECT_FALSE(began);
  background.waitForTask();  // told once
  background.startTask([&] { began = true; });
  background.waitForTask();
  EXPECT_TRUE(began);
}

TEST(Background, IsWaitedForAtItsEnd) {
  std::atomic<bool> done{false};
  {
    Background background;
    background.startTask([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
  }
  EXPECT_TRUE(done);
}

/// Expects every value of every page, in order.
std::vector<double> valuesOf(const RowPages& rows) {
  std::vector<double> values;
  for (std::size_t p = 0; p < rows.pageCount(); ++p)
    values.insert(values.end(), rows.valuesOfPage(p).begin(), rows.valuesOfPage(p).end());
  return values;
}

TEST(RowPages, KeepsRowsInOrder) {
  // Rows smaller than a page, of about a page, and larger than a page.
  for (const std::size_t size : {1U, 7U, 16384U, 20000U}) {
    RowPages rows(size);
    for (const std::size_t count : {5U, 20000U, 1U}) {
      const std::size_t n = size > 100 ? count % 7 + 1 : count;
      std::vector<double> expected;
      for (std::size_t i = 0; i < n; ++i) {
        const std::span<double> row = rows.appendRow();
        ASSERT_EQ(row.size(), size);
        for (double& x : row) expected.push_back(x = static_cast<double>(expected.size()) + 0.5);
      }
      EXPECT_EQ(valuesOf(rows), expected) << size;
      rows.clear();
      EXPECT_TRUE(valuesOf(rows).empty());
    }
  }
}

/// Rows of many blocks, which are written while the run fills the next block: each row belongs to one
/// instant, in order.
TEST(RowsBesideARun, AreThoseOfTheRun) {
  constexpr double kStep = 1e-5;         // [s]
  constexpr double kEigenvalue = 1.0e4;  // stiffness over mass of the oscillator [1/s^2]
  const test::ScratchFolder folder;
  std::string text = test::bouncer(0.2);
  text.replace(text.find("every = 100"), 11, "every = 2");
  folder.write("deck.toml", text);
  const Deck study = readDeck(folder.path() / "deck.toml");
  const std::filesystem::path result = folder.path() / "deck.h5";
  const RunSummary summary = runStudy(study, *prepare(study), {.result = result, .progress = false});
  ASSERT_EQ(summary.report.status, RunStatus::complete);

  const H5File file = H5File::open(result);
  const auto column = [&](const char* name) { return file.readAny<double>(name).values; };
  const std::vector<double> time = column("/transient/time"), q = column("/transient/displacement"),
                            v = column("/transient/velocity"), kinetic = column("/energy/kinetic"),
                            elastic = column("/energy/elastic");
  ASSERT_EQ(time.size(), 10'001U);
  ASSERT_EQ(summary.rows, time.size());
  for (const auto* each : {&q, &v, &kinetic, &elastic}) ASSERT_EQ(each->size(), time.size());
  for (std::size_t i = 0; i < time.size(); ++i) {
    ASSERT_NEAR(time[i], 2.0 * kStep * static_cast<double>(i), 1e-12);
    ASSERT_DOUBLE_EQ(kinetic[i], 0.5 * v[i] * v[i]) << time[i];
    ASSERT_DOUBLE_EQ(elastic[i], 0.5 * kEigenvalue * q[i] * q[i]) << time[i];
  }
  EXPECT_EQ(static_cast<long long>(column("/events/time").size()), summary.report.events);
}

}  // namespace
}  // namespace ricochet
