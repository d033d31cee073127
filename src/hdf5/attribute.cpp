// SPDX-License-Identifier: MIT
// Attributes: fixed-length text and integers, one or a list.
#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

constexpr hsize_t most_bytes = hsize_t{1} << 30;  // of an attribute that is read

void put_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type, hid_t space,
                   const void* data, const std::string& where) {
  const Handle attribute =
      own(H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Aclose, "cannot make the attribute " + name, where);
  check(H5Awrite(attribute.get(), type, data), "cannot write the attribute " + name, where);
}

}  // namespace

void File::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const std::string where = name_ + ":" + object;
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, "cannot make an attribute", where);
  const std::string padded = value.empty() ? std::string(1, '\0') : value;
  put_attribute(id(), object, name, text_type(padded.size(), where).get(), space.get(), padded.data(), where);
}

void File::attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  const std::string where = name_ + ":" + object;
  std::size_t width = 1;
  for (const std::string& value : values) width = std::max(width, value.size());
  std::string packed(width * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) std::copy(values[i].begin(), values[i].end(), &packed[i * width]);
  const hsize_t size = values.size();
  const Handle space = own(H5Screate_simple(1, &size, nullptr), H5Sclose, "cannot make an attribute", where);
  put_attribute(id(), object, name, text_type(width, where).get(), space.get(), packed.data(), where);
}

void File::attribute(const std::string& object, const std::string& name, std::int64_t value) {
  const std::string where = name_ + ":" + object;
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose, "cannot make an attribute", where);
  put_attribute(id(), object, name, H5T_STD_I64LE, space.get(), &value, where);
}

void File::attribute(const std::string& object, const std::string& name, const std::vector<std::int32_t>& values) {
  if (values.empty()) return;
  const std::string where = name_ + ":" + object;
  const hsize_t size = values.size();
  const Handle space = own(H5Screate_simple(1, &size, nullptr), H5Sclose, "cannot make an attribute", where);
  put_attribute(id(), object, name, H5T_STD_I32LE, space.get(), values.data(), where);
}

std::vector<std::string> File::attribute(const std::string& object, const std::string& name) const {
  const std::string where = name_ + ":" + object;
  const htri_t there = H5Aexists_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT);
  check(there, "cannot look for the attribute " + name, where, restore_file);
  if (there == 0) return {};
  const std::string what = "cannot read the attribute " + name;
  const Handle attribute = own(H5Aopen_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                               what, where, restore_file);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, what, where, restore_file);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where, restore_file);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  check(count, what, where, restore_file);
  const std::size_t width = H5Tget_size(type.get());
  const bool integer = H5Tget_class(type.get()) == H5T_INTEGER;
  const bool text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
  if ((!text && !integer) || static_cast<hsize_t>(count) > most_bytes / std::max(width, sizeof(std::int64_t))) {
    throw data_error("the attribute " + name + " is of a type that no archive of ours has", where);
  }
  if (integer) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    check(H5Aread(attribute.get(), H5T_NATIVE_INT64, numbers.data()), what, where, restore_file);
    std::vector<std::string> digits;
    for (const std::int64_t number : numbers) digits.push_back(std::to_string(number));
    return digits;
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

}  // namespace palstudy::hdf5
