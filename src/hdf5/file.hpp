// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace palstudy {

/// A path that was given as that of an archive is none: no file, not readable, no HDF5, another program's, or of a
/// version that this program does not read. An archive that is damaged is another error: a finding of `verify`.
class NotAnArchive : public Error {
 public:
  NotAnArchive(const std::string& what, const std::string& where, const std::string& advice)
      : Error(ErrorCode::data, what, where, advice) {}
};

/// The file is intact as far as is known, but another program writes it, or was killed while it did.
class OpenElsewhere : public NotAnArchive {
 public:
  using NotAnArchive::NotAnArchive;
};

}  // namespace palstudy

/// A thin typed layer over the HDF5 C API: handles close themselves, every failed call becomes a data error that names
/// file and object, and the library prints nothing. hid_t stays in the .cpp files, so that few files include <hdf5.h>
/// (and with it <mpi.h>).
namespace palstudy::hdf5 {

/// An HDF5 file that is written or read, and its groups. Everything is little-endian, objects carry no times, and the
/// format is that of HDF5 1.10, in which every piece of metadata has a checksum.
class File {
 public:
  /// A new file in the empty file behind `descriptor`, which must stay open until `close`. `name` stands for it in
  /// messages. A full disk is reported by `close` at the latest.
  static File create(int descriptor, const std::string& name);
  /// Opens `path` for reading. Errors: NotAnArchive (missing, not readable, not HDF5), OpenElsewhere; data (damaged).
  static File open(const std::filesystem::path& path);
  File(File&&) noexcept;
  File& operator=(File&&) noexcept;
  ~File();

  /// Closes a file made by `create`; its bytes are written, not synced. Errors (data): a full disk.
  void close();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool exists(const std::string& path) const;
  /// Makes a group and those above it, if they are not there.
  void group(const std::string& path);
  /// The names under a group, sorted; none if there is no such group.
  [[nodiscard]] std::vector<std::string> children(const std::string& group) const;
  /// The paths of all datasets, and of all groups but the root; sorted.
  [[nodiscard]] std::vector<std::string> datasets() const;
  [[nodiscard]] std::vector<std::string> groups() const;
  /// Of a file on disk: how many bytes follow the end that the file states, and how many stand before its content
  /// (HDF5's user block); no reader sees either.
  [[nodiscard]] std::uint64_t bytes_behind() const;
  [[nodiscard]] std::uint64_t bytes_before() const;

  struct State;  ///< hdf5/state.hpp, for this room alone
  [[nodiscard]] State& state() const { return *state_; }

 private:
  File(std::string name, std::unique_ptr<State> state);

  std::string name_;
  std::unique_ptr<State> state_;
};

/// Makes a file at `path`, whole or not at all (DurableFile); `fill` is given it open. Errors (data): a full disk.
void make_file(const std::filesystem::path& path, const std::function<void(File&)>& fill);

/// The version of the HDF5 library in use: "1.10.8".
[[nodiscard]] std::string library_version();

}  // namespace palstudy::hdf5
