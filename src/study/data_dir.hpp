// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy {

/// jobs/, kernels/measurements/ ...: found from the program wherever the study lies (PALSTUDY_DATA, beside the
/// executable's source or install tree).
[[nodiscard]] std::filesystem::path data_dir();

}  // namespace palstudy
