// SPDX-License-Identifier: MIT
#include "hdf5/references.hpp"

#include <fmt/format.h>

#include <cstring>

namespace palstudy::hdf5 {
namespace {

constexpr const char* no_type = "cannot make the type of a reference";

}  // namespace

bool has_attribute(hid_t file, const std::string& object, const char* name, const std::string& where) {
  const htri_t there = H5Aexists_by_name(file, object.c_str(), name, H5P_DEFAULT);
  check(there, fmt::format("cannot look for the attribute {}", name), where + object);
  return there > 0;
}

Handle use_type(const std::string& where) {
  Handle type = own(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)), H5Tclose, no_type, where);
  check(H5Tinsert(type.get(), "dataset", offsetof(ScaleUse, dataset), H5T_STD_REF_OBJ), no_type, where);
  check(H5Tinsert(type.get(), "dimension", offsetof(ScaleUse, dimension), H5T_STD_I32LE), no_type, where);
  return type;
}

Handle list_type(const std::string& where) { return own(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, no_type, where); }

hobj_ref_t reference(hid_t file, const std::string& path, const std::string& where) {
  hobj_ref_t made = 0;
  check(H5Rcreate(&made, file, path.c_str(), H5R_OBJECT, -1), "cannot refer to the dataset", where + path);
  return made;
}

hobj_ref_t scale_of(hid_t file, const std::string& path, const std::string& where) {
  constexpr const char* what = "cannot read the attribute DIMENSION_LIST";
  if (!has_attribute(file, path, "DIMENSION_LIST", where)) return 0;
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

std::vector<ScaleUse> uses_of(hid_t file, const std::string& path, const std::string& where) {
  constexpr const char* what = "cannot read the attribute REFERENCE_LIST";
  if (!has_attribute(file, path, "REFERENCE_LIST", where)) return {};
  const Handle attribute = own(H5Aopen_by_name(file, path.c_str(), "REFERENCE_LIST", H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, what, where + path);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where + path);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  check(count, what, where + path);
  std::vector<ScaleUse> uses(static_cast<std::size_t>(count));
  check(H5Aread(attribute.get(), use_type(where + path).get(), uses.data()), what, where + path);
  return uses;
}

}  // namespace palstudy::hdf5
