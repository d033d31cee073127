// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <map>
#include <memory>
#include <set>
#include <string>

#include "hdf5/file.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/posix_driver.hpp"

namespace palstudy::hdf5 {

/// The size of a chunk of a dataset, about, and the level of deflate in all files.
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
inline constexpr int deflate_level = 4;

struct File::State {
  Disk disk;  // outlives the file, whose driver writes to it
  Handle file;
  std::set<std::string> own_paths;  // that require_own has looked at
  /// By path: sum_of_values of the datasets that were written or read whole.
  std::map<std::string, std::string> sums;
};

[[nodiscard]] inline hid_t id_of(const File& file) { return file.state().file.get(); }
/// A file or an object in it, for messages.
[[nodiscard]] inline std::string place_in(const File& file, const std::string& path) {
  return file.name() + ":" + path;
}

/// To be called before an object is opened by its path: HDF5 would follow links to other places, and into other files.
/// Errors (data): a link on the way is none to an object of this file. A link that is not there is for the caller.
void require_own(const File& file, const std::string& path);

/// Makes an attribute of `size` elements, of 0 a scalar, and writes it.
void put_attribute(const File& file, const std::string& object, const std::string& name, hid_t type, hsize_t size,
                   const void* data);

}  // namespace palstudy::hdf5
