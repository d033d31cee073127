// SPDX-License-Identifier: MIT
#include "variability/profile/importer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

constexpr auto uuid_begin = "GPU-";  // of the driver's UUIDs; ids that are made here begin otherwise

const NoteKind left_values("left-values", Severity::info), idle_sensors("idle-sensors", Severity::care);

const Entry<Importer>& format_of(const ImportFile& file) {
  if (file.text.starts_with("\x89HDF\r\n")) {
    throw data_error("is no table or log but HDF5", file.name(), "palstudy profile merge joins profiles");
  }
  for (const auto& one : importers().entries()) {
    if (one.make.looks(file)) return one;
  }
  throw data_error(
      "is of no known format", file.name(),
      fmt::format("known are {}; another table: palstudy profile import --columns host=COLUMN,gpu=COLUMN,time=COLUMN",
                  join(importers().names())));
}

/// Gives repeats what sensors said of their GPU.
void give_sensors(const std::vector<GpuSensors>& all, const std::string& file, MergedProfile& merged) {
  Profile& profile = merged.profile;
  std::set<std::string> hosts;
  for (const ProfileGpu& gpu : profile.gpus) hosts.insert(gpu.host);
  std::vector<const GpuSensors*> of_gpu(profile.gpus.size());
  std::size_t idle = 0;
  for (const GpuSensors& one : all) {
    const auto matches = [&](const ProfileGpu& gpu) {
      if (!one.uuid.empty() && one.uuid == gpu.uuid) return true;
      const bool both_known = !one.uuid.empty() && gpu.uuid.starts_with(uuid_begin);
      return !both_known && one.local >= 0 && one.local == gpu.local &&
             (one.host.empty() ? hosts.size() == 1 : one.host == gpu.host);
    };
    const auto of = std::ranges::find_if(profile.gpus, matches);
    if (of == profile.gpus.end()) {
      ++idle;
      continue;
    }
    of_gpu[static_cast<std::size_t>(of - profile.gpus.begin())] = &one;
  }
  for (ProfileRepeat& repeat : profile.repeats) {
    const GpuSensors* const one = of_gpu.at(static_cast<std::size_t>(repeat.gpu));
    if (one == nullptr) continue;
    repeat.telemetry = {{repeat.start_ns}, {one->sm_mhz}, {nan}, {one->power_w}, {one->temp_c}, {nan}, {0}};
  }
  if (idle == all.size()) {
    throw data_error("has sensors of GPUs without times", file,
                     "GPUs are compared by UUID, by host and index, or by index if the times are of one host");
  }
  if (idle > 0) merged.notes.push_back(idle_sensors({{"gpus", idle}, {"of", all.size()}}, file));
}

}  // namespace

std::string ImportFile::stem() const {
  fs::path stem = path.stem();
  if (path.extension() == ".gz") stem = stem.stem();
  return stem.string();
}

std::string session_of(const ImportFile& file) {
  constexpr std::size_t digits = 12;
  return "import-" + file.stem() + "-" + sha256_hex(file.text).substr(0, digits);
}

std::optional<double> ms_of_unit(const std::string& column) {
  static constexpr std::array<std::pair<const char*, double>, 4> units = {
      {{"ns", 1e-6}, {"us", 1e-3}, {"ms", 1.0}, {"s", 1e3}}};
  const auto last = std::find_if_not(column.rbegin(), column.rend(), [](char c) { return c == ']' || c == ')'; });
  const std::string name(column.begin(), last.base());
  const auto mark = name.find_last_of("_[( ");
  const std::string unit = mark == std::string::npos ? "" : name.substr(mark + 1);
  for (const auto& [known, ms] : units) {
    if (unit == known) return ms;
  }
  return std::nullopt;
}

void LeftValues::note(const ImportFile& file, std::vector<Note>& notes) const {
  if (reasons_.empty()) return;
  ValueList reasons;
  for (const auto& [reason, count] : reasons_) {
    reasons.emplace_back(ValueRecord{{"reason", reason}, {"values", count}});
  }
  notes.push_back(left_values({{"reasons", std::move(reasons)}}, file.name()));
}

