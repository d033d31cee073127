// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// A GPU of a profile, or a CPU core that stands for one (--backend host). Unknown numbers are NaN, unknown texts "".
/// (More than 15 members: a column each.)
struct ProfileGpu {
  std::string uuid;  ///< of the driver; of a CPU core "host-<name>-<index>"; of an import the source's own id
  std::string host;  ///< "" where it is not known
  int local = -1;    ///< index on its host; -1 where it is not known
  std::string cabinet;
  std::string name;  ///< of the product
  std::string pci_bus_id, serial, board_part, vbios, ecc, mig, persistence;
  int numa_node = -1;
  int multiprocessors = 0;
  double memory_bytes = nan;
  double power_limit_w = nan;
  double power_limit_default_w = nan;
  double max_sm_mhz = nan;
  double max_mem_mhz = nan;
};

/// One measuring campaign: a command, continued or not, on one allocation.
struct ProfileSession {
  std::string id;          ///< unique among all profiles that will ever be merged: start in UTC and random digits
  std::string backend;     ///< "cuda", "host"; "import"
  std::string start, end;  ///< UTC, ISO 8601; "" where it is not known
  std::string driver, runtime, command_line;
  std::int64_t seed = 1;
  std::int64_t ranks = 1;
  bool solo = false;  ///< one GPU of a node at a time
  bool injected_slowdown =
      false;             ///< some GPUs were slowed on purpose (--inject-slowdown): no measurement of a machine
  std::string protocol;  ///< "clock = cuda-events, repeats = 3, batch_s = 0.1, ..."; "" of an import
  std::string remarks;   ///< on the devices, a line each: other processes seen, pending repairs, no sensors
};

/// A kernel or application as it was run. Two sizes of one kernel are two kernels, and are not merged.
struct ProfileKernel {
  std::string name;
  std::string params;        ///< "n = 8192, seed = 1"; "" of an import
  std::string pipe;          ///< that its operations use: "fp32", "fp64", "fp16", "tensor"; "" none or not known
  double flops = nan;        ///< of one launch, by formula
  double bytes_least = nan;  ///< through DRAM, of one launch: every re-use hits
  double bytes_most = nan;   ///< bytes if every gather misses the cache
};

/// Samples of a device's sensors during one repeat; all columns of one length.
struct ProfileTelemetry {
  std::vector<std::int64_t> t_ns;  ///< since 1970
  std::vector<double> sm_mhz, mem_mhz, power_w, temp_c, energy_j;
  std::vector<std::int64_t> reasons;  ///< NVML's mask of why clocks are not higher
};

/// What is known of a repeat beside its batches and samples. Indices are places in the vectors of Profile.
struct RepeatFacts {
  std::int32_t gpu = 0, session = 0, kernel = 0;
  std::int32_t repeat = 0;    ///< 0, 1, ... within the session
  std::int64_t launches = 1;  ///< of a batch
  double warm_up_s = 0, host_s = 0;
  std::int64_t start_ns = 0;  ///< since 1970, of the first timed batch; 0 where it is not known
  std::uint32_t flags = 0;    ///< reasons to distrust it: kernels/protocol.hpp
  double check_error = nan;   ///< against float64, in units of what rounding allows
};

/// One kernel measured once on one GPU in one session, every batch of it.
struct ProfileRepeat : RepeatFacts {
  std::vector<float> batch_ms;  ///< of a batch of `launches`
  ProfileTelemetry telemetry;
};

/// Data moved between GPUs: by a pair (`link`) or by a group that sums (`allreduce`).
struct ProfileTransfer {
  std::int32_t session = 0;
  std::string kernel;  ///< "link", "allreduce"
  std::string level;   ///< the widest that the ranks span: "node", "cabinet", "cluster"
  std::string path;    ///< "peer", "nccl", "mpi-device", "mpi-host"
  std::int64_t ranks = 2;
  double bytes = 0;
  double seconds = 0;  ///< median; NaN: tried, and not there
  double check_error = nan;
};

/// How far an application uses what a GPU has, as a profiler counted it (`palstudy profile import` of `ncu --csv`):
/// shares of the peak over elapsed time, 0 to 1, means over its launches weighted by the duration of each; NaN: not
/// counted.
struct ProfileUtilization {
  std::string application;
  std::int64_t launches = 0;
  double duration_s = 0;  ///< of all its launches: its weight beside others
  double u_dram = nan;
  double u_fu = nan;  ///< the largest of the pipes below
  double u_fma = nan;
  double u_fp64 = nan;
  double u_fp16 = nan;
  double u_alu = nan;
  double u_xu = nan;
  double u_tensor = nan;
};

/// What a profile has beside its repeats.
struct ProfileTables {
  std::string origin = "bundled-kernels";       ///< or "imported"
  std::vector<ProfileGpu> gpus;                 ///< by (host, local, uuid)
  std::vector<ProfileSession> sessions;         ///< by id
  std::vector<ProfileKernel> kernels;           ///< by (name, params)
  std::vector<ProfileTransfer> transfers;       ///< by (kernel, level, path, ranks, bytes, session)
  std::vector<ProfileUtilization> utilization;  ///< by application
};

/// What hdf5-schemas/profile.md describes, in memory.
struct Profile : ProfileTables {
  std::vector<ProfileRepeat> repeats;  ///< by (kernel, gpu, session, repeat)
};

/// Whether two rows are equal; NaN equals NaN.
[[nodiscard]] bool same(const ProfileGpu& a, const ProfileGpu& b);
[[nodiscard]] bool same(const ProfileKernel& a, const ProfileKernel& b);
[[nodiscard]] bool same(const ProfileUtilization& a, const ProfileUtilization& b);
/// Start, end and remarks left out.
[[nodiscard]] bool same_but_times(const ProfileSession& a, const ProfileSession& b);
/// What they measured, whatever the places of GPU, session and kernel in their profiles.
[[nodiscard]] bool same_but_indices(const ProfileRepeat& a, const ProfileRepeat& b);
[[nodiscard]] bool same_but_indices(const ProfileTransfer& a, const ProfileTransfer& b);

/// The same profile with its tables in the order that profile.hpp says, and indices that follow. What is measured on
/// many ranks, or in many jobs, becomes one sequence of bytes so, whatever order it came in.
[[nodiscard]] Profile in_order(Profile profile);

/// Checks what readers of a profile rely on: indices are places in their tables, keys (UUID of a GPU, id of a
/// session, name and parameters of a kernel, the four numbers of a repeat, application) are there once, sensors have as
/// many samples as times, repeats have batches, and all times of batches are positive. `where` is the file.
/// Errors (data, at where:/table, row): the first thing that is not so.
void check_profile(const Profile& profile, const std::string& where);

/// What a profile says of each kernel, by name: a run is a repeat, its time the median over the batches per launch, in
/// ms; runs by session, then repeat. Repeats whose result was wrong are left out, and so are GPUs that have no other. A
/// GPU's temperature is the median over all samples of its repeats. A kernel that was measured in several sizes is one
/// for each, named "name (params)".
[[nodiscard]] std::vector<Measurements> measurements_of(const Profile& profile);

}  // namespace palstudy
