#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ricochet {

/// Why a mesh file cannot be read, and where in it.
class MeshFault : public std::runtime_error {
 public:
  MeshFault(std::size_t byte, const std::string& what) : std::runtime_error(what), byte_(byte) {}
  std::size_t byte() const noexcept { return byte_; }

 private:
  std::size_t byte_;
};

/// Reads the values of an MSH file one after the other: the same calls for numbers that are written and for
/// binary ones, whose order is the same. Every read throws MeshFault where the file has something else.
class MshCursor {
 public:
  explicit MshCursor(std::string_view text) : text_(text) {}

  void readBinary(bool binary) noexcept { binary_ = binary; }
  bool isBinary() const noexcept { return binary_; }
  std::size_t byte() const noexcept { return at_; }
  /// From 1, and the column in that line.
  int lineOf(std::size_t byte) const noexcept;
  int columnOf(std::size_t byte) const noexcept;

  // of text, whatever the rest of the file is

  bool atEnd();             ///< but for blanks
  std::string_view word();  ///< up to the next blank
  bool isQuoteNext();
  std::string quoted();    ///< between quotes
  std::int64_t written();  ///< an integer
  double writtenReal();    ///< finite
  void skipLine();         ///< the rest of it
  void expect(std::string_view word);
  /// Goes behind `$End` + name.
  void skipSection(std::string_view name);

  // of text or binary

  enum class Form { ofFile, text };
  int integer(Form form = Form::ofFile);  ///< 4 bytes
  std::int64_t size();                    ///< 8 bytes, not negative
  double real();                          ///< 8 bytes, finite
  /// A number of things to come, of at least so many bytes each (2 in a text): no file is shorter than what
  /// it says.
  std::size_t count(std::int64_t said, std::size_t bytesEach) const;

  [[noreturn]] void fail(const std::string& what) const { throw MeshFault(last_, what); }

 private:
  void skipBlanks();
  template <class T>
  T raw();

  std::string_view text_;
  std::size_t at_{0};
  std::size_t last_{0};  ///< where the value read last begins
  bool binary_{false};
};

}  // namespace ricochet
