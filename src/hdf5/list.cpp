// SPDX-License-Identifier: MIT
// What a file has beside its datasets, for a copy of it.
#include <algorithm>
#include <set>

#include "hdf5/hdf5.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

herr_t add_group(hid_t, const char* name, const H5O_info_t* info, void* paths) {
  if (info->type == H5O_TYPE_GROUP && std::string(name) != ".") {
    static_cast<std::vector<std::string>*>(paths)->emplace_back("/").append(name);
  }
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static const std::set<std::string> of_scales = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"};
  if (!of_scales.contains(name)) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

std::vector<std::string> File::groups() const {
  std::vector<std::string> paths;
  check(H5Ovisit2(id(), H5_INDEX_NAME, H5_ITER_INC, add_group, &paths, H5O_INFO_BASIC), "cannot list the groups",
        name_);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> File::attribute_names(const std::string& object) const {
  std::vector<std::string> names;
  check(
      H5Aiterate_by_name(id(), object.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &names, H5P_DEFAULT),
      "cannot list the attributes", name_ + ":" + object);
  std::sort(names.begin(), names.end());
  return names;
}

File::AttributeValue File::attribute_value(const std::string& object, const std::string& name) const {
  const std::string where = name_ + ":" + object, what = "cannot read the attribute " + name;
  const Handle attribute =
      own(H5Aopen_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what, where);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, what, where);
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, what, where);
  std::vector<std::string> values = this->attribute(object, name);
  const bool scalar = H5Sget_simple_extent_type(space.get()) == H5S_SCALAR;
  if (H5Tget_class(type.get()) == H5T_INTEGER) {
    if (scalar) return static_cast<std::int64_t>(std::stoll(values.at(0)));
    std::vector<std::int32_t> codes;
    for (const std::string& value : values) codes.push_back(static_cast<std::int32_t>(std::stol(value)));
    return codes;
  }
  if (scalar) return values.at(0);
  return values;
}

}  // namespace palstudy::hdf5
