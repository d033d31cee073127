// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>

#include "archive/archive_runs.hpp"

namespace palstudy::test {

/// Flips a bit in the middle of the first chunk of a dataset, where it lies in the file.
inline void damage_chunk(const std::filesystem::path& path, const std::string& dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t of = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
  const hsize_t row = 0;
  haddr_t place = HADDR_UNDEF;
  hsize_t size = 0;
  ASSERT_GE(H5Dget_chunk_info_by_coord(of, &row, nullptr, &place, &size), 0);
  H5Dclose(of);
  H5Fclose(file);
  std::string bytes = read_file(path);
  bytes.at(place + size / 2) ^= 1;
  write_file(path, bytes);
}

}  // namespace palstudy::test
