// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace palstudy {

/// A study, or the files of a site that a study is made of.
struct SiteOptions {
  std::string study;
  std::vector<std::string> overrides;
  std::string trace, profile, nodes, output = "site.toml";
  bool force = false;
};

/// Adds STUDY, --set, --trace, --profile, --nodes, -o and --force.
void add_site_options(CLI::App& app, SiteOptions& options);

/// A study that is given, or that is written from the files of a site. What was written goes again unless it is kept,
/// so that a mistake in the options leaves nothing behind.
class SiteStudy {
 public:
  /// Errors (usage): neither a study nor files are given, or both, or some of the files; those of write_site_study.
  SiteStudy(const SiteOptions& options, const CommandContext& context);
  ~SiteStudy();
  SiteStudy(const SiteStudy&) = delete;
  SiteStudy& operator=(const SiteStudy&) = delete;

  [[nodiscard]] const std::string& file() const { return file_; }
  /// The study could be run.
  void keep();

 private:
  std::string file_;
  std::vector<std::filesystem::path> written_;
};

}  // namespace palstudy
