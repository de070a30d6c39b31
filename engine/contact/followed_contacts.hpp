#pragma once

#include "engine/contact/followed.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// States of the followed contacts of one run: two per contact (accepted and trial, as in ContactRun). Other
/// contacts have no entry.
class FollowedContacts {
 public:
  FollowedContacts() = default;
  explicit FollowedContacts(std::span<const Contact> contacts) : index_(contacts.size(), 0) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (!contacts[i].isFollowed()) continue;
      index_[i] = known_.size();
      known_.emplace_back();
    }
  }

  bool empty() const noexcept { return known_.empty(); }

  FollowedState& state(std::size_t contact, std::size_t slot) noexcept {
    return known_[index_[contact]].states[slot];
  }
  const FollowedState& state(std::size_t contact, std::size_t slot) const noexcept {
    return known_[index_[contact]].states[slot];
  }

  /// Copies the state of `contact` from slot `fromSlot` of `from`, which may be this object or one for the
  /// same contacts.
  void copyState(std::size_t contact, std::size_t slot, const FollowedContacts& from,
                 std::size_t fromSlot) noexcept {
    state(contact, slot) = from.state(contact, fromSlot);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("FollowedContacts");
    archive(known_);
  }

 private:
  struct Known {
    FollowedState states[2]{};  // NOLINT: accepted and trial, as in ContactRun
  };
  std::vector<std::size_t> index_;  // index of each contact in known_
  std::vector<Known> known_;
};

class ContactRun;
struct Motion;

/// Puts the contact points of closed followed contacts, and the velocities of the surfaces under them, to
/// their values at a motion, which restored states may lack; the path along the surface is unchanged. The
/// points of coupled contacts do not follow from the motion and stay.
void setPositionsOfFollowedContacts(ContactRun& run, double t, const Motion& motion);

}  // namespace ricochet
