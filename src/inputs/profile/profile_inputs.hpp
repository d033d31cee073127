// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "study/run_plan.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// The measurements that clusters are drawn from: those of a bundled machine, or the kernels of a profile.
class ProfileInputs {
 public:
  explicit ProfileInputs(InputFiles& files) : files_(files) {}

  /// The measurements of each class of a cluster. Notes, once for the same classes, that some hardly repeat.
  ClassMeasurements of(const ClusterOptions& cluster);
  /// What stands for each class: a table of classes, bundled or a path.
  const std::map<std::string, std::string>& class_table(const std::string& written);
  /// The measurements so far by name, those of bundled machines first.
  [[nodiscard]] std::vector<const Measurements*> measurements() const;
  /// "imported" if any of these is, "bundled-kernels" if there are others, "" if there are none.
  [[nodiscard]] std::string origin() const;

 private:
  /// A file of `palstudy measure`, `profile merge` or `profile import`, its kernels by name.
  struct ProfileSource {
    std::string origin;
    std::map<std::string, Measurements> kernels;
    std::map<std::string, std::optional<TooLittle>> too_little;  ///< by kernel: no nodes can be drawn from so little
  };
  const Measurements& measurements(const std::string& name);
  const ProfileSource& profile_file(const std::string& written);
  ClassMeasurements classes_of_machine(const ClusterOptions& cluster);
  ClassMeasurements classes_of_file(const ClusterOptions& cluster);
  void warn_once(const ClassMeasurements& classes);

  InputFiles& files_;
  std::map<std::string, std::unique_ptr<Measurements>> measurements_;
  std::map<std::string, std::unique_ptr<ProfileSource>> profiles_;
  std::map<std::string, std::unique_ptr<std::map<std::string, std::string>>> class_tables_;
  std::set<std::string> warned_;
};

}  // namespace palstudy
