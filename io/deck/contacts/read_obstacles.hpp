#pragma once

#include "io/deck/read_context.hpp"
#include "physical/types.hpp"

#include <optional>
#include <string>

namespace ricochet {

struct ContactRequest;

/// The nodes of a contact as far as they are known: one against a fixed obstacle, or a pair.
struct ContactNodes {
  bool isPair{false};
  bool known{false};         ///< false: a name points nowhere; the positions mean nothing
  Vec3 first{Vec3::Zero()};  ///< initial positions [m]
  Vec3 second{Vec3::Zero()};
  std::string names;  ///< "a" and "b", for messages
};

/// Reads the table `obstacle` of a contact, and its `thickness`: fills obstacle, frame and origin.
/// Returns its type, empty if it is bad or not supported.
std::string readObstacle(ReadContext& context, const Section& contact, const ContactNodes& nodes,
                         ContactRequest& request);

}  // namespace ricochet
