// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hdf5/file.hpp"

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
