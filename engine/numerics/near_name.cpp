#include "engine/numerics/near_name.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ricochet {

namespace {

char lowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool beginsWith(std::string_view longer, std::string_view beginning) {
  if (longer.size() < beginning.size()) return false;
  return std::equal(beginning.begin(), beginning.end(), longer.begin(),
                    [](char a, char b) { return lowerCase(a) == lowerCase(b); });
}

}  // namespace

std::size_t nameDistance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the table of distances between prefixes of a and b.
  std::vector<std::size_t> beforeLast(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;

  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(beforeLast, last);
    std::swap(last, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lowerCase(a[i - 1]) == lowerCase(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lowerCase(a[i - 1]) == lowerCase(b[j - 2]) &&
                           lowerCase(a[i - 2]) == lowerCase(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], beforeLast[j - 2] + 1);
    }
  }
  return current[b.size()];
}

bool isNameSimilar(std::string_view written, std::string_view name) {
  constexpr std::size_t kShortestBeginning = 3;
  const auto [shorter, longer] = std::minmax({written.size(), name.size()});
  if (shorter >= kShortestBeginning && (beginsWith(name, written) || beginsWith(written, name))) return true;
  const std::size_t distance = nameDistance(written, name);
  return distance < longer && distance <= std::max<std::size_t>(1, (longer + 1) / 3);
}

}  // namespace ricochet
