// SPDX-License-Identifier: MIT
#include "inputs/profile/profile_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "archive/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_files.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_names.hpp"
#include "study/run_plan.hpp"
#include "variability/profile/profile.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

const NoteKind other_machine("other-machine", Severity::care);

constexpr auto bundled_measurements = "kernels/measurements";

std::vector<std::string> names_of(const auto& by_name) {
  std::vector<std::string> names;
  for (const auto& [name, thing] : by_name) names.push_back(name);
  return names;
}

}  // namespace

const Measurements& ProfileInputs::measurements(const std::string& name) {
  return memoize(measurements_, name, [&] {
    const auto dir = data_dir() / bundled_measurements;
    Measurements read = read_measurements(dir, name);
    for (const auto& file : {name + ".csv", "runs/" + name + ".csv"}) {
      files_.add(std::string(bundled_measurements) + "/" + file, dir / file);
    }
    return read;
  });
}

const ProfileInputs::ProfileSource& ProfileInputs::profile_file(const std::string& written) {
  return memoize(profiles_, written, [&] {
    const auto path = files_.named(keys::profile, written);
    const Profile profile = read_profile(path);
    ProfileSource source;
    source.origin = profile.origin;
    for (Measurements& measured : measurements_of(profile)) {
      const std::string kernel = measured.name;
      const bool taken = std::ranges::any_of(
          profiles_, [&](const auto& other) { return other.second && other.second->kernels.contains(kernel); });
      if (taken) measured.name = kernel + " of " + written;  // two profiles in one study
      source.too_little.emplace(kernel, too_little(profile, measured));
      source.kernels.emplace(kernel, std::move(measured));
    }
    files_.note(profile_notes(profile, written), written);
    files_.add(written, path);
    return source;
  });
}

std::vector<const Measurements*> ProfileInputs::measurements() const {
  std::vector<const Measurements*> all;
  for (const auto& [name, measured] : measurements_) all.push_back(measured.get());
  for (const auto& [written, profile] : profiles_) {
    for (const auto& [kernel, measured] : profile->kernels) all.push_back(&measured);
  }
  return all;
}

std::string ProfileInputs::origin() const {
  const auto imported = [](const auto& profile) { return profile.second->origin == "imported"; };
  if (!measurements_.empty() || std::ranges::any_of(profiles_, imported)) return "imported";
  return profiles_.empty() ? "" : profiles_.begin()->second->origin;
}

const std::map<std::string, std::string>& ProfileInputs::class_table(const std::string& written) {
  if (std::filesystem::path(written).extension() == ".toml") {
    return memoize(class_tables_, written, [&] {
      const auto path = files_.named(keys::classes, written);
      auto table = read_class_table(path);
      files_.add(written, path);
      return table;
    });
  }
  const auto& tables = files_.models("").classes;  // a name of bundled data, whatever models the study has
  const auto table = tables.find(written);
  if (table != tables.end()) return table->second;
  const auto names = names_of(tables);
  throw usage_error(fmt::format("unknown table of classes \"{}\"{}", written, suggestion(written, names)),
                    files_.study().place_of(keys::classes, written), fmt::format("known: {}; or a .toml", join(names)));
}

void ProfileInputs::warn_once(const ClassMeasurements& classes) {
  std::string text;
  for (const auto& [name, measured] : classes) text += name + "\n" + measured->name + "\n";
  if (!warned_.insert(text).second) return;  // the warning takes longer to make than the text
  if (auto note = reliability_note(classes)) files_.note(std::move(*note));
}

ClassMeasurements ProfileInputs::of(const ClusterOptions& cluster) {
  ClassMeasurements all = is_profile_path(cluster.profile) ? classes_of_file(cluster) : classes_of_machine(cluster);
  if (all.empty()) throw data_error("the table of classes is empty", "classes." + cluster.classes);
  warn_once(all);
  return all;
}

ClassMeasurements ProfileInputs::classes_of_machine(const ClusterOptions& cluster) {
  const auto of_profile = [&](const std::string& stands_for) { return stands_for.starts_with(cluster.profile + "-"); };
  if (const auto machines = bundled_machines(); !machines.contains(cluster.profile)) {
    const std::vector<std::string> names(machines.begin(), machines.end());
    throw usage_error(fmt::format("no bundled profile \"{}\"{}", cluster.profile, suggestion(cluster.profile, names)),
                      files_.study().place_of(keys::profile, cluster.profile),
                      fmt::format("there are {}; or name a profile (.h5) of your own", join(names)));
  }
  ClassMeasurements all;
  for (const auto& [name, stands_for] : class_table(cluster.classes)) {
    if (all.empty() && !of_profile(stands_for)) {  // the first class says which machine a table is of
      throw usage_error(fmt::format("the classes \"{}\" stand on {}, which is not of the profile \"{}\"",
                                    cluster.classes, stands_for, cluster.profile),
                        files_.study().place_of(keys::profile, cluster.profile),
                        "choose a profile and classes of one machine");
    }
    const auto bundled = bundled_measurement_names();
    if (std::ranges::find(bundled, stands_for) == bundled.end()) {
      throw usage_error(fmt::format("class {} stands on {}, and there is no such bundled measurement{}", name,
                                    stands_for, suggestion(stands_for, bundled)),
                        files_.study().place_of(keys::classes, cluster.classes), "there are " + join(bundled));
    }
    if (!of_profile(stands_for)) {
      files_.note(other_machine({{"kernel", stands_for}, {"profile", cluster.profile}}, name));
    }
    all.emplace(name, &measurements(stands_for));
  }
  return all;
}

ClassMeasurements ProfileInputs::classes_of_file(const ClusterOptions& cluster) {
  const ProfileSource& profile = profile_file(cluster.profile);
  const auto place = [&] { return files_.study().place_of(keys::classes, cluster.classes); };
  ClassMeasurements all;
  for (const auto& [name, kernel] : class_table(cluster.classes)) {
    const auto found = profile.kernels.find(kernel);
    if (found == profile.kernels.end()) {
      const auto known = names_of(profile.kernels);
      throw usage_error(fmt::format("class {} stands on {}, which {} does not have{}", name, kernel, cluster.profile,
                                    suggestion(kernel, known)),
                        place(),
                        known.empty()
                            ? "it has no times of GPUs: choose another profile"
                            : fmt::format("it has {}; palstudy classify writes classes that fit it", join(known)));
    }
    if (const auto& little = profile.too_little.at(kernel); little && source_of(cluster).generates) {
      throw data_error(
          fmt::format("no cluster can be drawn by source \"{}\": {} was measured on {} in {}; {} GPUs and {} sessions "
                      "are needed",
                      cluster.source, found->second.name, counted(little->gpus, "GPU"),
                      counted(little->sessions, "session"), least_profile_gpus, least_profile_sessions),
          files_.study().place_of(keys::profile, cluster.profile),
          "measure more, on other days and nodes, and join with palstudy profile merge");
    }
    all.emplace(name, &found->second);
  }
  return all;
}

}  // namespace palstudy
