// SPDX-License-Identifier: MIT
#include "core/files.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/file_bytes.hpp"

namespace palstudy {
namespace fs = std::filesystem;
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

std::string read_whole(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
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

std::string read_text_file(const fs::path& path) {
  std::string text = read_whole(path);
  return text.starts_with(gzip_magic) ? unpack_gzip(text, path.string()) : text;
}

std::string read_beginning(const fs::path& path, std::size_t most) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(where_read(path).c_str(), "rb"), gzclose);
  std::string text(most, '\0');
  const int size = file ? gzread(file.get(), text.data(), static_cast<unsigned>(most)) : -1;
  if (size < 0)
    throw data_error("cannot be read", path.string(), "check that the file is there, is whole and may be read");
  text.resize(static_cast<std::size_t>(size));
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

namespace {

/// A file that stands where a folder above `path` has to be, if any.
std::optional<fs::path> in_the_way(const fs::path& path) {
  for (auto folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    std::error_code ignored;
    const fs::file_type type = fs::status(folder, ignored).type();
    if (type == fs::file_type::directory || type == fs::file_type::unknown) return std::nullopt;
    if (fs::is_symlink(folder, ignored)) return folder;  // to nothing
    if (type != fs::file_type::not_found && type != fs::file_type::none) return folder;
  }
  return std::nullopt;
}

}  // namespace

void require_folders_above(const fs::path& path) {
  if (const auto other = in_the_way(path)) {
    throw usage_error("nothing can be written below " + other->string() + ", which is no folder", path.string(),
                      "give another -o");
  }
}

void require_new_output(const fs::path& path, bool force) {
  require_folders_above(path);
  const bool named = path.has_filename() && path.filename() != "." && path.filename() != "..";
  if (!named || fs::is_directory(path)) {
    throw usage_error("is a folder", path.string(),
                      "name a file to write: -o " + (path / "NAME").lexically_normal().string());
  }
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    throw usage_error("is there and no file that could be replaced (a device, a pipe or a socket)", path.string(),
                      "give another -o");
  }
  if (const fs::path part = part_of(path); fs::is_symlink(part)) {
    throw usage_error("is a link; the output has this name until it is whole", part.string(),
                      "move it away, or give another -o");
  }
  if (fs::exists(path) && !force) {
    throw usage_error("exists already", path.string(), "give another -o, or --force to replace it");
  }
}

void make_folder_of(const fs::path& path) {
  const auto folder = path.parent_path();
  if (folder.empty()) return;
  std::error_code failed;
  if (fs::create_directories(folder, failed)) spdlog::info("{}: its folder is new", path.string());
  if (failed) throw data_error("its folder cannot be made: " + failed.message(), path.string(), "give another -o");
}

fs::path parts_dir(const fs::path& output) {
  fs::path parts = output;
  parts += ".parts";
  return parts;
}

}  // namespace palstudy
