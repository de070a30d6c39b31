#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ricochet {

/// Why a mesh file cannot be read, and the position of the error.
class MeshFault : public std::runtime_error {
 public:
  MeshFault(std::size_t byte, const std::string& what) : std::runtime_error(what), byte_(byte) {}
  std::size_t bytePosition() const noexcept { return byte_; }

 private:
  std::size_t byte_;
};

/// Reads the values of an MSH file one after another. The same calls read text and binary numbers, which have
/// the same order. Every function throws MeshFault if the file contains something else.
class MshCursor {
 public:
  explicit MshCursor(std::string_view text) : text_(text) {}

  void readBinaryMark(bool binary) noexcept { binary_ = binary; }
  bool isBinary() const noexcept { return binary_; }
  std::size_t bytePosition() const noexcept { return at_; }
  /// Line of a byte, from 1; `columnNumberOfByte`: column of the byte in this line.
  int lineNumberOfByte(std::size_t byte) const noexcept;
  int columnNumberOfByte(std::size_t byte) const noexcept;

  // ---- reading of text, also in a binary file ----

  bool atEnd();                 ///< true if only blanks follow
  std::string_view readWord();  ///< reads up to the next blank
  bool isNextCharacterQuote();
  std::string readQuotedText();    ///< reads a text between quotes
  std::int64_t readIntegerText();  ///< reads an integer
  double readRealText();           ///< reads a finite number
  void skipLine();                 ///< skips the rest of the line
  void requireWord(std::string_view word);
  /// Skips the rest of a section, up to and including its end mark `$End` + name.
  void skipSection(std::string_view name);

  // ---- reading of numbers, as text or binary ----

  enum class Form { ofFile, text };
  int readInteger(Form form = Form::ofFile);  ///< reads 4 bytes
  std::int64_t size();                        ///< reads 8 bytes, not negative
  double readReal();                          ///< reads 8 bytes, finite
  /// Checks a number of following objects with a minimum size each (2 bytes in a text): throws if the rest of
  /// the file is too short for them.
  std::size_t requireRemainingBytes(std::int64_t said, std::size_t bytesEach) const;

  [[noreturn]] void throwMeshFault(const std::string& what) const { throw MeshFault(last_, what); }

 private:
  void skipBlanks();
  template <class T>
  T readRawValue();

  std::string_view text_;
  std::size_t at_{0};
  std::size_t last_{0};  ///< position of the value read last
  bool binary_{false};
};

}  // namespace ricochet
