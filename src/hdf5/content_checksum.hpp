// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "hdf5/file.hpp"

namespace palstudy::hdf5 {

/// XXH3-128 of all that a reader gets of a file, but for the attributes of the checksum itself: names of objects and
/// attributes, types, lengths, values, scales. It does not depend on where and how these are stored, so that h5repack
/// leaves it as it is. It is no signature: it can be made again for an altered file.
struct ContentChecksum {
  std::string all;                 ///< hex digits; "" if the file has none
  std::vector<std::string> parts;  ///< of the root and all that is under each of its members: hex digits, two
                                   ///< spaces, path
};

/// From the content. Errors (data): damaged, or something of a kind that is never written. Attributes are listed, so
/// the file must have been checked (see `attribute_names`).
[[nodiscard]] ContentChecksum content_checksum(const File& file);
/// As the root has it.
[[nodiscard]] ContentChecksum stored_checksum(const File& file);
/// Writes the checksum into the root; nothing may be written after.
void write_checksum(File& file);

}  // namespace palstudy::hdf5
