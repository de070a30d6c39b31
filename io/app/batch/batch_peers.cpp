#include "io/app/batch/batch_peers.hpp"

#include "io/app/batch/variant_plan.hpp"
#include "io/deck/batch_request.hpp"

#include <cstring>

namespace ricochet {
namespace {

class Writer {
 public:
  void archiveCount(std::size_t n) { transferBytes(&n, sizeof n); }
  template <class T>
  void archiveValues(const std::vector<T>& v) {
    transferBytes(v.data(), v.size() * sizeof(T));
  }
  void archiveText(const std::string& s) {
    archiveCount(s.size());
    transferBytes(s.data(), s.size());
  }
  std::vector<char> takeBytes() { return std::move(bytes_); }

 private:
  void transferBytes(const void* from, std::size_t n) {
    const char* begin = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), begin, begin + n);
  }
  std::vector<char> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : bytes_(bytes) {}
  std::size_t archiveCount() {
    std::size_t n = 0;
    transferBytes(&n, sizeof n);
    return n;
  }
  template <class T>
  void archiveValues(std::vector<T>& v) {
    transferBytes(v.data(), v.size() * sizeof(T));
  }
  std::string archiveText() {
    const std::size_t size = archiveCount();
    if (size > bytes_.size()) throw ResultError("a block of another process is damaged");
    std::string s(size, ' ');
    transferBytes(s.data(), size);
    return s;
  }
  bool atEnd() const { return next_ == bytes_.size(); }

 private:
  void transferBytes(void* to, std::size_t n) {
    if (n > bytes_.size() - next_) throw ResultError("a block of another process is damaged");
    if (n > 0) std::memcpy(to, bytes_.data() + next_, n);
    next_ += n;
  }
  const std::vector<char>& bytes_;
  std::size_t next_{0};
};

template <class Stream, class Block>
void archiveBlock(Stream& stream, Block& block) {
  stream.archiveValues(block.outputs);
  stream.archiveValues(block.defined);
  stream.archiveValues(block.histories);
  stream.archiveValues(block.seconds);
  stream.archiveValues(block.reached);
  stream.archiveValues(block.status);
}

}  // namespace

std::vector<char> packBlock(const VariantBlock& block) {
  Writer writer;
  writer.archiveCount(block.first);
  writer.archiveCount(block.size());
  archiveBlock(writer, block);
  for (const std::string& reason : block.reason) writer.archiveText(reason);
  return writer.takeBytes();
}

VariantBlock unpackBlock(const std::vector<char>& bytes, const VariantPlan& plan, std::size_t historyRows) {
  Reader reader(bytes);
  const std::size_t first = reader.archiveCount();
  const std::size_t count = reader.archiveCount();
  if (first > plan.size() || count > plan.size() - first)
    throw ResultError("a block of another process is of another batch");
  VariantBlock block(plan, historyRows, first, count);
  archiveBlock(reader, block);
  for (std::string& reason : block.reason) reason = reader.archiveText();
  if (!reader.atEnd()) throw ResultError("a block of another process is damaged");
  return block;
}

}  // namespace ricochet
