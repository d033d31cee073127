// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "hdf5/file.hpp"

namespace palstudy::hdf5 {

/// Attributes of a group or dataset; "/" is the root. Text has a fixed length; a list that is empty is not stored.
void write_attribute(File& file, const std::string& object, const std::string& name, const std::string& value);
void write_attribute(File& file, const std::string& object, const std::string& name,
                     const std::vector<std::string>& values);
void write_attribute(File& file, const std::string& object, const std::string& name, std::int64_t value);

/// The texts that the codes 0, 1, ... of a dataset stand for, as `flag_values` and `flag_meanings` of the CF
/// conventions (1.8, section 3.5): words between blanks, in which `_` stands for what no word has there, and "none" for
/// no text. Nothing for more than 32 KiB of words; an attribute over 64 KiB would have no checksum.
void write_flags(File& file, const std::string& object, const std::vector<std::string>& texts);
/// The names of these attributes.
[[nodiscard]] bool is_flag(const std::string& attribute);

/// One text for a scalar (an integer in digits), several for a list; none if it is missing.
[[nodiscard]] std::vector<std::string> read_attribute(const File& file, const std::string& object,
                                                      const std::string& name);

/// For a copy of a file: the names of an object's attributes, those of dimension scales left out, and an attribute as
/// it was stored. Only of a file that has been checked: HDF5 1.10 crashes when it lists the attributes of a damaged
/// heap.
[[nodiscard]] std::vector<std::string> attribute_names(const File& file, const std::string& object);
using AttributeValue = std::variant<std::int64_t, std::string, std::vector<std::string>>;
[[nodiscard]] AttributeValue attribute_value(const File& file, const std::string& object, const std::string& name);

}  // namespace palstudy::hdf5
