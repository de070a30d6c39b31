#pragma once

#include <CLI/CLI.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ricochet::cross {

/// Models that a subcommand examines, and the treatment of models with a disagreement.
struct Campaign {
  int models{500};
  int first{0};
  std::uint64_t seed{1};
  std::optional<int> only;
  std::string write;
  std::string known;
  int threads{2};

  void addOptions(CLI::App& command) {
    command.add_option("--models", models, "Number of models")->check(CLI::PositiveNumber);
    command.add_option("--first", first, "Index of the first model")->check(CLI::NonNegativeNumber);
    command.add_option("--seed", seed, "Seed of the models");
    command.add_option("--only", only, "Examine the model of this index and print more about it");
    command.add_option("--write", write, "Folder for minimised decks of models that disagree");
    command.add_option("--known", known, "File that lists models known to disagree");
    command.add_option("--threads", threads, "Number of threads")->check(CLI::PositiveNumber);
  }

  /// Calls `examine(index)` for every model, on the threads.
  template <class Examine>
  void forEachModel(Examine&& examine) const {
    if (!write.empty()) std::filesystem::create_directories(write);
    const int begin = only.value_or(first);
    const int end = begin + (only ? 1 : models);
    std::atomic<int> next{begin};
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; ++i)
      pool.emplace_back([&] {
        for (int index = next++; index < end; index = next++) examine(index);
      });
    for (std::thread& thread : pool) thread.join();
  }
};

}  // namespace ricochet::cross
