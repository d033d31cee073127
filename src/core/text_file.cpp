// SPDX-License-Identifier: MIT
#include "core/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/file_bytes.hpp"

namespace palstudy {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::size_t piece = std::size_t{1} << 20;

/// zlib's state, ended with its scope.
class Inflater {
 public:
  explicit Inflater(const std::string& name) : name_(name) {
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK) throw fault("zlib cannot begin", name);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string unpack(const std::string& bytes, std::size_t most) {
    std::string text;
    std::vector<char> buffer(piece);
    std::size_t given = 0;
    int state = Z_OK;
    while (state != Z_STREAM_END || given - stream_.avail_in < bytes.size()) {
      if (state == Z_STREAM_END) inflateReset(&stream_);  // another member follows
      feed(bytes, given);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = buffer.size() - stream_.avail_out;
      if (state != Z_OK && state != Z_STREAM_END) refuse(made == 0 && given == bytes.size() && stream_.avail_in == 0);
      text.append(buffer.data(), made);
      if (text.size() > most) {
        throw data_error(fmt::format("is larger than {} MiB unpacked", most >> 20), name_, "split it");
      }
    }
    return text;
  }

 private:
  void feed(const std::string& bytes, std::size_t& given) {
    if (stream_.avail_in > 0) return;
    const std::size_t size = std::min<std::size_t>(bytes.size() - given, std::numeric_limits<uInt>::max() / 2);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(size);
    given += size;
  }

  [[noreturn]] void refuse(bool ended) const {
    throw data_error(ended ? "is packed by gzip and ends too early" : "is not what gzip packs", name_,
                     "fetch or pack the file again; `gzip -t` tests it");
  }

  const std::string& name_;
  z_stream stream_{};
};

std::string read_whole(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw data_error("is a directory", path.string(), "name a file");
  }
  std::ifstream in(where_read(path), std::ios::binary);
  if (!in) throw data_error("cannot be read", path.string(), "check that the file is there and may be read");
  std::string text;
  std::vector<char> buffer(piece);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > text_size_limit) throw data_error("is larger than 2 GiB", path.string(), "split it");
  }
  if (in.bad()) throw data_error("cannot be read to its end", path.string(), "check the file system");
  return text;
}

}  // namespace

std::string unpack_gzip(const std::string& bytes, const std::string& name, std::size_t most) {
  return Inflater(name).unpack(bytes, most);
}

std::string read_text_file(const std::filesystem::path& path) {
  std::string text = read_whole(path);
  return text.starts_with(gzip_magic) ? unpack_gzip(text, path.string()) : text;
}

}  // namespace palstudy
