// SPDX-License-Identifier: MIT
#include "core/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

#include "core/error.hpp"
#include "core/file_bytes.hpp"

namespace palstudy {

namespace {
void check(int status, const char* call) {
  if (status != 1) throw fault(std::string(call) + " failed");
}
}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
  check(context_ ? 1 : 0, "EVP_MD_CTX_new");
  check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr), "EVP_DigestInit_ex");
}

void Sha256::add(const void* bytes, std::size_t size) {
  check(EVP_DigestUpdate(context_.get(), bytes, size), "EVP_DigestUpdate");
}

std::string Sha256::finish_hex() {
  std::array<std::uint8_t, 32> sum{};
  check(EVP_DigestFinal_ex(context_.get(), sum.data(), nullptr), "EVP_DigestFinal_ex");
  std::string hex;
  for (const std::uint8_t byte : sum) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.finish_hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  std::ifstream file(where_read(path), std::ios::binary);
  Sha256 sum;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    sum.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  // A failed read ends the loop like the end of the file does, but does not set eof.
  if (!file.eof()) throw data_error("cannot be read", path.string(), "check that it is a file that you may read");
  return sum.finish_hex();
}

}  // namespace palstudy
