#pragma once

#include "io/deck/read_context.hpp"
#include "physical/types.hpp"

#include <optional>
#include <string>

namespace ricochet {

struct ContactRequest;

/// The nodes of a contact: one node against a fixed obstacle, or a pair of nodes.
struct ContactNodes {
  bool isPair{false};
  bool known{false};  ///< false: the deck names a node that does not exist, and the positions are not valid
  Vec3 first{Vec3::Zero()};  ///< initial positions of both nodes [m]
  Vec3 second{Vec3::Zero()};
  std::string names;  ///< names of the nodes, "a" and "b", for messages
};

/// Reads the table `obstacle` of a contact, and its `thickness`: sets obstacle, frame and origin. Returns the
/// type of the obstacle, or an empty string if the table is invalid or the type not supported.
std::string readObstacle(ReadContext& context, const Section& contact, const ContactNodes& nodes,
                         ContactRequest& request);

}  // namespace ricochet
