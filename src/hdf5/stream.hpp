// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"

namespace palstudy::hdf5 {

/// What a dataset is, for readers without this program.
struct Label {
  std::string units;  ///< UCUM spelling; "1" for none
  std::string long_name;
};

/// A dataset on its way into a file: values are appended, and written chunk by chunk; at most one chunk is in memory.
/// Chunks hold about 1 MiB and pass shuffle, deflate and fletcher32: the filters that every build of HDF5 has.
class Stream {
 public:
  /// A dataset of `rows` values; `width`: of text, in bytes.
  Stream(File& file, const std::string& path, Element element, std::size_t rows, const Label& label,
         std::size_t width = 1);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  /// Values of the element that the dataset has. Errors (data): cannot be written. Errors (fault): more than its rows.
  void append(std::span<const std::int64_t> values);
  void append(std::span<const std::int32_t> values);
  void append(std::span<const double> values);
  void append(std::span<const float> values);
  /// Padded with NUL. Errors (data): a text that holds a NUL. Errors (fault): one that is longer than the width.
  void append(std::span<const std::string> values);
  /// Writes what is left. Errors as `append`; (fault): fewer values than its rows.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A whole dataset. Text has a fixed length: UTF-8, padded with NUL. Errors (data): a text that holds a NUL.
void write_dataset(File& file, const std::string& path, std::span<const std::int64_t> values, const Label& label);
void write_dataset(File& file, const std::string& path, std::span<const std::int32_t> values, const Label& label);
void write_dataset(File& file, const std::string& path, std::span<const double> values, const Label& label);
void write_dataset(File& file, const std::string& path, std::span<const float> values, const Label& label);
void write_dataset(File& file, const std::string& path, std::span<const std::string> values, const Label& label);

}  // namespace palstudy::hdf5
