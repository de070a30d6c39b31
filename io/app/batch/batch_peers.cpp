#include "io/app/batch/batch_peers.hpp"

#include "io/app/batch/variant_plan.hpp"
#include "io/deck/batch_request.hpp"

#include <cstring>

namespace ricochet {
namespace {

class Writer {
 public:
  void count(std::size_t n) { bytes(&n, sizeof n); }
  template <class T>
  void values(const std::vector<T>& v) {
    bytes(v.data(), v.size() * sizeof(T));
  }
  void text(const std::string& s) {
    count(s.size());
    bytes(s.data(), s.size());
  }
  std::vector<char> take() { return std::move(bytes_); }

 private:
  void bytes(const void* from, std::size_t n) {
    const char* begin = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), begin, begin + n);
  }
  std::vector<char> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : bytes_(bytes) {}
  std::size_t count() {
    std::size_t n = 0;
    bytes(&n, sizeof n);
    return n;
  }
  template <class T>
  void values(std::vector<T>& v) {
    bytes(v.data(), v.size() * sizeof(T));
  }
  std::string text() {
    const std::size_t size = count();
    if (size > bytes_.size()) throw ResultError("a block of another process is damaged");
    std::string s(size, ' ');
    bytes(s.data(), size);
    return s;
  }
  bool atEnd() const { return next_ == bytes_.size(); }

 private:
  void bytes(void* to, std::size_t n) {
    if (n > bytes_.size() - next_) throw ResultError("a block of another process is damaged");
    if (n > 0) std::memcpy(to, bytes_.data() + next_, n);
    next_ += n;
  }
  const std::vector<char>& bytes_;
  std::size_t next_{0};
};

template <class Stream, class Block>
void each(Stream& stream, Block& block) {
  stream.values(block.outputs);
  stream.values(block.defined);
  stream.values(block.histories);
  stream.values(block.seconds);
  stream.values(block.reached);
  stream.values(block.status);
}

}  // namespace

std::vector<char> packed(const VariantBlock& block) {
  Writer writer;
  writer.count(block.first);
  writer.count(block.size());
  each(writer, block);
  for (const std::string& reason : block.reason) writer.text(reason);
  return writer.take();
}

VariantBlock unpacked(const std::vector<char>& bytes, const VariantPlan& plan, std::size_t historyRows) {
  Reader reader(bytes);
  const std::size_t first = reader.count();
  const std::size_t count = reader.count();
  if (first > plan.size() || count > plan.size() - first)
    throw ResultError("a block of another process is of another batch");
  VariantBlock block(plan, historyRows, first, count);
  each(reader, block);
  for (std::string& reason : block.reason) reason = reader.text();
  if (!reader.atEnd()) throw ResultError("a block of another process is damaged");
  return block;
}

}  // namespace ricochet
