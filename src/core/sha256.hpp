// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace palstudy {

/// SHA-256 (FIPS 180-4, by OpenSSL) of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(const void* bytes, std::size_t size);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// Ends it; nothing may be added after.
  [[nodiscard]] std::array<std::uint8_t, 32> finish();
  /// The digest as 64 lower-case hex digits.
  [[nodiscard]] std::string finish_hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of bytes in memory, in hex.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
/// The digest of a file, in hex. Errors (data): cannot be read.
[[nodiscard]] std::string sha256_file(const std::filesystem::path& path);

}  // namespace palstudy
