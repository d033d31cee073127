// SPDX-License-Identifier: MIT
// Dimension scales, as "HDF5 Dimension Scale Specification and Design Notes" (The HDF Group) lays them down and the
// netCDF-4 format uses them. Written in one go: the library's own H5DSattach_scale makes its lists anew for each column
// and leaves the old ones in the file.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>

#include "hdf5/hdf5.hpp"
#include "hdf5/references.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

constexpr const char* what_is_made = "cannot make the dimension scale";
/// What a netCDF-4 reader knows a dimension without values by.
constexpr const char* no_variable = "This is a netCDF dimension but not a netCDF variable.";

}  // namespace

Handle use_type(const std::string& where) {
  Handle type = own(H5Tcreate(H5T_COMPOUND, sizeof(Use)), H5Tclose, what_is_made, where);
  check(H5Tinsert(type.get(), "dataset", offsetof(Use, dataset), H5T_STD_REF_OBJ), what_is_made, where);
  check(H5Tinsert(type.get(), "dimension", offsetof(Use, dimension), H5T_STD_I32LE), what_is_made, where);
  return type;
}

Handle list_type(const std::string& where) {
  return own(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, what_is_made, where);
}

hobj_ref_t reference(hid_t file, const std::string& path, const std::string& where) {
  hobj_ref_t made = 0;
  check(H5Rcreate(&made, file, path.c_str(), H5R_OBJECT, -1), "cannot refer to the dataset", where + path);
  return made;
}

namespace {

void set_attribute(hid_t file, const std::string& object, const char* name, hid_t type, hsize_t size, const void* data,
                   const std::string& where) {
  const Handle space = own(size == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose,
                           what_is_made, where + object);
  const Handle attribute =
      own(H5Acreate_by_name(file, object.c_str(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          H5Aclose, what_is_made, where + object);
  check(H5Awrite(attribute.get(), type, data), what_is_made, where + object);
}

/// The library asks for plain ASCII that ends with a NUL.
void put_text(hid_t file, const std::string& object, const char* name, const std::string& text,
              const std::string& where) {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, what_is_made, where + object);
  check(H5Tset_size(type.get(), text.size() + 1), what_is_made, where + object);
  set_attribute(file, object, name, type.get(), 0, text.c_str(), where);
}

bool has(hid_t file, const std::string& object, const char* name, const std::string& where) {
  const htri_t there = H5Aexists_by_name(file, object.c_str(), name, H5P_DEFAULT);
  check(there, fmt::format("cannot look for the attribute {}", name), where + object);
  return there > 0;
}

}  // namespace

hobj_ref_t scale_of(hid_t file, const std::string& path, const std::string& where) {
  constexpr const char* what = "cannot read the attribute DIMENSION_LIST";
  if (!has(file, path, "DIMENSION_LIST", where)) return 0;
  const Handle attribute = own(H5Aopen_by_name(file, path.c_str(), "DIMENSION_LIST", H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, what, where + path);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where + path);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) return 0;
  const Handle type = list_type(where + path);
  hvl_t list{};
  check(H5Aread(attribute.get(), type.get(), &list), what, where + path);
  hobj_ref_t found = 0;
  if (list.len == 1) std::memcpy(&found, list.p, sizeof found);
  check(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, &list), what, where + path);
  return found;
}

std::vector<Use> uses_of(hid_t file, const std::string& path, const std::string& where) {
  constexpr const char* what = "cannot read the attribute REFERENCE_LIST";
  if (!has(file, path, "REFERENCE_LIST", where)) return {};
  const Handle attribute = own(H5Aopen_by_name(file, path.c_str(), "REFERENCE_LIST", H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, what, where + path);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where + path);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  check(count, what, where + path);
  std::vector<Use> uses(static_cast<std::size_t>(count));
  check(H5Aread(attribute.get(), use_type(where + path).get(), uses.data()), what, where + path);
  return uses;
}

namespace {

/// A dataset of that length to which nothing is ever written, so that it takes no room.
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

void File::share_rows(const std::string& scale, const std::vector<std::string>& columns) {
  const std::string where = name_ + ":";
  const bool values = exists(scale);
  if (!values) {
    if (columns.empty()) return;
    const std::size_t rows = size(columns.front());
    make_empty(id(), scale, rows, where);
    attribute(scale, "units", "1");
    attribute(scale, "long_name", "The rows that the columns of this table share; it has no values of its own.");
    put_text(id(), scale, "NAME", fmt::format("{}{:10}", no_variable, rows), where);
  } else {
    put_text(id(), scale, "NAME", scale.substr(scale.rfind('/') + 1), where);
  }
  put_text(id(), scale, "CLASS", "DIMENSION_SCALE", where);
  hobj_ref_t to = reference(id(), scale, where);
  const Handle list = list_type(where + scale);
  std::vector<Use> uses;
  for (const std::string& column : columns) {
    if (column == scale) continue;
    const hvl_t one{1, &to};
    set_attribute(id(), column, "DIMENSION_LIST", list.get(), 1, &one, where);
    uses.push_back({reference(id(), column, where), 0});
  }
  if (!uses.empty()) {
    set_attribute(id(), scale, "REFERENCE_LIST", use_type(where + scale).get(), uses.size(), uses.data(), where);
  }
}

bool File::has_no_values(const std::string& path) const {
  const std::vector<std::string> name = attribute(path, "NAME");
  return !name.empty() && name.front().starts_with(no_variable);
}

std::map<std::string, std::vector<std::string>> File::scales() const {
  const std::string where = name_ + ":";
  std::map<hobj_ref_t, std::string> paths;
  for (const std::string& path : datasets()) paths.emplace(reference(id(), path, where), path);
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& [self, path] : paths) {
    if (!has(id(), path, "CLASS", where)) continue;
    auto& of = found[path];
    for (const Use& use : uses_of(id(), path, where)) {
      if (const auto user = paths.find(use.dataset); user != paths.end()) of.push_back(user->second);
    }
  }
  return found;
}

std::vector<std::string> File::without_scale() const {
  const std::string where = name_ + ":";
  std::map<hobj_ref_t, std::set<hobj_ref_t>> users;  // by scale
  std::map<std::string, hobj_ref_t> others;
  for (const std::string& path : datasets()) {
    const hobj_ref_t self = reference(id(), path, where);
    if (!has(id(), path, "CLASS", where)) {
      others.emplace(path, self);
      continue;
    }
    auto& of = users[self];
    for (const Use& use : uses_of(id(), path, where)) of.insert(use.dataset);
  }
  std::vector<std::string> found;
  for (const auto& [path, self] : others) {
    const auto scale = users.find(scale_of(id(), path, where));
    if (scale == users.end() || !scale->second.contains(self)) found.push_back(path);
  }
  return found;
}

}  // namespace palstudy::hdf5
