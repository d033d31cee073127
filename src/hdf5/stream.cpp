// SPDX-License-Identifier: MIT
#include "hdf5/stream.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_sum.hpp"
#include "hdf5/state.hpp"

namespace palstudy::hdf5 {
namespace {

hsize_t chunk_rows(std::size_t rows, std::size_t element_size) {
  return std::clamp<hsize_t>(chunk_bytes / element_size, 1, std::max<std::size_t>(rows, 1));
}

Handle creation_list(std::size_t rows, std::size_t element_size, const std::string& where) {
  Handle list = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "cannot prepare the dataset", where);
  check(H5Pset_obj_track_times(list.get(), false), "cannot prepare the dataset", where);
  if (rows == 0) return list;  // nothing to cut into chunks
  const hsize_t chunk = chunk_rows(rows, element_size);
  check(H5Pset_chunk(list.get(), 1, &chunk), "cannot choose the chunks", where);
  check(H5Pset_shuffle(list.get()), "cannot choose the filters", where);
  check(H5Pset_deflate(list.get(), deflate_level), "cannot choose the filters", where);
  check(H5Pset_fletcher32(list.get()), "cannot choose the filters", where);
  return list;
}

/// No chunk cache: whole chunks are written, and there may be a hundred datasets.
Handle access_list(const std::string& where) {
  Handle list = own(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "cannot prepare the dataset", where);
  check(H5Pset_chunk_cache(list.get(), 0, 0, 1), "cannot prepare the dataset", where);
  return list;
}

Handle type_of(Element element, std::size_t width, const std::string& where) {
  const auto copy = [&](hid_t type) { return own(H5Tcopy(type), H5Tclose, "cannot make a type", where); };
  switch (element) {
    case Element::integer:
      return copy(H5T_STD_I64LE);
    case Element::code:
      return copy(H5T_STD_I32LE);
    case Element::real:
      return copy(H5T_IEEE_F64LE);
    case Element::single:
      return copy(H5T_IEEE_F32LE);
    case Element::text:
      return text_type(width, where);
  }
  throw fault("an element without a type", where);
}

}  // namespace

struct Stream::State {
  std::string where;
  Element element;
  Handle type, dataset, space;
  std::size_t size, rows, chunk;  // bytes of an element; rows of the dataset and of a chunk
  std::size_t written = 0;
  std::vector<std::byte> left;  // of a chunk that is not full
  ContentSum sum;
  std::string* sum_to = nullptr;  // where the file keeps it

  void write(const void* data, std::size_t count) {
    const hsize_t first = written, many = count;
    const Handle memory = own(H5Screate_simple(1, &many, nullptr), H5Sclose, "cannot write", where);
    check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &many, nullptr), "cannot write", where);
    check(H5Dwrite(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, data), "cannot write", where);
    written += count;
  }

  void append(Element given, const void* data, std::size_t count) {
    if (given != element) throw fault("values of another type than the dataset has", where);
    if (count > rows - written - left.size() / size) throw fault("more values than the dataset has rows", where);
    sum.bytes(data, count * size);
    const auto* bytes = static_cast<const std::byte*>(data);
    const auto* const end = bytes + count * size;
    if (!left.empty()) {
      const std::size_t room = chunk * size - left.size(), fits = std::min<std::size_t>(room, count * size);
      left.insert(left.end(), bytes, bytes + fits);
      bytes += fits;
      if (left.size() < chunk * size) return;
      write(left.data(), chunk);
      left.clear();
    }
    const std::size_t whole = static_cast<std::size_t>(end - bytes) / size / chunk * chunk;
    if (whole > 0) write(bytes, whole);
    left.assign(bytes + whole * size, end);
  }
};

Stream::Stream(File& file, const std::string& path, Element element, std::size_t rows, const Label& label,
               std::size_t width)
    : state_(std::make_unique<State>()) {
  const std::string where = place_in(file, path);
  if (const auto slash = path.rfind('/'); slash != 0 && slash != std::string::npos) file.group(path.substr(0, slash));
  const hsize_t extent = rows;
  state_->where = where;
  state_->element = element;
  state_->rows = rows;
  state_->type = type_of(element, width, where);
  state_->size = H5Tget_size(state_->type.get());
  state_->chunk = chunk_rows(rows, state_->size);
  state_->space = own(H5Screate_simple(1, &extent, nullptr), H5Sclose, "cannot prepare the dataset", where);
  const Handle list = creation_list(rows, state_->size, where), access = access_list(where);
  state_->dataset = own(H5Dcreate2(id_of(file), path.c_str(), state_->type.get(), state_->space.get(), H5P_DEFAULT,
                                   list.get(), access.get()),
                        H5Dclose, "cannot make the dataset", where);
  state_->sum = sum_of_values(state_->type.get(), rows, where);
  state_->sum_to = &file.state().sums[path];
  write_attribute(file, path, "units", label.units);
  write_attribute(file, path, "long_name", label.long_name);
}

Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

void Stream::append(std::span<const std::int64_t> values) {
  state_->append(Element::integer, values.data(), values.size());
}
void Stream::append(std::span<const std::int32_t> values) {
  state_->append(Element::code, values.data(), values.size());
}
void Stream::append(std::span<const double> values) { state_->append(Element::real, values.data(), values.size()); }
void Stream::append(std::span<const float> values) { state_->append(Element::single, values.data(), values.size()); }

void Stream::append(std::span<const std::string> values) {
  const std::size_t width = state_->size;
  std::string packed(width * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].size() > width) throw fault("a text longer than its dataset is wide", state_->where);
    if (values[i].find('\0') != std::string::npos) {
      throw data_error("a text holds a NUL character, which HDF5 cannot keep", state_->where,
                       "remove it from the study or the trace");
    }
    std::copy(values[i].begin(), values[i].end(), &packed[i * width]);
  }
  state_->append(Element::text, packed.data(), values.size());
}

void Stream::close() {
  if (!state_->left.empty()) state_->write(state_->left.data(), state_->left.size() / state_->size);
  state_->left = {};
  if (state_->written != state_->rows) throw fault("fewer values than the dataset has rows", state_->where);
  check(state_->dataset.close(), "cannot write", state_->where);
  *state_->sum_to = state_->sum.hex();
}

namespace {

template <class T>
void write_whole(Stream stream, std::span<const T> values) {
  stream.append(values);
  stream.close();
}

}  // namespace

void write_dataset(File& file, const std::string& path, std::span<const std::int64_t> values, const Label& label) {
  write_whole(Stream(file, path, Element::integer, values.size(), label), values);
}
void write_dataset(File& file, const std::string& path, std::span<const std::int32_t> values, const Label& label) {
  write_whole(Stream(file, path, Element::code, values.size(), label), values);
}
void write_dataset(File& file, const std::string& path, std::span<const double> values, const Label& label) {
  write_whole(Stream(file, path, Element::real, values.size(), label), values);
}
void write_dataset(File& file, const std::string& path, std::span<const float> values, const Label& label) {
  write_whole(Stream(file, path, Element::single, values.size(), label), values);
}
void write_dataset(File& file, const std::string& path, std::span<const std::string> values, const Label& label) {
  std::size_t width = 1;
  for (const std::string& value : values) width = std::max(width, value.size());
  write_whole(Stream(file, path, Element::text, values.size(), label, width), values);
}

}  // namespace palstudy::hdf5
