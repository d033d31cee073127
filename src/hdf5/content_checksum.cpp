// SPDX-License-Identifier: MIT
#include "hdf5/content_checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_sum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/references.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

constexpr const char* checksum_attribute = "checksum";
constexpr const char* parts_attribute = "checksum.parts";
constexpr const char* cannot_sum = "cannot read what the checksum covers";
constexpr std::size_t longest_attribute = std::size_t{1} << 30;  // of an attribute

[[noreturn]] void refuse(const std::string& thing, const std::string& where) {
  throw data_error(thing + ", which no file of this program has", where, restore_file);
}

herr_t add_link(hid_t, const char* name, const H5L_info_t* info, void* links) {
  static_cast<std::map<std::string, H5L_type_t>*>(links)->emplace(name, info->type);
  return 0;
}

herr_t add_attribute_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Reads the objects of a file in the order of their names.
class Traversal {
 public:
  explicit Traversal(const File& file) : id_(id_of(file)), name_(place_in(file, "")), sums_(file.state().sums) {
    for (const std::string& path : file.datasets()) paths_.emplace(reference(id_, path, name_), path);
  }

  [[nodiscard]] std::vector<std::string> children(const std::string& group) const {
    std::map<std::string, H5L_type_t> links;
    const Handle open = own(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), H5Gclose, cannot_sum, name_ + group);
    check(H5Literate(open.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &links), cannot_sum, name_ + group);
    std::vector<std::string> paths;
    for (const auto& [name, type] : links) {
      paths.push_back((group == "/" ? "" : group) + "/" + name);
      if (type != H5L_TYPE_HARD) refuse("is a link to elsewhere", name_ + paths.back());
    }
    return paths;
  }

  /// One object without what is under it.
  void add_object(const std::string& path, ContentSum& sum) const {
    const std::string where = name_ + path;
    const Handle object = own(H5Oopen(id_, path.c_str(), H5P_DEFAULT), H5Oclose, cannot_sum, where, restore_file);
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind != H5I_GROUP && kind != H5I_DATASET) refuse("is neither group nor dataset", where);
    H5O_info_t info;
    check(H5Oget_info2(object.get(), &info, H5O_INFO_BASIC), cannot_sum, where);
    if (info.rc != 1) refuse("has more than one name", where);
    if (H5Oget_comment(object.get(), nullptr, 0) > 0) refuse("has a comment", where);
    sum.text(path);
    sum.text(kind == H5I_GROUP ? "group" : values(path, object.get()));
    std::vector<std::string> names;
    check(H5Aiterate2(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute_name, &names), cannot_sum,
          where);
    std::ranges::sort(names);
    for (const std::string& name : names) {
      if (path == "/" && (name == checksum_attribute || name == parts_attribute)) continue;
      sum.text(name);
      add_attribute(path, object.get(), name, sum);
    }
    if (kind == H5I_GROUP) {
      for (const std::string& child : children(path)) sum.text(child);
    }
  }

  void add_tree(const std::string& path, ContentSum& sum) const {
    add_object(path, sum);
    H5O_info_t info;
    check(H5Oget_info_by_name2(id_, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT), cannot_sum, name_ + path);
    if (info.type != H5O_TYPE_GROUP) return;
    for (const std::string& child : children(path)) add_tree(child, sum);
  }

 private:
  /// The sum of the values of a dataset. One that only gives the rows of a table their name has a length, no values.
  [[nodiscard]] std::string values(const std::string& path, hid_t dataset) const {
    const std::string where = name_ + path;
    if (const auto known = sums_.find(path); known != sums_.end()) return known->second;
    const Handle type = own(H5Dget_type(dataset), H5Tclose, cannot_sum, where);
    const Handle space = own(H5Dget_space(dataset), H5Sclose, cannot_sum, where);
    if (H5Sget_simple_extent_ndims(space.get()) != 1) refuse("has another number of dimensions than one", where);
    const auto rows = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
    if (H5Tequal(type.get(), H5T_IEEE_F32LE) <= 0) refuse("is a scale of another type", where);
    if (H5Dget_storage_size(dataset) > 0) {  // h5repack stores zeros
      if (H5Dget_storage_size(dataset) / sizeof(float) > rows) refuse("is a scale of another length", where);
      std::vector<float> stored(rows);
      check(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()), cannot_sum, where);
      if (std::ranges::any_of(stored, [](float one) { return one != 0; })) {
        refuse("is a scale without values that has some", where);
      }
    }
    return fmt::format("{} rows", rows);
  }

  void add_attribute(const std::string& path, hid_t object, const std::string& name, ContentSum& sum) const {
    const std::string where = fmt::format("{}{} (attribute {})", name_, path, name);
    const Handle attribute = own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, cannot_sum, where);
    const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, cannot_sum, where);
    const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, cannot_sum, where);
    if (name == "DIMENSION_LIST") {
      const hobj_ref_t scale = scale_of(id_, path, name_);
      if (scale == 0 || H5Tequal(type.get(), list_type(where).get()) <= 0) refuse("is no list of one scale", where);
      return sum.text(path_of(scale, where));
    }
    if (name == "REFERENCE_LIST") {
      if (H5Tequal(type.get(), use_type(where).get()) <= 0) refuse("is no list of columns", where);
      for (const ScaleUse& use : uses_of(id_, path, name_)) {
        sum.text(path_of(use.dataset, where));
        sum.number(static_cast<std::uint64_t>(use.dimension));
      }
      return;
    }
    sum.text(type_words(type.get(), where));
    const int dimensions = H5Sget_simple_extent_ndims(space.get());
    if (dimensions > 1 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
      refuse("is neither one value nor a list", where);
    }
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
    const std::size_t size = H5Tget_size(type.get());
    if (count > longest_attribute / size) refuse("is too long", where);
    std::vector<std::byte> data(count * size);
    check(H5Aread(attribute.get(), type.get(), data.data()), cannot_sum, where);
    sum.text(dimensions == 0 ? "value" : fmt::format("{} values", count));
    sum.bytes(data.data(), data.size());
  }

  [[nodiscard]] const std::string& path_of(hobj_ref_t object, const std::string& where) const {
    const auto found = paths_.find(object);
    if (found == paths_.end()) refuse("refers to no dataset of the file", where);
    return found->second;
  }

  hid_t id_;
  std::string name_;  ///< of the file, with a colon
  const std::map<std::string, std::string>& sums_;
  std::map<hobj_ref_t, std::string> paths_;
};

}  // namespace

ContentChecksum content_checksum(const File& file) {
  for (const std::string& path : file.datasets()) {
    if (!file.state().sums.contains(path)) read_through(file, path);
  }
  const Traversal content(file);
  ContentChecksum made;
  ContentSum all;
  const auto add = [&](const ContentSum& sum, const std::string& path) {
    made.parts.push_back(sum.hex() + "  " + path);
    all.text(made.parts.back());
  };
  ContentSum root;
  content.add_object("/", root);
  add(root, "/");
  for (const std::string& path : content.children("/")) {
    ContentSum part;
    content.add_tree(path, part);
    add(part, path);
  }
  made.all = all.hex();
  return made;
}

ContentChecksum stored_checksum(const File& file) {
  const auto all = read_attribute(file, "/", checksum_attribute);
  return {all.empty() ? "" : all.front(), read_attribute(file, "/", parts_attribute)};
}

void write_checksum(File& file) {
  const ContentChecksum made = content_checksum(file);
  write_attribute(file, "/", checksum_attribute, made.all);
  write_attribute(file, "/", parts_attribute, made.parts);
}

}  // namespace palstudy::hdf5
