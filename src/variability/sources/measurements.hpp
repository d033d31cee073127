// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/numbers.hpp"

namespace palstudy {

/// The measurements of one kernel or application on one machine.
struct Measurements {
  struct Gpu {
    std::string id;
    std::string host;              ///< "" where it is not known
    int local = -1;                ///< index on its host; -1 where it is not known
    std::vector<double> times_ms;  ///< time of each run, in the order of the file
    double median = 0;             ///< over its runs, in ms
    /// The session of each run, as a number of its profile; empty where sessions are not known.
    std::vector<std::int32_t> session_of_run = {};
    double temp_c = nan;  ///< degrees Celsius, median over its runs; NaN where it is not known
  };
  std::string name;       ///< e.g. "longhorn-resnet50"
  std::vector<Gpu> gpus;  ///< in file order
  [[nodiscard]] std::size_t runs() const;
};

/// Reads `<dir>/<name>.csv` (a row a GPU) and `<dir>/runs/<name>.csv` (a row a run).
/// Errors (data): files that do not fit together, times that are not positive.
[[nodiscard]] Measurements read_measurements(const std::filesystem::path& dir, const std::string& name);

/// Which measurements stand for each class: class name -> Measurements, sorted by class.
using ClassMeasurements = std::map<std::string, const Measurements*>;

/// Which of each GPU's runs stand for it: all of them, or every other one in the order of the file, so that both halves
/// see the whole time of the measurement. A GPU of one run has it in both.
enum class RunsUsed { all, even, odd };

}  // namespace palstudy
