// SPDX-License-Identifier: MIT
#include "hdf5/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_sum.hpp"
#include "hdf5/references.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

/// Deflate cannot make more than about 1,032 bytes of one; a file that claims more is damaged, and is refused
/// before memory is allocated for it.
constexpr std::uint64_t largest_ratio = 2000;

struct OpenDataset {
  Handle dataset, type, space;
  std::size_t rows;
};

/// HDF5 would read values from any other file that this one names.
void require_stored_here(hid_t dataset, const std::string& where) {
  constexpr const char* what = "cannot read how the dataset is stored";
  const Handle list = own(H5Dget_create_plist(dataset), H5Pclose, what, where, restore_file);
  const int others = H5Pget_external_count(list.get());
  check(others, what, where, restore_file);
  if (others == 0 && H5Pget_layout(list.get()) != H5D_VIRTUAL) return;
  throw data_error("its values lie in another file, as in no file of this program", where,
                   "do not use this file, or ask who made it");
}

OpenDataset open_dataset(const File& file, const std::string& path) {
  const std::string where = place_in(file, path);
  require_own(file, path);
  OpenDataset open;
  open.dataset =
      own(H5Dopen2(id_of(file), path.c_str(), H5P_DEFAULT), H5Dclose, "cannot open the dataset", where, restore_file);
  require_stored_here(open.dataset.get(), where);
  open.type = own(H5Dget_type(open.dataset.get()), H5Tclose, "cannot read the dataset's type", where, restore_file);
  open.space = own(H5Dget_space(open.dataset.get()), H5Sclose, "cannot read the dataset's size", where, restore_file);
  const hssize_t rows =
      H5Sget_simple_extent_ndims(open.space.get()) == 1 ? H5Sget_simple_extent_npoints(open.space.get()) : -1;
  check(rows, "cannot read the dataset's size", where, restore_file);
  const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * H5Tget_size(open.type.get());
  if (bytes / largest_ratio > H5Dget_storage_size(open.dataset.get()) + chunk_bytes) {
    throw data_error("the dataset claims more rows than its bytes can hold", where, "restore the file from a copy");
  }
  open.rows = static_cast<std::size_t>(rows);
  return open;
}

}  // namespace

Element element_of(const File& file, const std::string& path) {
  const OpenDataset open = open_dataset(file, path);
  const std::size_t size = H5Tget_size(open.type.get());
  switch (H5Tget_class(open.type.get())) {
    case H5T_INTEGER:
      if (size == 8) return Element::integer;
      if (size == 4) return Element::code;
      break;
    case H5T_FLOAT:
      if (size == 8) return Element::real;
      if (size == 4) return Element::single;
      break;
    case H5T_STRING:
      if (H5Tis_variable_str(open.type.get()) == 0) return Element::text;
      break;
    default:
      break;
  }
  throw data_error("the dataset is of a type that no archive of palstudy has", place_in(file, path),
                   "hdf5-schemas/archive.md describes what is expected");
}

std::size_t rows_of(const File& file, const std::string& path) { return open_dataset(file, path).rows; }