void ProfileOfTimes::refuse(double ms, const std::string& where) {
  throw data_error(fmt::format("a time of {} ms", shortest(ms)), where, "times are over 0; check their unit");
}

std::int32_t ProfileOfTimes::gpu(const MeasuredTime& time) {
  const std::string id = !time.uuid.empty() ? time.uuid : time.host.empty() ? time.gpu : time.host + "/" + time.gpu;
  const auto [at, is_new] = gpus_.try_emplace(id, static_cast<std::int32_t>(gpus_.size()));
  if (is_new) {
    constexpr long long most_local = 1'000'000;
    const auto local = parse_integer(time.gpu);
    ProfileGpu made;
    made.uuid = id;
    made.host = time.host;
    if (local && *local >= 0 && *local < most_local) made.local = static_cast<int>(*local);
    made.cabinet = time.cabinet;
    made.name = time.model;
    profile_.gpus.push_back(std::move(made));
  }
  return at->second;
}

ProfileRepeat& ProfileOfTimes::add_repeat(const MeasuredTime& time) {
  profile_.origin = "imported";
  const std::string& session = time.session.empty() ? session_ : time.session;
  const auto [from, new_session] = sessions_.try_emplace(session, static_cast<std::int32_t>(sessions_.size()));
  if (new_session) {
    ProfileSession made;
    made.id = session;
    made.backend = format_;
    profile_.sessions.push_back(std::move(made));
  }
  const auto [of, new_kernel] =
      kernels_.try_emplace({time.kernel, time.params}, static_cast<std::int32_t>(kernels_.size()));
  if (new_kernel) {
    ProfileKernel made;
    made.name = time.kernel;
    made.params = time.params;
    profile_.kernels.push_back(std::move(made));
  }
  ProfileRepeat repeat;
  repeat.gpu = gpu(time);
  repeat.session = from->second;
  repeat.kernel = of->second;
  repeat.repeat = repeats_[{repeat.gpu, repeat.session, repeat.kernel}]++;
  profile_.repeats.push_back(std::move(repeat));
  return profile_.repeats.back();
}

Imported import_files(const std::vector<fs::path>& files, const std::string& format, const ImportColumns& columns) {
  Imported result;
  std::vector<NamedProfile> profiles;
  std::vector<std::pair<std::string, std::vector<GpuSensors>>> sensors;
  std::vector<Note> notes;
  std::string first_of_sensors;
  if (!columns.empty() && !format.empty() && format != table_format) {
    throw usage_error(fmt::format("says what the columns of a table are, and the format is {}", format), "--columns",
                      fmt::format("leave it out, or give --format {}", table_format));
  }
  const std::string told = columns.empty() ? format : table_format;
  for (const fs::path& path : files) {
    const ImportFile file{path, read_text_file(path)};
    const auto& of = told.empty() ? format_of(file) : importers().at(told, "--format");
    ImportedFile read = of.make.read(file, columns);
    result.read.push_back(path);
    result.read.insert(result.read.end(), read.beside.begin(), read.beside.end());
    notes.insert(notes.end(), read.notes.begin(), read.notes.end());
    if (read.sensors.empty()) {
      profiles.push_back({file.name(), std::move(read.profile)});
    } else {
      sensors.emplace_back(file.name(), std::move(read.sensors));
      if (first_of_sensors.empty()) first_of_sensors = of.name;
    }
  }
  if (profiles.empty()) {
    throw data_error(fmt::format("is a log of {}: clocks and temperatures are no times", first_of_sensors),
                     files.at(0).string(),
                     "import it together with a benchmark of the same GPUs, run at the same time");
  }
  result.merged =
      profiles.size() > 1 ? merge_profiles(profiles) : MergedProfile{in_order(std::move(profiles.front().profile)), {}};
  for (const auto& [file, all] : sensors) give_sensors(all, file, result.merged);
  result.merged.notes.insert(result.merged.notes.begin(), notes.begin(), notes.end());
  return result;
}

}  // namespace palstudy
