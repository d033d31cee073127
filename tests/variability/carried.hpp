// SPDX-License-Identifier: MIT
// The measurements that the repository carries.
#pragma once
#include <filesystem>
#include <string>

#include "variability/sources/measurements.hpp"

namespace palstudy {

inline const std::filesystem::path carried_measurements =
    std::filesystem::path(PALSTUDY_SOURCE_DIR) / "kernels" / "measurements";

inline Measurements carried(const std::string& name) { return read_measurements(carried_measurements, name); }

}  // namespace palstudy