namespace {

void read(const OpenDataset& open, hid_t type, void* data, const std::string& where) {
  if (open.rows == 0) return;
  check(H5Dread(open.dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "cannot read the dataset", where,
        restore_file);
}

template <class Value>
std::vector<Value> read_as(hid_t type, const File& file, const std::string& path) {
  const OpenDataset open = open_dataset(file, path);
  std::vector<Value> values(open.rows);
  read(open, type, values.data(), place_in(file, path));
  return values;
}

}  // namespace

std::vector<std::int64_t> read_integers(const File& file, const std::string& path) {
  return read_as<std::int64_t>(H5T_NATIVE_INT64, file, path);
}
std::vector<std::int32_t> read_codes(const File& file, const std::string& path) {
  return read_as<std::int32_t>(H5T_NATIVE_INT32, file, path);
}
std::vector<double> read_reals(const File& file, const std::string& path) {
  return read_as<double>(H5T_NATIVE_DOUBLE, file, path);
}
std::vector<float> read_singles(const File& file, const std::string& path) {
  return read_as<float>(H5T_NATIVE_FLOAT, file, path);
}

std::vector<std::string> read_texts(const File& file, const std::string& path) {
  const std::string where = place_in(file, path);
  if (element_of(file, path) != Element::text) throw data_error("the dataset holds no text", where);
  const OpenDataset open = open_dataset(file, path);
  const std::size_t width = H5Tget_size(open.type.get());
  std::string packed(width * open.rows, '\0');
  read(open, open.type.get(), packed.data(), where);
  std::vector<std::string> values;
  values.reserve(open.rows);
  for (std::size_t i = 0; i < open.rows; ++i) {
    const char* text = packed.data() + i * width;
    values.emplace_back(text, strnlen(text, width));
  }
  return values;
}

namespace {

/// As many rows as are read at once: whole chunks, so that none is unpacked twice.
std::size_t rows_at_once(const OpenDataset& open, std::size_t size, const std::string& where) {
  const Handle list =
      own(H5Dget_create_plist(open.dataset.get()), H5Pclose, "cannot read how the dataset is stored", where);
  hsize_t chunk = 1;
  if (H5Pget_layout(list.get()) == H5D_CHUNKED) {
    check(H5Pget_chunk(list.get(), 1, &chunk), "cannot read the chunks of the dataset", where, restore_file);
  }
  const std::size_t rows = std::max<std::size_t>(chunk, 1);
  return std::min(open.rows, rows * std::max<std::size_t>(chunk_bytes / size / rows, 1));
}

}  // namespace

std::size_t read_through(const File& file, const std::string& path) {
  if (has_no_values(file, path)) return 0;
  const std::string where = place_in(file, path);
  const OpenDataset open = open_dataset(file, path);
  ContentSum sum = sum_of_values(open.type.get(), open.rows, where);
  const std::size_t size = H5Tget_size(open.type.get()), most = rows_at_once(open, size, where);
  std::vector<std::byte> values(most * size);
  for (std::size_t done = 0; done < open.rows; done += most) {
    const hsize_t first = done, many = std::min(most, open.rows - done);
    const Handle memory = own(H5Screate_simple(1, &many, nullptr), H5Sclose, "cannot read the dataset", where);
    check(H5Sselect_hyperslab(open.space.get(), H5S_SELECT_SET, &first, nullptr, &many, nullptr),
          "cannot read the dataset", where);
    check(H5Dread(open.dataset.get(), open.type.get(), memory.get(), open.space.get(), H5P_DEFAULT, values.data()),
          "cannot read the dataset", where, restore_file);
    sum.bytes(values.data(), many * size);
  }
  file.state().sums[path] = sum.hex();
  return open.rows;
}

namespace {

constexpr const char* what_is_made = "cannot make the dimension scale";
/// By this text a netCDF-4 reader recognises a dimension without values.
constexpr const char* no_variable = "This is a netCDF dimension but not a netCDF variable.";

/// Plain ASCII that ends with a NUL, as the library requires.
void put_text(const File& file, const std::string& object, const char* name, const std::string& text) {
  const std::string where = place_in(file, object);
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, what_is_made, where);
  check(H5Tset_size(type.get(), text.size() + 1), what_is_made, where);
  put_attribute(file, object, name, type.get(), 0, text.c_str());
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

// The attributes are written in one go: the library's own H5DSattach_scale writes its lists again for each column and
// leaves the old ones in the file.
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
    put_text(file, scale, "NAME", fmt::format("{}{:10}", no_variable, rows));
  } else {
    put_text(file, scale, "NAME", scale.substr(scale.rfind('/') + 1));
  }
  put_text(file, scale, "CLASS", "DIMENSION_SCALE");
  hobj_ref_t to = reference(id, scale, where);
  const Handle list = list_type(where + scale);
  std::vector<ScaleUse> uses;
  for (const std::string& column : columns) {
    if (column == scale) continue;
    const hvl_t one{1, &to};
    put_attribute(file, column, "DIMENSION_LIST", list.get(), 1, &one);
    uses.push_back({reference(id, column, where), 0});
  }
  if (!uses.empty()) {
    put_attribute(file, scale, "REFERENCE_LIST", use_type(where + scale).get(), uses.size(), uses.data());
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
    for (const ScaleUse& use : uses_of(id, path, where)) {
      if (const auto user = paths.find(use.dataset); user != paths.end()) of.push_back(user->second);
    }
  }
  return found;
}

std::vector<std::string> without_scale(const File& file) {
  const auto of_scale = scales(file);
  const std::string where = place_in(file, "");
  std::vector<std::string> found;
  for (const std::string& path : file.datasets()) {
    if (of_scale.contains(path)) continue;
    const hobj_ref_t own = scale_of(id_of(file), path, where);
    const auto is_mutual = [&](const auto& entry) {
      const auto& [scale, columns] = entry;
      return std::ranges::find(columns, path) != columns.end() && reference(id_of(file), scale, where) == own;
    };
    if (std::ranges::none_of(of_scale, is_mutual)) found.push_back(path);
  }
  return found;
}

}  // namespace palstudy::hdf5
