#pragma once

#include "engine/contact/contact.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// States of the contact areas of one run: two per area (accepted and trial, as in ContactRun), and the
/// states of their points. Contacts without an area have no entry.
class ContactAreas {
 public:
  ContactAreas() = default;
  explicit ContactAreas(std::span<const Contact> contacts);

  bool empty() const noexcept { return areas_.empty(); }

  AreaState& state(std::size_t contact, std::size_t slot) noexcept {
    return areaOfContact(contact).states[slot];
  }
  const AreaState& state(std::size_t contact, std::size_t slot) const noexcept {
    return areas_[index_[contact]].states[slot];
  }
  std::span<Bristle> bristles(std::size_t contact, std::size_t slot) noexcept {
    const Area& area = areaOfContact(contact);
    return std::span(points_).subspan(area.first + slot * area.count, area.count);
  }
  std::span<const Bristle> bristles(std::size_t contact, std::size_t slot) const noexcept {
    const Area& area = areas_[index_[contact]];
    return std::span(points_).subspan(area.first + slot * area.count, area.count);
  }

  /// Resets a state: no force, and every point of the area starts in slip.
  void reset(std::size_t contact, std::size_t slot) noexcept;

  /// Copies the state of `contact` from slot `fromSlot` of `from`, which may be this object or one for the
  /// same contacts.
  void copyState(std::size_t contact, std::size_t slot, const ContactAreas& from,
                 std::size_t fromSlot) noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ContactAreas");
    archive(areas_, points_);
  }

 private:
  struct Area {
    AreaState states[2]{};  // NOLINT: accepted and trial, as in ContactRun
    std::size_t first{0};   // index of the first point in points_
    std::size_t count{0};
  };
  Area& areaOfContact(std::size_t contact) noexcept { return areas_[index_[contact]]; }

  std::vector<std::size_t> index_;  // index of each contact in areas_
  std::vector<Area> areas_;
  std::vector<Bristle> points_;
};

/// Work that the moment of an area absorbs over a step, by the trapezoidal rule [J].
inline double workOfSpinMoment(const AreaState& from, const AreaState& to) noexcept {
  return -0.5 * (from.moment + to.moment) * (to.spin - from.spin);
}

}  // namespace ricochet
