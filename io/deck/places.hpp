#pragma once

#include "io/text/input_error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Places of the parts of a study in its deck: "contacts.sole", "transient.step", "loads[2]". A part without
/// a place of its own has the place of the part that contains it: "contacts.sole.friction" that of
/// "contacts.sole".
class Places {
 public:
  void addPlaceOfPart(std::string part, SourceLocation where) {
    parts_.insert_or_assign(std::move(part), std::move(where));
  }

  /// Notes the place of the next node; nodes are numerous and are stored by index.
  void recordPlaceOfNode(SourceLocation where) { nodes_.push_back(std::move(where)); }

  /// Place of a part ("node[3]": the node with this index); "" is the deck as a whole.
  SourceLocation locationOfPart(std::string_view part) const;

 private:
  std::map<std::string, SourceLocation, std::less<>> parts_;
  std::vector<SourceLocation> nodes_;
};

}  // namespace ricochet
