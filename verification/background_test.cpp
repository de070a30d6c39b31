// What a run hands to another thread: work in order, failures that come back, rows as they were archived.

#include "io/background.hpp"

#include "io/row_pages.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ricochet {
namespace {

TEST(Background, DoesOneWorkAfterTheOther) {
  std::vector<int> done;  // guarded by nothing but the order
  Background background;
  for (int i = 0; i < 50; ++i) background.begin([&done, i] { done.push_back(i); });
  background.settle();
  ASSERT_EQ(done.size(), 50U);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
  EXPECT_FALSE(background.busy());
}

TEST(Background, IsBusyWhileItWorksOnAnotherThread) {
  std::atomic<bool> mayEnd{false};
  std::thread::id worker;
  Background background;
  EXPECT_FALSE(background.busy());
  background.begin([&] {
    worker = std::this_thread::get_id();
    mayEnd.wait(false);
  });
  EXPECT_TRUE(background.busy());
  mayEnd = true;
  mayEnd.notify_all();
  background.settle();
  EXPECT_FALSE(background.busy());
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Background, GivesAFailureToWhoeverSettlesNext) {
  Background background;
  background.begin([] { throw std::runtime_error("the disk is full"); });
  bool began = false;
  EXPECT_THROW(background.begin([&] { began = true; }), std::runtime_error);
  EXPECT_FALSE(began);
  background.settle();  // told once
  background.begin([&] { began = true; });
  background.settle();
  EXPECT_TRUE(began);
}

TEST(Background, IsWaitedForAtItsEnd) {
  std::atomic<bool> done{false};
  {
    Background background;
    background.begin([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    });
  }
  EXPECT_TRUE(done);
}

/// Every value of every page, in order.
std::vector<double> valuesOf(const RowPages& rows) {
  std::vector<double> values;
  for (std::size_t p = 0; p < rows.pages(); ++p)
    values.insert(values.end(), rows.page(p).begin(), rows.page(p).end());
  return values;
}

TEST(RowPages, KeepsRowsInOrder) {
  // rows smaller than a page, of about a page, and larger than one
  for (const std::size_t size : {1U, 7U, 16384U, 20000U}) {
    RowPages rows(size);
    for (const std::size_t count : {5U, 20000U, 1U}) {
      const std::size_t n = size > 100 ? count % 7 + 1 : count;
      std::vector<double> expected;
      for (std::size_t i = 0; i < n; ++i) {
        const std::span<double> row = rows.add();
        ASSERT_EQ(row.size(), size);
        for (double& x : row) expected.push_back(x = static_cast<double>(expected.size()) + 0.5);
      }
      EXPECT_EQ(valuesOf(rows), expected) << size;
      rows.clear();
      EXPECT_TRUE(valuesOf(rows).empty());
    }
  }
}

}  // namespace
}  // namespace ricochet
