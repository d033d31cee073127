// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/numbers.hpp"
#include "core/registry.hpp"
#include "variability/profile/profile_merge.hpp"

namespace palstudy {

/// A file that another program wrote, unpacked.
struct ImportFile {
  std::filesystem::path path;
  std::string text;

  [[nodiscard]] std::string name() const { return path.string(); }
  /// What stands for a host, a kernel or a session that the file does not name: the file's name without its endings.
  [[nodiscard]] std::string stem() const;
};

/// The columns of a table by what they are, as --columns names them: "time" -> "elapsed_us".
using ImportColumns = std::map<std::string, std::string>;

/// What sensors said of a GPU while it was busy: medians, NaN where a sensor is not there.
struct GpuSensors {
  std::string host, uuid;  ///< "" where it is not known
  int local = -1;          ///< index on its host; -1 where it is not known
  double sm_mhz = nan, power_w = nan, temp_c = nan;
};

/// What an importer makes of a file.
struct ImportedFile {
  Profile profile;                  ///< without repeats where there are sensors alone
  std::vector<GpuSensors> sensors;  ///< for GPUs whose times are in other files
  std::vector<Note> notes;
  std::vector<std::filesystem::path> beside;  ///< other files that were read
};

/// A format. Errors of `read` (data, at the place in the file): what is not as the format has it.
struct Importer {
  std::function<bool(const ImportFile&)> looks;  ///< whether it is of this format, by its first lines or its names
  std::function<ImportedFile(const ImportFile&, const ImportColumns&)> read;
};
using ImporterRegistry = Registry<Importer>;
[[nodiscard]] const ImporterRegistry& importers();

/// The format whose columns `--columns` names; with names no other is looked for.
inline constexpr const char* table_format = "table";

struct Imported {
  MergedProfile merged;
  std::vector<std::filesystem::path> read;  ///< all files
};
/// Files of any formats as one profile; `format`: of all of them, "" to look. Sensors go to the GPUs of the same UUID,
/// else of the same host and index, else of the same index if there is one host. Errors (data): of a format that is not
/// known, or of sensors alone; as the importers and merge_profiles.
[[nodiscard]] Imported import_files(const std::vector<std::filesystem::path>& files, const std::string& format = "",
                                    const ImportColumns& columns = {});

/// One time of a kernel on a GPU.
struct MeasuredTime {
  std::string session, host, gpu;  ///< the GPU: its index on its host, or a name of its own
  std::string uuid, model;         ///< "" where they are not known
  std::string cabinet;
  std::string kernel, params;
  double ms = 0;
};

/// Makes a profile of times in any order. A GPU is known by its UUID, else by host and index. Several times of a kernel
/// on a GPU in a session are repeats.
class ProfileOfTimes {
 public:
  /// `format`: the backend of its sessions. `session`: of times that name none. `times`: about how many there are.
  ProfileOfTimes(std::string format, std::string session, std::size_t times = 0)
      : format_(std::move(format)), session_(std::move(session)) {
    profile_.repeats.reserve(times);
  }

  /// The repeat, for what else is known of it. Errors (data, at `where()`): a time that single precision cannot hold.
  template <class Where>
  ProfileRepeat& add(const MeasuredTime& time, Where where) {
    const auto ms = static_cast<float>(time.ms);
    if (!(ms > 0) || !std::isfinite(ms)) refuse(time.ms, where());
    ProfileRepeat& repeat = add_repeat(time);
    repeat.batch_ms = {ms};
    return repeat;
  }
  [[nodiscard]] Profile take() { return std::move(profile_); }

 private:
  [[noreturn]] static void refuse(double ms, const std::string& where);
  ProfileRepeat& add_repeat(const MeasuredTime& time);
  [[nodiscard]] std::int32_t gpu(const MeasuredTime& time);

  std::string format_, session_;
  Profile profile_;
  std::map<std::string, std::int32_t, std::less<>> gpus_, sessions_;
  std::map<std::pair<std::string, std::string>, std::int32_t> kernels_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::int32_t> repeats_;  // GPU, session, kernel
};

/// Values of a file that are not used, counted by reason for the note "left-values".
class LeftValues {
 public:
  /// `reason`: what they are, e.g. "of a node".
  void add(const std::string& reason) { ++reasons_[reason]; }
  void note(const ImportFile& file, std::vector<Note>& notes) const;

 private:
  std::map<std::string, std::size_t> reasons_;
};

/// The id of the session that a file is: the same for the same content.
[[nodiscard]] std::string session_of(const ImportFile& file);
/// Milliseconds that stand for a throughput, of whatever unit: only their ratios mean anything.
[[nodiscard]] inline double ms_of_throughput(double throughput) { return 1e3 / throughput; }
/// Milliseconds in the unit at the end of a column's name, such as time_us or "elapsed [s]"; none if it has none.
[[nodiscard]] std::optional<double> ms_of_unit(const std::string& column);

}  // namespace palstudy
