#include "io/deck/places.hpp"

#include <charconv>

namespace ricochet {

SourceLocation Places::locationOfPart(std::string_view part) const {
  constexpr std::string_view kNode = "node[";
  if (part.starts_with(kNode)) {
    std::size_t index = 0;
    std::from_chars(part.data() + kNode.size(), part.data() + part.size(), index);
    if (index < nodes_.size()) return nodes_[index];
  }
  for (std::string_view whole = part;; whole = whole.substr(0, whole.find_last_of(".["))) {
    if (const auto found = parts_.find(whole); found != parts_.end()) return found->second;
    if (whole.find_last_of(".[") == std::string_view::npos) break;
  }
  const auto deck = parts_.find("");
  return deck != parts_.end() ? deck->second : SourceLocation{};
}

}  // namespace ricochet
