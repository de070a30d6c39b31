#pragma once

#include "engine/contact/contact.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// What the contact areas of one run know: two states each, as ContactRun has them, and their points. Made
/// once; contacts without an area take no room.
class ContactAreas {
 public:
  ContactAreas() = default;
  explicit ContactAreas(std::span<const Contact> contacts);

  bool empty() const noexcept { return areas_.empty(); }

  AreaState& state(std::size_t contact, std::size_t slot) noexcept { return of(contact).states[slot]; }
  const AreaState& state(std::size_t contact, std::size_t slot) const noexcept {
    return areas_[index_[contact]].states[slot];
  }
  std::span<Bristle> bristles(std::size_t contact, std::size_t slot) noexcept {
    const Area& area = of(contact);
    return std::span(points_).subspan(area.first + slot * area.count, area.count);
  }
  std::span<const Bristle> bristles(std::size_t contact, std::size_t slot) const noexcept {
    const Area& area = areas_[index_[contact]];
    return std::span(points_).subspan(area.first + slot * area.count, area.count);
  }

  /// Nothing held, nothing remembered.
  void forget(std::size_t contact, std::size_t slot) noexcept;

  /// Takes a state of other areas of the same contacts, or of its own.
  void take(std::size_t contact, std::size_t slot, const ContactAreas& from, std::size_t fromSlot) noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ContactAreas");
    archive(areas_, points_);
  }

 private:
  struct Area {
    AreaState states[2]{};  // NOLINT: two, as in ContactRun
    std::size_t first{0};   // into points_
    std::size_t count{0};
  };
  Area& of(std::size_t contact) noexcept { return areas_[index_[contact]]; }

  std::vector<std::size_t> index_;  // of every contact, into areas_
  std::vector<Area> areas_;
  std::vector<Bristle> points_;
};

/// Work of an area's moment over a step [J].
inline double spinWork(const AreaState& from, const AreaState& to) noexcept {
  return -0.5 * (from.moment + to.moment) * (to.spin - from.spin);
}

}  // namespace ricochet
