// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// A thin typed layer over the HDF5 C API: handles close themselves, every status becomes a data error that names file
/// and dataset, and the library's own printing is off. hid_t stays out of here, so that <hdf5.h> (and with it <mpi.h>)
/// is included by a few files alone.
namespace palstudy {
class Helpers;
}

namespace palstudy::hdf5 {

/// What a dataset is, for who reads the file without this program.
struct Label {
  std::string units;  ///< UCUM spelling; "1" for none
  std::string long_name;
};

/// How the elements of a dataset are stored.
enum class Element { integer, code, real, single, text };

/// A dataset on its way into a file: values are appended, and written chunk by chunk; at most one chunk is in memory.
class Stream {
 public:
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  /// Values of the element that the dataset has. Errors (data): cannot be written. Errors (fault): more than its rows.
  void append(std::span<const std::int64_t> values);
  void append(std::span<const std::int32_t> values);
  void append(std::span<const double> values);
  void append(std::span<const float> values);
  /// Padded with NUL. Errors (data): a text that holds a NUL. Errors (fault): one that is longer than the width.
  void append(std::span<const std::string> values);
  /// Writes what is left. Errors as `append`; (fault): fewer values than its rows.
  void close();

 private:
  friend class File;
  struct State;
  explicit Stream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// An HDF5 file that is made or read. Everything is little-endian,
/// objects carry no times, and the format is that of HDF5 1.10, in which every piece of metadata has a checksum.
/// Datasets are one-dimensional, in chunks of about 1 MiB with shuffle, deflate and fletcher32: the filters that every
/// build of HDF5 has.
class File {
 public:
  /// A new file in the empty file behind `descriptor`, which must stay open until `close`. `name` stands for it in
  /// messages. A full disk is told by `close` at the latest.
  static File create(int descriptor, const std::string& name);
  /// From here on helpers share the work of filtering chunks; the file is the same. They must outlive it.
  void share_work(Helpers& helpers);
  /// Opens `path` for reading. Errors (data): missing, not HDF5, truncated.
  static File open(const std::filesystem::path& path);
  File(File&&) noexcept;
  File& operator=(File&&) noexcept;
  ~File();

  /// Closes a file made by `create`; its bytes are written, not synced. Errors (data): a full disk.
  void close();

  [[nodiscard]] bool exists(const std::string& path) const;
  /// Makes a group and those above it, if they are not there.
  void group(const std::string& path);
  /// The names under a group, sorted; none if there is no such group.
  [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
  /// The paths of all datasets, sorted.
  [[nodiscard]] std::vector<std::string> datasets() const;

  void write(const std::string& path, std::span<const std::int64_t> values, const Label& label);
  void write(const std::string& path, std::span<const std::int32_t> values, const Label& label);
  void write(const std::string& path, std::span<const double> values, const Label& label);
  void write(const std::string& path, std::span<const float> values, const Label& label);
  /// Fixed-length UTF-8, padded with NUL. Errors (data): a text that holds a NUL.
  void write(const std::string& path, std::span<const std::string> values, const Label& label);

  /// A dataset of `rows` values that come in pieces. `width`: of text, in bytes.
  [[nodiscard]] Stream stream(const std::string& path, Element element, std::size_t rows, const Label& label,
                              std::size_t width = 1);
  /// Says that the rows of these datasets are the same things: makes `scale` their HDF5 dimension scale, by which h5py
  /// and xarray name the dimension. It is one of them, or else becomes a dataset without values that takes no room.
  void share_rows(const std::string& scale, const std::vector<std::string>& columns);
  /// Whether a dataset is such a scale without values.
  [[nodiscard]] bool has_no_values(const std::string& path) const;
  /// Of a file on disk: the datasets that are no scale and for which no scale says that it is theirs, as they say
  /// themselves; sorted. Errors (data): the references are damaged.
  [[nodiscard]] std::vector<std::string> without_scale() const;

  [[nodiscard]] Element element(const std::string& path) const;
  [[nodiscard]] std::size_t size(const std::string& path) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& path) const;
  [[nodiscard]] std::vector<std::int32_t> codes(const std::string& path) const;
  [[nodiscard]] std::vector<double> reals(const std::string& path) const;
  [[nodiscard]] std::vector<float> singles(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
  /// Reads a dataset whole, whatever it holds, and gives its number of values; 0 for a scale without values, whose
  /// length takes no room. Errors (data): its checksum fails.
  [[nodiscard]] std::size_t read_through(const std::string& path) const;

  /// Attributes of a group or dataset; "/" is the root. A list that is empty is not stored.
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values);
  void attribute(const std::string& object, const std::string& name, std::int64_t value);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::int32_t>& values);
  /// One text for a scalar, several for a list, integers in digits; none if it is missing.
  [[nodiscard]] std::vector<std::string> attribute(const std::string& object, const std::string& name) const;

  /// What a copy of the file has to have beside its datasets: the paths of all groups but the root, sorted; the names
  /// of an object's attributes, those of dimension scales left out; an attribute as it was stored; scales and whose
  /// they are. Of a file that has been checked: HDF5 1.10 crashes when it lists the attributes of a heap that is
  /// damaged.
  [[nodiscard]] std::vector<std::string> groups() const;
  [[nodiscard]] std::vector<std::string> attribute_names(const std::string& object) const;
  using AttributeValue = std::variant<std::int64_t, std::string, std::vector<std::string>, std::vector<std::int32_t>>;
  [[nodiscard]] AttributeValue attribute_value(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::map<std::string, std::vector<std::string>> scales() const;

  /// XXH3-128 of all that a reader gets of the file, but for the attributes of the checksum itself: names of objects
  /// and attributes, types, lengths, values, scales. Where it lies and how it is packed does not count. It is no
  /// signature: whoever alters a file can make it again.
  struct Checksum {
    std::string all;                 ///< hex digits; "" if the file has none
    std::vector<std::string> parts;  ///< of the root and all that is under each of its members: hex digits, two
                                     ///< spaces, path
  };
  /// From the content. Errors (data): damaged, or something of a kind that is never written. Attributes are listed, so
  /// the file must have been checked (see `attribute_names`).
  [[nodiscard]] Checksum checksum() const;
  /// As the root says.
  [[nodiscard]] Checksum stored_checksum() const;
  /// Writes the checksum into the root; nothing may be written after.
  void write_checksum();
  /// Of a file on disk: how many bytes follow the end that the file says it has.
  [[nodiscard]] std::uint64_t bytes_behind() const;
  /// How many bytes stand before its content (HDF5's user block), which no reader looks at.
  [[nodiscard]] std::uint64_t bytes_before() const;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct State;
  File(std::string name, std::unique_ptr<State> state);
  void get(const std::string& path, std::int64_t type, void* data) const;
  [[nodiscard]] std::int64_t id() const;

  std::string name_;
  std::unique_ptr<State> state_;
};

/// Makes a file at `path`, whole or not at all (DurableFile); `fill` is given it open. Errors (data): a full disk.
void make_file(const std::filesystem::path& path, const std::function<void(File&)>& fill);

/// The version of the HDF5 library in use: "1.10.8".
[[nodiscard]] std::string library_version();

}  // namespace palstudy::hdf5
