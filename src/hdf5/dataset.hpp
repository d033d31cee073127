// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5/file.hpp"

namespace palstudy::hdf5 {

/// How the elements of a dataset are stored.
enum class Element { integer, code, real, single, text };

/// Datasets that are read: one-dimensional, in chunks. Errors (data): missing, of another type, damaged.
[[nodiscard]] Element element_of(const File& file, const std::string& path);
[[nodiscard]] std::size_t rows_of(const File& file, const std::string& path);
[[nodiscard]] std::vector<std::int64_t> read_integers(const File& file, const std::string& path);
[[nodiscard]] std::vector<std::int32_t> read_codes(const File& file, const std::string& path);
[[nodiscard]] std::vector<double> read_reals(const File& file, const std::string& path);
[[nodiscard]] std::vector<float> read_singles(const File& file, const std::string& path);
[[nodiscard]] std::vector<std::string> read_texts(const File& file, const std::string& path);
/// Reads a dataset whole, whatever it holds, and returns its number of values; 0 for a scale without values. Errors
/// (data): its checksum fails.
std::size_t read_through(const File& file, const std::string& path);

}  // namespace palstudy::hdf5
