// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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

/// Dimension scales, as "HDF5 Dimension Scale Specification and Design Notes" (The HDF Group) lays them down and the
/// netCDF-4 format uses them.
namespace palstudy::hdf5 {

/// Makes `scale` the dimension scale of these datasets, whose rows are the same things; by it h5py and xarray name the
/// dimension. It is one of them, or else becomes a dataset without values that takes no space.
void share_rows(File& file, const std::string& scale, const std::vector<std::string>& columns);
/// Whether a dataset is such a scale without values.
[[nodiscard]] bool has_no_values(const File& file, const std::string& path);
/// By scale, the datasets that have it.
[[nodiscard]] std::map<std::string, std::vector<std::string>> scales(const File& file);
/// The datasets that are no scale and have none, or one that does not refer back to them; sorted. Errors (data): the
/// references are damaged.
[[nodiscard]] std::vector<std::string> without_scale(const File& file);

}  // namespace palstudy::hdf5
