// SPDX-License-Identifier: MIT
#include "hdf5/dimension_scales.hpp"

#include <fmt/format.h>

#include <set>

#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/references.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

constexpr const char* what_is_made = "cannot make the dimension scale";
/// By this text a netCDF-4 reader recognises a dimension without values.
constexpr const char* no_variable = "This is a netCDF dimension but not a netCDF variable.";

// Written in one go: the library's own H5DSattach_scale writes its lists again for each column and leaves the old
// ones in the file.
void set_attribute(hid_t file, const std::string& object, const char* name, hid_t type, hsize_t size, const void* data,
                   const std::string& where) {
  const Handle space = own(size == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose,
                           what_is_made, where + object);
  const Handle attribute =
      own(H5Acreate_by_name(file, object.c_str(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Aclose, what_is_made, where + object);
  check(H5Awrite(attribute.get(), type, data), what_is_made, where + object);
}

/// Plain ASCII that ends with a NUL, as the library requires.
void put_text(hid_t file, const std::string& object, const char* name, const std::string& text,
              const std::string& where) {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, what_is_made, where + object);
  check(H5Tset_size(type.get(), text.size() + 1), what_is_made, where + object);
  set_attribute(file, object, name, type.get(), 0, text.c_str(), where);
}

/// A dataset of that length to which nothing is ever written, so that it takes no space.
void make_empty(hid_t file, const std::string& path, std::size_t rows, const std::string& where) {
  const hsize_t size = rows;
  const Handle space = own(H5Screate_simple(1, &size, nullptr), H5Sclose, what_is_made, where + path);
  const Handle list = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what_is_made, where + path);
  check(H5Pset_obj_track_times(list.get(), false), what_is_made, where + path);
  check(H5Pset_alloc_time(list.get(), H5D_ALLOC_TIME_LATE), what_is_made, where + path);
  Handle dataset =
      own(H5Dcreate2(file, path.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT), H5Dclose,
          what_is_made, where + path);
  check(dataset.close(), what_is_made, where + path);
}

}  // namespace

void share_rows(File& file, const std::string& scale, const std::vector<std::string>& columns) {
  const hid_t id = id_of(file);
  const std::string where = place_in(file, "");
  const bool values = file.exists(scale);
  if (!values) {
    if (columns.empty()) return;
    const std::size_t rows = rows_of(file, columns.front());
    make_empty(id, scale, rows, where);
    write_attribute(file, scale, "units", "1");
    write_attribute(file, scale, "long_name",
                    "The rows that the columns of this table share; it has no values of its own.");
    put_text(id, scale, "NAME", fmt::format("{}{:10}", no_variable, rows), where);
  } else {
    put_text(id, scale, "NAME", scale.substr(scale.rfind('/') + 1), where);
  }
  put_text(id, scale, "CLASS", "DIMENSION_SCALE", where);
  hobj_ref_t to = reference(id, scale, where);
  const Handle list = list_type(where + scale);
  std::vector<Use> uses;
  for (const std::string& column : columns) {
    if (column == scale) continue;
    const hvl_t one{1, &to};
    set_attribute(id, column, "DIMENSION_LIST", list.get(), 1, &one, where);
    uses.push_back({reference(id, column, where), 0});
  }
  if (!uses.empty()) {
    set_attribute(id, scale, "REFERENCE_LIST", use_type(where + scale).get(), uses.size(), uses.data(), where);
  }
}

bool has_no_values(const File& file, const std::string& path) {
  const std::vector<std::string> name = read_attribute(file, path, "NAME");
  return !name.empty() && name.front().starts_with(no_variable);
}

std::map<std::string, std::vector<std::string>> scales(const File& file) {
  const hid_t id = id_of(file);
  const std::string where = place_in(file, "");
  std::map<hobj_ref_t, std::string> paths;
  for (const std::string& path : file.datasets()) paths.emplace(reference(id, path, where), path);
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& [self, path] : paths) {
    if (!has_attribute(id, path, "CLASS", where)) continue;
    auto& of = found[path];
    for (const Use& use : uses_of(id, path, where)) {
      if (const auto user = paths.find(use.dataset); user != paths.end()) of.push_back(user->second);
    }
  }
  return found;
}

std::vector<std::string> without_scale(const File& file) {
  const hid_t id = id_of(file);
  const std::string where = place_in(file, "");
  std::map<hobj_ref_t, std::set<hobj_ref_t>> users;  // by scale
  std::map<std::string, hobj_ref_t> others;
  for (const std::string& path : file.datasets()) {
    const hobj_ref_t self = reference(id, path, where);
    if (!has_attribute(id, path, "CLASS", where)) {
      others.emplace(path, self);
      continue;
    }
    auto& of = users[self];
    for (const Use& use : uses_of(id, path, where)) of.insert(use.dataset);
  }
  std::vector<std::string> found;
  for (const auto& [path, self] : others) {
    const auto scale = users.find(scale_of(id, path, where));
    if (scale == users.end() || !scale->second.contains(self)) found.push_back(path);
  }
  return found;
}

}  // namespace palstudy::hdf5
