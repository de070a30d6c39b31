#include "io/app/runs/checks_file.hpp"

#include "io/hdf5/hdf5_axes.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace ricochet {
namespace {

constexpr double kNoNumber = -1e300;  // replaces NaN, which is never written to a file

std::optional<double> decodeMissingNumber(double stored) {
  return stored == kNoNumber ? std::nullopt : std::optional(stored);
}

double encodeMissingNumber(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? *number : kNoNumber;
}

}  // namespace

void writeCheckResults(const H5File& file, const std::vector<CheckResult>& checks) {
  const std::size_t count = checks.size();
  if (count == 0) return;
  std::vector<std::string> quantities, places, sources;
  std::vector<double> times, references, published, computed, limits;
  std::vector<std::uint8_t> passed;
  for (const CheckResult& check : checks) {
    quantities.push_back(check.quantity);
    places.push_back(check.where);
    sources.push_back(check.source);
    times.push_back(encodeMissingNumber(check.time));
    references.push_back(check.reference);
    published.push_back(encodeMissingNumber(check.published));
    computed.push_back(encodeMissingNumber(check.computed));
    limits.push_back(check.limit);
    passed.push_back(check.passed ? 1 : 0);
  }
  file.writeStrings("/checks/quantity", quantities, {"1", "what is checked"});
  file.writeStrings("/checks/where", places, {"1", "node and component, contact, link or mode"});
  file.writeStrings("/checks/source", sources, {"1", "where the reference is from"});
  file.write("/checks/time", {count}, times, {"s", "instant of the check; -1e300 where it has none"});
  file.write("/checks/reference", {count}, references, {"1", "what the value must be, in SI units"});
  file.write("/checks/published", {count}, published,
             {"1", "published value, in SI units; -1e300 where there is none"});
  file.write("/checks/computed", {count}, computed,
             {"1", "value of the run, in SI units; -1e300 where it has none"});
  file.write("/checks/limit", {count}, limits,
             {"1", "largest |computed - reference| that passes, in SI units"});
  file.write("/checks/passed", {count}, passed, {"1", "1 for a check that passed"});
  for (const std::string& each : file.namesOfGroupMembers("/checks"))
    labelAxes(file, "/checks/" + each, {{"check", "number of the check"}});
}

std::vector<CheckResult> readCheckResults(const H5File& file) {
  std::vector<CheckResult> checks;
  if (!file.exists("/checks/quantity")) return checks;
  const std::vector<std::string> quantities = file.readStrings("/checks/quantity");
  const std::size_t count = quantities.size();
  const std::vector<std::string> places = file.readStrings("/checks/where");
  const std::vector<std::string> sources = file.readStrings("/checks/source");
  const auto read = [&](const char* name) {
    return file.read(std::string("/checks/") + name, {count}).values;
  };
  const std::vector<double> times = read("time"), references = read("reference"),
                            published = read("published"), computed = read("computed"),
                            limits = read("limit");
  const std::vector<std::uint8_t> passed = file.read<std::uint8_t>("/checks/passed", {count}).values;
  if (places.size() != count || sources.size() != count)
    throw ResultError(file.name() + ": /checks: its columns differ in length");
  for (std::size_t i = 0; i < count; ++i)
    checks.push_back({.deck = {},
                      .quantity = quantities[i],
                      .where = places[i],
                      .time = decodeMissingNumber(times[i]),
                      .reference = references[i],
                      .computed = decodeMissingNumber(computed[i]),
                      .limit = limits[i],
                      .passed = passed[i] != 0,
                      .source = sources[i],
                      .published = decodeMissingNumber(published[i])});
  return checks;
}

}  // namespace ricochet
