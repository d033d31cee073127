// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "archive/reader.hpp"
#include "core/value.hpp"

namespace palstudy {

/// What an archive before schema 1.9 says in sentences, where later ones have values. Of a later one all is empty.
struct EarlierLines {
  std::string measured = {}, load = {};  ///< which jobs are measured, and the offered load
  std::string looks = {};                ///< of `[stop]`, and why they ended
  ValueRecord load_values = {};          ///< as those of inputs/measured_jobs.hpp
};
/// The one place that reads them.
[[nodiscard]] EarlierLines earlier_lines(const ArchiveReader& archive);

}  // namespace palstudy
