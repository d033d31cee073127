// SPDX-License-Identifier: MIT
#include "hdf5/attribute.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <set>

#include "core/error.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

constexpr hsize_t most_bytes = hsize_t{1} << 30;  // of an attribute that is read

constexpr const char* flag_values = "flag_values";
constexpr const char* flag_meanings = "flag_meanings";
constexpr std::size_t most_words = std::size_t{1} << 15;  // bytes

/// UTF-8 beyond ASCII is kept.
char flag_character(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code >= 0x80 || std::isalnum(code) != 0 || std::strchr("_-.+@", c) != nullptr ? c : '_';
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static const std::set<std::string> of_scales = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
  if (!of_scales.contains(name)) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

void put_attribute(const File& file, const std::string& object, const std::string& name, hid_t type, hsize_t size,
                   const void* data) {
  const std::string where = place_in(file, object);
  const Handle space = own(size == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose,
                           "cannot make an attribute", where);
  const Handle attribute = own(H5Acreate_by_name(id_of(file), object.c_str(), name.c_str(), type, space.get(),
                                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, "cannot make the attribute " + name, where);
  check(H5Awrite(attribute.get(), type, data), "cannot write the attribute " + name, where);
}

void write_attribute(File& file, const std::string& object, const std::string& name, const std::string& value) {
  const std::string padded = value.empty() ? std::string(1, '\0') : value;
  put_attribute(file, object, name, text_type(padded.size(), place_in(file, object)).get(), 0, padded.data());
}

void write_attribute(File& file, const std::string& object, const std::string& name,
                     const std::vector<std::string>& values) {
  if (values.empty()) return;
  std::size_t width = 1;
  for (const std::string& value : values) width = std::max(width, value.size());
  std::string packed(width * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) std::copy(values[i].begin(), values[i].end(), &packed[i * width]);
  put_attribute(file, object, name, text_type(width, place_in(file, object)).get(), values.size(), packed.data());
}

void write_attribute(File& file, const std::string& object, const std::string& name, std::int64_t value) {
  put_attribute(file, object, name, H5T_STD_I64LE, 0, &value);
}

void write_flags(File& file, const std::string& object, const std::vector<std::string>& texts) {
  std::vector<std::int32_t> values;
  std::string words;
  for (const std::string& text : texts) {
    if (!words.empty()) words += ' ';
    values.push_back(static_cast<std::int32_t>(values.size()));
    if (text.empty()) words += "none";
    std::transform(text.begin(), text.end(), std::back_inserter(words), flag_character);
  }
  if (words.empty() || words.size() > most_words) return;
  put_attribute(file, object, flag_values, H5T_STD_I32LE, values.size(), values.data());
  write_attribute(file, object, flag_meanings, words);
}

bool is_flag(const std::string& attribute) { return attribute == flag_values || attribute == flag_meanings; }

std::vector<std::string> read_attribute(const File& file, const std::string& object, const std::string& name) {
  const std::string where = place_in(file, object);
  require_own(file, object);
  const htri_t there = H5Aexists_by_name(id_of(file), object.c_str(), name.c_str(), H5P_DEFAULT);
  check(there, "cannot look for the attribute " + name, where, restore_file);
  if (there == 0) return {};
  const std::string what = "cannot read the attribute " + name;
  const Handle attribute = own(H5Aopen_by_name(id_of(file), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, what, where, restore_file);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, what, where, restore_file);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where, restore_file);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  check(count, what, where, restore_file);
  const std::size_t width = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) == H5T_INTEGER && count == 1) {
    std::int64_t value = 0;
    check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), what, where, restore_file);
    return {std::to_string(value)};
  }
  const bool text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if (!text || static_cast<hsize_t>(count) > most_bytes / width) {
    throw data_error("the attribute " + name + " is of a type that no archive of ours has", where);
  }
  std::string packed(width * static_cast<std::size_t>(count), '\0');
  check(H5Aread(attribute.get(), type.get(), packed.data()), what, where, restore_file);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const char* value = packed.data() + i * width;
    values.emplace_back(value, strnlen(value, width));
  }
  return values;
}

std::vector<std::string> attribute_names(const File& file, const std::string& object) {
  std::vector<std::string> names;
  require_own(file, object);
  check(H5Aiterate_by_name(id_of(file), object.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &names,
                           H5P_DEFAULT),
        "cannot list the attributes", place_in(file, object));
  std::ranges::sort(names);
  return names;
}

AttributeValue attribute_value(const File& file, const std::string& object, const std::string& name) {
  const std::string where = place_in(file, object), what = "cannot read the attribute " + name;
  const Handle attribute =
      own(H5Aopen_by_name(id_of(file), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what, where);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, what, where);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where);
  std::vector<std::string> values = read_attribute(file, object, name);
  if (H5Tget_class(type.get()) == H5T_INTEGER) return static_cast<std::int64_t>(std::stoll(values.at(0)));
  if (H5Sget_simple_extent_type(space.get()) == H5S_SCALAR) return values.at(0);
  return values;
}

}  // namespace palstudy::hdf5
