#include "io/result/checkpoint_slots.hpp"

#include "io/hdf5/rollback_journal.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace ricochet {
namespace {

using Head = std::array<std::uint64_t, 3>;  // sequence number, size, checksum

std::string nameOfCheckpointSlot(std::uint64_t sequence) {
  return std::string(CheckpointSlots::kGroup) + (sequence % 2 == 0 ? "/0" : "/1");
}

struct Found {
  std::uint64_t sequence;
  RunCheckpoint checkpoint;
};

std::optional<Found> readCheckpointSlot(const H5File& file, const std::string& slot) {
  if (!file.exists(slot)) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  try {
    bytes = file.read<std::uint8_t>(slot, {kAny}).values;
  } catch (const ResultError&) {
    return std::nullopt;  // this slot is damaged: the other slot is used
  }
  Head head{};
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(head.data(), bytes.data(), sizeof head);
  const auto [sequence, size, checksum] = head;
  if (size > bytes.size() - sizeof head || checksumOfBytes(bytes.data() + sizeof head, size) != checksum)
    return std::nullopt;
  Found found{sequence, {}};
  CheckpointReader reader(std::as_bytes(std::span(bytes)).subspan(sizeof head, size));
  reader(found.checkpoint);
  return found;
}

}  // namespace

void CheckpointSlots::write(const H5File& file, RunCheckpoint& checkpoint) {
  bytes_.clear();
  CheckpointWriter writer(bytes_);
  writer(checkpoint);
  const Head head{++sequence_, bytes_.size(), checksumOfBytes(bytes_.data(), bytes_.size())};
  const std::string slot = nameOfCheckpointSlot(sequence_);
  const std::size_t needed = sizeof head + bytes_.size();
  if (needed > room_) room_ = needed + needed / 2;  // reserve, because the number of pending events varies
  if (file.exists(slot) && file.rows(slot) < needed) file.remove(slot);
  if (file.exists(slot)) room_ = std::max<std::uint64_t>(room_, file.rows(slot));
  slot_.assign(file.exists(slot) ? file.rows(slot) : room_, 0);
  std::memcpy(slot_.data(), head.data(), sizeof head);
  std::memcpy(slot_.data() + sizeof head, bytes_.data(), bytes_.size());
  file.write(slot, {slot_.size()}, slot_, {"1", "a state of the run to continue from"});
}

std::optional<RunCheckpoint> CheckpointSlots::newestCheckpoint(
    const H5File& file, const std::function<bool(const RunCheckpoint&)>& suits) {
  std::optional<Found> best;
  for (const std::uint64_t each : {0U, 1U}) {
    std::optional<Found> found = readCheckpointSlot(file, nameOfCheckpointSlot(each));
    if (found && suits(found->checkpoint) && (!best || found->sequence > best->sequence))
      best = std::move(found);
  }
  if (!best) return std::nullopt;
  sequence_ = best->sequence;
  return std::move(best->checkpoint);
}

void CheckpointSlots::remove(const H5File& file) {
  if (file.exists(kGroup)) file.remove(kGroup);
}

}  // namespace ricochet
