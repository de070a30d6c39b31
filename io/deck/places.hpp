#pragma once

#include "io/text/input_error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Where the parts of a study stand in its deck: "contacts.sole", "transient.step", "loads[2]". A part that
/// has no place of its own stands where that does which it belongs to: "contacts.sole.friction" at
/// "contacts.sole".
class Places {
 public:
  void note(std::string part, SourceLocation where) {
    parts_.insert_or_assign(std::move(part), std::move(where));
  }

  /// The place of the next node; nodes are many, and have one each.
  void noteNode(SourceLocation where) { nodes_.push_back(std::move(where)); }

  /// Of a part ("node[3]": of the node with this index); "" is the deck as a whole.
  SourceLocation of(std::string_view part) const;

 private:
  std::map<std::string, SourceLocation, std::less<>> parts_;
  std::vector<SourceLocation> nodes_;
};

}  // namespace ricochet
