// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // EVP_MD_CTX of OpenSSL

namespace palstudy {

/// SHA-256 (FIPS 180-4, by OpenSSL) of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(const void* bytes, std::size_t size);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// Ends it: the digest as 64 lower-case hex digits. Nothing may be added after.
  [[nodiscard]] std::string finish_hex();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// The digest of bytes in memory, in hex.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
/// The digest of a file, in hex. Errors (data): cannot be read.
[[nodiscard]] std::string sha256_file(const std::filesystem::path& path);

}  // namespace palstudy
