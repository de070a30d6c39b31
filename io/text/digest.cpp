#include "io/text/digest.hpp"

#include "io/text/input_file.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace ricochet {
namespace {

/// SHA-256 of data that come in pieces.
class Digest {
 public:
  Digest() { requireDigestSuccess(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }

  void addBytes(std::span<const char> piece) {
    requireDigestSuccess(EVP_DigestUpdate(context_.get(), piece.data(), piece.size()));
  }

  std::string hexadecimalDigest() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    requireDigestSuccess(EVP_DigestFinal_ex(context_.get(), digest.data(), &size));
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  static void requireDigestSuccess(int done) {
    if (done != 1) throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  }

  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

}  // namespace

std::string sha256(std::string_view text) {
  Digest digest;
  digest.addBytes(text);
  return digest.hexadecimalDigest();
}

std::string sha256OfFile(const std::filesystem::path& file) {
  std::ifstream stream;
  if (!openInputOrGetReason(file, stream).empty()) return {};
  Digest digest;
  std::vector<char> piece(1U << 20U);
  while (stream) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.addBytes(std::span(piece).first(static_cast<std::size_t>(stream.gcount())));
  }
  return stream.bad() ? std::string{} : digest.hexadecimalDigest();
}

}  // namespace ricochet
