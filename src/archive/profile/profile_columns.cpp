// SPDX-License-Identifier: MIT
// Every column of a profile, in the order in which it is stored and digested.
#include "archive/profile/profile_columns.hpp"

namespace palstudy {
namespace {

constexpr ProfileForm coded = ProfileForm::coded, derived = ProfileForm::derived;

}  // namespace

template <>
const std::vector<ProfileColumn<ProfileGpu>>& profile_columns() {
  using R = ProfileGpu;
  static const std::vector<ProfileColumn<R>> columns = {
      {"uuid", "1", "UUID of the GPU, or what stands for it: host-<name>-<index> of a CPU core, an import's own id.",
       &R::uuid},
      {"host", "1", "Name of its node, empty where it is not known.", &R::host, coded},
      {"local", "1", "Its index on the node, -1 where it is not known.", &R::local},
      {"cabinet", "1", "Name of its cabinet, empty where it is not known.", &R::cabinet, coded},
      {"name", "1", "Name of the product.", &R::name, coded},
      {"pci_bus_id", "1", "Where it sits on its node.", &R::pci_bus_id, coded},
      {"serial", "1", "Serial number.", &R::serial},
      {"board_part", "1", "Part number of the board.", &R::board_part, coded},
      {"vbios", "1", "Version of its video BIOS.", &R::vbios, coded},
      {"ecc", "1", "Mode of error correction.", &R::ecc, coded},
      {"mig", "1", "Mode of partitioning (MIG).", &R::mig, coded},
      {"persistence", "1", "Persistence mode of the driver.", &R::persistence, coded},
      {"numa_node", "1", "NUMA node it is next to, -1 where it is not known.", &R::numa_node},
      {"multiprocessors", "1", "Streaming multiprocessors, 0 where it is not known.", &R::multiprocessors},
      {"memory_bytes", "By", "Size of its memory.", &R::memory_bytes},
      {"power_limit_w", "W", "Power limit in force.", &R::power_limit_w},
      {"power_limit_default_w", "W", "Power limit by default.", &R::power_limit_default_w},
      {"max_sm_mhz", "MHz", "Highest clock of the multiprocessors.", &R::max_sm_mhz},
      {"max_mem_mhz", "MHz", "Highest clock of the memory.", &R::max_mem_mhz}};
  return columns;
}

template <>
const std::vector<ProfileColumn<ProfileSession>>& profile_columns() {
  using R = ProfileSession;
  static const std::vector<ProfileColumn<R>> columns = {
      {"id", "1", "Name of the session, unique among all profiles: its start in UTC and random digits.", &R::id},
      {"backend", "1", "What was measured: cuda, host (CPU cores), import.", &R::backend, coded},
      {"start", "1", "Start in UTC, ISO 8601.", &R::start},
      {"end", "1", "End in UTC, ISO 8601.", &R::end},
      {"driver", "1", "Version of the driver.", &R::driver, coded},
      {"runtime", "1", "Version of the CUDA runtime.", &R::runtime, coded},
      {"command_line", "1", "The command that measured.", &R::command_line},
      {"seed", "1", "Seed of the inputs and of the order of the kernels.", &R::seed},
      {"ranks", "1", "MPI ranks that measured, one a GPU.", &R::ranks},
      {"solo", "1", "1 if one GPU of a node was measured at a time, else 0.", &R::solo},
      {"planted", "1", "1 if some GPUs were slowed on purpose, else 0.", &R::injected_slowdown},
      {"protocol", "1", "How it was measured: clock, repeats, lengths of batches, warm-up.", &R::protocol},
      {"remarks", "1", "What was remarked of the devices, a line each.", &R::remarks}};
  return columns;
}

template <>
const std::vector<ProfileColumn<ProfileKernel>>& profile_columns() {
  using R = ProfileKernel;
  static const std::vector<ProfileColumn<R>> columns = {
      {"name", "1", "Name of the kernel or application.", &R::name},
      {"params", "1", "Its parameters; two sizes of a kernel are two kernels.", &R::params},
      {"pipe", "1", "What its operations use: fp32, fp64, fp16, tensor; empty for none or not known.", &R::pipe, coded},
      {"flops", "{FLOP}", "Operations of one launch, by formula.", &R::flops},
      {"bytes_least", "By", "Bytes through DRAM of one launch if every re-use hits a cache.", &R::bytes_least},
      {"bytes_most", "By", "Bytes through DRAM of one launch if every gather misses.", &R::bytes_most}};
  return columns;
}

template <>
const std::vector<ProfileColumn<RepeatRow>>& profile_columns() {
  using R = RepeatRow;
  static const std::vector<ProfileColumn<R>> columns = {
      {"gpu", "1", "The GPU, as a row of /gpus.", &R::gpu},
      {"session", "1", "The session, as a row of /sessions.", &R::session},
      {"kernel", "1", "The kernel, as a row of /kernels.", &R::kernel},
      {"repeat", "1", "Which repeat of the session, from 0.", &R::repeat},
      {"launches", "1", "Launches of a batch.", &R::launches},
      {"warm_up_s", "s", "Time for which the kernel ran before it was timed.", &R::warm_up_s},
      {"host_s", "s", "Time of all batches by the clock of the host.", &R::host_s},
      {"start_ns", "ns", "Start of the first timed batch since 1970, 0 where it is not known.", &R::start_ns},
      {"flags", "1",
       "Sum of reasons to distrust it: 1 not steady, 2 contended, 4 starved, 8 throttled, 16 unstable, 32 wrong.",
       &R::flags},
      {"check_error", "1", "Largest error of the result against float64 over what rounding allows.", &R::check_error},
      {"batch_begin", "1", "First row of the repeat in /batches.", &R::batch_begin, derived},
      {"batch_count", "1", "Rows of the repeat in /batches.", &R::batch_count},
      {"sample_begin", "1", "First row of the repeat in /telemetry.", &R::sample_begin, derived},
      {"sample_count", "1", "Rows of the repeat in /telemetry.", &R::sample_count},
      {"median_ms", "ms", "Median time of a launch, over the batches.", &R::median_ms, derived},
      {"mean_ms", "ms", "Mean time of a launch, over the batches.", &R::mean_ms, derived},
      {"deviation_ms", "ms", "Standard deviation of the time of a launch between batches.", &R::deviation_ms, derived},
      {"least_ms", "ms", "Time of a launch in the fastest batch.", &R::least_ms, derived},
      {"p05_ms", "ms", "5 % quantile of the time of a launch, over the batches.", &R::p05_ms, derived},
      {"p95_ms", "ms", "95 % quantile of the time of a launch, over the batches.", &R::p95_ms, derived},
      {"most_ms", "ms", "Time of a launch in the slowest batch.", &R::most_ms, derived}};
  return columns;
}

template <>
const std::vector<ProfileColumn<BatchRow>>& profile_columns() {
  using R = BatchRow;
  static const std::vector<ProfileColumn<R>> columns = {
      {"time_ms", "ms", "Time of a batch of launches, one repeat after the other.", &R::time_ms}};
  return columns;
}

template <>
const std::vector<ProfileColumn<SampleRow>>& profile_columns() {
  using R = SampleRow;
  static const std::vector<ProfileColumn<R>> columns = {
      {"t_ns", "ns", "Time of the sample since 1970, 0 where it is not known.", &R::t_ns},
      {"sm_mhz", "MHz", "Clock of the multiprocessors.", &R::sm_mhz},
      {"mem_mhz", "MHz", "Clock of the memory.", &R::mem_mhz},
      {"power_w", "W", "Power drawn.", &R::power_w},
      {"temp_c", "Cel", "Temperature of the GPU.", &R::temp_c},
      {"energy_j", "J", "Energy drawn since the driver was loaded.", &R::energy_j},
      {"reasons", "1", "NVML's mask of the reasons why clocks are not higher.", &R::reasons}};
  return columns;
}

template <>
const std::vector<ProfileColumn<ProfileTransfer>>& profile_columns() {
  using R = ProfileTransfer;
  static const std::vector<ProfileColumn<R>> columns = {
      {"session", "1", "The session, as a row of /sessions.", &R::session},
      {"kernel", "1", "link: a pair; allreduce: a group that sums.", &R::kernel, coded},
      {"level", "1", "The widest level that the ranks span: node, cabinet, cluster.", &R::level, coded},
      {"path", "1", "How data moved: peer, nccl, mpi-device, mpi-host.", &R::path, coded},
      {"ranks", "1", "Ranks of the pair or group.", &R::ranks},
      {"bytes", "By", "Size of what each rank sent or summed.", &R::bytes},
      {"seconds", "s", "Median time; NaN: tried, and not there.", &R::seconds},
      {"check_error", "1", "Largest error of what arrived over what rounding allows.", &R::check_error}};
  return columns;
}

template <>
const std::vector<ProfileColumn<ProfileUtilization>>& profile_columns() {
  using R = ProfileUtilization;
  static const std::vector<ProfileColumn<R>> columns = {
      {"application", "1", "Name of the application.", &R::application},
      {"launches", "1", "Launches that were counted.", &R::launches},
      {"duration_s", "s", "Time of all launches, the weight beside other applications.", &R::duration_s},
      {"u_dram", "1", "Share of the peak throughput of DRAM, over elapsed time.", &R::u_dram},
      {"u_fu", "1", "Share of the peak of the busiest pipe below, over elapsed time.", &R::u_fu},
      {"u_fma", "1", "Share of the peak of the FP32 multiply-add pipe.", &R::u_fma},
      {"u_fp64", "1", "Share of the peak of the FP64 pipe.", &R::u_fp64},
      {"u_fp16", "1", "Share of the peak of the FP16 pipe.", &R::u_fp16},
      {"u_alu", "1", "Share of the peak of the integer and logic pipe.", &R::u_alu},
      {"u_xu", "1", "Share of the peak of the special-function pipe.", &R::u_xu},
      {"u_tensor", "1", "Share of the peak of the tensor pipes.", &R::u_tensor}};
  return columns;
}

}  // namespace palstudy
