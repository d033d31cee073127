// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "kernels/protocol.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// Changes to the protocol of kernels/protocol.hpp; seconds.
struct ProtocolChanges {
  std::optional<std::size_t> repeats = {};
  std::optional<double> batch_s = {};
  std::optional<double> warm_up_s = {};  ///< the longest
  std::optional<double> repeat_s = {};   ///< timed part of a repeat
  bool quick = false;                    ///< a tenth of the times, a fifth of the batch: to try things out
};
[[nodiscard]] Protocol changed_protocol(Backend backend, const ProtocolChanges& changes);

/// "clock = cuda-events, repeats = 3, batch_s = 0.1, ...", for the record.
[[nodiscard]] std::string protocol_text(const Protocol& protocol, Backend backend, double telemetry_hz);

/// The options of `palstudy measure`. (More than 15 members: an option each.)
struct MeasureOptions {
  std::filesystem::path output;
  std::optional<Backend> backend;    ///< if not: CUDA where there is a GPU
  std::vector<std::string> kernels;  ///< none: those that stand for classes, and the ceilings
  std::vector<std::string> params;   ///< KERNEL.NAME=VALUE
  bool all = false, solo = false, force = false, allow_mig = false;
  ProtocolChanges protocol;
  double telemetry_hz = 10;
  std::uint64_t seed = 1;  ///< of the operands and of the order of the kernels
  std::string session;     ///< a label, "" for none
  std::filesystem::path injected_slowdown;
  int hosts_of = 0;           ///< ranks pose as hosts of so many; 0: the hosts that there are
  std::string cabinet_regex;  ///< its first group, or all of its match in a host's name, is the cabinet
  std::optional<double> time_limit_s;
  std::string command_line;
};

/// A kernel as it will be measured.
struct ChosenKernel {
  const KernelEntry* entry;
  ParamValues params;
  ProfileKernel record;
  std::size_t bytes = 0;  ///< of its arrays
};

/// Those named, or all, or those measured by default; sorted by name. `link` and `allreduce` are left out: between GPUs
/// they are measured otherwise (measure/transfers.hpp).
/// Errors (usage): a kernel or parameter that is not there, one that the backend has not, one named twice.
[[nodiscard]] std::vector<ChosenKernel> choose_kernels(const MeasureOptions& options, Backend backend);

}  // namespace palstudy
