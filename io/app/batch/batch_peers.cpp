#include "io/app/batch/batch_peers.hpp"

#include "io/app/batch/variant_plan.hpp"
#include "io/deck/batch_request.hpp"

#include <cstring>

namespace ricochet {
namespace {

class Writer {
 public:
  void serialiseCount(std::size_t n) { transferBytes(&n, sizeof n); }
  template <class T>
  void serialiseValues(const std::vector<T>& v) {
    transferBytes(v.data(), v.size() * sizeof(T));
  }
  void serialiseText(const std::string& s) {
    serialiseCount(s.size());
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
  std::size_t serialiseCount() {
    std::size_t n = 0;
    transferBytes(&n, sizeof n);
    return n;
  }
  template <class T>
  void serialiseValues(std::vector<T>& v) {
    transferBytes(v.data(), v.size() * sizeof(T));
  }
  std::string serialiseText() {
    const std::size_t size = serialiseCount();
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
void serialiseVariantBlock(Stream& stream, Block& block) {
  stream.serialiseValues(block.outputs);
  stream.serialiseValues(block.defined);
  stream.serialiseValues(block.histories);
  stream.serialiseValues(block.seconds);
  stream.serialiseValues(block.reached);
  stream.serialiseValues(block.status);
}

}  // namespace

std::vector<char> packVariantBlock(const VariantBlock& block) {
  Writer writer;
  writer.serialiseCount(block.first);
  writer.serialiseCount(block.size());
  serialiseVariantBlock(writer, block);
  for (const std::string& reason : block.reason) writer.serialiseText(reason);
  return writer.takeBytes();
}

VariantBlock unpackVariantBlock(const std::vector<char>& bytes, const VariantPlan& plan,
                                std::size_t historyRows) {
  Reader reader(bytes);
  const std::size_t first = reader.serialiseCount();
  const std::size_t count = reader.serialiseCount();
  if (first > plan.size() || count > plan.size() - first)
    throw ResultError("a block of another process is of another batch");
  VariantBlock block(plan, historyRows, first, count);
  serialiseVariantBlock(reader, block);
  for (std::string& reason : block.reason) reason = reader.serialiseText();
  if (!reader.atEnd()) throw ResultError("a block of another process is damaged");
  return block;
}

}  // namespace ricochet
